import { equalsIgnoreCase } from "../../types/number.js";

/*
 * Numbers as VW reads them from a CSV cell. VW has two readers, and a cell is a number where either takes it to
 * its end: a short one of its own (spaces, minus, digits, point, digits, `e`, minus, digits: each part may be
 * absent), then C's strtof (white space, either sign, hexadecimal, inf, exponents that need their digits).
 *
 * Ours differs where VW's own reader is at fault: a mantissa needs a digit, exponents of any size are read as they
 * stand, and the result is the float32 nearest to the decimal.
 */

const TAB = 0x09;
const LF = 0x0a;
const VT = 0x0b;
const FF = 0x0c;
const CR = 0x0d;
const SPACE = 0x20;
const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const LOWER = 0x20;

/** VW's own reader leaves out what comes after this many decimals. */
const MOST_DECIMALS = 35;
/** Decimals of up to this many digits and powers of ten are exact by one division of doubles. */
const EXACT_DIGITS = 15;
/** Longer mantissas may overflow a float32 or lose more than {@link FAST_ERROR}. */
const MOST_FAST_DIGITS = 30;
const FAST_ERROR = 1e-14;
const POWERS = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/** The float32 that a cell holds, or NaN where it holds no number. A cell of spaces is 0, as in VW. */
export function readFloat32(bytes: Uint8Array, start: number, end: number): number {
  let i = start;
  while (i < end && bytes[i] === SPACE) i++;
  if (i === end) return end > start ? 0 : Number.NaN;
  // Names and words are more frequent than numbers' rarer forms.
  const first = bytes[i];
  if (first > NINE && (first | LOWER) !== 0x69) return Number.NaN;
  const negative = first === MINUS;
  if (negative) i++;
  let mantissa = 0;
  let digits = 0;
  let decimals = 0;
  for (; i < end && isDigit(bytes[i]); i++) {
    mantissa = mantissa * 10 + bytes[i] - ZERO;
    digits++;
  }
  if (i < end && bytes[i] === POINT) {
    for (i++; i < end && isDigit(bytes[i]); i++) {
      mantissa = mantissa * 10 + bytes[i] - ZERO;
      digits++;
      decimals++;
    }
  }
  if (digits === 0) return readUnusual(bytes, start, end);
  if (i < end) {
    // After digits, neither reader goes on but with an exponent or the x of 0x.
    const stop = bytes[i] | LOWER;
    return stop === 0x65 || stop === 0x78 ? readUnusual(bytes, start, end) : Number.NaN;
  }
  if (decimals >= POWERS.length || digits > MOST_FAST_DIGITS) return readUnusual(bytes, start, end);
  const double = mantissa / POWERS[decimals];
  if (digits <= EXACT_DIGITS) {
    const value = roundOnce(double, bytes, start, end);
    return negative ? -value : value;
  }
  // The mantissa is rounded once a digit at most: where that can't matter to 24 bits, it is good enough.
  const value = Math.fround(double * (1 - FAST_ERROR));
  if (value !== Math.fround(double * (1 + FAST_ERROR))) return readUnusual(bytes, start, end);
  return negative ? -value : value;
}

/** Whether a number that was read as an infinity is one too large, written with an exponent, and not `inf`. */
export function overflows(bytes: Uint8Array, start: number, end: number): boolean {
  let digits = false;
  let hexadecimal = false;
  for (let i = start; i < end; i++) {
    const lower = bytes[i] | LOWER;
    digits ||= isDigit(bytes[i]);
    hexadecimal ||= lower === 0x78;
    if (digits && lower === (hexadecimal ? 0x70 : 0x65)) return true;
  }
  return false;
}

/**
 * Where a number's shortest form ends, if it begins with one, or -1: no sign but a minus, no needless zero before
 * the digits, no exponent, zeros at the end of a fraction left out, and no more digits than the value needs.
 *
 * @param value The float32 that the whole number is read as.
 */
