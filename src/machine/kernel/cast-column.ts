/*
 * One column of a batch, from bytes to a vector: the usual cells of each type. What is unusual is handed back, and the
 * reference caster decides on it; so nothing here refuses a cell, and nothing here may take one that the reference
 * refuses or reads otherwise.
 */

import {
  DAYS,
  ENDS,
  ESCAPED,
  FLAGS,
  INPUT,
  MISPLACED,
  NULL_TEXTS,
  OFFSETS,
  OUTCOMES,
  PATTERN,
  QUOTED,
  ROW_FIRST,
  ROW_WIDTH,
  STARTS,
  TEXT,
  UNITS,
  VALUES,
} from "./layout";

/** What became of a cell. */
const MISSING: i32 = 0;
const VALUE: i32 = 1;
const HANDED_BACK: i32 = 2;

const SPACE: i32 = 0x20;
const MINUS: i32 = 0x2d;
const DOT: i32 = 0x2e;
const ZERO: i32 = 0x30;
const COLON: i32 = 0x3a;
const T: i32 = 0x54;
const Z: i32 = 0x5a;
const PLUS: i32 = 0x2b;

/** Digits whose number always fits a double. */
const SAFE_DIGITS: i32 = 15;
const MAX_SAFE_INTEGER: u64 = 9007199254740991;
/** Digits whose number always fits 64 bits. */
const MOST_DIGITS: i32 = 19;
/** Powers of ten that a double holds exactly. */
const MOST_SCALE: i32 = 22;
const POWERS = memory.data<f64>([
  1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
  1e19, 1e20, 1e21, 1e22,
]);

/** The steps of a date format that are no literal bytes. */
const YEAR: i32 = 0x81;
const MONTH: i32 = 0x82;
const DAY: i32 = 0x83;
const HOUR: i32 = 0x84;
const MINUTE: i32 = 0x85;
const SECOND: i32 = 0x86;
/** A fraction of a second, or nothing. */
const FRACTION: i32 = 0x87;
/** A `T` or a space. */
const TIME_MARK: i32 = 0x88;
/** `Z`, or hours and minutes east or west. */
const OFFSET: i32 = 0x89;

let shift: i32 = 0;
let quotedEmptyIsText: bool = false;
let quotedIsText: bool = false;

let start: i32 = 0;
let end: i32 = 0;

/**
 * Says what the cells are to be read by.
 *
 * @param base What the places among the spans were moved by.
 */
export function setCells(base: i32, quotedEmptyText: bool, quotedText: bool): void {
  shift = INPUT - base;
  quotedEmptyIsText = quotedEmptyText;
  quotedIsText = quotedText;
}

/** Turns `start` and `end` to a row's cell. MISSING, VALUE for one to look at, or HANDED_BACK. */
// @ts-expect-error: a decorator of AssemblyScript
function locate(row: i32, column: i32): i32 {
  if (column >= load<i32>(ROW_WIDTH + (row << 2))) return MISSING;
  const field = load<i32>(ROW_FIRST + (row << 2)) + column;
  start = load<i32>(STARTS + (field << 2)) + shift;
  end = load<i32>(ENDS + (field << 2)) + shift;
  const flags = <i32>load<u8>(FLAGS + field);
  if (flags & (ESCAPED | MISPLACED)) return HANDED_BACK;
  if (flags & QUOTED && start === end && quotedEmptyIsText) return HANDED_BACK;
  if (isNull()) return MISSING;
  return flags & QUOTED && quotedIsText ? HANDED_BACK : VALUE;
}

/** Whether the cell is one of the texts that stand for a missing value. */
function isNull(): bool {
  const size = end - start;
  let at = NULL_TEXTS;
  let length = <i32>load<u8>(at);
  while (length !== 255) {
    if (length === size) {
      let i = 0;
      while (i < length && load<u8>(at + 1 + i) === load<u8>(start + i)) i++;
      if (i === length) return true;
    }
    at += 1 + length;
    length = <i32>load<u8>(at);
  }
  return false;
}

// @ts-expect-error: a decorator of AssemblyScript
function trim(): void {
  while (start < end && <i32>load<u8>(start) === SPACE) start++;
  while (end > start && <i32>load<u8>(end - 1) === SPACE) end--;
}

