import type * as DuckDB from "@duckdb/node-api";
import type { ColumnBatch } from "../output/batches/column-batch.js";
import type { Column } from "../sniffer/sniff.js";
import { WritableStreamClass } from "../streams.js";
import { type BatchValue, batchValues, emptyBatch, SchemaGuard } from "./batch-values.js";
import { optionalPackage } from "./optional-package.js";
import { createTable, type TableOptions } from "./sql-table.js";

/** Not written in the import itself: whoever bundles the other sinks has no use for a native library. */
const PACKAGE = "@duckdb/node-api" as string;

/**
 * Writes column batches into a table of DuckDB with its appender: made by the first batch, within one transaction that is
 * rolled back where the reading fails. The types are DuckDB's of the same names.
 *
 * @param connection An open connection of `@duckdb/node-api`; it stays open.
 * @throws CsvError MISSING_PACKAGE, SCHEMA_CHANGED, in the stream; DuckDB's own errors.
 */
export function duckdbTable(
  connection: DuckDB.DuckDBConnection,
  table: string,
  options: TableOptions = {},
): WritableStream<ColumnBatch> {
  const guard = new SchemaGuard();
  let library: typeof DuckDB;
  let appender: DuckDB.DuckDBAppender | null = null;
  let isOpen = false;
  const rollBack = async () => {
    appender?.clear();
    appender?.closeSync();
    appender = null;
    if (isOpen) await connection.run("ROLLBACK");
    isOpen = false;
  };
  const begin = async (batch: ColumnBatch) => {
    await connection.run("BEGIN");
    isOpen = true;
    for (const statement of createTable(table, batch.schema, TYPES, options)) await connection.run(statement);
    appender = await connection.createAppender(table);
  };
  const orRollBack = async (write: () => Promise<void>) => {
    try {
      await write();
    } catch (error) {
      await rollBack();
      throw error;
    }
  };
  return new WritableStreamClass<ColumnBatch>({
    async start() {
      library = await optionalPackage(
        PACKAGE,
        () => import(/* @vite-ignore */ /* webpackIgnore: true */ PACKAGE),
      );
    },
    write: (batch) =>
      orRollBack(async () => {
        if (guard.isFirst(batch)) await begin(batch);
        appender?.appendDataChunk(chunkOf(library, batch));
        appender?.flushSync();
      }),
    close: () =>
      orRollBack(async () => {
        const empty = isOpen ? null : emptyBatch(options);
        if (empty !== null) await begin(empty);
        appender?.closeSync();
        appender = null;
        if (isOpen) await connection.run("COMMIT");
        isOpen = false;
      }),
    abort: rollBack,
  });
}

function chunkOf(library: typeof DuckDB, { schema, columns, rowCount }: ColumnBatch): DuckDB.DuckDBDataChunk {
  const types = schema.map(({ type }) => duckdbType(library, type));
  const chunk = library.DuckDBDataChunk.create(types, rowCount);
  for (const [index, column] of columns.entries()) {
    const make = valueOf(library, column.type);
    const values = batchValues(column, rowCount).map((value) => (value === null ? null : make(value)));
    chunk.setColumnValues(index, values);
  }
  return chunk;
}

const TYPES: Record<Column["type"], string> = {
  SQLNULL: "VARCHAR",
  BOOLEAN: "BOOLEAN",
  BIGINT: "BIGINT",
  HUGEINT: "HUGEINT",
  DOUBLE: "DOUBLE",
  TIME: "TIME",
  DATE: "DATE",
  TIMESTAMP: "TIMESTAMP",
  TIMESTAMPTZ: "TIMESTAMPTZ",
  VARCHAR: "VARCHAR",
};

function duckdbType(library: typeof DuckDB, type: Column["type"]): DuckDB.DuckDBType {
  return library[TYPES[type] as "VARCHAR"];
}

/** How a value is handed over: days and microseconds in objects of their type. */
function valueOf(library: typeof DuckDB, type: Column["type"]): (value: BatchValue) => DuckDB.DuckDBValue {
  switch (type) {
    case "BIGINT":
      return (value) => BigInt(value as number | bigint);
    case "DATE":
      return (value) => new library.DuckDBDateValue(value as number);
    case "TIME":
      return (value) => new library.DuckDBTimeValue(value as bigint);
    case "TIMESTAMP":
      return (value) => new library.DuckDBTimestampValue(value as bigint);
    case "TIMESTAMPTZ":
      return (value) => new library.DuckDBTimestampTZValue(value as bigint);
    default:
      return (value) => value;
  }
}
