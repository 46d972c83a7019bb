import { ValueCaster } from "./caster.js";
import { fitsBigint, type NumberSyntax, parseBigInteger } from "./number.js";

/** BIGINT as bigint (64 bits) and HUGEINT (128 bits). */
export class BigintCaster extends ValueCaster<bigint> {
  readonly #syntax: NumberSyntax;
  readonly #within64Bits: boolean;

  constructor(syntax: NumberSyntax, within64Bits: boolean) {
    super();
    this.#syntax = syntax;
    this.#within64Bits = within64Bits;
  }

  cast(bytes: Uint8Array, start: number, end: number, row: number): boolean {
    const value = parseBigInteger(bytes, start, end, this.#syntax);
    if (value === null || (this.#within64Bits && !fitsBigint(value))) return false;
    this.stored[row] = value;
    return true;
  }
}
