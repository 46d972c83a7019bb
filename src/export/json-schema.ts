import type { Column, Sniff } from "../sniffer/sniff.js";
import type { ExportPlace } from "./export-sniff.js";

/**
 * The JSON Schema of a row as `convert --to ndjson` writes it.
 *
 * @see https://json-schema.org/draft/2020-12
 */
export function jsonSchema({ columns }: Sniff, { path, table }: ExportPlace): string {
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: table,
    description: `A row of ${path}.`,
    type: "object",
    // From entries, so that a column called __proto__ is a property like others.
    properties: Object.fromEntries(columns.map((column) => [column.name, property(column)])),
    required: columns.map(({ name }) => name),
    additionalProperties: false,
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

function property({ type, bigint }: Column): Record<string, unknown> {
  if (type === "BOOLEAN") return { type: ["boolean", "null"] };
  if (type === "DOUBLE") return { type: ["number", "null"] };
  if (type === "HUGEINT" || (type === "BIGINT" && bigint === true)) {
    return { type: ["integer", "string", "null"], description: "Whole numbers that may be past 2^53 - 1." };
  }
  if (type === "BIGINT") return { type: ["integer", "null"] };
  return { type: ["string", "null"] };
}
