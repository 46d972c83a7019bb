import { createReadStream } from "node:fs";
import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { describe, expect, it, vi } from "vitest";
import type { Reject } from "../../src/errors.js";
import { sniffedCsv } from "../../src/node/index.js";
import type { CsvOptions } from "../../src/options.js";
import type { SchemaChange, Sniff } from "../../src/sniffer/sniff.js";
import { piecesOf } from "../support/cuts.js";
import { abortListeners, eventually, settle, unhandledRejectionsOf, withFile } from "../support/watch.js";

const encode = (text: string) => new TextEncoder().encode(text);
const many = encode(`a,b\n${"1,2\n".repeat(60_000)}`);

async function rowsOf(source: AsyncIterable<unknown>): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const row of source) rows.push(row);
  return rows;
}

/** Waits until a stream is closed, and has told so. */
async function closed(stream: { closed: boolean }): Promise<void> {
  await eventually(() => stream.closed, "the stream is closed");
  await settle();
}

describe("the Duplex", () => {
  const wanted = [
    { a: 1, b: "x" },
    { a: 2, b: "é" },
  ];

  it("goes with pipe, pipeline, for await and data", async () => {
    const text = Buffer.from("a,b\n1,x\n2,é\n");
    expect(await rowsOf(Readable.from([text]).pipe(sniffedCsv()))).toEqual(wanted);

    const piped: unknown[] = [];
    const sink = new Writable({
      objectMode: true,
      write(row, _encoding, callback) {
        piped.push(row);
        callback();
      },
    });
    await pipeline(Readable.from([text]), sniffedCsv(), sink);
    expect(piped).toEqual(wanted);

    const told: unknown[] = [];
    const duplex = sniffedCsv();
    duplex.on("data", (row) => told.push(row));
    duplex.end(text);
    await closed(duplex);
    expect(told).toEqual(wanted);
  });

  it("takes bytes, text, and text in other encodings", async () => {
    const duplex = sniffedCsv();
    duplex.write("a,b\n");
    duplex.write(encode("1,x\n"));
    duplex.write("322cc3a9", "hex");
    duplex.end("\n");
    expect(await rowsOf(duplex)).toEqual(wanted);
  });

  it("counts bytes on one side and rows on the other", async () => {
    const duplex = sniffedCsv();
    expect(duplex.writableObjectMode).toBe(false);
    expect(duplex.readableObjectMode).toBe(true);
    duplex.end("a,b\n1,x\n");
    await rowsOf(duplex);
    expect([duplex.bytesRead, duplex.rowsEmitted]).toEqual([8, 1]);
  });

  it("tells the sniff, changes, rejects and warnings as events", async () => {
    const duplex = sniffedCsv({ sampleRows: 1, header: true, onTypeMismatch: "widen", onError: "reject" });
    const told: unknown[] = [];
    duplex.on("sniff", (sniff: Sniff) => told.push(["sniff", sniff.columns.length]));
    duplex.on("schema", ({ row, to }: SchemaChange) => told.push(["schema", row, to]));
    duplex.on("reject", ({ code, line }: Reject) => told.push(["reject", code, line]));
    const values: unknown[] = [];
    duplex.on("data", (row: { a: unknown }) => values.push(row.a));
    duplex.end("a,b\n1,2\n2,3\n3\nx,4\n");
    await closed(duplex);
    expect(values).toEqual([1, 2, "x"]);
    // A stream holds some rows ready, so these come before the rows that they follow.
    expect(told).toEqual([
      ["sniff", 2],
      ["reject", "TOO_FEW_FIELDS", 4],
      ["schema", 4, "VARCHAR"],
    ]);
    expect((await duplex.sniffed).columns[0].type).toBe("BIGINT");

    const nulling = sniffedCsv({ sampleRows: 1, header: true, onTypeMismatch: "null" });
    const warning = vi.fn();
    nulling.on("warning", warning);
    nulling.end("a,b\n1,2\nx,3\n");
    expect(await rowsOf(nulling)).toEqual([
      { a: 1, b: 2 },
      { a: null, b: 3 },
    ]);
    expect(warning).toHaveBeenCalledOnce();
  });

  it("sniffs what has come when the sample's time is over", async () => {
    const duplex = sniffedCsv({ sampleTimeout: 20 });
    duplex.write("a,b\n1,x\n");
    const first = await new Promise((resolve) => duplex.once("data", resolve));
    expect(first).toEqual(wanted[0]);
    duplex.destroy();
  });

  it("loads a decoder that the runtime lacks", async () => {
    const duplex = sniffedCsv({ encoding: "cp850" });
    duplex.write(Buffer.from([0x61, 0x0a, 0x82]));
    duplex.end(Buffer.from([0x0a]));
    expect(await rowsOf(duplex)).toEqual([{ a: "é" }]);
  });
});

