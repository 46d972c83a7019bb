import { sqlIdentifier } from "../export/quoting.js";
import { SQLITE_TYPES } from "../export/sqlite-types.js";
import type { BatchColumn, ColumnBatch } from "../output/batches/column-batch.js";
import type { Column } from "../sniffer/sniff.js";
import { WritableStreamClass } from "../streams.js";
import { formatDate, formatTime, formatTimestamp } from "../types/temporal-text.js";
import { type BatchValue, batchValues, emptyBatch, SchemaGuard } from "./batch-values.js";
import { createTable, type TableOptions } from "./sql-table.js";

/** What is needed of a database: better-sqlite3's `Database` has it, and Node's own `DatabaseSync`. */
export interface SqliteDatabase {
  /** Runs statements without values. */
  exec(sql: string): unknown;
  /** Makes a statement that is run often. */
  prepare(sql: string): {
    /** Runs it with values. */
    run(...values: (string | number | bigint | null)[]): unknown;
  };
}

/**
 * Writes column batches into a table of SQLite: made by the first batch, filled by a prepared insert, within one
 * transaction that is rolled back where the reading fails. BOOLEAN is 0 or 1; dates and times are ISO 8601 text, HUGEINT
 * is text.
 *
 * @param database An open database of better-sqlite3 or node:sqlite; it stays open.
 * @throws CsvError SCHEMA_CHANGED, in the stream; SQLite's own errors.
 */
export function sqliteTable(
  database: SqliteDatabase,
  table: string,
  options: TableOptions = {},
): WritableStream<ColumnBatch> {
  const guard = new SchemaGuard();
  let insert: ReturnType<SqliteDatabase["prepare"]>;
  let isOpen = false;
  const rollBack = () => {
    if (isOpen) database.exec("ROLLBACK");
    isOpen = false;
  };
  const begin = (batch: ColumnBatch) => {
    database.exec("BEGIN");
    isOpen = true;
    for (const statement of createTable(table, batch.schema, SQLITE_TYPES, options)) database.exec(statement);
    const places = batch.schema.map(() => "?").join(", ");
    insert = database.prepare(`INSERT INTO ${sqlIdentifier(table)} VALUES (${places})`);
  };
  const orRollBack = (write: () => void) => {
    try {
      write();
    } catch (error) {
      rollBack();
      throw error;
    }
  };
  return new WritableStreamClass<ColumnBatch>({
    write(batch) {
      orRollBack(() => {
        if (guard.isFirst(batch)) begin(batch);
        const columns = batch.columns.map((column) => presented(column, batch.rowCount));
        for (let row = 0; row < batch.rowCount; row++) insert.run(...columns.map((values) => values[row]));
      });
    },
    close() {
      orRollBack(() => {
        const empty = isOpen ? null : emptyBatch(options);
        if (empty !== null) begin(empty);
        if (isOpen) database.exec("COMMIT");
        isOpen = false;
      });
    },
    abort: rollBack,
  });
}

/** The values as SQLite holds them. */
function presented(column: BatchColumn, rowCount: number): (string | number | bigint | null)[] {
  const present = PRESENT[column.type] ?? ((value: BatchValue) => value as string | number | bigint);
  return batchValues(column, rowCount).map((value) => (value === null ? null : present(value)));
}

const PRESENT: Partial<Record<Column["type"], (value: BatchValue) => string | number | bigint>> = {
  BOOLEAN: (value) => (value === true ? 1 : 0),
  HUGEINT: String,
  DATE: (value) => formatDate(value as number),
  TIME: (value) => formatTime(Number(value)),
  TIMESTAMP: (value) => timestampText(value as bigint, false),
  TIMESTAMPTZ: (value) => timestampText(value as bigint, true),
};

const MICROS_PER_DAY = 86_400_000_000n;

function timestampText(micros: bigint, utc: boolean): string {
  const ofDay = ((micros % MICROS_PER_DAY) + MICROS_PER_DAY) % MICROS_PER_DAY;
  return formatTimestamp(Number((micros - ofDay) / MICROS_PER_DAY), Number(ofDay), utc);
}
