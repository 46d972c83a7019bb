import { CsvError } from "../errors.js";
import { daysFromCivil, isValidDate } from "./calendar.js";
import { digitsAt, fourDigits, shortNumber, trimEnd, trimStart, twoDigits } from "./digits.js";
import { parseIsoDate, parseIsoInstant, parseIsoTimestamp } from "./iso.js";
import { from12Hours, MICROS_PER_SECOND, scanFraction, scanMeridiem, type TemporalFields } from "./time.js";
import { offsetLength, offsetMinutes, toUtc } from "./zone.js";

/** A strftime format, compiled. Made by {@link compileFormat}, read by {@link parseWithFormat}. */
export interface TemporalFormat {
  /** The format as it was given. */
  readonly text: string;
  readonly hasDate: boolean;
  readonly hasTime: boolean;
  readonly hasZone: boolean;
  /** One step an entry: a byte to match as it stands, or an {@link Op}. */
  readonly program: Uint16Array;
  /** The step before which a cell may end when it holds a date alone; −1 for none. */
  readonly dateEnd: number;
  /** The hand-written parser that takes the program's place; null for none. */
  readonly iso: "date" | "timestamp" | "instant" | null;
}

/** The steps of a program that are no literal bytes: 256 and up. */
export const Op = {
  YEAR: 0x100,
  SHORT_YEAR: 0x101,
  MONTH: 0x102,
  MONTH_ABBREVIATION: 0x103,
  MONTH_NAME: 0x104,
  DAY: 0x105,
  WEEKDAY_ABBREVIATION: 0x106,
  WEEKDAY_NAME: 0x107,
  HOUR: 0x108,
  HOUR_12: 0x109,
  MERIDIEM: 0x10a,
  MINUTE: 0x10b,
  SECOND: 0x10c,
  /** A second with an optional fraction. */
  SECOND_FRACTION: 0x10d,
  FRACTION: 0x10e,
  OFFSET: 0x10f,
  /** Added to a number of one or two digits that has to have two. */
  TWO_DIGITS: 0x200,
  /** Added, while compiling, to a number that may have one digit wherever it stands. */
  ANY_WIDTH: 0x400,
} as const;

const DIRECTIVES = new Map<string, number>([
  ["%Y", Op.YEAR],
  ["%y", Op.SHORT_YEAR],
  ["%m", Op.MONTH],
  ["%-m", Op.MONTH | Op.ANY_WIDTH],
  ["%b", Op.MONTH_ABBREVIATION],
  ["%B", Op.MONTH_NAME],
  ["%d", Op.DAY],
  ["%-d", Op.DAY | Op.ANY_WIDTH],
  ["%a", Op.WEEKDAY_ABBREVIATION],
  ["%A", Op.WEEKDAY_NAME],
  ["%H", Op.HOUR],
  ["%-H", Op.HOUR | Op.ANY_WIDTH],
  ["%I", Op.HOUR_12],
  ["%-I", Op.HOUR_12 | Op.ANY_WIDTH],
  ["%p", Op.MERIDIEM],
  ["%M", Op.MINUTE],
  ["%S", Op.SECOND],
  ["%f", Op.FRACTION],
  ["%z", Op.OFFSET],
]);

const NUMERIC_OPS: readonly number[] = [
  Op.YEAR,
  Op.SHORT_YEAR,
  Op.MONTH,
  Op.DAY,
  Op.HOUR,
  Op.HOUR_12,
  Op.MINUTE,
  Op.SECOND,
  Op.FRACTION,
];
const FLEXIBLE_OPS: readonly number[] = [Op.MONTH, Op.DAY, Op.HOUR, Op.HOUR_12];

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const PERCENT = 0x25;
const SPACE = 0x20;
const MINUS = 0x2d;
const DOT = 0x2e;
const LOWER_CASE = 0x20;

const FIRST_OP = 0x100;
const FIRST_NON_ASCII = 0x80;

