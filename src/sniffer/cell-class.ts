/** The cell is empty, or holds spaces only. */
export const EMPTY_CELL = 0;
/** The cell holds a word for a missing value. */
export const MISSING_CELL = 1;
/** A number, a date, a time, an amount of money: what stands in data and seldom in a header. */
export const NUMBER_CELL = 2;
/** A year, or two years: a number that a header may well hold. */
export const YEAR_CELL = 3;
export const TEXT_CELL = 4;

/** Letters that a number, a date or an amount may hold: `14-Jan`, `1.5e-3`, `10:00 PM`, `3 kg`. */
const LETTERS_IN_NUMBERS = 3;
/** Longest cell that is looked at as a number. */
const LONGEST_NUMBER = 40;

/** Words that stand for a missing value, in lower case; they tell nothing of what a column holds. */
export const MISSING_WORDS: ReadonlySet<string> = new Set([
  "na",
  "n/a",
  "nan",
  "null",
  "none",
  "nil",
  "-",
  "--",
  "?",
  ".",
  "..",
  "\\n",
  "#n/a",
]);
const LONGEST_WORD = 4;

const SPACE = 0x20;

/** What a cell looks like, for telling headers from data: cheaper than typing it, and more forgiving. */
export function classifyCell(bytes: Uint8Array, from: number, to: number): number {
  let start = from;
  let end = to;
  while (start < end && bytes[start] <= SPACE) start++;
  while (end > start && bytes[end - 1] <= SPACE) end--;
  if (start === end) return EMPTY_CELL;
  if (end - start <= LONGEST_WORD && isMissingWord(bytes, start, end)) return MISSING_CELL;
  if (isYears(bytes, start, end)) return YEAR_CELL;
  return end - start <= LONGEST_NUMBER && looksLikeNumber(bytes, start, end) ? NUMBER_CELL : TEXT_CELL;
}

function isMissingWord(bytes: Uint8Array, start: number, end: number): boolean {
  let word = "";
  for (let i = start; i < end; i++) word += String.fromCharCode(bytes[i]);
  return MISSING_WORDS.has(word.toLowerCase());
}

/** A year from 1800 to 2100, or two, such as `2013-14` and `2013/2014`. */
function isYears(bytes: Uint8Array, start: number, end: number): boolean {
  const length = end - start;
  if (length !== 4 && length !== 7 && length !== 9) return false;
  for (let i = start; i < end; i++) {
    const byte = bytes[i];
    const joint = i === start + 4 && (byte === 0x2d || byte === 0x2f);
    if (!joint && !isDigit(byte)) return false;
  }
  if (length > 4 && isDigit(bytes[start + 4])) return false;
  const century = 10 * (bytes[start] - 0x30) + bytes[start + 1] - 0x30;
  return century >= 18 && century <= 20;
}

/** Begins with a digit, signs and currencies aside, and holds few letters. */
function looksLikeNumber(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  while (at < end && !isDigit(bytes[at])) {
    if (isLetter(bytes[at])) return false;
    at++;
  }
  if (at === end) return false;
  let letters = 0;
  for (; at < end; at++) if (isLetter(bytes[at])) letters++;
  return letters <= LETTERS_IN_NUMBERS;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

/** ASCII letters; what lies beyond ASCII may be a currency. */
function isLetter(byte: number): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a) || byte === 0x5f;
}