export function shortestEnd(bytes: Uint8Array, start: number, end: number, value: number): number {
  let i = start;
  if (bytes[i] === MINUS) i++;
  const first = i;
  let mantissa = 0;
  for (; i < end && isDigit(bytes[i]); i++) mantissa = mantissa * 10 + bytes[i] - ZERO;
  const whole = i - first;
  if (whole === 0 || (bytes[first] === ZERO && whole > 1)) return -1;
  if (i === end) return whole <= 7 ? end : -1;
  if (bytes[i] !== POINT) return -1;
  const point = i;
  let last = end;
  while (bytes[last - 1] === ZERO) last--;
  if (last === point + 1) return whole <= 7 ? point : -1;
  let digits = mantissa === 0 ? 0 : whole;
  for (i = point + 1; i < last; i++) {
    const digit = bytes[i] - ZERO;
    if (digit < 0 || digit > 9) return -1;
    mantissa = mantissa * 10 + digit;
    if (mantissa !== 0) digits++;
  }
  const decimals = last - point - 1;
  // As in JavaScript, 0.000001 is the smallest number without an exponent.
  if (mantissa === 0 || decimals - digits > 5 || digits > 9) return -1;
  if (digits <= 6) return last;
  // With one digit less, the two decimals next to the number are the only ones that could stand for it.
  const shorter = Math.floor(mantissa / 10);
  const scale = POWERS[decimals - 1];
  const magnitude = Math.abs(value);
  const suffices =
    Math.fround(shorter / scale) === magnitude || Math.fround((shorter + 1) / scale) === magnitude;
  return suffices ? -1 : last;
}

/** The decimal with the fewest digits whose nearest float32 is the given one; `inf` and `-inf` as VW reads them. */
export function shortestDecimal(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (Number.isInteger(value) && Math.abs(value) <= 1 << 24) return String(value);
  const magnitude = Math.abs(value);
  // Six digits always survive a float32, so where six do, the zeros at their end are all there is to leave out.
  const least = magnitude < SMALLEST_NORMAL ? 1 : 6;
  if (magnitude > 1e-12 && magnitude < 1e21 && !isPowerOfTwo(value)) {
    const power = Math.floor(Math.log10(magnitude));
    for (let precision = least; precision < 9; precision++) {
      const double = roundedTo(magnitude, precision - 1 - power);
      if (Math.fround(double) !== magnitude) continue;
      const text = plainForm(value < 0 ? -double : double);
      if (!isMidpoint(double, magnitude) || float32OfDecimal(text) === value) return text;
    }
  } else {
    for (let precision = least; precision < 9; precision++) {
      const decimal = nearestDecimal(value, precision);
      if (decimal !== null) return decimal;
    }
  }
  return plainForm(Number(value.toPrecision(9)));
}

const SMALLEST_NORMAL = 2 ** -126;

/** A number rounded to so many decimals, or, where they are negative, to a power of ten. */
function roundedTo(magnitude: number, decimals: number): number {
  if (decimals < 0) return Math.round(magnitude / POWERS[-decimals]) * POWERS[-decimals];
  return Math.round(magnitude * POWERS[decimals]) / POWERS[decimals];
}

const BITS = new Uint32Array(1);
const FLOAT = new Float32Array(BITS.buffer);

/** Below a power of two floats lie half as far apart as above it. */
function isPowerOfTwo(value: number): boolean {
  FLOAT[0] = value;
  return (BITS[0] & 0x7fffff) === 0;
}

/** A decimal of so many digits that is read as the value, or null. */
function nearestDecimal(value: number, precision: number): string | null {
  const text = value.toPrecision(precision);
  if (float32OfDecimal(text) === value) return plainForm(Number(text));
  // Where floats lie closer on one side, the nearest decimal may miss and the next one hit.
  const [mantissa, exponent = "0"] = text.split("e");
  const scale = (mantissa.split(".")[1] ?? "").length;
  const whole = BigInt(mantissa.replace(".", ""));
  const next = `${whole + (value > 0 ? 1n : -1n)}e${Number(exponent) - scale}`;
  return float32OfDecimal(next) === value ? plainForm(Number(next)) : null;
}

