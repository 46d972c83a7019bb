import { CsvError } from "../errors.js";
import type { Sniff } from "../sniffer/sniff.js";
import { duckdb } from "./duckdb.js";
import { frictionless } from "./frictionless.js";
import { jsonSchema } from "./json-schema.js";
import { typescript } from "./typescript.js";

/** Where the data lies and what it is to be called. */
export interface ExportOptions {
  /** The path of the CSV as the target sees it. Default: "data.csv". */
  path?: string;
  /** The name of the table, resource or type. Default: "data". */
  table?: string;
}

type Writer = (sniff: Sniff, options: Required<ExportOptions>) => string;

const WRITERS = { duckdb, frictionless, "json-schema": jsonSchema, typescript } satisfies Record<
  string,
  Writer
>;

/** A tool for which {@link exportSniff} writes. */
export type ExportTarget = keyof typeof WRITERS;

/** Every {@link ExportTarget}, in alphabetical order. */
export const EXPORT_TARGETS = Object.keys(WRITERS) as readonly ExportTarget[];

/**
 * Writes a sniff as another tool's own options: text that ends in a line end, to be run or saved. What the target
 * can't express is said in it, as a comment or, in JSON, as a description.
 *
 * The sniff is all that is known: of the reading options it holds neither null markers nor a decimal separator,
 * so a column that needs these is written as the text it was sniffed as or needs the target's own option.
 *
 * @throws {@link CsvError} with `INVALID_OPTION` for an unknown target.
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
