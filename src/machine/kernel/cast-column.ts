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

/** Characters of a number, its sign not counted, that are read at once; a longer one is handed back. */
const MOST_DIGITS: i32 = 16;
const MAX_SAFE_INTEGER: u64 = 9007199254740991;
/** Powers of ten. */
const POWERS = memory.data<f64>([
  1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
]);
/** Sixteen zeros and sixteen ones: sixteen bytes from n on keep the last n bytes of a vector. */
const KEEP_LAST = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
  255, 255, 255, 255,
]);

/** By place of a byte: the lanes that close the gap it leaves, those before it moved up by one. */
const CLOSE_GAP = memory.data(256, 16);
for (let place = 0; place < 16; place++) {
  for (let lane = 0; lane < 16; lane++) {
    store<u8>(CLOSE_GAP + (place << 4) + lane, <u8>(lane <= place ? lane - 1 : lane));
  }
}

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

const DAY_MICROS: i64 = 86_400_000_000;

let shift: i32 = 0;
let quotedEmptyIsText: bool = false;
let quotedIsText: bool = false;
let longestNull: i32 = 0;
/** Fields of each row, where the rows are all of the scan's records and have equally many; 0 where not. */
let stride: i32 = 0;

/** What {@link locate} found. */
let cellStart: i32 = 0;
let cellEnd: i32 = 0;

/**
 * Says what the cells are to be read by.
 *
 * @param base What the places among the spans were moved by.
 * @param fieldsOfRow How many fields each row has, where row after row is a record of the scan; 0 where ROW_FIRST and
 *   ROW_WIDTH say where the rows are.
 */
export function setCells(base: i32, quotedEmptyText: bool, quotedText: bool, fieldsOfRow: i32): void {
  stride = fieldsOfRow;
  shift = INPUT - base;
  quotedEmptyIsText = quotedEmptyText;
  quotedIsText = quotedText;
  longestNull = -1;
  for (let at = NULL_TEXTS; load<u8>(at) !== 255; at += 1 + <i32>load<u8>(at)) {
    longestNull = max(longestNull, <i32>load<u8>(at));
  }
}

/** The field of a row in a column; -1 where the row has no such field. */
function fieldOf(row: i32, column: i32): i32 {
  if (stride !== 0) return row * stride + column;
  return column < load<i32>(ROW_WIDTH + (row << 2)) ? load<i32>(ROW_FIRST + (row << 2)) + column : -1;
}

/**
 * Finds a row's cell, the spaces around it left out: MISSING, HANDED_BACK, or VALUE for one to look at, from cellStart
 * to cellEnd.
 */
function locate(row: i32, column: i32): i32 {
  const field = fieldOf(row, column);
  if (field < 0) return MISSING;
  let start = load<i32>(STARTS + (field << 2)) + shift;
  let end = load<i32>(ENDS + (field << 2)) + shift;
  const flags = <i32>load<u8>(FLAGS + field);
  if (flags & (ESCAPED | MISPLACED)) return HANDED_BACK;
  if (flags & QUOTED && start === end && quotedEmptyIsText) return HANDED_BACK;
  if (end - start <= longestNull && isNull(start, end)) return MISSING;
  if (flags & QUOTED && quotedIsText) return HANDED_BACK;
  while (start < end && <i32>load<u8>(start) === SPACE) start++;
  while (end > start && <i32>load<u8>(end - 1) === SPACE) end--;
  cellStart = start;
  cellEnd = end;
  return VALUE;
}

