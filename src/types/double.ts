import { ValueCaster } from "./caster.js";
import { castDouble, type NumberSyntax } from "./number.js";

/** DOUBLE: the double nearest to the decimal. */
export class DoubleCaster extends ValueCaster<number> {
  readonly #syntax: NumberSyntax;
  #doubles = new Float64Array(0);

  constructor(syntax: NumberSyntax) {
    super();
    this.#syntax = syntax;
  }

  override begin(rowCount: number): void {
    if (this.#doubles.length < rowCount) this.#doubles = new Float64Array(rowCount);
  }

  cast(bytes: Uint8Array, start: number, end: number, row: number): boolean {
    return castDouble(bytes, start, end, this.#syntax, this.#doubles, row);
  }

  override values(rowCount: number, valid: Uint8Array): ArrayLike<unknown> {
    // Where no value is missing the doubles serve as they are.
    if (!valid.subarray(0, rowCount).includes(0)) return this.#doubles;
    for (let row = 0; row < rowCount; row++) this.stored[row] = valid[row] === 0 ? null : this.#doubles[row];
    return this.stored;
  }
}
