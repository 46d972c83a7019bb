import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DATE_FORMATS, TIMESTAMP_FORMATS } from "../../src/types/date-formats.js";
import { compileFormat, parseWithFormat, type TemporalFormat } from "../../src/types/format.js";
import { FormatCandidates } from "../../src/types/format-candidates.js";
import { spanOf } from "./span-of.js";

/** The formats that take every cell, found with and without narrowing, which have to agree. */
function formatsOf(formats: readonly TemporalFormat[], cells: readonly string[]): string[] {
  const candidates = new FormatCandidates(formats);
  expect(candidates.remaining()).toBe(formats);
  const out = { days: 0, micros: 0 };
  let expected = formats;
  for (const cell of cells) {
    expected = expected.filter((format) => parseWithFormat(format, ...spanOf(cell), out));
    expect(candidates.narrow(...spanOf(cell))).toBe(expected.length > 0);
    expect(candidates.remaining().map((format) => format.text)).toEqual(
      expected.map((format) => format.text),
    );
  }
  return candidates.remaining().map((format) => format.text);
}

describe("FormatCandidates of dates", () => {
  test.each([
    [["01/02/2000", "21/02/2000"], ["%d/%m/%Y"]],
    [["01/02/2000", "02/21/2000"], ["%m/%d/%Y"]],
    [["08/01/2016", "12/01/2016", "13/01/2016"], ["%d/%m/%Y"]],
    [
      ["04/07/20", "05/08/21"],
      ["%d/%m/%y", "%m/%d/%y", "%y/%m/%d"],
    ],
    [["13/01/2020", "01/13/2020"], []],
    [["2023-02-30"], []],
    [["2023-02-28", "2023-02-30"], []],
    [["2024-03-10"], ["%Y-%m-%d"]],
    [["2024/12/12"], ["%Y/%m/%d"]],
    [["2024/12/12", "1"], []],
    [["1/1/19"], ["%d/%m/%y", "%m/%d/%y"]],
    [["25.12.2020", "1.2.2020"], ["%d.%m.%Y"]],
    [
      ["5-May-2020", "17-may-2021"],
      ["%d-%b-%Y", "%d-%B-%Y"],
    ],
    [["5-May-2020", "17-June-2021"], ["%d-%B-%Y"]],
    [["01JAN2020"], ["%d%b%Y"]],
    [["Jan 5, 2020"], ["%b %d, %Y"]],
    [["  2024-03-10  "], ["%Y-%m-%d"]],
    [["16:9"], []],
    [["11.0.1"], []],
    [["1.10.12"], []],
    [["10.5"], []],
    [["192.168.10.12"], []],
    [["123456789"], []],
    [["2020"], []],
    [["1234-5678"], []],
    [["January"], []],
    [["Maybe not"], []],
    [[""], []],
    [["   "], []],
    [["-"], []],
  ])("%j leaves %j", (cells, expected) => {
    expect(formatsOf(DATE_FORMATS, cells)).toEqual(expected);
  });
});

describe("FormatCandidates of timestamps", () => {
  test.each([
    [["2024-11-12 20:47:01.917818", "2024-11-12 20:47:02"], ["%Y-%m-%d %H:%M:%S"]],
    [["2020-01-01T00:00:00", "2020-01-01 00:00:00", "2020-01-01", "2020-01-01 10:30"], ["%Y-%m-%d %H:%M:%S"]],
    [["8/1/2016 14:05"], ["%d/%m/%Y %H:%M", "%m/%d/%Y %H:%M"]],
    [["8/1/2016 14:05", "8/13/2016"], ["%m/%d/%Y %H:%M"]],
    [["8/13/2016", "8/1/2016 2:05 PM"], ["%m/%d/%Y %I:%M %p"]],
    [["25.12.2020 13:00:00"], ["%d.%m.%Y %H:%M:%S"]],
    [["2020-01-01T00:00:00", "2020-01-01T00:00:00Z"], []],
    [["20:47:01"], []],
  ])("%j leaves %j", (cells, expected) => {
    expect(formatsOf(TIMESTAMP_FORMATS, cells)).toEqual(expected);
  });
});

test("the look at a cell's first bytes never loses a format", () => {
  const formats = [
    ...DATE_FORMATS,
    ...TIMESTAMP_FORMATS,
    ...[
      "%Y%m%d",
      "%Y0%m-%d",
      "(%d) %m %Y",
      "%H.%M %d/%m/%Y",
      "%M:%H %d/%m/%y",
      "%S.%f %H:%M",
      "%dth %B %Y",
    ].map(compileFormat),
  ];
  const piece = fc.constantFrom(
    ...[
      "1",
      "02",
      "10",
      "12",
      "2020",
      "20",
      "Jan",
      "May",
      "Mon",
      "Monday",
      "-",
      "/",
      ".",
      " ",
      ":",
      ", ",
      "(",
      "0",
    ],
  );
  fc.assert(
    fc.property(
      fc.array(piece, { minLength: 1, maxLength: 9 }),
      fc.array(piece, { maxLength: 9 }),
      (first, next) => {
        formatsOf(formats, [first.join(""), next.join("")]);
      },
    ),
    { numRuns: 500 },
  );
  for (const cell of [
    "20200102",
    "202001-02",
    "(5) 10 2020",
    "10.30 1/2/2020",
    "30:10 1/2/20",
    "05.5 10:30",
    "5th May 2020",
  ]) {
    expect(formatsOf(formats, [cell]), cell).toHaveLength(1);
  }
});
