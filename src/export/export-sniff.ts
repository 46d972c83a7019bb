import { CsvError } from "../errors.js";
import type { Sniff } from "../sniffer/sniff.js";
import { arrow } from "./arrow.js";
import { bigquery } from "./bigquery.js";
import { clickhouse } from "./clickhouse.js";
import { csvw } from "./csvw.js";
import { duckdb } from "./duckdb.js";
import { frictionless } from "./frictionless.js";
import { jsonSchema } from "./json-schema.js";
import { mysql } from "./mysql.js";
import { pandas } from "./pandas.js";
import { polars } from "./polars.js";
import { postgresql } from "./postgresql.js";
import { readr } from "./readr.js";
import { pyspark, sparkSql } from "./spark.js";
import { sqlite } from "./sqlite.js";
import { typescript } from "./typescript.js";
import { zod } from "./zod.js";

/** Where the data lies and what it is to be called. */
export interface ExportOptions {
  /** The path of the CSV as the target sees it. Default: "data.csv". */
  path?: string;
  /** The name of the table, resource or type. Default: "data". */
  table?: string;
  /**
   * The schema that the table is in, with MySQL and ClickHouse the database; for {@link SCHEMA_TARGETS} alone. Default: the
   * session's own.
   */
  schema?: string;
  /**
   * Half of a script for a database: the empty table, or what loads into a table that exists and has these columns; for
   * {@link TABLE_TARGETS} alone. Default: both.
   */
  only?: "table" | "load";
  /** How the file at `path` is compressed. The sniff does not know: it is of what was in it. Default: not at all. */
  compression?: "gzip" | "zstd" | "brotli";
}

/** {@link ExportOptions} with their defaults in place. */
export type ExportPlace = Required<Pick<ExportOptions, "path" | "table">> &
  Pick<ExportOptions, "schema" | "only" | "compression">;

type Writer = (sniff: Sniff, place: ExportPlace) => string;

const WRITERS = {
  arrow,
  bigquery,
  clickhouse,
  csvw,
  duckdb,
  frictionless,
  "json-schema": jsonSchema,
  mysql,
  pandas,
  polars,
  postgresql,
  pyspark,
  readr,
  "spark-sql": sparkSql,
  sqlite,
  typescript,
  zod,
} satisfies Record<string, Writer>;

/** Targets of {@link ExportOptions.only}. */
export const TABLE_TARGETS: readonly ExportTarget[] = [
  "clickhouse",
  "duckdb",
  "mysql",
  "postgresql",
  "sqlite",
];

/** Targets of {@link ExportOptions.schema}. */
export const SCHEMA_TARGETS: readonly ExportTarget[] = ["clickhouse", "duckdb", "mysql", "postgresql"];

/** Targets that are told of the table, and do not read it. */
export const DESCRIBING_TARGETS: readonly ExportTarget[] = [
  "arrow",
  "csvw",
  "frictionless",
  "json-schema",
  "typescript",
  "zod",
];

/** Targets that read addresses themselves. */
export const FETCHING_TARGETS: readonly ExportTarget[] = ["duckdb", "pandas", "polars", "readr"];

/** A tool for which {@link exportSniff} writes. */
export type ExportTarget = keyof typeof WRITERS;

/** Every {@link ExportTarget}, in alphabetical order. */
export const EXPORT_TARGETS = Object.keys(WRITERS) as readonly ExportTarget[];

/**
 * Writes a sniff as another tool's own options: text that ends in a line end, to be run or saved. What the target
 * can't express is said in it, as a comment or, in JSON, as a description.
 *
 * The sniff is all that is known: how cells are read (null markers, decimal separator, words for true and false) is
 * taken from `sniff.cells`.
 *
 * @throws CsvError with `INVALID_OPTION` for an unknown target, and for an option that the target has no use for.
 */
export function exportSniff(sniff: Sniff, target: ExportTarget, options: ExportOptions = {}): string {
  if (!Object.hasOwn(WRITERS, target)) {
    throw new CsvError(
      "INVALID_OPTION",
      `target is one of ${EXPORT_TARGETS.join(", ")}, not ${String(target)}`,
    );
  }
  const { path = "data.csv", table = "data", schema, only, compression } = options;
  refuseUnless(TABLE_TARGETS, target, "only", only);
  refuseUnless(SCHEMA_TARGETS, target, "schema", schema);
  if (only !== undefined && only !== "table" && only !== "load") {
    throw new CsvError("INVALID_OPTION", `only is "table" or "load", not ${String(only)}`);
  }
  return WRITERS[target](sniff, { path, table, schema, only, compression });
}

function refuseUnless(
  targets: readonly ExportTarget[],
  target: ExportTarget,
  option: string,
  value: unknown,
): void {
  if (value === undefined || targets.includes(target)) return;
  throw new CsvError(
    "INVALID_OPTION",
    `${option} is for the targets ${targets.join(", ")} alone, not ${target}`,
  );
}
