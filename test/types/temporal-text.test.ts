import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FIRST_DAY, LAST_DAY } from "../../src/types/calendar.js";
import { parseIsoDate, parseIsoInstant, parseIsoTimestamp } from "../../src/types/iso.js";
import { formatDate, formatTime, formatTimestamp } from "../../src/types/temporal-text.js";
import { MICROS_PER_DAY, parseTime, type TemporalFields } from "../../src/types/time.js";
import { spanOf } from "./span-of.js";

const anyDay = fc.integer({ min: FIRST_DAY, max: LAST_DAY });
const anyMicros = fc.integer({ min: 0, max: MICROS_PER_DAY - 1 });

describe("formatting", () => {
  test("pads every field and drops the zeros of a fraction", () => {
    expect(formatDate(0)).toBe("1970-01-01");
    expect(formatDate(FIRST_DAY)).toBe("0001-01-01");
    expect(formatDate(LAST_DAY)).toBe("9999-12-31");
    expect(formatTime(0)).toBe("00:00:00");
    expect(formatTime(500_000)).toBe("00:00:00.5");
    expect(formatTime(1)).toBe("00:00:00.000001");
    expect(formatTime(MICROS_PER_DAY - 1)).toBe("23:59:59.999999");
    expect(formatTimestamp(1, 20_400_000_000)).toBe("1970-01-02T05:40:00");
    expect(formatTimestamp(1, 1_250_000, true)).toBe("1970-01-02T00:00:01.25Z");
  });

  test("writes timestamps as the platform does", () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: 0, max: 86_399_999 }), (days, ms) => {
        const platform = new Date(days * 86_400_000 + ms).toISOString();
        expect(Date.parse(formatTimestamp(days, ms * 1000, true))).toBe(Date.parse(platform));
        expect(formatDate(days)).toBe(platform.slice(0, 10));
      }),
    );
  });

  test("is undone by the parsers", () => {
    const out: TemporalFields = { days: 0, micros: 0 };
    fc.assert(
      fc.property(anyDay, anyMicros, (days, micros) => {
        expect(parseIsoDate(...spanOf(formatDate(days)), out)).toBe(true);
        expect(out).toEqual({ days, micros: 0 });
        expect(parseTime(...spanOf(formatTime(micros)), out)).toBe(true);
        expect(out).toEqual({ days: 0, micros });
        expect(parseIsoTimestamp(...spanOf(formatTimestamp(days, micros)), out)).toBe(true);
        expect(out).toEqual({ days, micros });
        expect(parseIsoInstant(...spanOf(formatTimestamp(days, micros, true)), out)).toBe(true);
        expect(out).toEqual({ days, micros });
      }),
      { numRuns: 500 },
    );
  });
});
