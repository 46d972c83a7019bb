import type { ScanLimits } from "./scanner.js";
import { ESCAPED, growFields, growRecords, QUOTED, type Spans } from "./spans.js";
import type { MachineBytes } from "./table.js";

const LF = 0x0a;
const CR = 0x0d;

/** Bytes are looked at four at a time: most words of four hold nothing that means anything. */
const WORD = 4;
const ONES = 0x01010101;
const HIGH_BITS = 0x80808080;
/** Four times the byte after CR: LF and CR, and little else that occurs in text, are less. */
const ABOVE_CR = (CR + 1) * ONES;

/**
 * The high bits of those bytes of a word that are the repeated one or no more than CR. Above the first of them a bit may
 * be set for nothing.
 */
function markBytes(word: number, repeated: number): number {
  const differences = word ^ repeated;
  return (((differences - ONES) & ~differences) | ((word - ABOVE_CR) & ~word)) & HIGH_BITS;
}

/** Which byte of the word is the first marked, 0 to 3. */
function firstMarked(marks: number): number {
  return (31 - Math.clz32(marks & -marks)) >> 3;
}

/** Kinds of line ends; the first stands for any, where one is expected. */
export const LINE_END = { "": 0, lf: 1, crlf: 2, cr: 3 };

/** How far to go. */
export interface OrdinaryBounds {
  end: number;
  maxRecords: number;
  maxFields: number;
  /** The kind of line end that records are expected to have. */
  expected: number;
}

/** How far it went: the next record's place, the physical lines before it, and how many line ends of each kind were met. */
export interface OrdinaryTaken {
  position: number;
  lines: number;
  ends: number[];
}

/**
 * Takes whole records whose fields are plain or in whole quotes, from the start of one on, as the kernel does: for a
 * delimiter of one byte, quotes that are doubled or none, and any line end. It is a part of the reference:
 * the events of such records need not be listed first.
 *
 * @param taken Where to begin, and then where it stopped.
 * @returns Whether it stopped before a record of another kind: a comment, a blank line, text behind a quote, a limit
 *   passed, a line end unlike those before it. If not, the bytes end before the next record does, or a bound is reached.
 */
export function takeOrdinary(
  bytes: Uint8Array,
  { end, maxRecords, maxFields, expected }: OrdinaryBounds,
  spans: Spans,
  machine: MachineBytes,
  { maxRecordSize, maxColumns }: ScanLimits,
  taken: OrdinaryTaken,
): boolean {
  const { quote, comment } = machine;
  const delimiter = machine.delimiter[0];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const delimiters = delimiter * ONES;
  const quotes = quote * ONES;
  const doubles = machine.escape === quote;
  const counts = taken.ends.fill(0);
  let { starts, ends, flags } = spans;
  let record = spans.recordCount;
  let field = spans.fieldCount;
  let { position: recordStart, lines } = taken;
  let isAnother = false;
  // Fields of whole records.
  let whole = field;
  records: while (record < maxRecords && field < maxFields && recordStart < end) {
    let linesInside = 0;
    let i = recordStart;
    const firstByte = bytes[i];
    isAnother = firstByte === comment || firstByte === LF || firstByte === CR;
    if (isAnother) break;
    for (;;) {
      if (i >= end) break records;
      let byte = bytes[i];
      let flag = 0;
      let start = i;
      if (byte === quote) {
        start = ++i;
        for (;;) {
          for (;;) {
            if (i + WORD <= end) {
              const marks = markBytes(view.getInt32(i, true), quotes);
              if (marks === 0) {
                i += WORD;
                continue;
              }
              i += firstMarked(marks);
            } else if (i >= end) {
              break records;
            }
            byte = bytes[i];
            if (byte === quote) break;
            if (byte === LF || (byte === CR && bytes[i + 1] !== LF)) linesInside++;
            i++;
          }
          // What follows the quote has to be seen.
          if (i + 1 >= end) break records;
          byte = bytes[i + 1];
          if (byte !== quote || !doubles) break;
          flag = ESCAPED;
          i += 2;
        }
        isAnother = byte !== delimiter && byte !== LF && byte !== CR;
        if (isAnother) break records;
        flag |= QUOTED;
        i++;
      } else {
        for (;;) {
          if (i + WORD <= end) {
            const marks = markBytes(view.getInt32(i, true), delimiters);
            if (marks === 0) {
              i += WORD;
              continue;
            }
            i += firstMarked(marks);
          } else if (i >= end) {
            break records;
          }
          byte = bytes[i];
          if (byte === delimiter || byte === LF || byte === CR) break;
          i++;
        }
      }
      if (field === starts.length) {
        growFields(spans);
        ({ starts, ends, flags } = spans);
      }
      starts[field] = start;
      // A closing quote is the byte before.
      ends[field] = i - (flag & QUOTED);
      flags[field] = flag;
      field++;
      const recordEnd = i++;
      if (byte === delimiter) continue;
      let kind = LINE_END.lf;
      if (byte === CR) {
        // Whether an LF belongs to it shows with the next byte.
        if (i >= end) break records;
        kind = bytes[i] === LF ? LINE_END.crlf : LINE_END.cr;
        if (kind === LINE_END.crlf) i++;
      }
      isAnother =
        (expected !== 0 && kind !== expected) ||
        recordEnd - recordStart > maxRecordSize ||
        field - whole > maxColumns;
      if (isAnother) break records;
      counts[kind]++;
      if (record === spans.recordStarts.length) growRecords(spans);
      spans.recordStarts[record] = recordStart;
      spans.recordEnds[record] = recordEnd;
      spans.recordLines[record] = lines;
      spans.recordFlags[record] = 0;
      spans.firstField[++record] = field;
      lines += linesInside + 1;
      recordStart = i;
      whole = field;
      break;
    }
  }
  spans.recordCount = record;
  spans.fieldCount = whole;
  taken.position = recordStart;
  taken.lines = lines;
  return isAnother;
}
