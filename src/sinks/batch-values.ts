import { CsvError } from "../errors.js";
import type { BatchColumn, ColumnBatch } from "../output/batches/column-batch.js";
import type { Column } from "../sniffer/sniff.js";

/** A value of a batch: numbers, whole ones as bigint or number, days and microseconds as they are, text; or null. */
export type BatchValue = string | number | bigint | boolean | null;

const decoder = new TextDecoder();

/** The values of a column, by row; whatever memory the batch holds them in. */
export function batchValues(column: BatchColumn, rowCount: number): BatchValue[] {
  const { values, offsets, validity, type } = column;
  const made: BatchValue[] = new Array(rowCount);
  for (let row = 0; row < rowCount; row++) {
    if (!isValid(validity, row)) made[row] = null;
    else if (offsets !== undefined) {
      made[row] = decoder.decode((values as Uint8Array).subarray(offsets[row], offsets[row + 1]));
    } else if (type === "BOOLEAN") made[row] = isValid(values as Uint8Array, row);
    else made[row] = values[row];
  }
  return made;
}

function isValid(bits: Uint8Array | null, row: number): boolean {
  return bits === null || ((bits[row >> 3] >> (row & 7)) & 1) === 1;
}

/** Sees to it that all batches have the types of the first: what is written has one schema. */
export class SchemaGuard {
  #schema: readonly Column[] | null = null;

  /**
   * Whether the batch is the first.
   *
   * @throws CsvError SCHEMA_CHANGED where a column was widened on the way.
   */
  isFirst({ schema }: ColumnBatch): boolean {
    const before = this.#schema;
    this.#schema = schema;
    if (before === null) return true;
    if (before === schema) return false;
    const index = schema.findIndex(({ type }, column) => type !== before[column].type);
    if (index >= 0) {
      const what = `a column turned from ${before[index].type} to ${schema[index].type}, and what is written has one type a column`;
      throw new CsvError("SCHEMA_CHANGED", what, { column: schema[index].name });
    }
    return false;
  }
}

/** What every sink takes. */
export interface SinkOptions {
  /**
   * The table's columns, such as `(await rows.sniffed).columns`, for a table without rows: without them nothing is
   * written where no batch comes. May be a function that is asked at the end. Default: none.
   */
  columns?: readonly Column[] | (() => readonly Column[]);
}

/** A batch of no rows; null where the columns are not known. */
export function emptyBatch({ columns }: SinkOptions): ColumnBatch | null {
  const schema = typeof columns === "function" ? columns() : columns;
  if (schema === undefined) return null;
  const made = schema.map(({ name, type }) => ({
    name,
    type,
    values: noValues(type),
    validity: null,
    nullCount: 0,
  }));
  return { rowCount: 0, schema, columns: made };
}

function noValues(type: Column["type"]): BatchColumn["values"] {
  if (type === "DOUBLE") return new Float64Array(0);
  if (type === "DATE") return new Int32Array(0);
  if (type === "BOOLEAN") return new Uint8Array(0);
  return ["BIGINT", "TIME", "TIMESTAMP", "TIMESTAMPTZ"].includes(type)
    ? new BigInt64Array(0)
    : ([] as string[]);
}
