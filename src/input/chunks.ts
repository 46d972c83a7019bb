import { CsvError } from "../errors.js";

/** A piece of input: bytes, or text, which is taken as UTF-8. */
export type Chunk = Uint8Array | ArrayBuffer | ArrayBufferView | string;

/** Turns chunks into bytes. A surrogate pair that is cut by a chunk edge is put together again. */
export class ChunkReader {
  readonly #encoder = new TextEncoder();
  #highSurrogate = "";

  /**
   * The bytes of a chunk: a view of the caller's memory where it holds bytes.
   *
   * @throws CsvError INVALID_CHUNK.
   */
  read(chunk: unknown): Uint8Array {
    if (typeof chunk === "string") return this.#encode(chunk);
    const bytes = bytesOf(chunk);
    if (bytes !== null) return this.#highSurrogate === "" ? bytes : joined(this.end(), bytes);
    throw new CsvError("INVALID_CHUNK", `${kindOf(chunk)} is no chunk of a CSV`);
  }

  /** What is left when no more chunks come. */
  end(): Uint8Array {
    const rest = this.#highSurrogate;
    this.#highSurrogate = "";
    return this.#encoder.encode(rest);
  }

  #encode(text: string): Uint8Array {
    const whole = this.#highSurrogate + text;
    const edge = whole.length > 0 ? whole.charCodeAt(whole.length - 1) : 0;
    const cut = edge >= 0xd800 && edge <= 0xdbff;
    this.#highSurrogate = cut ? whole.slice(-1) : "";
    return this.#encoder.encode(cut ? whole.slice(0, -1) : whole);
  }
}

/** A view of a chunk's bytes, or null where it holds none. */
export function bytesOf(chunk: unknown): Uint8Array | null {
  if (chunk instanceof Uint8Array) return chunk;
  if (ArrayBuffer.isView(chunk)) return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  return isArrayBuffer(chunk) ? new Uint8Array(chunk) : null;
}

/** Two pieces in one. */
export function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}

function isArrayBuffer(value: unknown): value is ArrayBuffer {
  if (value instanceof ArrayBuffer) return true;
  const tag = Object.prototype.toString.call(value);
  return tag === "[object ArrayBuffer]" || tag === "[object SharedArrayBuffer]";
}

/** What CSV can be read from. A string is the CSV text itself, never a path or an address. */
export type CsvSource =
  | string
  | Uint8Array
  | ArrayBuffer
  | ArrayBufferView
  | Blob
  | Response
  | ReadableStream<Chunk>
  | AsyncIterable<Chunk>
  | Iterable<Chunk>;

/** Characters of a text that are encoded at a time, so that a long one is not doubled in memory. */
const TEXT_PIECE = 1 << 18;

/** The chunks of a source, one by one; `return` releases the source. */
export function chunksOf(source: CsvSource): AsyncIterator<Chunk> {
  if (typeof source === "string") return fromIterable(textPieces(source));
  if (source instanceof Uint8Array || ArrayBuffer.isView(source) || isArrayBuffer(source)) {
    return fromIterable([source]);
  }
  if (isReadableStream(source)) return fromReader(source);
  // Iterables first: Node takes some 30 ms to load what Response is, as soon as it is named.
  if (typeof source === "object" && source !== null) {
    if (Symbol.asyncIterator in source) return source[Symbol.asyncIterator]();
    if (Symbol.iterator in source) return fromIterable(source);
  }
  if (typeof Blob !== "undefined" && source instanceof Blob) return fromReader(source.stream());
  if (typeof Response !== "undefined" && source instanceof Response) {
    return source.body === null ? fromIterable([]) : fromReader(source.body);
  }
  throw new CsvError("INVALID_CHUNK", `CSV can't be read from ${kindOf(source)}`, {}, sourceHint(source));
}

/** What a value is, for people: its class, or its type. */
function kindOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return value === null ? "null" : `a ${typeof value}`;
  const name: unknown = Object.getPrototypeOf(value)?.constructor?.name;
  return typeof name === "string" && name !== "Object" && name !== "" ? `a ${name}` : "an object";
}

/** What to do about something that is no source. */
function sourceHint(source: unknown): string {
  if (typeof source === "object" && source !== null) {
    if ("then" in source) return "Await the promise, and pass what it resolves to.";
    if ("href" in source) return "Fetch the URL and pass the Response, or open the file it names.";
    if ("createReadStream" in source) return "Pass the file handle's createReadStream().";
  }
  return "Pass text, bytes, a Blob or File, a Response, a ReadableStream, a Readable, or an iterable of chunks.";
}

function* textPieces(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += TEXT_PIECE) yield text.slice(at, at + TEXT_PIECE);
}

function isReadableStream(source: unknown): source is ReadableStream<Chunk> {
  return typeof source === "object" && source !== null && "getReader" in source;
}

function fromIterable(source: Iterable<Chunk>): AsyncIterator<Chunk> {
  const iterator = source[Symbol.iterator]();
  return {
    next: async () => iterator.next(),
    async return() {
      iterator.return?.();
      return { value: undefined, done: true };
    },
  };
}

function fromReader(stream: ReadableStream<Chunk>): AsyncIterator<Chunk> {
  const reader = stream.getReader();
  let over = false;
  return {
    async next() {
      const { value, done } = await reader.read();
      if (!done) return { value, done };
      over = true;
      reader.releaseLock();
      return { value: undefined, done: true };
    },
    async return(reason?: unknown) {
      if (!over) {
        over = true;
        const cancelled = reader.cancel(reason);
        reader.releaseLock();
        await cancelled;
      }
      return { value: undefined, done: true };
    },
  };
}
