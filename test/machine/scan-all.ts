import type { Dialect } from "../../src/machine/dialect.js";
import { undoEscapes, undoMisplaced } from "../../src/machine/escapes.js";
import { type Engine, type ScanLimits, Scanner, UNBOUNDED } from "../../src/machine/scanner.js";
import {
  ESCAPED,
  MISPLACED,
  QUOTED,
  RECORD_MISPLACED,
  RECORD_UNTERMINATED,
} from "../../src/machine/spans.js";
import type { NaiveField, NaiveReading, NaiveRecord } from "./naive-parser.js";

export const NO_LIMITS: ScanLimits = { maxRecordSize: UNBOUNDED, maxColumns: UNBOUNDED };

/** How the scanner is driven over an input. */
export interface Drive {
  pieces: readonly Uint8Array[];
  engine?: Engine;
  blankRecords?: boolean;
  maxRecords?: number;
  maxFields?: number;
  /** Whether bytes that the scanner needs no longer are dropped from the front of its buffer. */
  compact?: boolean;
  /** Whether the scanner may leave the rest to the next scan, as it does for the parser. */
  mayLeave?: boolean;
  limits?: ScanLimits;
}

/** A record that passed a limit. */
export interface Fault {
  code: string;
  line: number;
  recordStart: number;
  /** The line of the first odd line end, as far as it was told by then. */
  mixedLine: number;
}

export interface Scanned extends NaiveReading {
  faults: Fault[];
}

/** Runs the scanner over pieces, as a parser does, and gathers what it says in the terms of the naive parser. */
export function scanAll(dialect: Dialect, drive: Drive): Scanned {
  const { limits = NO_LIMITS, blankRecords = false, engine = "js" } = drive;
  const scanner = new Scanner(dialect, limits, blankRecords, engine);
  const records: NaiveRecord[] = [];
  const faults: Fault[] = [];
  let bytes = new Uint8Array(0);
  let offset = 0;
  drive.pieces.forEach((piece, index) => {
    const keepFrom = drive.compact ? scanner.recordStart : 0;
    const next = new Uint8Array(bytes.length - keepFrom + piece.length);
    next.set(bytes.subarray(keepFrom));
    next.set(piece, bytes.length - keepFrom);
    scanner.rebase(keepFrom);
    bytes = next;
    offset += keepFrom;
    const last = index === drive.pieces.length - 1;
    for (;;) {
      const { maxRecords = UNBOUNDED, maxFields = UNBOUNDED, mayLeave } = drive;
      scanner.scan(bytes, bytes.length, last, maxRecords, maxFields, mayLeave);
      gather(scanner, offset, records);
      if (scanner.fault !== null) {
        const { fault, linesBefore, recordStart, mixedLine } = scanner;
        faults.push({ code: fault, line: linesBefore, recordStart: recordStart + offset, mixedLine });
        scanner.discardRecord();
        continue;
      }
      if (scanner.spans.recordCount === 0) break;
    }
  });
  return { records, faults, newlines: { ...scanner.newlines }, mixedLine: scanner.mixedLine };
}

function gather(scanner: Scanner, offset: number, records: NaiveRecord[]): void {
  const { spans } = scanner;
  for (let record = 0; record < spans.recordCount; record++) {
    const fields: NaiveField[] = [];
    for (let field = spans.firstField[record]; field < spans.firstField[record + 1]; field++) {
      fields.push(fieldAt(scanner, field, offset));
    }
    const flags = spans.recordFlags[record];
    const misplaced = fields.some((field) => field.form === "misplaced");
    if (((flags & RECORD_MISPLACED) !== 0) !== misplaced) throw new Error("RECORD_MISPLACED is wrong");
    records.push({
      start: spans.recordStarts[record] + offset,
      end: spans.recordEnds[record] + offset,
      line: spans.recordLines[record],
      unterminated: (flags & RECORD_UNTERMINATED) !== 0,
      fields,
    });
  }
}

function fieldAt(scanner: Scanner, field: number, offset: number): NaiveField {
  const { spans, machine } = scanner;
  const start = spans.starts[field];
  const end = spans.ends[field];
  const flags = spans.flags[field];
  let text = spans.bytes.slice(start, end);
  if ((flags & (MISPLACED | ESCAPED)) !== 0) {
    const undo = (flags & MISPLACED) !== 0 ? undoMisplaced : undoEscapes;
    const target = new Uint8Array(end - start);
    text = target.subarray(0, undo(machine, spans.bytes, start, end, target, 0));
  }
  return {
    start: start + offset,
    end: end + offset,
    form: (flags & MISPLACED) !== 0 ? "misplaced" : (flags & QUOTED) !== 0 ? "quoted" : "plain",
    escaped: (flags & ESCAPED) !== 0,
    text: [...text],
  };
}
