import type { Kernel } from "../machine/kernel.js";
import type { Spans } from "../machine/spans.js";
import { type CellReader, NULL_CELL, VALUE_CELL } from "../types/cell-reader.js";
import type { CastSettings } from "../types/create-caster.js";
import { ColumnEvidence, type TypingWishes } from "./column-evidence.js";
import { observeInKernel, type SampleRows } from "./kernel-evidence.js";
import type { Layout } from "./layout.js";

/** Records of the first chunk, DuckDB's vector size. */
export const FIRST_CHUNK = 2_048;
/** Fewer records than these are not worth the kernel's calls. */
const KERNEL_LEAST = 64;

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
  kernel: Kernel | null,
): ColumnEvidence[] {
  const evidence: ColumnEvidence[] = [];
  for (let column = 0; column < layout.columns; column++) evidence.push(new ColumnEvidence(wishes, settings));
  observeRecords(spans, layout.body.slice(0, FIRST_CHUNK), layout, cells, evidence, kernel);
  return evidence;
}

/**
 * Takes the records' cells into account. Records of another width than the table's tell nothing.
 *
 * @param kernel Null for the reference alone, which finds the same.
 */
export function observeRecords(
  spans: Spans,
  records: readonly number[],
  layout: Layout,
  cells: CellReader,
  evidence: readonly ColumnEvidence[],
  kernel: Kernel | null,
): void {
  const widest = layout.columns + (layout.trailingDelimiter || layout.headerTrailingDelimiter ? 1 : 0);
  const ragged = records.every((record) => widthOf(spans, record) < layout.columns);
  const rows: SampleRows = {
    records: new Int32Array(records.length),
    width: new Int32Array(records.length),
    count: 0,
  };
  for (const record of records) {
    const width = widthOf(spans, record);
    if (width > widest || (width < layout.columns && !ragged)) continue;
    rows.records[rows.count] = record;
    rows.width[rows.count++] = Math.min(width, layout.columns);
  }
  const observe = (field: number, column: ColumnEvidence) => observeCell(spans, field, cells, column);
  let row = 0;
  while (row < rows.count) {
    // The first values leave each column the few types that the rest may have.
    const inKernel = kernel !== null && rows.count - row >= KERNEL_LEAST && evidence[0]?.present > 0;
    const observed = inKernel ? observeInKernel(kernel, spans, rows, row, cells.nulls, evidence, observe) : 0;
    row += observed;
    const stop = Math.min(rows.count, observed > 0 ? row : row + KERNEL_LEAST);
    for (; row < stop; row++) {
      const first = spans.firstField[rows.records[row]];
      for (let column = 0; column < rows.width[row]; column++) observe(first + column, evidence[column]);
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
