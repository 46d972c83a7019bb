import { RECORD_MISPLACED, type Spans } from "../machine/spans.js";
import { ColumnProfile, type RecordLooks } from "./header-lines.js";

/** Where the table lies in the sample: its header or first record, its width, its records. */
export interface Layout {
  columns: number;
  /** Index of the record that is the header or, without one, the first of the data; -1 in an empty table. */
  first: number;
  /** Physical lines above it. */
  skipLines: number;
  /** Indexes of the records that are the header, if the first is: more than one where it has several lines. */
  headerRecords: number[];
  /**
   * By column: the index of its name among the header's fields, -1 for none; null where they stand in the
   * columns' order.
   */
  nameFields: number[] | null;
  /** The names, where quotes in the header are so broken that its fields can't be told by the dialect. */
  rawNames: string[] | null;
  /** What the first record looks like beside what the columns hold. */
  looks: RecordLooks;
  /** Indexes of the records below it, blank lines left out in tables of several columns. */
  body: number[];
  /** Whether records end in one empty field more than there are columns. */
  trailingDelimiter: boolean;
  /** Whether the first record does, and no other. */
  headerTrailingDelimiter: boolean;
  /** Index of the record that another table begins with, below this one and of another width; -1 for none. */
  otherTable: number;
}

/** What the caller has fixed of the layout. */
export interface LayoutWishes {
  /** The physical line at which the table begins. */
  skipLines?: number;
  skipRecords: number;
  header?: boolean;
  headerLines?: number;
}

/**
 * Finds the table in the records of the chosen dialect: it begins with the first record of the table's width,
 * or with the record above that, where that one has the names of wider or narrower records, or further down,
 * where titles stand above the header.
 *
 * @param columns The width that most records agree on.
 */
export function findLayout(spans: Spans, columns: number, delimiter: string, wishes: LayoutWishes): Layout {
  const counts = fieldCounts(spans);
  const { skipLines, skipRecords } = wishes;
  let first = skipLines === undefined ? counts.indexOf(columns) : firstRecordFrom(spans, skipLines);
  if (skipLines === undefined && skipRecords > 0) first = 0;
  for (let skipped = 0; skipped < skipRecords && first >= 0; skipped++) first = nextRecord(counts, first);
  if (columns > 1) while (first >= 0 && counts[first] === 0) first = nextRecord(counts, first);
  if (first < 0 || first >= spans.recordCount) return emptyLayout(columns, spans);
  const layout: Layout = { ...emptyLayout(columns, spans), first };
  const fixed = skipLines !== undefined || skipRecords > 0;
  const profile = new ColumnProfile(spans, counts, columns, first);
  if (!fixed) {
    const titles = wishes.header === false ? 0 : profile.titlesFrom(first);
    for (let skipped = 0; skipped < titles; skipped++) {
      do layout.first = nextRecord(counts, layout.first);
      while (counts[layout.first] === 0);
    }
    if (titles === 0) adoptHeaderAbove(layout, spans, counts, profile, delimiter);
  }
  settleTrailingDelimiter(layout, spans, counts);
  layout.skipLines = spans.recordLines[layout.first];
  layout.looks = profile.looks(layout.first);
  layout.headerRecords = headerRecords(layout, counts, profile, wishes);
  const last = layout.headerRecords[layout.headerRecords.length - 1];
  for (let record = last + 1; record < spans.recordCount; record++) {
    if (counts[record] > 0 || layout.columns === 1) layout.body.push(record);
  }
  layout.otherTable = findOtherTable(layout, counts);
  return layout;
}

/** Records of one width in a row that make a table of their own. */
const OTHER_TABLE = 3;

function findOtherTable(layout: Layout, counts: readonly number[]): number {
  const own = [layout.columns, layout.columns + 1, counts[layout.first]];
  let run = 0;
  let before = 0;
  for (const record of layout.body) {
    const count = counts[record];
    run = count === before ? run + 1 : 1;
    before = count;
    if (run === OTHER_TABLE && count > 1 && !own.includes(count)) return record - OTHER_TABLE + 1;
  }
  return -1;
}

/** The index of a header record's field that names a column, or -1 where there is none. */
export function nameField(spans: Spans, layout: Layout, record: number, column: number): number {
  const index = layout.nameFields === null ? column : layout.nameFields[column];
  const field = spans.firstField[record] + index;
  return index >= 0 && field < spans.firstField[record + 1] ? field : -1;
}

