import type { Column, Sniff } from "../sniffer/sniff.js";
import type { ExportPlace } from "./export-sniff.js";
import { jsonString } from "./quoting.js";
import { typeName } from "./typescript.js";

/**
 * A Zod schema of a row as `readCsv` gives it by default, and its type. It is also what the option `schema` takes.
 *
 * @see https://zod.dev/api
 */
export function zod({ columns }: Sniff, { path, table }: ExportPlace): string {
  const name = typeName(table);
  // In brackets, since __proto__ as a plain key would set the object's prototype.
  const members = columns.map(
    (column) => `  [${jsonString(column.name)}]: ${schemaOf(column)}.nullable(),\n`,
  );
  return `import { z } from "zod";

// A row of ${jsonString(path)}.
export const ${name} = z.object({
${members.join("")}});
export type ${name} = z.infer<typeof ${name}>;
`;
}

function schemaOf({ type, bigint }: Column): string {
  switch (type) {
    case "BOOLEAN":
      return "z.boolean()";
    case "BIGINT":
      return bigint === true ? "z.bigint()" : "z.number().int()";
    case "HUGEINT":
      return "z.bigint()";
    case "DOUBLE":
      return "z.number()";
    case "DATE":
    case "TIMESTAMP":
    case "TIMESTAMPTZ":
      return "z.date()";
    default:
      return "z.string()";
  }
}
