import { ESCAPED, MISPLACED, QUOTED, RECORD_MISPLACED, type Spans } from "../../machine/spans.js";

/*
 * VW trims form feeds, vertical tabs, carriage returns and byte order marks from both ends of every line before it
 * looks for cells. Here they are part of a record's first or last field, so that fields are taken up again without
 * them. A byte order mark is trimmed as a whole: VW trims its three bytes one by one, and cuts characters.
 */

const VT = 0x0b;
const FF = 0x0c;
const CR = 0x0d;
const QUOTE = 0x22;

/** Whether a record begins or ends with bytes that VW trims. */
export function hasLineTrim(spans: Spans, record: number): boolean {
  const { bytes } = spans;
  const start = spans.recordStarts[record];
  const end = spans.recordEnds[record];
  if (start === end) return false;
  return trimStart(bytes, start, end) > start || trimEnd(bytes, start, end) < end;
}

/** The record alone, without what VW trims: record 0 of the spans returned. */
export function trimRecord(spans: Spans, record: number): Spans {
  const { bytes } = spans;
  const first = spans.firstField[record];
  const last = spans.firstField[record + 1];
  const recordStart = spans.recordStarts[record];
  const recordEnd = spans.recordEnds[record];
  const start = trimStart(bytes, recordStart, recordEnd);
  const end = trimEnd(bytes, start, recordEnd);
  const trimmed: Spans = {
    bytes,
    recordCount: 1,
    fieldCount: last - first,
    starts: spans.starts.slice(first, last),
    ends: spans.ends.slice(first, last),
    flags: spans.flags.slice(first, last),
    firstField: Int32Array.of(0, last - first),
    recordStarts: Int32Array.of(start),
    recordEnds: Int32Array.of(end),
    recordLines: spans.recordLines.slice(record, record + 1),
    recordFlags: spans.recordFlags.slice(record, record + 1),
  };
  for (const field of new Set([0, last - first - 1])) trimField(trimmed, field, start, end);
  if (!trimmed.flags.some((flags) => flags & MISPLACED)) trimmed.recordFlags[0] &= ~RECORD_MISPLACED;
  return trimmed;
}

function trimField(spans: Spans, field: number, start: number, end: number): void {
  const { bytes, starts, ends, flags } = spans;
  const from = Math.max(starts[field], start);
  const to = Math.max(from, Math.min(ends[field], end));
  if (from === starts[field] && to === ends[field]) return;
  starts[field] = from;
  ends[field] = to;
  if (flags[field] & QUOTED) return;
  if (flags[field] & MISPLACED) flags[field] &= ~(MISPLACED | ESCAPED);
  // Quotes that only what was trimmed kept from enclosing the field.
  if (to - from < 2 || bytes[from] !== QUOTE) return;
  const inner = quotedEnd(bytes, from + 1, to);
  if (inner !== to - 1) {
    flags[field] |= MISPLACED;
    return;
  }
  starts[field] = from + 1;
  ends[field] = to - 1;
  flags[field] |= QUOTED;
  if (bytes.subarray(from + 1, to - 1).includes(QUOTE)) flags[field] |= ESCAPED;
}

/** Where the quote stands that closes a field, doubled ones passed over. */
function quotedEnd(bytes: Uint8Array, start: number, end: number): number {
  let i = start;
  while (i < end) {
    if (bytes[i] !== QUOTE) i++;
    else if (i + 1 < end && bytes[i + 1] === QUOTE) i += 2;
    else return i;
  }
  return end;
}

function trimStart(bytes: Uint8Array, start: number, end: number): number {
  let i = start;
  for (;;) {
    if (i < end && isTrimmed(bytes[i])) i++;
    else if (i + 3 <= end && isMark(bytes, i)) i += 3;
    else return i;
  }
}

function trimEnd(bytes: Uint8Array, start: number, end: number): number {
  let i = end;
  for (;;) {
    if (i > start && isTrimmed(bytes[i - 1])) i--;
    else if (i - 3 >= start && isMark(bytes, i - 3)) i -= 3;
    else return i;
  }
}

function isTrimmed(byte: number): boolean {
  return byte === FF || byte === VT || byte === CR;
}

function isMark(bytes: Uint8Array, i: number): boolean {
  return bytes[i] === 0xef && bytes[i + 1] === 0xbb && bytes[i + 2] === 0xbf;
}
