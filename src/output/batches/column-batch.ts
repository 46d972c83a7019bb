import type { Column } from "../../sniffer/sniff.js";
import type { LogicalType } from "../../types/logical-type.js";

/** Rows as columns, in the physical layouts of Apache Arrow. The caller owns all of it. */
export interface ColumnBatch {
  /** Rows of the batch, the same for every column. */
  rowCount: number;
  /** The columns as sniffed or widened; the same object as long as they stay the same. */
  schema: readonly Column[];
  /** The columns' values, in the order of `schema`. */
  columns: BatchColumn[];
}

/**
 * The values of a column, by row, in a vector of its type:
 *
 * | type | values |
 * |---|---|
 * | DOUBLE | Float64Array |
 * | BIGINT | BigInt64Array; Float64Array with `bigint: "never"` |
 * | HUGEINT | list of bigint or null |
 * | BOOLEAN | Uint8Array, a bit a row, the lowest first |
 * | DATE | Int32Array, days since 1970-01-01 |
 * | TIME | BigInt64Array, microseconds of the day |
 * | TIMESTAMP, TIMESTAMPTZ | BigInt64Array, microseconds since 1970-01-01 (in UTC) |
 * | VARCHAR | list of string or null; with `batchText: "utf8"` Uint8Array and offsets |
 *
 * A missing value is 0 in a vector of numbers, and null in a list.
 */
export interface BatchColumn {
  /** As in `schema`. */
  name: string;
  /** As in `schema`; it tells what `values` are. */
  type: LogicalType;
  /** By row; with `batchText: "utf8"`, of text all its bytes. */
  values: BatchValues;
  /** With `batchText: "utf8"`: where each row's text begins in `values`, and where the last one ends. */
  offsets?: Int32Array<ArrayBuffer>;
  /** A bit a row, the lowest first: 1 for a value, 0 for a missing one. Null where none is missing. */
  validity: Uint8Array<ArrayBuffer> | null;
  /** How many values are missing. */
  nullCount: number;
}

/** What a column of a batch may hold; {@link BatchColumn} says which type has which. */
export type BatchValues =
  | Float64Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | BigInt64Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>
  | (string | null)[]
  | (bigint | null)[];

/** The memory of a batch, to be handed to a worker without a copy: `postMessage(batch, transferables(batch))`. */
export function transferables(batch: ColumnBatch): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  for (const { values, offsets, validity } of batch.columns) {
    if (!Array.isArray(values)) buffers.add(values.buffer);
    if (offsets !== undefined) buffers.add(offsets.buffer);
    if (validity !== null) buffers.add(validity.buffer);
  }
  return [...buffers];
}
