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
const CR: i32 = 0x0d;
const SPACE: i32 = 0x20;
const CRLF: i32 = 0x0d0a;

let plainSpecials: u32 = 0;
let quotedSpecials: u32 = 0;
let delimiterLength: i32 = 1;
let newlineMode: i32 = 0;
let layoutSpaces: bool = false;
let blankRecords: bool = false;
/** The dialect's bytes where its records can be read without the table; see {@link readOrdinary}. */
let ordinary: bool = false;
let delimiterByte: i32 = 0;
let quoteByte: i32 = -1;
let commentByte: i32 = -1;
let quotesDouble: bool = false;

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
/** Whether what follows is the beginning of a record that the input does not end. */
export let unfinished: bool = false;

/* The bounds of a call, and how far it has come. Places are those of the memory. */
let end: i32 = 0;
let shift: i32 = 0;
let lineEnd: i32 = 0;
let mostRecords: i32 = 0;
let mostFields: i32 = 0;
let mostBytes: i32 = 0;
let mostColumns: i32 = 0;
let recordCount: i32 = 0;
let fieldsTaken: i32 = 0;
let nextStart: i32 = 0;

/** Says what the table at TABLE is the table of; a byte of -1 stands for none. */
export function setDialect(
  plain: u32,
  quoted: u32,
  delimiterSize: i32,
  delimiter: i32,
  quote: i32,
  escape: i32,
  comment: i32,
  newline: i32,
  spaces: bool,
  blank: bool,
): void {
  plainSpecials = plain;
  quotedSpecials = quoted;
  delimiterLength = delimiterSize;
  newlineMode = newline;
  layoutSpaces = spaces;
  blankRecords = blank;
  delimiterByte = delimiter;
  quoteByte = quote;
  commentByte = comment;
  quotesDouble = escape === quote;
  ordinary = delimiterSize === 1 && newline === 0 && !spaces && (escape === quote || escape < 0);
}

/**
 * Scans whole records of the first `length` bytes of the input and returns how many.
 *
 * @param base What is added to each place, so that they count from where the caller does.
 * @param lines Physical lines before the input.
 * @param expected The line end to expect: 1 for LF, 2 for CRLF, 3 for CR, 0 for any.
 */
export function scanRecords(
  length: i32,
  base: i32,
  lines: i32,
  expected: i32,
  maxRecords: i32,
  maxFields: i32,
  maxRecordSize: i32,
  maxColumns: i32,
): i32 {
  end = INPUT + length;
  shift = base - INPUT;
  lineEnd = expected;
  mostRecords = min(maxRecords, RECORD_CAPACITY);
  mostFields = maxFields;
  mostBytes = maxRecordSize;
  mostColumns = maxColumns;
  recordCount = 0;
  fieldsTaken = 0;
  nextStart = INPUT;
  linesBefore = lines;
  lfEnds = 0;
  crlfEnds = 0;
  crEnds = 0;
  unfinished = false;
  store<i32>(FIRST_FIELD, 0);
  if (ordinary) {
    while (readOrdinary() && readByTable(true)) {}
  } else {
    readByTable(false);
  }
  fieldCount = fieldsTaken;
  nextRecord = nextStart - INPUT;
  return recordCount;
}

/**
 * Reads records whose fields are plain or in whole quotes, 64 bytes at a time. True where the next record is another,
 * and is to be read by the table; false where the call ends.
 */
