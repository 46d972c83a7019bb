import {
  CsvError,
  type CsvErrorCode,
  type CsvFault,
  type CsvWarning,
  type Reject,
  type SchemaIssue,
} from "./errors.js";
import { BufferManager, type SampleBounds, type SampleLimits } from "./input/buffer-manager.js";
import { RECORD_CAPACITY } from "./machine/kernel.js";
import { Scanner, UNBOUNDED } from "./machine/scanner.js";
import { RECORD_MISPLACED, RECORD_UNTERMINATED, type Spans } from "./machine/spans.js";
import { type RereadRecord, rereadRecord } from "./machine/stray-quotes.js";
import { cellReading, overrideOptions, type ResolvedOptions } from "./options.js";
import { createRowBuilder, type RowBuilder } from "./output/row-builder.js";
import { type SchemaVerdict, type StandardSchema, validateRow } from "./output/row-schema.js";
import type * as VwOutput from "./output/vw/emitter.js";
import type { VwEmitter } from "./output/vw/emitter.js";
import { type RowBatch, rowsOf } from "./row-batch.js";
import type { Column, SchemaChange, Sniff } from "./sniffer/sniff.js";
import { castSettings, nullSettings, sniffSample } from "./sniffer/sniffer.js";
import type { Caster } from "./types/caster.js";
import { CellReader, cellKind, NULL_CELL, type NullSettings } from "./types/cell-reader.js";
import { type BatchCells, castColumn, layRows, type RowFields } from "./types/column-cast.js";
import { type CastSettings, createCaster } from "./types/create-caster.js";
import { readBatchText, VarcharCaster } from "./types/varchar.js";
import { widenColumn } from "./types/widen.js";

/** Bytes that are scanned for one batch: what they hold stays in the processor's cache until it is cast. */
const WINDOW = 1 << 17;
/** Fields of a batch, so that wide tables make small batches. */
const BATCH_FIELDS = 1 << 15;
/** Bytes of a reject's raw text. */
const RAW_SIZE = 1 << 16;
/** Fields of a reject that are given as text. */
const REJECT_FIELDS = 1_000;
/** Bytes of a value that an error quotes. */
const QUOTED_VALUE = 256;
/** What to do where the type that a value breaks was not found but given. */
const GIVEN_TYPE_HINT =
  "Give the column another type, or choose onTypeMismatch: 'reject', 'null' or 'widen'.";
/** With an earlier sniff, only a byte order mark is looked for. */
const MARK_ONLY = { sampleRows: 1, sampleBytes: 4, maxRecordSize: 0 };

/** Who wants to hear of what, beside the callbacks among the options. */
export interface ParserListeners {
  onSniff?: (sniff: Sniff) => void;
  onSchema?: (change: SchemaChange) => void;
  onReject?: (reject: Reject) => void;
  onWarning?: (warning: CsvWarning) => void;
}

/** A place between records. */
export interface RecordPlace {
  /** Offset of the record behind it. */
  byteOffset: number;
  /** Physical lines before it. */
  lines: number;
}

/** Where a parser begins that goes on for another, and what it has from it. */
export interface Origin extends RecordPlace {
  /** Data records before it. */
  records: number;
  columns: readonly Column[];
  /** The columns whose first null for a mismatch has been told. */
  nulled: Set<number>;
}

/**
 * The parser without any stream around it: bytes go in by {@link CsvParser.write}, batches of rows come out by
 * {@link CsvParser.read}. Until the sample is whole, `read` gives nothing; then it sniffs.
 */
export class CsvParser {
  /** Set once the input is sniffed. */
  sniff: Sniff | null = null;
  /** Set while a decoder is being loaded; await it and read again. */
  loading: Promise<void> | null = null;
  /** Whether the last batch has been read. */
  done = false;
  /** Rows whose cells the kernel has cast, or handed back; the reference casts those of the others. */
  rowsCastInKernel = 0;
  /** Records that begin at this byte or behind it are left to another parser; the rows before them are all given. */
  stopAt = Number.POSITIVE_INFINITY;
  /** The first record found; null before. */
  first: RecordPlace | null = null;
  /** The first record left to another parser; null before, and where there is none. */
  next: RecordPlace | null = null;

