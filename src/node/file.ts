import { open } from "node:fs/promises";
import type { CsvOptions } from "../options.js";
import { type CsvRows, readCsv, sniffCsv } from "../read.js";
import type { RowOf } from "../row-types.js";
import type { Sniff } from "../sniffer/sniff.js";

/** Bytes that are read from a file at a time. */
const BLOCK_SIZE = 1 << 18;

/**
 * Reads rows from a file. The file is opened when the first row or the sniff is asked for, and closed at the end,
 * on a fault, and when the iteration is left.
 *
 * @throws CsvError INVALID_OPTION or UNKNOWN_ENCODING at once; what the file system says while iterating.
 */
export function readCsvFile<const Options extends CsvOptions = CsvOptions>(
  path: string | URL,
  options?: Options,
): CsvRows<RowOf<Options>> {
  return readCsv(fileChunks(path), options);
}

/** Sniffs a file; reads no more of it than the sample. */
export function sniffCsvFile(path: string | URL, options?: CsvOptions): Promise<Sniff> {
  return sniffCsv(fileChunks(path), options);
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
