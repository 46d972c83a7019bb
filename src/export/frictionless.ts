import type { Column, Sniff } from "../sniffer/sniff.js";

/** Types of Table Schema by ours; all that is missing here is a string. */
const TYPES: Partial<Record<Column["type"], string>> = {
  BOOLEAN: "boolean",
  BIGINT: "integer",
  HUGEINT: "integer",
  DOUBLE: "number",
  TIME: "time",
  DATE: "date",
  TIMESTAMP: "datetime",
  TIMESTAMPTZ: "datetime",
};

/**
 * A Frictionless Data Resource with its dialect and its Table Schema.
 *
 * @see https://specs.frictionlessdata.io/csv-dialect/ and https://specs.frictionlessdata.io/table-schema/
 */
export function frictionless(
  { dialect, columns }: Sniff,
  { path, table }: { path: string; table: string },
): string {
  const notes = [
    dialect.skipLines + dialect.skipRecords > 0
      ? `Leave out the ${dialect.skipLines + dialect.skipRecords} lines above the table: CSV Dialect has no word for them.`
      : "",
    dialect.headerLines > 1 ? `The header spans ${dialect.headerLines} records: CSV Dialect knows one.` : "",
    dialect.ignoreTrailingDelimiter ? "Records may end in a delimiter too many." : "",
  ].filter((note) => note !== "");
  const doubled = dialect.quote !== null && dialect.escape === dialect.quote;
  const resource = {
    name: resourceName(table),
    title: table,
    ...(notes.length > 0 && { description: notes.join(" ") }),
    path,
    encoding: dialect.encoding,
    dialect: {
      csvddfVersion: 1.2,
      delimiter: dialect.delimiter,
      lineTerminator: dialect.newline,
      quoteChar: dialect.quote ?? "",
      doubleQuote: doubled,
      ...(dialect.escape !== null && !doubled && { escapeChar: dialect.escape }),
      skipInitialSpace: dialect.skipInitialSpace,
      header: dialect.header,
      ...(dialect.comment !== null && { commentChar: dialect.comment }),
    },
    schema: {
      fields: columns.map(({ name, type, format }) => ({
        name,
        type: TYPES[type] ?? "string",
        ...(format !== undefined && TYPES[type] !== undefined && { format }),
      })),
      missingValues: [""],
    },
  };
  return `${JSON.stringify(resource, null, 2)}\n`;
}

/** A resource's name holds small letters, digits, `.`, `_` and `-` only. */
function resourceName(table: string): string {
  return table.toLowerCase().replace(/[^a-z0-9._-]+/g, "-") || "data";
}
