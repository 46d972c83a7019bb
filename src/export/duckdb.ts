import type { Column, Sniff } from "../sniffer/sniff.js";
import {
  type ColumnPlan,
  cellsOf,
  columnPlans,
  commentLines,
  dialectNotes,
  uncommentedAboveData,
} from "./column-plan.js";
import type { ExportPlace } from "./export-sniff.js";
import { caseInsensitiveNames, renamedNotes, tableName } from "./names.js";
import { sqlIdentifier, sqlString } from "./quoting.js";
import { type SqlEngine, sqlExpression } from "./sql-expression.js";

const ENGINE: SqlEngine = {
  string: sqlString,
  type: ({ type }) => (type === "SQLNULL" ? "VARCHAR" : type),
  cast: (source, type) => `CAST(${source} AS ${type})`,
  matches: (source, pattern) => `regexp_full_match(${source}, ${sqlString(pattern)})`,
  fault: (source, message) => `error(${source} || ${sqlString(message)})`,
  castsFreely: true,
  parse: (source, column) => `CAST(strptime(${source}, [${formats(column)}]) AS ${column.type})`,
};

/** Whether read_csv makes the value: to it, the time behind a date is nothing that has to be told. */
function isDirect({ isPlain, column }: ColumnPlan): boolean {
  return isPlain && column.type !== "DATE";
}

/** Encodings that DuckDB reads by itself. */
const OWN_ENCODINGS: ReadonlySet<string> = new Set(["utf-8", "utf-16le", "utf-16be", "iso-8859-1"]);

/** An encoding under DuckDB's name, or that of its extension, which are ICU's. */
function encodingName(encoding: string): string {
  if (encoding.startsWith("utf-16")) return "utf-16";
  if (encoding === "iso-8859-1") return "latin-1";
  return encoding.replace(/^windows-(125\d)$/, "CP$1");
}

/** A TIMESTAMP of ours may have a fraction of a second, or be a date alone. */
function formats({ type, format = "" }: Column): string {
  const list = [format];
  if (type !== "DATE" && format.includes("%S") && !format.includes("%f")) {
    list.push(format.replace("%S", "%S.%f"));
  }
  const dateAlone = /^(.*?)[ T]%(?:-?[HI])/.exec(format)?.[1];
  if (type === "TIMESTAMP" && dateAlone) list.push(dateAlone);
  return list.map(sqlString).join(", ");
}

/**
 * A `CREATE TABLE … AS SELECT … FROM read_csv(…)`. The columns are read under names of our own and renamed in the
 * SELECT, so that no hostile name gets into the struct of `columns`; dates in a format are read as text and parsed
 * there, since `dateformat` is one for the whole file and ours are one a column.
 *
 * @see https://duckdb.org/docs/stable/data/csv/overview
 */
export function duckdb(sniff: Sniff, place: ExportPlace): string {
  const { path, only, compression } = place;
  const { dialect, columns } = sniff;
  const cells = cellsOf(sniff);
  const names = columns.map(({ name }) => name);
  const given = caseInsensitiveNames(names);
  const plans = columnPlans(sniff, given);
  const selected = plans.map((plan) => {
    const source = `c${plan.index}`;
    const text = isDirect(plan)
      ? source
      : sqlExpression(plan, source, { ...cells, nullValues: [] }, ENGINE, true).text;
    return `${text} AS ${sqlIdentifier(plan.name)}`;
  });
  const read = plans.map(
    (plan) => `'c${plan.index}': '${isDirect(plan) ? ENGINE.type(plan.column) : "VARCHAR"}'`,
  );
  const into = tableName(place, sqlIdentifier);
  const settings = [
    `columns = {${read.join(", ")}}`,
    "auto_detect = false",
    "header = false",
    `skip = ${uncommentedAboveData(sniff)}`,
    `delim = ${sqlString(dialect.delimiter)}`,
    `quote = ${sqlString(dialect.quote ?? "")}`,
    `escape = ${sqlString(dialect.escape ?? "")}`,
    `comment = ${sqlString(dialect.comment ?? "")}`,
    `nullstr = [${cells.nullValues.map(sqlString).join(", ")}]`,
    ...(compression === undefined ? [] : [`compression = ${sqlString(compression)}`]),
    `encoding = ${sqlString(encodingName(dialect.encoding))}`,
  ];
  const isOwn = OWN_ENCODINGS.has(dialect.encoding);
  const notes = [
    ...renamedNotes(names, given),
    ...(isOwn ? [] : [`DuckDB reads ${dialect.encoding} by its extension encodings`]),
    ...dialectNotes(sniff, { comment: true }),
    ...(/[*?[]/.test(path) ? ["DuckDB reads *, ? and [ in a path as a pattern"] : []),
    ...(compression === "brotli" ? ["DuckDB does not decompress brotli: decompress the file first"] : []),
    ...(path.includes("\0") ? ["the path holds NUL, which no file name does; it is left out"] : []),
  ];
  if (only === "table") {
    const made = plans.map(({ column, name }) => `${sqlIdentifier(name)} ${ENGINE.type(column)}`);
    return `${commentLines(renamedNotes(names, given), "--")}CREATE TABLE ${into} (
  ${made.join(",\n  ")}
);
`;
  }
  const load = isOwn ? "" : "INSTALL encodings;\nLOAD encodings;\n";
  const begin = only === "load" ? `INSERT INTO ${into} BY NAME` : `CREATE TABLE ${into} AS`;
  return `${commentLines(notes, "--")}${load}${begin}
SELECT
  ${selected.join(",\n  ")}
FROM read_csv(
  ${[sqlString(path.replaceAll("\0", "")), ...settings].join(",\n  ")}
);
`;
}
