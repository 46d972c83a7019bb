/** How numbers are written, as bytes. */
export interface NumberSyntax {
  /** The byte between the whole and the fraction. */
  decimal: number;
  /** The byte between groups of three digits, 0 for none. */
  thousands: number;
}

export const PLAIN_NUMBERS: NumberSyntax = { decimal: 0x2e, thousands: 0 };

const MINUS = 0x2d;
const PLUS = 0x2b;
const ZERO = 0x30;

/** 10^0 to 10^22: the powers of ten that a double holds exactly. */
const POWERS = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/** Digits below this count always make an exact double. */
const SAFE_DIGITS = 15;

/**
 * The whole number that a span holds, or NaN where it holds none that a double keeps exactly. Refused, because
 * they could not be printed back as they stood: leading zeros, a leading plus, minus zero, separators other
 * than the syntax's own in groups of three, and anything past 2^53 − 1.
 */
export function parseSafeInteger(
  bytes: Uint8Array,
  start: number,
  end: number,
  syntax: NumberSyntax,
): number {
  let i = start;
  const negative = bytes[i] === MINUS;
  if (negative) i++;
  const digits = end - i;
  if (digits <= 0) return Number.NaN;
  if (digits <= SAFE_DIGITS && (bytes[i] !== ZERO || digits === 1)) {
    let value = 0;
    for (; i < end; i++) {
      const digit = bytes[i] - ZERO;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
    }
    if (i === end) return negative ? (value === 0 ? Number.NaN : -value) : value;
  }
  const big = parseBigInteger(bytes, start, end, syntax);
  if (big === null) return Number.NaN;
  const value = Number(big);
  return Number.isSafeInteger(value) ? value : Number.NaN;
}

const BIGINT_MIN = -(2n ** 63n);
const BIGINT_MAX = 2n ** 63n - 1n;
const HUGEINT_MIN = -(2n ** 127n);
const HUGEINT_MAX = 2n ** 127n - 1n;
/** Longest text of a HUGEINT, separators included. */
const LONGEST_INTEGER = 56;

/** Whether a whole number fits 64 bits. */
export function fitsBigint(value: bigint): boolean {
  return value >= BIGINT_MIN && value <= BIGINT_MAX;
}

/** The whole number that a span holds, up to 128 bits, by the same rules; null where it holds none. */
export function parseBigInteger(
  bytes: Uint8Array,
  start: number,
  end: number,
  syntax: NumberSyntax,
): bigint | null {
  if (end - start > LONGEST_INTEGER) return null;
  const negative = bytes[start] === MINUS;
  const first = negative ? start + 1 : start;
  const whole = wholeDigits(bytes, first, end, syntax);
  if (whole === null || whole.end !== end) return null;
  if (bytes[first] === ZERO && (whole.text.length > 1 || negative)) return null;
  const magnitude = BigInt(whole.text);
  const value = negative ? -magnitude : magnitude;
  return value >= HUGEINT_MIN && value <= HUGEINT_MAX ? value : null;
}

/** The run of digits at `start`, group separators left out, or null where there is none or a group is odd. */
function wholeDigits(
  bytes: Uint8Array,
  start: number,
  end: number,
  syntax: NumberSyntax,
): { text: string; end: number } | null {
  let text = "";
  let group = 0;
  let grouped = false;
  let i = start;
  for (; i < end; i++) {
    const byte = bytes[i];
    if (byte >= ZERO && byte <= ZERO + 9) {
      text += String.fromCharCode(byte);
      group++;
    } else if (byte === syntax.thousands && syntax.thousands !== 0) {
      if (group === 0 || group > 3 || (grouped && group !== 3)) return null;
      grouped = true;
      group = 0;
    } else {
      break;
    }
  }
  if (text === "" || (grouped && group !== 3)) return null;
  return { text, end: i };
}

/**
 * Stores the number that a span holds at `values[row]` and says whether it holds one. The value is the double
 * nearest to the decimal, as `Number(text)` gives it.
 *
 * Refused, as text that only looks like a number: leading zeros, a leading plus, whole numbers past 2^53 − 1
 * (they would be rounded), exponents without a point or a sign (`713752e1` is a code), exponents that overflow
 * to Infinity or underflow to zero.
 */
