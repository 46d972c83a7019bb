import { describe, expect, test } from "vitest";
import { formatTime } from "../../src/types/temporal-text.js";
import { parseTime, type TemporalFields } from "../../src/types/time.js";
import { spanOf } from "./span-of.js";

function read(text: string): string | null {
  const out: TemporalFields = { days: 7, micros: 7 };
  if (!parseTime(...spanOf(text), out)) return null;
  expect(out.days).toBe(0);
  return formatTime(out.micros);
}

describe("parseTime", () => {
  test.each([
    ["05:40", "05:40:00"],
    ["5:40", "05:40:00"],
    ["21:30:05", "21:30:05"],
    [" 21:30 ", "21:30:00"],
    ["00:00:00", "00:00:00"],
    ["23:59:59.999999", "23:59:59.999999"],
    ["10:00:00.5", "10:00:00.5"],
    ["10:00:00.123456000", "10:00:00.123456"],
    ["5:40 PM", "17:40:00"],
    ["5:40pm", "17:40:00"],
    ["05:40:10 am", "05:40:10"],
    ["12:00 AM", "00:00:00"],
    ["12:00 PM", "12:00:00"],
    ["11:59:59.25 Pm", "23:59:59.25"],
  ])("reads %j", (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  test.each([
    "",
    " ",
    "16:9",
    "4:3",
    "24:00",
    "12:60",
    "12:00:60",
    "12:00:",
    "12:00:5",
    "12:00:00.",
    "12:00:00.1234567",
    "12:00:00.1234560000",
    "12:00.5",
    "123:00",
    ":30",
    "12-30",
    "12",
    "0:30 AM",
    "13:00 PM",
    "5:40 P",
    "5:40 PMs",
    "5:40  PM",
    "5:40 XM",
    "5:40Z",
    "-5:40",
    "10:30:00:00",
  ])("refuses %j", (text) => {
    expect(read(text)).toBeNull();
  });
});
