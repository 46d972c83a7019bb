import type { Kernel } from "../machine/kernel.js";
import { ESCAPED, MISPLACED, type Spans } from "../machine/spans.js";
import type { Caster } from "./caster.js";
import { type CellReader, cellKind, NULL_CELL, type NullSettings, VALUE_CELL } from "./cell-reader.js";
import { type BatchText, VarcharCaster } from "./varchar.js";

const SPACE = 0x20;
const UNUSUAL = ESCAPED | MISPLACED;
/** Among the kernel's outcomes. */
const HANDED_BACK = 2;

/** Where the rows of a batch lie in the spans: by row, the index of its first field and how many it has. */
export interface RowFields {
  count: number;
  first: Int32Array;
  width: Int32Array;
  /** Whether row after row is a record of the scan, from the first on, and all have equally many fields. */
  isRegular: boolean;
}

/** The cells of a batch: those of the rows `from` to `from + count` of `rows`. */
export interface BatchCells {
  spans: Spans;
  rows: RowFields;
  from: number;
  nulls: NullSettings;
  cells: CellReader;
  /** The kernel, where it holds the spans and {@link layRows} has told it the rows; null where not. */
  kernel: Kernel | null;
  /** The rows' records as text, where cells may be cut from it. */
  text: BatchText | null;
}

/** Tells the kernel the rows of a batch. False where it can't tell which of their cells are missing. */
export function layRows(kernel: Kernel, batch: BatchCells, count: number, base: number): boolean {
  const { rows, from, nulls } = batch;
  if (count > kernel.rowFirst.length || !kernel.setNullTexts(nulls.nullTexts)) return false;
  const regular = rows.isRegular && from === 0;
  if (!regular) {
    kernel.rowFirst.set(rows.first.subarray(from, from + count));
    kernel.rowWidth.set(rows.width.subarray(from, from + count));
  }
  kernel.run.setCells(base, nulls.quotedEmpty === "string", nulls.quotedAsText, regular ? rows.width[0] : 0);
  return true;
}

/**
 * Casts one column of a batch: row `from + i` of `rows` into the caster's row `i`. `valid[i]` becomes 1 where there
 * is a value and 0 where it is missing. Returns the first `i` whose cell the type refuses, or `count`; with
 * `refusals` it goes on instead, marks the cell as missing and lists it.
 */
export function castColumn(
  caster: Caster,
  batch: BatchCells,
  count: number,
  column: number,
  valid: Uint8Array,
  refusals: number[] | null,
): number {
  const { kernel, nulls } = batch;
  const text = caster instanceof VarcharCaster ? caster : null;
  caster.begin(count);
  if (kernel !== null && caster.castInKernel !== undefined) {
    const handedBack = caster.castInKernel(kernel, count, column, batch.cells.machine);
    if (handedBack >= 0) {
      valid.set(kernel.outcomes.subarray(0, count));
      return handedBack === 0 ? count : castHandedBack(caster, batch, count, column, valid, refusals);
    }
    caster.begin(count);
  }
  if (text !== null && onlyEmptyIsNull(nulls)) {
    castText(text, batch, count, column, valid);
    return count;
  }
  const plain = onlyEmptyIsNull(nulls);
  for (let i = 0; i < count; i++) {
    if (castCell(caster, text, batch, column, plain, valid, i)) continue;
    valid[i] = 0;
    if (refusals === null) return i;
    refusals.push(i);
  }
  return count;
}

/** Whether cells are missing where they are empty, quoted or not, and only there. */
function onlyEmptyIsNull(nulls: NullSettings): boolean {
  const onlyEmpty = nulls.nullTexts.length === 1 && nulls.nullTexts[0].length === 0;
  return onlyEmpty && nulls.quotedEmpty === "null" && !nulls.quotedAsText;
}

/** The cells that the kernel would not decide on. */
function castHandedBack(
  caster: Caster,
  batch: BatchCells,
  count: number,
  column: number,
  valid: Uint8Array,
  refusals: number[] | null,
): number {
  const plain = onlyEmptyIsNull(batch.nulls);
  for (let i = valid.indexOf(HANDED_BACK); i >= 0 && i < count; i = valid.indexOf(HANDED_BACK, i + 1)) {
    if (castCell(caster, null, batch, column, plain, valid, i)) continue;
    valid[i] = 0;
    if (refusals === null) return i;
    refusals.push(i);
  }
  return count;
}

/** Casts a cell and says whether it is missing or its type takes it. */
function castCell(
  caster: Caster,
  text: VarcharCaster | null,
  batch: BatchCells,
  column: number,
  plain: boolean,
  valid: Uint8Array,
  i: number,
): boolean {
  const { spans, rows, from } = batch;
  const { bytes } = spans;
  if (column >= rows.width[from + i]) {
    text?.skip(i);
    valid[i] = 0;
    return true;
  }
  const field = rows.first[from + i] + column;
  let start = spans.starts[field];
  let end = spans.ends[field];
  const flag = spans.flags[field];
  if ((flag & UNUSUAL) !== 0) return castUnusual(caster, text, spans, field, batch.cells, valid, i);
  if (plain) {
    if (start === end) {
      text?.skip(i);
      valid[i] = 0;
      return true;
    }
  } else {
    const kind = cellKind(batch.nulls, bytes, start, end, flag);
    if (kind === NULL_CELL) {
      text?.skip(i);
      valid[i] = 0;
      return true;
    }
    if (kind !== VALUE_CELL && text === null) return false;
  }
  if (text === null) {
    while (start < end && bytes[start] === SPACE) start++;
    while (end > start && bytes[end - 1] === SPACE) end--;
  }
  if (!caster.cast(bytes, start, end, i)) return false;
  valid[i] = 1;
  return true;
}

/** The same for text where only empty cells are missing: the most frequent case, and nothing is refused. */
function castText(
  caster: VarcharCaster,
  batch: BatchCells,
  count: number,
  column: number,
  valid: Uint8Array,
): void {
  for (let row = 0; row < count; row++) {
    row = caster.castRows(batch, count, column, valid, row, batch.text);
    if (row === count) break;
    const field = batch.rows.first[batch.from + row] + column;
    castUnusual(caster, caster, batch.spans, field, batch.cells, valid, row);
  }
}

/** A cell with escapes, or with text after its closing quote. */
function castUnusual(
  caster: Caster,
  text: VarcharCaster | null,
  spans: Spans,
  field: number,
  cells: CellReader,
  valid: Uint8Array,
  i: number,
): boolean {
  const kind = cells.read(spans, field);
  valid[i] = 0;
  if (kind === NULL_CELL) {
    text?.skip(i);
    return true;
  }
  if (text === null) {
    if (kind !== VALUE_CELL) return false;
    cells.trim();
  }
  if (!caster.cast(cells.bytes, cells.start, cells.end, i)) return false;
  valid[i] = 1;
  return true;
}
