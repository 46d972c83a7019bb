import type { Kernel } from "../machine/kernel.js";
import type { BatchValues } from "../output/batches/column-batch.js";
import type { Caster, SavedVector } from "./caster.js";
import { equalsIgnoreCase } from "./number.js";

/** Whether a span is one of some texts, byte for byte. */
export function isOneOf(
  bytes: Uint8Array,
  start: number,
  end: number,
  texts: readonly Uint8Array[],
): boolean {
  for (const text of texts) {
    if (text.length !== end - start) continue;
    let i = 0;
    while (i < text.length && bytes[start + i] === text[i]) i++;
    if (i === text.length) return true;
  }
  return false;
}

/**
 * BOOLEAN: true and false in any case, or the caller's own words, exactly. Unlike in DuckDB, `t`, `yes` and
 * their like are text: survey answers and one-letter codes are too often just that.
 */
export class BooleanCaster implements Caster {
  readonly #true: readonly Uint8Array[];
  readonly #false: readonly Uint8Array[];
  #bits: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  readonly #stored: (boolean | null)[] = [];

  constructor(trueValues: readonly Uint8Array[], falseValues: readonly Uint8Array[]) {
    this.#true = trueValues;
    this.#false = falseValues;
  }

  /** Whether the caller has words of their own. */
  get ownWords(): boolean {
    return this.#true.length > 0 || this.#false.length > 0;
  }

  begin(rowCount: number): void {
    if (this.#bits.length < rowCount) this.#bits = new Uint8Array(rowCount);
  }

  cast(bytes: Uint8Array, start: number, end: number, row: number): boolean {
    const own = this.ownWords;
    if (own ? isOneOf(bytes, start, end, this.#true) : equalsIgnoreCase(bytes, start, end, "true")) {
      this.#bits[row] = 1;
      return true;
    }
    if (own ? isOneOf(bytes, start, end, this.#false) : equalsIgnoreCase(bytes, start, end, "false")) {
      this.#bits[row] = 0;
      return true;
    }
    return false;
  }

  castInKernel(kernel: Kernel, rowCount: number, column: number): number {
    if (this.ownWords) return -1;
    const handedBack = kernel.run.castBooleans(rowCount, column);
    this.#bits.set(kernel.bytes.subarray(0, rowCount));
    return handedBack;
  }

  values(rowCount: number, valid: Uint8Array): ArrayLike<unknown> {
    const bits = this.#bits;
    const stored = this.#stored;
    for (let row = 0; row < rowCount; row++) stored[row] = valid[row] === 0 ? null : bits[row] === 1;
    return stored;
  }

  store(target: BatchValues, at: number, from: number, to: number, valid: Uint8Array): void {
    const bits = this.#bits;
    const packed = target as Uint8Array;
    for (let row = from, bit = at; row < to; row++, bit++) {
      // Where a value is missing, anything may be left among the bits.
      if (valid[row] !== 0) packed[bit >> 3] |= bits[row] << (bit & 7);
    }
  }

  save(rowCount: number): SavedVector[] {
    return [this.#bits.slice(0, rowCount)];
  }

  load([bits]: readonly SavedVector[]): void {
    this.#bits = bits as Uint8Array<ArrayBuffer>;
  }
}
