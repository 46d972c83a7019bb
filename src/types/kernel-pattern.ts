import { MOST_STEPS } from "../machine/kernel.js";
import { Op, type TemporalFormat } from "./format.js";

/** The steps that the kernel knows beside literal bytes: the same as in machine/kernel/cast-column.ts. */
const YEAR = 0x81;
const MONTH = 0x82;
const DAY = 0x83;
const HOUR = 0x84;
const MINUTE = 0x85;
const SECOND = 0x86;
const FRACTION = 0x87;
const TIME_MARK = 0x88;
const OFFSET = 0x89;

const MINUS = 0x2d;
const COLON = 0x3a;

const ISO_DATE = [YEAR, MINUS, MONTH, MINUS, DAY];
const ISO_TIMESTAMP = [...ISO_DATE, TIME_MARK, HOUR, COLON, MINUTE, COLON, SECOND, FRACTION];
const ISO_PATTERNS = {
  date: ISO_DATE,
  timestamp: ISO_TIMESTAMP,
  instant: [...ISO_TIMESTAMP, OFFSET],
};

const STEPS = new Map<number, number[]>([
  [Op.YEAR, [YEAR]],
  [Op.MONTH, [MONTH]],
  [Op.DAY, [DAY]],
  [Op.HOUR, [HOUR]],
  [Op.MINUTE, [MINUTE]],
  [Op.SECOND, [SECOND]],
  [Op.SECOND_FRACTION, [SECOND, FRACTION]],
  [Op.OFFSET, [OFFSET]],
]);

/**
 * A date format as the kernel reads it, every number in its full width; a cell that is written otherwise is handed back.
 * Null where the format has no date, or what the kernel does not know: names, years of two digits, 12-hour clocks.
 */
export function kernelPattern(format: TemporalFormat): Uint8Array | null {
  if (format.iso !== null) return Uint8Array.from(ISO_PATTERNS[format.iso]);
  if (!format.hasDate) return null;
  const pattern: number[] = [];
  for (const op of format.program) {
    if (op < 0x80) {
      pattern.push(op);
      continue;
    }
    const steps = STEPS.get(op & ~Op.TWO_DIGITS);
    if (steps === undefined) return null;
    pattern.push(...steps);
  }
  return pattern.length > MOST_STEPS ? null : Uint8Array.from(pattern);
}
