/*
 * How much a cell looks like one value. A wrong reading gives itself away by its cells: numbers and dates cut
 * in two or run together, quotes left at their ends, other delimiters inside them.
 */

/** The score of a number, a date or a time. */
export const NUMBER = 1;
const EMPTY = 0.75;
const WORD = 0.9;
const TEXT = 0.75;
const LONG_TEXT = 0.65;
const RAGGED = 0.3;
const BROKEN = 0.05;

const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const SPACE = 0x20;

// Class 0 is every other byte: control characters and `"`.
const DIGIT = 1;
const LETTER = 2;
/** Between the parts of numbers, dates and times. */
const JOINT = 3;
/** Before or after a number: signs, currencies, percent. */
const SIGN = 4;
const BLANK = 5;
/** The usual delimiters. */
const DELIMITER = 6;
/** Common inside text. */
const PUNCTUATION = 7;

const CLASS = byteClasses();

function byteClasses(): Uint8Array {
  const classes = new Uint8Array(256);
  for (let byte = 0x30; byte <= 0x39; byte++) classes[byte] = DIGIT;
  for (let byte = 0x41; byte <= 0x5a; byte++) classes[byte] = classes[byte + 32] = LETTER;
  for (let byte = 0x80; byte < 0x100; byte++) classes[byte] = LETTER;
  for (const character of ".,:/-") classes[character.charCodeAt(0)] = JOINT;
  for (const character of "+$%#") classes[character.charCodeAt(0)] = SIGN;
  for (const character of ";|\t") classes[character.charCodeAt(0)] = DELIMITER;
  for (const character of "_@&'()!?*=[]<>\\{}~^`") classes[character.charCodeAt(0)] = PUNCTUATION;
  classes[SPACE] = BLANK;
  return classes;
}

/** Bytes of a cell that are looked at. */
const LOOK = 96;

/** The score of a cell that was not quoted, from 0 to 1. */
export function cellScore(bytes: Uint8Array, from: number, to: number): number {
  let start = from;
  let end = to;
  while (start < end && bytes[start] === SPACE) start++;
  while (end > start && bytes[end - 1] === SPACE) end--;
  if (start === end) return from === to ? EMPTY : EMPTY - 0.1;
  const first = bytes[start];
  const last = bytes[end - 1];
  if (first === QUOTE || last === QUOTE) return BROKEN;
  let digits = 0;
  let letters = 0;
  let joints = 0;
  let signs = 0;
  let blanks = 0;
  let delimiters = 0;
  let commas = 0;
  let others = 0;
  const stop = Math.min(end, start + LOOK);
  for (let i = start; i < stop; i++) {
    const byte = bytes[i];
    switch (CLASS[byte]) {
      case DIGIT:
        digits++;
        break;
      case LETTER:
        letters++;
        break;
      case JOINT:
        joints++;
        if (byte === 0x2c) commas++;
        break;
      case SIGN:
        signs++;
        break;
      case BLANK:
        blanks++;
        break;
      case DELIMITER:
        if (!isSemicolonOfProse(bytes, i, stop)) delimiters++;
        break;
      case PUNCTUATION:
        break;
      default:
        others++;
    }
  }
  const length = stop - start;
  if (delimiters > 0) return RAGGED / (1 + delimiters / 4);
  if (others > 0) return RAGGED;
  if (first === APOSTROPHE && last === APOSTROPHE && length > 1) return RAGGED;
  if (letters === 0 && digits > 0 && digits + joints + signs + blanks === length) {
    return numberLike(bytes, start, end, joints, signs, blanks, commas);
  }
  if (letters === 0 && digits === 0) return length <= 2 ? TEXT : RAGGED;
  if (digits > 0 && letters <= 3 && dateLike(bytes, start, end)) return NUMBER;
  if (blanks === 0 && commas === 0) return length <= 40 ? WORD : TEXT;
  if (commas > 0 && blanks < commas) return RAGGED;
  if (commas > 0) return LONG_TEXT - 0.1;
  return length <= 48 ? TEXT : LONG_TEXT;
}

/** Between a word and a space: `fine; so far`. */
function isSemicolonOfProse(bytes: Uint8Array, at: number, end: number): boolean {
  return bytes[at] === 0x3b && CLASS[bytes[at - 1]] === LETTER && at + 1 < end && bytes[at + 1] === SPACE;
}

/** Digits with joints: one number, date, time, range or code, or several values run together? */
function numberLike(
  bytes: Uint8Array,
  start: number,
  end: number,
  joints: number,
  signs: number,
  blanks: number,
  commas: number,
): number {
  if (joints + signs + blanks === 0) return NUMBER;
  const lead = bytes[start];
  const startsWithJoint = lead === 0x2c || lead === 0x3a || lead === 0x2f;
  const tail = bytes[end - 1];
  const endsWithJoint = tail === 0x2c || tail === 0x3a || tail === 0x2f;
  if (startsWithJoint || endsWithJoint) return RAGGED;
  if (commas > 0) return commaNumber(bytes, start, end, commas) ? NUMBER : RAGGED;
  if (blanks > 2 || joints > 6) return RAGGED;
  return NUMBER;
}

/** Whether commas group thousands or stand once before the fraction. */
function commaNumber(bytes: Uint8Array, start: number, end: number, commas: number): boolean {
  if (commas === 1) return true;
  let group = -1;
  for (let i = start; i < end; i++) {
    const byte = bytes[i];
    if (byte === 0x2c) {
      if (group >= 0 && group !== 3) return false;
      group = 0;
    } else if (byte === 0x2e) {
      return group === 3;
    } else if (group >= 0) {
      group++;
    }
  }
  return group === 3;
}

/** Timestamps with T, Z, AM or PM. */
function dateLike(bytes: Uint8Array, start: number, end: number): boolean {
  let colons = 0;
  let dashes = 0;
  for (let i = start; i < end; i++) {
    if (bytes[i] === 0x3a) colons++;
    else if (bytes[i] === 0x2d || bytes[i] === 0x2f) dashes++;
  }
  return colons >= 1 || dashes === 2;
}
