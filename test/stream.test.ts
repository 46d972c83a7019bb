import { describe, expect, it, vi } from "vitest";
import { CsvError } from "../src/errors.js";
import { sniffedCsv } from "../src/stream.js";
import { piecesOf } from "./support/cuts.js";
import { oneByOne, streamOf } from "./support/faces.js";
import { abortListeners, eventually, settle, unhandledRejectionsOf, WatchedSource } from "./support/watch.js";

const encode = (text: string) => new TextEncoder().encode(text);
const many = encode(`a,b\n${"1,2\n".repeat(60_000)}`);

/** Rows through `for await`. */
async function rowsOf<T>(stream: ReadableStream<T>): Promise<T[]> {
  const rows: T[] = [];
  for await (const row of stream) rows.push(row);
  return rows;
}

describe("the transform", () => {
  const wanted = [
    { a: 1, b: "x" },
    { a: 2, b: "y" },
  ];

  it("takes bytes, views, buffers and text", async () => {
    const { writable, readable } = sniffedCsv();
    const writer = writable.getWriter();
    const bytes = encode("!,1,x\n");
    const chunks = [
      "a,b",
      "\n",
      "",
      bytes.subarray(2),
      new Uint8Array(0),
      encode("2,").buffer,
      Buffer.from("y\n"),
    ];
    const reading = rowsOf(readable);
    for (const chunk of chunks) await writer.write(chunk);
    await writer.close();
    expect(await reading).toEqual(wanted);
  });

  it("refuses other chunks, and fails on both sides", async () => {
    const unhandled = await unhandledRejectionsOf(async () => {
      const { writable, readable, sniffed } = sniffedCsv();
      const writer = writable.getWriter();
      const reading = rowsOf(readable);
      await expect(writer.write(5 as never)).rejects.toMatchObject({ code: "INVALID_CHUNK" });
      await expect(reading).rejects.toMatchObject({ code: "INVALID_CHUNK" });
      await expect(sniffed).rejects.toMatchObject({ code: "INVALID_CHUNK" });
      writer.closed.catch(() => {});
    });
    expect(unhandled).toEqual([]);
  });

  it("tells the sniff before the first row, though nobody reads", async () => {
    const transform = sniffedCsv();
    const writer = transform.writable.getWriter();
    void writer.write("a;b\n1;2\n").then(() => writer.close());
    expect((await transform.sniffed).dialect.delimiter).toBe(";");
    expect(transform.rowsEmitted).toBe(0);
    expect(await rowsOf(transform.readable)).toEqual([{ a: 1, b: 2 }]);
    expect([transform.bytesRead, transform.rowsEmitted]).toEqual([8, 1]);
  });

  it("sniffs what has come when the sample's time is over", async () => {
    const transform = sniffedCsv({ sampleTimeout: 20 });
    const writer = transform.writable.getWriter();
    await writer.write("a,b\n1,x\n");
    const iterator = transform.readable[Symbol.asyncIterator]();
    expect(await iterator.next()).toEqual({ value: wanted[0], done: false });
    const second = iterator.next();
    await writer.write("2,y\n");
    expect(await second).toEqual({ value: wanted[1], done: false });
    await iterator.return?.();
    await writer.closed.catch(() => {});
  });

  it("gives the same rows to a reader, an iterator, pipeTo and tee", async () => {
    const open = () => streamOf([encode("a,b\n1,x\n2,y\n")]).pipeThrough(sniffedCsv());
    const rows: unknown[] = [];
    for await (const row of oneByOne(open())) rows.push(row);
    expect(rows).toEqual(wanted);
    expect(await rowsOf(open())).toEqual(wanted);
    const piped: unknown[] = [];
    await open().pipeTo(new WritableStream({ write: (row) => void piped.push(row) }));
    expect(piped).toEqual(wanted);
    const [left, right] = open().tee();
    expect(await Promise.all([rowsOf(left), rowsOf(right)])).toEqual([wanted, wanted]);
  });

  it("goes on where an iterator that must not cancel has left", async () => {
    const stream = streamOf([encode("a,b\n1,x\n2,y\n")]).pipeThrough(sniffedCsv());
    for await (const row of stream.values({ preventCancel: true })) {
      expect(row).toEqual(wanted[0]);
      break;
    }
    expect(stream.locked).toBe(false);
    expect(await rowsOf(stream)).toEqual([wanted[1]]);
  });

  it("is locked while it is iterated", async () => {
    const stream = streamOf([many]).pipeThrough(sniffedCsv());
    for await (const _ of stream) {
      expect(() => stream.getReader()).toThrow(TypeError);
      break;
    }
    expect(stream.locked).toBe(false);
  });

  it("answers calls that are made at once in order", async () => {
    const stream = streamOf(piecesOf(encode("a,b\n1,x\n2,y\n"), 1)).pipeThrough(sniffedCsv());
    const iterator = stream[Symbol.asyncIterator]();
    const answers = await Promise.all([iterator.next(), iterator.next(), iterator.next()]);
    expect(answers).toEqual([
      { value: wanted[0], done: false },
      { value: wanted[1], done: false },
      { value: undefined, done: true },
    ]);
  });

  it("ends without a row where there is none", async () => {
    expect(await rowsOf(streamOf([]).pipeThrough(sniffedCsv()))).toEqual([]);
    expect(await rowsOf(streamOf([encode("a,b\n")]).pipeThrough(sniffedCsv({ header: true })))).toEqual([]);
  });
});

