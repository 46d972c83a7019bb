import type { Spans } from "../machine/spans.js";
import { type CellReader, NULL_CELL, VALUE_CELL } from "../types/cell-reader.js";
import { MISSING_WORDS } from "./cell-class.js";
import type { ColumnEvidence } from "./column-evidence.js";
import { type Layout, nameField } from "./layout.js";

/** Whether the first record names the columns, and how that is known. */
export interface HeaderVerdict {
  header: boolean;
  confidence: "given" | "detected" | "assumed";
}

/** Records below the first that are searched for its texts, and the share of them that must hold one. */
const SEARCHED_RECORDS = 512;
const SHARE_OF_REPEATS = 0.02;

/**
 * Step 3 of the sniffer: is the first record a header? Text over a column of numbers, dates or booleans says
 * yes; a first record that fits every typed column says no, unless its numbers are years, or count up, over
 * columns of other numbers. Where all columns are text, their looks may still tell; if not, a first cell that
 * keeps coming again in its column says no; otherwise a header is assumed (DuckDB's rule since 0.10).
 */
export function detectHeader(
  spans: Spans,
  layout: Layout,
  evidence: readonly ColumnEvidence[],
  cells: CellReader,
): HeaderVerdict {
  let typed = 0;
  let unlike = 0;
  let alike = 0;
  let empty = 0;
  for (let column = 0; column < layout.columns; column++) {
    const { type, format } = evidence[column].typing();
    const field = firstFieldOf(spans, layout, column);
    const kind = field < 0 ? NULL_CELL : cells.read(spans, field);
    if (kind === NULL_CELL) empty++;
    if (type === "VARCHAR" || type === "SQLNULL") continue;
    typed++;
    if (kind === NULL_CELL || MISSING_WORDS.has(cells.text().trim().toLowerCase())) continue;
    cells.trim();
    const takes =
      kind === VALUE_CELL && evidence[column].wouldTake(type, format, cells.bytes, cells.start, cells.end);
    if (takes) alike++;
    else unlike++;
  }
  if (layout.headerRecords.length > 1 || layout.rawNames !== null) {
    return { header: true, confidence: "detected" };
  }
  if (layout.body.length === 0) return loneRecord(spans, layout, cells);
  if (unlike > 0) return { header: true, confidence: "detected" };
  if (alike > 0) {
    const named = countsUp(spans, layout, evidence, cells);
    return { header: named, confidence: "detected" };
  }
  if (empty === layout.columns) return { header: false, confidence: "detected" };
  // Amounts in a currency, odd dates and the like are text to the types, but no names.
  const { alike: numbers, unlike: names } = layout.looks;
  if (numbers > 0 && names === 0) return { header: false, confidence: "detected" };
  if (names > 1 && numbers === 0) return { header: true, confidence: "detected" };
  if (typed === 0 && comesAgain(spans, layout, cells)) return { header: false, confidence: "detected" };
  return { header: true, confidence: "assumed" };
}

/** The field of the first record that would name a column, or -1 where the record has none. */
function firstFieldOf(spans: Spans, layout: Layout, column: number): number {
  return nameField(spans, layout, layout.first, column);
}

/** A record on its own is a header unless it holds a number, a date or the like. */
function loneRecord(spans: Spans, layout: Layout, cells: CellReader): HeaderVerdict {
  for (let column = 0; column < layout.columns; column++) {
    const field = firstFieldOf(spans, layout, column);
    if (field < 0 || cells.read(spans, field) !== VALUE_CELL) continue;
    cells.trim();
    const first = cells.bytes[cells.start];
    const numeric = (first >= 0x30 && first <= 0x39) || first === 0x2d;
    if (numeric) return { header: false, confidence: "assumed" };
  }
  return { header: true, confidence: "assumed" };
}

/** Whether the numbers of the first record are years or a sequence, over columns that are not. */
function countsUp(
  spans: Spans,
  layout: Layout,
  evidence: readonly ColumnEvidence[],
  cells: CellReader,
): boolean {
  const numbers: number[] = [];
  let fractions = false;
  let text = false;
  for (let column = 0; column < layout.columns; column++) {
    const { type } = evidence[column].typing();
    const field = firstFieldOf(spans, layout, column);
    if (field < 0 || cells.read(spans, field) === NULL_CELL) continue;
    if (type !== "BIGINT" && type !== "DOUBLE") {
      if (type !== "VARCHAR") return false;
      text = true;
      continue;
    }
    const value = Number(cells.text());
    if (!Number.isSafeInteger(value)) return false;
    if (type === "DOUBLE") fractions = true;
    numbers.push(value);
  }
  if (numbers.length < 2) return false;
  const step = numbers[1] - numbers[0];
  if (step === 0 || !numbers.every((value, i) => i === 0 || value - numbers[i - 1] === step)) return false;
  const years = numbers.every((value) => value >= 1800 && value <= 2100);
  if (fractions) return true;
  return years && (text || Math.abs(step) === 1) && !continuesBelow(spans, layout, evidence, cells);
}

/** Whether the second record holds years too. */
function continuesBelow(
  spans: Spans,
  layout: Layout,
  evidence: readonly ColumnEvidence[],
  cells: CellReader,
): boolean {
  const record = layout.body[0];
  for (let column = 0; column < layout.columns; column++) {
    if (evidence[column].typing().type !== "BIGINT") continue;
    const field = spans.firstField[record] + column;
    if (field >= spans.firstField[record + 1]) continue;
    cells.read(spans, field);
    const value = Number(cells.text());
    if (value >= 1800 && value <= 2100) return true;
  }
  return false;
}

/** Whether a text of the first record stands in its column again, without the whole record being repeated. */
function comesAgain(spans: Spans, layout: Layout, cells: CellReader): boolean {
  if (layout.body.length < 3) return false;
  const names: (string | null)[] = [];
  for (let column = 0; column < layout.columns; column++) {
    const field = firstFieldOf(spans, layout, column);
    names.push(field < 0 || cells.read(spans, field) === NULL_CELL ? null : cells.text());
  }
  const searched = layout.body.slice(0, SEARCHED_RECORDS);
  let again = 0;
  for (const record of searched) {
    let equal = 0;
    const width = Math.min(layout.columns, spans.firstField[record + 1] - spans.firstField[record]);
    for (let column = 0; column < width; column++) {
      if (names[column] === null || cells.read(spans, spans.firstField[record] + column) === NULL_CELL)
        continue;
      if (cells.text() === names[column]) equal++;
    }
    if (equal > 0 && equal < names.filter((name) => name !== null).length) again++;
  }
  return again > searched.length * SHARE_OF_REPEATS;
}
