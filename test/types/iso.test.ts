import { describe, expect, test } from "vitest";
import { parseIsoDate, parseIsoInstant, parseIsoTimestamp } from "../../src/types/iso.js";
import { formatDate, formatTimestamp } from "../../src/types/temporal-text.js";
import type { TemporalFields } from "../../src/types/time.js";
import { spanOf } from "./span-of.js";

function readWith(parse: typeof parseIsoDate, print: (out: TemporalFields) => string) {
  return (text: string): string | null => {
    const out: TemporalFields = { days: 7, micros: 7 };
    return parse(...spanOf(text), out) ? print(out) : null;
  };
}

const readDate = readWith(parseIsoDate, (out) => `${formatDate(out.days)}+${out.micros}`);
const readTimestamp = readWith(parseIsoTimestamp, (out) => formatTimestamp(out.days, out.micros));
const readInstant = readWith(parseIsoInstant, (out) => formatTimestamp(out.days, out.micros, true));

describe("parseIsoDate", () => {
  test.each([
    ["2024-03-10", "2024-03-10+0"],
    ["2020-1-2", "2020-01-02+0"],
    ["2020-12-3", "2020-12-03+0"],
    ["2020-1-23", "2020-01-23+0"],
    ["  2024-02-29 ", "2024-02-29+0"],
    ["0001-01-01", "0001-01-01+0"],
    ["9999-12-31", "9999-12-31+0"],
  ])("reads %j", (text, expected) => {
    expect(readDate(text)).toBe(expected);
  });

  test.each([
    "",
    "2023-02-30",
    "2023-02-29",
    "0000-01-01",
    "10000-01-01",
    "2020-13-01",
    "2020-00-10",
    "2020-01-00",
    "2020-001-1",
    "2020-01-001",
    "2020-01-",
    "2020-1",
    "20-01-2020",
    "2020/01/01",
    "2020-01/01",
    "-2020-01-01",
    "2020-01-01T00:00:00",
    "2020-01-01x",
    "２020-01-01",
  ])("refuses %j", (text) => {
    expect(readDate(text)).toBeNull();
  });
});

describe("parseIsoTimestamp", () => {
  test.each([
    ["2020-01-01T00:00:00", "2020-01-01T00:00:00"],
    ["2020-01-01 00:00:00", "2020-01-01T00:00:00"],
    ["2024-11-12 20:47:01.917818", "2024-11-12T20:47:01.917818"],
    ["2024-11-12 20:47:02", "2024-11-12T20:47:02"],
    ["2020-01-01 10:30", "2020-01-01T10:30:00"],
    ["2020-1-1 9:30", "2020-01-01T09:30:00"],
    ["2020-01-01", "2020-01-01T00:00:00"],
    [" 2020-01-01 ", "2020-01-01T00:00:00"],
  ])("reads %j", (text, expected) => {
    expect(readTimestamp(text)).toBe(expected);
  });

  test.each([
    "2020-01-01T",
    "2020-01-01  10:30",
    "2020-01-01t10:30",
    "2020-01-01T10",
    "2020-01-01T24:00:00",
    "2020-01-01T23:59:60",
    "2020-01-01T10:30:00.1234567",
    "2020-02-30T10:30:00",
    "2020-01-01T10:30:00Z",
    "2020-01-01T10:30:00+01:00",
    "2020-01-01 10:30 PM",
    "10:30:00",
  ])("refuses %j", (text) => {
    expect(readTimestamp(text)).toBeNull();
  });
});

describe("parseIsoInstant", () => {
  test.each([
    ["2020-01-01T00:00:00+01:00", "2019-12-31T23:00:00Z"],
    ["2020-01-01T00:00:00Z", "2020-01-01T00:00:00Z"],
    ["2020-01-01 00:00:00-08", "2020-01-01T08:00:00Z"],
    ["2020-01-01 00:00:00.5+0530", "2019-12-31T18:30:00.5Z"],
    ["2020-01-01 00:00:00 +00:00", "2020-01-01T00:00:00Z"],
    ["2020-12-31 23:30-00:45", "2021-01-01T00:15:00Z"],
    ["2020-01-01 10:30:00 UTC", "2020-01-01T10:30:00Z"],
    ["2020-01-01 10:30:00 Z ", "2020-01-01T10:30:00Z"],
  ])("reads %j", (text, expected) => {
    expect(readInstant(text)).toBe(expected);
  });

  test.each([
    "2020-01-01T00:00:00",
    "2020-01-01",
    "2020-01-01Z",
    "2020-01-01T00:00:00z",
    "2020-01-01T00:00:00UTC",
    "2020-01-01T00:00:00 CET",
    "2020-01-01T00:00:00+1",
    "2020-01-01T00:00:00+1:00",
    "2020-01-01T00:00:00+01:0",
    "2020-01-01T00:00:00+01:",
    "2020-01-01T00:00:00+010",
    "2020-01-01T00:00:00+16:00",
    "2020-01-01T00:00:00+01:60",
    "2020-01-01T00:00:00+01:00:00",
    "2020-01-01T00:00:00  Z",
    "2020-01-01T00:00:00ZZ",
    "0001-01-01T00:00:00+00:01",
    "9999-12-31T23:59:59-00:01",
  ])("refuses %j", (text) => {
    expect(readInstant(text)).toBeNull();
  });
});
