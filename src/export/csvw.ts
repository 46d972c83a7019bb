import type { CellReading, Column, Sniff } from "../sniffer/sniff.js";
import { cellsOf, dialectNotes, headerRecords, isQuoteDoubled } from "./column-plan.js";
import type { ExportPlace } from "./export-sniff.js";
import { translateFormat, UNICODE_WORDS, unicodeLiteral } from "./strftime.js";

const BASES: Record<Column["type"], string> = {
  SQLNULL: "string",
  BOOLEAN: "boolean",
  BIGINT: "integer",
  HUGEINT: "integer",
  DOUBLE: "double",
  TIME: "time",
  DATE: "date",
  TIMESTAMP: "dateTime",
  TIMESTAMPTZ: "dateTimeStamp",
  VARCHAR: "string",
};

/**
 * Metadata of CSV on the Web: the dialect and a datatype a column, with Unicode's date patterns.
 *
 * @see https://www.w3.org/TR/tabular-metadata/
 */
export function csvw(sniff: Sniff, { path, table }: ExportPlace): string {
  const { dialect, columns } = sniff;
  const cells = cellsOf(sniff);
  const types = columns.map((column) => datatype(column, cells));
  const notes = [
    ...dialectNotes(sniff, { comment: true, initialSpace: true }),
    ...(dialect.quote !== null && !isQuoteDoubled(dialect) && dialect.escape !== "\\"
      ? [`the escape ${JSON.stringify(dialect.escape)} has no word`]
      : []),
    ...columns.flatMap(({ name, format }, index) =>
      types[index] === "string" && format !== undefined
        ? [`column ${JSON.stringify(name)} stays text: the format ${format} has no pattern`]
        : [],
    ),
  ];
  const metadata = {
    "@context": "http://www.w3.org/ns/csvw",
    url: path,
    "dc:title": table,
    ...(notes.length > 0 && { "dc:description": notes.join("; ") }),
    dialect: {
      encoding: dialect.encoding,
      lineTerminators: ["\r\n", "\n", ...(dialect.newline === "\r" ? ["\r"] : [])],
      delimiter: dialect.delimiter,
      quoteChar: dialect.quote,
      doubleQuote: dialect.quote === null || isQuoteDoubled(dialect),
      skipRows: dialect.skipLines + dialect.skipRecords,
      header: dialect.header,
      headerRowCount: headerRecords(dialect),
      commentPrefix: dialect.comment,
      skipInitialSpace: dialect.skipInitialSpace,
    },
    tableSchema: {
      columns: columns.map(({ name, originalName }, index) => ({
        name: `_col.${index + 1}`,
        titles: originalName || name,
        datatype: types[index],
        ...(cells.nullValues.length > 0 && { null: cells.nullValues }),
      })),
    },
  };
  return `${JSON.stringify(metadata, null, 2)}\n`;
}

function datatype({ type, format }: Column, cells: CellReading): string | Record<string, unknown> {
  const base = BASES[type];
  if (type === "DOUBLE") {
    const { decimalSeparator, thousandsSeparator } = cells;
    if (decimalSeparator === "." && thousandsSeparator === "") return base;
    return {
      base,
      format: { decimalChar: decimalSeparator, ...(thousandsSeparator && { groupChar: thousandsSeparator }) },
    };
  }
  if (type === "BOOLEAN") {
    const [yes = "true"] = cells.trueValues;
    const [no = "false"] = cells.falseValues;
    return yes === "true" && no === "false" ? base : { base, format: `${yes}|${no}` };
  }
  if (format === undefined || !["DATE", "TIMESTAMP", "TIMESTAMPTZ"].includes(type)) return base;
  const pattern = translateFormat(format.replace("%S.%f", "%S"), UNICODE_WORDS, unicodeLiteral);
  return pattern === null ? "string" : { base, format: pattern };
}
