import { afterEach, describe, expect, it, vi } from "vitest";
import * as ponyfill from "web-streams-polyfill";
import type { SniffedCsvStream } from "../src/stream.js";

const bytes = new TextEncoder().encode("a,b\n1,x\n2,y\n");
const wanted = [
  { a: 1, b: "x" },
  { a: 2, b: "y" },
];

async function rowsOf(stream: AsyncIterable<unknown>): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const row of stream) rows.push(row);
  return rows;
}

/** The transform of a runtime that has no streams of its own. */
async function ponyfilled(): Promise<SniffedCsvStream<unknown>> {
  vi.resetModules();
  vi.stubGlobal("ReadableStream", undefined);
  vi.stubGlobal("WritableStream", undefined);
  const { sniffedCsv } = await import("../src/stream.js");
  vi.unstubAllGlobals();
  return sniffedCsv() as SniffedCsvStream<unknown>;
}

async function native(): Promise<SniffedCsvStream<unknown>> {
  vi.resetModules();
  const { sniffedCsv } = await import("../src/stream.js");
  return sniffedCsv() as SniffedCsvStream<unknown>;
}

function start(controller: { enqueue(chunk: Uint8Array): void; close(): void }): void {
  controller.enqueue(bytes);
  controller.close();
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

describe("the stream classes", () => {
  it("are the runtime's own where it has them", async () => {
    const transform = await native();
    expect(transform.readable).toBeInstanceOf(ReadableStream);
    expect(transform.writable).toBeInstanceOf(WritableStream);
  });

  it("are the ponyfill's where not, and nothing global is changed", async () => {
    const before = globalThis.ReadableStream;
    const transform = await ponyfilled();
    expect(transform.readable).toBeInstanceOf(ponyfill.ReadableStream);
    expect(transform.writable).toBeInstanceOf(ponyfill.WritableStream);
    expect(globalThis.ReadableStream).toBe(before);
  });

  it("work together: a native stream through the ponyfill's transform", async () => {
    const transform = await ponyfilled();
    const piped = new ReadableStream({ start }).pipeThrough(
      // Node's own pipe takes its own classes only; the ponyfill's takes whatever behaves as a stream.
      bridge(transform),
    );
    expect(await rowsOf(piped)).toEqual(wanted);
  });

  it("work together: a native stream piped by the ponyfill", async () => {
    const transform = await ponyfilled();
    const source = ponyfill.ReadableStream.from(new ReadableStream<Uint8Array>({ start }));
    const pair = { readable: transform.readable, writable: transform.writable } as unknown as {
      readable: ponyfill.ReadableStream<unknown>;
      writable: ponyfill.WritableStream<Uint8Array>;
    };
    expect(await rowsOf(source.pipeThrough(pair))).toEqual(wanted);
  });

  it("work together: the ponyfill's stream through the native transform", async () => {
    const transform = await native();
    const pair = { readable: transform.readable, writable: transform.writable } as unknown as {
      readable: ponyfill.ReadableStream<unknown>;
      writable: ponyfill.WritableStream<Uint8Array>;
    };
    const source = new ponyfill.ReadableStream<Uint8Array>({ start });
    expect(await rowsOf(source.pipeThrough(pair))).toEqual(wanted);
  });

  it("read from either kind", async () => {
    const { readCsv } = await import("../src/read.js");
    expect(await readCsv(new ReadableStream({ start })).toArray()).toEqual(wanted);
    const source = new ponyfill.ReadableStream<Uint8Array>({
      start,
    }) as unknown as ReadableStream<Uint8Array>;
    expect(await readCsv(source).toArray()).toEqual(wanted);
  });
});

/** A native pair that hands its chunks to a pair of another kind, and its rows back. */
function bridge(transform: SniffedCsvStream<unknown>): {
  readable: ReadableStream<unknown>;
  writable: WritableStream<Uint8Array>;
} {
  const writer = transform.writable.getWriter();
  const reader = transform.readable.getReader();
  return {
    writable: new WritableStream({
      write: (chunk) => writer.write(chunk),
      close: () => writer.close(),
      abort: (reason) => writer.abort(reason),
    }),
    readable: new ReadableStream({
      async pull(controller) {
        const { value, done } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    }),
  };
}