function headerRecords(
  layout: Layout,
  counts: readonly number[],
  profile: ColumnProfile,
  wishes: LayoutWishes,
): number[] {
  if (wishes.header === false) return [layout.first];
  if (wishes.headerLines === undefined) {
    return counts[layout.first] === profile.columns ? profile.headerFrom(layout.first) : [layout.first];
  }
  const records: number[] = [];
  for (let record = layout.first; record < counts.length && records.length < wishes.headerLines; record++) {
    if (counts[record] > 0 || layout.columns === 1) records.push(record);
  }
  return records;
}

/** By record: its number of fields, 0 for a blank line. */
export function fieldCounts(spans: Spans): number[] {
  const { recordCount, recordStarts, recordEnds, firstField } = spans;
  const counts: number[] = [];
  for (let record = 0; record < recordCount; record++) {
    const blank = recordStarts[record] === recordEnds[record];
    counts.push(blank ? 0 : firstField[record + 1] - firstField[record]);
  }
  return counts;
}

function emptyLayout(columns: number, spans: Spans): Layout {
  const last = spans.recordCount - 1;
  return {
    columns,
    first: -1,
    skipLines: last < 0 ? 0 : spans.recordLines[last],
    headerRecords: [],
    nameFields: null,
    rawNames: null,
    looks: { filled: 0, texts: 0, numbers: 0, unlike: 0, alike: 0 },
    body: [],
    trailingDelimiter: false,
    headerTrailingDelimiter: false,
    otherTable: -1,
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

/**
 * A record of names stands above records that are wider or narrower than it. It does not where the first record
 * of the table's own width is a header already.
 */
function adoptHeaderAbove(
  layout: Layout,
  spans: Spans,
  counts: number[],
  profile: ColumnProfile,
  delimiter: string,
): void {
  let above = layout.first - 1;
  while (above >= 0 && counts[above] === 0) above--;
  if (above < 0) return;
  const { columns } = layout;
  const data = profile.isData(layout.first);
  if (profile.hasNumbers && !data) return;
  const width = counts[above];
  const trailing = width === columns + 1 && isEmptyField(spans, spans.firstField[above + 1] - 1);
  const narrower = width === columns - 1 && everyRecordEndsEmpty(spans, counts, columns);
  const wider = above === 0 && width > columns && columns > 1 && isNames(spans, above);
  if (!trailing && !narrower && !wider) {
    const touches = above === layout.first - 1;
    if (!data || !touches || !adoptMisshapenHeader(layout, spans, counts, profile, above, delimiter)) return;
  }
  layout.first = above;
  if (wider && !trailing) layout.columns = width;
}

/**
 * A header whose number of fields is off by one, over records with numbers: it misses the name of the row names
 * that R writes, or has an empty name too many, or a quote in it hides its delimiters.
 */
function adoptMisshapenHeader(
  layout: Layout,
  spans: Spans,
  counts: number[],
  profile: ColumnProfile,
  above: number,
  delimiter: string,
): boolean {
  const { columns } = layout;
  const width = counts[above];
  const looks = profile.looks(above);
  if (spans.recordFlags[above] & RECORD_MISPLACED) {
    const names = rawFields(spans, above, delimiter);
    if (names.length !== columns) return false;
    layout.rawNames = names;
    return true;
  }
  if (columns < 3 || Math.abs(width - columns) !== 1 || looks.numbers > 0 || looks.texts < 2) return false;
  if (width < columns) {
    const rowNames = !isBlankField(spans, spans.firstField[layout.first + 1] - 1);
    layout.nameFields = Array.from({ length: columns }, (_, column) => (rowNames ? column - 1 : column));
    return true;
  }
  let blank = 0;
  while (blank < width && !isBlankField(spans, spans.firstField[above] + blank)) blank++;
  layout.nameFields = Array.from({ length: columns }, (_, column) => (column < blank ? column : column + 1));
  return true;
}

/** A record's texts between delimiters, whatever the quotes say, and without them. */
function rawFields(spans: Spans, record: number, delimiter: string): string[] {
  const raw = spans.bytes.subarray(spans.recordStarts[record], spans.recordEnds[record]);
  const fields = new TextDecoder().decode(raw).split(delimiter);
  return fields.map((field) => field.replaceAll('"', "").trim());
}

function isBlankField(spans: Spans, field: number): boolean {
  for (let i = spans.starts[field]; i < spans.ends[field]; i++) if (spans.bytes[i] > 0x20) return false;
  return true;
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
