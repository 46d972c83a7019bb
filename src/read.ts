import { type Chunk, ChunkReader, type CsvSource, chunksOf } from "./input/chunks.js";
import { decompressed } from "./input/decompression.js";
import { type CsvOptions, type ResolvedOptions, resolveOptions } from "./options.js";
import type { VwEmitter } from "./output/vw/emitter.js";
import { CsvParser } from "./parser.js";
import { RowCursor, type RowSource } from "./row-cursor.js";
import type { RowOf } from "./row-types.js";
import type { Sniff } from "./sniffer/sniff.js";

/** The rows of a source: iterate once, or gather them. */
export interface CsvRows<Row> extends AsyncIterableIterator<Row> {
  /** What was sniffed. Asking for it starts reading. */
  readonly sniffed: Promise<Sniff>;
  /** Bytes taken from the source so far. */
  readonly bytesRead: number;
  /** Rows given so far. */
  readonly rowsEmitted: number;
  /** The number of each named class in VW examples so far; empty for other outputs. */
  readonly labels: Readonly<Record<string, number>>;
  /** All rows that are left. */
  toArray(): Promise<Row[]>;
  /** Leaves: closes the source and drops what is not yet taken. */
  return(value?: unknown): Promise<IteratorResult<Row>>;
  /** Itself: the rows can be gone through once. */
  [Symbol.asyncIterator](): CsvRows<Row>;
}

/**
 * Reads rows from text, bytes, a Blob or File, a Response, a ReadableStream, a Node Readable, or an iterable of
 * chunks.
 *
 * @throws CsvError INVALID_OPTION, UNKNOWN_ENCODING or INVALID_CHUNK at once; all other faults while iterating.
 */
export function readCsv<const Options extends CsvOptions = CsvOptions>(
  source: CsvSource,
  options?: Options,
): CsvRows<RowOf<Options>> {
  const resolved = resolveOptions(options);
  const rows = new SourceRows(decompressed(chunksOf(source), resolved), resolved, chunkInput(resolved));
  return rows as unknown as CsvRows<RowOf<Options>>;
}

/**
 * Sniffs a source: reads no more of it than the sample, and the chunk that this ends in, and releases it.
 *
 * @throws CsvError as {@link readCsv} does.
 */
export async function sniffCsv(source: CsvSource, options?: CsvOptions): Promise<Sniff> {
  const resolved = resolveOptions({ ...options, onReject: undefined });
  const rows = new SourceRows(decompressed(chunksOf(source), resolved), resolved, chunkInput(resolved));
  try {
    return await rows.sniffed;
  } finally {
    await rows.return();
  }
}

/** Where what is pulled goes: to a parser, or to what stands for one. */
export interface RowInput<Part> {
  source: RowSource;
  /** Takes a part, and returns how many of the input's bytes it stands for. */
  take(part: Part): number;
  end(): void;
}

/** The parser that reads chunks. */
export function chunkInput(options: ResolvedOptions, vw: VwEmitter | null = null): RowInput<Chunk> {
  const reader = new ChunkReader();
  const parser = new CsvParser(options, {}, vw);
  return {
    source: parser,
    take(chunk) {
      const bytes = reader.read(chunk);
      parser.write(bytes);
      return bytes.length;
    },
    end() {
      parser.write(reader.end());
      parser.end();
    },
  };
}

/** Pulls parts of the input, chunks as a rule, as rows are asked for. Not part of the public interface. */
export class SourceRows<Part = Chunk> implements CsvRows<unknown> {
  bytesRead = 0;
  readonly #chunks: AsyncIterator<Part>;
  readonly #input: RowInput<Part>;
  readonly #parser: RowSource;
  readonly #cursor: RowCursor;
  readonly #options: ResolvedOptions;
  readonly #onAbort = () => this.#abort();
  #sniffed: Promise<Sniff> | null = null;
  /** The step that is under way; steps follow one another. */
  #busy: Promise<unknown> | null = null;
  #rejectStep: ((reason: unknown) => void) | null = null;
  #closed = false;
  #failure: { reason: unknown } | null = null;
  #sampleDeadline = 0;
  /** What the source failed with, told once the rows before it have been given. */
  #sourceFailure: { reason: unknown } | null = null;

  constructor(chunks: AsyncIterator<Part>, options: ResolvedOptions, input: RowInput<Part>) {
    this.#chunks = chunks;
    this.#options = options;
    this.#input = input;
    this.#parser = input.source;
    this.#cursor = new RowCursor(this.#parser, options);
    if (options.signal?.aborted) this.#abort();
    else options.signal?.addEventListener("abort", this.#onAbort);
  }

  get rowsEmitted(): number {
    return this.#cursor.taken;
  }

  /** The emitter of VW examples, once the header is read. */
  get vw(): VwEmitter | null {
    return this.#parser.vw;
  }

  get labels(): Readonly<Record<string, number>> {
    return this.#parser.vw?.labels ?? {};
  }

  get sniffed(): Promise<Sniff> {
    this.#sniffed ??= this.#step(async () => {
      while (!this.#parser.trySniff()) {
        await this.#feed();
        if (this.#sourceFailure !== null) throw this.#sourceFailure.reason;
      }
      return this.#parser.sniff as Sniff;
    });
    return this.#sniffed;
  }

