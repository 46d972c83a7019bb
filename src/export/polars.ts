import type { CellReading, Column, Sniff } from "../sniffer/sniff.js";
import { decimalPattern, wholePattern } from "./cell-pattern.js";
import {
  cellsOf,
  columnPlans,
  commentLines,
  dialectNotes,
  isQuoteDoubled,
  uncommentedAboveData,
} from "./column-plan.js";
import type { ExportPlace } from "./export-sniff.js";
import { caseSensitiveNames, renamedNotes } from "./names.js";
import { scriptString } from "./quoting.js";
import { STRFTIME_WORDS, translateFormat } from "./strftime.js";

/** Specifiers of chrono's. @see https://docs.rs/chrono/latest/chrono/format/strftime/ */
const WORDS = {
  ...STRFTIME_WORDS,
  "%-m": "%-m",
  "%-d": "%-d",
  "%-H": "%-H",
  "%-I": "%-I",
  "%S": "%S%.f",
  "%f": "",
  "%z": "%z",
};

/**
 * `polars.read_csv` with its options: the cells are read as text and cast by expressions, so that nothing is guessed.
 *
 * @see https://docs.pola.rs/api/python/stable/reference/api/polars.read_csv.html
 */
export function polars(sniff: Sniff, { path }: ExportPlace): string {
  const { dialect, columns } = sniff;
  const cells = cellsOf(sniff);
  const names = columns.map(({ name }) => name);
  const given = caseSensitiveNames(names);
  const plans = columnPlans(sniff, given);
  const expressions = plans.map(({ index, column, name, isPlain }) => {
    const value = converted(`pl.col("column_${index + 1}")`, column, cells, isPlain);
    return `${value}.alias(${scriptString(name)})`;
  });
  const isByte = new TextEncoder().encode(dialect.delimiter).length === 1;
  const settings = [
    "has_header=False",
    "infer_schema=False",
    `separator=${scriptString(dialect.delimiter)}`,
    `quote_char=${dialect.quote === null ? "None" : scriptString(dialect.quote)}`,
    `skip_rows=${uncommentedAboveData(sniff)}`,
    `comment_prefix=${dialect.comment === null ? "None" : scriptString(dialect.comment)}`,
    `null_values=[${cells.nullValues.map(scriptString).join(", ")}]`,
    `encoding=${scriptString(dialect.encoding === "utf-8" ? "utf8" : dialect.encoding)}`,
  ];
  const notes = [
    ...renamedNotes(names, given),
    ...dialectNotes(sniff, { comment: true }),
    ...(isByte ? [] : ["Polars takes delimiters of one byte only"]),
    ...(dialect.quote === null || isQuoteDoubled(dialect)
      ? []
      : ["Polars reads doubled quotes only, no escape"]),
  ];
  return `${commentLines(notes, "#")}import polars as pl

df = pl.read_csv(
    ${[scriptString(path), ...settings].join(",\n    ")},
).select(
    ${expressions.join(",\n    ")},
)
`;
}

function converted(
  source: string,
  { type, format = "" }: Column,
  cells: CellReading,
  isPlain: boolean,
): string {
  const trimmed = `${source}.str.strip_chars()`;
  switch (type) {
    case "BIGINT":
      return `${isPlain ? trimmed : pointed(trimmed, wholePattern(cells), cells)}.cast(pl.Int64)`;
    case "HUGEINT":
      return `${isPlain ? trimmed : pointed(trimmed, wholePattern(cells), cells)}.cast(pl.Int128)`;
    case "DOUBLE":
      return `${isPlain ? trimmed : pointed(trimmed, decimalPattern(cells), cells)}.cast(pl.Float64)`;
    case "BOOLEAN":
      return words(source, cells);
    case "TIME":
      return `${trimmed}.str.to_time()`;
    case "DATE":
    case "TIMESTAMP":
    case "TIMESTAMPTZ":
      return moment(trimmed, type, isPlain ? "" : format);
    default:
      return source;
  }
}

/** Numbers with a point, and nothing between their thousands; what is none stays so, and stops the cast. */
function pointed(
  source: string,
  pattern: string,
  { decimalSeparator, thousandsSeparator }: CellReading,
): string {
  const whole = thousandsSeparator === "" ? source : replaced(source, thousandsSeparator, "");
  const number = decimalSeparator === "." ? whole : replaced(whole, decimalSeparator, ".");
  const isNumber = `${source}.str.contains(${scriptString(pattern)})`;
  return `pl.when(${isNumber}).then(${number}).otherwise(${source} + pl.lit(" is no number"))`;
}

function moment(source: string, type: "DATE" | "TIMESTAMP" | "TIMESTAMPTZ", format: string): string {
  const template = translateFormat(format, WORDS);
  const said = template === null || template === "" ? "" : scriptString(template);
  if (type === "DATE") return `${source}.str.to_date(${said})`;
  return `${source}.str.to_datetime(${[...(said ? [said] : []), ...(type === "TIMESTAMPTZ" ? ['time_zone="UTC"'] : [])].join(", ")})`;
}

function replaced(source: string, from: string, to: string): string {
  return `${source}.str.replace_all(${scriptString(from)}, ${scriptString(to)}, literal=True)`;
}

function words(source: string, { trueValues, falseValues }: CellReading): string {
  const pairs = [
    ...(trueValues.length === 0 ? ["true"] : trueValues).map((word) => `${scriptString(word)}: True`),
    ...(falseValues.length === 0 ? ["false"] : falseValues).map((word) => `${scriptString(word)}: False`),
  ];
  const isPlain = trueValues.length + falseValues.length === 0;
  return `${source}${isPlain ? ".str.to_lowercase()" : ""}.replace_strict({${pairs.join(", ")}}, return_dtype=pl.Boolean)`;
}