export function castDouble(
  bytes: Uint8Array,
  start: number,
  end: number,
  syntax: NumberSyntax,
  values: Float64Array,
  row: number,
): boolean {
  let i = start;
  const negative = bytes[i] === MINUS;
  if (negative) i++;
  const first = i;
  let mantissa = 0;
  let digits = 0;
  for (; i < end; i++) {
    const digit = bytes[i] - ZERO;
    if (digit < 0 || digit > 9) break;
    mantissa = mantissa * 10 + digit;
    digits++;
  }
  const wholeDigitCount = digits;
  if (wholeDigitCount > 1 && bytes[first] === ZERO) return false;
  if (i === end) {
    if (digits === 0 || mantissa > Number.MAX_SAFE_INTEGER) return false;
    values[row] = negative ? -mantissa : mantissa;
    return true;
  }
  let scale = 0;
  if (bytes[i] === syntax.decimal) {
    i++;
    for (; i < end; i++) {
      const digit = bytes[i] - ZERO;
      if (digit < 0 || digit > 9) break;
      mantissa = mantissa * 10 + digit;
      digits++;
      scale++;
    }
    if (
      i === end &&
      digits > 0 &&
      (digits <= SAFE_DIGITS || mantissa <= Number.MAX_SAFE_INTEGER) &&
      scale <= 22
    ) {
      const value = mantissa / POWERS[scale];
      values[row] = negative ? -value : value;
      return true;
    }
  }
  return castUnusual(bytes, start, end, syntax, values, row);
}

/** Longest text that is tried as an unusual number. */
const LONGEST_NUMBER = 1100;

/** Many digits, exponents, group separators, NaN and the infinities: rare, so clarity comes before speed. */
function castUnusual(
  bytes: Uint8Array,
  start: number,
  end: number,
  syntax: NumberSyntax,
  values: Float64Array,
  row: number,
): boolean {
  if (end - start > LONGEST_NUMBER) return false;
  const negative = bytes[start] === MINUS;
  const first = negative ? start + 1 : start;
  const special = specialNumber(bytes, first, end);
  if (special !== null) {
    values[row] = negative ? -special : special;
    return true;
  }
  const whole = wholeDigits(bytes, first, end, syntax);
  if (whole !== null && whole.text.length > 1 && whole.text[0] === "0") return false;
  let text = whole === null ? "0" : whole.text;
  let i = whole === null ? first : whole.end;
  const pointed = bytes[i] === syntax.decimal && i < end;
  if (pointed) {
    const fraction = asciiDigits(bytes, i + 1, end);
    if (whole === null && fraction === "") return false;
    i += 1 + fraction.length;
    text += `.${fraction}`;
  } else if (whole === null) {
    return false;
  }
  if (i < end) {
    if (bytes[i] !== 0x65 && bytes[i] !== 0x45) return false;
    i++;
    const signed = bytes[i] === MINUS || bytes[i] === PLUS;
    if (!pointed && !signed) return false;
    const sign = bytes[i] === MINUS ? "-" : "";
    if (signed) i++;
    const exponent = asciiDigits(bytes, i, end);
    if (exponent === "" || i + exponent.length !== end) return false;
    text += `e${sign}${exponent}`;
  } else if (!pointed && Number(text) > Number.MAX_SAFE_INTEGER) {
    return false;
  }
  const value = Number(text);
  if (!Number.isFinite(value)) return false;
  if (value === 0 && hasNonZeroDigit(text)) return false;
  values[row] = negative ? -value : value;
  return true;
}

function asciiDigits(bytes: Uint8Array, start: number, end: number): string {
  let i = start;
  while (i < end && bytes[i] >= ZERO && bytes[i] <= ZERO + 9) i++;
  return String.fromCharCode(...bytes.subarray(start, i));
}

function hasNonZeroDigit(text: string): boolean {
  for (const character of text) {
    if (character === "e") return false;
    if (character >= "1" && character <= "9") return true;
  }
  return false;
}

/** NaN, inf and infinity in any case, as DuckDB reads them; null for anything else. */
function specialNumber(bytes: Uint8Array, start: number, end: number): number | null {
  if (equalsIgnoreCase(bytes, start, end, "nan")) return Number.NaN;
  if (equalsIgnoreCase(bytes, start, end, "inf") || equalsIgnoreCase(bytes, start, end, "infinity")) {
    return Number.POSITIVE_INFINITY;
  }
  return null;
}

/** Whether a span is an ASCII word, given in lower case, in any case. */
export function equalsIgnoreCase(bytes: Uint8Array, start: number, end: number, word: string): boolean {
  if (end - start !== word.length) return false;
  for (let i = 0; i < word.length; i++) {
    const byte = bytes[start + i];
    const lower = byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
    if (lower !== word.charCodeAt(i)) return false;
  }
  return true;
}