  #options: ResolvedOptions;
  readonly #listeners: readonly [Omit<ParserListeners, "onSniff">, ParserListeners];
  readonly #buffer: BufferManager;
  /** Makes VW examples instead of rows; null for other outputs. */
  #vw: VwEmitter | null;
  /** What makes the emitter; null until it has been loaded, which other outputs never do. */
  #vwOutput: typeof VwOutput | null = null;
  #cast: CastSettings;
  #nulls: NullSettings;
  readonly #rows: RowFields & { record: Int32Array } = {
    count: 0,
    first: new Int32Array(0),
    width: new Int32Array(0),
    record: new Int32Array(0),
    isRegular: false,
  };
  #columns: readonly Column[] = [];
  #casters: Caster[] = [];
  #valid: Uint8Array[] = [];
  #rowBuilder: RowBuilder = () => [];
  #scanner: Scanner | null = null;
  #cells: CellReader | null = null;
  #skipLinesLeft = 0;
  #skippedLines = 0;
  #headRecordsLeft = 0;
  #afterCr = false;
  #recordsBefore = 0;
  #rowsGiven = 0;
  #nextRow = 0;
  #rejects: Reject[] = [];
  /** Rejects that have been given out. */
  #rejectsGiven = 0;
  #failure: unknown = null;
  /** Thrown once the rows before it have been read: a fault, or what the caller's schema has thrown. */
  #pendingFailure: unknown = null;
  readonly #nulled: Set<number>;
  readonly #origin: Origin | null;
  #mixedSeen = false;

  /**
   * @param vw The emitter of an earlier input, to go on with its numbering of labels.
   * @param origin Where the input begins that is written, within a larger one; the options then hold its sniff.
   */
  constructor(
    options: ResolvedOptions,
    listeners: ParserListeners = {},
    vw: VwEmitter | null = null,
    origin: Origin | null = null,
  ) {
    this.#origin = origin;
    this.#nulled = origin?.nulled ?? new Set();
    this.#vw = vw;
    this.#options = options;
    this.#listeners = [options, listeners];
    this.#buffer = new BufferManager(options.sniffed === undefined ? sampleLimits(options) : MARK_ONLY);
    this.#cast = castSettings(options);
    this.#nulls = nullSettings(options);
  }

  /** Takes a chunk, which must not change until the parser is {@link CsvParser.hungry}. */
  write(chunk: Uint8Array): void {
    // After the last wanted row, or a fault, a source that goes on writing must not fill the memory.
    if (this.done || this.#failure !== null) return;
    this.#buffer.push(chunk);
  }

  /** Says that no more chunks come. */
  end(): void {
    this.#buffer.end();
  }

  /** Whether all that was written has been taken in, little of it waits to be read, and more is wanted. */
  get hungry(): boolean {
    const unread = this.#scanner === null ? 0 : this.#buffer.length - this.#scanner.position;
    return this.#buffer.hungry && unread <= WINDOW;
  }

  /**
   * Sniffs, if the sample is whole or `force` ends it here. Returns whether the sniff is there.
   *
   * @throws CsvError as {@link sniffSample} does.
   */
  trySniff(force = false): boolean {
    if (this.sniff !== null) return true;
    if (this.#failure !== null) throw this.#failure;
    if (this.#origin !== null) {
      const origin = this.#origin;
      return this.#guard(() => this.#resume(origin));
    }
    if (this.loading !== null || !(force || this.#buffer.sampleReady())) return false;
    const given = this.#options.sniffed?.dialect.encoding ?? this.#options.encoding;
    return this.#guard(() => {
      const bounds = this.#options.vw === undefined ? this.#buffer.takeSampleNow(given) : null;
      if (bounds !== null) {
        this.#start(bounds);
        return true;
      }
      this.loading = this.#load(given).then(
        (loaded) => {
          this.loading = null;
          this.#guard(() => this.#start(loaded));
        },
        (error) => {
          this.loading = null;
          this.#failure = error;
          throw error;
        },
      );
      // Whoever awaits it hears of a fault; where nobody does, the next read throws it.
      this.loading.catch(() => {});
      return false;
    });
  }

  /** The sample, and what is loaded only where the input or its output asks for it. */
  async #load(encoding: string | undefined): Promise<SampleBounds> {
    if (this.#options.vw !== undefined) this.#vwOutput = await import("./output/vw/emitter.js");
    return this.#buffer.takeSample(encoding);
  }

  /**
   * The next batch, or null when the parser is done, hungry or loading.
   *
   * @throws CsvError for the first fault that the options do not let pass; all rows before it come first.
   */
  read(): RowBatch | null {
    if (this.#failure !== null) throw this.#failure;
    if (!this.trySniff()) return null;
    return this.#guard(() => {
      for (;;) {
        if (this.#nextRow < this.#rows.count) {
          const batch = this.#vw === null ? this.#castBatch() : this.#emitBatch(this.#vw);
          if (batch !== null) return batch;
        } else if (this.#isOver()) {
          this.#flushRejects(Number.POSITIVE_INFINITY);
          throw this.#pendingFailure;
        } else {
          this.#flushRejects(Number.POSITIVE_INFINITY);
          if (this.done || !this.#advance()) return null;
        }
      }
    });
  }

  /** Whether a fault stands behind the rows that have been given. */
  #isOver(): boolean {
    this.#refuseRejects();
    return this.#pendingFailure !== null;
  }

  #finish(): void {
    if (this.done) return;
    this.done = true;
  }

  #guard<T>(step: () => T): T {
    try {
      return step();
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }

  #start(bounds: SampleBounds): void {
    let sniff = this.#sniffBy(this.#options, bounds);
    const overridden = overrideOptions(this.#options, this.#options.onSniff?.(sniff));
    if (overridden !== null) {
      this.#options = overridden;
      this.#cast = castSettings(overridden);
      this.#nulls = nullSettings(overridden);
      sniff = this.#sniffBy(overridden, bounds);
    }
    const options = this.#options;
    const { dialect } = sniff;
    this.sniff = sniff;
    // A blank line is a value in a table of one column, and the end of an example of several lines to VW.
    const blankRecords =
      sniff.columns.length === 1 || options.skipEmptyRecords === false || options.vw !== undefined;
    this.#scanner = new Scanner(dialect, options, blankRecords, options.engine);
    this.#scanner.rebase(-bounds.start);
    this.#cells = new CellReader(this.#scanner.machine, this.#nulls);
    this.#skipLinesLeft = dialect.skipLines;
    this.#headRecordsLeft = dialect.skipRecords + (dialect.header ? (dialect.headerLines ?? 1) : 0);
    this.#setColumns(sniff.columns, sniff.undecided);
    // An empty table has no header to begin with.
    if (!dialect.header || this.#headRecordsLeft === 0) this.#startVw(null);
    this.#listeners[1].onSniff?.(sniff);
    if (options.limit === 0) this.#finish();
  }

  #sniffBy(options: ResolvedOptions, bounds: SampleBounds): Sniff {
    const { sniffed } = options;
    if (sniffed === undefined) return sniffSample(this.#buffer.bytes, bounds, options);
    return { ...sniffed, cells: cellReading(options) };
  }

  /** Goes on where another parser has stopped. */
  #resume(origin: Origin): boolean {
    const options = this.#options;
    const sniff = options.sniffed as Sniff;
    this.sniff = sniff;
    this.#buffer.resume(origin.byteOffset);
    const blankRecords = sniff.columns.length === 1 || options.skipEmptyRecords === false;
    this.#scanner = new Scanner(sniff.dialect, options, blankRecords, options.engine);
    this.#cells = new CellReader(this.#scanner.machine, this.#nulls);
    this.#skippedLines = origin.lines;
    this.#recordsBefore = origin.records;
    this.#setColumns(sniff.columns, []);
    this.#columns = origin.columns;
    this.#casters = this.#columns.map((column) => createCaster(column, this.#cast));
    return true;
  }

  /** The options, with those that `onSniff` has returned once it was called. */
  get options(): ResolvedOptions {
    return this.#options;
  }

  /** The table's columns as they are now; of type SQLNULL are those whose first value is to settle their type. */
  get columns(): readonly Column[] {
    return this.#columns;
  }

  /** Data records so far. */
  get records(): number {
    return this.#recordsBefore + this.#scanned;
  }

  /** Columns whose first null for a mismatch has been told. */
  get nulled(): Set<number> {
    return this.#nulled;
  }

  /**
   * Sets up the VW emitter.
   *
   * @param header The cells of the file's header; null where it has none.
   */
  #startVw(header: Uint8Array[] | null): void {
    const options = this.#options;
    if (options.vw === undefined) return;
    const { VwEmitter } = this.#vwOutput as typeof VwOutput;
    const scanner = this.#scanner as Scanner;
    const named = options.names !== undefined || (header === null && options.vw.header === undefined);
    const cells = named ? this.#columns.map((column) => column.originalName) : header;
    const placeOf = (record: number) => this.#placeOf(scanner, record);
    if (this.#vw !== null) {
      this.#vw.reset(cells, scanner.machine, placeOf);
      return;
    }
    this.#vw = new VwEmitter(cells, options.vw, {
      machine: scanner.machine,
      placeOf,
      onWarning: (warning) => {
        for (const listener of this.#listeners) listener.onWarning?.(warning);
      },
    });
  }

  /** The emitter of VW examples, once the header is read; null for other outputs. */
  get vw(): VwEmitter | null {
    return this.#vw;
  }

  #setColumns(columns: readonly Column[], undecided: readonly string[]): void {
    const options = this.#options;
    const untyped = new Set(options.onTypeMismatch === "widen" ? undecided : []);
    this.#columns = columns.map((column) =>
      untyped.has(column.name) ? { ...column, type: "SQLNULL" } : { ...column },
    );
    this.#casters = this.#columns.map((column) => createCaster(column, this.#cast));
    this.#rowBuilder = createRowBuilder(columns, options.rowShape, options.duplicateHeaders);
  }

  /** Skips, scans or takes in the next piece of input. False when there is nothing to go on with. */
  #advance(): boolean {
    const scanner = this.#scanner as Scanner;
    if (this.#skipLinesLeft > 0 && !this.#skipLines(scanner)) return this.#fill(scanner);
    if (scanner.fault !== null) {
      this.#passFault(scanner, scanner.fault);
      return true;
    }
    const buffer = this.#buffer;
    // The beginning of a record waits for its end.
    if (!buffer.last && scanner.waits(buffer.length)) return this.#fill(scanner);
    // A record that is longer than the window is read on in steps.
    const ahead = Math.max(scanner.recordStart + WINDOW, scanner.position + WINDOW / 2);
    const end = Math.min(buffer.length, ahead);
    const last = buffer.last && end === buffer.length;
    const maxRecords = this.#headRecordsLeft > 0 ? 1 : Math.min(this.#options.batchRows, RECORD_CAPACITY);
    scanner.scan(buffer.bytes, end, last, maxRecords, BATCH_FIELDS, true);
    if (scanner.spans.recordCount > 0) {
      if (this.#headRecordsLeft > 0) this.#passHead(scanner);
      else this.#arrangeRows(scanner);
      return true;
    }
    // An LF that came alone may show that the CR before it, and the record that this ended, were the odd one.
    if (this.#refuseMixedNewlines(scanner)) return true;
    if (scanner.fault !== null || scanner.position < buffer.length) return true;
    if (last) {
      this.#finish();
      return true;
    }
    return this.#fill(scanner);
  }

  #fill(scanner: Scanner): boolean {
    if (!this.#buffer.fillable) {
      if (this.#buffer.last) this.#finish();
      return false;
    }
    scanner.rebase(this.#buffer.fill(scanner.recordStart));
    return true;
  }

  /** Skips physical lines; false when the bytes at hand end before the last of them. */
  #skipLines(scanner: Scanner): boolean {
    const { bytes, length } = this.#buffer;
    let i = scanner.position;
    while (i < length && (this.#skipLinesLeft > 0 || this.#afterCr)) {
      const byte = bytes[i++];
      if (this.#afterCr) {
        this.#afterCr = false;
        if (byte === 0x0a) continue;
        if (this.#skipLinesLeft === 0) {
          i--;
          break;
        }
      }
      if (byte === 0x0a || byte === 0x0d) {
        this.#skipLinesLeft--;
        this.#skippedLines++;
        this.#afterCr = byte === 0x0d;
      }
    }
    scanner.rebase(scanner.position - i);
    if (this.#skipLinesLeft > 0) return false;
    // Whether an LF belongs to the last line's CR shows with the next byte.
    if (this.#afterCr && !this.#buffer.last) {
      this.#skipLinesLeft = 1;
      this.#skippedLines--;
      scanner.rebase(1);
      this.#afterCr = false;
      return false;
    }
    return true;
  }

  /** The header, or a record above it. */
  #passHead(scanner: Scanner): void {
    const flags = scanner.spans.recordFlags[0];
    const length = scanner.spans.recordEnds[0] - scanner.spans.recordStarts[0];
    if (length > this.#options.maxRecordSize) return;
    if (flags & RECORD_UNTERMINATED && this.#options.strictness !== "lenient") {
      throw this.#unterminated(scanner, 0, 0);
    }
    this.#headRecordsLeft--;
    const { dialect } = this.sniff as Sniff;
    if (this.#headRecordsLeft > 0 || !dialect.header || this.#options.vw === undefined) return;
    const { readHeaderCells } = this.#vwOutput as typeof VwOutput;
    // A header of several records has been joined by the sniffer.
    const joined = (dialect.headerLines ?? 1) > 1;
    this.#startVw(
      joined
        ? this.#columns.map((column) => new TextEncoder().encode(column.originalName))
        : readHeaderCells(scanner.spans, 0, this.#options.vw, scanner.machine),
    );
  }

  /** Sorts the records just scanned into rows and rejects. */
  #arrangeRows(scanner: Scanner): void {
    const { spans } = scanner;
    const rows = this.#rows;
    const options = this.#options;
    this.#reserveRows(spans.recordCount);
    this.#reread = [];
    rows.count = 0;
    this.#nextRow = 0;
    const columns = this.#columns.length;
    this.first ??= this.#placeBefore(scanner, 0);
    let recordCount = spans.recordCount;
    while (recordCount > 0 && this.#buffer.offset + spans.recordStarts[recordCount - 1] >= this.stopAt) {
      recordCount--;
    }
    if (recordCount < spans.recordCount) {
      this.next = this.#placeBefore(scanner, recordCount);
      this.#finish();
    }
    const mixedLine = options.strictness === "strict" && !this.#mixedSeen ? scanner.mixedLine : -1;
    const sized = options.maxFieldSize < options.maxRecordSize;
    rows.isRegular =
      mixedLine < 0 && !sized && options.skipEmptyRecords !== "all-null" && this.#allEven(spans, columns);
    // Behind the fields of the record that is open.
    let reread = spans.fieldCount;
    for (let record = 0; record < recordCount; record++) {
      if (mixedLine >= 0 && spans.recordLines[record] > mixedLine) break;
      if (this.#recordNumber(record) > options.maxRecords) {
        this.#pendingFailure = this.#tooManyRecords(scanner, record);
        break;
      }
      const first = spans.firstField[record];
      if (rows.isRegular) {
        rows.first[record] = first;
        rows.width[record] = columns;
        rows.record[record] = record;
        rows.count++;
        continue;
      }
      const width = spans.firstField[record + 1] - first;
      const flags = spans.recordFlags[record];
      const fieldFault = sized ? this.#oversizedField(scanner, record) : null;
      if (fieldFault !== null) {
        if (options.onError === "error") {
          this.#pendingFailure = fieldFault;
          break;
        }
        this.#rejects.push(this.#rejectOf(scanner, record, fieldFault));
        continue;
      }
      if (flags !== 0 && options.strictness === "lenient" && this.#vw === null) {
        const records = this.#rereadRecord(scanner, record, reread);
        for (const { first, width } of records ?? []) {
          reread += width;
          if (options.skipEmptyRecords === "all-null" && this.#isAllNull(scanner, first, width)) continue;
          this.#reserveRows(rows.count + spans.recordCount);
          const row = rows.count++;
          rows.first[row] = first;
          rows.width[row] = width;
          rows.record[row] = record;
        }
        if (records !== null) continue;
      }
      if (width !== columns || flags !== 0 || this.#vw !== null) {
        const fault = this.#structureFault(scanner, record, width, flags);
        if (fault !== null) {
          if (options.onError === "error") {
            this.#pendingFailure = fault;
            break;
          }
          this.#rejects.push(this.#rejectOf(scanner, record, fault));
          continue;
        }
      }
      if (
        options.skipEmptyRecords === "all-null" &&
        this.#isAllNull(scanner, first, Math.min(width, columns))
      ) {
        continue;
      }
      const row = rows.count++;
      rows.first[row] = first;
      rows.width[row] = Math.min(width, columns);
      rows.record[row] = record;
    }
    this.#refuseMixedNewlines(scanner);
    this.#scanned = recordCount + this.#reread.reduce((sum, { more }) => sum + more, 0);
    // Nobody hears of rows behind the reject that is one too many, nor of a column that they widen.
    this.#refuseRejects();
  }

  #reserveRows(count: number): void {
    const rows = this.#rows;
    if (rows.first.length >= count) return;
    const grown = (from: Int32Array) => {
      const larger = new Int32Array(count * 2);
      larger.set(from);
      return larger;
    };
    rows.first = grown(rows.first);
    rows.width = grown(rows.width);
    rows.record = grown(rows.record);
  }

  /** Records of the scan that were read again with a stray quote as text, and how many records more than one each is. */
  #reread: { record: number; more: number }[] = [];

  #rereadRecord(scanner: Scanner, record: number, at: number): RereadRecord[] | null {
    const { dialect } = this.sniff as Sniff;
    const columns = this.#columns.length;
    const records = rereadRecord(scanner.spans, record, columns, at, dialect, scanner.machine);
    if (records !== null) this.#reread.push({ record, more: records.length - 1 });
    return records;
  }

  #placeBefore(scanner: Scanner, record: number): RecordPlace {
    const { recordStarts, recordLines } = scanner.spans;
    return {
      byteOffset: this.#buffer.offset + recordStarts[record],
      lines: this.#skippedLines + recordLines[record],
    };
  }

  /** Whether every record scanned has as many fields as there are columns, and no fault. */
  #allEven(spans: Spans, columns: number): boolean {
    if (this.#vw !== null || spans.fieldCount < spans.recordCount * columns) return false;
    const { firstField, recordFlags, recordCount } = spans;
    for (let record = 0; record < recordCount; record++) {
      if (firstField[record + 1] !== (record + 1) * columns || recordFlags[record] !== 0) return false;
    }
    return true;
  }

  /** Strictly, a line end that differs from those before it ends the rows. Whether one does so now. */
  #refuseMixedNewlines(scanner: Scanner): boolean {
    if (this.#options.strictness !== "strict" || this.#mixedSeen || scanner.mixedLine < 0) return false;
    this.#mixedSeen = true;
    const line = this.#skippedLines + scanner.mixedLine + 1;
    const what = "the line end differs from the ones before it";
    this.#pendingFailure ??= new CsvError("MIXED_NEWLINES", what, { line });
    return true;
  }

  /** Records of the scan that {@link CsvParser.#recordsBefore} does not count yet. */
  #scanned = 0;

  #structureFault(scanner: Scanner, record: number, width: number, flags: number): CsvError | null {
    if (this.#vw !== null) return this.#vw.structureFault(scanner.spans, record);
    const options = this.#options;
    const { spans } = scanner;
    const columns = this.#columns.length;
    if (options.strictness !== "lenient") {
      if (flags & RECORD_UNTERMINATED) return this.#unterminated(scanner, record, this.#recordNumber(record));
      if (flags & RECORD_MISPLACED) {
        const first = spans.firstField[record];
        let field = first;
        while (!(spans.flags[field] & 4)) field++;
        const place = { ...this.#placeOf(scanner, record), column: field - first + 1 };
        return new CsvError("TEXT_AFTER_QUOTE", "text follows a closing quote", place);
      }
    }
    if (width === columns) return null;
    const fault: CsvFault = { ...this.#placeOf(scanner, record), expected: columns, found: width };
    if (width < columns) {
      if (options.nullPadding) return null;
      return new CsvError("TOO_FEW_FIELDS", `the record has ${width} of ${columns} fields`, fault);
    }
    if (options.extraFields === "drop") return null;
    const extra = spans.firstField[record + 1] - 1;
    const ignores = options.ignoreTrailingDelimiter ?? this.sniff?.dialect.ignoreTrailingDelimiter;
    const trailing =
      width === columns + 1 && spans.starts[extra] === spans.ends[extra] && spans.flags[extra] === 0;
    if (ignores && trailing) return null;
    return new CsvError("TOO_MANY_FIELDS", `the record has ${width} fields for ${columns} columns`, fault);
  }

  /** The fault of a record that holds a field longer than allowed. */
  #oversizedField(scanner: Scanner, record: number): CsvError | null {
    const { firstField, starts, ends } = scanner.spans;
    const limit = this.#options.maxFieldSize;
    for (let field = firstField[record]; field < firstField[record + 1]; field++) {
      if (ends[field] - starts[field] <= limit) continue;
      const place = { ...this.#placeOf(scanner, record), column: field - firstField[record] + 1, limit };
      return new CsvError("FIELD_TOO_LARGE", `a field has more than ${limit} bytes`, place);
    }
    return null;
  }

  #tooManyRecords(scanner: Scanner, record: number): CsvError {
    const limit = this.#options.maxRecords;
    const place = { ...this.#placeOf(scanner, record), limit };
    return new CsvError("TOO_MANY_RECORDS", `there are more than ${limit} records`, place);
  }

  #isAllNull(scanner: Scanner, first: number, width: number): boolean {
    const { spans } = scanner;
    for (let field = first; field < first + width; field++) {
      const kind = cellKind(
        this.#nulls,
        spans.bytes,
        spans.starts[field],
        spans.ends[field],
        spans.flags[field],
      );
      if (kind !== NULL_CELL) return false;
    }
    return true;
  }

  /** Casts the arranged rows up to the first fault. Null where that is the first row, or all were rejected. */
  #castBatch(): RowBatch | null {
    const scanner = this.#scanner as Scanner;
    const cells = this.#cells as CellReader;
    const { onTypeMismatch, onError, fatal, output, schema } = this.#options;
    const rows = this.#rows;
    const from = this.#nextRow;
    let count = Math.min(rows.count - from, this.#options.limit - this.#rowsGiven + this.#rejectSlack);
    const goOn = onTypeMismatch === "reject" || onTypeMismatch === "null";
    const rejected = new Map<number, CsvError>();
    const nulled: { row: number; column: number }[] = [];
    let fault: { row: number; column: number; code: CsvErrorCode } | null = null;
    let failure: { reason: unknown } | null = null;
    const batchCells: BatchCells = {
      spans: scanner.spans,
      rows,
      from,
      nulls: this.#nulls,
      cells,
      kernel: null,
      text: null,
    };
    // What was read again the kernel does not know.
    const kernel = this.#reread.length > 0 ? null : scanner.kernel;
    if (kernel !== null && layRows(kernel, batchCells, count, scanner.kernelBase)) {
      batchCells.kernel = kernel;
      this.rowsCastInKernel += count;
    } else if (output === "rows" && count > 0) {
      const { bytes, recordStarts, recordEnds } = scanner.spans;
      const last = rows.record[from + count - 1];
      batchCells.text = readBatchText(bytes, recordStarts[rows.record[from]], recordEnds[last]);
    }
    for (let column = 0; column < this.#columns.length && count > 0; column++) {
      const caster = this.#casters[column];
      const valid = this.#validOf(column, count);
      const refusals: number[] | null = goOn ? [] : null;
      const cast = castColumn(caster, batchCells, count, column, valid, refusals);
      if (cast < count) {
        fault = { row: cast, column, code: "TYPE_MISMATCH" };
        count = cast;
      }
      for (const row of refusals ?? []) {
        if (onTypeMismatch === "null") nulled.push({ row, column });
        else if (!rejected.has(row)) rejected.set(row, this.#mismatch(scanner, from + row, column));
      }
      if (!fatal || !(caster instanceof VarcharCaster)) continue;
      for (const row of caster.invalidRows(count, this.#isTranscoded)) {
        if (onError === "reject") {
          if (!rejected.has(row)) rejected.set(row, this.#badEncoding(scanner, from + row, column));
        } else if (row < count) {
          fault = { row, column, code: "INVALID_ENCODING" };
          count = row;
        }
      }
    }
    let shaped: unknown[] | null = null;
    if (schema !== undefined) {
      const judged = this.#judgeRows(scanner, schema, from, count, rejected);
      shaped = judged.rows;
      if (judged.failure !== null) {
        count = shaped.length;
        fault = null;
      }
      failure = judged.failure;
    }
    this.#nextRow = from + count;
    for (const [row, error] of rejected) {
      if (row < count) this.#rejects.push(this.#rejectOf(scanner, rows.record[from + row], error));
    }
    // A column is widened once the rows before it have been given: its caster holds their values until then.
    const widens = fault?.code === "TYPE_MISMATCH" && onTypeMismatch === "widen";
    if (fault !== null && !(widens && count > 0)) this.#settleFault(scanner, fault.column, fault.code);
    else if (failure !== null) this.#failAt(failure.reason);
    count = Math.min(count, this.#refuseRejects() - from);
    const batch = this.#batchOf(count, rejected, shaped);
    const given = nulled.filter(({ row }) => row <= (batch?.lastRow ?? -1) && !rejected.has(row));
    for (const { row, column } of given.sort((a, b) => a.row - b.row)) {
      this.#noteNulled(scanner, from + row, column);
    }
    if (this.#rowsGiven >= this.#options.limit && batch !== null) {
      const last = this.#recordNumber(rows.record[from + batch.lastRow]);
      this.#rejects = this.#rejects.filter((reject) => reject.record < last);
    }
    this.#flushRejects(
      this.#recordNumber(this.#nextRow < rows.count ? rows.record[this.#nextRow] : Infinity),
    );
    return batch;
  }

  /** Makes VW examples of the arranged rows, up to the first fault. */
  #emitBatch(vw: VwEmitter): RowBatch | null {
    const scanner = this.#scanner as Scanner;
    const { output, onError, limit, maxRejects } = this.#options;
    const rows = this.#rows;
    const made: unknown[] = [];
    const room = limit - this.#rowsGiven;
    let lastMade = -1;
    while (this.#nextRow < rows.count && made.length < room) {
      // Records that follow each other are made into lines together: that is faster.
      if (this.#refuseRejects() <= this.#nextRow) break;
      const from = rows.record[this.#nextRow];
      const most =
        output === "vw" && maxRejects === Number.POSITIVE_INFINITY
          ? Math.min(rows.count - this.#nextRow, room - made.length)
          : 1;
      let length = 1;
      while (length < most && rows.record[this.#nextRow + length] === from + length) length++;
      const faults = new Map<number, CsvError>();
      const examples = makeExamples(vw, scanner.spans, from, from + length, output === "vw", faults);
      const first = onError === "error" ? faults.entries().next().value : undefined;
      if (first === undefined) {
        made.push(...examples);
        for (let record = from; record < from + length; record++) if (!faults.has(record)) lastMade = record;
        for (const [record, error] of faults) this.#rejects.push(this.#rejectOf(scanner, record, error));
        this.#nextRow += length;
      } else {
        const [record, error] = first;
        made.push(...examples.slice(0, record - from));
        if (record > from) lastMade = record - 1;
        this.#nextRow += record - from;
        this.#pendingFailure = error;
        rows.count = this.#nextRow;
        this.#rejects = this.#rejects.filter((reject) => reject.record < this.#recordNumber(record));
      }
    }
    this.#rowsGiven += made.length;
    if (this.#rowsGiven >= limit) {
      // As with rows, what lies behind the last one given is not looked at, however the input is cut.
      const last = this.#recordNumber(lastMade);
      this.#rejects = this.#rejects.filter((reject) => reject.record < last);
      this.#stop();
    }
    this.#flushRejects(Number.POSITIVE_INFINITY);
    if (made.length === 0) return null;
    return {
      rowCount: made.length,
      columns: [],
      store: () => {},
      save: () => {
        throw new Error("VW examples are made in one thread");
      },
      rows: (first, end) => made.slice(first, end),
      value: (index) => made[index],
    };
  }

  /** Rows may be cast past the limit where some of them may yet be rejected. */
  get #rejectSlack(): number {
    return this.#options.limit === Number.POSITIVE_INFINITY ? 0 : this.#options.batchRows;
  }

  get #isTranscoded(): boolean {
    return this.sniff?.dialect.encoding !== "utf-8";
  }

  #validOf(column: number, count: number): Uint8Array {
    let valid = this.#valid[column];
    if (valid === undefined || valid.length < count) {
      valid = new Uint8Array(Math.max(count, 64));
      this.#valid[column] = valid;
    }
    return valid;
  }

  /**
   * Has the schema look at the rows that are cast, up to the first that does not pass; rejects are added to `rejected`.
   * Gives what it makes of them, by row.
   */
  #judgeRows(
    scanner: Scanner,
    schema: StandardSchema,
    from: number,
    count: number,
    rejected: Map<number, CsvError>,
  ): { rows: unknown[]; failure: { reason: unknown } | null } {
    const rows: unknown[] = [];
    const cast = rowsOf(this.#columns, this.#casters, this.#valid, count, this.#rowBuilder, null);
    for (const [row, given] of cast.rows(0, count).entries()) {
      if (rejected.has(row)) {
        rows.push(null);
        continue;
      }
      let verdict: SchemaVerdict;
      try {
        verdict = validateRow(schema, given);
      } catch (reason) {
        return { rows, failure: { reason } };
      }
      if (verdict.issues !== null) {
        const error = this.#schemaMismatch(scanner, from + row, verdict.issues);
        if (this.#options.onError !== "reject") return { rows, failure: { reason: error } };
        rejected.set(row, error);
      }
      rows.push(verdict.row);
    }
    return { rows, failure: null };
  }

  #schemaMismatch(scanner: Scanner, row: number, issues: SchemaIssue[]): CsvError {
    const [{ message, path } = { message: "it does not fit", path: [] }] = issues;
    const [key] = path;
    const column = typeof key === "number" ? this.#columns[key]?.name : key;
    const place = { ...this.#placeOf(scanner, this.#rows.record[row]), column };
    const more = issues.length > 1 ? `, and ${issues.length - 1} more` : "";
    return new CsvError("SCHEMA_MISMATCH", `the row does not fit the schema: ${message}${more}`, {
      ...place,
      issues,
    });
  }

  #batchOf(
    count: number,
    rejected: ReadonlyMap<number, CsvError>,
    shaped: readonly unknown[] | null,
  ): (RowBatch & { lastRow: number }) | null {
    let kept: number[] | null = null;
    if (rejected.size > 0) {
      kept = [];
      for (let row = 0; row < count; row++) if (!rejected.has(row)) kept.push(row);
    }
    const rowCount = Math.min(kept?.length ?? count, this.#options.limit - this.#rowsGiven);
    this.#rowsGiven += rowCount;
    if (this.#rowsGiven >= this.#options.limit) this.#stop();
    if (rowCount === 0) return null;
    const made = rowsOf(this.#columns, this.#casters, this.#valid, count, this.#rowBuilder, kept);
    if (shaped !== null) {
      made.rows = (first, end) =>
        kept === null ? shaped.slice(first, end) : kept.slice(first, end).map((row) => shaped[row]);
    }
    return { ...made, rowCount, lastRow: kept === null ? rowCount - 1 : kept[rowCount - 1] };
  }

  /** The limit is reached: what follows is not looked at. */
  #stop(): void {
    this.#finish();
    this.#nextRow = this.#rows.count;
    this.#pendingFailure = null;
  }

  /** The row at `nextRow` can't be cast: its column is widened, or the stream fails there. */
  #settleFault(scanner: Scanner, column: number, code: CsvErrorCode): void {
    const row = this.#nextRow;
    if (code === "TYPE_MISMATCH" && this.#options.onTypeMismatch === "widen") {
      this.#widen(scanner, row, column);
      return;
    }
    this.#failAt(
      code === "TYPE_MISMATCH"
        ? this.#mismatch(scanner, row, column)
        : this.#badEncoding(scanner, row, column),
    );
  }

  /** What stands behind the rows before `nextRow`, of whose successors nobody hears. */
  #failAt(reason: unknown): void {
    const row = this.#nextRow;
    this.#pendingFailure = reason;
    this.#rows.count = row;
    this.#rejects = this.#rejects.filter(
      (reject) => reject.record < this.#recordNumber(this.#rows.record[row]),
    );
  }

  #widen(scanner: Scanner, row: number, index: number): void {
    const cells = this.#cells as CellReader;
    const column = this.#columns[index];
    const kind = cells.read(scanner.spans, this.#rows.first[row] + index);
    cells.trim();
    const wider = widenColumn(column, kind, cells.bytes, cells.start, cells.end, this.#cast);
    const widened: Column = { name: column.name, originalName: column.originalName, ...wider };
    this.#columns = this.#columns.map((old, i) => (i === index ? widened : old));
    this.#casters[index] = createCaster(widened, this.#cast);
    const change: SchemaChange = {
      row: this.#recordNumber(this.#rows.record[row]),
      column: column.name,
      from: column.type === "SQLNULL" ? "VARCHAR" : column.type,
      to: widened.type,
      columns: this.#columns.map((each) => ({
        ...each,
        type: each.type === "SQLNULL" ? "VARCHAR" : each.type,
      })),
    };
    // Told in the input's order: what was rejected before the widened record comes first.
    this.#giveRejects(change.row);
    if (change.from === change.to) return;
    for (const listener of this.#listeners) listener.onSchema?.(change);
  }

  #noteNulled(scanner: Scanner, row: number, column: number): void {
    if (this.#nulled.has(column)) return;
    this.#nulled.add(column);
    const { message, line } = this.#mismatch(scanner, row, column);
    const name = this.#columns[column].name;
    const warning: CsvWarning = { code: "TYPE_MISMATCH", message: `read as null: ${message}`, column: name };
    if (line !== undefined) warning.line = line;
    for (const listener of this.#listeners) listener.onWarning?.(warning);
  }

  #mismatch(scanner: Scanner, row: number, index: number): CsvError {
    const cells = this.#cells as CellReader;
    const column = this.#columns[index];
    cells.read(scanner.spans, this.#rows.first[row] + index);
    const value = cells.text().slice(0, QUOTED_VALUE);
    const type = column.format === undefined ? column.type : `${column.type} in the format ${column.format}`;
    const fault = {
      ...this.#placeOf(scanner, this.#rows.record[row]),
      column: column.name,
      expected: column.type,
      value,
    };
    const hint = this.#isTyped(index) ? GIVEN_TYPE_HINT : undefined;
    return new CsvError("TYPE_MISMATCH", `${JSON.stringify(value)} is no ${type}`, fault, hint);
  }

  /** Whether the caller has given the column's type. */
  #isTyped(index: number): boolean {
    const { types } = this.#options;
    if (types === undefined || types === false) return false;
    const { name, originalName } = this.#columns[index];
    if (Array.isArray(types)) return index < types.length;
    return Object.hasOwn(types, name) || Object.hasOwn(types, originalName);
  }

  #badEncoding(scanner: Scanner, row: number, index: number): CsvError {
    const { spans } = scanner;
    const field = this.#rows.first[row] + index;
    const at = firstBadByte(spans.bytes, spans.starts[field], spans.ends[field]);
    const record = this.#rows.record[row];
    const encoding = this.sniff?.dialect.encoding ?? "utf-8";
    return new CsvError("INVALID_ENCODING", `the bytes are no ${encoding}`, {
      record: this.#recordNumber(record),
      line: this.#lineOf(scanner, record) + lineBreaks(spans.bytes, spans.recordStarts[record], at),
      byteOffset: this.#buffer.offset + at,
      column: this.#columns[index].name,
    });
  }

  #unterminated(scanner: Scanner, record: number, number: number): CsvError {
    const { spans } = scanner;
    const first = spans.firstField[record];
    const last = spans.firstField[record + 1] - 1;
    const quote = spans.starts[last] - 1;
    return new CsvError("UNTERMINATED_QUOTE", "a quote is never closed", {
      record: number,
      line: this.#lineOf(scanner, record) + lineBreaks(spans.bytes, spans.recordStarts[record], quote),
      byteOffset: this.#buffer.offset + quote,
      column: last - first + 1,
    });
  }

  /** The open record passed a limit. */
  #passFault(scanner: Scanner, code: "RECORD_TOO_LARGE" | "TOO_MANY_COLUMNS"): void {
    const { maxRecordSize, maxColumns, onError } = this.#options;
    const inHead = this.#headRecordsLeft > 0;
    const limit = code === "RECORD_TOO_LARGE" ? maxRecordSize : maxColumns;
    const unit = code === "RECORD_TOO_LARGE" ? "bytes" : "fields";
    const place = {
      record: inHead ? 0 : this.#recordsBefore + this.#scanned + 1,
      line: this.#skippedLines + scanner.linesBefore + 1,
      byteOffset: this.#buffer.offset + scanner.recordStart,
    };
    const quoteLine = code === "RECORD_TOO_LARGE" ? this.#openQuoteLine(scanner) : 0;
    const cause =
      quoteLine === 0 ? "" : `; a quote that opens on line ${quoteLine} is not closed within them`;
    const error = new CsvError(code, `a record has more than ${limit} ${unit}${cause}`, { ...place, limit });
    if (onError === "error" || inHead) throw error;
    const rawEnd = Math.min(scanner.recordStart + Math.min(RAW_SIZE, maxRecordSize), scanner.faultPosition);
    const raw = decodeText(this.#buffer.bytes, scanner.recordStart, rawEnd);
    this.#rejects.push({ code, message: factOf(error), ...place, limit, raw, fields: [] });
    this.#recordsBefore += this.#scanned + 1;
    this.#scanned = 0;
    this.#rows.count = 0;
    this.#nextRow = 0;
    scanner.discardRecord();
  }

  /** The line on which a quote opens that the open record's first `maxRecordSize` bytes do not close; 0 where none does. */
  #openQuoteLine(scanner: Scanner): number {
    const { recordStart } = scanner;
    const bytes = this.#buffer.bytes.subarray(recordStart, recordStart + this.#options.maxRecordSize);
    if (!bytes.includes(scanner.machine.quote)) return 0;
    const limits = { maxRecordSize: UNBOUNDED, maxColumns: UNBOUNDED };
    // Read once more up to the limit: how far the scanner has come by now depends on how the input is cut.
    const again = new Scanner((this.sniff as Sniff).dialect, limits, false, "js");
    again.scan(bytes, bytes.length, false, UNBOUNDED, UNBOUNDED);
    if (again.openQuote < 0) return 0;
    const linesInside = lineBreaks(bytes, 0, again.openQuote);
    return this.#skippedLines + scanner.linesBefore + linesInside + 1;
  }

  #rejectOf(scanner: Scanner, record: number, error: CsvError): Reject {
    const { spans } = scanner;
    const cells = this.#cells as CellReader;
    const start = spans.recordStarts[record];
    const first = spans.firstField[record];
    const fields: string[] = [];
    const last = Math.min(spans.firstField[record + 1], first + REJECT_FIELDS);
    for (let field = first; field < last; field++) {
      cells.read(spans, field);
      fields.push(cells.text());
    }
    const reject: Reject = {
      code: error.code,
      message: factOf(error),
      record: this.#recordNumber(record),
      line:
        error.code === "INVALID_ENCODING" && error.line !== undefined
          ? error.line
          : this.#lineOf(scanner, record),
      byteOffset: this.#buffer.offset + start,
      raw: decodeText(spans.bytes, start, Math.min(spans.recordEnds[record], start + RAW_SIZE)),
      fields,
    };
    if (error.column !== undefined) reject.column = error.column;
    if (error.expected !== undefined) reject.expected = error.expected;
    if (error.found !== undefined) reject.found = error.found;
    if (error.value !== undefined) reject.value = error.value;
    if (error.issues !== undefined) reject.issues = error.issues;
    return reject;
  }

  /**
   * Ends the rows before the record whose reject would be one too many, if there is one.
   *
   * @returns How many of the arranged rows are left.
   */
  #refuseRejects(): number {
    const rows = this.#rows;
    const { maxRejects: limit } = this.#options;
    const room = limit - this.#rejectsGiven;
    if (this.#rejects.length <= room) return rows.count;
    this.#rejects.sort((a, b) => a.record - b.record);
    const { record, line, byteOffset } = this.#rejects[room];
    this.#rejects.length = room;
    const place = { record, line, byteOffset, limit };
    this.#pendingFailure = new CsvError(
      "TOO_MANY_REJECTS",
      `more records are rejected than the ${limit} allowed`,
      place,
    );
    while (rows.count > 0 && this.#recordNumber(rows.record[rows.count - 1]) >= record) rows.count--;
    this.#nextRow = Math.min(this.#nextRow, rows.count);
    return rows.count;
  }

  /** Gives out the rejects before a record, and counts the records of the scan once all their rows are given. */
  #flushRejects(beforeRecord: number): void {
    if (this.#nextRow >= this.#rows.count && this.#pendingFailure === null) {
      this.#recordsBefore += this.#scanned;
      this.#scanned = 0;
    }
    this.#giveRejects(beforeRecord);
  }

  /** In the input's order. */
  #giveRejects(beforeRecord: number): void {
    if (this.#rejects.length === 0) return;
    this.#rejects.sort((a, b) => a.record - b.record);
    const first = this.#rejects.findIndex((reject) => reject.record >= beforeRecord);
    const room = this.#options.maxRejects - this.#rejectsGiven;
    const ready = this.#rejects.splice(0, Math.min(first < 0 ? this.#rejects.length : first, room));
    this.#rejectsGiven += ready.length;
    for (const reject of ready) for (const listener of this.#listeners) listener.onReject?.(reject);
  }

  #placeOf(scanner: Scanner, record: number): CsvFault {
    return {
      record: this.#recordNumber(record),
      line: this.#lineOf(scanner, record),
      byteOffset: this.#buffer.offset + scanner.spans.recordStarts[record],
    };
  }

  #recordNumber(record: number): number {
    let number = this.#recordsBefore + record + 1;
    for (const { record: before, more } of this.#reread) if (before < record) number += more;
    return number;
  }

  #lineOf(scanner: Scanner, record: number): number {
    return this.#skippedLines + scanner.spans.recordLines[record] + 1;
  }
}

