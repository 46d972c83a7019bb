import type { Sniff } from "../sniffer/sniff.js";
import {
  cellsOf,
  columnPlans,
  commentLines,
  dialectNotes,
  isQuoteDoubled,
  recordsAboveData,
} from "./column-plan.js";
import type { ExportPlace } from "./export-sniff.js";
import { caseInsensitiveNames, renamedNotes, tableName } from "./names.js";
import { shellWord, sqlIdentifier, sqlString } from "./quoting.js";
import { type SqlEngine, sqlExpression, withoutNulls } from "./sql-expression.js";
import { SQLITE_TYPES } from "./sqlite-types.js";

const ENGINE: SqlEngine = {
  string: sqlString,
  type: ({ type }) => SQLITE_TYPES[type],
  // The table is STRICT: it takes text for a number where that is one, and stops at any other. CAST makes 0 of it.
  cast: (source) => source,
  matches: (source, pattern) => `${source} REGEXP ${sqlString(pattern)}`,
  fault: (source, message) => `${source} || ${sqlString(message)}`,
  parse: () => null,
};

/**
 * A script for the sqlite3 command: `CREATE TABLE`, `.import` into a staging table of text, and an `INSERT … SELECT`.
 * `.import` knows one kind of CSV, and SQLite parses no dates: where that is not enough, the file comes through
 * `sniffed-csv convert`.
 *
 * @see https://sqlite.org/cli.html
 */
export function sqlite(sniff: Sniff, place: ExportPlace): string {
  const { path, only, compression } = place;
  const { columns } = sniff;
  const names = columns.map(({ name }) => name);
  const given = caseInsensitiveNames(names);
  const into = tableName(place, sqlIdentifier);
  const isConverted = compression !== undefined || !isImportable(sniff);
  const plans = columnPlans(sniff, given).map((plan) => (isConverted ? { ...plan, isPlain: true } : plan));
  const cells = isConverted ? { ...cellsOf(sniff), nullValues: [""] } : cellsOf(sniff);
  const made = plans.map(({ column, name }) => `${sqlIdentifier(name)} ${SQLITE_TYPES[column.type]}`);
  const values = plans.map((plan) => {
    const source = `c${plan.index}`;
    if (plan.column.type !== "BOOLEAN" || !plan.isPlain)
      return sqlExpression(plan, source, cells, ENGINE, false).text;
    const cell = withoutNulls(source, cells.nullValues, ENGINE);
    return `CASE lower(${cell}) WHEN 'true' THEN 1 WHEN 'false' THEN 0 ELSE ${cell} END`;
  });
  const guards = isConverted
    ? [END_GUARD]
    : plans
        .filter(({ column }) => column.type === "DATE")
        .map(({ index, name }) => {
          const cell = withoutNulls(`c${index}`, cells.nullValues, ENGINE);
          const isOther = `date(${cell}, '+0 days') IS NOT ${cell}`;
          return guard(`dates in ${name} are YYYY-MM-DD`, `count(*) FROM ${STAGING} WHERE ${isOther}`, 0);
        });
  const notes = [
    ...renamedNotes(names, given),
    ...(isConverted
      ? [
          "read through sniffed-csv, since .import or SQLite can't read this dialect or these values",
          "that is the command sniffed-csv where it is found, or else npx sniffed-csv",
        ]
      : dialectNotes(sniff)),
  ];
  const named = `(${plans.map(({ name }) => sqlIdentifier(name)).join(", ")})`;
  const tableOf = (table: string) => `TABLE ${table} (
  ${made.join(",\n  ")}
) STRICT;
`;
  const create = `CREATE ${tableOf(into)}`;
  if (only === "table") return `${commentLines(renamedNotes(names, given), "--")}${create}`;
  return `${commentLines(notes, "--")}.bail on
BEGIN;
${only === "load" ? "" : create}CREATE TEMPORARY TABLE sniffed_csv_staging (${plans.map(({ index }) => `c${index} TEXT`).join(", ")});
.mode csv
.separator ${dotWord(isConverted ? "," : sniff.dialect.delimiter)} "\\n"
.import ${isConverted ? converted(sniff, path) : imported(sniff, path)} sniffed_csv_staging
${guards.join("")}${only === "load" ? `CREATE TEMPORARY ${tableOf("sniffed_csv_values")}` : ""}INSERT INTO ${only === "load" ? VALUES : into} ${named} SELECT
  ${values.join(",\n  ")}
FROM ${STAGING};
${only === "load" ? `INSERT INTO ${into} ${named} SELECT * FROM ${VALUES};\nDROP TABLE ${VALUES};\n` : ""}DROP TABLE ${STAGING};
COMMIT;
`;
}

