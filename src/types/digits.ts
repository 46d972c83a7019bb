const SPACE = 0x20;
const ZERO = 0x30;

/** Where a span begins once its leading spaces are left out. */
export function trimStart(bytes: Uint8Array, start: number, end: number): number {
  let i = start;
  while (i < end && bytes[i] === SPACE) i++;
  return i;
}

/** Where a span ends once its trailing spaces are left out. */
export function trimEnd(bytes: Uint8Array, start: number, end: number): number {
  let i = end;
  while (i > start && bytes[i - 1] === SPACE) i--;
  return i;
}

/** Whether a byte is an ASCII digit. */
export function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= 0x39;
}

/** How many digits stand at `i`, counted up to two. */
export function digitsAt(bytes: Uint8Array, i: number, end: number): number {
  if (i >= end || !isDigit(bytes[i])) return 0;
  return i + 1 < end && isDigit(bytes[i + 1]) ? 2 : 1;
}

/** The value of the one or two digits at `i`. */
export function shortNumber(bytes: Uint8Array, i: number, width: number): number {
  return width === 1 ? bytes[i] - ZERO : (bytes[i] - ZERO) * 10 + bytes[i + 1] - ZERO;
}

/** The value of the two digits at `i`, negative where they are none; the span has to hold both bytes. */
export function digitPair(bytes: Uint8Array, i: number): number {
  const tens = bytes[i] - ZERO;
  const ones = bytes[i + 1] - ZERO;
  // One test for both: a byte below 0 leaves its own sign bit set, one above 9 that of the difference.
  return (tens | ones | (9 - tens) | (9 - ones)) < 0 ? -1 : tens * 10 + ones;
}

/** The value of the two digits at `i`, −1 where there are fewer. */
export function twoDigits(bytes: Uint8Array, i: number, end: number): number {
  return i + 1 < end ? digitPair(bytes, i) : -1;
}

/** The value of the four digits at `i`, −1 where there are fewer. */
export function fourDigits(bytes: Uint8Array, i: number, end: number): number {
  if (i + 3 >= end) return -1;
  const high = digitPair(bytes, i);
  const low = digitPair(bytes, i + 2);
  return (high | low) < 0 ? -1 : high * 100 + low;
}
