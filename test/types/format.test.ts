import { describe, expect, test } from "vitest";
import { CsvError } from "../../src/errors.js";
import { compileFormat, parseWithFormat } from "../../src/types/format.js";
import { formatDate, formatTime, formatTimestamp } from "../../src/types/temporal-text.js";
import type { TemporalFields } from "../../src/types/time.js";
import { spanOf } from "./span-of.js";

/** The cell in ISO 8601, null where the format refuses it. */
function read(format: string, text: string): string | null {
  const compiled = compileFormat(format);
  const out: TemporalFields = { days: 7, micros: 7 };
  if (!parseWithFormat(compiled, ...spanOf(text), out)) return null;
  if (!compiled.hasTime) expect(out.micros).toBe(0);
  if (!compiled.hasDate) expect(out.days).toBe(0);
  if (!compiled.hasTime) return formatDate(out.days);
  if (!compiled.hasDate) return formatTime(out.micros);
  return formatTimestamp(out.days, out.micros, compiled.hasZone);
}

describe("compileFormat", () => {
  test("says what a format holds", () => {
    expect(compileFormat("%d/%m/%y")).toMatchObject({
      text: "%d/%m/%y",
      hasDate: true,
      hasTime: false,
      hasZone: false,
    });
    expect(compileFormat("%I:%M %p")).toMatchObject({ hasDate: false, hasTime: true, hasZone: false });
    expect(compileFormat("%Y-%m-%dT%H:%M:%S%z")).toMatchObject({
      hasDate: true,
      hasTime: true,
      hasZone: true,
    });
  });

  test.each([
    ["", "neither a date nor a time"],
    ["%%", "neither a date nor a time"],
    ["%Y-%m", "year, month and day"],
    ["%a %H:%M", "year, month and day"],
    ["%Y-%m-%d %H", "hour and minute"],
    ["%Y-%m-%d %S", "hour and minute"],
    ["%Y-%m-%d %I:%M", "%I and %p together"],
    ["%Y-%m-%d %H:%M %p", "%I and %p together"],
    ["%H:%M.%f", "without seconds"],
    ["%Y-%m-%d %z", "a date and a time"],
    ["%H:%M%z", "a date and a time"],
    ["%Y-%m-%d %y", "twice"],
    ["%d %b %m %Y", "twice"],
    ["%Q-%m-%d", '"%Q"'],
    ["%Y-%m-%d%", '"%"'],
    ["%Y-%-j", '"%-j"'],
    ["%Y-%m-%-", '"%-"'],
    ["%é", '"%'],
  ])("refuses %j and says why", (text, why) => {
    const compile = () => compileFormat(text);
    expect(compile).toThrow(CsvError);
    expect(compile).toThrow(why);
    expect(compile).toThrow("dateFormat");
    expect(compile).toThrow(expect.objectContaining({ code: "INVALID_OPTION" }));
  });
});

