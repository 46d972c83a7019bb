import type { Spans } from "../machine/spans.js";

/** Where the table lies in the sample: its header or first record, its width, its records. */
export interface Layout {
  columns: number;
  /** Index of the record that is the header or, without one, the first of the data; -1 in an empty table. */
  first: number;
  /** Physical lines above it. */
  skipLines: number;
  /** Indexes of the records below it, blank lines left out in tables of several columns. */
  body: number[];
  /** Whether records end in one empty field more than there are columns. */
  trailingDelimiter: boolean;
  /** Whether the first record does, and no other. */
  headerTrailingDelimiter: boolean;
}

/**
 * Finds the table in the records of the chosen dialect: it begins with the first record of the table's width,
 * or with the record above that, where that one has the names of wider or narrower records.
 *
 * @param columns The width that most records agree on.
 * @param skipLines The physical line at which the table begins, by the caller's wish.
 */
export function findLayout(
  spans: Spans,
  columns: number,
  skipLines: number | undefined,
  skipRecords: number,
): Layout {
  const counts = fieldCounts(spans);
  let first = skipLines === undefined ? counts.indexOf(columns) : firstRecordFrom(spans, skipLines);
  if (skipLines === undefined && skipRecords > 0) first = 0;
  for (let skipped = 0; skipped < skipRecords && first >= 0; skipped++) first = nextRecord(counts, first);
  if (columns > 1) while (first >= 0 && counts[first] === 0) first = nextRecord(counts, first);
  if (first < 0 || first >= spans.recordCount) {
    return emptyLayout(columns, spans);
  }
  const fixed = skipLines !== undefined || skipRecords > 0;
  const layout: Layout = {
    columns,
    first,
    skipLines: spans.recordLines[first],
    body: [],
    trailingDelimiter: false,
    headerTrailingDelimiter: false,
  };
  if (!fixed) adoptHeaderAbove(layout, spans, counts);
  settleTrailingDelimiter(layout, spans, counts);
  for (let record = layout.first + 1; record < spans.recordCount; record++) {
    if (counts[record] > 0 || layout.columns === 1) layout.body.push(record);
  }
  return layout;
}

/** By record: its number of fields, 0 for a blank line. */
export function fieldCounts(spans: Spans): number[] {
  const counts: number[] = [];
  for (let record = 0; record < spans.recordCount; record++) {
    const blank = spans.recordStarts[record] === spans.recordEnds[record];
    counts.push(blank ? 0 : spans.firstField[record + 1] - spans.firstField[record]);
  }
  return counts;
}

function emptyLayout(columns: number, spans: Spans): Layout {
  const last = spans.recordCount - 1;
  return {
    columns,
    first: -1,
    skipLines: last < 0 ? 0 : spans.recordLines[last],
    body: [],
    trailingDelimiter: false,
    headerTrailingDelimiter: false,
  };
}

function firstRecordFrom(spans: Spans, line: number): number {
  for (let record = 0; record < spans.recordCount; record++)
    if (spans.recordLines[record] >= line) return record;
  return -1;
}

function nextRecord(counts: number[], record: number): number {
  return record + 1 < counts.length ? record + 1 : -1;
}

/** A record of names stands above records that are wider or narrower than it. */
function adoptHeaderAbove(layout: Layout, spans: Spans, counts: number[]): void {
  let above = layout.first - 1;
  while (above >= 0 && counts[above] === 0) above--;
  if (above < 0) return;
  const width = counts[above];
  const columns = layout.columns;
  const trailing = width === columns + 1 && isEmptyField(spans, spans.firstField[above + 1] - 1);
  const narrower = width === columns - 1 && everyRecordEndsEmpty(spans, counts, columns);
  const wider = above === 0 && width > columns && columns > 1 && isNames(spans, above);
  if (!trailing && !narrower && !wider) return;
  layout.first = above;
  layout.skipLines = spans.recordLines[above];
  if (wider && !trailing) layout.columns = width;
}

/** One empty field too many, on the first record only or on all the others, is layout and not a column. */
function settleTrailingDelimiter(layout: Layout, spans: Spans, counts: number[]): void {
  const width = counts[layout.first];
  const columns = layout.columns;
  if (width === columns + 1 && isEmptyField(spans, spans.firstField[layout.first + 1] - 1)) {
    layout.headerTrailingDelimiter = true;
  } else if (width === columns - 1 && everyRecordEndsEmpty(spans, counts, columns)) {
    layout.columns = columns - 1;
    layout.trailingDelimiter = true;
  }
}

function everyRecordEndsEmpty(spans: Spans, counts: number[], columns: number): boolean {
  for (let record = 0; record < spans.recordCount; record++) {
    if (counts[record] === columns && !isEmptyField(spans, spans.firstField[record + 1] - 1)) return false;
  }
  return true;
}

function isEmptyField(spans: Spans, field: number): boolean {
  return spans.starts[field] === spans.ends[field] && spans.flags[field] === 0;
}

/** Whether all fields of a record are text that begins with a letter, and differ. */
function isNames(spans: Spans, record: number): boolean {
  const seen = new Set<string>();
  const decoder = new TextDecoder();
  for (let field = spans.firstField[record]; field < spans.firstField[record + 1]; field++) {
    const text = decoder.decode(spans.bytes.subarray(spans.starts[field], spans.ends[field])).trim();
    if (text === "" || /^[^\p{L}_]/u.test(text) || seen.has(text)) return false;
    seen.add(text);
  }
  return true;
}
