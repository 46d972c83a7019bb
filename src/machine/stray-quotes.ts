import type { Dialect } from "./dialect.js";
import { Scanner, UNBOUNDED } from "./scanner.js";
import { growFields, MISPLACED, RECORD_UNTERMINATED, type Spans } from "./spans.js";
import type { MachineBytes } from "./table.js";

const LF = 0x0a;
const CR = 0x0d;

/** Stray quotes in one record that are looked for. */
const MOST_STRAY = 4;
const NO_LIMITS = { maxRecordSize: UNBOUNDED, maxColumns: UNBOUNDED };

/** A record within the spans: the index of its first field, and how many it has. */
export interface RereadRecord {
  first: number;
  width: number;
}

/**
 * Reads a record again that has text behind a closing quote, or a quote that is never closed, with the quotes at fault as
 * text: a quote that somebody put before a value by mistake swallows delimiters and line breaks up to the next one. It
 * counts where every record that comes of it has the table's width and no such fault.
 *
 * @param at Where in the spans' fields there is room for those of the records found.
 * @returns Null where the record is better left as it is.
 */
export function rereadRecord(
  spans: Spans,
  record: number,
  columns: number,
  at: number,
  dialect: Dialect,
  machine: MachineBytes,
): RereadRecord[] | null {
  const start = spans.recordStarts[record];
  if (!swallows(spans, record, columns)) return null;
  const copy = spans.bytes.slice(start, spans.recordEnds[record]);
  const plain = plainByte(machine);
  let stray = strayQuote(spans, record) - start;
  for (let tries = 0; tries < MOST_STRAY; tries++) {
    copy[stray] = plain;
    const scanner = new Scanner(dialect, NO_LIMITS, columns === 1, "js");
    scanner.scan(copy, copy.length, true, UNBOUNDED, UNBOUNDED);
    const found = scanner.spans;
    const faulty = found.recordFlags.subarray(0, found.recordCount).findIndex((flags) => flags !== 0);
    if (faulty < 0) return allOfWidth(found, columns) ? appendFields(spans, found, start, at) : null;
    stray = strayQuote(found, faulty);
  }
  return null;
}

/** Whether a record at fault may have swallowed something: it has another width, or reaches over a line end. */
function swallows(spans: Spans, record: number, columns: number): boolean {
  if (spans.firstField[record + 1] - spans.firstField[record] !== columns) return true;
  if (spans.recordFlags[record] & RECORD_UNTERMINATED) return true;
  const raw = spans.bytes.subarray(spans.recordStarts[record], spans.recordEnds[record]);
  return raw.includes(LF) || raw.includes(CR);
}

/** The quote that the first field at fault begins with. */
function strayQuote(spans: Spans, record: number): number {
  const last = spans.firstField[record + 1];
  for (let field = spans.firstField[record]; field < last; field++) {
    if (spans.flags[field] & MISPLACED) return spans.starts[field];
  }
  // Of a quote that is never closed the span begins behind it.
  return spans.recordFlags[record] & RECORD_UNTERMINATED
    ? spans.starts[last - 1] - 1
    : spans.starts[last - 1];
}

function allOfWidth(spans: Spans, columns: number): boolean {
  for (let record = 0; record < spans.recordCount; record++) {
    if (spans.firstField[record + 1] - spans.firstField[record] !== columns) return false;
  }
  return spans.recordCount > 0;
}

function appendFields(spans: Spans, found: Spans, shift: number, at: number): RereadRecord[] {
  while (spans.starts.length < at + found.fieldCount) growFields(spans);
  for (let field = 0; field < found.fieldCount; field++) {
    spans.starts[at + field] = found.starts[field] + shift;
    spans.ends[at + field] = found.ends[field] + shift;
    spans.flags[at + field] = found.flags[field];
  }
  const records: RereadRecord[] = [];
  for (let record = 0; record < found.recordCount; record++) {
    const first = found.firstField[record];
    records.push({ first: at + first, width: found.firstField[record + 1] - first });
  }
  return records;
}

/** A byte that means nothing in the dialect. */
function plainByte({ delimiter, quote, escape, comment }: MachineBytes): number {
  let byte = 0x61;
  while (delimiter.includes(byte) || byte === quote || byte === escape || byte === comment) byte++;
  return byte;
}
