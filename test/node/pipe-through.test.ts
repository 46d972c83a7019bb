import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { afterEach, describe, expect, it, vi } from "vitest";
import { sniffedCsv as sniffedDuplex } from "../../src/node/index.js";
import { sniffedCsv } from "../../src/stream.js";
import { settle, unhandledRejectionsOf, withFile } from "../support/watch.js";

const own = () => Object.getOwnPropertyDescriptor(Readable.prototype, "pipeThrough");
const many = `a,b\n${"1,2\n".repeat(60_000)}`;

async function load(): Promise<void> {
  vi.resetModules();
  await import("../../src/node/pipe-through.js");
}

afterEach(() => {
  delete (Readable.prototype as { pipeThrough?: unknown }).pipeThrough;
});

describe("the import", () => {
  it("alone defines pipeThrough, and not enumerably", async () => {
    expect(own()).toBeUndefined();
    await load();
    expect(own()).toMatchObject({ enumerable: false, configurable: true, writable: true });
    const names: string[] = [];
    for (const name in Readable.from([])) names.push(name);
    expect(names).not.toContain("pipeThrough");
  });

  it("leaves one that is there alone", async () => {
    const theirs = () => "theirs";
    Object.defineProperty(Readable.prototype, "pipeThrough", { value: theirs, configurable: true });
    await load();
    expect(own()?.value).toBe(theirs);
  });
});

describe("pipeThrough", () => {
  it("works as it is written", async () => {
    await load();
    await withFile("a,b\n1,x\n2,y\n", async (path) => {
      const rows: unknown[] = [];
      for await (const row of createReadStream(path).pipeThrough(sniffedCsv())) rows.push(row);
      expect(rows).toEqual([
        { a: 1, b: "x" },
        { a: 2, b: "y" },
      ]);
    });
  });

  it("passes on the transform's faults: the file is closed", async () => {
    await load();
    const unhandled = await unhandledRejectionsOf(async () => {
      await withFile(`${many}1\n`, async (path) => {
        const source = createReadStream(path);
        const loop = async () => {
          for await (const _ of source.pipeThrough(sniffedCsv()));
        };
        await expect(loop()).rejects.toMatchObject({ code: "TOO_FEW_FIELDS", record: 60_001 });
        await settle();
        expect(source.destroyed).toBe(true);
      });
    });
    expect(unhandled).toEqual([]);
  });

  it("passes on the source's failure", async () => {
    await load();
    const unhandled = await unhandledRejectionsOf(async () => {
      const source = new Readable({
        read() {
          this.push("a,b\n1,2\n");
          this.destroy(new RangeError("the disk is gone"));
        },
      });
      const transform = sniffedCsv();
      const loop = async () => {
        for await (const _ of source.pipeThrough(transform));
      };
      await expect(loop()).rejects.toThrow("the disk is gone");
      await expect(transform.sniffed).rejects.toThrow("the disk is gone");
    });
    expect(unhandled).toEqual([]);
  });

  it("passes on cancellation: break closes the file", async () => {
    await load();
    const unhandled = await unhandledRejectionsOf(async () => {
      await withFile(many, async (path) => {
        const source = createReadStream(path);
        for await (const _ of source.pipeThrough(sniffedCsv())) break;
        await settle();
        expect(source.destroyed).toBe(true);
      });
    });
    expect(unhandled).toEqual([]);
  });

  it("stops at a signal of its own options", async () => {
    await load();
    const unhandled = await unhandledRejectionsOf(async () => {
      const controller = new AbortController();
      const source = new Readable({ read() {} });
      const rows = source.pipeThrough(sniffedCsv(), { signal: controller.signal })[Symbol.asyncIterator]();
      const waiting = rows.next();
      await settle();
      controller.abort(new Error("why"));
      await expect(waiting).rejects.toThrow("why");
      await settle();
      expect(source.destroyed).toBe(true);
    });
    expect(unhandled).toEqual([]);
  });

  it("refuses a Node Duplex, and says what goes with it", async () => {
    await load();
    const duplex = sniffedDuplex() as never;
    expect(() => Readable.from([]).pipeThrough(duplex)).toThrow(/pipe or pipeline/);
    expect(() => Readable.from([]).pipeThrough(undefined as never)).toThrow(TypeError);
  });
});