/** Whether a cell is one of the texts that stand for a missing value. */
function isNull(start: i32, end: i32): bool {
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

/** How many of the column's cells are handed back. */
function countHandedBack(count: i32): i32 {
  let handedBack = 0;
  for (let row = 0; row < count; row++) handedBack += i32(<i32>load<u8>(OUTCOMES + row) === HANDED_BACK);
  return handedBack;
}

/** The number whose sixteen digits, the first in the lowest lane, a vector holds. */
function numberOf(digits: v128): u64 {
  const tens = i16x8.mul(v128.and(digits, i16x8.splat(0xff)), i16x8.splat(10));
  const pairs = i16x8.add(tens, i16x8.shr_u(digits, 8));
  const fours = i32x4.dot_i16x8_s(pairs, i16x8(100, 1, 100, 1, 100, 1, 100, 1));
  const narrow = i16x8.narrow_i32x4_u(fours, fours);
  const eights = i32x4.dot_i16x8_s(narrow, i16x8(10000, 1, 10000, 1, 10000, 1, 10000, 1));
  return <u64>(<u32>i32x4.extract_lane(eights, 0)) * 100000000 + <u64>(<u32>i32x4.extract_lane(eights, 1));
}

/**
 * Decimals that one division makes exact: a whole number that a double holds, over a power of ten that it holds.
 * Returns how many cells were handed back.
 *
 * @param decimal The decimal mark; -1 for whole numbers, without leading zeros or a negative zero.
 */
export function castNumbers(count: i32, column: i32, decimal: i32): i32 {
  const zero = i8x16.splat(<i8>ZERO);
  const nine = i8x16.splat(9);
  const whole = decimal < 0;
  const mark = i8x16.splat(<i8>(decimal - ZERO));
  const markLanes = whole ? 0 : 0xffff;
  const plainFlags = quotedIsText ? 0 : QUOTED;
  const longest = longestNull;
  const step = stride;
  const move = shift;
  let handedBack = 0;
  for (let row = 0; row < count; row++) {
    const field = step !== 0 ? row * step + column : fieldOf(row, column);
    if (field < 0) {
      store<u8>(OUTCOMES + row, <u8>MISSING);
      continue;
    }
    let start = load<i32>(STARTS + (field << 2)) + move;
    let end = load<i32>(ENDS + (field << 2)) + move;
    let first = <i32>load<u8>(start);
    if (
      <i32>load<u8>(FLAGS + field) > plainFlags ||
      end - start <= longest ||
      first === SPACE ||
      <i32>load<u8>(end - 1) === SPACE
    ) {
      const outcome = locate(row, column);
      if (outcome !== VALUE) {
        store<u8>(OUTCOMES + row, <u8>outcome);
        handedBack += i32(outcome === HANDED_BACK);
        continue;
      }
      start = cellStart;
      end = cellEnd;
      first = <i32>load<u8>(start);
    }
    let outcome = HANDED_BACK;
    const negative = i32(first === MINUS);
    start += negative;
    const size = end - start;
    if (size > 0 && size <= MOST_DIGITS) {
      let digits = size;
      let scale = 0;
      let vector = v128.and(i8x16.sub(v128.load(end - 16), zero), v128.load(KEEP_LAST + size));
      const marks = i8x16.bitmask(i8x16.eq(vector, mark)) & markLanes;
      if (marks !== 0) {
        // What stands before the mark moves up by one, over it.
        const place = ctz(marks);
        scale = 15 - place;
        digits--;
        vector = i8x16.swizzle(vector, v128.load(CLOSE_GAP + (place << 4)));
      }
      const leadingZero = <i32>load<u8>(start) === ZERO && (digits - scale > 1 || (whole && negative !== 0));
      if (digits > 0 && !leadingZero && !v128.any_true(i8x16.gt_u(vector, nine))) {
        const value = numberOf(vector);
        if (value <= MAX_SAFE_INTEGER) {
          let number = <f64>(<i64>value);
          if (scale !== 0) number /= load<f64>(POWERS + (scale << 3));
          // The sign as a bit: where signs alternate, a branch would be guessed wrong every other time.
          store<u64>(VALUES + (row << 3), reinterpret<u64>(number) | ((<u64>negative) << 63));
          outcome = VALUE;
        }
      }
    }
    store<u8>(OUTCOMES + row, <u8>outcome);
    handedBack += i32(outcome === HANDED_BACK);
  }
  return handedBack;
}

/** `true` and `false` in any case, as 1 and 0. Returns how many cells were handed back. */
export function castBooleans(count: i32, column: i32): i32 {
  for (let row = 0; row < count; row++) {
    const outcome = locate(row, column);
    store<u8>(OUTCOMES + row, <u8>outcome);
    if (outcome !== VALUE) continue;
    const start = cellStart;
    const size = cellEnd - start;
    const letters = load<u32>(start) | 0x20202020;
    if (size === 4 && letters === 0x65757274) {
      store<u8>(VALUES + row, 1);
    } else if (size === 5 && letters === 0x736c6166 && (load<u8>(start + 4) | 0x20) === 0x65) {
      store<u8>(VALUES + row, 0);
    } else {
      store<u8>(OUTCOMES + row, <u8>HANDED_BACK);
    }
  }
  return countHandedBack(count);
}

/** The value of the two digits at `at`, more than 99 where they are none. */
function digitPair(at: i32): u32 {
  const tens = <u32>load<u8>(at) - <u32>ZERO;
  const ones = <u32>load<u8>(at + 1) - <u32>ZERO;
  return tens > 9 || ones > 9 ? 1000 : tens * 10 + ones;
}

/* What planDates makes of a format of up to 32 bytes: its literal bytes, which these are, and where its digits lie. */
const LITERALS = memory.data(32, 16);
const LITERAL_MASK = memory.data(32, 16);
/** By digit of YYYYMMDDhhmmss: the byte of the cell's first or second sixteen that is it; 255 for none. */
const PICK_FIRST = memory.data(16, 16);
const PICK_SECOND = memory.data(16, 16);
const DIGIT_MASK = memory.data(16, 16);
const MOST_WIDTH: i32 = 32;

/** Bytes of a cell in the format, without a fraction and with Z for an offset; 0 where these are too many. */
let width: i32 = 0;
/** Where the format has a TIME_MARK; -1 for nowhere. */
let timeMark: i32 = -1;

function planDates(steps: i32): void {
  memory.fill(LITERALS, 0, 32);
  memory.fill(LITERAL_MASK, 0, 32);
  memory.fill(PICK_FIRST, 255, 16);
  memory.fill(PICK_SECOND, 255, 16);
  memory.fill(DIGIT_MASK, 0, 16);
  let at = 0;
  timeMark = -1;
  width = 0;
  for (let step = 0; step < steps; step++) {
    const op = <i32>load<u8>(PATTERN + step);
    if (at > MOST_WIDTH - 4) return;
    if (op < 0x80 || op === OFFSET) {
      store<u8>(LITERALS + at, <u8>(op < 0x80 ? op : Z));
      store<u8>(LITERAL_MASK + at, 255);
      at++;
    } else if (op === TIME_MARK) {
      timeMark = at++;
    } else if (op !== FRACTION) {
      const digits = op === YEAR ? 4 : 2;
      const lane = op === YEAR ? 0 : (op - YEAR + 1) * 2;
      for (let digit = 0; digit < digits; digit++) {
        store<u8>((at < 16 ? PICK_FIRST : PICK_SECOND) + lane + digit, <u8>(at & 15));
        store<u8>(DIGIT_MASK + lane + digit, 255);
        at++;
      }
    }
  }
  width = at;
}

/**
 * Dates of the format that lies at PATTERN: days, and microseconds of the day as doubles. Returns how many cells were
 * handed back.
 *
 * @param steps How many steps the format has.
 */
export function castDates(count: i32, column: i32, steps: i32): i32 {
  planDates(steps);
  const literals = v128.load(LITERALS);
  const literals2 = v128.load(LITERALS, 16);
  const mask = v128.load(LITERAL_MASK);
  const mask2 = v128.load(LITERAL_MASK, 16);
  const pick = v128.load(PICK_FIRST);
  const pick2 = v128.load(PICK_SECOND);
  const kept = v128.load(DIGIT_MASK);
  const zero = i8x16.splat(<i8>ZERO);
  const nine = i8x16.splat(9);
  for (let row = 0; row < count; row++) {
    const outcome = locate(row, column);
    store<u8>(OUTCOMES + row, <u8>outcome);
    if (outcome !== VALUE) continue;
    const start = cellStart;
    const end = cellEnd;
    if (end - start === width) {
      const first = v128.load(start);
      const second = v128.load(start, 16);
      const others = v128.or(
        v128.and(v128.xor(first, literals), mask),
        v128.and(v128.xor(second, literals2), mask2),
      );
      const picked = v128.or(i8x16.swizzle(first, pick), i8x16.swizzle(second, pick2));
      const digits = v128.and(i8x16.sub(picked, zero), kept);
      if (!v128.any_true(v128.or(others, i8x16.gt_u(digits, nine))) && isTimeMark(start)) {
        const tens = i16x8.mul(v128.and(digits, i16x8.splat(0xff)), i16x8.splat(10));
        const pairs = i16x8.add(tens, i16x8.shr_u(digits, 8));
        const hour = i16x8.extract_lane_u(pairs, 4);
        const minute = i16x8.extract_lane_u(pairs, 5);
        const second = i16x8.extract_lane_u(pairs, 6);
        if (hour < 24 && minute < 60 && second < 60) {
          const year = <u32>i16x8.extract_lane_u(pairs, 0) * 100 + i16x8.extract_lane_u(pairs, 1);
          const month = <u32>i16x8.extract_lane_u(pairs, 2);
          const day = <u32>i16x8.extract_lane_u(pairs, 3);
          const micros = <i64>(<u32>hour * 3600 + <u32>minute * 60 + second) * 1_000_000;
          if (storeDate(row, year, month, day, micros)) continue;
        }
      }
    }
    if (!castDate(row, start, end, steps)) store<u8>(OUTCOMES + row, <u8>HANDED_BACK);
  }
  return countHandedBack(count);
}

function isTimeMark(start: i32): bool {
  if (timeMark < 0) return true;
  const mark = <i32>load<u8>(start + timeMark);
  return mark === T || mark === SPACE;
}

/** Stores a date whose time of the day may lie a day before or behind it. False where there is no such date. */
function storeDate(row: i32, year: u32, month: u32, day: u32, dayMicros: i64): bool {
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  if (day > 28 && day > daysInMonth(year, month)) return false;
  let days = daysFromCivil(<i32>year, <i32>month, <i32>day);
  let micros = dayMicros;
  if (micros < 0 || micros >= DAY_MICROS) {
    const shift = micros < 0 ? -1 : 1;
    micros -= shift * DAY_MICROS;
    days += shift;
  }
  store<i32>(DAYS + (row << 2), days);
  store<f64>(VALUES + (row << 3), <f64>micros);
  return true;
}

// What lies past a cell is never taken for a part of it: whatever is read there, the cell's end is compared at last.
function castDate(row: i32, start: i32, end: i32, steps: i32): bool {
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
  if (at !== end) return false;
  // Near its ends the calendar is left to the reference.
  if (minutesEast !== 0 && (year === 1 || year === 9999)) return false;
  const dayMicros = <i64>seconds * 1_000_000 + micros - <i64>minutesEast * 60_000_000;
  return storeDate(row, year, month, day, dayMicros);
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
  const escapes = i8x16.splat(<i8>escape);
  for (let row = 0; row < count; row++) {
    let outcome = MISSING;
    const field = fieldOf(row, column);
    if (field >= 0) {
      const start = load<i32>(STARTS + (field << 2)) + shift;
      const end = load<i32>(ENDS + (field << 2)) + shift;
      const flags = <i32>load<u8>(FLAGS + field);
      if (flags & MISPLACED) return ODD_TEXT;
      const from = to;
      if (flags & ESCAPED) {
        let at = start;
        while (at < end) {
          // What is copied too much is overwritten by what follows.
          const bytes = v128.load(at);
          v128.store(to, bytes);
          const hits = i8x16.bitmask(i8x16.eq(bytes, escapes));
          const size = min(hits === 0 ? 16 : ctz(hits), end - at);
          at += size;
          to += size;
          if (hits === 0 || at >= end) continue;
          // An escape before something else is text.
          const next = at + 1 < end ? <i32>load<u8>(at + 1) : -1;
          const takesEffect = next === quote || next === delimiter || (next === escape && !doubled);
          if (next >= 0 && takesEffect) at++;
          store<u8>(to, load<u8>(at));
          to++;
          at++;
        }
      } else {
        const size = end - start;
        if (size <= 32) {
          v128.store(to, v128.load(start));
          if (size > 16) v128.store(to + 16, v128.load(start + 16));
        } else {
          memory.copy(to, start, size);
        }
        to += size;
      }
      const size = to - from;
      if ((flags & QUOTED && size === 0 && quotedEmptyIsText) || size > longestNull || !isNull(from, to)) {
        outcome = VALUE;
      } else {
        to = from;
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