/** Whether `.import` reads the dialect, and SQLite the values. */
function isImportable(sniff: Sniff): boolean {
  const { dialect, columns, quoteSeen } = sniff;
  const isQuoted = dialect.quote === '"' && isQuoteDoubled(dialect);
  const isByte = dialect.delimiter.length === 1 && dialect.delimiter < "\u0080";
  const isText = dialect.encoding === "utf-8" && !(dialect.bom && !dialect.header);
  return (
    (isQuoted || (dialect.quote === null && !quoteSeen)) &&
    isByte &&
    isText &&
    dialect.comment === null &&
    dialect.newline !== "\r" &&
    !dialect.skipInitialSpace &&
    !dialect.ignoreTrailingDelimiter &&
    // Text that is no date to SQLite stays as it stands.
    columns.every(({ type, format }) => !TEMPORAL.has(type) || (type === "DATE" && format === "%Y-%m-%d"))
  );
}

const TEMPORAL: ReadonlySet<string> = new Set(["TIME", "DATE", "TIMESTAMP", "TIMESTAMPTZ"]);

/** A row that stands behind the others where all has been read: `.import` takes no notice of how a command ends. */
const END = "sniffed-csv: end";

const STAGING = "temp.sniffed_csv_staging";
/** A table that is there need not be STRICT, so one that is takes the values before it. */
const VALUES = "temp.sniffed_csv_values";

/** Stops the script with a sentence where a query does not give a number. */
function guard(sentence: string, query: string, expected: number): string {
  const constraint = `CONSTRAINT ${sqlIdentifier(sentence)} CHECK (n = ${expected})`;
  return `CREATE TEMPORARY TABLE sniffed_csv_guard (n INTEGER ${constraint});
INSERT INTO temp.sniffed_csv_guard SELECT ${query};
DROP TABLE temp.sniffed_csv_guard;
`;
}

const IS_END = `c0 = ${sqlString(END)}`;
const END_GUARD = `${guard("sniffed-csv convert read the whole file", `count(*) FROM ${STAGING} WHERE ${IS_END}`, 1)}DELETE FROM ${STAGING} WHERE ${IS_END};
`;

/** The file as it lies there; `--skip` counts records, the preamble's lines among them. */
function imported(sniff: Sniff, path: string): string {
  const records = recordsAboveData(sniff);
  return `${records > 0 ? `--skip ${records} ` : ""}${dotWord(path)}`;
}

/** The file as `sniffed-csv convert` writes it, read as it was sniffed. */
function converted(sniff: Sniff, path: string): string {
  const told: Sniff = { ...sniff, preamble: [], hints: [], warnings: [], candidates: [] };
  const words = ["convert", path, "--to", "csv", "--sniffed", JSON.stringify(told)];
  const runner = "$(command -v sniffed-csv >/dev/null && echo sniffed-csv || echo npx sniffed-csv)";
  const end = `echo ${shellWord(END + ",".repeat(sniff.columns.length - 1))}`;
  return `--skip 1 ${dotWord(`|${runner} ${words.map(shellWord).join(" ")} && ${end}`)}`;
}

/** An argument of a dot command: in double quotes, with C's escapes. */
function dotWord(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t")}"`;
}