/** Two-digit years below this belong to the 2000s, as POSIX strptime has it. */
const PIVOT_YEAR = 69;

/**
 * The texts that mean ISO 8601. Its parsers take `T` and a space, a missing time of a timestamp, missing seconds
 * and a missing fraction alike.
 */
const ISO_TEXTS = new Map<string, TemporalFormat["iso"]>([["%Y-%m-%d", "date"]]);
for (const separator of [" ", "T"]) {
  for (const fraction of ["", ".%f"]) {
    const text = `%Y-%m-%d${separator}%H:%M:%S${fraction}`;
    ISO_TEXTS.set(text, "timestamp");
    ISO_TEXTS.set(`${text}%z`, "instant");
  }
}

/**
 * Compiles a strftime-like format.
 *
 * | directive | matches |
 * |---|---|
 * | `%Y` `%y` | a year of exactly four digits, 0001 to 9999; of exactly two, 1969 to 2068 |
 * | `%m` `%d` `%H` `%I` | month, day, hour, hour of a 12-hour clock, in one or two digits |
 * | `%M` `%S` | minute and second in exactly two digits; a fraction may follow the second |
 * | `%f` | a fraction of one to nine digits, those past the sixth zeros; optional in `%S.%f` |
 * | `%p` | AM or PM |
 * | `%b` `%B` `%a` `%A` | English names of months and weekdays, of three letters or in full |
 * | `%z` | `Z`, `±hh`, `±hhmm` or `±hh:mm` |
 * | `%%` | a percent sign |
 *
 * Letters of names match in any case; everything else in the format stands for itself. `%m`, `%d`, `%H` and `%I`
 * need two digits where no separator tells where they end, and `%m` and `%d` also in a date of a two-digit year
 * whose separator is a dot or a space, so that versions such as 1.10.12 are no dates; `%-m`, `%-d`, `%-H` and
 * `%-I` never do. A format of date and time, in this order and without an offset, also matches a date alone, as
 * midnight. `%Y-%m-%d`, alone or followed by `%H:%M:%S` or `%H:%M:%S%z` behind a space or a `T`, stands for ISO 8601
 * with all that {@link parseIsoTimestamp} leaves optional.
 *
 * @throws CsvError INVALID_OPTION for an unknown directive, and for fields that make no date or time.
 */
export function compileFormat(text: string): TemporalFormat {
  const ops = tokenize(text);
  checkFields(text, ops);
  const program = Uint16Array.from(resolveSteps(ops));
  const hasDate = program.some(isDateOp);
  const hasTime = program.some(isTimeOp);
  const hasZone = program.includes(Op.OFFSET);
  return {
    text,
    hasDate,
    hasTime,
    hasZone,
    program,
    dateEnd: hasDate && hasTime && !hasZone ? endOfDate(program) : -1,
    iso: ISO_TEXTS.get(text) ?? null,
  };
}

/**
 * Reads a cell by a format; surrounding spaces are left out. All of the cell has to match, and the day has to
 * exist. With `%z` the fields are in UTC.
 */
export function parseWithFormat(
  format: TemporalFormat,
  bytes: Uint8Array,
  start: number,
  end: number,
  out: TemporalFields,
): boolean {
  switch (format.iso) {
    case "date":
      return parseIsoDate(bytes, start, end, out);
    case "timestamp":
      return parseIsoTimestamp(bytes, start, end, out);
    case "instant":
      return parseIsoInstant(bytes, start, end, out);
    default:
      return runProgram(format, bytes, start, end, out);
  }
}