/** As JavaScript writes it, without the plus of an exponent. */
function plainForm(decimal: number): string {
  const text = String(decimal);
  return Math.abs(decimal) < 1e21 ? text : text.replace("+", "");
}

/** The float32 nearest to a decimal in JavaScript's syntax. */
export function float32OfDecimal(text: string): number {
  const double = Number(text);
  const value = Math.fround(double);
  return value === double || !isMidpoint(double, value) ? value : decideMidpoint(text, double, value);
}

function roundOnce(double: number, bytes: Uint8Array, start: number, end: number): number {
  const value = Math.fround(double);
  if (value === double || !isMidpoint(double, value)) return value;
  return decideMidpoint(asciiText(bytes, start, end).trim().replace("-", ""), double, value);
}

/** Twice the largest float32's distance to its neighbour: where it overflows, the grid goes on. */
const BEYOND_LARGEST = 2 ** 128;

/**
 * Whether a double lies in the middle between two float32: only there can rounding a decimal to a double first
 * lead to the wrong float32.
 */
function isMidpoint(double: number, value: number): boolean {
  if (!Number.isFinite(value)) return Math.abs(double) === BEYOND_LARGEST - 2 ** 103;
  const mirrored = 2 * double - value;
  return Math.fround(mirrored) === mirrored || Math.abs(mirrored) === BEYOND_LARGEST;
}

/** Rounds a decimal whose double is the middle of two float32, by the side of the middle on which it lies. */
function decideMidpoint(text: string, double: number, value: number): number {
  const side = compareDecimal(text, double);
  if (side === 0) return value;
  const magnitude = Number.isFinite(value) ? Math.abs(value) : BEYOND_LARGEST;
  const other = 2 * Math.abs(double) - magnitude;
  const away = double > 0 ? side > 0 : side < 0;
  const chosen = Math.fround(away ? Math.max(magnitude, other) : Math.min(magnitude, other));
  return double < 0 ? -chosen : chosen;
}

/** How a decimal compares with a double, exactly: -1, 0 or 1. */
function compareDecimal(text: string, double: number): number {
  const [mantissa, exponent = "0"] = text.toLowerCase().split("e");
  const [whole, fraction = ""] = mantissa.split(".");
  const power = Number(exponent) - fraction.length;
  let left = BigInt(whole + fraction);
  let denominatorPower = 0;
  let scaled = double;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    denominatorPower++;
  }
  let right = BigInt(scaled);
  left *= 2n ** BigInt(denominatorPower);
  if (power >= 0) left *= 10n ** BigInt(power);
  else right *= 10n ** BigInt(-power);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Exponents, long mantissas and all that only strtof reads: rare, so clarity comes before speed. */
function readUnusual(bytes: Uint8Array, start: number, end: number): number {
  let i = start;
  while (i < end && bytes[i] === SPACE) i++;
  const minus = bytes[i] === MINUS;
  const short = readDecimal(bytes, minus ? i + 1 : i, end, MOST_DECIMALS, true);
  if (short.end === end) return short.found ? signed(minus, decimalValue(short)) : Number.NaN;
  // Here VW's own reader takes the number to be complete, and strtof is not asked.
  if (bytes[short.end] === SPACE || bytes[short.end] === TAB || bytes[short.end] === LF) return Number.NaN;

  i = start;
  while (i < end && (bytes[i] === SPACE || isControlSpace(bytes[i]))) i++;
  const negative = bytes[i] === MINUS;
  if (i < end && (negative || bytes[i] === PLUS)) i++;
  if (equalsIgnoreCase(bytes, i, end, "inf") || equalsIgnoreCase(bytes, i, end, "infinity")) {
    return signed(negative, Number.POSITIVE_INFINITY);
  }
  if (end - i > 2 && bytes[i] === ZERO && (bytes[i + 1] | LOWER) === 0x78) {
    return signed(negative, readHexadecimal(bytes, i + 2, end));
  }
  const decimal = readDecimal(bytes, i, end, Number.POSITIVE_INFINITY, false);
  return decimal.end === end && decimal.found ? signed(negative, decimalValue(decimal)) : Number.NaN;
}

