import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  civilFromDays,
  daysFromCivil,
  daysInMonth,
  FIRST_DAY,
  isValidDate,
  LAST_DAY,
} from "../../src/types/calendar.js";

const MS_PER_DAY = 86_400_000;

/** What the platform makes of a day; Date.UTC would take years below 100 for 19xx. */
function platformDays(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day) / MS_PER_DAY;
}

describe("daysFromCivil", () => {
  test("counts from 1970-01-01", () => {
    expect(daysFromCivil(1970, 1, 1)).toBe(0);
    expect(daysFromCivil(1969, 12, 31)).toBe(-1);
    expect(daysFromCivil(2000, 2, 29)).toBe(11016);
    expect(daysFromCivil(1, 1, 1)).toBe(FIRST_DAY);
    expect(daysFromCivil(9999, 12, 31)).toBe(LAST_DAY);
  });

  test("agrees with the platform, and civilFromDays undoes it", () => {
    fc.assert(
      fc.property(fc.integer({ min: FIRST_DAY, max: LAST_DAY }), (days) => {
        const { year, month, day } = civilFromDays(days);
        expect(isValidDate(year, month, day)).toBe(true);
        expect(platformDays(year, month, day)).toBe(days);
        expect(daysFromCivil(year, month, day)).toBe(days);
      }),
      { numRuns: 2000 },
    );
  });

  test("meets every day of a 400-year cycle once", () => {
    for (let days = daysFromCivil(1999, 12, 30); days <= daysFromCivil(2400, 3, 2); days++) {
      const { year, month, day } = civilFromDays(days);
      if (daysFromCivil(year, month, day) !== days || platformDays(year, month, day) !== days) {
        expect.fail(`day ${days} became ${year}-${month}-${day}`);
      }
    }
  });
});

describe("isValidDate", () => {
  test("knows the length of every month", () => {
    expect(Array.from({ length: 12 }, (_, i) => daysInMonth(2023, i + 1))).toEqual([
      31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31,
    ]);
    expect([1900, 2000, 2023, 2024, 2100].map((year) => daysInMonth(year, 2))).toEqual([28, 29, 28, 29, 28]);
  });

  test("refuses days that are not there", () => {
    for (const [year, month, day] of [
      [2023, 2, 29],
      [2024, 2, 30],
      [2024, 4, 31],
      [2024, 0, 1],
      [2024, 13, 1],
      [2024, 1, 0],
      [2024, 1, 32],
      [0, 1, 1],
      [10000, 1, 1],
    ]) {
      expect(isValidDate(year, month, day), `${year}-${month}-${day}`).toBe(false);
    }
  });
});
