import type { Column, Sniff } from "../sniffer/sniff.js";
import {
  type ColumnPlan,
  cellsOf,
  columnPlans,
  commentLines,
  dialectNotes,
  headerRecords,
} from "./column-plan.js";
import type { ExportPlace } from "./export-sniff.js";
import { caseInsensitiveNames, renamedNotes } from "./names.js";
import { backslashString, backtickIdentifier, scriptString } from "./quoting.js";
import { type SqlEngine, sqlExpression, untypedNotes } from "./sql-expression.js";
import { translateFormat, UNICODE_WORDS, unicodeLiteral } from "./strftime.js";

const TYPES: Record<Column["type"], string> = {
  SQLNULL: "STRING",
  BOOLEAN: "BOOLEAN",
  BIGINT: "BIGINT",
  HUGEINT: "DECIMAL(38, 0)",
  DOUBLE: "DOUBLE",
  TIME: "STRING",
  DATE: "DATE",
  TIMESTAMP: "TIMESTAMP_NTZ",
  TIMESTAMPTZ: "TIMESTAMP",
  VARCHAR: "STRING",
};

/** @see https://spark.apache.org/docs/latest/sql-ref-datetime-pattern.html */
const ENGINE: SqlEngine = {
  string: backslashString,
  type: ({ type }) => TYPES[type],
  cast: (source, type) => `CAST(${source} AS ${type})`,
  matches: (source, pattern) => `${source} RLIKE ${backslashString(pattern)}`,
  fault: (source, message) => `raise_error(concat(${source}, ${backslashString(message)}))`,
  parse(source, { type, format = "" }) {
    const pattern = translateFormat(format, UNICODE_WORDS, unicodeLiteral);
    if (pattern === null) return null;
    const parse = { DATE: "to_date", TIMESTAMP: "to_timestamp_ntz" }[type as string] ?? "to_timestamp";
    return `${parse}(${source}, ${backslashString(pattern)})`;
  },
};

interface SparkReading {
  plans: ColumnPlan[];
  /** An expression a column, under its name. */
  selected: string[];
  options: [name: string, value: string][];
  notes: string[];
}

function sparkReading(sniff: Sniff): SparkReading {
  const { dialect, columns } = sniff;
  const cells = cellsOf(sniff);
  const names = columns.map(({ name }) => name);
  const given = caseInsensitiveNames(names);
  const plans = columnPlans(sniff, given);
  const expressions = plans.map((plan) => sqlExpression(plan, `c${plan.index}`, cells, ENGINE, true));
  const above = dialect.skipLines + dialect.skipRecords + Math.max(0, headerRecords(dialect) - 1);
  const options: SparkReading["options"] = [
    ["sep", dialect.delimiter],
    ["quote", dialect.quote ?? ""],
    ["escape", dialect.escape ?? "\\"],
    ["header", String(dialect.header)],
    ["encoding", dialect.encoding],
    ["multiLine", "true"],
    ["enforceSchema", "true"],
    ["mode", "FAILFAST"],
    ["nullValue", ""],
    ["emptyValue", ""],
    ...(dialect.comment === null ? [] : ([["comment", dialect.comment]] as [string, string][])),
    ...(dialect.skipInitialSpace ? ([["ignoreLeadingWhiteSpace", "true"]] as [string, string][]) : []),
  ];
  const notes = [
    ...renamedNotes(names, given),
    ...dialectNotes(sniff, { comment: true, initialSpace: true }),
    ...(above > 0 ? [`Spark can't leave out the ${above} lines above the table: take them out first`] : []),
    ...untypedNotes(plans, expressions, "Spark"),
  ];
  const selected = plans.map(
    ({ name }, index) => `${expressions[index].text} AS ${backtickIdentifier(name)}`,
  );
  return { plans, selected, options, notes };
}

/**
 * `spark.read` with its options in Python. The cells are read as text and cast by expressions, since Spark's
 * `dateFormat` is one for the whole file.
 *
 * @see https://spark.apache.org/docs/latest/sql-data-sources-csv.html
 */
export function pyspark(sniff: Sniff, { path, table }: ExportPlace): string {
  const { plans, selected, options, notes } = sparkReading(sniff);
  const schema = plans.map(({ index }) => `c${index} STRING`).join(", ");
  return `${commentLines(notes, "#")}from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
spark.conf.set("spark.sql.ansi.enabled", "true")  # a cell that is no value of its type stops it
df = (
    spark.read.schema(${scriptString(schema)})
${options.map(([name, value]) => `    .option(${scriptString(name)}, ${scriptString(value)})\n`).join("")}    .csv(${scriptString(path)})
    .selectExpr(
${selected.map((text) => `        ${scriptString(text)},\n`).join("")}    )
)
df.createOrReplaceTempView(${scriptString(viewName(table))})
`;
}

/** The same in Spark's SQL: a temporary view of text over the file, and a table of values. */
export function sparkSql(sniff: Sniff, { path, table }: ExportPlace): string {
  const { plans, selected, options, notes } = sparkReading(sniff);
  const said = [...options, ["path", path] as const].map(
    ([name, value]) => `${name} ${backslashString(value)}`,
  );
  return `${commentLines(notes, "--")}SET spark.sql.ansi.enabled = true;
CREATE TEMPORARY VIEW sniffed_csv_staging (${plans.map(({ index }) => `c${index} STRING`).join(", ")})
USING csv OPTIONS (
  ${said.join(",\n  ")}
);
CREATE TABLE ${backtickIdentifier(viewName(table))} AS
SELECT
  ${selected.join(",\n  ")}
FROM sniffed_csv_staging;
`;
}

/** Views and tables of Spark's are named by letters, digits and `_`. */
function viewName(table: string): string {
  return table.replace(/[^A-Za-z0-9_]+/g, "_").replace(/^(?=[0-9]|$)/, "t");
}
