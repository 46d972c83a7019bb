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
}

/** {@link ExportOptions} with their defaults in place. */
export type ExportPlace = Required<ExportOptions>;

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
 * @throws CsvError with `INVALID_OPTION` for an unknown target.
 */
export function exportSniff(sniff: Sniff, target: ExportTarget, options: ExportOptions = {}): string {
  if (!Object.hasOwn(WRITERS, target)) {
    throw new CsvError(
      "INVALID_OPTION",
      `target is one of ${EXPORT_TARGETS.join(", ")}, not ${String(target)}`,
    );
  }
  return WRITERS[target](sniff, { path: options.path ?? "data.csv", table: options.table ?? "data" });
}
