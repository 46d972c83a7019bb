import type { BatchBuilder } from "./output/batches/batch-builder.js";
import type { ColumnBatch } from "./output/batches/column-batch.js";
import type { RowBuilder } from "./output/row-builder.js";
import type { Column } from "./sniffer/sniff.js";
import type { Caster, SavedVector } from "./types/caster.js";

/** Rows that lie ready, made when asked for. Valid until their parser's next `read`. */
export interface RowBatch {
  rowCount: number;
  /** The rows from an index to another, made anew at each call. */
  rows(from: number, to: number): unknown[];
  /** The value of a row in a column. */
  value(index: number, column: number): unknown;
  /** The table's columns as of these rows: the same object as long as they stay the same. */
  columns: readonly Column[];
  /** Copies the rows from an index to another to a batch with room for them, which their columns fit. */
  store(batch: BatchBuilder, from: number, to: number): void;
  /** Copies all of it for another thread; see {@link loadRows}. Not for VW examples, nor where rows were left out. */
  save(): SavedRows;
  /** The rows as a column batch that another thread has made; absent otherwise. */
  ready?: ColumnBatch;
  /** Set where the rows so far are to be given as a batch, however few they are. */
  endsBatch?: boolean;
}

/** A {@link RowBatch} as it goes from one thread to another. */
export interface SavedRows {
  rowCount: number;
  /** By column. */
  vectors: SavedVector[][];
  /** By column: by row, 0 for a missing value. */
  valid: Uint8Array<ArrayBuffer>[];
}

/**
 * The rows that casters hold.
 *
 * @param count Rows that are cast.
 * @param kept The indexes of those that count; null for all.
 */
export function rowsOf(
  columns: readonly Column[],
  casters: readonly Caster[],
  valid: readonly Uint8Array[],
  count: number,
  build: RowBuilder,
  kept: readonly number[] | null,
): RowBatch {
  let values: ArrayLike<unknown>[] | null = null;
  const valuesOf = () => {
    values ??= casters.map((caster, column) => caster.values(count, valid[column]));
    return values;
  };
  const batch: RowBatch = {
    rowCount: count,
    columns,
    rows: (from, to) => build(valuesOf(), from, to),
    value: (index, column) => valuesOf()[column][index],
    store: (target, from, to) => target.append(columns, casters, valid, from, to),
    save: () => ({
      rowCount: count,
      vectors: casters.map((caster) => caster.save(count)),
      valid: casters.map((_, column) => valid[column].slice(0, count)),
    }),
  };
  if (kept === null) return batch;
  return {
    ...batch,
    rowCount: kept.length,
    rows: (from, to) => kept.slice(from, to).flatMap((index) => build(valuesOf(), index, index + 1)),
    value: (index, column) => valuesOf()[column][kept[index]],
    store: (target, from, to) => {
      for (const index of kept.slice(from, to)) target.append(columns, casters, valid, index, index + 1);
    },
    save: () => {
      throw new Error("rows were left out");
    },
  };
}

/** The rows that were saved in another thread, by casters of the same columns; valid until they load others. */
export function loadRows(
  saved: SavedRows,
  columns: readonly Column[],
  casters: readonly Caster[],
  build: RowBuilder,
): RowBatch {
  for (const [column, caster] of casters.entries()) caster.load(saved.vectors[column], saved.rowCount);
  return rowsOf(columns, casters, saved.valid, saved.rowCount, build, null);
}
