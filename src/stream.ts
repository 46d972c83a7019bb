import { type Chunk, ChunkReader } from "./input/chunks.js";
import { type CsvOptions, type ResolvedOptions, resolveOptions } from "./options.js";
import { CsvParser } from "./parser.js";
import { RowCursor } from "./row-cursor.js";
import type { RowOf } from "./row-types.js";
import type { Sniff } from "./sniffer/sniff.js";
import { ReadableStreamClass, WritableStreamClass } from "./streams.js";

/** A transform for `pipeThrough`: bytes of a CSV go into `writable`, rows come out of `readable`. */
export interface SniffedCsvStream<Row> {
  /**
   * The rows. `for await` over it is the fast way: it takes rows from the current batch, where a reader costs the
   * platform's price for each.
   */
  readonly readable: ReadableStream<Row>;
  /** Takes bytes or text; `write` waits while rows are not taken. */
  readonly writable: WritableStream<Chunk>;
  /** What was sniffed; settled before the first row, whether or not rows are read. */
  readonly sniffed: Promise<Sniff>;
  /** Bytes written so far. */
  readonly bytesRead: number;
  /** Rows read so far. */
  readonly rowsEmitted: number;
  /** The number of each named class in VW examples so far; empty for other outputs. */
  readonly labels: Readonly<Record<string, number>>;
}

/**
 * Makes a transform that sniffs a CSV and streams its rows.
 *
 * @throws CsvError INVALID_OPTION or UNKNOWN_ENCODING; all other faults error the streams.
 */
export function sniffedCsv<const Options extends CsvOptions = CsvOptions>(
  options?: Options,
): SniffedCsvStream<RowOf<Options>> {
  return new SniffedCsv(resolveOptions(options)) as unknown as SniffedCsvStream<RowOf<Options>>;
}

class SniffedCsv implements SniffedCsvStream<unknown> {
  readonly readable: ReadableStream<unknown>;
  readonly writable: WritableStream<Chunk>;
  readonly sniffed: Promise<Sniff>;
  bytesRead = 0;

