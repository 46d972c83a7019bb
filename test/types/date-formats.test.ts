import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DATE_FORMATS, TIMESTAMP_FORMATS, TIMESTAMPTZ_FORMATS } from "../../src/types/date-formats.js";
import { parseWithFormat } from "../../src/types/format.js";
import type { TemporalFields } from "../../src/types/time.js";
import { spanOf } from "./span-of.js";

const out: TemporalFields = { days: 0, micros: 0 };

const namer = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat("en-US", { ...options, timeZone: "UTC" });
const names = {
  b: namer({ month: "short" }),
  B: namer({ month: "long" }),
  a: namer({ weekday: "short" }),
  A: namer({ weekday: "long" }),
};

/** Writes an instant by a format with the platform's own names and padding. */
function strftime(format: string, instant: Date): string {
  const iso = instant.toISOString();
  const hour = instant.getUTCHours();
  const fields: Record<string, string> = {
    Y: iso.slice(0, 4),
    y: iso.slice(2, 4),
    m: iso.slice(5, 7),
    d: iso.slice(8, 10),
    H: iso.slice(11, 13),
    M: iso.slice(14, 16),
    S: iso.slice(17, 19),
    I: String(hour % 12 === 0 ? 12 : hour % 12).padStart(2, "0"),
    p: hour < 12 ? "AM" : "PM",
    b: names.b.format(instant),
    B: names.B.format(instant),
    a: names.a.format(instant),
    A: names.A.format(instant),
    z: "+00:00",
  };
  return format.replace(/%(.)/g, (_, directive: string) => fields[directive]);
}

function anyInstant(first: string, last: string): fc.Arbitrary<Date> {
  return fc
    .integer({ min: Date.parse(`${first}T00:00:00Z`) / 1000, max: Date.parse(`${last}T23:59:59Z`) / 1000 })
    .map((seconds) => new Date(seconds * 1000));
}

describe("the formats that are sniffed", () => {
  test("are distinct and hold what they should", () => {
    for (const formats of [DATE_FORMATS, TIMESTAMP_FORMATS, TIMESTAMPTZ_FORMATS]) {
      expect(new Set(formats.map((format) => format.text)).size).toBe(formats.length);
    }
    expect(DATE_FORMATS.every((format) => format.hasDate && !format.hasTime && !format.hasZone)).toBe(true);
    expect(TIMESTAMP_FORMATS.every((format) => format.hasDate && format.hasTime && !format.hasZone)).toBe(
      true,
    );
    expect(TIMESTAMPTZ_FORMATS.every((format) => format.hasDate && format.hasTime && format.hasZone)).toBe(
      true,
    );
  });

  test("prefer ISO, then day-first, and year-first with two digits last of all", () => {
    const texts = DATE_FORMATS.map((format) => format.text);
    expect(texts[0]).toBe("%Y-%m-%d");
    expect(TIMESTAMP_FORMATS[0].text).toBe("%Y-%m-%d %H:%M:%S");
    for (const separator of ["-", "/", ".", " "]) {
      for (const year of ["%Y", "%y"]) {
        const dayFirst = texts.indexOf(["%d", "%m", year].join(separator));
        const monthFirst = texts.indexOf(["%m", "%d", year].join(separator));
        expect(dayFirst).toBeGreaterThan(0);
        expect(monthFirst).toBeGreaterThan(dayFirst);
      }
    }
    expect(texts.slice(-4)).toEqual(["%y-%m-%d", "%y/%m/%d", "%y.%m.%d", "%y %m %d"]);
  });

  test("cover DuckDB's templates with every separator", () => {
    const dates = ["%m-%d-%Y", "%m-%d-%y", "%d-%m-%Y", "%d-%m-%y", "%Y-%m-%d", "%y-%m-%d"];
    const timestamps = [
      "%m-%d-%Y %I:%M:%S %p",
      "%m-%d-%y %I:%M:%S %p",
      "%d-%m-%Y %H:%M:%S",
      "%d-%m-%y %H:%M:%S",
      "%Y-%m-%d %H:%M:%S",
      "%y-%m-%d %H:%M:%S",
    ];
    for (const separator of ["-", "/", ".", " "]) {
      for (const [templates, formats] of [
        [dates, DATE_FORMATS],
        [timestamps, TIMESTAMP_FORMATS],
      ] as const) {
        const texts = formats.map((format) => format.text);
        for (const template of templates) expect(texts).toContain(template.replaceAll("-", separator));
      }
    }
  });

  test.each([
    ["%y", "1969-01-01", "2068-12-31"],
    ["%Y", "0001-01-01", "9999-12-31"],
  ])("read what the platform writes: %s", (year, first, last) => {
    const formats = [...DATE_FORMATS, ...TIMESTAMP_FORMATS, ...TIMESTAMPTZ_FORMATS].filter((format) =>
      format.text.includes(year),
    );
    fc.assert(
      fc.property(anyInstant(first, last), (instant) => {
        const seconds = instant.getTime() / 1000;
        const days = Math.floor(seconds / 86_400);
        for (const format of formats) {
          const text = strftime(format.text, instant);
          const accepted = parseWithFormat(format, ...spanOf(text), out);
          const secondsOfDay = format.hasTime ? seconds - days * 86_400 : 0;
          const written = format.text.includes("%S") ? secondsOfDay : secondsOfDay - (secondsOfDay % 60);
          if (!accepted || out.days !== days || out.micros !== written * 1e6) {
            expect.fail(`${format.text} read ${text} as ${accepted ? JSON.stringify(out) : "nothing"}`);
          }
        }
      }),
      { numRuns: 50 },
    );
  });

  test("take a date alone for a timestamp at midnight", () => {
    const instant = new Date(Date.UTC(2021, 10, 23));
    for (const format of TIMESTAMP_FORMATS) {
      const dateText = format.text.replace(/ %[HI].*$/, "");
      expect(parseWithFormat(format, ...spanOf(strftime(dateText, instant)), out), format.text).toBe(true);
      expect(out).toEqual({ days: instant.getTime() / 86_400_000, micros: 0 });
    }
  });

  test("refuse every cell cut short or followed by more", () => {
    const instant = new Date(Date.UTC(2021, 10, 23, 22, 41, 37));
    for (const format of DATE_FORMATS) {
      const text = strftime(format.text, instant);
      expect(parseWithFormat(format, ...spanOf(`${text}x`), out), format.text).toBe(false);
      // A day of one digit is a day, so the last byte of a date that ends in its day may go.
      for (let length = 0; length < text.length - 1; length++) {
        expect(parseWithFormat(format, ...spanOf(text.slice(0, length)), out), format.text).toBe(false);
      }
    }
  });
});
