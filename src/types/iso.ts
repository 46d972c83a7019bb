import { daysFromCivil, isValidDate } from "./calendar.js";
import { digitPair, digitsAt, fourDigits, shortNumber, trimEnd, trimStart } from "./digits.js";
import { scanClock, type TemporalFields } from "./time.js";
import { offsetLength, offsetMinutes, toUtc } from "./zone.js";

const SPACE = 0x20;
const DASH = 0x2d;
const C = 0x43;
const T = 0x54;
const U = 0x55;

const SHORTEST_DATE = "YYYY-M-D".length;
const PADDED_DATE = "YYYY-MM-DD".length;

/** Reads an ISO 8601 date, `YYYY-MM-DD`; month and day may have one digit. */
export function parseIsoDate(bytes: Uint8Array, start: number, end: number, out: TemporalFields): boolean {
  const stop = trimEnd(bytes, start, end);
  out.micros = 0;
  return scanIsoDate(bytes, trimStart(bytes, start, stop), stop, out) === stop;
}

/**
 * Reads an ISO 8601 date with an optional time after `T` or one space; seconds and their fraction are optional
 * too. A value with a UTC offset is refused: see {@link parseIsoInstant}.
 */
export function parseIsoTimestamp(
  bytes: Uint8Array,
  start: number,
  end: number,
  out: TemporalFields,
): boolean {
  const stop = trimEnd(bytes, start, end);
  const i = scanIsoDate(bytes, trimStart(bytes, start, stop), stop, out);
  if (i < 0) return false;
  out.micros = 0;
  return i === stop || scanIsoClock(bytes, i, stop, out) === stop;
}

/**
 * Reads an ISO 8601 date and time with a UTC offset, as {@link offsetLength} knows them or `UTC`, a space before
 * it or not; the fields are in UTC. A value without an offset is refused: it names no instant.
 */
export function parseIsoInstant(bytes: Uint8Array, start: number, end: number, out: TemporalFields): boolean {
  const stop = trimEnd(bytes, start, end);
  let i = scanIsoDate(bytes, trimStart(bytes, start, stop), stop, out);
  if (i < 0) return false;
  i = scanIsoClock(bytes, i, stop, out);
  if (i < 0 || i === stop) return false;
  if (bytes[i] === SPACE) {
    i++;
    if (i + 3 === stop && bytes[i] === U && bytes[i + 1] === T && bytes[i + 2] === C) return true;
  }
  const length = offsetLength(bytes, i, stop);
  if (length === 0 || i + length !== stop) return false;
  return toUtc(out, offsetMinutes(bytes, i, length));
}

function scanIsoDate(bytes: Uint8Array, start: number, end: number, out: TemporalFields): number {
  if (end - start < SHORTEST_DATE || bytes[start + 4] !== DASH) return -1;
  // Nearly every date is padded; one check of its length then serves all of its bytes.
  if (end - start >= PADDED_DATE && bytes[start + 7] === DASH) {
    const century = digitPair(bytes, start);
    const yearOfCentury = digitPair(bytes, start + 2);
    const month = digitPair(bytes, start + 5);
    const day = digitPair(bytes, start + 8);
    if ((century | yearOfCentury | month | day) >= 0) {
      const year = century * 100 + yearOfCentury;
      if (!isValidDate(year, month, day)) return -1;
      out.days = daysFromCivil(year, month, day);
      return start + PADDED_DATE;
    }
  }
  return scanUnpaddedIsoDate(bytes, start, end, out);
}

function scanUnpaddedIsoDate(bytes: Uint8Array, start: number, end: number, out: TemporalFields): number {
  const year = fourDigits(bytes, start, end);
  let i = start + 5;
  const monthWidth = digitsAt(bytes, i, end);
  if (year < 0 || monthWidth === 0) return -1;
  const month = shortNumber(bytes, i, monthWidth);
  i += monthWidth;
  if (i >= end || bytes[i] !== DASH) return -1;
  i++;
  const dayWidth = digitsAt(bytes, i, end);
  if (dayWidth === 0) return -1;
  const day = shortNumber(bytes, i, dayWidth);
  if (!isValidDate(year, month, day)) return -1;
  out.days = daysFromCivil(year, month, day);
  return i + dayWidth;
}

function scanIsoClock(bytes: Uint8Array, start: number, end: number, out: TemporalFields): number {
  if (start >= end || (bytes[start] !== T && bytes[start] !== SPACE)) return -1;
  return scanClock(bytes, start + 1, end, out);
}
