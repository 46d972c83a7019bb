import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  castDouble,
  fitsBigint,
  type NumberSyntax,
  PLAIN_NUMBERS,
  parseBigInteger,
  parseSafeInteger,
} from "../../src/types/number.js";

const encoder = new TextEncoder();
const GROUPED: NumberSyntax = { decimal: 0x2e, thousands: 0x2c };
const CONTINENTAL: NumberSyntax = { decimal: 0x2c, thousands: 0x2e };
const values = new Float64Array(1);

/** The double that a text is cast to, or undefined where it is refused. */
function double(text: string, syntax = PLAIN_NUMBERS): number | undefined {
  const bytes = encoder.encode(text);
  return castDouble(bytes, 0, bytes.length, syntax, values, 0) ? values[0] : undefined;
}

function integer(text: string, syntax = PLAIN_NUMBERS): number {
  const bytes = encoder.encode(text);
  return parseSafeInteger(bytes, 0, bytes.length, syntax);
}

function bigInteger(text: string, syntax = PLAIN_NUMBERS): bigint | null {
  const bytes = encoder.encode(text);
  return parseBigInteger(bytes, 0, bytes.length, syntax);
}

/** A generator of numbers from 0 up to `below`, the same in every run (xorshift32). */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** Random digits, of which pieces are cut at random: making each anew would take most of the time. */
const DIGITS = (() => {
  const random = randomNumbers(7);
  return Array.from({ length: 1 << 16 }, () => random(10)).join("");
})();

function randomDigits(random: (below: number) => number, count: number): string {
  const from = random(DIGITS.length - 64);
  return DIGITS.slice(from, from + count);
}

/** Decimals of every kind: short, long, tiny, huge, subnormal, and exactly half way between two doubles. */
function* decimals(count: number): Generator<string> {
  const random = randomNumbers(20_241_201);
  const bits = new DataView(new ArrayBuffer(8));
  const decimal = (whole: number, fraction: number) => {
    const first = whole === 0 ? "0" : String(1 + random(9)) + randomDigits(random, whole - 1);
    return `${random(2) === 0 ? "-" : ""}${first}.${randomDigits(random, fraction)}`;
  };
  for (let i = 0; i < count; i++) {
    switch (i % 8) {
      case 0:
        yield decimal(1 + random(6), 1 + random(6));
        break;
      case 1:
        yield decimal(random(16), 1 + random(16));
        break;
      case 2:
        yield decimal(1 + random(20), 1 + random(30));
        break;
      case 3:
        yield `${decimal(1, 1 + random(18))}e${random(600) - 300}`;
        break;
      case 4: {
        // Any double at all, as JavaScript writes it.
        bits.setUint32(0, random(0xffffffff));
        bits.setUint32(4, random(0xffffffff));
        const text = String(bits.getFloat64(0));
        yield /^-?[\d.]+(e|$)/.test(text) ? withPoint(text) : "1.5";
        break;
      }
      case 5: {
        // Subnormal.
        bits.setUint32(0, random(0xfffff));
        bits.setUint32(4, 1 + random(0xfffffffe));
        yield withPoint(bits.getFloat64(0).toPrecision(1 + random(30)));
        break;
      }
      case 6: {
        // Half way between two doubles, and a hair beside it.
        const half = (BigInt(2 ** 53) + BigInt(random(1_000_000)) * 2n + 1n) << BigInt(random(64));
        yield `${half}.${["", "0", "0000000000000000000001"][random(3)]}`;
        break;
      }
      default:
        yield `0.${"0".repeat(random(30))}${randomDigits(random, 1 + random(25))}`;
    }
  }
}

/** JavaScript writes no point before an exponent where there is one digit only; the syntax wants a point or a sign. */
function withPoint(text: string): string {
  return text.includes(".") || text.includes("e") ? text : `${text}.0`;
}

