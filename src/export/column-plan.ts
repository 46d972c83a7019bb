import type { CellReading, Column, Sniff, SniffedDialect } from "../sniffer/sniff.js";

/** A column and how its cells are read, which is all that a target has to be told. */
export interface ColumnPlan {
  /** Its place in the file, from 0. */
  index: number;
  column: Column;
  /** Its name as the target takes it. */
  name: string;
  /** Whether other tools read its cells as they stand: ISO dates, `.` in numbers, true and false. */
  isPlain: boolean;
}

/** How cells are read by default: sniffs of version 0.1.0 do not say it. */
const DEFAULT_CELLS: CellReading = {
  nullValues: [""],
  trueValues: [],
  falseValues: [],
  decimalSeparator: ".",
  thousandsSeparator: "",
  quotedEmpty: "null",
  quotedAsText: false,
};

/** How the cells of a sniffed table are read. */
export function cellsOf(sniff: Sniff): CellReading {
  return sniff.cells ?? DEFAULT_CELLS;
}

/** The columns of a sniff, under names that a target takes. */
export function columnPlans(sniff: Sniff, names: readonly string[]): ColumnPlan[] {
  const cells = cellsOf(sniff);
  return sniff.columns.map((column, index) => ({
    index,
    column,
    name: names[index],
    isPlain: isPlain(column, cells),
  }));
}

function isPlain({ type, format }: Column, cells: CellReading): boolean {
  switch (type) {
    case "BOOLEAN":
      return cells.trueValues.length + cells.falseValues.length === 0;
    case "BIGINT":
    case "HUGEINT":
      return cells.thousandsSeparator === "";
    case "DOUBLE":
      return cells.decimalSeparator === "." && cells.thousandsSeparator === "";
    case "DATE":
    case "TIMESTAMP":
    case "TIMESTAMPTZ":
      return format === undefined || ISO_FORMATS.has(format);
    default:
      return true;
  }
}

const ISO_FORMATS: ReadonlySet<string> = new Set([
  "%Y-%m-%d",
  "%Y-%m-%d %H:%M:%S",
  "%Y-%m-%d %H:%M:%S.%f",
  "%Y-%m-%d %H:%M:%S%z",
  "%Y-%m-%dT%H:%M:%S",
  "%Y-%m-%dT%H:%M:%S.%f",
  "%Y-%m-%dT%H:%M:%S%z",
]);

/** Whether a quote in a quoted field is written twice, which tools that know no escape take for granted. */
export function isQuoteDoubled({ quote, escape }: SniffedDialect): boolean {
  return quote !== null && escape === quote;
}

/** Physical lines above the data: preamble, records left out, header. */
export function linesAboveData({ dialect, columns }: Sniff): number {
  const breaks = dialect.header
    ? columns.reduce((sum, { originalName }) => sum + breaksIn(originalName), 0)
    : 0;
  return dialect.skipLines + dialect.skipRecords + headerRecords(dialect) + breaks;
}

/** Records above the data, each line of the preamble counted as one, for tools that count by their own reading. */
export function recordsAboveData({ dialect }: Sniff): number {
  return dialect.skipLines + dialect.skipRecords + headerRecords(dialect);
}

/** The same for tools that do not count comments among the lines that they skip. */
export function uncommentedAboveData(sniff: Sniff): number {
  const { comment } = sniff.dialect;
  const comments = comment === null ? 0 : sniff.preamble.filter((line) => line.startsWith(comment)).length;
  return recordsAboveData(sniff) - comments;
}

function breaksIn(text: string): number {
  return text.split(/\r\n|\r|\n/).length - 1;
}

/** Records that the header spans; 0 for none. */
export function headerRecords({ header, headerLines }: SniffedDialect): number {
  return header ? headerLines : 0;
}

/** What most tools can't be told of a dialect, in sentences. */
export function dialectNotes(
  { dialect, columns, cells }: Sniff,
  can: { trailingDelimiter?: boolean; initialSpace?: boolean; comment?: boolean } = {},
): string[] {
  const notes: string[] = [];
  if (!can.initialSpace && dialect.skipInitialSpace) notes.push("the spaces behind a delimiter are kept");
  if (!can.trailingDelimiter && dialect.ignoreTrailingDelimiter)
    notes.push("records may end in one delimiter too many, which is an empty column there");
  if (!can.comment && dialect.comment !== null)
    notes.push(`lines that begin with ${JSON.stringify(dialect.comment)} are comments: take them out first`);
  if (dialect.headerLines > 1 && columns.some(({ originalName }) => breaksIn(originalName) > 0))
    notes.push("a header cell spans lines: check the first rows");
  if (cells?.quotedEmpty === "string")
    notes.push('an empty cell in quotes is "" to sniffed-csv, and null here');
  return notes;
}

/** Notes as comment lines. */
export function commentLines(notes: readonly string[], mark: string): string {
  return notes.map((note) => `${mark} ${oneLine(note)}\n`).join("");
}

/** A text in which nothing ends a line. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, " ");
}
