import { overflows } from "./number.js";
import type { VwWarnings } from "./warnings.js";

/**
 * A cell's number times its namespace's ratio, as a float32; 0 where it makes no feature: a zero, whatever the
 * ratio, and what overflows by its exponent.
 */
export function scaledValue(
  number: number,
  ratio: number,
  bytes: Uint8Array,
  start: number,
  end: number,
  column: string,
  warnings: VwWarnings,
): number {
  if (number === 0 || ratio === 0) return 0;
  if (!Number.isFinite(number) && overflows(bytes, start, end)) {
    const message = `column ${JSON.stringify(column)} holds numbers too large for 32 bits; they are left out`;
    warnings.warn("VW_OVERFLOW", message, column);
    return 0;
  }
  return Math.fround(number * ratio);
}