  readonly #options: ResolvedOptions;
  readonly #chunks = new ChunkReader();
  readonly #parser: CsvParser;
  readonly #cursor: RowCursor;
  readonly #onAbort = () => this.#fail(this.#options.signal?.reason);
  #resolveSniffed: (sniff: Sniff) => void = () => {};
  #rejectSniffed: (reason: unknown) => void = () => {};
  #readableController: ReadableStreamDefaultController<unknown> | null = null;
  #writableController: WritableStreamDefaultController | null = null;
  /** The write that waits until its chunk has been taken in. */
  #pendingWrite: { resolve: () => void; reject: (reason: unknown) => void } | null = null;
  /** The read that waits for input. */
  #pendingRead: (() => void) | null = null;
  #failure: { reason: unknown } | null = null;
  #finished = false;
  #inputEnded = false;
  #sampleTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: ResolvedOptions) {
    this.#options = options;
    this.#parser = new CsvParser(options);
    this.#cursor = new RowCursor(this.#parser, options);
    this.sniffed = new Promise((resolve, reject) => {
      this.#resolveSniffed = resolve;
      this.#rejectSniffed = reject;
    });
    // Those who don't ask for the sniff learn of a fault from the streams.
    this.sniffed.catch(() => {});
    this.writable = new WritableStreamClass<Chunk>(
      {
        start: (controller) => {
          this.#writableController = controller;
          // A write that waits for rows to be read holds back `abort` below; the signal comes at once, while the
          // stream is still at its abort: it may be touched only after that.
          controller.signal?.addEventListener("abort", () =>
            queueMicrotask(() => this.#fail(controller.signal.reason)),
          );
        },
        write: (chunk) => this.#write(chunk),
        close: () => this.#close(),
        abort: (reason) => this.#fail(reason),
      },
      // One chunk at a time waits; a second one shows in desiredSize.
      { highWaterMark: 1 },
    );
    this.readable = new ReadableStreamClass<unknown>(
      {
        start: (controller) => {
          this.#readableController = controller;
        },
        pull: () => this.#pull(),
        cancel: (reason) => this.#fail(reason ?? aborted("The rows are not wanted any more.")),
      },
      // Rows are made when asked for, none ahead.
      { highWaterMark: 0 },
    );
    this.#iterateFast();
    if (options.signal?.aborted) this.#fail(options.signal.reason);
    else options.signal?.addEventListener("abort", this.#onAbort);
  }

  get rowsEmitted(): number {
    return this.#cursor.taken;
  }

  get labels(): Readonly<Record<string, number>> {
    return this.#parser.vw?.labels ?? {};
  }

  async #write(chunk: Chunk): Promise<void> {
    try {
      const bytes = this.#chunks.read(chunk);
      this.bytesRead += bytes.length;
      this.#parser.write(bytes);
      await this.#sniffIfReady(false);
    } catch (error) {
      this.#fail(error);
      throw error;
    }
    if (this.#parser.sniff === null) {
      if (this.#options.sampleTimeout > 0) this.#startSampleTimer();
      return;
    }
    this.#wakeReader();
    if (this.#failure !== null) throw this.#failure.reason;
    if (this.#parser.hungry || this.#finished) return;
    await new Promise<void>((resolve, reject) => {
      this.#pendingWrite = { resolve, reject };
    });
  }

  async #close(): Promise<void> {
    this.#inputEnded = true;
    try {
      this.#parser.write(this.#chunks.end());
      this.#parser.end();
      await this.#sniffIfReady(true);
    } catch (error) {
      this.#fail(error);
      throw error;
    }
    this.#wakeReader();
  }

  async #sniffIfReady(force: boolean): Promise<void> {
    if (this.#parser.sniff !== null) return;
    this.#parser.trySniff(force);
    if (this.#parser.loading !== null) await this.#parser.loading;
    if (this.#parser.sniff === null) return;
    clearTimeout(this.#sampleTimer);
    this.#resolveSniffed(this.#parser.sniff);
  }

  #startSampleTimer(): void {
    this.#sampleTimer ??= setTimeout(() => {
      this.#sniffIfReady(true).then(
        () => this.#wakeReader(),
        (error) => this.#fail(error),
      );
    }, this.#options.sampleTimeout);
  }

  /** One row for a reader that asks for one. */
  async #pull(): Promise<void> {
    try {
      const ready = await this.#nextRowReady();
      if (this.#failure !== null) return;
      if (ready) this.#readableController?.enqueue(this.#cursor.take());
      else this.#finish();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Waits until a row lies ready; false at the end. */
  async #nextRowReady(): Promise<boolean> {
    for (;;) {
      if (this.#failure !== null) throw this.#failure.reason;
      if (this.#rowReady()) return true;
      if (this.#parser.loading !== null) await this.#parser.loading;
      else if (this.#parser.done) return false;
      else {
        await new Promise<void>((resolve) => {
          this.#pendingRead = resolve;
        });
      }
    }
  }

  #rowReady(): boolean {
    const ready = this.#cursor.ready();
    if (this.#pendingWrite !== null && this.#parser.hungry) this.#releaseWriter();
    return ready;
  }

  #releaseWriter(): void {
    const write = this.#pendingWrite;
    this.#pendingWrite = null;
    write?.resolve();
  }

  #wakeReader(): void {
    const read = this.#pendingRead;
    this.#pendingRead = null;
    read?.();
  }

  /** After the last row. Where the limit came before the end, the source is told to stop. */
  #finish(): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#cleanUp();
    this.#readableController?.close();
    this.#releaseWriter();
    if (!this.#inputEnded) this.#writableController?.error(aborted("All rows that were wanted are read."));
  }

  #fail(reason: unknown): void {
    if (this.#failure !== null || this.#finished) return;
    this.#failure = { reason };
    this.#cleanUp();
    this.#rejectSniffed(reason);
    this.#readableController?.error(reason);
    this.#writableController?.error(reason);
    const write = this.#pendingWrite;
    this.#pendingWrite = null;
    write?.reject(reason);
    this.#wakeReader();
  }

  #cleanUp(): void {
    clearTimeout(this.#sampleTimer);
    this.#options.signal?.removeEventListener("abort", this.#onAbort);
  }

  /** Gives the readable an iterator of its own, which takes rows straight from the current batch. */
  #iterateFast(): void {
    const values = (options?: { preventCancel?: boolean }) => this.#iterator(options?.preventCancel ?? false);
    for (const key of [Symbol.asyncIterator, "values"]) {
      Object.defineProperty(this.readable, key, { value: values, writable: true, configurable: true });
    }
  }

  #iterator(preventCancel: boolean): AsyncIterableIterator<unknown> {
    // The lock keeps other readers away, as the platform's own iterator does.
    const reader = this.readable.getReader();
    reader.closed.catch(() => {});
    let over = false;
    let busy: Promise<unknown> | null = null;
    const end = { value: undefined, done: true } as const;
    const next = async (): Promise<IteratorResult<unknown>> => {
      if (over) return end;
      try {
        if (await this.#nextRowReady()) return { value: this.#cursor.take(), done: false };
        this.#finish();
      } catch (error) {
        this.#fail(error);
        over = true;
        reader.releaseLock();
        throw error;
      }
      over = true;
      reader.releaseLock();
      return end;
    };
    const queued = <T>(step: () => Promise<T>): Promise<T> => {
      const before = busy;
      const run = async (): Promise<T> => {
        try {
          await before?.catch(() => {});
          return await step();
        } finally {
          // Before the step's caller goes on, so that its next call finds the way free.
          if (busy === result) busy = null;
        }
      };
      const result = run();
      busy = result;
      return result;
    };
    return {
      next: () => {
        // A row lies ready for all but one call in a batch: those cost one promise.
        if (busy === null && !over && this.#failure === null) {
          try {
            if (this.#rowReady()) return Promise.resolve({ value: this.#cursor.take(), done: false });
          } catch {
            // The fault is thrown again, and dealt with, in the step below.
          }
        }
        return queued(next);
      },
      return: (value?: unknown) => {
        const release = async () => {
          if (over) return { value, done: true } as const;
          over = true;
          const cancelled = preventCancel ? undefined : reader.cancel();
          reader.releaseLock();
          await cancelled;
          return { value, done: true } as const;
        };
        return queued(release);
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }
}

function aborted(message: string): DOMException {
  return new DOMException(message, "AbortError");
}