/** Whole numbers of up to 15 digits, as doubles. Returns how many cells were handed back. */
export function castIntegers(count: i32, column: i32): i32 {
  let handedBack = 0;
  for (let row = 0; row < count; row++) {
    let outcome = locate(row, column);
    if (outcome === VALUE) {
      trim();
      let at = start;
      const negative = at < end && <i32>load<u8>(at) === MINUS;
      if (negative) at++;
      const digits = end - at;
      const first = <i32>load<u8>(at) - ZERO;
      let value: u64 = 0;
      if (digits < 1 || digits > SAFE_DIGITS || (first === 0 && (digits > 1 || negative))) {
        outcome = HANDED_BACK;
      } else {
        while (at < end) {
          const digit = <u32>load<u8>(at) - <u32>ZERO;
          if (digit > 9) {
            outcome = HANDED_BACK;
            break;
          }
          value = value * 10 + digit;
          at++;
        }
      }
      const number = <f64>(<i64>value);
      store<f64>(VALUES + (row << 3), negative ? -number : number);
    }
    if (outcome === HANDED_BACK) handedBack++;
    store<u8>(OUTCOMES + row, <u8>outcome);
  }
  return handedBack;
}

/**
 * Decimals that one division makes exact: a whole number that a double holds, over a power of ten that it holds.
 * Returns how many cells were handed back.
 */
export function castDoubles(count: i32, column: i32, decimal: i32): i32 {
  let handedBack = 0;
  for (let row = 0; row < count; row++) {
    let outcome = locate(row, column);
    if (outcome === VALUE) {
      trim();
      let at = start;
      const negative = at < end && <i32>load<u8>(at) === MINUS;
      if (negative) at++;
      const first = at;
      let value: u64 = 0;
      while (at < end) {
        const digit = <u32>load<u8>(at) - <u32>ZERO;
        if (digit > 9) break;
        value = value * 10 + digit;
        at++;
      }
      const whole = at - first;
      let scale = 0;
      if (at < end && <i32>load<u8>(at) === decimal) {
        at++;
        const fraction = at;
        while (at < end) {
          const digit = <u32>load<u8>(at) - <u32>ZERO;
          if (digit > 9) break;
          value = value * 10 + digit;
          at++;
        }
        scale = at - fraction;
      }
      const digits = whole + scale;
      if (
        at !== end ||
        digits === 0 ||
        digits > MOST_DIGITS ||
        value > MAX_SAFE_INTEGER ||
        scale > MOST_SCALE ||
        (whole > 1 && <i32>load<u8>(first) === ZERO)
      ) {
        outcome = HANDED_BACK;
      } else {
        const number = <f64>(<i64>value) / load<f64>(POWERS + (scale << 3));
        store<f64>(VALUES + (row << 3), negative ? -number : number);
      }
    }
    if (outcome === HANDED_BACK) handedBack++;
    store<u8>(OUTCOMES + row, <u8>outcome);
  }
  return handedBack;
}

/** `true` and `false` in any case, as 1 and 0. Returns how many cells were handed back. */
export function castBooleans(count: i32, column: i32): i32 {
  let handedBack = 0;
  for (let row = 0; row < count; row++) {
    let outcome = locate(row, column);
    if (outcome === VALUE) {
      trim();
      const size = end - start;
      const letters = load<u32>(start) | 0x20202020;
      if (size === 4 && letters === 0x65757274) {
        store<u8>(VALUES + row, 1);
      } else if (size === 5 && letters === 0x736c6166 && (load<u8>(start + 4) | 0x20) === 0x65) {
        store<u8>(VALUES + row, 0);
      } else {
        outcome = HANDED_BACK;
      }
    }
    if (outcome === HANDED_BACK) handedBack++;
    store<u8>(OUTCOMES + row, <u8>outcome);
  }
  return handedBack;
}

/** The value of the two digits at `at`, more than 99 where they are none. */
// @ts-expect-error: a decorator of AssemblyScript
function digitPair(at: i32): u32 {
  const tens = <u32>load<u8>(at) - <u32>ZERO;
  const ones = <u32>load<u8>(at + 1) - <u32>ZERO;
  return tens > 9 || ones > 9 ? 1000 : tens * 10 + ones;
}

