import { afterEach, describe, expect, it, vi } from "vitest";
import * as ponyfill from "web-streams-polyfill";
import type { SniffedCsvStream } from "../src/stream.js";
import { eventually, settle } from "./support/watch.js";

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

  // A stream's own pipeThrough takes its own kind only; ReadableStream.from takes whatever can be iterated.
  it("work together: a native readable through the ponyfill's transform", async () => {
    const transform = await ponyfilled();
    const source = ponyfill.ReadableStream.from(new ReadableStream<Uint8Array>({ start }));
    const pair = transform as unknown as ponyfill.ReadableWritablePair<unknown, Uint8Array>;
    expect(await rowsOf(source.pipeThrough(pair))).toEqual(wanted);
  });

  it("work together: the ponyfill's readable through the native transform", async () => {
    const transform = await native();
    const { from } = ReadableStream as unknown as { from(source: unknown): ReadableStream<Uint8Array> };
    const source = from.call(ReadableStream, new ponyfill.ReadableStream<Uint8Array>({ start }));
    expect(await rowsOf(source.pipeThrough(transform))).toEqual(wanted);
  });

  it("work together when they are left", async () => {
    const transform = await ponyfilled();
    let cancelled = false;
    const native = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(bytes),
      cancel: () => {
        cancelled = true;
      },
    });
    const pair = transform as unknown as ponyfill.ReadableWritablePair<unknown, Uint8Array>;
    const reader = ponyfill.ReadableStream.from(native).pipeThrough(pair).getReader();
    void reader.read().catch(() => {});
    await settle();
    await reader.cancel("enough");
    await eventually(() => cancelled, "the native source is cancelled");
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
