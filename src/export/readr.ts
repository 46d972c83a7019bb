import type { CellReading, Column, Sniff } from "../sniffer/sniff.js";
import { booleanPattern, decimalPattern, wholePattern } from "./cell-pattern.js";
import {
  cellsOf,
  columnPlans,
  commentLines,
  dialectNotes,
  isQuoteDoubled,
  linesAboveData,
} from "./column-plan.js";
import type { ExportPlace } from "./export-sniff.js";
import { caseSensitiveNames, renamedNotes } from "./names.js";
import { scriptString } from "./quoting.js";
import { percentLiteral, STRFTIME_WORDS, translateFormat } from "./strftime.js";

/** Specifiers of `parse_datetime`. @see https://readr.tidyverse.org/reference/parse_datetime.html */
const WORDS = { ...STRFTIME_WORDS, "%S": "%OS", "%f": "", "%z": "%z" };

/**
 * `readr::read_delim` with its options, a collector a column.
 *
 * @see https://readr.tidyverse.org/reference/read_delim.html
 */
export function readr(sniff: Sniff, { path, table }: ExportPlace): string {
  const { dialect, columns } = sniff;
  const cells = cellsOf(sniff);
  const names = columns.map(({ name }) => name);
  const given = caseSensitiveNames(names);
  const plans = columnPlans(sniff, given);
  const collectors = plans.map(({ column, isPlain }) => collector(column, cells, isPlain));
  const isEscaped = dialect.quote !== null && dialect.escape === "\\";
  const variable = variableName(table);
  const settings = [
    `delim = ${scriptString(dialect.delimiter)}`,
    `quote = ${scriptString(dialect.quote ?? "")}`,
    `escape_double = ${isQuoteDoubled(dialect) ? "TRUE" : "FALSE"}`,
    `escape_backslash = ${isEscaped ? "TRUE" : "FALSE"}`,
    `skip = ${linesAboveData(sniff)}`,
    `comment = ${scriptString(dialect.comment ?? "")}`,
    `trim_ws = ${dialect.skipInitialSpace ? "TRUE" : "FALSE"}`,
    `na = c(${cells.nullValues.map(scriptString).join(", ")})`,
    `col_names = c(\n    ${given.map(scriptString).join(",\n    ")}\n  )`,
    `col_types = cols(\n    ${collectors.join(",\n    ")}\n  )`,
    `locale = locale(${localeSettings(cells, dialect.encoding).join(", ")})`,
  ];
  const read = plans.flatMap(({ index, column, isPlain }) => {
    const cell = `${variable}[[${index + 1}]]`;
    const value = isPlain ? null : readAfterwards(cell, column, cells);
    return value === null ? [] : [`${cell} <- ${value}\n`];
  });
  const notes = [
    ...renamedNotes(names, given),
    ...dialectNotes(sniff, { comment: true, initialSpace: true }),
    ...(columns.some(({ type }) => type === "BIGINT") ? ["R's numbers are exact up to 2^53"] : []),
  ];
  return `${commentLines(notes, "#")}library(readr)

${variable} <- read_delim(
  ${[scriptString(path), ...settings].join(",\n  ")}
)
stop_for_problems(${variable})
${read.length > 0 ? CHECK : ""}${read.join("")}`;
}

/** What readr would make another value of, or a missing one, in silence. */
const CHECK = `checked <- function(cells, pattern) {
  odd <- which(!is.na(cells) & !grepl(pattern, cells))
  if (length(odd) > 0) stop("row ", odd[1], ": ", cells[odd[1]], " does not match ", pattern)
  cells
}
`;

/** The values of what is read as text at first, since readr takes too much for it; null for all else. */
function readAfterwards(cell: string, { type }: Column, cells: CellReading): string | null {
  const checked = (pattern: string) => `checked(${cell}, ${scriptString(pattern)})`;
  if (type === "BOOLEAN") return isTrue(checked(booleanPattern(cells)), cells);
  if (cells.thousandsSeparator === "") return null;
  if (type !== "BIGINT" && type !== "DOUBLE") return null;
  const pattern = type === "BIGINT" ? wholePattern(cells) : decimalPattern(cells);
  return `parse_number(${checked(pattern)}, locale = locale(${marks(cells).join(", ")}))`;
}

function collector({ type, format = "" }: Column, cells: CellReading, isPlain: boolean): string {
  switch (type) {
    case "BOOLEAN":
      return isPlain ? "col_logical()" : "col_character()";
    case "BIGINT":
    case "DOUBLE":
      return cells.thousandsSeparator === "" ? "col_double()" : "col_character()";
    case "TIME":
      return "col_time()";
    case "DATE":
      return isPlain ? "col_date()" : `col_date(${scriptString(template(format))})`;
    case "TIMESTAMP":
    case "TIMESTAMPTZ":
      return isPlain ? "col_datetime()" : `col_datetime(${scriptString(template(format))})`;
    default:
      return "col_character()";
  }
}

function template(format: string): string {
  return translateFormat(format.replace("%S.%f", "%S"), WORDS, percentLiteral) ?? format;
}

function localeSettings(cells: CellReading, encoding: string): string[] {
  return [...marks(cells), `encoding = ${scriptString(encoding.toUpperCase())}`];
}

function marks({ decimalSeparator, thousandsSeparator }: CellReading): string[] {
  // readr wants two different marks, whether there are groups or not.
  const grouping = thousandsSeparator || (decimalSeparator === "," ? "." : ",");
  return [`decimal_mark = ${scriptString(decimalSeparator)}`, `grouping_mark = ${scriptString(grouping)}`];
}

function isTrue(source: string, { trueValues, falseValues }: CellReading): string {
  const list = (given: readonly string[], usual: string) =>
    given.length === 0 ? usual : `c(${given.map(scriptString).join(", ")})`;
  const lower = (given: readonly string[]) => (given.length === 0 ? `tolower(${source})` : source);
  return `ifelse(${lower(trueValues)} %in% ${list(trueValues, '"true"')}, TRUE, ifelse(${lower(falseValues)} %in% ${list(falseValues, '"false"')}, FALSE, NA))`;
}

function variableName(table: string): string {
  const name = table.replace(/[^A-Za-z0-9_]+/g, "_").replace(/_+$/, "");
  return /^[A-Za-z]/.test(name) ? name.toLowerCase() : `data_${name.toLowerCase()}`.replace(/_+$/, "");
}
