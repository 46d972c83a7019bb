import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { BufferManager, type SampleLimits } from "../../src/input/buffer-manager.js";
import { readCsv } from "../../src/read.js";
import { cutAt, piecesOf } from "../support/cuts.js";

const encode = (text: string) => new TextEncoder().encode(text);
const LIMITS: SampleLimits = { sampleRows: 20_480, sampleBytes: 8 << 20, maxRecordSize: 2 << 20 };

/** Gathers the sample, then everything else, as a parser does that has no use for what it has seen. */
async function readAll(pieces: readonly Uint8Array[], limits: SampleLimits, encoding?: string) {
  const buffer = new BufferManager(limits);
  const waiting = pieces[Symbol.iterator]();
  while (!buffer.sampleReady()) {
    const { value: piece, done } = waiting.next();
    if (done) buffer.end();
    else buffer.push(piece);
  }
  const bounds = await buffer.takeSample(encoding);
  const parts = [buffer.bytes.slice(bounds.start, buffer.length)];
  for (;;) {
    while (buffer.fillable) {
      const before = buffer.length;
      const moved = buffer.fill(buffer.length);
      parts.push(buffer.bytes.slice(before - moved, buffer.length));
    }
    if (buffer.last) break;
    const { value: piece, done } = waiting.next();
    if (done) buffer.end();
    else buffer.push(piece);
  }
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return { bounds, text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(whole), whole };
}

/** Counts the bytes that typed arrays copy while something runs. */
const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as { set: unknown; copyWithin: unknown };
const original = { set: typedArray.set, copyWithin: typedArray.copyWithin };
afterEach(() => {
  Object.assign(typedArray, original);
});

async function bytesMovedBy(scene: () => Promise<unknown>): Promise<number> {
  let moved = 0;
  typedArray.set = function (this: Uint8Array, source: ArrayLike<number>, offset?: number) {
    moved += source.length;
    return Reflect.apply(original.set as () => void, this, [source, offset ?? 0]);
  };
  typedArray.copyWithin = function (this: Uint8Array, target: number, start: number, end?: number) {
    moved += (end ?? this.length) - start;
    return Reflect.apply(original.copyWithin as () => void, this, [target, start, end]);
  };
  await scene();
  Object.assign(typedArray, original);
  return moved;
}

describe("the sample", () => {
  it("ends at the same byte in any cuts, and nothing is lost", async () => {
    const parts = fc.constantFrom("a", ",", "\n", "\r", "\r\n", "é", '"');
    const text = fc.array(parts, { maxLength: 60 }).map((chosen) => chosen.join(""));
    const limits = fc.record({
      sampleRows: fc.integer({ min: 1, max: 5 }),
      sampleBytes: fc.integer({ min: 1, max: 40 }),
      maxRecordSize: fc.integer({ min: 1, max: 20 }),
    });
    await fc.assert(
      fc.asyncProperty(text, limits, fc.array(fc.nat(80)), async (input, bounds, places) => {
        const bytes = encode(input);
        const whole = await readAll([bytes], bounds);
        expect(whole.whole).toEqual(bytes);
        expect(await readAll(cutAt(bytes, places), bounds)).toEqual(whole);
        expect(await readAll(piecesOf(bytes, 1), bounds)).toEqual(whole);
      }),
      { numRuns: 1_000 },
    );
  });

  it("ends after the line that the header and the records take, or the bytes", async () => {
    const bytes = encode("a\n1\n2\n3\n4\n");
    expect((await readAll([bytes], { ...LIMITS, sampleRows: 2 })).bounds).toMatchObject({
      end: 6,
      complete: false,
    });
    expect((await readAll([bytes], { ...LIMITS, sampleBytes: 5 })).bounds).toMatchObject({
      end: 5,
      complete: false,
    });
    expect((await readAll([bytes], LIMITS)).bounds).toMatchObject({ end: 10, complete: true });
  });

  it("does not end within the first line, unless that is longer than a record may be", async () => {
    const bytes = encode(`${"a".repeat(50)}\nb\n`);
    const limits = { ...LIMITS, sampleBytes: 10 };
    expect((await readAll([bytes], limits)).bounds.end).toBe(51);
    expect((await readAll([bytes], { ...limits, maxRecordSize: 20 })).bounds.end).toBe(30);
  });

  it("does not end between CR and LF", async () => {
    const pieces = ["a\r", "\nb\r", "\n"].map(encode);
    expect((await readAll(pieces, { ...LIMITS, sampleRows: 1 })).bounds).toMatchObject({
      end: 6,
      complete: true,
    });
  });

  it("is refused where it is an archive", async () => {
    const archives = {
      gzip: [0x1f, 0x8b, 0x08, 0],
      zip: [0x50, 0x4b, 0x03, 0x04],
      zstd: [0x28, 0xb5, 0x2f, 0xfd],
      bzip2: [0x42, 0x5a, 0x68, 0x39],
      xz: [0xfd, 0x37, 0x7a, 0x58, 0x5a],
    };
    for (const [name, magic] of Object.entries(archives)) {
      await expect(readAll([Uint8Array.from(magic)], LIMITS)).rejects.toMatchObject({
        code: "COMPRESSED_INPUT",
        message: expect.stringContaining(name),
      });
    }
  });
});

