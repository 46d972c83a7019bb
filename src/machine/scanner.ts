import { CsvError } from "../errors.js";
import type { Dialect } from "./dialect.js";
import { type EventFinder, TableEventFinder } from "./event-finder.js";
import { INPUT_CAPACITY, Kernel, type KernelDialect, kernelDialect } from "./kernel.js";
import { KernelEventFinder } from "./kernel-event-finder.js";
import { LINE_END, takeOrdinary } from "./ordinary-records.js";
import {
  ESCAPED,
  growFields,
  growRecords,
  MISPLACED,
  QUOTED,
  RECORD_MISPLACED,
  RECORD_UNTERMINATED,
  type Spans,
} from "./spans.js";
import * as T from "./table.js";

const LF = 0x0a;
const SPACE = 0x20;

/** Fewer bytes than these are not worth the kernel's call. */
const KERNEL_LEAST = 512;
/** Bytes that the kernel is given where it has just stopped at an unusual record: it may again. */
const KERNEL_REACH = 1 << 12;
/** Bytes that are searched for events at a time where only the end of the open record is looked for. */
const RECORD_STEP = 1 << 12;
/** For {@link Scanner.scan}: no bound on records or fields. */
export const UNBOUNDED = 0x7fffffff;

/** Who finds the events: the kernel where the runtime takes it, the kernel or nobody, or the reference. */
export type Engine = "auto" | "wasm" | "js";

/** What bounds a scan. */
export interface ScanLimits {
  /** Longest record, in bytes, its line end not counted. */
  maxRecordSize: number;
  /** Most fields a record may have. */
  maxColumns: number;
}

/** Why a scan stopped inside a record. */
export type ScanFault = "RECORD_TOO_LARGE" | "TOO_MANY_COLUMNS";

/**
 * Runs the transition table over bytes and says where each field lies. An {@link EventFinder} reads the bytes and
 * lists where there is something to do; what is done is written here. Where there is a kernel, it takes whole records
 * from their start (see kernel/scan-records.ts) and leaves to the code here what is unusual: the first record, one that
 * the bytes at hand do not end, a limit passed, a line end unlike the others. Both make the same spans.
 *
 * It resumes where it stopped: the caller keeps the bytes from {@link Scanner.recordStart} on, appends what
 * comes next and calls {@link Scanner.scan} again. A record that the bytes at hand do not end stays open, with
 * its spans, state and position, so each byte is read once however the input is cut.
 */
export class Scanner {
  readonly spans: Spans;
  /** Where the open record's raw text begins. */
  recordStart = 0;
  /** Physical lines that ended before {@link Scanner.recordStart}, counted since the first scan. */
  linesBefore = 0;
  /** Set when the open record passes a limit; call {@link Scanner.discardRecord} to go on. */
  fault: ScanFault | null = null;
  /** Where the limit was passed. */
  faultPosition = 0;
  /** Line ends seen outside quotes: LF, CRLF, CR. */
  readonly newlines = { lf: 0, crlf: 0, cr: 0 };
  /** Physical line, counted from 0, of the first line end that differs from the one before it; -1 for none. */
  mixedLine = -1;

  readonly #machine: T.MachineBytes;
  readonly #kernel: Kernel | null;
  readonly #kernelDialect: KernelDialect | null;
  readonly #finder: EventFinder;
  readonly #limits: ScanLimits;
  readonly #blankRecords: boolean;
  readonly #layoutSpaces: boolean;
  /** Whether records can be read without the table: one byte between fields, quotes doubled or none, any line end. */
  readonly #isOrdinary: boolean;
  /** What ordinary records came to. */
  readonly #taken = { position: 0, lines: 0, ends: [0, 0, 0, 0] };
  /** Events that are found but not acted on yet lie between these. */
  #nextEvent = 0;
  #eventCount = 0;
  #fieldStart = 0;
  #escaped = false;
  #recordFlags = 0;
  /** Index of the open record's first field. */
  #openFrom = 0;
  #linesInside = 0;
  #discarding = false;
  /** Records that the kernel's own spans hold, from the first on. */
  #kernelRecords = 0;
  /** Bytes that the kernel is given next. */
  #kernelReach = INPUT_CAPACITY;
  /** Where the bytes that the kernel could not end begin; -1 for nowhere. */
  #tailStart = -1;
  /** Where they end. */
  #tailEnd = -1;
  #pendingCrLine = -1;
  #lastNewline: "lf" | "crlf" | "cr" | "" = "";

