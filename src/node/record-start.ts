import type { FileHandle } from "node:fs/promises";
import { Scanner, UNBOUNDED } from "../machine/scanner.js";
import type { ResolvedOptions } from "../options.js";
import type { Sniff } from "../sniffer/sniff.js";

const LF = 0x0a;
const CR = 0x0d;

/** Bytes behind a segment's start among which the guess is made. */
const LOOK_SIZE = 1 << 16;
/** Records that have to look right, and line ends behind which they are looked for. */
const LOOK_RECORDS = 4;
const LOOK_LINES = 64;

/**
 * Guesses where in a segment the first record begins: behind the first line end that some records of the table's width
 * follow. A line end may lie within quotes; then what follows looks otherwise, as a rule. Whether the guess was right
 * shows when the segment before has been read. -1 where there is no line end to begin behind.
 */
export async function findRecordStart(
  file: FileHandle,
  from: number,
  to: number,
  options: ResolvedOptions,
  columns: number,
): Promise<number> {
  const block = new Uint8Array(LOOK_SIZE);
  // The byte before the segment may be the line end that the segment begins behind.
  const { bytesRead } = await file.read(block, 0, LOOK_SIZE, from - 1);
  const bytes = block.subarray(0, bytesRead);
  const { dialect } = options.sniffed as Sniff;
  let lines = 0;
  let firstLine = -1;
  for (let i = 0; i < bytes.length - 1 && lines < LOOK_LINES; i++) {
    if (bytes[i] !== LF && (bytes[i] !== CR || bytes[i + 1] === LF)) continue;
    const start = i + 1;
    if (from - 1 + start >= to) break;
    if (firstLine < 0) firstLine = start;
    lines++;
    const scanner = new Scanner(dialect, options, columns === 1, options.engine);
    const rest = bytes.subarray(start);
    scanner.scan(rest, rest.length, false, LOOK_RECORDS, UNBOUNDED);
    if (looksRight(scanner, columns)) return from - 1 + start;
  }
  return firstLine < 0 ? -1 : from - 1 + firstLine;
}

function looksRight({ spans, fault }: Scanner, columns: number): boolean {
  if (fault !== null || spans.recordCount === 0) return false;
  for (let record = 0; record < spans.recordCount; record++) {
    const width = spans.firstField[record + 1] - spans.firstField[record];
    if (width !== columns || spans.recordFlags[record] !== 0) return false;
  }
  return true;
}
