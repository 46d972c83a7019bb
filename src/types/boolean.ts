import { ValueCaster } from "./caster.js";
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
export class BooleanCaster extends ValueCaster<boolean> {
  readonly #true: readonly Uint8Array[];
  readonly #false: readonly Uint8Array[];

  constructor(trueValues: readonly Uint8Array[], falseValues: readonly Uint8Array[]) {
    super();
    this.#true = trueValues;
    this.#false = falseValues;
  }

  cast(bytes: Uint8Array, start: number, end: number, row: number): boolean {
    const own = this.#true.length > 0 || this.#false.length > 0;
    if (own ? isOneOf(bytes, start, end, this.#true) : equalsIgnoreCase(bytes, start, end, "true")) {
      this.stored[row] = true;
      return true;
    }
    if (own ? isOneOf(bytes, start, end, this.#false) : equalsIgnoreCase(bytes, start, end, "false")) {
      this.stored[row] = false;
      return true;
    }
    return false;
  }
}