function runProgram(
  format: TemporalFormat,
  bytes: Uint8Array,
  start: number,
  end: number,
  out: TemporalFields,
): boolean {
  const { program, dateEnd } = format;
  const stop = trimEnd(bytes, start, end);
  let i = trimStart(bytes, start, stop);
  let year = 0;
  let month = 0;
  let day = 0;
  let hour = 0;
  let minute = 0;
  let second = 0;
  let meridiem = -1;
  let minutesEast = 0;
  let width = 0;
  out.micros = 0;
  for (let step = 0; step < program.length; step++) {
    if (i >= stop) {
      if (step === dateEnd) break;
      return false;
    }
    const op = program[step];
    if (op < FIRST_OP) {
      if (bytes[i++] !== op) return false;
      continue;
    }
    switch (op & ~Op.TWO_DIGITS) {
      case Op.YEAR:
        year = fourDigits(bytes, i, stop);
        if (year < 0) return false;
        i += 4;
        break;
      case Op.SHORT_YEAR:
        year = twoDigits(bytes, i, stop);
        if (year < 0) return false;
        year += year < PIVOT_YEAR ? 2000 : 1900;
        i += 2;
        break;
      case Op.MONTH:
        width = numberWidth(op, bytes, i, stop);
        if (width === 0) return false;
        month = shortNumber(bytes, i, width);
        i += width;
        break;
      case Op.MONTH_ABBREVIATION:
        month = matchAbbreviation(MONTHS, bytes, i, stop) + 1;
        if (month === 0) return false;
        i += 3;
        break;
      case Op.MONTH_NAME:
        month = matchName(MONTHS, bytes, i, stop) + 1;
        if (month === 0) return false;
        i += MONTHS.names[month - 1].length;
        break;
      case Op.DAY:
        width = numberWidth(op, bytes, i, stop);
        if (width === 0) return false;
        day = shortNumber(bytes, i, width);
        i += width;
        break;
      case Op.WEEKDAY_ABBREVIATION:
        if (matchAbbreviation(WEEKDAYS, bytes, i, stop) < 0) return false;
        i += 3;
        break;
      case Op.WEEKDAY_NAME: {
        const weekday = matchName(WEEKDAYS, bytes, i, stop);
        if (weekday < 0) return false;
        i += WEEKDAYS.names[weekday].length;
        break;
      }
      case Op.HOUR:
        width = numberWidth(op, bytes, i, stop);
        if (width === 0) return false;
        hour = shortNumber(bytes, i, width);
        if (hour > 23) return false;
        i += width;
        break;
      case Op.HOUR_12:
        width = numberWidth(op, bytes, i, stop);
        if (width === 0) return false;
        hour = shortNumber(bytes, i, width);
        if (hour < 1 || hour > 12) return false;
        i += width;
        break;
      case Op.MERIDIEM:
        meridiem = scanMeridiem(bytes, i, stop);
        if (meridiem < 0) return false;
        i += 2;
        break;
      case Op.MINUTE:
        minute = twoDigits(bytes, i, stop);
        if (minute < 0 || minute > 59) return false;
        i += 2;
        break;
      case Op.SECOND:
      case Op.SECOND_FRACTION:
        second = twoDigits(bytes, i, stop);
        if (second < 0 || second > 59) return false;
        i += 2;
        if (op === Op.SECOND_FRACTION && i < stop && bytes[i] === DOT) {
          i = scanFraction(bytes, i + 1, stop, out);
          if (i < 0) return false;
        }
        break;
      case Op.FRACTION:
        i = scanFraction(bytes, i, stop, out);
        if (i < 0) return false;
        break;
      case Op.OFFSET: {
        const length = offsetLength(bytes, i, stop);
        if (length === 0) return false;
        minutesEast = offsetMinutes(bytes, i, length);
        i += length;
        break;
      }
    }
  }
  if (i !== stop) return false;
  if (meridiem >= 0) hour = from12Hours(hour, meridiem);
  // The fraction, if any, is in there already.
  out.micros += (hour * 3600 + minute * 60 + second) * MICROS_PER_SECOND;
  if (!format.hasDate) {
    out.days = 0;
    return true;
  }
  if (!isValidDate(year, month, day)) return false;
  out.days = daysFromCivil(year, month, day);
  return !format.hasZone || toUtc(out, minutesEast);
}

