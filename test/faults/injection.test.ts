import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { describe, expect, it } from "vitest";
import { readCsv, sniffedCsv } from "../../src/index.js";
import { readCsvFile, sniffedCsv as sniffedDuplex } from "../../src/node/index.js";
import type { CsvOptions } from "../../src/options.js";
import { piecesOf } from "../support/cuts.js";
import { abortListeners, eventually, settle, unhandledRejectionsOf, withFile } from "../support/watch.js";

const TEXT = 'a,b\n1,x\n2,"y\nz"\n3,"w""w"\n4,é\n';
const BYTES = new TextEncoder().encode(TEXT);
const ROWS = [
  [1, "x"],
  [2, "y\nz"],
  [3, 'w"w'],
  [4, "é"],
];
/** Where each record, the header left out, ends. */
const ENDS = [8, 16, 25, 29].map((characters) => new TextEncoder().encode(TEXT.slice(0, characters)).length);
/** How many records have ended, with a byte to spare: where the sample ends may show with the byte behind it. */
const endedBefore = (length: number) => ENDS.filter((end) => end < length).length;
const OPTIONS: CsvOptions = {
  rowShape: "array",
  sampleRows: 1,
  types: ["BIGINT", "VARCHAR"],
  delimiter: ",",
  header: true,
};

type Then = "end" | "fail" | "stall";

/** A source that gives one byte at a time, so many of them, and then ends, fails or stalls; it notes how it is left. */
class Source {
  pulls = 0;
  cancels = 0;
  readonly failure = new Error("the source is gone");
  readonly stream: ReadableStream<Uint8Array>;

  constructor(length: number, then: Then, onPull: (pull: number) => void = () => {}) {
    const pieces = piecesOf(BYTES.subarray(0, length), 1);
    this.stream = new ReadableStream(
      {
        pull: (controller) => {
          onPull(this.pulls++);
          const piece = pieces.shift();
          if (piece !== undefined) controller.enqueue(piece);
          else if (then === "end") controller.close();
          else if (then === "fail") controller.error(this.failure);
          else return new Promise<void>(() => {});
          return undefined;
        },
        cancel: () => {
          this.cancels++;
        },
      },
      { highWaterMark: 0 },
    );
  }
}

/** A way to the rows of a source. */
const WAYS: Record<string, (source: Source, options: CsvOptions) => AsyncIterable<unknown>> = {
  readCsv: ({ stream }, options) => readCsv(stream, options),
  pipeThrough: ({ stream }, options) => stream.pipeThrough(sniffedCsv(options)),
  "a Duplex in a pipeline": ({ stream }, options) => {
    const duplex = sniffedDuplex(options);
    pipeline(Readable.fromWeb(stream as never), duplex).catch(() => {});
    return duplex;
  },
};

/** Takes rows until there are as many as wanted, a fault, or no more. */
async function take(rows: AsyncIterable<unknown>, most = Number.POSITIVE_INFINITY) {
  const taken: unknown[] = [];
  try {
    if (most > 0) {
      for await (const row of rows) {
        taken.push(row);
        if (taken.length >= most) break;
      }
    }
    return { taken, error: null };
  } catch (error) {
    return { taken, error };
  }
}