  /**
   * @param blankRecords Whether a blank line is a record of one empty field (in a table of one column it is a
   *   value) or no record at all.
   * @throws CsvError INVALID_OPTION for the engine "wasm" where the runtime refuses it.
   */
  constructor(dialect: Dialect, limits: ScanLimits, blankRecords = false, engine: Engine = "auto") {
    this.#machine = T.machineBytes(dialect);
    this.#layoutSpaces = T.skipsSpaces(this.#machine);
    const { delimiter, escape, quote, newline } = this.#machine;
    const escapes = escape !== quote && escape >= 0;
    this.#isOrdinary = delimiter.length === 1 && newline === 0 && !escapes && !this.#layoutSpaces;
    const table = T.tableOf(this.#machine);
    this.#kernelDialect = kernelDialect(table, this.#machine, this.#layoutSpaces, blankRecords);
    this.#kernel = engine === "js" || this.#kernelDialect === null ? null : Kernel.get();
    if (engine === "wasm" && this.#kernel === null) {
      throw new CsvError("INVALID_OPTION", 'engine: "wasm" is refused by this runtime');
    }
    this.#finder =
      this.#kernel === null || this.#kernelDialect === null
        ? new TableEventFinder(table)
        : new KernelEventFinder(this.#kernel, this.#kernelDialect);
    this.#limits = limits;
    this.#blankRecords = blankRecords;
    this.spans = {
      bytes: new Uint8Array(0),
      recordCount: 0,
      fieldCount: 0,
      starts: new Int32Array(256),
      ends: new Int32Array(256),
      flags: new Uint8Array(256),
      firstField: new Int32Array(65),
      recordStarts: new Int32Array(64),
      recordEnds: new Int32Array(64),
      recordLines: new Int32Array(64),
      recordFlags: new Uint8Array(64),
    };
  }

  /** The dialect's characters as bytes. */
  get machine(): T.MachineBytes {
    return this.#machine;
  }

  /** The next byte to read. All before it are scanned, but the last of them may be part of no span yet. */
  get position(): number {
    return this.#finder.position;
  }

  /** Who finds the events. */
  get engine(): "wasm" | "js" {
    return this.#kernel === null ? "js" : "wasm";
  }

  /** The kernel, where it holds the bytes and the spans of all whole records; null where not. */
  get kernel(): Kernel | null {
    if (this.#kernelRecords === 0 || this.#kernelRecords !== this.spans.recordCount) return null;
    return this.#kernel?.owner === this ? this.#kernel : null;
  }

  /** What is added to the places among the kernel's spans. */
  kernelBase = 0;

  /** Tells the scanner that the bytes it works on moved towards the front by `by`. */
  rebase(by: number): void {
    // The usual answer; a wide record that comes byte by byte must not cost all of its fields each time.
    if (by === 0) return;
    const { positions } = this.#finder;
    for (let event = this.#nextEvent; event < this.#eventCount; event++) positions[event] -= by;
    this.#finder.position -= by;
    this.recordStart -= by;
    this.#fieldStart -= by;
    this.#tailStart -= by;
    this.#tailEnd -= by;
    const { starts, ends, fieldCount } = this.spans;
    for (let field = this.#openFrom; field < fieldCount; field++) {
      starts[field] -= by;
      ends[field] -= by;
    }
  }

  /**
   * Scans on until `maxRecords` records are whole, `maxFields` fields are read, or the bytes end, and leaves the
   * whole records in {@link Scanner.spans}. At the `last` bytes of the input a record need not be closed by a
   * line end.
   *
   * @param mayLeave Whether it may stop early behind whole records, so that the next scan, or with the beginning of a
   *   record the next bytes, go to the kernel as a whole; see {@link Scanner.waits}.
   */
  scan(
    bytes: Uint8Array,
    end: number,
    last: boolean,
    maxRecords: number,
    maxFields: number,
    mayLeave = false,
  ): void {
    this.#dropRecords();
    const { spans } = this;
    spans.bytes = bytes;
    // Whole records are taken by the kernel or by a loop over ordinary ones; what they leave is read by events.
    let takesRecords = this.#kernel !== null || this.#isOrdinary;
    for (;;) {
      if (takesRecords && this.#betweenRecords) {
        // What the kernel takes is worth most where it holds all of a scan.
        const leaves = mayLeave && this.#kernel !== null;
        if (leaves && spans.recordCount > 0 && end - this.recordStart >= KERNEL_LEAST) return;
        takesRecords =
          this.#kernel === null
            ? this.#scanOrdinary(bytes, end, maxRecords, maxFields)
            : this.#scanRecords(bytes, end, maxRecords, maxFields, mayLeave);
        if (spans.recordCount >= maxRecords || spans.fieldCount >= maxFields) return;
        if (leaves && spans.recordCount > 0) return;
      }
      if (this.#nextEvent === this.#eventCount) {
        if (this.position >= end) break;
        const stop = takesRecords ? Math.min(end, this.position + RECORD_STEP) : end;
        this.#eventCount = this.#finder.find(bytes, stop);
        this.#nextEvent = 0;
      }
      const most = takesRecords ? Math.min(maxRecords, spans.recordCount + 1) : maxRecords;
      const stopped = this.#actOnEvents(bytes, most, maxFields);
      if (!stopped) continue;
      if (this.fault !== null || spans.recordCount >= maxRecords || spans.fieldCount >= maxFields) return;
    }
    // Of the last line end seen too it is told whether it is a CR alone, as soon as the next byte shows.
    if (this.#pendingCrLine >= 0 && this.recordStart < end && bytes[this.recordStart] !== LF) {
      this.#flushPendingCr();
    }
    if (last) this.#finish(bytes, end);
    else if (!this.#discarding && !this.#inComment) this.#checkSize(end);
    if (this.#discarding || this.#inComment) this.recordStart = end;
  }

  /** Whether no byte of the next record has been acted on. */
  get #betweenRecords(): boolean {
    if (this.#discarding || this.openFields > 0 || this.#linesInside > 0) return false;
    if (this.#fieldStart !== this.recordStart) return false;
    return this.#nextEvent < this.#eventCount || this.position === this.recordStart;
  }

  /**
   * Lets the kernel take whole records as long as it finds any. False where it can't go on, and what is left of the
   * bytes at hand is to be read here.
   */
  #scanRecords(
    bytes: Uint8Array,
    end: number,
    maxRecords: number,
    maxFields: number,
    once: boolean,
  ): boolean {
    const kernel = this.#kernel as Kernel;
    const dialect = this.#kernelDialect as KernelDialect;
    const { spans } = this;
    for (;;) {
      if (end - this.recordStart < KERNEL_LEAST) return false;
      this.#settleCr(bytes);
      // The first line end tells what to expect.
      if (this.#lastNewline === "") return true;
      const from = this.recordStart;
      const length = Math.min(end - from, this.#kernelReach);
      kernel.setDialect(dialect);
      kernel.owner = this;
      kernel.input.set(bytes.subarray(from, from + length));
      this.kernelBase = from;
      const count = kernel.run.scanRecords(
        length,
        from,
        this.linesBefore,
        this.mixedLine >= 0 ? 0 : LINE_END[this.#lastNewline],
        Math.min(maxRecords - spans.recordCount, UNBOUNDED),
        Math.min(maxFields - spans.fieldCount, UNBOUNDED),
        Math.min(this.#limits.maxRecordSize, UNBOUNDED),
        Math.min(this.#limits.maxColumns, UNBOUNDED),
      );
      this.#kernelRecords = spans.recordCount === 0 ? count : 0;
      const read = kernel.run.nextRecord.value;
      if (count > 0) this.#takeRecords(kernel, count);
      if (read === 0) {
        // It has seen no record's end, but perhaps not far enough.
        const mayReach = kernel.run.unfinished.value !== 0 && length < Math.min(end - from, INPUT_CAPACITY);
        this.#kernelReach = mayReach ? INPUT_CAPACITY : KERNEL_REACH;
        if (mayReach) continue;
        return false;
      }
      this.newlines.lf += kernel.run.lfEnds.value;
      this.newlines.crlf += kernel.run.crlfEnds.value;
      this.newlines.cr += kernel.run.crEnds.value;
      this.linesBefore = kernel.run.linesBefore.value;
      this.#moveTo(from + read);
      if (spans.recordCount >= maxRecords || spans.fieldCount >= maxFields) return true;
      const isAll = read === length || kernel.run.unfinished.value !== 0;
      this.#kernelReach = isAll ? INPUT_CAPACITY : Math.min(INPUT_CAPACITY, Math.max(KERNEL_REACH, 4 * read));
      if (from + length < end) {
        if (once) return true;
        continue;
      }
      if (kernel.run.unfinished.value !== 0) {
        this.#tailStart = this.recordStart;
        this.#tailEnd = end;
      }
      return false;
    }
  }

  /** Has ordinary records taken; false and true as {@link takeOrdinary} says. */
  #scanOrdinary(bytes: Uint8Array, end: number, maxRecords: number, maxFields: number): boolean {
    if (this.recordStart >= end) return false;
    this.#settleCr(bytes);
    // The first line end tells what to expect.
    if (this.#lastNewline === "") return true;
    const taken = this.#taken;
    taken.position = this.recordStart;
    taken.lines = this.linesBefore;
    const expected = this.mixedLine >= 0 ? 0 : LINE_END[this.#lastNewline];
    const bounds = { end, maxRecords, maxFields, expected };
    const isAnother = takeOrdinary(bytes, bounds, this.spans, this.#machine, this.#limits, taken);
    this.newlines.lf += taken.ends[LINE_END.lf];
    this.newlines.crlf += taken.ends[LINE_END.crlf];
    this.newlines.cr += taken.ends[LINE_END.cr];
    this.linesBefore = taken.lines;
    this.#openFrom = this.spans.fieldCount;
    this.#moveTo(taken.position);
    return isAnother;
  }

  /**
   * Goes to a place between records. Events that have been found behind it stay: they are what the table makes of the
   * bytes there, and a search for each unusual record that looked at the same bytes again would not be linear.
   */
  #moveTo(place: number): void {
    this.recordStart = this.#fieldStart = place;
    const finder = this.#finder;
    if (finder.position > place) {
      const { positions } = finder;
      while (this.#nextEvent < this.#eventCount && positions[this.#nextEvent] <= place) this.#nextEvent++;
      return;
    }
    finder.position = place;
    finder.state = T.RECORD_START;
    this.#nextEvent = this.#eventCount = 0;
  }

  /** Whether all that is left of the bytes up to `end` is the beginning of a record, left unread to be read whole. */
  waits(end: number): boolean {
    const { recordStart } = this;
    return this.#tailEnd === end && this.#tailStart === recordStart && this.position === recordStart;
  }

  /** Appends the kernel's spans. */
  #takeRecords(kernel: Kernel, count: number): void {
    const { spans } = this;
    const record = spans.recordCount;
    const field = spans.fieldCount;
    const fields = kernel.run.fieldCount.value;
    while (spans.starts.length < field + fields) growFields(spans);
    while (spans.recordStarts.length < record + count) growRecords(spans);
    spans.starts.set(kernel.starts.subarray(0, fields), field);
    spans.ends.set(kernel.ends.subarray(0, fields), field);
    spans.flags.set(kernel.flags.subarray(0, fields), field);
    spans.recordStarts.set(kernel.recordStarts.subarray(0, count), record);
    spans.recordEnds.set(kernel.recordEnds.subarray(0, count), record);
    spans.recordLines.set(kernel.recordLines.subarray(0, count), record);
    spans.recordFlags.set(kernel.recordFlags.subarray(0, count), record);
    if (field === 0) spans.firstField.set(kernel.firstField.subarray(0, count + 1), record);
    else for (let i = 1; i <= count; i++) spans.firstField[record + i] = field + kernel.firstField[i];
    spans.recordCount = record + count;
    spans.fieldCount = this.#openFrom = field + fields;
  }

  /** After a CR that ended a line: an LF belongs to it. There is a byte to look at. */
  #settleCr(bytes: Uint8Array): void {
    if (this.#pendingCrLine < 0) return;
    if (this.#machine.newline !== 0 || bytes[this.recordStart] !== LF) {
      this.#flushPendingCr();
      return;
    }
    this.#note("crlf", this.#pendingCrLine);
    this.#pendingCrLine = -1;
    this.#moveTo(this.recordStart + 1);
  }

  /** Turns the events at hand into spans. True when a bound or a limit ended it before the last of them. */
  #actOnEvents(bytes: Uint8Array, maxRecords: number, maxFields: number): boolean {
    // What changes with every event is kept in locals and put back below: that is worth half of the time.
    const spans = this.spans;
    const { positions, codes } = this.#finder;
    const { maxRecordSize, maxColumns } = this.#limits;
    const delimiterLength = this.#machine.delimiter.length;
    const newlineLength = this.#machine.newline === T.CRLF ? 2 : 1;
    const layoutSpaces = this.#layoutSpaces;
    const blankRecords = this.#blankRecords;
    const eventCount = this.#eventCount;
    let { starts, ends, flags } = spans;
    let event = this.#nextEvent;
    let record = spans.recordCount;
    let field = spans.fieldCount;
    let fieldStart = this.#fieldStart;
    let recordStart = this.recordStart;
    let openFrom = this.#openFrom;
    let escaped = this.#escaped;
    let discarding = this.#discarding;
    let linesInside = this.#linesInside;
    let stopped = false;
    while (event < eventCount) {
      const i = positions[event];
      const code = codes[event];
      event++;
      const action = (code & 0xff) >> T.ACTION_SHIFT;
      if (action === T.FIELD_END || action === T.RECORD_END) {
        const endsField = action === T.FIELD_END;
        const fieldEnd = i - (endsField ? delimiterLength : newlineLength);
        if (!discarding) {
          const form = endsField ? T.FIELD_END_FORM[code >> 8] : T.RECORD_END_FORM[code >> 8];
          if (field === starts.length) {
            growFields(spans);
            ({ starts, ends, flags } = spans);
          }
          starts[field] = fieldStart;
          ends[field] = fieldEnd;
          flags[field] = escaped ? ESCAPED : 0;
          if (code >> 8 === T.QUOTE_END && !layoutSpaces && form === T.QUOTED_FORM) {
            // The closing quote is the byte before: most quoted fields need no more than this.
            starts[field]++;
            ends[field]--;
            flags[field] |= QUOTED;
          } else if (form !== T.PLAIN_FORM || layoutSpaces) {
            this.#trimField(bytes, field, form);
          }
          escaped = false;
          field++;
          // At a field's end, so that a record passes the same limit at the same place however the input is cut.
          if (fieldEnd - recordStart > maxRecordSize || field - openFrom > maxColumns) {
            // What follows a CR has shown by now that it was a line end of its own.
            this.#flushPendingCr();
            this.fault = fieldEnd - recordStart > maxRecordSize ? "RECORD_TOO_LARGE" : "TOO_MANY_COLUMNS";
            this.faultPosition = fieldEnd;
            // A line end is acted on again once the record has been discarded.
            if (endsField) fieldStart = i;
            else event--;
            stopped = true;
            break;
          }
        }
        fieldStart = i;
        if (endsField) continue;
        if (!discarding) this.#closeRecord(record++, recordStart, fieldEnd, field);
      } else if (action === T.ESCAPE_SEEN) {
        escaped = true;
        continue;
      } else if (action === T.LINE_BREAK) {
        linesInside++;
        continue;
      } else if (action === T.SWALLOW_LF) {
        this.#note("crlf", this.#pendingCrLine);
        this.#pendingCrLine = -1;
        recordStart = fieldStart = i;
        continue;
      } else {
        if (action === T.BLANK_LINE && blankRecords && !discarding) {
          if (field === starts.length) {
            growFields(spans);
            ({ starts, ends, flags } = spans);
          }
          starts[field] = ends[field] = i - newlineLength;
          flags[field] = 0;
          field++;
          this.#closeRecord(record++, recordStart, i - newlineLength, field);
        }
        fieldStart = i;
      }
      // A line outside quotes has ended: the next record begins.
      this.#countLine(bytes[i - 1], linesInside);
      this.linesBefore += linesInside + 1;
      linesInside = 0;
      openFrom = field;
      recordStart = i;
      escaped = false;
      discarding = false;
      if (record >= maxRecords || field >= maxFields) {
        stopped = true;
        break;
      }
    }
    this.#nextEvent = event;
    this.recordStart = recordStart;
    this.#fieldStart = fieldStart;
    this.#escaped = escaped;
    this.#discarding = discarding;
    this.#linesInside = linesInside;
    this.#openFrom = openFrom;
    spans.fieldCount = field;
    spans.recordCount = record;
    return stopped;
  }

  /** Where the field begins within whose quotes the bytes at hand end; -1 where they do not. */
  get openQuote(): number {
    return isInQuotes(this.#finder.state) ? this.#fieldStart : -1;
  }

  /** Gives up the open record: what is left of it is read without being kept. */
  discardRecord(): void {
    this.fault = null;
    this.spans.fieldCount = this.#openFrom;
    this.#discarding = true;
    this.#escaped = false;
    this.#recordFlags = 0;
    this.recordStart = this.#fieldStart;
  }

  /** Fields of the open record that are whole. */
  get openFields(): number {
    return this.spans.fieldCount - this.#openFrom;
  }

  get #inComment(): boolean {
    const { state } = this.#finder;
    return state === T.COMMENT || state === T.COMMENT_CRLF;
  }

  #dropRecords(): void {
    const spans = this.spans;
    const from = this.#openFrom;
    const open = spans.fieldCount - from;
    if (from > 0 && open > 0) {
      spans.starts.copyWithin(0, from, spans.fieldCount);
      spans.ends.copyWithin(0, from, spans.fieldCount);
      spans.flags.copyWithin(0, from, spans.fieldCount);
    }
    spans.fieldCount = open;
    this.#openFrom = 0;
    this.#kernelRecords = 0;
    spans.recordCount = 0;
    spans.firstField[0] = 0;
  }

  /** Turns a field's raw span into what is between its quotes or behind its layout spaces. */
  #trimField(bytes: Uint8Array, field: number, form: number): void {
    const { starts, ends, flags } = this.spans;
    let start = starts[field];
    let end = ends[field];
    if (this.#layoutSpaces) while (start < end && bytes[start] === SPACE) start++;
    if (form === T.QUOTED_FORM) {
      flags[field] |= QUOTED;
      start++;
      // Only spaces may stand between the closing quote and the field's end.
      while (bytes[end - 1] === SPACE) end--;
      end--;
    } else if (form === T.MISPLACED_FORM) {
      flags[field] |= MISPLACED;
      this.#recordFlags |= RECORD_MISPLACED;
    }
    starts[field] = start;
    ends[field] = end;
  }

  #closeRecord(record: number, recordStart: number, recordEnd: number, fieldCount: number): void {
    const spans = this.spans;
    if (record === spans.recordStarts.length) growRecords(spans);
    spans.recordStarts[record] = recordStart;
    spans.recordEnds[record] = recordEnd;
    spans.recordLines[record] = this.linesBefore;
    spans.recordFlags[record] = this.#recordFlags;
    spans.firstField[record + 1] = fieldCount;
    this.#recordFlags = 0;
  }

  /** Where the bytes at hand end inside a record. */
  #checkSize(at: number): void {
    // What may be part of a line end or of a delimiter is not counted yet: at their end it would not be either.
    const slack = Math.max(this.#machine.newline === T.CRLF ? 1 : 0, this.#machine.delimiter.length - 1);
    if (at - this.recordStart - slack <= this.#limits.maxRecordSize) return;
    this.#flushPendingCr();
    this.fault = "RECORD_TOO_LARGE";
    this.faultPosition = at;
  }

  #finish(bytes: Uint8Array, end: number): void {
    const { state } = this.#finder;
    this.#flushPendingCr();
    const between = state === T.RECORD_START || state === T.RECORD_CR;
    if (!between && !this.#inComment && !this.#discarding) {
      const { spans } = this;
      const unterminated = isInQuotes(state);
      const field = spans.fieldCount;
      if (field === spans.starts.length) growFields(spans);
      spans.starts[field] = this.#fieldStart;
      spans.ends[field] = end;
      spans.flags[field] = this.#escaped ? ESCAPED : 0;
      this.#escaped = false;
      this.#trimField(bytes, field, T.INPUT_END_FORM[state]);
      if (unterminated) {
        spans.starts[field]++;
        spans.flags[field] |= QUOTED;
        this.#recordFlags |= RECORD_UNTERMINATED;
      }
      spans.fieldCount = field + 1;
      if (end - this.recordStart > this.#limits.maxRecordSize) this.fault = "RECORD_TOO_LARGE";
      else if (this.openFields > this.#limits.maxColumns) this.fault = "TOO_MANY_COLUMNS";
      if (this.fault !== null) {
        this.faultPosition = end;
        return;
      }
      this.#closeRecord(spans.recordCount++, this.recordStart, end, spans.fieldCount);
      this.linesBefore += this.#linesInside + 1;
      this.#linesInside = 0;
      this.#openFrom = spans.fieldCount;
      this.recordStart = this.#fieldStart = end;
    }
    this.#discarding = false;
    this.#finder.state = T.RECORD_START;
  }

  #countLine(byte: number, linesInside: number): void {
    if (this.#pendingCrLine >= 0) this.#flushPendingCr();
    const line = this.linesBefore + linesInside;
    if (this.#machine.newline === T.CRLF) this.#note("crlf", line);
    else if (byte === LF) this.#note("lf", line);
    else this.#pendingCrLine = line;
  }

  #flushPendingCr(): void {
    if (this.#pendingCrLine < 0) return;
    this.#note("cr", this.#pendingCrLine);
    this.#pendingCrLine = -1;
  }

  #note(newline: "lf" | "crlf" | "cr", line: number): void {
    this.newlines[newline]++;
    if (this.#lastNewline !== "" && this.#lastNewline !== newline && this.mixedLine < 0)
      this.mixedLine = line;
    this.#lastNewline = newline;
  }
}

function isInQuotes(state: number): boolean {
  return state === T.QUOTED || state === T.QUOTED_CR || state === T.QUOTED_ESCAPE;
}
