import { Readable } from "node:stream";
import * as zlib from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCsv, sniffCsv } from "../../src/index.js";
import { readCsvFile, sniffCsvFile } from "../../src/node/index.js";
import { cutAt, piecesOf } from "../support/cuts.js";
import { eventually, openDescriptors, settle, unhandledRejectionsOf, withFile } from "../support/watch.js";

const text = `n,t\n${Array.from({ length: 3_000 }, (_, n) => `${n},"é ${n * 7919}"`).join("\n")}\n`;
const rows = Array.from({ length: 3_000 }, (_, n) => ({ n, t: `é ${n * 7919}` }));
const gzip = new Uint8Array(zlib.gzipSync(text));

describe("gzip input", () => {
  it("is read as what it holds, in any cuts, its first bytes included", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(gzip.length), { maxLength: 6 }), async (places) => {
        expect(await readCsv(cutAt(gzip, places)).toArray()).toEqual(rows);
      }),
      { numRuns: 30 },
    );
    expect(await readCsv(piecesOf(gzip, 1)).toArray()).toEqual(rows);
    expect(await readCsv([gzip.subarray(0, 1), new Uint8Array(0), gzip.subarray(1)]).toArray()).toEqual(rows);
  });

  it("is sniffed", async () => {
    expect(await sniffCsv(gzip)).toEqual(await sniffCsv(text));
  });

  it("may be of several members", async () => {
    const parts = [text.slice(0, 5_000), text.slice(5_000)].map(
      (part) => new Uint8Array(zlib.gzipSync(part)),
    );
    expect(await readCsv(parts).toArray()).toEqual(rows);
  });

  it("may be written over by a source that uses its memory again", async () => {
    async function* reusing() {
      const memory = [new Uint8Array(700), new Uint8Array(700)];
      for (const [turn, piece] of piecesOf(gzip, 700).entries()) {
        memory[turn & 1].set(piece);
        yield memory[turn & 1].subarray(0, piece.length);
        memory[turn & 1].fill(0);
      }
    }
    expect(await readCsv(reusing()).toArray()).toEqual(rows);
  });

  it("that ends too soon is a fault behind the rows before it", async () => {
    const unhandled = await unhandledRejectionsOf(async () => {
      for (const length of [2, 5, 12, 2_000, 8_000, gzip.length - 9, gzip.length - 1]) {
        const read: unknown[] = [];
        const reading = async () => {
          for await (const row of readCsv(piecesOf(gzip.subarray(0, length), 500))) read.push(row);
        };
        await expect(reading()).rejects.toMatchObject({ code: "DAMAGED_COMPRESSION" });
        expect(read).toEqual(rows.slice(0, read.length));
        if (length >= gzip.length - 9) expect(read.length).toBeGreaterThan(2_900);
      }
    });
    expect(unhandled).toEqual([]);
  });

  it("that is damaged is a fault", async () => {
    const damaged = gzip.slice();
    damaged.fill(0xff, 3_000, 3_020);
    await expect(readCsv(damaged).toArray()).rejects.toMatchObject({ code: "DAMAGED_COMPRESSION" });
  });

  it("passes on what its source fails with", async () => {
    const failure = new Error("the source is gone");
    async function* failing() {
      yield gzip.subarray(0, 9_000);
      throw failure;
    }
    await expect(readCsv(failing()).toArray()).rejects.toBe(failure);
  });

  it("releases its source when it is left", async () => {
    const unhandled = await unhandledRejectionsOf(async () => {
      let isReleased = false;
      async function* source() {
        try {
          for (const piece of piecesOf(gzip, 300)) {
            await settle();
            yield piece;
          }
        } finally {
          isReleased = true;
        }
      }
      for await (const _ of readCsv(source(), { sampleRows: 5 })) break;
      await eventually(() => isReleased, "the source is released");
      await settle();
    });
    expect(unhandled).toEqual([]);
  });
});