describe("parseWithFormat", () => {
  test.each([
    ["%d/%m/%Y", "1/2/2000", "2000-02-01"],
    ["%m/%d/%Y", "01/02/2000", "2000-01-02"],
    ["%d/%m/%y", "1/1/19", "2019-01-01"],
    ["%d/%m/%y", "1/1/68", "2068-01-01"],
    ["%d/%m/%y", "1/1/69", "1969-01-01"],
    ["%Y/%m/%d", "2024/12/12", "2024-12-12"],
    ["%d.%m.%Y", " 1.2.2020 ", "2020-02-01"],
    ["%d.%m.%y", "01.02.20", "2020-02-01"],
    ["%-d.%-m.%y", "1.2.20", "2020-02-01"],
    ["%d %b %y", "1 Feb 20", "2020-02-01"],
    ["%Y%m%d", "20200131", "2020-01-31"],
    ["%d%b%Y", "1JAN2020", "2020-01-01"],
    ["%d-%b-%Y", "01-sEP-2020", "2020-09-01"],
    ["%B %d, %Y", "SEPTEMBER 5, 2020", "2020-09-05"],
    ["%a, %d %b %Y", "Tue, 01 Dec 2020", "2020-12-01"],
    ["%A %d %B %Y", "wednesday 2 may 2020", "2020-05-02"],
    ["%Y年%m月%d日", "2020年1月2日", "2020-01-02"],
    ["%d%%%m%%%Y", "1%2%2020", "2020-02-01"],
    [" %d/%m/%Y ", "1/2/2020", "2020-02-01"],
  ])("reads dates by %j: %j", (format, text, expected) => {
    expect(read(format, text)).toBe(expected);
  });

  test.each([
    ["%d/%m/%Y", "29/02/2023"],
    ["%d/%m/%Y", "02/13/2020"],
    ["%d/%m/%Y", "1/2/20"],
    ["%d/%m/%Y", "1/2/20201"],
    ["%d/%m/%Y", "001/2/2020"],
    ["%d/%m/%Y", "1/2/"],
    ["%d/%m/%Y", "/2/2020"],
    ["%d/%m/%Y", "1-2-2020"],
    ["%d/%m/%Y", "0/2/2020"],
    ["%d/%m/%Y", "1/2/0000"],
    ["%d/%m/%y", "1/2/2020"],
    ["%d/%m/%y", "1/2/9"],
    ["%d.%m.%y", "1.10.12"],
    ["%y.%m.%d", "12.1.10"],
    ["%d %m %y", "1 10 12"],
    ["%d.%m.%y", "01.2.20"],
    ["%Y%m%d", "2020111"],
    ["%d-%b-%Y", "01-Sept-2020"],
    ["%d-%b-%Y", "01-Se-2020"],
    ["%d-%b-%Y", "01-J@N-2020"],
    ["%d %B %Y", "1 Sep 2020"],
    ["%d %B %Y", "1 Septembre 2020"],
    ["%d %B %Y", "1 Janubry 2020"],
    ["%B %d, %Y", "May  5, 2020"],
    ["%B %d, %Y", "Ma"],
    ["%a, %d %b %Y", "Die, 01 Dec 2020"],
    ["%A, %d %b %Y", "Tue, 01 Dec 2020"],
    ["%d/%m/%Y", ""],
  ])("refuses dates by %j: %j", (format, text) => {
    expect(read(format, text)).toBeNull();
  });

  test.each([
    ["%m/%d/%Y %H:%M", "8/1/2016 14:05", "2016-08-01T14:05:00"],
    ["%d.%m.%Y %H:%M:%S", "25.12.2020 13:00:00", "2020-12-25T13:00:00"],
    ["%d.%m.%Y %H:%M:%S", "25.12.2020 13:00:00.25", "2020-12-25T13:00:00.25"],
    ["%d.%m.%Y %H:%M:%S.%f", "25.12.2020 13:00:00.25", "2020-12-25T13:00:00.25"],
    ["%d.%m.%Y %H:%M:%S.%f", "25.12.2020 13:00:00", "2020-12-25T13:00:00"],
    ["%d.%m.%Y %H:%M:%S,%f", "25.12.2020 13:00:00,123456000", "2020-12-25T13:00:00.123456"],
    ["%Y%m%d%H%M%S%f", "20201225130000123", "2020-12-25T13:00:00.123"],
    ["%m-%d-%Y %I:%M:%S %p", "12-25-2020 1:00:09 pm", "2020-12-25T13:00:09"],
    ["%m-%d-%y %I:%M:%S %p", "12-25-20 12:00:00.5 AM", "2020-12-25T00:00:00.5"],
    ["%d/%m/%Y %H:%M", "25/12/2020", "2020-12-25T00:00:00"],
    ["%d/%m/%Y, %I:%M %p", "25/12/2020", "2020-12-25T00:00:00"],
    ["%Y年%m月%d日 %H:%M", "2020年1月2日", "2020-01-02T00:00:00"],
    ["%H:%M %d/%m/%Y", "13:05 25/12/2020", "2020-12-25T13:05:00"],
    ["%Y-%m-%d %H:%M:%S", "2020-01-01T00:00:01.5", "2020-01-01T00:00:01.5"],
    ["%Y-%m-%dT%H:%M:%SZ", "2020-01-01T10:30:00Z", "2020-01-01T10:30:00"],
    ["%Y-%m-%d %H:%M", "2020-01-01 10:30", "2020-01-01T10:30:00"],
    ["%Y-%m-%d %H:%M:%S%z", "2020-01-01T00:00:00+01:00", "2019-12-31T23:00:00Z"],
    ["%d/%b/%Y:%H:%M:%S %z", "31/Dec/2020:23:00:00 -0130", "2021-01-01T00:30:00Z"],
    ["%a %b %d %H:%M:%S %z %Y", "Thu Dec 31 23:00:00 +0000 2020", "2020-12-31T23:00:00Z"],
    ["%I:%M %p", "5:40 PM", "17:40:00"],
    ["%H:%M:%S", "05:40:01.5", "05:40:01.5"],
  ])("reads times by %j: %j", (format, text, expected) => {
    expect(read(format, text)).toBe(expected);
  });

  test.each([
    ["%m/%d/%Y %H:%M", "8/1/2016 24:00"],
    ["%m/%d/%Y %H:%M", "8/1/2016 14:60"],
    ["%m/%d/%Y %H:%M", "8/1/2016 14:5"],
    ["%m/%d/%Y %H:%M", "8/1/2016 14:05:00"],
    ["%m/%d/%Y %H:%M", "8/1/2016T14:05"],
    ["%m/%d/%Y %H:%M", "8/1/2016 14:"],
    ["%m/%d/%Y %H:%M:%S", "8/1/2016 14:05"],
    ["%m/%d/%Y %H:%M:%S", "8/1/2016 14:05:60"],
    ["%m/%d/%Y %H:%M:%S", "8/1/2016 14:05:00."],
    ["%m/%d/%Y %H:%M:%S", "8/1/2016 14:05:00.1234567"],
    ["%m/%d/%Y %H:%M:%S", "8/1/2016 14:05:00.1234560000"],
    ["%m/%d/%Y %H:%M:%S,%f", "8/1/2016 14:05:00"],
    ["%m/%d/%Y %H:%M:%S,%f", "8/1/2016 14:05:00.5,5"],
    ["%m/%d/%Y %I:%M %p", "8/1/2016 13:05 PM"],
    ["%m/%d/%Y %I:%M %p", "8/1/2016 0:05 AM"],
    ["%m/%d/%Y %I:%M %p", "8/1/2016 1:05"],
    ["%m/%d/%Y %I:%M %p", "8/1/2016 1:05 XM"],
    ["%m/%d/%Y %I:%M %p", "8/1/2016 1:05 A"],
    ["%H:%M %d/%m/%Y", "13:05"],
    ["%d/%b/%Y:%H:%M:%S %z", "31/Dec/2020:23:00:00"],
    ["%d/%b/%Y:%H:%M:%S %z", "31/Dec/2020:23:00:00 GMT"],
    ["%d/%b/%Y:%H:%M:%S %z", "31/Dec/2020"],
    ["%d/%m/%Y %H:%M:%S%z", "31/12/9999 23:00:00-02"],
  ])("refuses times by %j: %j", (format, text) => {
    expect(read(format, text)).toBeNull();
  });
});
