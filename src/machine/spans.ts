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
