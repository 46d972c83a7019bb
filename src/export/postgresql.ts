import { CsvError } from "../errors.js";
import type { Column, Sniff } from "../sniffer/sniff.js";
import { cellsOf, columnPlans, commentLines, dialectNotes, linesAboveData } from "./column-plan.js";
import type { ExportPlace } from "./export-sniff.js";
import { caseInsensitiveNames, renamedNotes, tableName } from "./names.js";
import { shellWord, sqlIdentifier, sqlString } from "./quoting.js";
import { type SqlEngine, sqlExpression, untypedNotes } from "./sql-expression.js";
import { translateFormat } from "./strftime.js";

/** An identifier's bytes that PostgreSQL keeps. */
const NAME_BYTES = 63;

const TYPES: Record<Column["type"], string> = {
  SQLNULL: "text",
  BOOLEAN: "boolean",
  BIGINT: "bigint",
  HUGEINT: "numeric(39)",
  DOUBLE: "double precision",
  TIME: "time",
  DATE: "date",
  TIMESTAMP: "timestamp",
  TIMESTAMPTZ: "timestamptz",
  VARCHAR: "text",
};

/** Template patterns of `to_timestamp`. @see https://www.postgresql.org/docs/current/functions-formatting.html */
const WORDS = {
  "%Y": "YYYY",
  "%y": "YY",
  "%m": "MM",
  "%-m": "MM",
  "%b": "Mon",
  "%B": "Month",
  "%d": "DD",
  "%-d": "DD",
  "%a": "Dy",
  "%A": "Day",
  "%H": "HH24",
  "%-H": "HH24",
  "%I": "HH12",
  "%-I": "HH12",
  "%p": "AM",
  "%M": "MI",
  "%S": "SS",
  "%f": "",
  "%z": "TZH:TZM",
};

