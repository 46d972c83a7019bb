import type { ResolvedOptions } from "./options.js";
import { BatchBuilder } from "./output/batches/batch-builder.js";
import type { ColumnBatch } from "./output/batches/column-batch.js";
import { csvHeader, csvRecord, ndjsonLine } from "./output/text.js";
import type { VwEmitter } from "./output/vw/emitter.js";
import type { RowBatch } from "./row-batch.js";
import type { Column, Sniff } from "./sniffer/sniff.js";

/** What rows are taken from: a parser, or what stands for several. */
export interface RowSource {
  readonly sniff: Sniff | null;
  /** Whether the last batch has been read. */
  readonly done: boolean;
  /** Set while a decoder is being loaded; await it and read again. */
  readonly loading: Promise<void> | null;
  /** The emitter of VW examples, once the header is read; null for other outputs. */
  readonly vw: VwEmitter | null;
  /** Sniffs, if the sample is whole or `force` ends it here. Returns whether the sniff is there. */
  trySniff(force?: boolean): boolean;
  /** The next batch, or null when the source is done, hungry or loading. */
  read(): RowBatch | null;
}

/** Rows that are made at a time: one by one takes longer, and many would outlive the youngest generation. */
const ROWS_AHEAD = 64;

/** Takes rows, or batches of them, from a parser one by one; at most one batch lies ready. */
export class RowCursor {
  /** Rows taken. */
  taken = 0;
  readonly #parser: RowSource;
  readonly #options: ResolvedOptions;
  #batch: RowBatch | null = null;
  #next = 0;
  #rowCount = 0;
  /** Rows that are made already; the one at `#next` is the next. */
  #made: unknown[] = [];
  #madeFrom = 0;
  #headerDue: boolean;
  /** Gathers rows for the output "batches"; null for others. */
  readonly #batches: BatchBuilder | null;
  /** A batch that another thread has made. */
  #ready: ColumnBatch | null = null;
  /** A fault that waits until the rows before it have been taken. */
  #failure: unknown = null;

  constructor(parser: RowSource, options: ResolvedOptions) {
    this.#parser = parser;
    this.#options = options;
    this.#headerDue = options.output === "csv";
    this.#batches = options.output === "batches" ? new BatchBuilder(options) : null;
  }

  /**
   * Whether a row lies ready. Where not, the parser is done, hungry or loading.
   *
   * @throws CsvError as {@link RowSource.read} does.
   */
  ready(): boolean {
    if (this.#batches !== null) return this.#batchReady(this.#batches);
    if (this.#next < this.#rowCount) return true;
    if (this.#headerDue && this.#parser.trySniff() && this.#columns.length > 0) return true;
    this.#batch = this.#parser.read();
    this.#next = 0;
    this.#made = [];
    this.#madeFrom = 0;
    this.#rowCount = this.#batch?.rowCount ?? 0;
    return this.#rowCount > 0;
  }

  /** Moves rows to the batch until it is full, or nothing can come before it is given. */
  #batchReady(batches: BatchBuilder): boolean {
    if (this.#ready !== null) return true;
    if (this.#failure !== null) throw this.#failure;
    for (;;) {
      const rows = this.#batch;
      if (rows !== null && this.#next < rows.rowCount) {
        if (rows.ready !== undefined) {
          // It goes on as it is, once what was gathered before has been given.
          if (batches.rowCount === 0) this.#ready = rows.ready;
          this.#next = batches.rowCount === 0 ? rows.rowCount : 0;
          return true;
        }
        if (!batches.fits(rows.columns)) return true;
        const end = Math.min(this.#next + batches.room, rows.rowCount);
        rows.store(batches, this.#next, end);
        this.#next = end;
      }
      if (batches.room === 0) return true;
      try {
        this.#batch = this.#parser.read();
      } catch (error) {
        if (batches.rowCount === 0) throw error;
        this.#failure = error;
        return true;
      }
      this.#next = 0;
      if (this.#batch?.endsBatch === true && batches.rowCount > 0) return true;
      if (this.#batch === null) return this.#parser.done && batches.rowCount > 0;
    }
  }

  /** The next row; only after {@link RowCursor.ready} has said yes. */
  take(): unknown {
    if (this.#batches !== null) {
      const taken = this.#ready ?? this.#batches.take();
      this.#ready = null;
      this.taken += taken.rowCount;
      return taken;
    }
    const batch = this.#batch as RowBatch;
    const { output } = this.#options;
    if (output === "ndjson" || output === "csv") return this.#takeText(batch);
    this.taken++;
    const index = this.#next++;
    if (index - this.#madeFrom >= this.#made.length) {
      this.#made = batch.rows(index, Math.min(index + ROWS_AHEAD, this.#rowCount));
      this.#madeFrom = index;
    }
    return this.#made[index - this.#madeFrom];
  }

  #takeText(batch: RowBatch): string {
    const { output, escapeFormulas } = this.#options;
    if (this.#headerDue) {
      this.#headerDue = false;
      return csvHeader(this.#columns, escapeFormulas);
    }
    this.taken++;
    const index = this.#next++;
    const values = (column: number) => batch.value(index, column);
    return output === "ndjson"
      ? ndjsonLine(this.#columns, values)
      : csvRecord(this.#columns, values, escapeFormulas);
  }

  get #columns(): readonly Column[] {
    return this.#parser.sniff?.columns ?? [];
  }
}
