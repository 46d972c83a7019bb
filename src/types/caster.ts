import type { Kernel } from "../machine/kernel.js";
import type { MachineBytes } from "../machine/table.js";
import type { BatchValues } from "../output/batches/column-batch.js";

/**
 * Casts the cells of one column, a batch at a time. `cast` is the type's one predicate: the sniffer asks it
 * too, so what the sniffer took for a type the reader takes as well.
 */
export interface Caster {
  /** Makes room for a batch of rows. */
  begin(rowCount: number): void;
  /** Stores the value of a span, surrounding spaces left out, and says whether it holds one. */
  cast(bytes: Uint8Array, start: number, end: number, row: number): boolean;
  /**
   * Has the kernel cast the column's cells of `rowCount` rows, and takes its vector. The kernel's outcomes say what became
   * of each cell; those that it handed back are then to be cast by {@link Caster.cast}. Returns how many these are, or −1
   * where the kernel can't cast the column at all. Absent where it never can.
   */
  castInKernel?(kernel: Kernel, rowCount: number, column: number, machine: MachineBytes): number;
  /**
   * The batch's values as they appear in rows: null where `valid` is 0. The array is the caster's own and is
   * overwritten by the next batch.
   */
  values(rowCount: number, valid: Uint8Array): ArrayLike<unknown>;
  /**
   * Copies the batch's values of the rows `from` to `to` to a vector, from `at` on, in the layout of {@link BatchColumn}.
   * What it puts where a value is missing does not matter.
   */
  store(target: BatchValues, at: number, from: number, to: number, valid: Uint8Array): void;
  /** A copy of the batch as it was cast, for {@link Caster.load} of a caster of the same column in another thread. */
  save(rowCount: number): SavedVector[];
  /** Takes a batch that was cast elsewhere. */
  load(vectors: readonly SavedVector[], rowCount: number): void;
}

/** A part of what a caster holds of a batch. */
export type SavedVector =
  | Float64Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>
  | unknown[];

/** A caster that keeps each value as it appears in rows. */
export abstract class ValueCaster<T> implements Caster {
  protected stored: (T | null)[] = [];

  begin(_rowCount: number): void {}

  abstract cast(bytes: Uint8Array, start: number, end: number, row: number): boolean;

  values(rowCount: number, valid: Uint8Array): ArrayLike<unknown> {
    const stored = this.stored;
    for (let row = 0; row < rowCount; row++) if (valid[row] === 0) stored[row] = null;
    return stored;
  }

  store(target: BatchValues, at: number, from: number, to: number, valid: Uint8Array): void {
    const { stored } = this;
    for (let row = from; row < to; row++)
      if (valid[row] !== 0) target[at + row - from] = stored[row] as never;
  }

  save(rowCount: number): SavedVector[] {
    return [this.stored.slice(0, rowCount)];
  }

  load([stored]: readonly SavedVector[]): void {
    this.stored = stored as T[];
  }
}
