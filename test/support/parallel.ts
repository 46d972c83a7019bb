import { open } from "node:fs/promises";
import type { CsvError, CsvWarning, Reject } from "../../src/errors.js";
import { type ColumnBatch, readCsv, type SchemaChange } from "../../src/index.js";
import { parallelRows } from "../../src/node/file.js";
import { type Cutting, isParallel, ParallelReader, type SegmentPool } from "../../src/node/parallel-rows.js";
import { packSegment, readSegment, type Segment, type SegmentRows } from "../../src/node/segment.js";
import { type CsvOptions, type ResolvedOptions, resolveOptions } from "../../src/options.js";
import { plainError } from "./faces.js";

/** Reads segments in this thread, as a worker would, what it finds handed over as to a thread. */
export class HerePool implements SegmentPool {
  readonly threads = 2;
  readonly isWarm = true;
  free = 3;
  onFree = () => {};
  readonly #path: string;
  readonly #options: ResolvedOptions;
  readonly #fails: (index: number) => boolean;
  readonly #readings = new Set<Promise<unknown>>();
  #isClosed = false;
  #count = 0;

  constructor(path: string, options: ResolvedOptions, fails: (index: number) => boolean) {
    this.#path = path;
    this.#options = options;
    this.#fails = fails;
  }

  get idle() {
    return Math.max(0, this.free - 1);
  }

  read(segment: Segment): Promise<SegmentRows | null> {
    this.free--;
    const reading = this.#read(segment).finally(() => {
      this.#readings.delete(reading);
      if (this.#isClosed) return;
      this.free++;
      // Who has read is free once it has told, as with threads.
      setImmediate(() => this.onFree());
    });
    this.#readings.add(reading);
    return reading;
  }

  async #read(segment: Segment) {
    if (this.#fails(this.#count++)) return null;
    const file = await open(this.#path, "r");
    try {
      const rows = await readSegment(file, structuredClone(segment), this.#options);
      const transfer = packSegment(rows);
      return structuredClone(rows, { transfer });
    } finally {
      await file.close();
    }
  }

  async close() {
    this.#isClosed = true;
    this.free = 0;
    await Promise.all(this.#readings);
  }
}

export interface Told {
  rows: unknown[];
  rejects: Reject[];
  warnings: CsvWarning[];
  changes: SchemaChange[];
  error: object | null;
}

async function told(
  options: CsvOptions,
  read: (options: CsvOptions) => AsyncIterable<unknown>,
): Promise<Told> {
  const all: Told = { rows: [], rejects: [], warnings: [], changes: [], error: null };
  try {
    const rows = read({
      ...options,
      onReject: (reject) => all.rejects.push(reject),
      onWarning: (warning) => all.warnings.push(warning),
      onSchema: (change) => all.changes.push(change),
    });
    for await (const row of rows) all.rows.push(row);
  } catch (error) {
    all.error = plainError(error as CsvError);
  }
  return all;
}

/** Rows of a batch one by one: where batches end is up to the segments. */
function split(batch: ColumnBatch): unknown[] {
  return Array.from({ length: batch.rowCount }, (_, row) =>
    batch.columns.map(({ type, values, validity }) => {
      if (validity !== null && ((validity[row >> 3] >> (row & 7)) & 1) === 0) return [type, null];
      return [type, type === "BOOLEAN" ? ((values as Uint8Array)[row >> 3] >> (row & 7)) & 1 : values[row]];
    }),
  );
}

/**
 * What one reader finds in a file, and what several do; null where options don't allow for several.
 *
 * @param failing The segments whose reading ahead fails.
 */
export async function readBothWays(
  path: string,
  bytes: Uint8Array,
  options: CsvOptions,
  cutting: Cutting,
  failing: readonly number[] = [],
): Promise<{ single: Told; parallel: Told } | null> {
  if (!isParallel(resolveOptions(options))) return null;
  const single = await told(options, (all) => readCsv(bytes, all));
  const parallel = await told(options, (all) => {
    const resolved = resolveOptions(all);
    const pool = (settled: ResolvedOptions) =>
      new HerePool(path, settled, (index) => failing.includes(index));
    return parallelRows(new ParallelReader(path, resolved, pool, cutting), resolved);
  });
  if (options.output === "batches") {
    // Where batches end is up to the segments.
    for (const each of [single, parallel]) each.rows = (each.rows as ColumnBatch[]).flatMap(split);
  }
  return { single, parallel };
}
