import type { Column, Sniff } from "../sniffer/sniff.js";
import {
  cellsOf,
  columnPlans,
  commentLines,
  dialectNotes,
  isQuoteDoubled,
  linesAboveData,
} from "./column-plan.js";
import type { ExportPlace } from "./export-sniff.js";
import { caseInsensitiveNames, renamedNotes, tableName } from "./names.js";
import { backslashString } from "./quoting.js";
import { type SqlEngine, sqlExpression, untypedNotes } from "./sql-expression.js";
import { percentLiteral, STRFTIME_WORDS, translateFormat } from "./strftime.js";

const TYPES: Record<Column["type"], string> = {
  SQLNULL: "Nullable(String)",
  BOOLEAN: "Nullable(Bool)",
  BIGINT: "Nullable(Int64)",
  HUGEINT: "Nullable(Int128)",
  DOUBLE: "Nullable(Float64)",
  TIME: "Nullable(String)",
  DATE: "Nullable(Date32)",
  TIMESTAMP: "Nullable(DateTime64(6))",
  TIMESTAMPTZ: "Nullable(DateTime64(6, 'UTC'))",
  VARCHAR: "Nullable(String)",
};

/** Specifiers of `parseDateTime`. @see https://clickhouse.com/docs/sql-reference/functions/type-conversion-functions */
const WORDS = {
  ...STRFTIME_WORDS,
  "%-m": "%c",
  "%B": "%M",
  "%-d": "%e",
  "%A": "%W",
  "%-H": "%k",
  "%I": "%h",
  "%-I": "%l",
  "%M": "%i",
  "%S": "%s",
};

/** Names of the last argument of `file`. @see https://clickhouse.com/docs/sql-reference/table-functions/file */
const COMPRESSIONS = { gzip: "gz", zstd: "zst", brotli: "br" };

const ENGINE: SqlEngine = {
  string: backslashString,
  type: ({ type }) => TYPES[type],
  cast: (source, type) => `CAST(${source} AS ${type})`,
  matches: (source, pattern) => `match(${source}, ${backslashString(pattern)})`,
  // Shown by the fault of the cast.
  fault: (source, message, type) => `CAST(concat(${source}, ${backslashString(message)}) AS ${type})`,
  parse(source, column) {
    const template = translateFormat(column.format ?? "", WORDS, percentLiteral);
    if (template === null) return null;
    return `CAST(parseDateTime(${source}, ${backslashString(template)}, 'UTC') AS ${TYPES[column.type]})`;
  },
};

/**
 * `CREATE TABLE … AS SELECT … FROM file(…)` with the settings of the format CSV. The columns are read under names of
 * our own, as text where ClickHouse would read them otherwise.
 *
 * @see https://clickhouse.com/docs/interfaces/formats/CSV
 */
export function clickhouse(sniff: Sniff, place: ExportPlace): string {
  const { path, only, compression } = place;
  const { dialect, columns } = sniff;
  const cells = cellsOf(sniff);
  const names = columns.map(({ name }) => name);
  const given = caseInsensitiveNames(names);
  const plans = columnPlans(sniff, given);
  const expressions = plans.map((plan) => sqlExpression(plan, `c${plan.index}`, cells, ENGINE, true));
  const structure = plans.map(({ index }) => `c${index} Nullable(String)`).join(", ");
  const isByte = dialect.delimiter.length === 1 && dialect.delimiter < "\u0080";
  const settings = [
    `format_csv_delimiter = ${backslashString(dialect.delimiter)}`,
    `format_csv_allow_double_quotes = ${dialect.quote === '"' ? 1 : 0}`,
    `format_csv_allow_single_quotes = ${dialect.quote === "'" ? 1 : 0}`,
    "format_csv_null_representation = ''",
    `input_format_csv_skip_first_lines = ${linesAboveData(sniff)}`,
    "input_format_csv_use_best_effort_in_schema_inference = 0",
  ];
  const notes = [
    ...renamedNotes(names, given),
    ...dialectNotes(sniff),
    ...(isByte ? [] : ["the format CSV takes delimiters of one byte only"]),
    ...(dialect.quote === null || (isQuoteDoubled(dialect) && "\"'".includes(dialect.quote))
      ? []
      : [
          `the format CSV knows " and ', doubled, and not the quote ${dialect.quote} with the escape ${dialect.escape}`,
        ]),
    ...(dialect.encoding === "utf-8"
      ? []
      : [`ClickHouse reads UTF-8 only: make it of ${dialect.encoding} first`]),
    ...untypedNotes(plans, expressions, "parseDateTime"),
    ...(columns.some(({ type }, index) => type === "DATE" && !plans[index].isPlain)
      ? ["parseDateTime knows the years 1970 to 2106 only"]
      : []),
  ];
  const into = tableName(place, identifier);
  const engine = "ENGINE = MergeTree ORDER BY tuple()";
  if (only === "table") {
    const made = plans.map(
      ({ column, name }, index) =>
        `${identifier(name)} ${expressions[index].isTyped ? TYPES[column.type] : "Nullable(String)"}`,
    );
    return `${commentLines(renamedNotes(names, given), "--")}CREATE TABLE ${into} (
  ${made.join(",\n  ")}
)
${engine};
`;
  }
  const columnList = plans.map(({ name }) => identifier(name)).join(", ");
  const begin =
    only === "load" ? `INSERT INTO ${into} (${columnList})` : `CREATE TABLE ${into}\n${engine} AS`;
  const decompressed = compression === undefined ? "" : `, ${backslashString(COMPRESSIONS[compression])}`;
  return `${commentLines(notes, "--")}${begin}
SELECT
  ${plans.map(({ name }, index) => `${expressions[index].text} AS ${identifier(name)}`).join(",\n  ")}
FROM file(${backslashString(path)}, 'CSV', ${backslashString(structure)}${decompressed})
SETTINGS ${settings.join(",\n  ")};
`;
}

function identifier(name: string): string {
  return `\`${name.replaceAll("\\", "\\\\").replaceAll("`", "\\`")}\``;
}
