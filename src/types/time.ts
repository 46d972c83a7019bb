import { digitPair, digitsAt, isDigit, shortNumber, trimEnd, trimStart, twoDigits } from "./digits.js";

/**
 * A date, a time or both, as numbers. Parsers write into one that the caller owns and reuses; what they leave in
 * it means something only when they succeed.
 */
export interface TemporalFields {
  /** Days since 1970-01-01; 0 for a time alone. */
  days: number;
  /** Microseconds of the day, 0 to 86,399,999,999; 0 for a date alone. */
  micros: number;
}

export const MICROS_PER_SECOND = 1_000_000;
export const MICROS_PER_MINUTE = 60_000_000;
export const MICROS_PER_HOUR = 3_600_000_000;
export const MICROS_PER_DAY = 86_400_000_000;

const PADDED_CLOCK = "HH:MM:SS".length;

const SPACE = 0x20;
const DOT = 0x2e;
const ZERO = 0x30;
const COLON = 0x3a;
const LOWER_CASE = 0x20;
const A = 0x61;
const M = 0x6d;
const P = 0x70;

/** Digits of a fraction that are read; those past the sixth have to be zeros. */
const MAX_FRACTION_DIGITS = 9;
const MICRO_DIGITS = 6;

/**
 * Reads a TIME: `H:MM`, `HH:MM` or `HH:MM:SS` with an optional fraction, and `AM` or `PM` after at most one space
 * for a 12-hour clock. Minutes and seconds have two digits, so that ratios such as 16:9 stay text.
 */
export function parseTime(bytes: Uint8Array, start: number, end: number, out: TemporalFields): boolean {
  const stop = trimEnd(bytes, start, end);
  let i = scanClock(bytes, trimStart(bytes, start, stop), stop, out);
  if (i < 0) return false;
  out.days = 0;
  if (i === stop) return true;
  if (bytes[i] === SPACE) i++;
  const meridiem = i + 2 === stop ? scanMeridiem(bytes, i, stop) : -1;
  if (meridiem < 0) return false;
  const hour = Math.floor(out.micros / MICROS_PER_HOUR);
  if (hour < 1 || hour > 12) return false;
  out.micros += (from12Hours(hour, meridiem) - hour) * MICROS_PER_HOUR;
  return true;
}

/**
 * Reads a 24-hour clock time, seconds and fraction optional, into `out.micros`. Returns where it ends, −1 where
 * there is none.
 */
export function scanClock(bytes: Uint8Array, start: number, end: number, out: TemporalFields): number {
  // Nearly every time is padded and has seconds; one check of its length then serves all of its bytes.
  if (end - start >= PADDED_CLOCK && bytes[start + 2] === COLON && bytes[start + 5] === COLON) {
    const hour = digitPair(bytes, start);
    const minute = digitPair(bytes, start + 3);
    const second = digitPair(bytes, start + 6);
    if ((hour | minute | second) < 0 || hour > 23 || minute > 59 || second > 59) return -1;
    const i = start + PADDED_CLOCK;
    out.micros = (hour * 3600 + minute * 60 + second) * MICROS_PER_SECOND;
    return i < end && bytes[i] === DOT ? scanFraction(bytes, i + 1, end, out) : i;
  }
  return scanUnpaddedClock(bytes, start, end, out);
}

function scanUnpaddedClock(bytes: Uint8Array, start: number, end: number, out: TemporalFields): number {
  const width = digitsAt(bytes, start, end);
  let i = start + width;
  if (width === 0 || i >= end || bytes[i] !== COLON) return -1;
  const hour = shortNumber(bytes, start, width);
  const minute = twoDigits(bytes, i + 1, end);
  if (hour > 23 || minute < 0 || minute > 59) return -1;
  i += 3;
  let seconds = hour * 3600 + minute * 60;
  if (i >= end || bytes[i] !== COLON) {
    out.micros = seconds * MICROS_PER_SECOND;
    return i;
  }
  const second = twoDigits(bytes, i + 1, end);
  if (second < 0 || second > 59) return -1;
  i += 3;
  seconds += second;
  out.micros = seconds * MICROS_PER_SECOND;
  return i < end && bytes[i] === DOT ? scanFraction(bytes, i + 1, end, out) : i;
}

/**
 * Adds the fraction of a second whose digits begin at `start` to `out.micros`. Returns where it ends, −1 where
 * there is none or where microseconds can't hold it.
 */
export function scanFraction(bytes: Uint8Array, start: number, end: number, out: TemporalFields): number {
  const stop = Math.min(end, start + MAX_FRACTION_DIGITS);
  let micros = 0;
  let i = start;
  for (; i < stop && isDigit(bytes[i]); i++) {
    const digit = bytes[i] - ZERO;
    if (i - start < MICRO_DIGITS) micros = micros * 10 + digit;
    else if (digit !== 0) return -1;
  }
  if (i === start) return -1;
  for (let digits = i - start; digits < MICRO_DIGITS; digits++) micros *= 10;
  out.micros += micros;
  return i;
}

/** 0 for the two bytes AM, 1 for PM, in any case; −1 for anything else. */
export function scanMeridiem(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < 2 || (bytes[start + 1] | LOWER_CASE) !== M) return -1;
  const letter = bytes[start] | LOWER_CASE;
  return letter === A ? 0 : letter === P ? 1 : -1;
}

/** The hour of the day (0 to 23) of an hour of a 12-hour clock (1 to 12). */
export function from12Hours(hour: number, meridiem: number): number {
  return (hour % 12) + meridiem * 12;
}