describe("back-pressure", () => {
  it("holds inside one large chunk", async () => {
    const chunk = encode(`a,b\n${"x,y\n".repeat(1_000_000)}`);
    const duplex = sniffedCsv();
    const written = vi.fn();
    expect(duplex.write(chunk, written)).toBe(false);
    await new Promise((resolve) => duplex.once("readable", resolve));
    expect(duplex.read()).toEqual({ a: "x", b: "y" });
    await settle();
    expect(written).not.toHaveBeenCalled();
    expect(duplex.readableLength).toBeLessThanOrEqual(duplex.readableHighWaterMark);
    expect(duplex.rowsEmitted).toBeLessThanOrEqual(1 + duplex.readableHighWaterMark);
    duplex.destroy();
  });

  it("holds between chunks: a source is not read ahead of the rows", async () => {
    let pulled = 0;
    const pieces = piecesOf(many, 1 << 12);
    const source = new Readable({
      highWaterMark: 1 << 12,
      read() {
        this.push(pieces[pulled++] ?? null);
      },
    });
    const duplex = source.pipe(sniffedCsv({ sampleRows: 10 }));
    await new Promise((resolve) => duplex.once("readable", resolve));
    duplex.read();
    await settle();
    // The high-water mark of 64 KiB is 16 chunks; a few more are on their way.
    expect(pulled).toBeLessThan(25);
    const seen = pulled;
    await settle();
    expect(pulled).toBe(seen);
    source.destroy();
    duplex.destroy();
  });
});

describe("a fault", () => {
  const options = { header: true, delimiter: "," } as const;

  it("comes after the rows before it, however they are read", async () => {
    const text = `a,b\n${"1,2\n".repeat(100)}3\n4,5\n`;
    const reads: Record<string, (duplex: ReturnType<typeof sniffedCsv>) => Promise<number>> = {
      "for await": async (duplex) => {
        let rows = 0;
        const loop = async () => {
          for await (const _ of duplex) rows++;
        };
        await expect(loop()).rejects.toMatchObject({ code: "TOO_FEW_FIELDS", record: 101, line: 102 });
        return rows;
      },
      data: async (duplex) => {
        let rows = 0;
        const failed = vi.fn();
        duplex.on("data", () => rows++);
        duplex.on("error", failed);
        await closed(duplex);
        expect(failed).toHaveBeenCalledOnce();
        return rows;
      },
      "readable and read": async (duplex) => {
        let rows = 0;
        const failed = vi.fn();
        duplex.on("readable", () => {
          while (duplex.read() !== null) rows++;
        });
        duplex.on("error", failed);
        await closed(duplex);
        expect(failed).toHaveBeenCalledOnce();
        return rows;
      },
      "a slow sink": async (duplex) => {
        let rows = 0;
        const sink = new Writable({
          objectMode: true,
          highWaterMark: 1,
          write(_row, _encoding, callback) {
            rows++;
            setImmediate(callback);
          },
        });
        await expect(pipeline(duplex, sink)).rejects.toMatchObject({ code: "TOO_FEW_FIELDS" });
        return rows;
      },
    };
    for (const [how, read] of Object.entries(reads)) {
      const duplex = sniffedCsv(options);
      duplex.end(text);
      const rows = await read(duplex);
      // A pipeline destroys its sink at once, with what that has taken but not written.
      if (how === "a slow sink") expect(rows).toBeGreaterThanOrEqual(98);
      else expect(rows, how).toBe(100);
    }
  });

  it("destroys the stream, fails the write that waits, and is told once", async () => {
    const unhandled = await unhandledRejectionsOf(async () => {
      const duplex = sniffedCsv(options);
      const events: string[] = [];
      for (const event of ["error", "close", "end"]) duplex.on(event, () => events.push(event));
      const written = vi.fn();
      duplex.write(`a,b\n1\n${"1,2\n".repeat(60_000)}`, written);
      duplex.resume();
      await closed(duplex);
      await settle();
      expect(events).toEqual(["error", "close"]);
      expect(written).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: "TOO_FEW_FIELDS" }));
      expect(duplex.destroyed).toBe(true);
    });
    expect(unhandled).toEqual([]);
  });

  it("of a sniff rejects the promise too", async () => {
    const duplex = sniffedCsv({ types: { nope: "BIGINT" } });
    duplex.end("a\n1\n");
    await expect(rowsOf(duplex)).rejects.toMatchObject({ code: "UNKNOWN_COLUMN" });
    await expect(duplex.sniffed).rejects.toMatchObject({ code: "UNKNOWN_COLUMN" });
  });

  it("of a chunk that can't be read is an error event", async () => {
    const duplex = sniffedCsv();
    const failed = vi.fn();
    duplex.on("error", failed);
    expect(() => duplex.write(5)).toThrow(TypeError);
    duplex.destroy();
    await closed(duplex);
  });
});

