/**
 * Stages that take column batches (`output: "batches"`) and make files and tables of them.
 *
 * @module sniffed-csv/sinks
 */
export { arrowIpc } from "./arrow-ipc.js";
export type { SinkOptions } from "./batch-values.js";
export { duckdbTable } from "./duckdb-table.js";
export { type ParquetOptions, parquet } from "./parquet.js";
export type { TableOptions } from "./sql-table.js";
export { type SqliteDatabase, sqliteTable } from "./sqlite-table.js";
