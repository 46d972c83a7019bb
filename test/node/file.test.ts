import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { readCsvFile, sniffCsvFile } from "../../src/node/index.js";
import { openDescriptors, unhandledRejectionsOf, withFile } from "../support/watch.js";

const many = `a,b\n${"1,x\n".repeat(150_000)}`;

describe("a file", () => {
  it("is read by path and by URL", async () => {
    await withFile("a,b\n1,x\n", async (path) => {
      expect(await readCsvFile(path).toArray()).toEqual([{ a: 1, b: "x" }]);
      expect(await readCsvFile(pathToFileURL(path), { rowShape: "array" }).toArray()).toEqual([[1, "x"]]);
    });
  });

  it("is read whole, block after block in the same memory", async () => {
    await withFile(many, async (path) => {
      let rows = 0;
      for await (const row of readCsvFile(path)) {
        if (row.a !== 1 || row.b !== "x") throw new Error(`row ${rows} is ${JSON.stringify(row)}`);
        rows++;
      }
      expect(rows).toBe(150_000);
    });
  });

  it("is opened when it is asked for, and closed at the end", async () => {
    await withFile(many, async (path) => {
      const rows = readCsvFile(path);
      expect(openDescriptors(path)).toBe(0);
      await rows.next();
      expect(openDescriptors(path)).toBe(1);
      await rows.toArray();
      expect(openDescriptors(path)).toBe(0);
    });
  });

  it("is closed after break, a fault, an abort and a sniff", async () => {
    const unhandled = await unhandledRejectionsOf(async () => {
      await withFile(`${many}1\n`, async (path) => {
        for await (const _ of readCsvFile(path)) break;
        expect(openDescriptors(path)).toBe(0);

        await expect(readCsvFile(path).toArray()).rejects.toMatchObject({ code: "TOO_FEW_FIELDS" });
        expect(openDescriptors(path)).toBe(0);

        const controller = new AbortController();
        const rows = readCsvFile(path, { signal: controller.signal });
        await rows.next();
        controller.abort("why");
        await expect(rows.next()).rejects.toBe("why");

        expect((await sniffCsvFile(path)).columns.map(({ type }) => type)).toEqual(["BIGINT", "VARCHAR"]);
      });
    });
    expect(unhandled).toEqual([]);
  });

  it("that is not there is told by the file system", async () => {
    await expect(readCsvFile("/nowhere/at/all.csv").toArray()).rejects.toMatchObject({ code: "ENOENT" });
    await expect(sniffCsvFile("/nowhere/at/all.csv")).rejects.toMatchObject({ code: "ENOENT" });
  });
});
