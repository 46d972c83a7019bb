import { expect, it } from "vitest";
import {
  classifyCell,
  EMPTY_CELL,
  MISSING_CELL,
  NUMBER_CELL,
  TEXT_CELL,
  YEAR_CELL,
} from "../../src/sniffer/cell-class.js";

it.each([
  ["", EMPTY_CELL],
  ["  \t", EMPTY_CELL],
  ["n/a", MISSING_CELL],
  [" NULL ", MISSING_CELL],
  ["-", MISSING_CELL],
  ["12", NUMBER_CELL],
  ["-1.5e-3", NUMBER_CELL],
  ["£6,755", NUMBER_CELL],
  ["(12.5)", NUMBER_CELL],
  ["14-Jan", NUMBER_CELL],
  ["2024-01-31 10:15", NUMBER_CELL],
  ["2019", YEAR_CELL],
  ["2013-14", YEAR_CELL],
  ["2013/2014", YEAR_CELL],
  ["2500", NUMBER_CELL],
  ["2019-1", NUMBER_CELL],
  ["20191", NUMBER_CELL],
  ["cm-1", TEXT_CELL],
  ["Q1", TEXT_CELL],
  ["%T", TEXT_CELL],
  ["1st quarter", TEXT_CELL],
  ["name", TEXT_CELL],
])("classes %j as %i", (text, kind) => {
  const bytes = new TextEncoder().encode(`x${text}y`);
  expect(classifyCell(bytes, 1, bytes.length - 1)).toBe(kind);
});
