/** The field was enclosed in quotes; its span is what stands between them. */
export const QUOTED = 1;
/** The span holds escapes: read it with `undoEscapes`, not as it stands. */
export const ESCAPED = 2;
/** Text follows the closing quote; the span then runs from the opening quote to the field's end, as it stands. */
export const MISPLACED = 4;

/** The record holds a MISPLACED field. */
export const RECORD_MISPLACED = 1;
/** The input ended inside quotes; the last field's span runs to the end. */
export const RECORD_UNTERMINATED = 2;

/**
 * What the scanner says of a run of whole records: where in `bytes` each field lies. Spans are half-open
 * byte ranges. The arrays belong to the scanner and are overwritten by its next scan; they are longer than
 * what they hold, so go by the counts.
 */
export interface Spans {
  /** The bytes that starts and ends refer to. */
  bytes: Uint8Array;
  recordCount: number;
  fieldCount: number;
  /** By field. */
  starts: Int32Array;
  ends: Int32Array;
  /** By field: QUOTED | ESCAPED | MISPLACED. */
  flags: Uint8Array;
  /** By record, and one more: the index of its first field. */
  firstField: Int32Array;
  /** By record: where its raw text begins and, line end excluded, ends. */
  recordStarts: Int32Array;
  recordEnds: Int32Array;
  /** By record: physical lines between the start of the scan and the start of the record. */
  recordLines: Int32Array;
  /** By record: RECORD_MISPLACED | RECORD_UNTERMINATED. */
  recordFlags: Uint8Array;
}

/** Doubles the room for fields. */
export function growFields(spans: Spans): void {
  spans.starts = grown(spans.starts, new Int32Array(spans.starts.length * 2));
  spans.ends = grown(spans.ends, new Int32Array(spans.ends.length * 2));
  spans.flags = grown(spans.flags, new Uint8Array(spans.flags.length * 2));
}

/** Doubles the room for records. */
export function growRecords(spans: Spans): void {
  const length = spans.recordStarts.length * 2;
  spans.recordStarts = grown(spans.recordStarts, new Int32Array(length));
  spans.recordEnds = grown(spans.recordEnds, new Int32Array(length));
  spans.recordLines = grown(spans.recordLines, new Int32Array(length));
  spans.recordFlags = grown(spans.recordFlags, new Uint8Array(length));
  spans.firstField = grown(spans.firstField, new Int32Array(length + 1));
}

function grown<T extends Int32Array | Uint8Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
