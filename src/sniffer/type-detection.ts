import type { Spans } from "../machine/spans.js";
import { type CellReader, NULL_CELL, VALUE_CELL } from "../types/cell-reader.js";
import type { CastSettings } from "../types/create-caster.js";
import { ColumnEvidence, type TypingWishes } from "./column-evidence.js";
import type { Layout } from "./layout.js";

/** Records of the first chunk, DuckDB's vector size. */
export const FIRST_CHUNK = 2_048;

/**
 * Step 2 of the sniffer: what the values of each column have in common in the first chunk. The first record is
 * set aside, as it may be the header.
 */
export function detectTypes(
  spans: Spans,
  layout: Layout,
  cells: CellReader,
  wishes: TypingWishes,
  settings: CastSettings,
): ColumnEvidence[] {
  const evidence: ColumnEvidence[] = [];
  for (let column = 0; column < layout.columns; column++) evidence.push(new ColumnEvidence(wishes, settings));
  observeRecords(spans, layout.body.slice(0, FIRST_CHUNK), layout, cells, evidence);
  return evidence;
}

/** Takes the records' cells into account. Records of another width than the table's tell nothing. */
export function observeRecords(
  spans: Spans,
  records: readonly number[],
  layout: Layout,
  cells: CellReader,
  evidence: readonly ColumnEvidence[],
): void {
  const widest = layout.columns + (layout.trailingDelimiter || layout.headerTrailingDelimiter ? 1 : 0);
  const ragged = records.every((record) => widthOf(spans, record) < layout.columns);
  for (const record of records) {
    const width = widthOf(spans, record);
    if (width > widest || (width < layout.columns && !ragged)) continue;
    const first = spans.firstField[record];
    for (let column = 0; column < Math.min(width, layout.columns); column++) {
      observeCell(spans, first + column, cells, evidence[column]);
    }
  }
}

function observeCell(spans: Spans, field: number, cells: CellReader, evidence: ColumnEvidence): void {
  const kind = cells.read(spans, field);
  if (kind === NULL_CELL) return;
  cells.trim();
  if (kind === VALUE_CELL) evidence.observe(cells.bytes, cells.start, cells.end);
  else evidence.observeText();
}

function widthOf(spans: Spans, record: number): number {
  return spans.firstField[record + 1] - spans.firstField[record];
}
