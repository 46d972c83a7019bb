import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ChunkReader } from "../../src/input/chunks.js";

describe("chunks", () => {
  it("of text are UTF-8, wherever a surrogate pair is cut", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 20 }), fc.array(fc.nat(25)), (text, places) => {
        const reader = new ChunkReader();
        const cuts = [
          0,
          ...places.map((place) => Math.min(place, text.length)).sort((a, b) => a - b),
          text.length,
        ];
        const bytes: number[] = [];
        for (let i = 1; i < cuts.length; i++) bytes.push(...reader.read(text.slice(cuts[i - 1], cuts[i])));
        bytes.push(...reader.end());
        expect(bytes).toEqual([...new TextEncoder().encode(text)]);
      }),
      { numRuns: 2_000 },
    );
  });

  it("of bytes are views of the caller's memory", () => {
    const memory = Uint8Array.of(9, 1, 2, 3, 9).buffer;
    const reader = new ChunkReader();
    for (const chunk of [
      new Uint8Array(memory, 1, 3),
      new DataView(memory, 1, 3),
      new Uint8ClampedArray(memory, 1, 3),
    ]) {
      const bytes = reader.read(chunk);
      expect([...bytes]).toEqual([1, 2, 3]);
      expect(bytes.buffer).toBe(memory);
    }
    expect([...reader.read(memory)]).toEqual([9, 1, 2, 3, 9]);
    expect([...reader.read(new Uint16Array(Uint8Array.of(1, 2).buffer))]).toEqual([1, 2]);
  });

  it("may come from another realm", () => {
    const foreign = runInNewContext("({ bytes: Uint8Array.of(1, 2), buffer: Uint8Array.of(3).buffer })");
    const reader = new ChunkReader();
    expect([...reader.read(foreign.bytes)]).toEqual([1, 2]);
    expect([...reader.read(foreign.buffer)]).toEqual([3]);
    expect([...reader.read(Uint8Array.from([4]).buffer)]).toEqual([4]);
    const shared = new SharedArrayBuffer(1);
    expect([...reader.read(shared)]).toEqual([0]);
  });

  it("of other kinds are refused", () => {
    for (const chunk of [null, undefined, 1, {}, [1], true]) {
      expect(() => new ChunkReader().read(chunk)).toThrow(expect.objectContaining({ code: "INVALID_CHUNK" }));
    }
  });
});
