/*
 * Whole, ordinary records straight to spans: what Scanner makes of events, made here while they are found. It begins at
 * the start of a record and stops before the first one that the input does not end, that passes a limit, or whose line
 * end differs from the ones before it; the reference goes on from there.
 */

import {
  ACTION_SHIFT,
  BLANK_LINE,
  ENDS,
  ESCAPE_SEEN,
  ESCAPED,
  FIELD_CAPACITY,
  FIELD_END,
  FIELD_FORMS,
  FIRST_FIELD,
  FLAGS,
  INPUT,
  LINE_BREAK,
  MISPLACED,
  NO_ACTION,
  PLAIN_FORM,
  QUOTE_END,
  QUOTED,
  QUOTED_FORM,
  QUOTED_STATE,
  RECORD_CAPACITY,
  RECORD_END,
  RECORD_ENDS,
  RECORD_FLAGS,
  RECORD_FORMS,
  RECORD_LINES,
  RECORD_STARTS,
  STARTS,
  STATE_MASK,
  UNQUOTED,
} from "./layout";

const LF: i32 = 0x0a;
const SPACE: i32 = 0x20;
const CRLF: i32 = 0x0d0a;

let plainSpecials: u32 = 0;
let quotedSpecials: u32 = 0;
let delimiterLength: i32 = 1;
let newlineMode: i32 = 0;
let layoutSpaces: bool = false;
let blankRecords: bool = false;

/** What a call of {@link scanRecords} found, beside the number of records. */
export let fieldCount: i32 = 0;
/** Where the record after the last whole one begins, from INPUT. */
export let nextRecord: i32 = 0;
/** Physical lines before it. */
export let linesBefore: i32 = 0;
/** Line ends outside quotes. */
export let lfEnds: i32 = 0;
export let crlfEnds: i32 = 0;
export let crEnds: i32 = 0;

/** Says what the table at TABLE is the table of. */
export function setDialect(
  plain: u32,
  quoted: u32,
  delimiter: i32,
  newline: i32,
  spaces: bool,
  blank: bool,
): void {
  plainSpecials = plain;
  quotedSpecials = quoted;
  delimiterLength = delimiter;
  newlineMode = newline;
  layoutSpaces = spaces;
  blankRecords = blank;
}

/**
 * Scans whole records of the first `length` bytes of the input and returns how many.
 *
 * @param base What is added to each place, so that they count from where the caller does.
 * @param lines Physical lines before the input.
 * @param lineEnd The line end to expect: 1 for LF, 2 for CRLF, 3 for CR, 0 for any.
 */
