import { FIELD_CAPACITY, INPUT_CAPACITY, type Kernel, RECORD_CAPACITY } from "../machine/kernel.js";
import type { Spans } from "../machine/spans.js";
import type { NullSettings } from "../types/cell-reader.js";
import type { ColumnEvidence } from "./column-evidence.js";

/** Among the kernel's outcomes. */
const HANDED_BACK = 2;

/** Records for the kernel, and how many of their fields belong to columns. */
export interface SampleRows {
  records: Int32Array;
  width: Int32Array;
  count: number;
}

/**
 * Has the kernel look at the cells of some records, column by column: most of a column are taken by all of the types
 * that took the cells before. Those that it does not decide on are given to `observe`.
 *
 * @returns How many of the rows, from `from` on, it has dealt with; 0 where they are not for the kernel.
 */
export function observeInKernel(
  kernel: Kernel,
  spans: Spans,
  rows: SampleRows,
  from: number,
  nulls: NullSettings,
  evidence: readonly ColumnEvidence[],
  observe: (field: number, evidence: ColumnEvidence) => void,
): number {
  const firstField = spans.firstField[rows.records[from]];
  const base = spans.recordStarts[rows.records[from]];
  let to = from;
  while (to < rows.count && to - from < RECORD_CAPACITY) {
    const record = rows.records[to];
    if (spans.recordEnds[record] - base > INPUT_CAPACITY) break;
    if (spans.firstField[record + 1] - firstField > FIELD_CAPACITY) break;
    to++;
  }
  const count = to - from;
  if (count === 0 || !kernel.setNullTexts(nulls.nullTexts)) return 0;
  const last = rows.records[to - 1];
  const lastField = spans.firstField[last + 1];
  kernel.owner = rows;
  kernel.input.set(spans.bytes.subarray(base, spans.recordEnds[last]));
  kernel.starts.set(spans.starts.subarray(firstField, lastField));
  kernel.ends.set(spans.ends.subarray(firstField, lastField));
  kernel.flags.set(spans.flags.subarray(firstField, lastField));
  for (let row = 0; row < count; row++) {
    kernel.rowFirst[row] = spans.firstField[rows.records[from + row]] - firstField;
    kernel.rowWidth[row] = rows.width[from + row];
  }
  kernel.run.setCells(base, nulls.quotedEmpty === "string", nulls.quotedAsText, 0);
  const undecided = new Uint8Array(count);
  for (let column = 0; column < evidence.length; column++) {
    undecided.fill(0);
    const decided = evidence[column].observeInKernel(kernel, count, column, (outcomes) => {
      for (let row = outcomes.indexOf(HANDED_BACK); row >= 0; row = outcomes.indexOf(HANDED_BACK, row + 1)) {
        undecided[row] = 1;
      }
    });
    if (!decided) undecided.fill(1);
    for (let row = undecided.indexOf(1); row >= 0; row = undecided.indexOf(1, row + 1)) {
      if (column >= rows.width[from + row]) continue;
      observe(spans.firstField[rows.records[from + row]] + column, evidence[column]);
    }
  }
  return count;
}
