import { Duplex } from "node:stream";
import type { CsvWarning, Reject } from "../errors.js";
import { type Chunk, ChunkReader } from "../input/chunks.js";
import { type CsvOptions, type ResolvedOptions, resolveOptions } from "../options.js";
import { CsvParser } from "../parser.js";
import { RowCursor } from "../row-cursor.js";
import type { RowOf } from "../row-types.js";
import type { SchemaChange, Sniff } from "../sniffer/sniff.js";

/** Bytes that may wait on the writable side. */
const WRITABLE_BYTES = 1 << 16;
/** Rows that may wait on the readable side. */
const READABLE_ROWS = 64;
const READABLE_BATCHES = 2;

/** The events of a {@link CsvDuplex} beside those of every Duplex. */
export interface CsvDuplexEvents {
  /** Once, before the first row. */
  sniff: [sniff: Sniff];
  /** A column was widened. */
  schema: [change: SchemaChange];
  /** A record was set aside. */
  reject: [reject: Reject];
  /** Something was noticed that does not stop the stream. */
  warning: [warning: CsvWarning];
}

/** What a {@link CsvDuplex} has beside what every Duplex has. */
export interface CsvDuplexMembers<Row> {
  /** What was sniffed; settled before the first row. */
  readonly sniffed: Promise<Sniff>;
  /** Bytes written so far. */
  readonly bytesRead: number;
  /** Rows made so far. */
  readonly rowsEmitted: number;
  /** The number of each named class in VW examples so far; empty for other outputs. */
  readonly labels: Readonly<Record<string, number>>;
  /** Listens to an event of {@link CsvDuplexEvents}. */
  on<Event extends keyof CsvDuplexEvents>(
    event: Event,
    listener: (...args: CsvDuplexEvents[Event]) => void,
  ): this;
  /** Listens to the rows; the stream begins to flow. */
  on(event: "data", listener: (row: Row) => void): this;
  /** The rows, for `for await`; leaving the loop destroys the stream. */
  [Symbol.asyncIterator](): NodeJS.AsyncIterator<Row>;
}

/** A Duplex for `pipe` and `pipeline`: bytes in, rows out. */
export type CsvDuplex<Row> = CsvDuplexMembers<Row> & Duplex;

/**
 * Makes a Node Duplex that sniffs a CSV and streams its rows: bytes are counted on the writable side, rows on the
 * readable one. The text outputs, "ndjson", "csv" and "vw", give each line with its `\n`, ready for a file.
 *
 * @throws CsvError INVALID_OPTION or UNKNOWN_ENCODING; all other faults are `error` events, followed by `close`.
 */
export function sniffedCsv<const Options extends CsvOptions = CsvOptions>(
  options?: Options,
): CsvDuplex<RowOf<Options>> {
  return new SniffedCsvDuplex(resolveOptions(options)) as unknown as CsvDuplex<RowOf<Options>>;
}

class SniffedCsvDuplex extends Duplex {
  readonly sniffed: Promise<Sniff>;
  bytesRead = 0;
  readonly #options: ResolvedOptions;
  readonly #chunks = new ChunkReader();
  readonly #parser: CsvParser;
  readonly #cursor: RowCursor;
  readonly #lines: boolean;
  readonly #onAbort = () => this.destroy(abortReason(this.#options.signal));
  #resolveSniffed: (sniff: Sniff) => void = () => {};
  #rejectSniffed: (reason: unknown) => void = () => {};
  /** Goes on with the write whose chunk is not taken in yet. */
  #pendingWrite: ((error?: Error | null) => void) | null = null;
  #wanted = false;
  #ended = false;
  /** Waits until the rows before it have been read: a stream that is destroyed forgets those it holds. */
  #fault: Error | null = null;
  #sampleTimer: NodeJS.Timeout | undefined;

  constructor(options: ResolvedOptions) {
    super({
      writableHighWaterMark: WRITABLE_BYTES,
      readableHighWaterMark: options.output === "batches" ? READABLE_BATCHES : READABLE_ROWS,
      readableObjectMode: true,
      decodeStrings: false,
    });
    this.#options = options;
    this.#parser = new CsvParser(options, {
      onSniff: (sniff) => {
        clearTimeout(this.#sampleTimer);
        this.#resolveSniffed(sniff);
        this.emit("sniff", sniff);
      },
      onSchema: (change) => this.emit("schema", change),
      onReject: (reject) => this.emit("reject", reject),
      onWarning: (warning) => this.emit("warning", warning),
    });
    this.#cursor = new RowCursor(this.#parser, options);
    this.#lines = ["ndjson", "csv", "vw"].includes(options.output);
    this.sniffed = new Promise((resolve, reject) => {
      this.#resolveSniffed = resolve;
      this.#rejectSniffed = reject;
    });
    // Those who don't ask for the sniff learn of a fault from the stream.
    this.sniffed.catch(() => {});
    if (options.signal?.aborted) this.#onAbort();
    else options.signal?.addEventListener("abort", this.#onAbort);
  }

