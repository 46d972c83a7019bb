import { CsvError } from "../errors.js";
import { bytesOf, type Chunk, joined } from "./chunks.js";

/** A compression that is told by its first bytes, or by the file's name. */
export type Compression = "gzip" | "zstd" | "brotli";

/** How much compressed input may come to. */
export interface DecompressionLimits {
  /** Bytes, decompressed; 0 refuses compressed input. */
  maxDecompressedBytes: number;
  /** Bytes decompressed for each byte compressed. */
  maxDecompressionRatio: number;
}

/** Makes what decompresses; null where the runtime lacks it. */
export type OpenDecompressor = (
  compression: Compression,
) => ReadableWritablePair<Uint8Array, Uint8Array> | null;

const MAGIC: readonly [Compression, readonly number[]][] = [
  ["gzip", [0x1f, 0x8b]],
  ["zstd", [0x28, 0xb5, 0x2f, 0xfd]],
];
/** Bytes below which the ratio says nothing: short runs compress by more than long files. */
const RATIO_FROM = 1 << 24;

/** The runtime's own. */
const openNative: OpenDecompressor = (compression) => {
  if (typeof DecompressionStream === "undefined") return null;
  try {
    return new DecompressionStream(compression as CompressionFormat) as ReadableWritablePair<
      Uint8Array,
      Uint8Array
    >;
  } catch {
    return null;
  }
};

/**
 * The chunks of an input as they are or, where they begin as compressed data does, decompressed. What can't be decompressed
 * here is given as it is: the reader refuses it with what to do.
 *
 * @param known The compression, where it is known otherwise: brotli has no mark.
 */
export function decompressed(
  chunks: AsyncIterator<Chunk>,
  limits: DecompressionLimits,
  open: OpenDecompressor = openNative,
  known: Compression | null = null,
): AsyncIterator<Chunk> {
  return limits.maxDecompressedBytes === 0 ? chunks : new DecompressedChunks(chunks, limits, open, known);
}

class DecompressedChunks implements AsyncIterator<Chunk> {
  readonly #chunks: AsyncIterator<Chunk>;
  readonly #limits: DecompressionLimits;
  readonly #open: OpenDecompressor;
  readonly #known: Compression | null;
  /** Whether the input's compression, or that it has none, is known. */
  #isSettled = false;
  #compression: Compression = "gzip";
  /** What gives the decompressed bytes; null where they come as they are. */
  #reader: ReadableStreamDefaultReader<Uint8Array> | null = null;
  /** What came behind bytes that were held back. */
  #held: IteratorResult<Chunk> | null = null;
  #bytesIn = 0;
  #bytesOut = 0;
  #sourceFailure: { reason: unknown } | null = null;

  constructor(
    chunks: AsyncIterator<Chunk>,
    limits: DecompressionLimits,
    open: OpenDecompressor,
    known: Compression | null,
  ) {
    this.#chunks = chunks;
    this.#limits = limits;
    this.#open = open;
    this.#known = known;
  }

  next(): Promise<IteratorResult<Chunk>> {
    if (!this.#isSettled) return this.#first();
    if (this.#held !== null) {
      const held = this.#held;
      this.#held = null;
      return Promise.resolve(held);
    }
    return this.#reader === null ? this.#chunks.next() : this.#read(this.#reader);
  }

  async return(reason?: unknown): Promise<IteratorResult<Chunk>> {
    // The source is left by way of the decompressor.
    if (this.#reader !== null) await this.#reader.cancel(reason).catch(() => {});
    else await this.#chunks.return?.(reason);
    return { value: undefined, done: true };
  }

  /** Looks at the first bytes. */
  async #first(): Promise<IteratorResult<Chunk>> {
    let head: Uint8Array | null = null;
    for (;;) {
      const step = await this.#chunks.next();
      const bytes = step.done ? null : bytesOf(step.value);
      if (bytes === null) {
        // Text, or the end.
        this.#isSettled = true;
        if (head === null) return step;
        this.#held = step;
        return { value: head, done: false };
      }
      head = head === null ? bytes : joined(head, bytes);
      const compression = this.#known ?? compressionOf(head);
      if (compression === undefined) {
        // A few bytes may yet turn out to be a mark; the source may write over them meanwhile.
        head = head.slice();
        continue;
      }
      this.#isSettled = true;
      const pair = compression === null ? null : this.#open(compression);
      if (compression === null || pair === null) return { value: head, done: false };
      this.#compression = compression;
      this.#reader = this.#source(head).pipeThrough(pair).getReader();
      return this.#read(this.#reader);
    }
  }

  /** The compressed bytes, pulled as they are wanted; a copy of each chunk, which the source may write over. */
  #source(head: Uint8Array): ReadableStream<Uint8Array> {
    let first: Uint8Array | null = head;
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          try {
            const bytes = first ?? (await this.#nextBytes());
            first = null;
            if (bytes === null) return controller.close();
            this.#bytesIn += bytes.length;
            controller.enqueue(bytes.slice());
          } catch (reason) {
            this.#sourceFailure = { reason };
            controller.error(reason);
          }
        },
        cancel: async (reason) => {
          await this.#chunks.return?.(reason);
        },
      },
      { highWaterMark: 0 },
    );
  }

  async #nextBytes(): Promise<Uint8Array | null> {
    for (;;) {
      const { value, done } = await this.#chunks.next();
      if (done) return null;
      const bytes = bytesOf(value);
      if (bytes === null) throw new CsvError("INVALID_CHUNK", "text follows compressed bytes");
      if (bytes.length > 0) return bytes;
    }
  }

  async #read(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<IteratorResult<Chunk>> {
    try {
      const { value, done } = await reader.read();
      if (done) return { value: undefined, done: true };
      this.#bytesOut += value.length;
      this.#checkLimits();
      return { value, done: false };
    } catch (error) {
      if (this.#sourceFailure !== null) throw this.#sourceFailure.reason;
      if (error instanceof CsvError) throw error;
      const what = `the ${this.#compression} data is damaged or ends too soon`;
      throw new CsvError("DAMAGED_COMPRESSION", what, { byteOffset: this.#bytesOut });
    }
  }

  #checkLimits(): void {
    const { maxDecompressedBytes, maxDecompressionRatio } = this.#limits;
    if (this.#bytesOut > maxDecompressedBytes) {
      const what = `the input comes to more than ${maxDecompressedBytes} bytes when it is decompressed`;
      throw new CsvError("DECOMPRESSED_TOO_LARGE", what, { limit: maxDecompressedBytes });
    }
    if (this.#bytesOut < RATIO_FROM || this.#bytesOut <= this.#bytesIn * maxDecompressionRatio) return;
    const what = `the input comes to more than ${maxDecompressionRatio} times its size when it is decompressed`;
    throw new CsvError("DECOMPRESSED_TOO_LARGE", what, { limit: maxDecompressionRatio });
  }
}

/** What the first bytes say: null for no compression, undefined where more of them would tell. */
export function compressionOf(head: Uint8Array): Compression | null | undefined {
  let isOpen = false;
  for (const [compression, magic] of MAGIC) {
    const shared = magic.findIndex((byte, at) => at >= head.length || head[at] !== byte);
    if (shared < 0) return compression;
    isOpen ||= shared >= head.length;
  }
  return isOpen ? undefined : null;
}
