import { isDigit, trimEnd, trimStart } from "./digits.js";
import { Op, parseWithFormat, startsWithName, type TemporalFormat } from "./format.js";
import type { TemporalFields } from "./time.js";

/**
 * The formats of a list that take every cell of a column so far. The first cell chooses among those that begin as
 * it does, so that text and numbers are refused after a look at their first bytes.
 */
export class FormatCandidates {
  readonly #formats: readonly TemporalFormat[];
  readonly #fields: TemporalFields = { days: 0, micros: 0 };
  #survivors: TemporalFormat[] | null = null;

  constructor(formats: readonly TemporalFormat[]) {
    this.#formats = formats;
  }

  /** Keeps only the formats that take this cell; false when none is left. */
  narrow(bytes: Uint8Array, start: number, end: number): boolean {
    const survivors = this.#survivors;
    if (survivors === null) {
      const takes = (format: TemporalFormat) => parseWithFormat(format, bytes, start, end, this.#fields);
      this.#survivors = formatsOfLead(this.#formats, leadOfCell(bytes, start, end)).filter(takes);
      return this.#survivors.length > 0;
    }
    let kept = 0;
    for (let i = 0; i < survivors.length; i++) {
      const format = survivors[i];
      if (parseWithFormat(format, bytes, start, end, this.#fields)) survivors[kept++] = format;
    }
    if (kept < survivors.length) survivors.length = kept;
    return kept > 0;
  }

  /** The formats left, in the list's order. */
  remaining(): readonly TemporalFormat[] {
    return this.#survivors ?? this.#formats;
  }
}

/**
 * How a cell or a format begins: the number of digits (4, or 2 for one or two) in the high byte and the byte
 * behind them, or NAME for a letter, in the low one; or one of these.
 */
type Lead = number;
/** The name of a month or a weekday. */
const NAME: Lead = 1;
/** A format that may begin otherwise, and so is tried on every cell; a cell that begins otherwise. */
const OTHER: Lead = 0;

const LOWER_CASE = 0x20;
const NAME_OPS: readonly number[] = [
  Op.MONTH_ABBREVIATION,
  Op.MONTH_NAME,
  Op.WEEKDAY_ABBREVIATION,
  Op.WEEKDAY_NAME,
];
const SHORT_NUMBER_OPS: readonly number[] = [Op.SHORT_YEAR, Op.MONTH, Op.DAY, Op.HOUR, Op.HOUR_12];

const leadTables = new WeakMap<readonly TemporalFormat[], Map<Lead, readonly TemporalFormat[]>>();

function formatsOfLead(formats: readonly TemporalFormat[], lead: Lead): readonly TemporalFormat[] {
  let table = leadTables.get(formats);
  if (table === undefined) {
    table = new Map();
    for (const known of [OTHER, ...formats.map(leadOfFormat)]) {
      table.set(
        known,
        formats.filter((format) => leadOfFormat(format) === known || leadOfFormat(format) === OTHER),
      );
    }
    leadTables.set(formats, table);
  }
  return table.get(lead) ?? table.get(OTHER) ?? [];
}

function leadOfFormat(format: TemporalFormat): Lead {
  const first = format.program[0] & ~Op.TWO_DIGITS;
  const second = format.program[1];
  if (NAME_OPS.includes(first)) return NAME;
  if (NAME_OPS.includes(second)) return SHORT_NUMBER_OPS.includes(first) ? digitLead(2, NAME) : OTHER;
  // With a digit or a number behind it, a number's end can't be told from its first bytes.
  if (second === undefined || second >= Op.YEAR || isDigit(second)) return OTHER;
  if (first === Op.YEAR) return digitLead(4, separatorOf(second));
  return SHORT_NUMBER_OPS.includes(first) ? digitLead(2, separatorOf(second)) : OTHER;
}

function leadOfCell(bytes: Uint8Array, start: number, end: number): Lead {
  const stop = trimEnd(bytes, start, end);
  const first = trimStart(bytes, start, stop);
  let i = first;
  while (i < stop && i < first + 5 && isDigit(bytes[i])) i++;
  if (i === stop) return OTHER;
  const digits = i - first;
  if (digits === 0) return startsWithName(bytes, i, stop) ? NAME : OTHER;
  if (digits === 4) return digitLead(4, separatorOf(bytes[i]));
  return digits <= 2 ? digitLead(2, separatorOf(bytes[i])) : OTHER;
}

function digitLead(digits: number, separator: number): Lead {
  return (digits << 8) | separator;
}

function separatorOf(byte: number): number {
  return isLetter(byte) ? NAME : byte;
}

function isLetter(byte: number): boolean {
  const letter = byte | LOWER_CASE;
  return letter >= 0x61 && letter <= 0x7a;
}
