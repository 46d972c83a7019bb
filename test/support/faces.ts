import type { CsvWarning, Reject } from "../../src/errors.js";
import { type CsvError, readCsv, sniffedCsv } from "../../src/index.js";
import { sniffedCsv as sniffedDuplex } from "../../src/node/index.js";
import type { CsvOptions } from "../../src/options.js";
import type { SchemaChange, Sniff } from "../../src/sniffer/sniff.js";

/** All that a caller can see of a reading. */
export interface Outcome {
  sniff: Sniff | null;
  rows: unknown[];
  rejects: Reject[];
  /** With the number of rows that came before each. */
  schema: SchemaChange[];
  warnings: CsvWarning[];
  error: CsvError | null;
}

/** One way to the rows. */
export interface Face {
  name: string;
  read(pieces: readonly Uint8Array[], options: CsvOptions): Promise<Outcome>;
}

/** Gathers rows, however they come, and the fault that ended them. */
async function gather(
  options: CsvOptions,
  open: (options: CsvOptions) => { sniffed: Promise<Sniff>; rows: AsyncIterable<unknown> },
): Promise<Outcome> {
  const outcome: Outcome = { sniff: null, rows: [], rejects: [], schema: [], warnings: [], error: null };
  try {
    const { sniffed, rows } = open({
      ...options,
      onReject: (reject) => outcome.rejects.push(reject),
      onSchema: (change) => outcome.schema.push(change),
      onWarning: (warning) => outcome.warnings.push(warning),
      onSniff: (sniff) => {
        outcome.sniff = sniff;
      },
    });
    // A fault is told to both.
    sniffed.catch(() => {});
    for await (const row of rows) outcome.rows.push(row);
  } catch (error) {
    outcome.error = error as CsvError;
  }
  return outcome;
}

/** The pieces as a stream that says what it is asked. */
export function streamOf(pieces: Iterable<Uint8Array | string>): ReadableStream<Uint8Array | string> {
  const iterator = pieces[Symbol.iterator]();
  return new ReadableStream(
    {
      pull(controller) {
        const { value, done } = iterator.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Rows through a reader that asks for one after the other. */
export async function* oneByOne<T>(stream: ReadableStream<T>): AsyncGenerator<T> {
  const reader = stream.getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    yield value;
  }
}

export const readFace: Face = {
  name: "readCsv",
  read: (pieces, options) =>
    gather(options, (all) => {
      const rows = readCsv(pieces, all);
      return { sniffed: rows.sniffed, rows };
    }),
};

export const webFace: Face = {
  name: "sniffedCsv, iterated",
  read: (pieces, options) =>
    gather(options, (all) => {
      const transform = sniffedCsv(all);
      return { sniffed: transform.sniffed, rows: streamOf(pieces).pipeThrough(transform) };
    }),
};

export const readerFace: Face = {
  name: "sniffedCsv, read row by row",
  read: (pieces, options) =>
    gather(options, (all) => {
      const transform = sniffedCsv(all);
      return { sniffed: transform.sniffed, rows: oneByOne(streamOf(pieces).pipeThrough(transform)) };
    }),
};

export const duplexFace: Face = {
  name: "the Node Duplex",
  read: (pieces, options) =>
    gather(options, (all) => {
      const duplex = sniffedDuplex(all);
      void writeAll(duplex, pieces);
      return { sniffed: duplex.sniffed, rows: withoutLineEnds(duplex, all.output ?? "rows") };
    }),
};

/** Lines of text have their line end from the Duplex, each exactly one, and none from the other faces. */
async function* withoutLineEnds(rows: AsyncIterable<unknown>, output: string): AsyncGenerator<unknown> {
  for await (const row of rows) {
    if (!["ndjson", "csv", "vw"].includes(output)) {
      yield row;
      continue;
    }
    if (typeof row !== "string" || !row.endsWith("\n")) throw new Error(`no line: ${String(row)}`);
    yield row.slice(0, -1);
  }
}

export const FACES: readonly Face[] = [readFace, webFace, readerFace, duplexFace];

async function writeAll(
  duplex: NodeJS.WritableStream & { destroyed: boolean },
  pieces: readonly Uint8Array[],
): Promise<void> {
  for (const piece of pieces) {
    if (duplex.destroyed) return;
    if (!duplex.write(piece)) await new Promise<void>((resolve) => whenWritable(duplex, resolve));
  }
  if (!duplex.destroyed) duplex.end();
}

function whenWritable(duplex: NodeJS.WritableStream, resolve: () => void): void {
  const done = () => {
    duplex.off("drain", done);
    duplex.off("close", done);
    resolve();
  };
  duplex.on("drain", done);
  duplex.on("close", done);
}

/** An outcome as plain data: what must be equal in any cuts and through any face. */
export function plainOutcome(outcome: Outcome): object {
  const { error, ...rest } = outcome;
  return { ...rest, error: error === null ? null : plainError(error) };
}

/** A fault as plain data. */
export function plainError(error: CsvError): object {
  return { ...error, name: error.name, message: error.message };
}
