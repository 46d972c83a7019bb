import type { Column, Sniff } from "../sniffer/sniff.js";
import { caseInsensitiveNames, jsonString, sqlIdentifier, sqlString } from "./quoting.js";

/**
 * A `CREATE TABLE … AS SELECT … FROM read_csv(…)`. The columns are read under names of our own and renamed in the
 * SELECT, so that no hostile name gets into the struct of `columns`; dates in a format are read as text and parsed
 * there, since `dateformat` is one for the whole file and ours are one a column.
 *
 * @see https://duckdb.org/docs/stable/data/csv/overview
 */
export function duckdb(sniff: Sniff, { path, table }: { path: string; table: string }): string {
  const { dialect, columns } = sniff;
  const names = caseInsensitiveNames(columns.map(({ name }) => name));
  const selected = columns.map(
    (column, index) => `${expression(column, `c${index}`)} AS ${sqlIdentifier(names[index])}`,
  );
  const read = columns.map((column, index) => `'c${index}': '${readAs(column)}'`);
  const [tableName] = caseInsensitiveNames([table]);
  const settings = [
    `columns = {${read.join(", ")}}`,
    "auto_detect = false",
    "header = false",
    `skip = ${dialect.skipLines + dialect.skipRecords + (dialect.header ? dialect.headerLines : 0)}`,
    `delim = ${sqlString(dialect.delimiter)}`,
    `quote = ${sqlString(dialect.quote ?? "")}`,
    `escape = ${sqlString(dialect.escape ?? "")}`,
    `comment = ${sqlString(dialect.comment ?? "")}`,
    "nullstr = ''",
    `encoding = ${sqlString(dialect.encoding.startsWith("utf-16") ? "utf-16" : dialect.encoding)}`,
  ];
  const notes = [
    ...columns.flatMap(({ name }, index) =>
      name === names[index]
        ? []
        : [
            `column ${jsonString(name)} is called ${jsonString(names[index])}: DuckDB has no such name, or takes it for equal to another`,
          ],
    ),
    ...(dialect.headerLines + dialect.skipRecords > 0 &&
    columns.some(({ originalName }) => /[\r\n]/.test(originalName))
      ? ["a header cell spans lines and skip counts records: check the first rows"]
      : []),
    ...(dialect.skipInitialSpace ? ["DuckDB keeps the spaces behind a delimiter"] : []),
    ...(dialect.ignoreTrailingDelimiter ? ["DuckDB refuses a record that ends in a delimiter too many"] : []),
    ...(/[*?[]/.test(path) ? ["DuckDB reads *, ? and [ in a path as a pattern"] : []),
    ...(path.includes("\0") ? ["the path holds NUL, which no file name does; it is left out"] : []),
  ];
  return `${notes.map((note) => `-- ${note}\n`).join("")}CREATE TABLE ${sqlIdentifier(tableName)} AS
SELECT
  ${selected.join(",\n  ")}
FROM read_csv(
  ${[sqlString(path.replaceAll("\0", "")), ...settings].join(",\n  ")}
);
`;
}

function readAs({ type, format }: Column): string {
  return type === "SQLNULL" || isParsed({ type, format })
    ? "VARCHAR"
    : type === "TIMESTAMPTZ"
      ? "TIMESTAMPTZ"
      : type;
}

function isParsed({ type, format }: Pick<Column, "type" | "format">): boolean {
  return format !== undefined && (type === "DATE" || type === "TIMESTAMP");
}

function expression({ type, format = "" }: Column, source: string): string {
  if (!isParsed({ type, format: format || undefined })) return source;
  // A TIMESTAMP of ours may have a fraction of a second.
  const formats =
    type === "TIMESTAMP" && format.includes("%S") ? [format, format.replace("%S", "%S.%f")] : [format];
  return `CAST(strptime(${source}, [${formats.map(sqlString).join(", ")}]) AS ${type})`;
}
