import { type FileHandle, open } from "node:fs/promises";
import type { ResolvedOptions } from "../options.js";
import { schemaOf } from "../output/batches/batch-builder.js";
import { withStrings } from "../output/batches/text-column.js";
import { createRowBuilder, type RowBuilder } from "../output/row-builder.js";
import { CsvParser, type RecordPlace } from "../parser.js";
import { loadRows, type RowBatch } from "../row-batch.js";
import type { RowSource } from "../row-cursor.js";
import type { Column, Sniff } from "../sniffer/sniff.js";
import { castSettings } from "../sniffer/sniffer.js";
import type { Caster } from "../types/caster.js";
import { createCaster } from "../types/create-caster.js";
import { readBlock, readOn, type Segment, type SegmentRows } from "./segment.js";

/** How a file is cut up: bytes before the first segment, and bytes of each. */
export interface Cutting {
  head: number;
  segment: number;
}

export const CUTTING: Cutting = { head: 1 << 20, segment: 4 << 20 };

/** What tells a file from one that has been put in its place. */
export interface FileIdentity {
  dev: bigint;
  ino: bigint;
}

/** Who reads segments ahead: `identity` says of which file. */
export type CreatePool = (options: ResolvedOptions, identity: FileIdentity) => SegmentPool;

/** Who reads segments ahead. */
export interface SegmentPool {
  /** How many can read at the same time, also those that have not begun. */
  readonly threads: number;
  /** How many segments it takes now, and how many of these would be read at once. */
  readonly free: number;
  readonly idle: number;
  /** Whether it has read a segment. The first takes a thread as long as ten others, so nobody waits for it. */
  readonly isWarm: boolean;
  /** Is called when it takes more. */
  onFree: () => void;
  /** Reads a segment; null where it has failed to. */
  read(segment: Segment): Promise<SegmentRows | null>;
  close(): Promise<void>;
}

/** A segment that is read ahead, for the columns as they were when that began. */
interface Ahead {
  columns: readonly Column[];
  rows: Promise<SegmentRows | null>;
  isRead: boolean;
}

/** What is taken of the file, step by step. */
export type ParallelStep = {
  /** How many more of the file's bytes have been read for it. */
  bytes: number;
} & (
  | { kind: "sniff"; sniff: Sniff }
  | { kind: "rows"; rows: RowBatch }
  | { kind: "failure"; failure: unknown }
);

/** Whether what options ask for can be read by several threads at once. */
export function isParallel(options: ResolvedOptions): boolean {
  const { output, limit, maxRecords, maxRejects, strictness, sampleTimeout, schema } = options;
  // A schema is code, which does not go to another thread.
  const isRows = output !== "vw" && output !== "vw-examples" && schema === undefined;
  // A limit is soon reached, and what is counted, or a line end unlike the others, is so throughout the file.
  const isUnlimited = Math.min(limit, maxRecords, maxRejects) === Number.POSITIVE_INFINITY;
  return isRows && isUnlimited && strictness !== "strict" && sampleTimeout === 0;
}

/** Segments in a row that were read ahead in vain, behind which nothing more is. */
const MOST_IN_VAIN = 4;

/** Segments that one thread and another may have read ahead of what is given. */
const AHEAD_PER_THREAD = 2;

/**
 * Reads a file with the help of others who read some of its segments ahead. What they guess, where the first record of a segment
 * begins, is compared with where the records before it end; if it was wrong, or the segment holds anything but ordinary
 * rows, it is read again here, where all that came before is known. So the rows, numbers and faults are those of one
 * reader, in order.
 */
export class ParallelReader {
  readonly #path: string | URL;
  #options: ResolvedOptions;
  readonly #createPool: CreatePool;
  readonly #cutting: Cutting;
  #pool: SegmentPool | null = null;
  #segments: { from: number; to: number }[] = [];
  /** By segment, those ahead of what is given alone. */
  readonly #ahead = new Map<number, Ahead>();
  /** The segment that is given; -1 before the first. */
  #at = -1;
  /** Segments in a row, as they came, that were read ahead in vain. */
  #inVain = 0;
  #columns: readonly Column[] = [];
  #schema: readonly Column[] = [];
  #casters: Caster[] = [];
  #build: RowBuilder = () => [];
  /** How far the file has been read for what was given, and how much of that has been told. */
  #readTo = 0;
  #toldTo = 0;

  constructor(
    path: string | URL,
    options: ResolvedOptions,
    createPool: CreatePool,
    cutting: Cutting = CUTTING,
  ) {
    this.#path = path;
    this.#options = options;
    this.#createPool = createPool;
    this.#cutting = cutting;
  }