  next(): Promise<IteratorResult<unknown>> {
    // A row lies ready for all but one call in a batch: those cost one promise.
    if (this.#busy === null && !this.#closed) {
      try {
        if (this.#cursor.ready()) return Promise.resolve({ value: this.#cursor.take(), done: false });
      } catch (error) {
        return this.#fail(error);
      }
    }
    return this.#step(() => this.#nextRow());
  }

  async return(value?: unknown): Promise<IteratorResult<unknown>> {
    if (!this.#closed) {
      const isReading = this.#busy !== null;
      this.#close();
      this.#rejectStep?.(new DOMException("The rows were released.", "AbortError"));
      const released = Promise.resolve(this.#chunks.return?.());
      // A source that is waiting for its own next chunk may answer only later; nobody waits for it.
      if (isReading) released.catch(() => {});
      else await released;
    }
    return { value, done: true };
  }

  async toArray(): Promise<unknown[]> {
    const rows: unknown[] = [];
    for await (const row of this) rows.push(row);
    return rows;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #nextRow(): Promise<IteratorResult<unknown>> {
    while (!this.#closed) {
      if (this.#cursor.ready()) return { value: this.#cursor.take(), done: false };
      if (this.#parser.done) {
        this.#close();
        await this.#chunks.return?.();
        break;
      }
      if (this.#sourceFailure !== null && this.#parser.loading === null) throw this.#sourceFailure.reason;
      await this.#feed();
    }
    return { value: undefined, done: true };
  }

  /** Gives the parser what it waits for. */
  async #feed(): Promise<void> {
    if (this.#parser.loading !== null) {
      await this.#parser.loading;
      return;
    }
    let step: IteratorResult<Part> | null;
    try {
      step = await this.#nextChunk();
    } catch (reason) {
      // What has come is read all the same, though the sample is cut short.
      if (this.#closed || this.bytesRead === 0 || !this.#sniffRest()) throw reason;
      this.#sourceFailure = { reason };
      return;
    }
    if (step === null) {
      this.#parser.trySniff(true);
      return;
    }
    if (step.done) {
      this.#input.end();
      return;
    }
    this.bytesRead += this.#input.take(step.value);
  }

  /** Sniffs what there is. Where that can't be done, the source's failure is what there is to tell. */
  #sniffRest(): boolean {
    try {
      this.#parser.trySniff(true);
      return true;
    } catch {
      return false;
    }
  }

  /** The chunk that was asked for when the sample's time ran out. */
  #lateChunk: Promise<IteratorResult<Part>> | null = null;

  /** The next chunk, or null where the sample's time runs out before it comes. */
  async #nextChunk(): Promise<IteratorResult<Part> | null> {
    const chunk = this.#lateChunk ?? Promise.resolve(this.#chunks.next());
    this.#lateChunk = null;
    const { sampleTimeout } = this.#options;
    if (sampleTimeout === 0 || this.#parser.sniff !== null || this.bytesRead === 0) return chunk;
    this.#sampleDeadline ||= Date.now() + sampleTimeout;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), Math.max(0, this.#sampleDeadline - Date.now()));
    });
    try {
      const first = await Promise.race([chunk, late]);
      if (first === null) this.#lateChunk = chunk;
      return first;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Runs a step after the one under way; it fails when the signal aborts. */
  #step<T>(run: () => Promise<T>): Promise<T> {
    const before = this.#busy;
    const step = this.#runAfter(before, run, () => {
      // Before the step's caller goes on, so that its next call finds the way free.
      if (this.#busy === step) this.#busy = null;
    });
    this.#busy = step;
    return step;
  }

  async #runAfter<T>(before: Promise<unknown> | null, run: () => Promise<T>, after: () => void): Promise<T> {
    try {
      await before?.catch(() => {});
      if (this.#failure !== null) throw this.#failure.reason;
      return await new Promise<T>((resolve, reject) => {
        this.#rejectStep = reject;
        run().then(resolve, reject);
      });
    } catch (error) {
      return await this.#fail(error);
    } finally {
      after();
    }
  }

  async #fail(error: unknown): Promise<never> {
    if (!this.#closed) {
      this.#close();
      this.#failure = { reason: error };
      await Promise.resolve(this.#chunks.return?.(error)).catch(() => {});
    }
    throw error;
  }

  #abort(): void {
    const reason = this.#options.signal?.reason;
    this.#failure = { reason };
    this.#close();
    this.#rejectStep?.(reason);
    // A source that is waiting for its own next chunk may answer only later; nobody waits for it.
    Promise.resolve(this.#chunks.return?.(reason)).catch(() => {});
  }

  #close(): void {
    this.#closed = true;
    this.#options.signal?.removeEventListener("abort", this.#onAbort);
  }
}
