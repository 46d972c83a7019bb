import { describe, expect, it } from "vitest";
import {
  overflows,
  readFloat32,
  shortestDecimal,
  shortestEnd,
  startsLikeNumber,
} from "../../../src/output/vw/number.js";

const encoder = new TextEncoder();
/** A text as a span that digits surround, so that a reader which runs past either end gives itself away. */
const spanOf = (text: string): [Uint8Array, number, number] => {
  const bytes = encoder.encode(`1${text}0e5`);
  return [bytes, 1, bytes.length - 3];
};
const read = (text: string) => readFloat32(...spanOf(text));

/** The same pseudo-random numbers in each run. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}

const view = new DataView(new ArrayBuffer(4));
function floatOf(bits: number): number {
  view.setUint32(0, bits);
  return view.getFloat32(0);
}

/** A finite number × 2^149, the unit of all float32. */
function units(value: number): bigint {
  let scaled = value;
  let power = 149;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    power--;
  }
  return BigInt(scaled) << BigInt(power);
}

/** numerator / 10^decimals, as a plain decimal. */
function plainDecimal(numerator: bigint, decimals: number): string {
  const digits = numerator.toString().padStart(decimals + 1, "0");
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

describe("readFloat32", () => {
  it.each([
    ["5", 5],
    ["-5", -5],
    ["+5", 5],
    [".5", 0.5],
    ["5.", 5],
    ["-.5", -0.5],
    ["1e5", 1e5],
    ["1E+5", 1e5],
    ["1e-5", Math.fround(1e-5)],
    ["1e", 1],
    ["1e-", 1],
    ["0x6E", 110],
    ["-0X1.8p+1", -3],
    ["0x.8", 0.5],
    ["0x1p-149", 2 ** -149],
    ["0x1.000001p0", 1],
    ["0x1.000003p0", 1 + 2 ** -22],
    ["inf", Infinity],
    ["-INFINITY", -Infinity],
    ["+Inf", Infinity],
    ["  5", 5],
    ["\f5", 5],
    ["0", 0],
    ["-0.0", -0],
    [" ", 0],
    ["   ", 0],
    ["007", 7],
    ["1e39", Infinity],
    ["1e-400", 0],
    ["1e99999999999", Infinity],
    ["0.0000000000000000000000000000000000005", 0],
    ["123456789012345678901234567890", Math.fround(1.2345678901234568e29)],
    [`${"9".repeat(45)}`, Infinity],
    [`0.${"1".repeat(40)}`, Math.fround(1 / 9)],
  ])("takes %j for a number", (text, value) => {
    expect(read(text)).toBe(value);
  });

  it.each(
    "|e|E|.|-|+|-.|e5|E-3|.e1|-e|+e5|+5e|5 |1 2|\t5| \t5|NaN|nan(1)|-nan|1.2.3|1_000|5abc|0x|0xZ|0x1p|0x1p3.5|--5|- 5|1e5x|1e5.|1e+|infinit|nancy|$5|5%|12:30|2021-01-01|1,5|½|TRUE".split(
      "|",
    ),
  )("takes %j for text", (text) => {
    expect(read(text)).toBeNaN();
  });

  it("gives the nearest float32, from decimals close to the middle of two", () => {
    const random = generator(7);
    for (let i = 0; i < 400; i++) {
      const bits = 0x3000_0000 + Math.floor(random() * 0x2000_0000);
      const low = floatOf(bits);
      const high = floatOf(bits + 1);
      const middle = units(low) + units(high);
      const decimals = 150;
      // The middle is middle / 2^150, whose decimal has 150 places.
      const exact = middle * 5n ** 150n;
      const even = bits % 2 === 0 ? low : high;
      expect(read(`+${plainDecimal(exact, decimals)}`)).toBe(even);
      expect(read(`+${plainDecimal(exact + 1n, decimals)}`)).toBe(high);
      expect(read(`+${plainDecimal(exact - 1n, decimals)}e0`)).toBe(low);
      expect(read(`+${plainDecimal(exact, decimals)}${"0".repeat(300)}1`)).toBe(high);
    }
  });

  it("reads decimals of all sizes as their double, rounded, says", () => {
    const random = generator(11);
    for (let i = 0; i < 20_000; i++) {
      const digits = Math.floor(random() * 10 ** (1 + Math.floor(random() * 15)));
      const decimals = Math.floor(random() * 12);
      const text = plainDecimal(BigInt(digits), decimals);
      expect(read(text)).toBe(Math.fround(Number(text)));
      expect(read(`-${text}e-3`)).toBe(-Math.fround(Number(`${text}e-3`)));
    }
  });
});

describe("shortestDecimal", () => {
  it.each([
    [Math.fround(0.1), "0.1"],
    [0.5, "0.5"],
    [-3, "-3"],
    [Math.fround(16777217), "16777216"],
    [Math.fround(3.4028235e38), "3.4028235e38"],
    [Math.fround(1e-7), "1e-7"],
    [2 ** -149, "1e-45"],
    [2 ** -126, "1.1754944e-38"],
    [Math.fround(1e29), "1e29"],
    [Infinity, "inf"],
    [-Infinity, "-inf"],
  ])("writes %d as %s", (value, text) => {
    expect(shortestDecimal(value)).toBe(text);
  });

  it("gives every float32 back, and no shorter decimal does", () => {
    const random = generator(3);
    for (let i = 0; i < 20_000; i++) {
      const power = i < 254 ? (i + 1) << 23 : Math.floor(random() * 0x7f80_0000);
      const value = floatOf(power);
      const text = shortestDecimal(value);
      expect(read(text)).toBe(value);
      const digits = text.replace(/e.*/, "").replace(".", "").replace(/^0+/, "").replace(/0+$/, "").length;
      if (digits > 1) expect(Math.fround(Number(value.toPrecision(digits - 1)))).not.toBe(value);
    }
  });

  it.each([
    ["5", "5"],
    ["-5", "-5"],
    ["0.5", "0.5"],
    ["12.250", "12.25"],
    ["5.0", "5"],
    ["5.", "5"],
    ["0.000001", "0.000001"],
    ["-73.98215", "-73.98215"],
    ["9999999", "9999999"],
    ["9999999.000", "9999999"],
    ["0.12345678", "0.12345678"],
  ])("is where %j begins with it", (text, shortest) => {
    const [bytes, start, end] = spanOf(text);
    expect(shortestEnd(bytes, start, end, read(text))).toBe(start + shortest.length);
    expect(shortestDecimal(read(text))).toBe(shortest);
  });

  it.each([
    "05",
    "+5",
    ".5",
    "1e5",
    "16777217",
    "0.123456789",
    "0.0000001",
    " 5",
    "0.10000000149011612",
    "8.00000001",
  ])("has to be made for %j", (text) => {
    expect(shortestEnd(...spanOf(text), read(text))).toBe(-1);
  });

  it("is where a decimal begins with it, at any length", () => {
    const random = generator(5);
    for (let i = 0; i < 20_000; i++) {
      const decimals = Math.floor(random() * 9);
      const text = plainDecimal(
        BigInt(Math.floor(random() * 10 ** (1 + Math.floor(random() * 10)))),
        decimals,
      );
      const value = read(text);
      const [bytes, start, end] = spanOf(text);
      const last = shortestEnd(bytes, start, end, value);
      if (last < 0 || value === 0) continue;
      const found = text.slice(0, last - start);
      expect(read(found)).toBe(value);
      expect(found.length).toBe(shortestDecimal(value).length);
    }
  });
});

it("tells overflow from infinity", () => {
  expect(["1e39", "-1E99", "0x1p200", "+1e+50"].map((text) => overflows(...spanOf(text)))).not.toContain(
    false,
  );
  expect(["inf", "-Infinity", "9".repeat(45)].map((text) => overflows(...spanOf(text)))).not.toContain(true);
});

it("knows strings that VW's text reader would take for numbers", () => {
  const numbers =
    "5abc|12:30|007|-5x|+5x|.5x|-.5|e|E|e5|E-3|.|-|-.|-e|.e1|infinit|nancy|-nan|+INFx|\f|\u000b5x";
  for (const text of numbers.split("|"))
    expect([text, startsLikeNumber(...spanOf(text))]).toEqual([text, true]);
  const strings = "abc|east|--5|$5|+|-x|.x|+.|+e|e5x|-ex|in|n|été|_|T|i|'5'";
  for (const text of strings.split("|"))
    expect([text, startsLikeNumber(...spanOf(text))]).toEqual([text, false]);
});