function signed(negative: boolean, value: number): number {
  return negative ? -value : value;
}

/** digits × 10^power. */
interface Decimal {
  digits: string;
  power: number;
  /** Whether a digit was there at all. */
  found: boolean;
  /** Where it ends. */
  end: number;
}

/**
 * The middle between two float32 has fewer significant digits than this, so that of all digits that follow it
 * matters only whether one of them is not zero.
 */
const MOST_DIGITS = 200;
/** Past these powers of ten every float32 is zero or infinite, whatever digits a cell can hold. */
const FAR_EXPONENT = 1e9;

/**
 * The decimal at `start`: digits, point, digits, exponent, each of which may be absent.
 *
 * @param mostDecimals Decimals that count.
 * @param bareExponent Whether an exponent may lack its digits, and has no plus.
 */
function readDecimal(
  bytes: Uint8Array,
  start: number,
  end: number,
  mostDecimals: number,
  bareExponent: boolean,
): Decimal {
  let digits = "";
  let power = 0;
  let found = false;
  let cut = false;
  let decimals = -1;
  let i = start;
  for (; i < end; i++) {
    const byte = bytes[i];
    if (byte === POINT && decimals < 0) {
      decimals = 0;
      continue;
    }
    if (!isDigit(byte)) break;
    found = true;
    if (decimals >= mostDecimals) continue;
    if (decimals >= 0) decimals++;
    if (digits.length === MOST_DIGITS) {
      cut ||= byte !== ZERO;
      if (decimals < 0) power++;
    } else {
      if (decimals >= 0) power--;
      if (byte !== ZERO || digits !== "") digits += String.fromCharCode(byte);
    }
  }
  if (cut) {
    digits += "1";
    power--;
  }
  if (i < end && (bytes[i] | LOWER) === 0x65) {
    const signEnd = exponentSignEnd(bytes, i + 1, end, !bareExponent);
    const last = digitsEnd(bytes, signEnd, end);
    if (last > signEnd || bareExponent) {
      power += exponentOf(bytes, i + 1, signEnd, last);
      i = last;
    }
  }
  return { digits, power, found, end: i };
}

function decimalValue(decimal: Decimal): number {
  return decimal.digits === "" ? 0 : float32OfDecimal(`${decimal.digits}e${decimal.power}`);
}

/** The hexadecimal number after `0x`, or NaN. */
function readHexadecimal(bytes: Uint8Array, start: number, end: number): number {
  let digits = "";
  let power = 0;
  let found = false;
  let cut = false;
  let pointed = false;
  let i = start;
  for (; i < end; i++) {
    if (bytes[i] === POINT && !pointed) {
      pointed = true;
      continue;
    }
    if (!isDigit(bytes[i]) && !isHexLetter(bytes[i])) break;
    found = true;
    if (digits.length === MOST_DIGITS) {
      cut ||= bytes[i] !== ZERO;
      if (!pointed) power += 4;
    } else {
      if (pointed) power -= 4;
      if (bytes[i] !== ZERO || digits !== "") digits += String.fromCharCode(bytes[i]);
    }
  }
  if (!found) return Number.NaN;
  if (cut) {
    digits += "1";
    power -= 4;
  }
  if (i < end && (bytes[i] | LOWER) === 0x70) {
    const signEnd = exponentSignEnd(bytes, i + 1, end, true);
    const last = digitsEnd(bytes, signEnd, end);
    if (last === signEnd) return Number.NaN;
    power += exponentOf(bytes, i + 1, signEnd, last);
    i = last;
  }
  return i === end ? float32OfBinary(BigInt(`0x0${digits}`), power) : Number.NaN;
}