describe("DOUBLE", () => {
  it("is Number(text) for a million decimals", () => {
    const bytes = new Uint8Array(1_024);
    let wrong = "";
    let seen = 0;
    for (const text of decimals(1_000_000)) {
      const { written } = encoder.encodeInto(text, bytes);
      const number = Number(text);
      if (number === 0 && /[1-9]/.test(text.replace(/e.*/, ""))) continue;
      seen++;
      if (!castDouble(bytes, 0, written, PLAIN_NUMBERS, values, 0) || !Object.is(values[0], number)) {
        wrong ||= `${text} is read as ${values[0]}`;
      }
    }
    expect(wrong).toBe("");
    expect(seen).toBeGreaterThan(990_000);
  });

  it("is exact in cases that have fooled others", () => {
    for (const text of [
      "2.2250738585072011e-308",
      "2.2250738585072012e-308",
      "4.9406564584124654e-324",
      "1.7976931348623157e+308",
      "9007199254740993.0",
      "0.1000000000000000055511151231257827021181583404541015625",
      "6.0221407600000000000000000000000001e+23",
      "8.41e+21",
      "9.5367431640625e-7",
      "0.000000000000000000000000000000000123",
      "123456789012345678901234567890.5",
      `0.${"3".repeat(800)}`,
    ]) {
      expect(double(text)).toBe(Number(text));
    }
    expect(double("-0")).toBe(-0);
    expect(double("-0.0")).toBe(-0);
  });

  it("refuses what would be rounded away, and what is a code", () => {
    const refused = [
      "007",
      "-01.5",
      "+1",
      "1_000",
      "0x1F",
      "713752e1",
      "1e5",
      "1e400",
      "1.5e400",
      "1.0e-400",
    ];
    for (const text of [
      ...refused,
      "",
      "-",
      ".",
      "-.",
      "e1",
      ".e1",
      "1.5e",
      "1.5e+",
      "1..2",
      "1.2.3",
      "1 2",
    ]) {
      expect(double(text), text).toBeUndefined();
    }
    expect(double("9007199254740992")).toBeUndefined();
    expect(double("9007199254740991")).toBe(9007199254740991);
  });

  it("takes points without digits on one side, and signed exponents", () => {
    expect([".5", "-.5", "5.", "1e+5", "1.e2", "1E-5", "0e+0"].map((text) => double(text))).toEqual([
      0.5, -0.5, 5, 100_000, 100, 1e-5, 0,
    ]);
  });

  it("takes NaN and the infinities in any case", () => {
    const texts = ["NaN", "nan", "inf", "-INF", "Infinity", "-infinity"];
    const { POSITIVE_INFINITY: most, NEGATIVE_INFINITY: least } = Number;
    expect(texts.map((text) => double(text))).toEqual([Number.NaN, Number.NaN, most, least, most, least]);
    for (const text of ["infin", "in", "+inf", "nan1"]) expect(double(text)).toBeUndefined();
  });

  it("takes the separators of its syntax, groups of three only", () => {
    expect(double("1,234,567.5", GROUPED)).toBe(1234567.5);
    expect(double("1.234,5", CONTINENTAL)).toBe(1234.5);
    expect(double("1234.5", GROUPED)).toBe(1234.5);
    for (const text of ["12,34.5", "1,2345.5", ",123.5", "1,.5", "1,234,56", "1.5,000"]) {
      expect(double(text, GROUPED), text).toBeUndefined();
    }
  });

  it("accepts what its rules say, and nothing else", () => {
    const texts = fc
      .array(fc.constantFrom(..."00112345678999..-+eE,_x n".split("")), { maxLength: 12 })
      .map((characters) => characters.join(""));
    fc.assert(
      fc.property(fc.oneof(texts, fc.double().map(String), fc.integer().map(String)), (text) => {
        expect(double(text)).toBe(ruledDouble(text));
      }),
      { numRuns: 20_000 },
    );
  });
});

/** The rules once more, by a pattern. */
function ruledDouble(text: string): number | undefined {
  if (/^-?(nan|inf|infinity)$/i.test(text)) {
    const special = /nan/i.test(text) ? Number.NaN : Number.POSITIVE_INFINITY;
    return text.startsWith("-") ? -special : special;
  }
  const parts = /^-?(\d*)(\.\d*)?([eE]([+-]?)\d+)?$/.exec(text);
  if (parts === null) return undefined;
  const [, whole, point, exponent, sign] = parts;
  if (whole === "" && (point ?? ".") === ".") return undefined;
  if (/^0\d/.test(whole)) return undefined;
  if (exponent !== undefined && point === undefined && sign === "") return undefined;
  const value = Number(text);
  if (point === undefined && exponent === undefined && Math.abs(value) > Number.MAX_SAFE_INTEGER)
    return undefined;
  if (!Number.isFinite(value)) return undefined;
  return value === 0 && /[1-9]/.test(whole + (point ?? "")) ? undefined : value;
}

describe("BIGINT", () => {
  it("is a whole number that a double keeps, written as a number is printed", () => {
    expect(["0", "7", "-7", "9007199254740991", "-9007199254740991"].map((text) => integer(text))).toEqual([
      0, 7, -7, 9007199254740991, -9007199254740991,
    ]);
    for (const text of ["", "-", "-0", "007", "+1", "1.0", "1e3", " 1", "1_000", "9007199254740992", "1a"]) {
      expect(integer(text), text).toBeNaN();
    }
  });

  it("accepts what its rules say, and nothing else", () => {
    const digits = fc
      .array(fc.constantFrom(..."0123456789-,. +".split("")), { maxLength: 22 })
      .map((characters) => characters.join(""));
    fc.assert(
      fc.property(fc.oneof(digits, fc.bigInt().map(String), fc.maxSafeInteger().map(String)), (text) => {
        const ruled = /^(0|-?[1-9]\d*)$/.test(text) ? BigInt(text) : null;
        const fits = ruled !== null && ruled >= -(2n ** 127n) && ruled < 2n ** 127n;
        expect(bigInteger(text)).toBe(fits ? ruled : null);
        const safe = ruled !== null && Number.isSafeInteger(Number(ruled));
        expect(integer(text)).toBe(safe ? Number(ruled) : Number.NaN);
      }),
      { numRuns: 10_000 },
    );
  });

  it("has its groups by the syntax", () => {
    expect(integer("1,234,567", GROUPED)).toBe(1234567);
    expect(integer("-12.345", CONTINENTAL)).toBe(-12345);
    expect(integer("1234", GROUPED)).toBe(1234);
    for (const text of ["1,23", "1,2345", ",123", "1,", "0,123", "1,234,"])
      expect(integer(text, GROUPED)).toBeNaN();
  });

  it("has 64 bits, and HUGEINT 128", () => {
    const most = 2n ** 63n - 1n;
    expect([most, most + 1n, -most - 1n, -most - 2n].map(fitsBigint)).toEqual([true, false, true, false]);
    const huge = 2n ** 127n - 1n;
    expect(bigInteger(String(huge))).toBe(huge);
    expect(bigInteger(String(huge + 1n))).toBeNull();
    expect(bigInteger(String(-huge - 1n))).toBe(-huge - 1n);
    expect(bigInteger(String(-huge - 2n))).toBeNull();
  });
});
