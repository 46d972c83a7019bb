import { statSync } from "node:fs";
import { open } from "node:fs/promises";
import { CsvError } from "../errors.js";
import { type CsvOptions, type ResolvedOptions, resolveOptions } from "../options.js";
import { type CsvRows, readCsv, SourceRows, sniffCsv } from "../read.js";
import type { RowOf } from "../row-types.js";
import type { Sniff } from "../sniffer/sniff.js";
import { compressionOfFile, decompressedFile } from "./decompression.js";
import { type CreatePool, isParallel, ParallelReader, ParallelSource } from "./parallel-rows.js";
import { BLOCK_SIZE } from "./segment.js";
import { WorkerPool } from "./worker-pool.js";

const MOST_THREADS = 64;

/** Bytes of a file below which it is read to its end before another thread has begun to be of use. */
const LEAST_SIZE = 64 << 20;

/** Options of a file that is read by its path. */
export interface CsvFileOptions extends CsvOptions {
  /**
   * How many threads read the file, the one that gives the rows among them. Default: 1. Input that is not UTF-8 or
   * compressed, files of less than 64 MiB, pipes, VW output, `limit`, `maxRecords`, `maxRejects`, `sampleTimeout` and
   * strictness "strict" are read by one.
   */
  threads?: number;
}

/**
 * Reads rows from a file; gzip, zstd (where Node has it) and, by the ending `.br`, brotli are decompressed. The file is
 * opened when the first row or the sniff is asked for, and closed at the end,
 * on a fault, and when the iteration is left.
 *
 * @throws CsvError INVALID_OPTION or UNKNOWN_ENCODING at once; what the file system says while iterating.
 */
export function readCsvFile<const Options extends CsvFileOptions = CsvFileOptions>(
  path: string | URL,
  options?: Options,
): CsvRows<RowOf<Options>> {
  const { threads, ...others } = (options ?? {}) as CsvFileOptions;
  if (threads !== undefined && !(Number.isSafeInteger(threads) && threads >= 1 && threads <= MOST_THREADS)) {
    throw new CsvError("INVALID_OPTION", `threads must be a whole number from 1 to ${MOST_THREADS}`);
  }
  const resolved = resolveOptions(others);
  const isShared = threads !== undefined && threads > 1 && isParallel(resolved) && isLargeFile(path);
  if (!isShared || compressionOfFile(path) !== null) {
    return readCsv(decompressedFile(path, fileChunks(path), resolved), others) as CsvRows<RowOf<Options>>;
  }
  const pool: CreatePool = (settled, identity) => new WorkerPool(path, threads - 1, settled, identity);
  return parallelRows(new ParallelReader(path, resolved, pool), resolved) as CsvRows<RowOf<Options>>;
}

/** Whether segments can be read of what has that name, and are worth it; a pipe has none. */
function isLargeFile(path: string | URL): boolean {
  try {
    const stats = statSync(path);
    return stats.isFile() && stats.size >= LEAST_SIZE;
  } catch {
    // Whoever opens it hears why.
    return false;
  }
}

/** The rows of a parallel reading. */
export function parallelRows(reader: ParallelReader, options: ResolvedOptions): CsvRows<unknown> {
  const source = new ParallelSource();
  return new SourceRows(reader.steps(), options, {
    source,
    take: (step) => source.take(step),
    end: () => source.end(),
  });
}

/** Sniffs a file; reads no more of it than the sample. */
export function sniffCsvFile(path: string | URL, options?: CsvOptions): Promise<Sniff> {
  return sniffCsv(decompressedFile(path, fileChunks(path), resolveOptions(options)), options);
}

/**
 * The blocks of a file, in two memories by turns: while the reader works on one, the other is filled. The reader has
 * taken in a block before it asks for the next but one.
 */
export async function* fileChunks(path: string | URL): AsyncGenerator<Uint8Array> {
  const file = await open(path, "r");
  const blocks = [new Uint8Array(BLOCK_SIZE), new Uint8Array(BLOCK_SIZE)];
  const fill = (turn: number) => {
    const reading = file.read(blocks[turn & 1], 0, BLOCK_SIZE);
    // Whoever asks for the block hears of a fault.
    reading.catch(() => {});
    return reading;
  };
  let reading = fill(0);
  try {
    for (let turn = 0; ; turn++) {
      const { bytesRead } = await reading;
      if (bytesRead === 0) return;
      reading = fill(turn + 1);
      yield blocks[turn & 1].subarray(0, bytesRead);
    }
  } finally {
    await reading.catch(() => {});
    await file.close();
  }
}
