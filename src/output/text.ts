import type { Column } from "../sniffer/sniff.js";

/** A row's values, by column. */
export type RowValues = (column: number) => unknown;

/**
 * A row as a line of NDJSON, without the line end. Whole numbers past 2^53 are text, so that no digit is lost;
 * NaN and the infinities, which JSON lacks, are null.
 */
export function ndjsonLine(columns: readonly Column[], values: RowValues): string {
  let line = "{";
  for (let column = 0; column < columns.length; column++) {
    if (column > 0) line += ",";
    line += `${JSON.stringify(columns[column].name)}:${jsonValue(values(column))}`;
  }
  return `${line}}`;
}

function jsonValue(value: unknown): string {
  if (typeof value === "bigint") return `"${value}"`;
  return JSON.stringify(value) ?? "null";
}

/** The header as a CSV record, without the line end. */
export function csvHeader(columns: readonly Column[], escapeFormulas: boolean): string {
  return columns.map((column, index) => csvCell(column.name, escapeFormulas, index === 0)).join(",");
}

/**
 * A row as a CSV record, without the line end: commas, `"` doubled, quotes where they are needed (RFC 4180). A
 * missing value is an empty field, an empty text is one in quotes.
 */
export function csvRecord(columns: readonly Column[], values: RowValues, escapeFormulas: boolean): string {
  const cells: string[] = [];
  for (let column = 0; column < columns.length; column++) {
    cells.push(csvCell(values(column), escapeFormulas, column === 0));
  }
  return cells.join(",");
}

function csvCell(value: unknown, escapeFormulas: boolean, first: boolean): string {
  if (value === null || value === undefined) return "";
  if (typeof value !== "string") return String(value);
  const text = escapeFormulas && startsFormula(value) ? `'${value}` : value;
  return needsQuotes(text, first) ? `"${text.replaceAll('"', '""')}"` : text;
}

function needsQuotes(text: string, first: boolean): boolean {
  if (text === "") return true;
  if (/[",\r\n]/.test(text)) return true;
  // At the start of a line a `#` may be taken for a comment, and at the start of a file U+FEFF is a byte order mark.
  return (
    text.startsWith(" ") ||
    text.endsWith(" ") ||
    (first && (text.startsWith("#") || text.startsWith("\ufeff")))
  );
}

/** What a spreadsheet may take for a formula (OWASP, CSV injection). */
function startsFormula(text: string): boolean {
  return /^[=+\-@\t\r]/.test(text);
}
