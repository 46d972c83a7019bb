import type { CellReading, Column, Sniff } from "../sniffer/sniff.js";
import { cellsOf, dialectNotes, isQuoteDoubled } from "./column-plan.js";
import type { ExportPlace } from "./export-sniff.js";

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
export function frictionless(sniff: Sniff, { path, table }: ExportPlace): string {
  const { dialect, columns } = sniff;
  const cells = cellsOf(sniff);
  const above = dialect.skipLines + dialect.skipRecords;
  const notes = [
    ...(above > 0 ? [`leave out the ${above} lines above the table: CSV Dialect has no word for them`] : []),
    ...(dialect.headerLines > 1
      ? [`the header spans ${dialect.headerLines} records: CSV Dialect knows one`]
      : []),
    ...dialectNotes(sniff, { comment: true, initialSpace: true }),
  ];
  const doubled = isQuoteDoubled(dialect);
  const resource = {
    name: resourceName(table),
    title: table,
    ...(notes.length > 0 && { description: notes.join("; ") }),
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
      fields: columns.map((column) => ({ name: column.name, ...fieldOf(column, cells) })),
      missingValues: cells.nullValues,
    },
  };
  return `${JSON.stringify(resource, null, 2)}\n`;
}

function fieldOf({ type, format }: Column, cells: CellReading): Record<string, unknown> {
  const field: Record<string, unknown> = { type: TYPES[type] ?? "string" };
  if (format !== undefined && TYPES[type] !== undefined) field.format = format;
  if (type === "DOUBLE" && cells.decimalSeparator !== ".") field.decimalChar = cells.decimalSeparator;
  if (type === "DOUBLE" && cells.thousandsSeparator !== "") field.groupChar = cells.thousandsSeparator;
  if (type === "BOOLEAN") {
    if (cells.trueValues.length > 0) field.trueValues = cells.trueValues;
    if (cells.falseValues.length > 0) field.falseValues = cells.falseValues;
  }
  return field;
}

/** A resource's name holds small letters, digits, `.`, `_` and `-` only. */
function resourceName(table: string): string {
  return table.toLowerCase().replace(/[^a-z0-9._-]+/g, "-") || "data";
}
