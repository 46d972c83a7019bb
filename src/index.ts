/**
 * Reading and sniffing anywhere: {@link readCsv} and {@link sniffCsv} for what is at hand, {@link sniffedCsv} as a stage of
 * WHATWG streams.
 *
 * @module sniffed-csv
 */
export {
  CsvError,
  type CsvErrorCode,
  type CsvFault,
  type CsvPlace,
  type CsvWarning,
  ERROR_CODES,
  type Reject,
  type SchemaIssue,
} from "./errors.js";
export type { Chunk, CsvSource } from "./input/chunks.js";
export type { Dialect } from "./machine/dialect.js";
export type { Engine } from "./machine/scanner.js";
export type { CsvOptions, Output, SniffOverrides, TypeName } from "./options.js";
export {
  type BatchColumn,
  type BatchValues,
  type ColumnBatch,
  transferables,
} from "./output/batches/column-batch.js";
export type { StandardSchema } from "./output/row-schema.js";
export type { VwExample, VwFeature, VwNamespace } from "./output/vw/examples.js";
export type { HashMode } from "./output/vw/hash.js";
export type { VwLabelKind, VwLabelOption, VwOptions } from "./output/vw/options.js";
export { type CsvRows, readCsv, sniffCsv } from "./read.js";
export { readVw, type VwExamples, type VwReadOptions } from "./read-vw.js";
export type { CsvValue, RowOf } from "./row-types.js";
export type {
  AmbiguousColumn,
  Candidate,
  CellReading,
  Column,
  SchemaChange,
  Sniff,
  SniffedDialect,
} from "./sniffer/sniff.js";
export { type SniffedCsvStream, sniffedCsv } from "./stream.js";
export type { DateOutput } from "./types/column-typing.js";
export type { LogicalType } from "./types/logical-type.js";