describe("leaving", () => {
  it("by break closes the file of a pipeline", async () => {
    const unhandled = await unhandledRejectionsOf(async () => {
      await withFile(many, async (path) => {
        const source = createReadStream(path);
        const leaving = pipeline(source, sniffedCsv(), async (rows) => {
          for await (const _ of rows) break;
        });
        await expect(leaving).rejects.toMatchObject({ name: "AbortError" });
        await closed(source);
      });
    });
    expect(unhandled).toEqual([]);
  });

  for (const when of ["before the first byte", "while sampling", "between rows"] as const) {
    it(`by signal ${when} closes the pipeline with the reason, and drops the listener`, async () => {
      const unhandled = await unhandledRejectionsOf(async () => {
        const controller = new AbortController();
        const reason = new Error("why");
        let pulled = false;
        const source = new Readable({
          read() {
            if (pulled || when === "before the first byte") return;
            pulled = true;
            this.push(when === "while sampling" ? "a,b\n1,2\n" : many);
          },
        });
        const duplex = sniffedCsv({ signal: controller.signal });
        let rows = 0;
        const running = pipeline(source, duplex, async (given) => {
          for await (const _ of given) if (++rows === 3) controller.abort(reason);
        });
        if (when !== "between rows") setTimeout(() => controller.abort(reason), 5);
        await expect(running).rejects.toBe(reason);
        expect(rows).toBe(when === "between rows" ? 3 : 0);
        expect(source.destroyed).toBe(true);
        expect(abortListeners(controller.signal)).toBe(0);
        if (when !== "between rows") await expect(duplex.sniffed).rejects.toBe(reason);
      });
      expect(unhandled).toEqual([]);
    });
  }

  it("by a signal whose reason is no Error makes one of it", async () => {
    const controller = new AbortController();
    const duplex = sniffedCsv({ signal: controller.signal });
    const failed = vi.fn();
    duplex.on("error", failed);
    controller.abort("why");
    await closed(duplex);
    expect(failed).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ name: "AbortError", message: "why", cause: "why" }),
    );
  });

  it("with a signal that has aborted before", async () => {
    const reason = new Error("before");
    const duplex = sniffedCsv({ signal: AbortSignal.abort(reason) });
    await expect(rowsOf(duplex)).rejects.toBe(reason);
    await expect(duplex.sniffed).rejects.toBe(reason);
  });

  it("by destroy rejects the sniff, and nobody else", async () => {
    const unhandled = await unhandledRejectionsOf(async () => {
      const duplex = sniffedCsv();
      duplex.write("a,b\n");
      duplex.destroy();
      await closed(duplex);
      await expect(duplex.sniffed).rejects.toMatchObject({ name: "AbortError" });
    });
    expect(unhandled).toEqual([]);
  });

  it("passes on what the source fails with", async () => {
    const source = new Readable({
      read() {
        this.destroy(new RangeError("the disk is gone"));
      },
    });
    await expect(pipeline(source, sniffedCsv(), async (rows) => void (await rowsOf(rows)))).rejects.toThrow(
      "the disk is gone",
    );
  });
});

describe("a limit", () => {
  it("ends the rows; what still comes is let pass", async () => {
    const duplex = sniffedCsv({ limit: 2 });
    const rows = await rowsOf(Readable.from(piecesOf(many, 1 << 14)).pipe(duplex));
    expect(rows).toHaveLength(2);
  });
});

describe("text outputs", () => {
  const written = async (options: CsvOptions, csv: string) => {
    const duplex = sniffedCsv(options);
    duplex.end(csv);
    let text = "";
    for await (const chunk of duplex) text += chunk;
    return text;
  };

  it("come in lines that a file can hold, an empty one included", async () => {
    expect(await written({ output: "ndjson" }, "a;b\n1;x\n2;y\n")).toBe('{"a":1,"b":"x"}\n{"a":2,"b":"y"}\n');
    expect(await written({ output: "csv" }, "a;b\n1;x\n2;y\n")).toBe("a,b\n1,x\n2,y\n");
    expect(await written({ output: "vw" }, "_label,x\n1,2\n,\n3,4\n")).toBe("1 | x:2\n\n3 | x:4\n");
  });
});