describe("other encodings", () => {
  const text = "naïve,€\nœ,日本 😀\n";
  const utf16 = (little: boolean) => {
    const bytes = new Uint8Array(text.length * 2);
    const view = new DataView(bytes.buffer);
    for (let i = 0; i < text.length; i++) view.setUint16(2 * i, text.charCodeAt(i), little);
    return bytes;
  };

  it("are turned to UTF-8, wherever a character is cut", async () => {
    for (const [encoding, bytes] of [
      ["utf-16le", utf16(true)],
      ["utf-16be", utf16(false)],
    ] as const) {
      for (const limits of [LIMITS, { ...LIMITS, sampleBytes: 3, maxRecordSize: 2 }]) {
        for (const size of [1, 2, 3, 5, 7, bytes.length]) {
          expect((await readAll(piecesOf(bytes, size), limits, encoding)).text).toBe(text);
        }
      }
    }
  });

  it("may end within a character", async () => {
    const cut = utf16(true).subarray(0, 2 * text.length - 5);
    for (const size of [1, cut.length]) {
      const { text: read } = await readAll(
        piecesOf(cut, size),
        { ...LIMITS, sampleBytes: 3, maxRecordSize: 2 },
        "utf-16le",
      );
      expect(read).toBe(`${text.slice(0, -3)}\ufffd`);
    }
  });
});

describe("memory", () => {
  it("is moved a few times only, however small the chunks are", async () => {
    const bytes = encode(`a,b\n${"1,xy\n".repeat(60_000)}`);
    const fill = () => readAll(piecesOf(bytes, 1), { ...LIMITS, sampleRows: 10 });
    // Once by the test itself, to put the parts together.
    expect(await bytesMovedBy(fill)).toBeLessThan(5 * bytes.length);
    const sample = () => readAll(piecesOf(bytes, 1), LIMITS);
    expect(await bytesMovedBy(sample)).toBeLessThan(6 * bytes.length);
  });

  it("is moved a few times only by a parser, with records that span many chunks", async () => {
    const record = `"${"x".repeat(20_000)}",1\n`;
    const bytes = encode(`a,b\n${record.repeat(10)}`);
    let rows = 0;
    const moved = await bytesMovedBy(async () => {
      for await (const _ of readCsv(piecesOf(bytes, 1), { sampleBytes: 100, engine: "js" })) rows++;
    });
    expect(rows).toBe(10);
    expect(moved).toBeLessThan(8 * bytes.length);
  });

  it("is bounded by what is open and a piece of the chunk, whatever has gone before", async () => {
    const buffer = new BufferManager({ ...LIMITS, sampleBytes: 10 });
    const chunk = encode("1,2\n".repeat(1 << 16));
    buffer.push(chunk);
    await buffer.takeSample("utf-8");
    let largest = 0;
    for (let round = 0; round < 100; round++) {
      while (buffer.fillable) {
        buffer.fill(buffer.length);
        largest = Math.max(largest, buffer.bytes.length);
      }
      buffer.push(chunk);
    }
    expect(buffer.offset).toBeGreaterThan(20 << 20);
    expect(largest).toBeLessThanOrEqual(3 << 18);
  });

  it("of the caller is only read", async () => {
    const chunk = encode("a,b\n1,2\n");
    const before = chunk.slice();
    const buffer = new BufferManager({ ...LIMITS, sampleBytes: 2 });
    buffer.push(chunk);
    buffer.end();
    await buffer.takeSample(undefined);
    while (buffer.fillable) buffer.fill(buffer.length);
    buffer.bytes.fill(0x21);
    expect(chunk).toEqual(before);
  });
});