describe("back-pressure", () => {
  it("holds inside one large chunk", async () => {
    const chunk = encode(`a,b\n${"x,y\n".repeat(1_000_000)}`);
    const transform = sniffedCsv();
    const writer = transform.writable.getWriter();
    const written = vi.fn();
    writer.write(chunk).then(written, () => {});
    const reader = transform.readable.getReader();
    for (let row = 0; row < 5; row++) expect((await reader.read()).value).toEqual({ a: "x", b: "y" });
    await settle();
    expect(transform.rowsEmitted).toBe(5);
    expect(written).not.toHaveBeenCalled();
    expect(writer.desiredSize).toBe(0);
    await reader.cancel();
  });

  it("holds between chunks: what is not read is not asked for", async () => {
    const source = new WatchedSource(piecesOf(many, 1 << 12), false);
    const transform = sniffedCsv({ sampleRows: 10 });
    const reader = source.stream.pipeThrough(transform).getReader();
    await reader.read();
    await settle();
    const pulled = source.pulled;
    // The chunk with the sample, one that waits, and one that the pipe holds.
    expect(pulled).toBeLessThanOrEqual(3);
    await settle();
    expect(source.pulled).toBe(pulled);
    for (let row = 1; row < 20_000; row++) await reader.read();
    expect(source.pulled).toBeGreaterThan(15);
    expect(source.pulled).toBeLessThan(30);
    await reader.cancel();
  });

  it("lets go once rows are read", async () => {
    const transform = sniffedCsv();
    const writer = transform.writable.getWriter();
    const written = vi.fn();
    void writer.write(many).then(written);
    const iterator = transform.readable[Symbol.asyncIterator]();
    await iterator.next();
    await settle();
    expect(written).not.toHaveBeenCalled();
    for (let row = 1; row < 59_999; row++) await iterator.next();
    await eventually(() => written.mock.calls.length === 1, "the chunk is taken in");
    await Promise.all([writer.close(), iterator.next()]);
    expect((await iterator.next()).done).toBe(true);
  });
});