const ENGINE: SqlEngine = {
  string: sqlString,
  type: ({ type }) => TYPES[type],
  cast: (source, type) => `CAST(${source} AS ${type})`,
  matches: (source, pattern) => `${source} ~ ${sqlString(pattern)}`,
  // Shown by the fault of the cast.
  fault: (source, message, type) => `CAST(${source} || ${sqlString(message)} AS ${type})`,
  castsFreely: true,
  parse(source, { type, format = "" }) {
    const whole = translateFormat(format.replace("%S.%f", "%S"), WORDS, (literal) =>
      /[A-Za-z"\\]/.test(literal) ? `"${literal.replace(/["\\]/g, "\\$&")}"` : literal,
    );
    if (whole === null) return null;
    // A fraction that is not there is none at the end alone.
    const template = whole.endsWith("SS") ? `${whole}.US` : whole;
    if (type === "DATE") return `to_date(${source}, ${sqlString(template)})`;
    const moment = `to_timestamp(${source}, ${sqlString(template)})`;
    return type === "TIMESTAMP" ? `CAST(${moment} AS timestamp)` : moment;
  },
};

/** Encodings under PostgreSQL's names. */
const ENCODINGS: Record<string, string> = {
  "utf-8": "UTF8",
  "windows-1250": "WIN1250",
  "windows-1251": "WIN1251",
  "windows-1252": "WIN1252",
  "windows-1253": "WIN1253",
  "windows-1254": "WIN1254",
  "windows-1255": "WIN1255",
  "windows-1256": "WIN1256",
  "windows-1257": "WIN1257",
  "iso-8859-2": "LATIN2",
  "iso-8859-5": "ISO_8859_5",
  "iso-8859-7": "ISO_8859_7",
  "koi8-r": "KOI8R",
  "koi8-u": "KOI8U",
  shift_jis: "SJIS",
  "euc-jp": "EUC_JP",
  "euc-kr": "EUC_KR",
  gbk: "GBK",
  gb18030: "GB18030",
  big5: "BIG5",
};

const DECOMPRESSORS = { gzip: "gzip", zstd: "zstd", brotli: "brotli" };

/** A quote for tables that have none: PostgreSQL wants one. */
const NO_QUOTE = "\u0001";

/**
 * A script for psql: `CREATE TABLE`, `\copy` into a staging table of text, and an `INSERT … SELECT` that makes the
 * values, all in one transaction. What `COPY` has no option for (a preamble, other encodings) a pipe does.
 *
 * @throws {@link CsvError} with `INVALID_OPTION` for a path with a line break.
 * @see https://www.postgresql.org/docs/current/sql-copy.html
 */
export function postgresql(sniff: Sniff, place: ExportPlace): string {
  const { path, only, compression } = place;
  if (/[\r\n]/.test(path)) throw new CsvError("INVALID_OPTION", "psql takes no path with a line break");
  const { dialect, columns } = sniff;
  const cells = cellsOf(sniff);
  const names = columns.map(({ name }) => name);
  const given = caseInsensitiveNames(names, NAME_BYTES);
  const plans = columnPlans(sniff, given);
  const expressions = plans.map((plan) => sqlExpression(plan, `c${plan.index}`, cells, ENGINE, true));
  const into = tableName(place, sqlIdentifier, NAME_BYTES);
  const staged = plans.map(({ index }) => `c${index} text`);
  const made = plans.map(
    ({ column, name }, index) =>
      `${sqlIdentifier(name)} ${expressions[index].isTyped ? TYPES[column.type] : "text"}`,
  );
  const { from, encoding } = sourceOf(sniff, path, compression);
  const quote = dialect.quote ?? NO_QUOTE;
  const options = [
    "FORMAT csv",
    `DELIMITER ${psqlString(dialect.delimiter)}`,
    `QUOTE ${psqlString(quote)}`,
    `ESCAPE ${psqlString(dialect.escape ?? quote)}`,
    ...(cells.nullValues.includes("")
      ? ["NULL ''", `FORCE_NULL (${plans.map(({ index }) => `c${index}`).join(", ")})`]
      : [`NULL ${psqlString(NO_QUOTE)}`]),
    `ENCODING '${encoding}'`,
  ];
  const notes = [
    ...renamedNotes(names, given),
    ...dialectNotes(sniff, { comment: true }),
    ...(dialect.comment === null
      ? []
      : [`a line of a quoted field that begins with ${dialect.comment} is left out as well`]),
    ...untypedNotes(plans, expressions, "to_timestamp"),
    ...(new TextEncoder().encode(dialect.delimiter).length > 1
      ? ["COPY takes delimiters of one byte only"]
      : []),
    ...(dialect.quote === null
      ? []
      : ["COPY takes a quote in the middle of an unquoted field for one that opens"]),
  ];
  const create = `CREATE TABLE ${into} (
  ${made.join(",\n  ")}
);
`;
  if (only === "table") return `${commentLines(renamedNotes(names, given), "--")}${create}`;
  return `${commentLines(notes, "--")}\\set ON_ERROR_STOP on
\\encoding UTF8
BEGIN;
SET LOCAL TimeZone = 'UTC';
${only === "load" ? "" : create}CREATE TEMPORARY TABLE sniffed_csv_staging (${staged.join(", ")}) ON COMMIT DROP;
\\copy sniffed_csv_staging FROM ${from} WITH (${options.join(", ")})
INSERT INTO ${into} (${plans.map(({ name }) => sqlIdentifier(name)).join(", ")}) SELECT
  ${expressions.map(({ text }) => text).join(",\n  ")}
FROM sniffed_csv_staging;
COMMIT;
`;
}

/** A pipe that makes of the file what COPY reads: UTF-8 where it does not know the encoding, without what is no data. */
function sourceOf(
  sniff: Sniff,
  path: string,
  compression: ExportPlace["compression"],
): { from: string; encoding: string } {
  const { encoding, bom, comment } = sniff.dialect;
  const quote = sniff.dialect.quote ?? NO_QUOTE;
  const lines = linesAboveData(sniff);
  const known = ENCODINGS[encoding];
  const steps: string[] = compression === undefined ? [] : [`${DECOMPRESSORS[compression]} -dc`];
  if (known === undefined) steps.push(`iconv -f ${shellWord(encoding.toUpperCase())} -t UTF-8`);
  if (lines > 0) steps.push(`tail -n +${lines + 1}`);
  else if (bom) steps.push("tail -c +4");
  if (comment !== null) steps.push(`grep -v ${shellWord(`^[${comment}]`)}`);
  steps.push(endGuard(quote));
  steps[0] += ` < ${shellWord(path)}`;
  return { from: `PROGRAM ${psqlString(steps.join(" | "))}`, encoding: known ?? "UTF8" };
}

/**
 * A line of `\.` alone ends the data to psql before its version 18, quoted or not, and all behind it is lost in silence. With
 * quotes around it, it is what it says, at the edge of a quoted field's line as well: a quote that closes and one that opens
 * in the middle of a field are left out.
 */
function endGuard(quote: string): string {
  const octal = `\\${quote.charCodeAt(0).toString(8).padStart(3, "0")}`;
  return `LC_ALL=C awk ${shellWord(`/^\\\\[.]\\r?$/ { sub(/\\\\[.]/, "${octal}\\\\.${octal}") } 1`)}`;
}

/** A string within a line of `\copy`, where psql doubles quotes and takes a backslash for data in E-less strings. */
function psqlString(text: string): string {
  return text === "\t" || text === NO_QUOTE
    ? `E'\\x${text.charCodeAt(0).toString(16).padStart(2, "0")}'`
    : sqlString(text);
}