  get rowsEmitted(): number {
    return this.#cursor.taken;
  }

  get labels(): Readonly<Record<string, number>> {
    return this.#parser.vw?.labels ?? {};
  }

  override _write(chunk: Chunk, encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    try {
      const bytes = this.#chunks.read(
        typeof chunk === "string" && !isUtf8(encoding) ? Buffer.from(chunk, encoding) : chunk,
      );
      this.bytesRead += bytes.length;
      this.#parser.write(bytes);
      this.#pendingWrite = callback;
      this.#advance(false);
    } catch (error) {
      this.#pendingWrite = null;
      callback(error as Error);
    }
  }

  override _final(callback: (error?: Error | null) => void): void {
    try {
      this.#parser.write(this.#chunks.end());
      this.#parser.end();
      this.#pendingWrite = callback;
      this.#advance(true);
    } catch (error) {
      this.#pendingWrite = null;
      callback(error as Error);
    }
  }

  override _read(): void {
    this.#wanted = true;
    try {
      this.#advance(false);
    } catch (error) {
      this.destroy(error as Error);
    }
  }

  override read(size?: number): unknown {
    const row: unknown = super.read(size);
    if (this.#fault !== null && this.readableLength === 0) process.nextTick(() => this.#destroyByFault());
    return row;
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    clearTimeout(this.#sampleTimer);
    this.#options.signal?.removeEventListener("abort", this.#onAbort);
    this.#rejectSniffed(error ?? abortReason(undefined));
    const write = this.#pendingWrite;
    this.#pendingWrite = null;
    write?.(error);
    callback(error);
  }

  /** Sniffs when it can, gives rows while they are wanted, and goes on with a write whose chunk is taken in. */
  #advance(force: boolean): void {
    if (this.destroyed || this.#ended) {
      this.#releaseWriter();
      return;
    }
    if (!this.#parser.trySniff(force)) {
      if (this.#parser.loading !== null) this.#waitForDecoder();
      else this.#releaseWriter();
      if (this.#options.sampleTimeout > 0 && this.bytesRead > 0) this.#startSampleTimer();
      return;
    }
    if (this.#fault !== null) return;
    try {
      while (this.#wanted && this.#cursor.ready()) {
        const row = this.#cursor.take();
        // Lines of text go on into files and pipes, so here they have their line end.
        const chunk = this.#lines ? `${row}\n` : row;
        this.#wanted = this.push(chunk) && !this.destroyed;
      }
    } catch (error) {
      this.#fault = error as Error;
      if (this.readableLength === 0) this.#destroyByFault();
      return;
    }
    if (this.#parser.done && this.#wanted && !this.destroyed) {
      this.#ended = true;
      this.push(null);
    }
    if (this.#parser.hungry || this.#parser.done) this.#releaseWriter();
  }

  #destroyByFault(): void {
    if (this.#fault !== null) this.destroy(this.#fault);
  }

  #waitForDecoder(): void {
    this.#parser.loading?.then(
      () => this.#advanceOrDestroy(false),
      (error) => this.destroy(error),
    );
  }

  #startSampleTimer(): void {
    this.#sampleTimer ??= setTimeout(() => this.#advanceOrDestroy(true), this.#options.sampleTimeout);
  }

  #advanceOrDestroy(force: boolean): void {
    try {
      this.#advance(force);
    } catch (error) {
      this.destroy(error as Error);
    }
  }

  #releaseWriter(): void {
    const write = this.#pendingWrite;
    this.#pendingWrite = null;
    if (write !== null) write();
  }
}

function isUtf8(encoding: string): boolean {
  return encoding === "utf8" || encoding === "utf-8";
}

/** The reason of an abort as an Error: a Node stream is destroyed by nothing else. */
function abortReason(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  if (reason instanceof Error) return reason;
  const error = new Error(reason === undefined ? "The stream was destroyed." : String(reason), {
    cause: reason,
  });
  error.name = "AbortError";
  return error;
}