function readOrdinary(): bool {
  const d = i8x16.splat(<i8>delimiterByte);
  const q = i8x16.splat(<i8>(quoteByte < 0 ? delimiterByte : quoteByte));
  const lf = i8x16.splat(<i8>LF);
  const cr = i8x16.splat(<i8>CR);
  let recordStart = nextStart;
  if (recordStart < end && <i32>load<u8>(recordStart) === commentByte) return true;
  let record = recordCount;
  let field = fieldsTaken;
  let openFrom = field;
  let fieldStart = recordStart;
  let flags = 0;
  let quoted = false;
  let ignored = 0;
  let lines = linesBefore;
  let linesInside = 0;
  let goOn = false;
  for (let at = recordStart; at < end; at += 64) {
    if (field > FIELD_CAPACITY - 64) break;
    let mask = specialBits(at, d, q, lf, cr);
    if (at + 64 > end) mask &= ((<u64>1) << (<u64>(end - at))) - 1;
    let stopped = false;
    while (mask !== 0) {
      const place = at + <i32>ctz(mask);
      mask &= mask - 1;
      if (place < ignored) continue;
      const byte = <i32>load<u8>(place);
      if (quoted) {
        const next = place + 1 === end ? -1 : <i32>load<u8>(place + 1);
        if (byte === quoteByte) {
          if (next === quoteByte && quotesDouble) {
            flags = ESCAPED;
            ignored = place + 2;
          } else if (next === delimiterByte || next === LF || next === CR) {
            flags |= QUOTED;
            quoted = false;
          } else if (next >= 0) {
            goOn = true;
            stopped = true;
            break;
          }
        } else if (byte === LF) {
          linesInside++;
        } else if (byte === CR) {
          linesInside++;
          if (next === LF) ignored = place + 2;
        }
        continue;
      }
      if (byte === delimiterByte) {
        store<i32>(STARTS + (field << 2), fieldStart + shift);
        // A closing quote is the byte before.
        store<i32>(ENDS + (field << 2), place - (flags & QUOTED) + shift);
        store<u8>(FLAGS + field, <u8>flags);
        field++;
        flags = 0;
        fieldStart = place + 1;
        continue;
      }
      if (byte === quoteByte) {
        if (place === fieldStart) {
          quoted = true;
          fieldStart++;
        }
        continue;
      }
      const blank = place === recordStart;
      if (!blank || blankRecords) {
        store<i32>(STARTS + (field << 2), fieldStart + shift);
        store<i32>(ENDS + (field << 2), place - (flags & QUOTED) + shift);
        store<u8>(FLAGS + field, <u8>flags);
        field++;
      }
      stopped = true;
      if (place - recordStart > mostBytes || field - openFrom > mostColumns) break;
      let kind = 1;
      let next = place + 1;
      if (byte === CR) {
        // Whether an LF belongs to the CR shows with the next byte.
        if (next === end) break;
        if (<i32>load<u8>(next) === LF) {
          kind = 2;
          next++;
          ignored = next;
        } else {
          kind = 3;
        }
      }
      if (lineEnd !== 0 && kind !== lineEnd) break;
      if (kind === 1) lfEnds++;
      else if (kind === 2) crlfEnds++;
      else crEnds++;
      if (field > openFrom) {
        store<i32>(RECORD_STARTS + (record << 2), recordStart + shift);
        store<i32>(RECORD_ENDS + (record << 2), place + shift);
        store<i32>(RECORD_LINES + (record << 2), lines);
        store<u8>(RECORD_FLAGS + record, 0);
        record++;
        store<i32>(FIRST_FIELD + (record << 2), field);
      }
      lines += linesInside + 1;
      linesInside = 0;
      flags = 0;
      openFrom = field;
      recordStart = next;
      fieldStart = next;
      if (record >= mostRecords || field >= mostFields) break;
      if (next < end && <i32>load<u8>(next) === commentByte) {
        goOn = true;
        break;
      }
      stopped = false;
    }
    if (stopped) break;
    if (at + 64 >= end) unfinished = recordStart < end;
  }
  recordCount = record;
  fieldsTaken = openFrom;
  nextStart = recordStart;
  linesBefore = lines;
  return goOn;
}

/** Which of 64 bytes are special, the first in the lowest bit. */
function specialBits(at: i32, d: v128, q: v128, lf: v128, cr: v128): u64 {
  let bits: u64 = 0;
  for (let part = 0; part < 64; part += 16) {
    const bytes = v128.load(at + part);
    const hits = v128.or(
      v128.or(i8x16.eq(bytes, d), i8x16.eq(bytes, q)),
      v128.or(i8x16.eq(bytes, lf), i8x16.eq(bytes, cr)),
    );
    bits |= (<u64>(<u32>i8x16.bitmask(hits))) << (<u64>part);
  }
  return bits;
}

/**
 * Reads records by the transition table. False where the call ends.
 *
 * @param oneLine Whether to stop behind the next line.
 */
function readByTable(oneLine: bool): bool {
  const p0 = i8x16.splat(<i8>plainSpecials);
  const p1 = i8x16.splat(<i8>(plainSpecials >> 8));
  const p2 = i8x16.splat(<i8>(plainSpecials >> 16));
  const p3 = i8x16.splat(<i8>(plainSpecials >> 24));
  const q0 = i8x16.splat(<i8>quotedSpecials);
  const q1 = i8x16.splat(<i8>(quotedSpecials >> 8));
  const q2 = i8x16.splat(<i8>(quotedSpecials >> 16));
  const q3 = i8x16.splat(<i8>(quotedSpecials >> 24));
  const newlineLength = newlineMode === CRLF ? 2 : 1;
  const stop = end;
  const lastVector = stop - 16;
  let at = nextStart;
  let current = 0;
  let field = fieldsTaken;
  let record = recordCount;
  let openFrom = field;
  let fieldStart = at;
  let recordStart = at;
  let lines = linesBefore;
  let goOn = false;
  let escaped = 0;
  let recordFlags = 0;
  let linesInside = 0;
  while (at < stop) {
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
    if (at >= stop) {
      unfinished = true;
      break;
    }
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
      if (fieldEnd - recordStart > mostBytes || field - openFrom > mostColumns) break;
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
          if (at === stop) break;
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
    if (record >= mostRecords || field >= mostFields) break;
    if (oneLine) {
      goOn = true;
      break;
    }
  }
  recordCount = record;
  fieldsTaken = openFrom;
  nextStart = recordStart;
  linesBefore = lines;
  return goOn;
}
