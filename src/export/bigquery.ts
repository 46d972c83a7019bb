import type { Column, Sniff } from "../sniffer/sniff.js";
import { cellsOf, columnPlans, commentLines, dialectNotes, linesAboveData } from "./column-plan.js";
import type { ExportPlace } from "./export-sniff.js";
import { renamedNotes, wordNames } from "./names.js";
import { backslashString, shellWord } from "./quoting.js";
import { type SqlEngine, sqlExpression, untypedNotes } from "./sql-expression.js";
import { percentLiteral, STRFTIME_WORDS, translateFormat } from "./strftime.js";

/** Characters of a column's name. */
const NAME_LENGTH = 300;

const TYPES: Record<Column["type"], string> = {
  SQLNULL: "STRING",
  BOOLEAN: "BOOL",
  BIGINT: "INT64",
  HUGEINT: "BIGNUMERIC",
  DOUBLE: "FLOAT64",
  TIME: "TIME",
  DATE: "DATE",
  TIMESTAMP: "DATETIME",
  TIMESTAMPTZ: "TIMESTAMP",
  VARCHAR: "STRING",
};

/** @see https://cloud.google.com/bigquery/docs/reference/standard-sql/format-elements */
const WORDS = { ...STRFTIME_WORDS, "%S": "%E*S", "%f": "", "%z": "%z" };

const ENGINE: SqlEngine = {
  string: backslashString,
  type: ({ type }) => TYPES[type],
  cast: (source, type) => `CAST(${source} AS ${type})`,
  matches: (source, pattern) => `REGEXP_CONTAINS(${source}, ${backslashString(pattern)})`,
  fault: (source, message) => `ERROR(CONCAT(${source}, ${backslashString(message)}))`,
  parse(source, { type, format = "" }) {
    const template = translateFormat(format.replace("%S.%f", "%S"), WORDS, percentLiteral);
    if (template === null) return null;
    const parse = { DATE: "PARSE_DATE", TIMESTAMP: "PARSE_DATETIME" }[type as string] ?? "PARSE_TIMESTAMP";
    return `${parse}(${backslashString(template)}, ${source})`;
  },
};

/**
 * A shell script: `bq load` into a staging table of text with its schema as JSON, and a query that makes the values.
 *
 * @see https://cloud.google.com/bigquery/docs/loading-data-cloud-storage-csv
 */
export function bigquery(sniff: Sniff, { path, table }: ExportPlace): string {
  const { dialect, columns } = sniff;
  const cells = cellsOf(sniff);
  const names = columns.map(({ name }) => name);
  const given = wordNames(names, NAME_LENGTH);
  const plans = columnPlans(sniff, given);
  const expressions = plans.map((plan) => sqlExpression(plan, `c${plan.index}`, cells, ENGINE, true));
  const schema = plans.map(({ index }) => ({ name: `c${index}`, type: "STRING", mode: "NULLABLE" }));
  const flags = [
    "--source_format=CSV",
    `--field_delimiter=${dialect.delimiter}`,
    `--quote=${dialect.quote ?? ""}`,
    `--skip_leading_rows=${linesAboveData(sniff)}`,
    `--encoding=${encodingName(dialect.encoding)}`,
    "--allow_quoted_newlines",
    "--null_marker=",
  ];
  const notes = [
    ...renamedNotes(names, given),
    ...dialectNotes(sniff),
    ...(dialect.quote !== null && dialect.escape !== dialect.quote
      ? ["BigQuery reads doubled quotes only, no escape"]
      : []),
    ...(encodingName(dialect.encoding) === "UTF-8" && dialect.encoding !== "utf-8"
      ? [`bq does not read ${dialect.encoding}: make UTF-8 of the file first`]
      : []),
    ...untypedNotes(plans, expressions, "BigQuery"),
    "set DATASET to the dataset that takes the table",
  ];
  const [tableName] = wordNames([table], NAME_LENGTH);
  const query = `CREATE TABLE \`${tableName}\` AS
SELECT
  ${plans.map(({ name }, index) => `${expressions[index].text} AS \`${name}\``).join(",\n  ")}
FROM \`${tableName}_staging\``;
  return `#!/bin/sh
${commentLines(notes, "#")}set -eu
: "\${DATASET:?}"
schema=$(mktemp)
cat > "$schema" <<'SCHEMA'
${JSON.stringify(schema, null, 2)}
SCHEMA
bq load ${flags.map(shellWord).join(" ")} "$DATASET.${tableName}_staging" ${shellWord(path)} "$schema"
bq query --use_legacy_sql=false --dataset_id="$DATASET" ${shellWord(query)}
bq rm -f -t "$DATASET.${tableName}_staging"
`;
}

function encodingName(encoding: string): string {
  const known: Record<string, string> = {
    "windows-1252": "ISO-8859-1",
    "utf-16le": "UTF-16LE",
    "utf-16be": "UTF-16BE",
    "utf-32le": "UTF-32LE",
    "utf-32be": "UTF-32BE",
  };
  return known[encoding] ?? "UTF-8";
}
