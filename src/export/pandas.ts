import type { CellReading, Column, Sniff } from "../sniffer/sniff.js";
import { booleanPattern, decimalPattern, temporalPattern, wholePattern } from "./cell-pattern.js";
import {
  cellsOf,
  columnPlans,
  commentLines,
  dialectNotes,
  isQuoteDoubled,
  recordsAboveData,
} from "./column-plan.js";
import type { ExportPlace } from "./export-sniff.js";
import { caseSensitiveNames, renamedNotes } from "./names.js";
import { scriptString } from "./quoting.js";

/** Python's codecs where their names are not the WHATWG's. */
const CODECS: Record<string, string> = {
  macintosh: "mac_roman",
  "x-mac-cyrillic": "mac_cyrillic",
  "windows-874": "cp874",
};

/**
 * `pandas.read_csv` with its options, and each column's values made of text: read_csv itself makes floats of whole
 * numbers where some are missing, and dates of one format only.
 *
 * @see https://pandas.pydata.org/docs/reference/api/pandas.read_csv.html
 */
export function pandas(sniff: Sniff, { path, compression }: ExportPlace): string {
  const { dialect, columns } = sniff;
  const cells = cellsOf(sniff);
  const names = columns.map(({ name }) => name);
  const given = caseSensitiveNames(names);
  const plans = columnPlans(sniff, given);
  const isByte = new TextEncoder().encode(dialect.delimiter).length === 1;
  const settings = [
    `sep=${scriptString(isByte ? dialect.delimiter : regexLiteral(dialect.delimiter))}`,
    ...(isByte ? [] : ['engine="python"']),
    ...(dialect.quote === null
      ? ["quoting=3"]
      : [
          `quotechar=${scriptString(dialect.quote)}`,
          `doublequote=${isQuoteDoubled(dialect) ? "True" : "False"}`,
        ]),
    ...(dialect.escape !== null && !isQuoteDoubled(dialect)
      ? [`escapechar=${scriptString(dialect.escape)}`]
      : []),
    ...(dialect.comment === null ? [] : [`comment=${scriptString(dialect.comment)}`]),
    ...(dialect.skipInitialSpace ? ["skipinitialspace=True"] : []),
    `skiprows=${recordsAboveData(sniff)}`,
    "header=None",
    `names=[${plans.map(({ index }) => `"c${index}"`).join(", ")}]`,
    "index_col=False",
    'dtype="string"',
    "keep_default_na=False",
    `na_values=[${cells.nullValues.map(scriptString).join(", ")}]`,
    ...(compression === undefined ? [] : [`compression=${scriptString(compression)}`]),
    `encoding=${scriptString(codec(sniff))}`,
  ];
  const notes = [
    ...(compression === "brotli" ? ["pandas does not decompress brotli: decompress the file first"] : []),
    ...renamedNotes(names, given),
    ...dialectNotes(sniff, { comment: true, initialSpace: true, trailingDelimiter: true }),
    ...(dialect.comment === null
      ? []
      : [`pandas takes ${dialect.comment} for a comment in the middle of a line, too`]),
    ...(columns.some(({ type }) => type === "DATE" || type === "TIMESTAMP")
      ? ["pandas holds dates as nanoseconds: the years 1678 to 2261"]
      : []),
  ];
  const steps = plans
    .map(({ index, column, isPlain }) => ({
      index,
      text: converted(`df["c${index}"]`, column, cells, isPlain),
    }))
    .filter(({ index, text }) => text !== `df["c${index}"]`)
    .map(({ index, text }) => `df["c${index}"] = ${text}\n`);
  return `${commentLines(notes, "#")}import pandas as pd
${steps.some((step) => step.includes("checked(")) ? CHECK : ""}
df = pd.read_csv(
    ${[scriptString(path), ...settings].join(",\n    ")},
)
${steps.join("")}df.columns = [${given.map(scriptString).join(", ")}]
`;
}

/** A column whose cells, where they are no values, stop the script that {@link CHECK} begins. */
function checked(source: string, pattern: string): string {
  return `checked(${source}, ${scriptString(pattern)})`;
}

/** What pandas would make another value of, or a missing one, in silence. */
const CHECK = `

def checked(cells, pattern):
    odd = cells[cells.notna() & ~cells.str.fullmatch(pattern).fillna(True).astype(bool)]
    if len(odd) > 0:
        raise ValueError(f"row {odd.index[0] + 1}: {odd.iloc[0]!r} does not match {pattern}")
    return cells

`;

/** Numbers with a point, and nothing between their thousands. */
function pointed(source: string, { decimalSeparator, thousandsSeparator }: CellReading): string {
  const whole = thousandsSeparator === "" ? source : replaced(source, thousandsSeparator, "");
  return decimalSeparator === "." ? whole : replaced(whole, decimalSeparator, ".");
}

function converted(
  source: string,
  { type, format }: Pick<Column, "type" | "format">,
  cells: CellReading,
  isPlain: boolean,
): string {
  switch (type) {
    case "BIGINT":
      return `${isPlain ? source : pointed(checked(source, wholePattern(cells)), cells)}.astype("Int64")`;
    case "HUGEINT": {
      const digits = isPlain ? source : pointed(checked(source, wholePattern(cells)), cells);
      return `${digits}.map(int, na_action="ignore").astype(object)`;
    }
    case "DOUBLE":
      return `${isPlain ? source : pointed(checked(source, decimalPattern(cells)), cells)}.astype("Float64")`;
    case "BOOLEAN":
      return `${words(checked(source, booleanPattern(cells)), cells)}.astype("boolean")`;
    case "DATE":
    case "TIMESTAMP": {
      const cell = checked(source, temporalPattern({ type, format }, isPlain));
      return isPlain
        ? `pd.to_datetime(${cell})`
        : `pd.to_datetime(${cell}, format=${scriptString(strptime(format ?? ""))})`;
    }
    case "TIMESTAMPTZ":
      return `pd.to_datetime(${source}, utc=True)`;
    default:
      return source;
  }
}

function replaced(source: string, from: string, to: string): string {
  return `${source}.str.replace(${scriptString(from)}, ${scriptString(to)}, regex=False)`;
}

function words(source: string, { trueValues, falseValues }: CellReading): string {
  const usual = trueValues.length === 0 || falseValues.length === 0;
  const pairs = [
    ...(trueValues.length === 0 ? ["true"] : trueValues).map((word) => `${scriptString(word)}: True`),
    ...(falseValues.length === 0 ? ["false"] : falseValues).map((word) => `${scriptString(word)}: False`),
  ];
  const isPlain = trueValues.length + falseValues.length === 0;
  return `${source}${isPlain && usual ? ".str.lower()" : ""}.map({${pairs.join(", ")}})`;
}

/** Python's strptime reads one digit or two by `%d`. */
function strptime(format: string): string {
  return format.replaceAll("%-", "%");
}

function codec({ dialect: { encoding, bom } }: Sniff): string {
  if (bom && encoding === "utf-8") return "utf-8-sig";
  if (bom && encoding.startsWith("utf-16")) return "utf-16";
  return CODECS[encoding] ?? encoding;
}

function regexLiteral(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
