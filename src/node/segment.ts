import { readSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import type { ResolvedOptions } from "../options.js";
import { BatchBuilder } from "../output/batches/batch-builder.js";
import { type ColumnBatch, transferables } from "../output/batches/column-batch.js";
import { CsvParser, type Origin, type RecordPlace } from "../parser.js";
import type { RowBatch, SavedRows } from "../row-batch.js";
import type { Column } from "../sniffer/sniff.js";
import { Packer } from "./pack.js";
import { findRecordStart } from "./record-start.js";

/** Bytes that are read from a file at a time. */
export const BLOCK_SIZE = 1 << 20;

/** A part of a file to read ahead of its turn: the records that begin in it. */
export interface Segment {
  /** Its first byte; a record may lie across it. */
  from: number;
  /** The byte behind its last. */
  to: number;
  /** The table's columns, as far as they are known when it is read. */
  columns: readonly Column[];
}

/** What was read ahead. It counts where `first` is where the records before it end, and `isOrdinary`. */
export interface SegmentRows {
  /** The first record found; null where none begins in the segment. Lines are counted from some place before it. */
  first: RecordPlace | null;
  /** The first record behind the segment; null where the file ends before. */
  next: RecordPlace | null;
  records: number;
  /** The rows; for the output "batches" these, with text in UTF-8, and the memory of either. */
  rows: SavedRows[];
  batches: ColumnBatch[];
  /** Whether there was nothing to be told of: no fault, reject, warning or widened column. */
  isOrdinary: boolean;
}

const UNUSABLE: SegmentRows = {
  first: null,
  next: null,
  records: 0,
  rows: [],
  batches: [],
  isOrdinary: false,
};

/**
 * Reads a segment from where a record seems to begin in it. Where it does not go without saying anything, it stops: the
 * one who knows where the segment's first record is reads it then.
 *
 * @param memory Where the file's bytes are put, used again by the next call.
 */
export async function readSegment(
  file: FileHandle,
  { from, to, columns }: Segment,
  options: ResolvedOptions,
  memory?: Uint8Array<ArrayBuffer>,
): Promise<SegmentRows> {
  const start = await findRecordStart(file, from, to, options, columns.length);
  if (start < 0) return UNUSABLE;
  let isOrdinary = true;
  const tell = () => {
    isOrdinary = false;
  };
  const origin: Origin = { byteOffset: start, lines: 0, records: 0, columns, nulled: new Set() };
  const listeners = { onReject: tell, onWarning: tell, onSchema: tell };
  const parser = new CsvParser(options, listeners, null, origin);
  parser.stopAt = to;
  const rows: SavedRows[] = [];
  const batches: ColumnBatch[] = [];
  const builder = new BatchBuilder({ ...options, batchText: "utf8" }, true);
  try {
    for await (const made of readOn(parser, file, start, undefined, memory, true)) {
      if (!isOrdinary) return UNUSABLE;
      if (options.output === "batches") fillBatches(builder, made, batches);
      else rows.push(made.save());
    }
  } catch {
    return UNUSABLE;
  }
  // Nobody is told where a first value makes a column text.
  if (!isOrdinary || parser.columns !== columns) return UNUSABLE;
  if (builder.rowCount > 0) batches.push(packedBatch(builder.take()));
  return { first: parser.first, next: parser.next, records: parser.records, rows, batches, isOrdinary };
}

function fillBatches(builder: BatchBuilder, rows: RowBatch, batches: ColumnBatch[]): void {
  for (let from = 0; from < rows.rowCount; ) {
    const to = Math.min(rows.rowCount, from + builder.room);
    rows.store(builder, from, to);
    from = to;
    if (builder.room === 0) batches.push(packedBatch(builder.take()));
  }
}

/** The memory to be handed over with what was read, in few pieces: one for all rows, one for each batch. */
export function packSegment({ rows, batches }: SegmentRows): ArrayBuffer[] {
  const memory: ArrayBuffer[] = [];
  const packer = new Packer();
  for (const { vectors, valid } of rows) {
    for (const [column, bytes] of valid.entries()) {
      packer.add(bytes, (packed) => {
        valid[column] = packed;
      });
      for (const [index, vector] of vectors[column].entries()) {
        if (Array.isArray(vector)) continue;
        packer.add(vector, (packed) => {
          vectors[column][index] = packed;
        });
      }
    }
  }
  if (rows.length > 0) memory.push(packer.pack());
  for (const batch of batches) memory.push(...transferables(batch));
  return memory;
}

/** A batch that was lent, in one piece of memory of its own. */
function packedBatch(batch: ColumnBatch): ColumnBatch {
  const packer = new Packer();
  for (const column of batch.columns) {
    const { values, offsets, validity } = column;
    if (!Array.isArray(values)) {
      packer.add(values, (packed) => {
        column.values = packed;
      });
    }
    if (offsets !== undefined) {
      packer.add(offsets, (packed) => {
        column.offsets = packed;
      });
    }
    if (validity !== null) {
      packer.add(validity, (packed) => {
        column.validity = packed;
      });
    }
  }
  packer.pack();
  return batch;
}

/**
 * Has a parser read a file from a byte on; gives its batches, each valid until the next is asked for.
 *
 * @param isWaiting Whether the thread may wait for the file: one that does nothing else has its bytes in its own cache then.
 */
export async function* readOn(
  parser: CsvParser,
  file: FileHandle,
  position: number,
  progress: (readTo: number) => void = () => {},
  memory = new Uint8Array(BLOCK_SIZE),
  isWaiting = false,
): AsyncGenerator<RowBatch> {
  let at = position;
  let block = memory;
  for (;;) {
    const batch = parser.read();
    if (batch !== null) {
      yield batch;
      continue;
    }
    if (parser.done) return;
    if (parser.loading !== null) {
      await parser.loading;
      continue;
    }
    // A parser keeps what it was given until it has taken it in.
    if (!parser.hungry) block = new Uint8Array(BLOCK_SIZE);
    const bytesRead = isWaiting
      ? readSync(file.fd, block, 0, block.length, at)
      : (await file.read(block, 0, block.length, at)).bytesRead;
    at += bytesRead;
    progress(at);
    if (bytesRead === 0) parser.end();
    else parser.write(block.subarray(0, bytesRead));
  }
}

/** A block of a file, in memory of its own. */
export async function readBlock(file: FileHandle, position: number): Promise<Uint8Array> {
  const block = new Uint8Array(BLOCK_SIZE);
  const { bytesRead } = await file.read(block, 0, BLOCK_SIZE, position);
  return block.subarray(0, bytesRead);
}