export function scanRecords(
  length: i32,
  base: i32,
  lines: i32,
  lineEnd: i32,
  maxRecords: i32,
  maxFields: i32,
  maxRecordSize: i32,
  maxColumns: i32,
): i32 {
  const p0 = i8x16.splat(<i8>plainSpecials);
  const p1 = i8x16.splat(<i8>(plainSpecials >> 8));
  const p2 = i8x16.splat(<i8>(plainSpecials >> 16));
  const p3 = i8x16.splat(<i8>(plainSpecials >> 24));
  const q0 = i8x16.splat(<i8>quotedSpecials);
  const q1 = i8x16.splat(<i8>(quotedSpecials >> 8));
  const q2 = i8x16.splat(<i8>(quotedSpecials >> 16));
  const q3 = i8x16.splat(<i8>(quotedSpecials >> 24));
  const newlineLength = newlineMode === CRLF ? 2 : 1;
  const most = min(maxRecords, RECORD_CAPACITY);
  const end = INPUT + length;
  const lastVector = end - 16;
  // Places are kept from 0 of the memory and moved to the caller's when they are stored.
  const shift = base - INPUT;
  let at = INPUT;
  let current = 0;
  let field = 0;
  let record = 0;
  let openFrom = 0;
  let fieldStart = INPUT;
  let recordStart = INPUT;
  let escaped = 0;
  let recordFlags = 0;
  let linesInside = 0;
  lfEnds = 0;
  crlfEnds = 0;
  crEnds = 0;
  store<i32>(FIRST_FIELD, 0);
  while (at < end) {
    if (current === UNQUOTED) {
      while (at <= lastVector) {
        const bytes = v128.load(at);
        const hits = i8x16.bitmask(
          v128.or(
            v128.or(i8x16.eq(bytes, p0), i8x16.eq(bytes, p1)),
            v128.or(i8x16.eq(bytes, p2), i8x16.eq(bytes, p3)),
          ),
        );
        if (hits !== 0) {
          at += ctz(hits);
          break;
        }
        at += 16;
      }
    } else if (current === QUOTED_STATE) {
      while (at <= lastVector) {
        const bytes = v128.load(at);
        const hits = i8x16.bitmask(
          v128.or(
            v128.or(i8x16.eq(bytes, q0), i8x16.eq(bytes, q1)),
            v128.or(i8x16.eq(bytes, q2), i8x16.eq(bytes, q3)),
          ),
        );
        if (hits !== 0) {
          at += ctz(hits);
          break;
        }
        at += 16;
      }
    }
    if (at >= end) break;
    const cell = <i32>load<u8>((current << 8) | <i32>load<u8>(at));
    at++;
    if (cell < NO_ACTION) {
      current = cell;
      continue;
    }
    const before = current;
    const action = cell >> ACTION_SHIFT;
    current = cell & STATE_MASK;
    if (action === ESCAPE_SEEN) {
      escaped = ESCAPED;
      continue;
    }
    if (action === LINE_BREAK) {
      linesInside++;
      continue;
    }
    if (action <= RECORD_END) {
      if (field === FIELD_CAPACITY) break;
      const endsField = action === FIELD_END;
      const fieldEnd = at - (endsField ? delimiterLength : newlineLength);
      const form = <i32>load<u8>((endsField ? FIELD_FORMS : RECORD_FORMS) + before);
      let first = fieldStart;
      let last = fieldEnd;
      let flags = escaped;
      if (form !== PLAIN_FORM || layoutSpaces) {
        if (layoutSpaces) while (first < last && <i32>load<u8>(first) === SPACE) first++;
        if (form === QUOTED_FORM) {
          flags |= QUOTED;
          first++;
          if (before !== QUOTE_END) while (<i32>load<u8>(last - 1) === SPACE) last--;
          last--;
        } else if (form !== PLAIN_FORM) {
          flags |= MISPLACED;
          recordFlags = 1;
        }
      }
      store<i32>(STARTS + (field << 2), first + shift);
      store<i32>(ENDS + (field << 2), last + shift);
      store<u8>(FLAGS + field, <u8>flags);
      escaped = 0;
      field++;
      if (fieldEnd - recordStart > maxRecordSize || field - openFrom > maxColumns) break;
      fieldStart = at;
      if (endsField) continue;
    } else if (action === BLANK_LINE && blankRecords) {
      if (field === FIELD_CAPACITY) break;
      const place = at - newlineLength + shift;
      store<i32>(STARTS + (field << 2), place);
      store<i32>(ENDS + (field << 2), place);
      store<u8>(FLAGS + field, 0);
      field++;
    }
    // A line outside quotes has ended.
    const lineStop = at;
    let kind = 2;
    if (newlineMode !== CRLF) {
      if (<i32>load<u8>(at - 1) === LF) {
        kind = 1;
      } else {
        kind = 3;
        if (newlineMode === 0) {
          // Whether an LF belongs to the CR shows with the next byte.
          if (at === end) break;
          if (<i32>load<u8>(at) === LF) {
            kind = 2;
            at++;
          }
        }
      }
    }
    if (lineEnd !== 0 && kind !== lineEnd) break;
    if (kind === 1) lfEnds++;
    else if (kind === 2) crlfEnds++;
    else crEnds++;
    if (field > openFrom) {
      store<i32>(RECORD_STARTS + (record << 2), recordStart + shift);
      store<i32>(RECORD_ENDS + (record << 2), lineStop - newlineLength + shift);
      store<i32>(RECORD_LINES + (record << 2), lines);
      store<u8>(RECORD_FLAGS + record, <u8>recordFlags);
      record++;
      store<i32>(FIRST_FIELD + (record << 2), field);
    }
    lines += linesInside + 1;
    linesInside = 0;
    recordFlags = 0;
    escaped = 0;
    current = 0;
    openFrom = field;
    recordStart = at;
    fieldStart = at;
    if (record >= most || field >= maxFields) break;
  }
  fieldCount = openFrom;
  nextRecord = recordStart - INPUT;
  linesBefore = lines;
  return record;
}
