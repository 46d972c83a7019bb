import type { Kernel } from "../machine/kernel.js";
import type { BatchValues } from "../output/batches/column-batch.js";
import { Int64Writer } from "../output/batches/int64.js";
import type { Caster, SavedVector } from "./caster.js";
import { castDouble, type NumberSyntax, parseSafeInteger } from "./number.js";

/** A column whose values are doubles. */
abstract class NumberCaster implements Caster {
  protected doubles: Float64Array<ArrayBuffer> = new Float64Array(0);
  readonly #stored: (number | null)[] = [];

  begin(rowCount: number): void {
    if (this.doubles.length < rowCount) this.doubles = new Float64Array(rowCount);
  }

  abstract cast(bytes: Uint8Array, start: number, end: number, row: number): boolean;

  /** Takes the kernel's vector. */
  protected adopt(kernel: Kernel, rowCount: number): void {
    this.doubles.set(kernel.doubles.subarray(0, rowCount));
  }

  values(rowCount: number, valid: Uint8Array): ArrayLike<unknown> {
    // Where no value is missing the doubles serve as they are.
    if (!valid.subarray(0, rowCount).includes(0)) return this.doubles;
    const { doubles } = this;
    const stored = this.#stored;
    for (let row = 0; row < rowCount; row++) stored[row] = valid[row] === 0 ? null : doubles[row];
    return stored;
  }

  store(target: BatchValues, at: number, from: number, to: number, valid: Uint8Array): void {
    const { doubles } = this;
    if (target instanceof Float64Array) {
      target.set(doubles.subarray(from, to), at);
      return;
    }
    const integers = new Int64Writer(target as BigInt64Array);
    for (let row = from; row < to; row++)
      if (valid[row] !== 0) integers.setNumber(at + row - from, doubles[row]);
  }

  save(rowCount: number): SavedVector[] {
    return [this.doubles.slice(0, rowCount)];
  }

  load([doubles]: readonly SavedVector[]): void {
    this.doubles = doubles as Float64Array<ArrayBuffer>;
  }
}

/** DOUBLE: the double nearest to the decimal. */
export class DoubleCaster extends NumberCaster {
  readonly #syntax: NumberSyntax;

  constructor(syntax: NumberSyntax) {
    super();
    this.#syntax = syntax;
  }

  cast(bytes: Uint8Array, start: number, end: number, row: number): boolean {
    return castDouble(bytes, start, end, this.#syntax, this.doubles, row);
  }

  castInKernel(kernel: Kernel, rowCount: number, column: number): number {
    const handedBack = kernel.run.castNumbers(rowCount, column, this.#syntax.decimal);
    this.adopt(kernel, rowCount);
    return handedBack;
  }
}

/** BIGINT as numbers: whole numbers that a double keeps exactly. */
export class IntegerCaster extends NumberCaster {
  readonly #syntax: NumberSyntax;
  #small = new Int32Array(0);

  constructor(syntax: NumberSyntax) {
    super();
    this.#syntax = syntax;
  }

  cast(bytes: Uint8Array, start: number, end: number, row: number): boolean {
    const value = parseSafeInteger(bytes, start, end, this.#syntax);
    this.doubles[row] = value;
    return !Number.isNaN(value);
  }

  castInKernel(kernel: Kernel, rowCount: number, column: number): number {
    const handedBack = kernel.run.castNumbers(rowCount, column, -1);
    this.adopt(kernel, rowCount);
    return handedBack;
  }

  override values(rowCount: number, valid: Uint8Array): ArrayLike<unknown> {
    const values = super.values(rowCount, valid);
    return values === this.doubles && this.#narrow(rowCount) ? this.#small : values;
  }

  /** Whether all are small, and then kept as such: an engine makes an object of every double in a row, but of no small integer. */
  #narrow(rowCount: number): boolean {
    if (this.#small.length < rowCount) this.#small = new Int32Array(this.doubles.length);
    const { doubles } = this;
    const small = this.#small;
    for (let row = 0; row < rowCount; row++) {
      const value = doubles[row];
      small[row] = value;
      if (small[row] !== value || Object.is(value, -0)) return false;
    }
    return true;
  }
}