describe("a fault", () => {
  const bad = encode("a,b\n1,2\n3,4\n5\n6,7\n");
  const options = { header: true, delimiter: "," } as const;

  it("comes after the rows before it, and closes the source", async () => {
    for (const read of [oneByOne, (stream: ReadableStream<unknown>) => stream]) {
      const unhandled = await unhandledRejectionsOf(async () => {
        const source = new WatchedSource([bad], false);
        const transform = sniffedCsv({ ...options, sampleBytes: 8 });
        const rows: unknown[] = [];
        const reading = (async () => {
          for await (const row of read(source.stream.pipeThrough(transform))) rows.push(row);
        })();
        await expect(reading).rejects.toMatchObject({
          code: "TOO_FEW_FIELDS",
          record: 3,
          line: 4,
          byteOffset: 12,
        });
        expect(rows).toEqual([
          { a: 1, b: 2 },
          { a: 3, b: 4 },
        ]);
        await settle();
        expect(source.cancelled).toBe(true);
        expect(source.cancelReason).toBeInstanceOf(CsvError);
      });
      expect(unhandled).toEqual([]);
    }
  });

  it("rejects the write that waits, and every one after it", async () => {
    const transform = sniffedCsv(options);
    const writer = transform.writable.getWriter();
    writer.closed.catch(() => {});
    const waiting = writer.write(encode(`a,b\n1\n${"1,2\n".repeat(60_000)}`));
    const reading = rowsOf(transform.readable);
    await expect(reading).rejects.toMatchObject({ code: "TOO_FEW_FIELDS" });
    await expect(waiting).rejects.toMatchObject({ code: "TOO_FEW_FIELDS" });
    await expect(writer.write("2,3\n")).rejects.toMatchObject({ code: "TOO_FEW_FIELDS" });
  });

  it("of a sniff rejects the promise, the rows and the writes alike", async () => {
    const unhandled = await unhandledRejectionsOf(async () => {
      const transform = sniffedCsv({ types: { nope: "BIGINT" } });
      const reading = rowsOf(streamOf([encode("a\n1\n")]).pipeThrough(transform));
      await expect(reading).rejects.toMatchObject({ code: "UNKNOWN_COLUMN" });
      await expect(transform.sniffed).rejects.toMatchObject({ code: "UNKNOWN_COLUMN" });
    });
    expect(unhandled).toEqual([]);
  });

  it("of the source is passed on, after the rows that came", async () => {
    const reason = new RangeError("the line is dead");
    const pieces = [encode("a\n1\n2\n")];
    const source = new ReadableStream({
      pull(controller) {
        const piece = pieces.shift();
        if (piece === undefined) controller.error(reason);
        else controller.enqueue(piece);
      },
    });
    const transform = sniffedCsv();
    await expect(rowsOf(source.pipeThrough(transform))).rejects.toBe(reason);
    await expect(transform.sniffed).rejects.toBe(reason);
  });
});