/** The sample's bounds: what is skipped above the table is not counted. */
function sampleLimits(options: ResolvedOptions): SampleLimits {
  const { sampleRows, sampleBytes, maxRecordSize, skipLines = 0, skipRecords } = options;
  return { sampleRows: sampleRows + skipLines + skipRecords, sampleBytes, maxRecordSize };
}

/** VW examples of some records; those that can't be made are listed instead. */
function makeExamples(
  vw: VwEmitter,
  spans: Spans,
  from: number,
  to: number,
  asText: boolean,
  faults: Map<number, CsvError>,
): unknown[] {
  if (asText) return vw.lines(spans, from, to, (error, record) => faults.set(record, error));
  try {
    return [vw.example(spans, from)];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    faults.set(from, error);
    return [];
  }
}

function decodeText(bytes: Uint8Array, start: number, end: number): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(start, end));
}

/** Physical line ends between two places. */
function lineBreaks(bytes: Uint8Array, start: number, end: number): number {
  let lines = 0;
  for (let i = start; i < end; i++) {
    if (bytes[i] === 0x0a || (bytes[i] === 0x0d && bytes[i + 1] !== 0x0a)) lines++;
  }
  return lines;
}

/** The first byte that begins no UTF-8 character, or the first U+FFFD. */
function firstBadByte(bytes: Uint8Array, start: number, end: number): number {
  const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let i = start;
  while (i < end) {
    const byte = bytes[i];
    const length = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    try {
      if (strict.decode(bytes.subarray(i, Math.min(i + length, end))) === "\ufffd") return i;
    } catch {
      return i;
    }
    i += length;
  }
  return end;
}

/** What a fault is, without what to do: a reject is what was done. */
function factOf({ message, hint }: CsvError): string {
  return message.slice(0, message.length - hint.length).trimEnd();
}