describe("what is no compressed input", () => {
  it("is left as it is, though it begins alike", async () => {
    for (const [bytes, names] of [
      [[0x1f], ["\x1f"]],
      [[0x28, 0x0a, 0x31], ["("]],
      [[0x28], ["("]],
    ] as const) {
      const { columns } = await sniffCsv(piecesOf(Uint8Array.from(bytes), 1), { header: true });
      expect(columns.map(({ originalName }) => originalName)).toEqual(names);
    }
    expect(await readCsv(["", "a\n1\n"]).toArray()).toEqual([{ a: 1 }]);
  });
});

describe("a bomb", () => {
  // 200 MiB of rows that are alike, in some 200 KiB.
  const row = new TextEncoder().encode("1,2\n".repeat(1 << 18));
  const bomb = zlib.gzipSync(Buffer.concat([Buffer.from("a,b\n"), ...new Array(200).fill(row)]), {
    level: 9,
  });

  it("is stopped by how far it expands, behind rows and in bounded memory", async () => {
    let count = 0;
    const before = process.memoryUsage().rss;
    let most = 0;
    const reading = async () => {
      for await (const batch of readCsv(bomb, { output: "batches" })) {
        count += batch.rowCount;
        most = Math.max(most, process.memoryUsage().rss - before);
      }
    };
    await expect(reading()).rejects.toMatchObject({ code: "DECOMPRESSED_TOO_LARGE", limit: 250 });
    expect(count).toBeGreaterThan(1_000_000);
    expect(count).toBeLessThan(20_000_000);
    expect(most).toBeLessThan(150 << 20);
  });

  it("is stopped by its size", async () => {
    const limits = { maxDecompressedBytes: 1 << 20, maxDecompressionRatio: 100_000 };
    await expect(readCsv(bomb, limits).toArray()).rejects.toMatchObject({
      code: "DECOMPRESSED_TOO_LARGE",
      limit: 1 << 20,
    });
  });

  it("passes where the caller lets it", async () => {
    let count = 0;
    for await (const batch of readCsv(bomb, { output: "batches", maxDecompressionRatio: 2_000 }))
      count += batch.rowCount;
    expect(count).toBe(200 << 18);
  });

  it("may be refused unread", async () => {
    await expect(readCsv(bomb, { maxDecompressedBytes: 0 }).toArray()).rejects.toMatchObject({
      code: "COMPRESSED_INPUT",
    });
  });
});

describe("compressed files", () => {
  const { zstdCompressSync } = zlib as { zstdCompressSync?: (text: string) => Uint8Array };

  it("are read by one thread or asked for more, and closed", async () => {
    await withFile(gzip, async (path) => {
      expect(await readCsvFile(path).toArray()).toEqual(rows);
      expect(await readCsvFile(path, { threads: 2 }).toArray()).toEqual(rows);
      expect((await sniffCsvFile(path)).columns).toHaveLength(2);
      for await (const _ of readCsvFile(path, { sampleRows: 5 })) break;
      await eventually(() => openDescriptors(path) === 0, "the file is closed");
    });
  });

  it("of brotli are told by their names", async () => {
    await withFile(zlib.brotliCompressSync(text), async (path) => {
      const { renameSync } = await import("node:fs");
      renameSync(path, `${path}.br`);
      expect(await readCsvFile(`${path}.br`).toArray()).toEqual(rows);
      renameSync(`${path}.br`, path);
    });
  });

  it.runIf(zstdCompressSync !== undefined)("of zstd are read where Node knows it", async () => {
    await withFile(zstdCompressSync?.(text) ?? "", async (path) => {
      expect(await readCsvFile(path).toArray()).toEqual(rows);
    });
  });

  it.runIf(zstdCompressSync === undefined)("of zstd are refused where Node does not know it", async () => {
    await withFile(Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x24, 1, 0, 0), async (path) => {
      await expect(readCsvFile(path).toArray()).rejects.toMatchObject({ code: "COMPRESSED_INPUT" });
    });
  });

  it("are read from Node's streams", async () => {
    expect(await readCsv(Readable.from([Buffer.from(gzip)])).toArray()).toEqual(rows);
  });
});