describe("leaving", () => {
  for (const when of ["before the first byte", "while sampling", "between rows"] as const) {
    const pieces = when === "between rows" ? [many] : when === "while sampling" ? [encode("a,b\n1,2\n")] : [];
    const rowsFirst = when === "between rows" ? 2 : 0;

    it(`by cancel ${when} closes the source with the reason`, async () => {
      const unhandled = await unhandledRejectionsOf(async () => {
        const source = new WatchedSource(pieces, false);
        const transform = sniffedCsv();
        const reader = source.stream.pipeThrough(transform).getReader();
        for (let row = 0; row < rowsFirst; row++) await reader.read();
        await settle();
        await reader.cancel("enough");
        await settle();
        expect(source.cancelled).toBe(true);
        expect(source.cancelReason).toBe("enough");
        if (when !== "between rows") await expect(transform.sniffed).rejects.toBe("enough");
        expect(await reader.read()).toEqual({ value: undefined, done: true });
      });
      expect(unhandled).toEqual([]);
    });

    it(`by abort of the writable ${when} fails the rows with the reason`, async () => {
      const unhandled = await unhandledRejectionsOf(async () => {
        const transform = sniffedCsv();
        const writer = transform.writable.getWriter();
        writer.closed.catch(() => {});
        for (const piece of pieces) writer.write(piece).catch(() => {});
        const iterator = transform.readable[Symbol.asyncIterator]();
        for (let row = 0; row < rowsFirst; row++) await iterator.next();
        const reason = new Error("no more");
        const waiting = rowsFirst === 0 ? iterator.next() : null;
        await settle();
        await writer.abort(reason);
        await expect(waiting ?? iterator.next()).rejects.toBe(reason);
      });
      expect(unhandled).toEqual([]);
    });

    it(`by signal ${when} fails both sides with the reason, and drops the listener`, async () => {
      const unhandled = await unhandledRejectionsOf(async () => {
        const controller = new AbortController();
        const source = new WatchedSource(pieces, false);
        const transform = sniffedCsv({ signal: controller.signal });
        expect(abortListeners(controller.signal)).toBe(1);
        const iterator = source.stream.pipeThrough(transform)[Symbol.asyncIterator]();
        for (let row = 0; row < rowsFirst; row++) await iterator.next();
        const waiting = rowsFirst === 0 ? iterator.next() : null;
        await settle();
        controller.abort("why");
        await expect(waiting ?? iterator.next()).rejects.toBe("why");
        await settle();
        expect(source.cancelled).toBe(true);
        expect(source.cancelReason).toBe("why");
        expect(abortListeners(controller.signal)).toBe(0);
        expect(transform.rowsEmitted).toBe(rowsFirst);
      });
      expect(unhandled).toEqual([]);
    });
  }

  it("by break closes the source", async () => {
    const unhandled = await unhandledRejectionsOf(async () => {
      const source = new WatchedSource([many], false);
      const transform = sniffedCsv();
      for await (const _ of source.stream.pipeThrough(transform)) break;
      await eventually(() => source.cancelled, "the source is cancelled");
      expect((await transform.sniffed).columns).toHaveLength(2);
    });
    expect(unhandled).toEqual([]);
  });

  it("by a throw in the loop closes the source", async () => {
    const source = new WatchedSource([many], false);
    const loop = async () => {
      for await (const _ of source.stream.pipeThrough(sniffedCsv())) throw new Error("mine");
    };
    await expect(loop()).rejects.toThrow("mine");
    await eventually(() => source.cancelled, "the source is cancelled");
  });

  it("while a row is waited for comes after it, as the platform's own iterator has it", async () => {
    const transform = sniffedCsv({ sampleRows: 1, header: true });
    const writer = transform.writable.getWriter();
    writer.closed.catch(() => {});
    const iterator = transform.readable[Symbol.asyncIterator]();
    const order: string[] = [];
    const row = iterator.next().then(({ value }) => order.push(`row ${value?.a}`));
    const left = iterator.return?.().then(() => order.push("left"));
    await settle();
    expect(order).toEqual([]);
    await writer.write("a\n1\n2\n");
    await Promise.all([row, left]);
    expect(order).toEqual(["row 1", "left"]);
    await expect(writer.write("3\n")).rejects.toMatchObject({ name: "AbortError" });
  });

  it("with a signal that has aborted before", async () => {
    const unhandled = await unhandledRejectionsOf(async () => {
      const source = new WatchedSource([many], false);
      const transform = sniffedCsv({ signal: AbortSignal.abort("before") });
      await expect(rowsOf(source.stream.pipeThrough(transform))).rejects.toBe("before");
      await expect(transform.sniffed).rejects.toBe("before");
      await settle();
      expect(source.cancelled).toBe(true);
      expect(source.pulled).toBe(0);
    });
    expect(unhandled).toEqual([]);
  });

  it("after the end, or a fault, has left no listener", async () => {
    for (const bytes of [encode("a,b\n1,2\n"), encode("a,b\n1,2\n3\n")]) {
      const { signal } = new AbortController();
      const transform = sniffedCsv({ signal, header: true, delimiter: "," });
      await rowsOf(streamOf([bytes]).pipeThrough(transform)).catch(() => {});
      expect(abortListeners(signal)).toBe(0);
    }
  });
});

describe("a limit", () => {
  it("ends the rows and stops the source", async () => {
    const unhandled = await unhandledRejectionsOf(async () => {
      const source = new WatchedSource([many], false);
      const rows = await rowsOf(source.stream.pipeThrough(sniffedCsv({ limit: 3 })));
      expect(rows).toHaveLength(3);
      await eventually(() => source.cancelled, "the source is cancelled");
    });
    expect(unhandled).toEqual([]);
  });

  it("of none ends at once", async () => {
    const source = new WatchedSource([many], false);
    expect(await rowsOf(source.stream.pipeThrough(sniffedCsv({ limit: 0 })))).toEqual([]);
    await eventually(() => source.cancelled, "the source is cancelled");
  });
});