for (const [way, open] of Object.entries(WAYS)) {
  describe(`through ${way}`, () => {
    it("a source that fails after any byte is told of, behind rows that are right", async () => {
      const unhandled = await unhandledRejectionsOf(async () => {
        for (let length = 0; length <= BYTES.length; length++) {
          const source = new Source(length, "fail");
          const { taken, error } = await take(open(source, OPTIONS));
          expect(taken).toEqual(ROWS.slice(0, taken.length));
          expect(error).toBe(source.failure);
          // A stream that is piped is errored at once; whoever pulls gets all that has come.
          if (way === "readCsv") expect(taken.length).toBeGreaterThanOrEqual(endedBefore(length));
        }
      });
      expect(unhandled).toEqual([]);
    });

    it("a source that stalls after any byte gives its rows, and is left by a signal at once", async () => {
      const unhandled = await unhandledRejectionsOf(async () => {
        for (let length = 0; length <= BYTES.length; length++) {
          const source = new Source(length, "stall");
          const controller = new AbortController();
          const taken: unknown[] = [];
          const reading = (async () => {
            for await (const row of open(source, { ...OPTIONS, signal: controller.signal })) taken.push(row);
          })();
          reading.catch(() => {});
          const wanted = endedBefore(length);
          await eventually(() => taken.length >= wanted, `${wanted} rows come of ${length} bytes`);
          await settle();
          const reason = new Error("enough");
          controller.abort(reason);
          await expect(reading).rejects.toBe(reason);
          expect(taken).toEqual(ROWS.slice(0, taken.length));
          await eventually(() => source.cancels === 1, "the source is cancelled");
          expect(abortListeners(controller.signal)).toBe(0);
        }
      });
      expect(unhandled).toEqual([]);
    });

    it("a consumer that stops after any row leaves the source cancelled, once", async () => {
      const unhandled = await unhandledRejectionsOf(async () => {
        for (let most = 1; most < ROWS.length; most++) {
          const source = new Source(BYTES.length, "stall");
          const controller = new AbortController();
          const { taken, error } = await take(open(source, { ...OPTIONS, signal: controller.signal }), most);
          expect([taken, error]).toEqual([ROWS.slice(0, most), null]);
          await eventually(() => source.cancels === 1, "the source is cancelled");
          expect(abortListeners(controller.signal)).toBe(0);
        }
      });
      expect(unhandled).toEqual([]);
    });

    it("a consumer that throws at any row does so too", async () => {
      const unhandled = await unhandledRejectionsOf(async () => {
        for (let most = 1; most <= ROWS.length; most++) {
          const source = new Source(BYTES.length, "stall");
          const failure = new Error("the consumer is gone");
          let count = 0;
          const reading = async () => {
            for await (const _ of open(source, OPTIONS)) if (++count === most) throw failure;
          };
          await expect(reading()).rejects.toBe(failure);
          await eventually(() => source.cancels === 1, "the source is cancelled");
        }
      });
      expect(unhandled).toEqual([]);
    });

    it("a signal that aborts while any byte is asked for ends it with its reason", async () => {
      const unhandled = await unhandledRejectionsOf(async () => {
        for (let at = 0; at <= BYTES.length; at++) {
          const controller = new AbortController();
          const reason = new Error(`at ${at}`);
          const source = new Source(BYTES.length, "stall", (pull) => {
            if (pull === at) controller.abort(reason);
          });
          const { taken, error } = await take(open(source, { ...OPTIONS, signal: controller.signal }));
          expect(error).toBe(reason);
          expect(taken).toEqual(ROWS.slice(0, taken.length));
          await eventually(() => source.cancels === 1, "the source is cancelled");
          expect(abortListeners(controller.signal)).toBe(0);
        }
      });
      expect(unhandled).toEqual([]);
    });

    it("a callback that throws ends it with what it threw", async () => {
      for (const callback of ["onSniff", "onReject"] as const) {
        const failure = new Error("the callback is gone");
        const source = new Source(BYTES.length, "end");
        const options: CsvOptions = {
          ...OPTIONS,
          types: ["BIGINT", "BIGINT"],
          onError: "reject",
          [callback]: () => {
            throw failure;
          },
        };
        expect((await take(open(source, options))).error).toBe(failure);
      }
    });
  });
}

describe("a file", () => {
  it("is closed when it is left after any row, by one thread", async () => {
    await withFile(BYTES, async (path) => {
      for (let most = 1; most <= ROWS.length + 1; most++) {
        const { taken, error } = await take(readCsvFile(path, OPTIONS), most);
        expect([taken, error]).toEqual([ROWS.slice(0, most), null]);
      }
    });
  });

  it("that is none is told of by what the file system says", async () => {
    await expect(readCsvFile("/nowhere/at/all.csv").toArray()).rejects.toMatchObject({ code: "ENOENT" });
    await expect(readCsvFile("/").toArray()).rejects.toMatchObject({ code: "EISDIR" });
  });
});