  /** Each step is to be dealt with before the next is asked for. */
  async *steps(): AsyncGenerator<ParallelStep> {
    const file = await open(this.#path, "r");
    try {
      yield* this.#read(file);
    } catch (failure) {
      yield { kind: "failure", failure, bytes: this.#newBytes() };
    } finally {
      await this.#pool?.close();
      await file.close();
    }
  }

  async *#read(file: FileHandle): AsyncGenerator<ParallelStep> {
    const { size: bigSize, dev, ino } = await file.stat({ bigint: true });
    const size = Number(bigSize);
    const identity = { dev, ino };
    let parser = new CsvParser(this.#options);
    let at = 0;
    let ended = false;
    while (!parser.trySniff(ended)) {
      if (parser.loading !== null) {
        await parser.loading;
        continue;
      }
      const block = await readBlock(file, at);
      at += block.length;
      ended = block.length === 0;
      if (ended) parser.end();
      else parser.write(block);
    }
    const sniff = parser.sniff as Sniff;
    this.#readTo = at;
    yield { kind: "sniff", sniff, bytes: this.#newBytes() };
    const options: ResolvedOptions = { ...parser.options, sniffed: sniff, onSniff: undefined };
    this.#options = options;
    this.#setColumns(parser.columns);
    // A place in transcoded text is none in the file.
    if (sniff.dialect.encoding === "utf-8") this.#segments = segmentsOf(size, this.#cutting);
    if (this.#segments.length > 0) parser.stopAt = this.#segments[0].from;
    for await (const step of this.#rowSteps(parser, file, at)) {
      yield step;
      // Whoever leaves after the first rows has started no thread.
      this.#startPool(options, identity);
    }
    if (this.#segments.length === 0) return;
    this.#startPool(options, identity);
    yield { kind: "rows", rows: BATCH_END, bytes: this.#newBytes() };

    let place = parser.next;
    let { records } = parser;
    const { nulled } = parser;
    for (let index = 0; index < this.#segments.length && place !== null; index++) {
      if (parser.columns !== this.#columns) this.#setColumns(parser.columns);
      // Whatever the threads have told is heard before it is asked for.
      await new Promise((heard) => setImmediate(heard));
      this.#at = index;
      this.#readAhead();
      const { to } = this.#segments[index];
      // A record of the segments before may reach over all of this one.
      if (place.byteOffset >= to) {
        this.#ahead.delete(index);
        continue;
      }
      const rows = await this.#rowsAhead(index, place);
      if (rows !== null) {
        place = placeBehind(rows, place);
        records += rows.records;
        this.#readTo = place?.byteOffset ?? size;
        for (const batch of this.#made(rows)) yield { kind: "rows", rows: batch, bytes: this.#newBytes() };
      } else {
        const origin = { ...place, records, columns: this.#columns, nulled };
        parser = new CsvParser(options, {}, null, origin);
        parser.stopAt = to;
        yield* this.#rowSteps(parser, file, place.byteOffset);
        place = parser.next;
        records = parser.records;
      }
      yield { kind: "rows", rows: BATCH_END, bytes: this.#newBytes() };
    }
  }

  #startPool(options: ResolvedOptions, identity: FileIdentity): void {
    if (this.#pool !== null || this.#segments.length === 0) return;
    this.#pool = this.#createPool(withoutCallbacks(options), identity);
    this.#pool.onFree = () => this.#readAhead();
    this.#readAhead();
  }

  /** Has segments read ahead, as many as the pool takes. */
  #readAhead(): void {
    const pool = this.#pool as SegmentPool;
    while (pool.free > 0 && this.#inVain < MOST_IN_VAIN) {
      const index = this.#nextAhead(pool);
      if (index === null) return;
      const columns = this.#columns;
      const ahead: Ahead = { columns, rows: pool.read({ ...this.#segments[index], columns }), isRead: false };
      this.#ahead.set(index, ahead);
      ahead.rows.then(() => {
        ahead.isRead = true;
      });
    }
  }

  /**
   * The next segment to be read ahead; null where none is. Each thread has its turn, and the one that gives the rows is
   * one of them; its turn is taken from it where whoever takes the rows leaves it no time.
   */
  #nextAhead({ threads, idle }: SegmentPool): number | null {
    const turns = threads + 1;
    const next = this.#at + 1;
    // The last has what has been appended since, however much: whoever gives the rows reads it, as it takes only a piece at a time.
    const until = Math.min(this.#segments.length - 1, next + turns * AHEAD_PER_THREAD);
    const isLeft = (index: number) => !this.#ahead.has(index);
    for (let index = next; index < until; index++) if (index % turns > 0 && isLeft(index)) return index;
    if (idle > 0) for (let index = next; index < until; index++) if (isLeft(index)) return index;
    return null;
  }

  /** What was read ahead of a segment, if it is what one reader would have found. */
  async #rowsAhead(index: number, place: RecordPlace): Promise<SegmentRows | null> {
    const ahead = this.#ahead.get(index);
    // What it holds is let go of with its rows.
    this.#ahead.delete(index);
    if (ahead === undefined || ahead.columns !== this.#columns) return null;
    if (!ahead.isRead && !(this.#pool as SegmentPool).isWarm) return null;
    const rows = await ahead.rows;
    if (rows?.isOrdinary && rows.first?.byteOffset === place.byteOffset) {
      this.#inVain = 0;
      return rows;
    }
    this.#inVain++;
    return null;
  }

  /** The rows that were read ahead, each batch to be dealt with before the next is asked for. */
  *#made({ rows, batches }: SegmentRows): Generator<RowBatch> {
    for (const saved of rows) yield loadRows(saved, this.#columns, this.#casters, this.#build);
    const { batchText, detach } = this.#options;
    for (const batch of batches) {
      const columns =
        batchText === "utf8" ? batch.columns : batch.columns.map((column) => withStrings(column, detach));
      const ready = { rowCount: batch.rowCount, schema: this.#schema, columns };
      yield { ...NO_ROWS, rowCount: batch.rowCount, columns: this.#columns, ready };
    }
  }

  async *#rowSteps(parser: CsvParser, file: FileHandle, at: number): AsyncGenerator<ParallelStep> {
    const progress = (readTo: number) => {
      this.#readTo = Math.max(this.#readTo, readTo);
    };
    for await (const rows of readOn(parser, file, at, progress)) {
      yield { kind: "rows", rows, bytes: this.#newBytes() };
    }
  }

  #newBytes(): number {
    const bytes = this.#readTo - this.#toldTo;
    this.#toldTo = this.#readTo;
    return bytes;
  }

  #setColumns(columns: readonly Column[]): void {
    const cast = castSettings(this.#options);
    const { rowShape, duplicateHeaders } = this.#options;
    this.#columns = columns;
    this.#schema = schemaOf(columns);
    this.#casters = columns.map((column) => createCaster(column, cast));
    this.#build = createRowBuilder(columns, rowShape, duplicateHeaders);
  }
}

/** Functions and signals do not go to another thread; nobody is told of anything there. */
function withoutCallbacks(options: ResolvedOptions): ResolvedOptions {
  const { onReject: _, onSniff: _1, onSchema: _2, onWarning: _3, signal: _4, ...rest } = options;
  return rest;
}

const NO_ROWS: RowBatch = {
  rowCount: 0,
  columns: [],
  rows: () => [],
  value: () => null,
  store: () => {},
  save: () => ({ rowCount: 0, vectors: [], valid: [] }),
};

/** Batches end where segments do, whoever has read them. */
const BATCH_END: RowBatch = { ...NO_ROWS, endsBatch: true };

function placeBehind({ first, next }: SegmentRows, place: RecordPlace): RecordPlace | null {
  if (next === null || first === null) return null;
  return { byteOffset: next.byteOffset, lines: place.lines + next.lines - first.lines };
}

function segmentsOf(size: number, { head, segment }: Cutting): { from: number; to: number }[] {
  const segments: { from: number; to: number }[] = [];
  for (let from = head; from < size; from += segment) segments.push({ from, to: from + segment });
  const last = segments.at(-1);
  if (last !== undefined) last.to = Number.POSITIVE_INFINITY;
  return segments;
}

/** Stands for the parsers of a parallel reading. */
export class ParallelSource implements RowSource {
  sniff: Sniff | null = null;
  done = false;
  readonly loading = null;
  readonly vw = null;
  #rows: RowBatch | null = null;
  #failure: { reason: unknown } | null = null;

  trySniff(): boolean {
    if (this.#failure !== null) throw this.#failure.reason;
    return this.sniff !== null;
  }

  read(): RowBatch | null {
    const rows = this.#rows;
    this.#rows = null;
    if (rows === null && this.#failure !== null) throw this.#failure.reason;
    return rows;
  }

  /** Takes a step, whose rows are read before the next. Returns how many of the file's bytes have gone into it. */
  take(step: ParallelStep): number {
    if (step.kind === "sniff") this.sniff = step.sniff;
    else if (step.kind === "rows") this.#rows = step.rows;
    else this.#failure = { reason: step.failure };
    return step.bytes;
  }

  end(): void {
    this.done = true;
  }
}
