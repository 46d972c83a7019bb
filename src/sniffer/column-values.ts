import type { Spans } from "../machine/spans.js";
import { type CellReader, NULL_CELL, VALUE_CELL } from "../types/cell-reader.js";
import type { Layout } from "./layout.js";

/** The records of the sample's table, and what reads their cells. */
export interface SampledTable {
  spans: Spans;
  layout: Layout;
  cells: CellReader;
  /** The 1-based physical line of a record. */
  lineOf(record: number): number;
}

/**
 * Has the cells stand at each value of a column, one after the other, blanks around it left out, until `take` returns false.
 *
 * @param take Is told the record, and whether the value is text whatever it holds.
 */
export function eachValue(
  { spans, layout, cells }: SampledTable,
  column: number,
  take: (record: number, isText: boolean) => boolean,
): void {
  for (const record of layout.body) {
    const field = spans.firstField[record] + column;
    if (field >= spans.firstField[record + 1]) continue;
    const kind = cells.read(spans, field);
    if (kind === NULL_CELL) continue;
    cells.trim();
    if (!take(record, kind !== VALUE_CELL)) return;
  }
}