/** The width of the number at `i`; 0 where it has fewer digits than `op` wants. */
function numberWidth(op: number, bytes: Uint8Array, i: number, end: number): number {
  const width = digitsAt(bytes, i, end);
  return width === 1 && (op & Op.TWO_DIGITS) !== 0 ? 0 : width;
}

/** English names, which their first three letters tell apart. */
interface NameTable {
  /** In lower case. */
  readonly names: readonly Uint8Array[];
  /** The first three letters of each, as one number. */
  readonly keys: Int32Array;
}

const MONTHS = nameTable(
  "january february march april may june july august september october november december",
);
const WEEKDAYS = nameTable("monday tuesday wednesday thursday friday saturday sunday");

function nameTable(words: string): NameTable {
  const names = words.split(" ").map((word) => encoder.encode(word));
  return { names, keys: Int32Array.from(names, (name) => abbreviationKey(name, 0)) };
}

function abbreviationKey(bytes: Uint8Array, i: number): number {
  // Setting the bit of lower case makes letters of letters alone, so nothing else can pass for one.
  return ((bytes[i] | LOWER_CASE) << 16) | ((bytes[i + 1] | LOWER_CASE) << 8) | (bytes[i + 2] | LOWER_CASE);
}

function matchAbbreviation(table: NameTable, bytes: Uint8Array, i: number, end: number): number {
  if (end - i < 3) return -1;
  const key = abbreviationKey(bytes, i);
  for (let index = 0; index < table.keys.length; index++) if (table.keys[index] === key) return index;
  return -1;
}

/** Whether the name of a month or a weekday begins at `i`. */
export function startsWithName(bytes: Uint8Array, i: number, end: number): boolean {
  return matchAbbreviation(MONTHS, bytes, i, end) >= 0 || matchAbbreviation(WEEKDAYS, bytes, i, end) >= 0;
}

function matchName(table: NameTable, bytes: Uint8Array, i: number, end: number): number {
  const index = matchAbbreviation(table, bytes, i, end);
  if (index < 0) return -1;
  const name = table.names[index];
  if (end - i < name.length) return -1;
  for (let k = 3; k < name.length; k++) if ((bytes[i + k] | LOWER_CASE) !== name[k]) return -1;
  return index;
}

/** The literal bytes and directives of a format; its outer spaces are left out, as those of cells are. */
function tokenize(text: string): number[] {
  const bytes = encoder.encode(text);
  const end = trimEnd(bytes, 0, bytes.length);
  const ops: number[] = [];
  let i = trimStart(bytes, 0, end);
  while (i < end) {
    if (bytes[i] !== PERCENT) {
      ops.push(bytes[i++]);
      continue;
    }
    const length = bytes[i + 1] === MINUS ? 3 : 2;
    const directive = decoder.decode(bytes.subarray(i, Math.min(i + length, end)));
    const op = directive === "%%" ? PERCENT : DIRECTIVES.get(directive);
    if (op === undefined) {
      const known = [...DIRECTIVES.keys(), "%%"].join(" ");
      throw invalidFormat(text, `has the unknown directive ${JSON.stringify(directive)}; there are ${known}`);
    }
    ops.push(op);
    i += length;
  }
  return ops;
}

