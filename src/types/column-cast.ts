import { ESCAPED, MISPLACED, type Spans } from "../machine/spans.js";
import type { Caster } from "./caster.js";
import { type CellReader, cellKind, NULL_CELL, type NullSettings, VALUE_CELL } from "./cell-reader.js";
import { VarcharCaster } from "./varchar.js";

const SPACE = 0x20;
const UNUSUAL = ESCAPED | MISPLACED;

/** Where the rows of a batch lie in the spans: by row, the index of its first field and how many it has. */
export interface RowFields {
  count: number;
  first: Int32Array;
  width: Int32Array;
}

/**
 * Casts one column of a batch: row `from + i` of `rows` into the caster's row `i`. `valid[i]` becomes 1 where there
 * is a value and 0 where it is missing. Returns the first `i` whose cell the type refuses, or `count`; with
 * `refusals` it goes on instead, marks the cell as missing and lists it.
 */
export function castColumn(
  caster: Caster,
  spans: Spans,
  rows: RowFields,
  from: number,
  count: number,
  column: number,
  nulls: NullSettings,
  cells: CellReader,
  valid: Uint8Array,
  refusals: number[] | null,
): number {
  const text = caster instanceof VarcharCaster ? caster : null;
  const onlyEmpty = nulls.nullTexts.length === 1 && nulls.nullTexts[0].length === 0;
  const plain = onlyEmpty && nulls.quotedEmpty === "null" && !nulls.quotedAsText;
  const { bytes, starts, ends, flags } = spans;
  caster.begin(count);
  if (text !== null && plain) {
    castText(text, spans, rows, from, count, column, cells, valid);
    return count;
  }
  for (let i = 0; i < count; i++) {
    const field = rows.first[from + i] + column;
    if (column >= rows.width[from + i]) {
      text?.skip(i);
      valid[i] = 0;
      continue;
    }
    let start = starts[field];
    let end = ends[field];
    const flag = flags[field];
    if ((flag & UNUSUAL) !== 0) {
      if (!castUnusual(caster, text, spans, field, cells, valid, i)) {
        if (refusals === null) return i;
        refusals.push(i);
      }
      continue;
    }
    if (plain) {
      if (start === end) {
        text?.skip(i);
        valid[i] = 0;
        continue;
      }
    } else {
      const kind = cellKind(nulls, bytes, start, end, flag);
      if (kind === NULL_CELL) {
        text?.skip(i);
        valid[i] = 0;
        continue;
      }
      if (kind !== VALUE_CELL && text === null) {
        valid[i] = 0;
        if (refusals === null) return i;
        refusals.push(i);
        continue;
      }
    }
    if (text === null) {
      while (start < end && bytes[start] === SPACE) start++;
      while (end > start && bytes[end - 1] === SPACE) end--;
    }
    if (caster.cast(bytes, start, end, i)) {
      valid[i] = 1;
    } else {
      valid[i] = 0;
      if (refusals === null) return i;
      refusals.push(i);
    }
  }
  return count;
}

/** The same for text where only empty cells are missing: the most frequent case, and nothing is refused. */
function castText(
  caster: VarcharCaster,
  spans: Spans,
  rows: RowFields,
  from: number,
  count: number,
  column: number,
  cells: CellReader,
  valid: Uint8Array,
): void {
  const { bytes, starts, ends, flags } = spans;
  const { first, width } = rows;
  const { machine } = cells;
  for (let i = 0; i < count; i++) {
    const field = first[from + i] + column;
    if (column >= width[from + i]) {
      caster.skip(i);
      valid[i] = 0;
    } else if ((flags[field] & MISPLACED) !== 0) {
      castUnusual(caster, caster, spans, field, cells, valid, i);
    } else if ((flags[field] & ESCAPED) !== 0) {
      caster.castEscaped(machine, bytes, starts[field], ends[field], i);
      valid[i] = 1;
    } else {
      const start = starts[field];
      const end = ends[field];
      caster.cast(bytes, start, end, i);
      valid[i] = start === end ? 0 : 1;
    }
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
