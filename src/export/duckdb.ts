import type { Column, Sniff } from "../sniffer/sniff.js";
import { cellsOf, columnPlans, commentLines, dialectNotes, uncommentedAboveData } from "./column-plan.js";
import type { ExportPlace } from "./export-sniff.js";
import { caseInsensitiveNames, renamedNotes } from "./names.js";
import { sqlIdentifier, sqlString } from "./quoting.js";
import { type SqlEngine, sqlExpression } from "./sql-expression.js";

const ENGINE: SqlEngine = {
  string: sqlString,
  type: ({ type }) => (type === "SQLNULL" ? "VARCHAR" : type),
  cast: (source, type) => `CAST(${source} AS ${type})`,
  matches: (source, pattern) => `regexp_full_match(${source}, ${sqlString(pattern)})`,
  fault: (source, message) => `error(${source} || ${sqlString(message)})`,
  parse: (source, column) => `CAST(strptime(${source}, [${formats(column)}]) AS ${column.type})`,
};

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
export function duckdb(sniff: Sniff, { path, table }: ExportPlace): string {
  const { dialect, columns } = sniff;
  const cells = cellsOf(sniff);
  const names = columns.map(({ name }) => name);
  const given = caseInsensitiveNames(names);
  const plans = columnPlans(sniff, given);
  const selected = plans.map((plan) => {
    const source = `c${plan.index}`;
    const text = plan.isPlain
      ? source
      : sqlExpression(plan, source, { ...cells, nullValues: [] }, ENGINE, true).text;
    return `${text} AS ${sqlIdentifier(plan.name)}`;
  });
  const read = plans.map(
    (plan) => `'c${plan.index}': '${plan.isPlain ? ENGINE.type(plan.column) : "VARCHAR"}'`,
  );
  const [tableName] = caseInsensitiveNames([table]);
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
    `encoding = ${sqlString(dialect.encoding.startsWith("utf-16") ? "utf-16" : dialect.encoding)}`,
  ];
  const notes = [
    ...renamedNotes(names, given),
    ...dialectNotes(sniff, { comment: true }),
    ...(/[*?[]/.test(path) ? ["DuckDB reads *, ? and [ in a path as a pattern"] : []),
    ...(path.includes("\0") ? ["the path holds NUL, which no file name does; it is left out"] : []),
  ];
  return `${commentLines(notes, "--")}CREATE TABLE ${sqlIdentifier(tableName)} AS
SELECT
  ${selected.join(",\n  ")}
FROM read_csv(
  ${[sqlString(path.replaceAll("\0", "")), ...settings].join(",\n  ")}
);
`;
}