function checkFields(text: string, ops: readonly number[]): void {
  const times = new Map<number, number>();
  for (const op of ops) {
    const field = op & ~Op.ANY_WIDTH;
    times.set(field, (times.get(field) ?? 0) + 1);
  }
  const count = (...fields: number[]) => fields.reduce((sum, field) => sum + (times.get(field) ?? 0), 0);
  const year = count(Op.YEAR, Op.SHORT_YEAR);
  const month = count(Op.MONTH, Op.MONTH_ABBREVIATION, Op.MONTH_NAME);
  const day = count(Op.DAY);
  const weekday = count(Op.WEEKDAY_ABBREVIATION, Op.WEEKDAY_NAME);
  const hour = count(Op.HOUR, Op.HOUR_12);
  const minute = count(Op.MINUTE);
  const second = count(Op.SECOND);
  const fraction = count(Op.FRACTION);
  const meridiem = count(Op.MERIDIEM);
  const offset = count(Op.OFFSET);
  const fail = (what: string): void => {
    throw invalidFormat(text, what);
  };
  const counts = [year, month, day, weekday, hour, minute, second, fraction, meridiem, offset];
  if (counts.some((fields) => fields > 1)) fail("names a field twice");
  const hasDate = year + month + day === 3;
  const hasTime = hour + minute === 2;
  if (!hasDate && year + month + day + weekday > 0) fail("needs year, month and day for a date");
  if (!hasTime && hour + minute + second + fraction + meridiem > 0) fail("needs hour and minute for a time");
  if (!hasDate && !hasTime) fail("has neither a date nor a time");
  if (fraction > second) fail("has a fraction (%f) without seconds (%S)");
  if (meridiem !== count(Op.HOUR_12)) fail("needs %I and %p together");
  if (offset > 0 && !(hasDate && hasTime)) fail("needs a date and a time for its offset (%z)");
}

/** Settles how many digits numbers have and where fractions may stand. */
function resolveSteps(ops: readonly number[]): number[] {
  const spansShortYear = ops.includes(Op.SHORT_YEAR);
  const steps: number[] = [];
  for (let i = 0; i < ops.length; i++) {
    const op = ops[i];
    if (op === Op.SECOND && ops[i + 1] === DOT && ops[i + 2] === Op.FRACTION) {
      steps.push(Op.SECOND_FRACTION);
      i += 2;
    } else if (op === Op.SECOND && ops[i + 1] !== DOT && !ops.includes(Op.FRACTION)) {
      steps.push(Op.SECOND_FRACTION);
    } else if ((op & Op.ANY_WIDTH) !== 0) {
      steps.push(op & ~Op.ANY_WIDTH);
    } else if (FLEXIBLE_OPS.includes(op) && needsTwoDigits(ops, i, spansShortYear)) {
      steps.push(op | Op.TWO_DIGITS);
    } else {
      steps.push(op);
    }
  }
  return steps;
}

function needsTwoDigits(ops: readonly number[], i: number, hasShortYear: boolean): boolean {
  if (isNumber(ops[i - 1]) || isNumber(ops[i + 1])) return true;
  return (
    hasShortYear &&
    (isVersionLike(ops[i], ops[i - 1], ops[i - 2]) || isVersionLike(ops[i], ops[i + 1], ops[i + 2]))
  );
}

/** Whether two numbers of a date stand with a dot or a space between, as those of a version do. */
function isVersionLike(op: number, separator: number | undefined, neighbor: number | undefined): boolean {
  return (separator === DOT || separator === SPACE) && isDateNumber(op) && isDateNumber(neighbor);
}

function isDateNumber(op: number | undefined): boolean {
  return isNumber(op) && isDateOp(op);
}

function isNumber(op: number | undefined): op is number {
  return op !== undefined && NUMERIC_OPS.includes(op & ~Op.ANY_WIDTH);
}

function isDateOp(op: number): boolean {
  const field = op & ~(Op.TWO_DIGITS | Op.ANY_WIDTH);
  return field >= Op.YEAR && field <= Op.WEEKDAY_NAME;
}

function isTimeOp(op: number): boolean {
  const field = op & ~(Op.TWO_DIGITS | Op.ANY_WIDTH);
  return field >= Op.HOUR && field <= Op.FRACTION;
}

/** The step behind the date, where the date stands before the time; −1 where not. */
function endOfDate(program: Uint16Array): number {
  let step = program.findIndex(isTimeOp);
  if (program.subarray(step).some(isDateOp)) return -1;
  // What parts date and time goes with the time; a letter of another script, such as 日, belongs to the date.
  while (program[step - 1] < FIRST_NON_ASCII) step--;
  return step;
}

function invalidFormat(text: string, what: string): CsvError {
  return new CsvError("INVALID_OPTION", `dateFormat ${JSON.stringify(text)} ${what}`);
}