/**
 * Dates of the fixed-width format that lies at PATTERN: days, and microseconds of the day as doubles. Returns how many
 * cells were handed back.
 *
 * @param steps How many steps the format has.
 */
export function castDates(count: i32, column: i32, steps: i32): i32 {
  let handedBack = 0;
  for (let row = 0; row < count; row++) {
    let outcome = locate(row, column);
    if (outcome === VALUE) {
      trim();
      if (!castDate(row, steps)) outcome = HANDED_BACK;
    }
    if (outcome === HANDED_BACK) handedBack++;
    store<u8>(OUTCOMES + row, <u8>outcome);
  }
  return handedBack;
}

// What lies past a cell is never taken for a part of it: whatever is read there, the cell's end is compared at last.
function castDate(row: i32, steps: i32): bool {
  let at = start;
  let year: u32 = 0;
  let month: u32 = 0;
  let day: u32 = 0;
  let seconds: u32 = 0;
  let micros: u32 = 0;
  let minutesEast = 0;
  for (let step = 0; step < steps; step++) {
    const op = <i32>load<u8>(PATTERN + step);
    if (op < 0x80) {
      if (<i32>load<u8>(at) !== op) return false;
      at++;
    } else if (op === YEAR) {
      const century = digitPair(at);
      const rest = digitPair(at + 2);
      if (century > 99 || rest > 99) return false;
      year = century * 100 + rest;
      at += 4;
    } else if (op <= SECOND) {
      const number = digitPair(at);
      at += 2;
      if (number > 99) return false;
      if (op === MONTH) {
        month = number;
      } else if (op === DAY) {
        day = number;
      } else if (op === HOUR) {
        if (number > 23) return false;
        seconds += number * 3600;
      } else {
        if (number > 59) return false;
        seconds += op === MINUTE ? number * 60 : number;
      }
    } else if (op === FRACTION) {
      if (at < end && <i32>load<u8>(at) === DOT) {
        at++;
        const first = at;
        while (at < end) {
          const digit = <u32>load<u8>(at) - <u32>ZERO;
          if (digit > 9 || at - first === 6) break;
          micros = micros * 10 + digit;
          at++;
        }
        if (at === first) return false;
        for (let digits = at - first; digits < 6; digits++) micros *= 10;
      }
    } else if (op === TIME_MARK) {
      const mark = <i32>load<u8>(at);
      if (mark !== T && mark !== SPACE) return false;
      at++;
    } else if (op === OFFSET) {
      const sign = <i32>load<u8>(at);
      at++;
      if (sign !== Z) {
        const hours = digitPair(at);
        const minutes = digitPair(at + 3);
        if ((sign !== PLUS && sign !== MINUS) || <i32>load<u8>(at + 2) !== COLON) return false;
        if (hours > 15 || minutes > 59) return false;
        minutesEast = <i32>(hours * 60 + minutes);
        if (sign === MINUS) minutesEast = -minutesEast;
        at += 5;
      }
    }
    if (at > end) return false;
  }
  if (at !== end || year < 1 || month < 1 || month > 12 || day < 1) return false;
  if (day > 28 && day > daysInMonth(year, month)) return false;
  let days = daysFromCivil(<i32>year, <i32>month, <i32>day);
  let dayMicros = <i64>seconds * 1_000_000 + micros;
  if (minutesEast !== 0) {
    // At the first and the last day there may be no such day in UTC.
    if (year === 1 || year === 9999) return false;
    dayMicros -= <i64>minutesEast * 60_000_000;
    if (dayMicros < 0) {
      dayMicros += 86_400_000_000;
      days--;
    } else if (dayMicros >= 86_400_000_000) {
      dayMicros -= 86_400_000_000;
      days++;
    }
  }
  store<i32>(DAYS + (row << 2), days);
  store<f64>(VALUES + (row << 3), <f64>dayMicros);
  return true;
}

function daysInMonth(year: u32, month: u32): u32 {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return 30 + ((month + (month >> 3)) & 1);
}

