import { CsvError } from "../errors.js";
import { detectEncoding, type EncodingGuess } from "./encoding.js";
import { guessCodePage, tellsCodePage } from "./legacy-encoding.js";
import { otherKind } from "./other-kind.js";
import { createTranscoder, type Transcoder } from "./transcoder.js";

const LF = 0x0a;
const CR = 0x0d;

/** Bytes that are moved from the caller's chunks to the working buffer at a time. */
const FILL_SIZE = 1 << 18;

/** What bounds the sample. */
export interface SampleLimits {
  sampleRows: number;
  sampleBytes: number;
  maxRecordSize: number;
}

/**
 * Owns the bytes between the caller's chunks and the scanner. At first it gathers the sample; then it hands
 * out what it gathered, so nothing is read twice, and goes on with what comes. The working buffer holds the
 * open record and a piece of the chunk behind it, all in UTF-8; the caller's chunks are only ever read.
 *
 * The sample ends at the same byte however the input is cut: after `sampleRows` line ends or `sampleBytes`
 * bytes, but not within the first line.
 */
export class BufferManager {
  /** The working buffer; bytes from {@link BufferManager.length} on are no content. */
  bytes: Uint8Array = new Uint8Array(0);
  length = 0;
  /** Offset in the input of the working buffer's first byte. */
  offset = 0;

  readonly #limits: SampleLimits;
  readonly #sampleRoom: number;
  readonly #chunks: Uint8Array[] = [];
  #chunkPosition = 0;
  #ended = false;
  #flushed = false;
  #transcoder: Transcoder | null = null;
  #sampling = true;
  #sampleLines = 0;
  #sampleScanned = 0;
  #sampleEnd = -1;

  constructor(limits: SampleLimits) {
    this.#limits = limits;
    this.#sampleRoom = limits.sampleBytes + limits.maxRecordSize + 2;
  }

  /** Takes a chunk; it is read until {@link BufferManager.hungry} and must not change before. */
  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    // What can't belong to the sample is left in the caller's chunk, which may be a whole file.
    const room = this.#sampling ? Math.max(0, this.#sampleRoom - this.length) : 0;
    if (room > 0 && this.#chunks.length === 0) this.#append(chunk.subarray(0, room));
    if (chunk.length > room) this.#chunks.push(chunk.subarray(room));
  }

  /** Begins within the input, at a byte of UTF-8, without a sample. */
  resume(offset: number): void {
    this.offset = offset;
    this.#sampling = false;
  }

  /** Says that no more chunks come. */
  end(): void {
    this.#ended = true;
  }

  /** Whether every chunk has been moved to the working buffer. */
  get hungry(): boolean {
    return this.#chunks.length === 0;
  }

  /** Whether the working buffer holds the input's last bytes. */
  get last(): boolean {
    return this.#ended && this.hungry && (this.#transcoder === null || this.#flushed);
  }