function exponentSignEnd(bytes: Uint8Array, start: number, end: number, plus: boolean): number {
  const sign = start < end && (bytes[start] === MINUS || (plus && bytes[start] === PLUS));
  return sign ? start + 1 : start;
}

function digitsEnd(bytes: Uint8Array, start: number, end: number): number {
  let i = start;
  while (i < end && isDigit(bytes[i])) i++;
  return i;
}

/** The exponent whose sign stands at `sign` and whose digits from `start` to `end`; none at all is 0. */
function exponentOf(bytes: Uint8Array, sign: number, start: number, end: number): number {
  let exponent = 0;
  for (let i = start; i < end; i++) exponent = Math.min(FAR_EXPONENT, exponent * 10 + bytes[i] - ZERO);
  return start > sign && bytes[sign] === MINUS ? -exponent : exponent;
}

function isHexLetter(byte: number): boolean {
  const lower = byte | LOWER;
  return lower >= 0x61 && lower <= 0x66;
}

/** mantissa × 2^power, rounded once, half to even. */
function float32OfBinary(mantissa: bigint, power: number): number {
  if (mantissa === 0n) return 0;
  const bits = mantissa.toString(2).length;
  const top = bits + power;
  if (top > 130) return Number.POSITIVE_INFINITY;
  if (top < -150) return 0;
  // The lowest bit of a float32 with this top, or of a subnormal one.
  const unit = Math.max(top - 24, -149);
  const drop = unit - power;
  let kept = mantissa;
  if (drop > 0) {
    const shift = BigInt(drop);
    kept = mantissa >> shift;
    const rest = mantissa - (kept << shift);
    const half = 1n << (shift - 1n);
    if (rest > half || (rest === half && (kept & 1n) === 1n)) kept += 1n;
  }
  // At most 2^24 × 2^unit, or a mantissa that was short already: exact in doubles, so rounded once.
  return Math.fround(Number(kept) * 2 ** (drop > 0 ? unit : power));
}

/**
 * Whether VW's text reader would take a string that begins so for a number, or for one with something after it.
 * Such a value is written after a tab.
 */
export function startsLikeNumber(bytes: Uint8Array, start: number, end: number): boolean {
  let i = start;
  const first = bytes[i];
  if (first > NINE && !isWordStart(first)) return false;
  if (first < SPACE || isDigit(first)) return true;
  if (first === MINUS || first === PLUS) i++;
  if (i < end && isDigit(bytes[i])) return true;
  if (i < end && isWordStart(bytes[i]) && (bytes[i] | LOWER) !== 0x65) {
    return (
      end - i >= 3 && (equalsIgnoreCase(bytes, i, i + 3, "inf") || equalsIgnoreCase(bytes, i, i + 3, "nan"))
    );
  }
  if (i < end && bytes[i] === POINT) {
    i++;
    if (i < end && isDigit(bytes[i])) return true;
  }
  if (first === PLUS) return false;
  // What VW's own reader takes for the number 0: a minus, a point, an exponent, and nothing else.
  if (i < end && (bytes[i] | LOWER) === 0x65) {
    i++;
    if (i < end && bytes[i] === MINUS) i++;
    while (i < end && isDigit(bytes[i])) i++;
  }
  return i === end;
}

/** e, i or n, in either case. */
function isWordStart(byte: number): boolean {
  const lower = byte | LOWER;
  return lower === 0x65 || lower === 0x69 || lower === 0x6e;
}

/** White space of C's isspace but the space itself. */
function isControlSpace(byte: number): boolean {
  return byte === TAB || byte === LF || byte === VT || byte === FF || byte === CR;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}

/** A span as text, one character a byte; what lies past ASCII is no part of any number. */
function asciiText(bytes: Uint8Array, start: number, end: number): string {
  let text = "";
  for (let i = start; i < end; i++) text += String.fromCharCode(bytes[i]);
  return text;
}