/** As in calendar.ts. */
function daysFromCivil(year: i32, month: i32, day: i32): i32 {
  const marchYear = month > 2 ? year : year - 1;
  const marchMonth = month > 2 ? month - 3 : month + 9;
  const leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400;
  return marchYear * 365 + leapDays + (153 * marchMonth + 2) / 5 + day - 1 - 719468;
}

/** What {@link gatherText} made. */
const ASCII_TEXT: i32 = 0;
const OTHER_TEXT: i32 = 1;
const ODD_TEXT: i32 = 2;

/**
 * Gathers the texts of a column, escapes undone, at TEXT, and their ends at OFFSETS. Returns ASCII_TEXT; OTHER_TEXT,
 * with the ends in UTF-16 units at UNITS; or ODD_TEXT where a cell has text behind its closing quote, or begins within
 * a character: then nothing counts of what was made.
 *
 * @param delimiter The byte that a backslash may escape beside the quote and itself; the quote where it escapes nothing.
 */
export function gatherText(count: i32, column: i32, escape: i32, quote: i32, delimiter: i32): i32 {
  const doubled = escape === quote;
  let to = TEXT;
  store<i32>(OFFSETS, 0);
  for (let row = 0; row < count; row++) {
    let outcome = MISSING;
    if (column < load<i32>(ROW_WIDTH + (row << 2))) {
      const field = load<i32>(ROW_FIRST + (row << 2)) + column;
      start = load<i32>(STARTS + (field << 2)) + shift;
      end = load<i32>(ENDS + (field << 2)) + shift;
      const flags = <i32>load<u8>(FLAGS + field);
      if (flags & MISPLACED) return ODD_TEXT;
      if (flags & ESCAPED) {
        const from = to;
        let at = start;
        while (at < end) {
          const byte = <i32>load<u8>(at);
          at++;
          if (byte === escape && at < end) {
            const next = <i32>load<u8>(at);
            if (next === quote || next === delimiter || (next === escape && !doubled)) {
              store<u8>(to, <u8>next);
              to++;
              at++;
              continue;
            }
          }
          store<u8>(to, <u8>byte);
          to++;
        }
        // Escapes do not make a text that stands for a missing value into another text.
        if (flags & QUOTED && from === to && quotedEmptyIsText) {
          outcome = VALUE;
        } else {
          const saved = end;
          start = from;
          end = to;
          outcome = isNull() ? MISSING : VALUE;
          end = saved;
          if (outcome === MISSING) to = from;
        }
      } else if (flags & QUOTED && start === end && quotedEmptyIsText) {
        outcome = VALUE;
      } else if (!isNull()) {
        outcome = VALUE;
        const size = end - start;
        // Most texts are short, and what is copied too much is overwritten by the next.
        if (size <= 32) {
          v128.store(to, v128.load(start));
          if (size > 16) v128.store(to + 16, v128.load(start + 16));
        } else {
          memory.copy(to, start, size);
        }
        to += size;
      }
    }
    store<u8>(OUTCOMES + row, <u8>outcome);
    store<i32>(OFFSETS + ((row + 1) << 2), to - TEXT);
  }
  return isAscii(to) ? ASCII_TEXT : countUnits(count);
}

function isAscii(to: i32): bool {
  let at = TEXT;
  for (; at <= to - 16; at += 16) if (i8x16.bitmask(v128.load(at)) !== 0) return false;
  for (; at < to; at++) if (load<u8>(at) >= 0x80) return false;
  return true;
}

/** UTF-16 units: one a character of up to three bytes, two a character of four. */
function countUnits(count: i32): i32 {
  let units = 0;
  let at = TEXT;
  store<i32>(UNITS, 0);
  for (let row = 0; row < count; row++) {
    const stop = TEXT + load<i32>(OFFSETS + ((row + 1) << 2));
    if (at < stop && (load<u8>(at) & 0xc0) === 0x80) return ODD_TEXT;
    for (; at < stop; at++) {
      const byte = load<u8>(at);
      units += i32(byte < 0x80) + i32(byte >= 0xc0) + i32(byte >= 0xf0);
    }
    store<i32>(UNITS + ((row + 1) << 2), units);
  }
  return OTHER_TEXT;
}