  /** Whether the sample is whole. A byte past it, or the end, is needed to know whether it is all of the input. */
  sampleReady(): boolean {
    if (this.#ended) return true;
    this.#findSampleEnd();
    return this.#sampleEnd >= 0 && this.length > this.#sampleEnd;
  }

  /**
   * Ends sampling: finds the encoding, transcodes what was gathered and says how much of the working buffer
   * is the sample. `end` is exclusive; `complete` says that the sample is the whole input.
   *
   * @throws CsvError COMPRESSED_INPUT.
   */
  async takeSample(given: string | undefined): Promise<SampleBounds> {
    const raw = this.#rawSample();
    let guess = detectEncoding(raw.bytes, raw.complete, given);
    if (needsStatistics(guess, raw.bytes)) guess = await guessCodePage(raw.bytes, raw.complete, guess);
    const transcoder = createTranscoder(guess.encoding);
    return this.#adopt(raw, guess, transcoder instanceof Promise ? await transcoder : transcoder);
  }

  /** Like {@link BufferManager.takeSample}, where no detector or transcoder has to be loaded; null where one has. */
  takeSampleNow(given: string | undefined): SampleBounds | null {
    const raw = this.#rawSample();
    const guess = detectEncoding(raw.bytes, raw.complete, given);
    if (needsStatistics(guess, raw.bytes)) return null;
    const transcoder = createTranscoder(guess.encoding);
    return transcoder instanceof Promise ? null : this.#adopt(raw, guess, transcoder);
  }

  /**
   * Moves on: drops the working buffer's bytes before `keepFrom` and appends the next piece of input.
   * Returns by how much what was kept moved towards the front.
   */
  fill(keepFrom: number): number {
    const piece = this.#nextPiece();
    const moved = this.#compact(keepFrom, piece.length);
    this.bytes.set(piece, this.length);
    this.length += piece.length;
    return moved;
  }

  /** Whether {@link BufferManager.fill} has something to append. */
  get fillable(): boolean {
    return !this.hungry || (this.#ended && this.#transcoder !== null && !this.#flushed);
  }

  #nextPiece(): Uint8Array {
    const chunk = this.#chunks[0];
    if (chunk === undefined) {
      this.#flushed = true;
      return this.#transcoder === null
        ? new Uint8Array(0)
        : this.#transcoder.transcode(new Uint8Array(0), true);
    }
    const end = Math.min(this.#chunkPosition + FILL_SIZE, chunk.length);
    const piece = chunk.subarray(this.#chunkPosition, end);
    this.#chunkPosition = end;
    if (end === chunk.length) {
      this.#chunks.shift();
      this.#chunkPosition = 0;
    }
    return this.#transcoder === null ? piece : this.#transcoder.transcode(piece, false);
  }

  /** Makes room for `more` bytes; each byte is moved a bounded number of times however small the chunks are. */
  #compact(keepFrom: number, more: number): number {
    const kept = this.length - keepFrom;
    const needed = this.length + more;
    if (needed <= this.bytes.length) return 0;
    if (kept + more <= this.bytes.length >> 1) {
      this.bytes.copyWithin(0, keepFrom, this.length);
    } else {
      const larger = new Uint8Array(Math.max(FILL_SIZE * 2, (kept + more) * 2));
      larger.set(this.bytes.subarray(keepFrom, this.length));
      this.bytes = larger;
    }
    this.length = kept;
    this.offset += keepFrom;
    return keepFrom;
  }

  #append(chunk: Uint8Array): void {
    const needed = this.length + chunk.length;
    if (needed > this.bytes.length) {
      const larger = new Uint8Array(Math.max(needed, Math.min(this.bytes.length * 2, needed + (16 << 20))));
      larger.set(this.bytes.subarray(0, this.length));
      this.bytes = larger;
    }
    this.bytes.set(chunk, this.length);
    this.length = needed;
  }

  #findSampleEnd(): void {
    if (this.#sampleEnd >= 0) return;
    const { sampleRows, sampleBytes, maxRecordSize } = this.#limits;
    const bytes = this.bytes;
    // A CR at the edge waits: the LF that may follow belongs to the same line end.
    const end = this.length - 1;
    let lines = this.#sampleLines;
    let i = this.#sampleScanned;
    while (i < end) {
      const stop = Math.min(end, lines > 0 ? sampleBytes - 1 : sampleBytes + maxRecordSize - 1);
      while (i < stop && bytes[i] > CR) i++;
      if (i >= end) break;
      const byte = bytes[i++];
      if (byte === LF || (byte === CR && bytes[i] !== LF)) lines++;
      const enough = lines > sampleRows || i >= sampleBytes;
      if (enough && (lines > 0 || i >= sampleBytes + maxRecordSize)) {
        this.#sampleEnd = i;
        break;
      }
    }
    this.#sampleLines = lines;
    this.#sampleScanned = i;
  }

  #rawSample(): RawSample {
    this.#findSampleEnd();
    const end = this.#sampleEnd >= 0 ? this.#sampleEnd : this.length;
    const bytes = this.bytes.subarray(0, end);
    refuseCompressed(bytes);
    return { bytes, complete: this.#ended && this.hungry && end === this.length };
  }

  #adopt(raw: RawSample, guess: EncodingGuess, transcoder: Transcoder | null): SampleBounds {
    this.#sampling = false;
    this.#transcoder = transcoder;
    const kind = otherKind(raw.bytes.subarray(guess.bomLength), raw.complete);
    if (transcoder === null) {
      return { start: guess.bomLength, end: raw.bytes.length, complete: raw.complete, guess, kind };
    }
    const rest = this.bytes.subarray(raw.bytes.length, this.length);
    const sample = transcoder.transcode(raw.bytes.subarray(guess.bomLength), raw.complete);
    if (raw.complete) this.#flushed = true;
    const tail = rest.length === 0 ? rest : transcoder.transcode(rest, false);
    this.bytes = new Uint8Array(sample.length + tail.length);
    this.bytes.set(sample);
    this.bytes.set(tail, sample.length);
    this.length = this.bytes.length;
    return { start: 0, end: sample.length, complete: raw.complete, guess, kind };
  }
}

function needsStatistics(guess: EncodingGuess, sample: Uint8Array): boolean {
  return guess.evidence === "guess" && tellsCodePage(sample);
}

interface RawSample {
  bytes: Uint8Array;
  complete: boolean;
}

/** Where the sample lies in the working buffer. */
export interface SampleBounds {
  start: number;
  end: number;
  complete: boolean;
  guess: EncodingGuess;
  /** What the input seems to be in place of CSV; null for nothing else. */
  kind: string | null;
}

const ARCHIVES: [name: string, magic: number[]][] = [
  ["gzip", [0x1f, 0x8b]],
  ["zip (an .xlsx file is one too)", [0x50, 0x4b, 0x03, 0x04]],
  ["zstd", [0x28, 0xb5, 0x2f, 0xfd]],
  ["bzip2", [0x42, 0x5a, 0x68, 0x39]],
  ["xz", [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
];

function refuseCompressed(sample: Uint8Array): void {
  for (const [name, magic] of ARCHIVES) {
    if (magic.every((byte, i) => sample[i] === byte)) {
      throw new CsvError("COMPRESSED_INPUT", `the input is compressed with ${name}`, { byteOffset: 0 });
    }
  }
}
