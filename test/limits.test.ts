import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CsvError, Reject } from "../src/errors.js";
import { readCsv, sniffCsv } from "../src/index.js";
import type { CsvOptions } from "../src/options.js";
import { piecesOf } from "./support/cuts.js";

/** Array rows, rejected records and the fault that ended them. */
async function outcomeOf(text: string, options: CsvOptions, size = 0) {
  const rejects: number[] = [];
  const rows: unknown[] = [];
  const onReject = (reject: Reject) => rejects.push(reject.record);
  const bytes = new TextEncoder().encode(text);
  const source = size === 0 ? bytes : piecesOf(bytes, size);
  try {
    for await (const row of readCsv(source, { rowShape: "array", ...options, onReject })) rows.push(row);
  } catch (error) {
    const { code, record, line, byteOffset, limit } = error as CsvError;
    return { rows, rejects, fault: { code, record, line, byteOffset, limit } };
  }
  return { rows, rejects, fault: null };
}

const text = "a,b\n1,2\n3\n4,5\n6\n7,8\n9\n10,11\n";
const rejecting = { onError: "reject" } as const;

describe("maxRecords", () => {
  it("ends the rows before the first record too many", async () => {
    expect(await outcomeOf(text, { ...rejecting, maxRecords: 3 })).toEqual({
      rows: [
        [1, 2],
        [4, 5],
      ],
      rejects: [2],
      fault: { code: "TOO_MANY_RECORDS", record: 4, line: 5, byteOffset: 14, limit: 3 },
    });
  });

  it("lets as many pass as it says", async () => {
    const { rows, fault } = await outcomeOf(text, { ...rejecting, maxRecords: 7 });
    expect([rows.length, fault]).toEqual([4, null]);
  });
});

describe("maxRejects", () => {
  it("ends rows and rejects before the record that would be one too many", async () => {
    expect(await outcomeOf(text, { ...rejecting, maxRejects: 1 })).toEqual({
      rows: [
        [1, 2],
        [4, 5],
      ],
      rejects: [2],
      fault: { code: "TOO_MANY_REJECTS", record: 4, line: 5, byteOffset: 14, limit: 1 },
    });
  });

  it("lets as many pass as it says", async () => {
    const { rejects, fault } = await outcomeOf(text, { ...rejecting, maxRejects: 3 });
    expect([rejects, fault]).toEqual([[2, 4, 6], null]);
  });

  it("counts values that break their type with records that are uneven, in the input's order", async () => {
    const sniffed = await sniffCsv("a,b\n1,2\n");
    const records = fc.array(fc.constantFrom("1,2", "3", "x,4", "5,y", "6,7,8"), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(
        records,
        fc.nat(4),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 8 }),
        fc.constantFrom("js", "wasm"),
        async (lines, maxRejects, size, batchRows, engine) => {
          const options = { ...rejecting, sniffed, maxRejects, engine };
          const { rows, rejects, fault } = await outcomeOf(
            ["a,b", ...lines, ""].join("\n"),
            { ...options, batchRows },
            size,
          );
          const bad = lines.flatMap((line, index) => (line === "1,2" ? [] : [index + 1]));
          const end = bad[maxRejects] ?? lines.length + 1;
          expect(rejects).toEqual(bad.slice(0, maxRejects));
          expect(rows.length).toBe(lines.slice(0, end - 1).filter((line) => line === "1,2").length);
          expect(fault?.record).toBe(bad[maxRejects]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("ends VW examples too", async () => {
    const vw = "y,x\n1,2\nabc,3\n2,4\nabc,5\n3,6\n";
    const options: CsvOptions = {
      ...rejecting,
      output: "vw",
      vw: { label: { column: "y", kind: "simple" } },
    };
    const all = await outcomeOf(vw, options);
    const some = await outcomeOf(vw, { ...options, maxRejects: 1 });
    expect(all.rejects).toEqual([2, 4]);
    expect(some).toMatchObject({
      rows: all.rows.slice(0, 2),
      rejects: [2],
      fault: { code: "TOO_MANY_REJECTS", record: 4 },
    });
  });
});

describe("maxFieldSize", () => {
  const long = `a,b\n1,x\n2,${"y".repeat(21)}\n3,z\n`;

  it("is a fault of the record", async () => {
    const { rows, fault } = await outcomeOf(long, { maxFieldSize: 20 });
    expect(rows).toEqual([[1, "x"]]);
    expect(fault).toEqual({ code: "FIELD_TOO_LARGE", record: 2, line: 3, byteOffset: 8, limit: 20 });
  });

  it("may reject it", async () => {
    const { rows, rejects } = await outcomeOf(long, { ...rejecting, maxFieldSize: 20 });
    expect(rows).toEqual([
      [1, "x"],
      [3, "z"],
    ]);
    expect(rejects).toEqual([2]);
  });

  it("lets a field of that size pass", async () => {
    expect((await outcomeOf(long, { maxFieldSize: 21 })).fault).toBeNull();
  });
});

describe("the sniffer's limits", () => {
  it("refuse a name that is too long, measured in bytes", async () => {
    const header = "éé,b\n1,2\n3,4\n";
    await expect(sniffCsv(header, { maxNameSize: 3 })).rejects.toMatchObject({
      code: "NAME_TOO_LARGE",
      record: 0,
      column: 1,
      limit: 3,
    });
    expect((await sniffCsv(header, { maxNameSize: 4 })).columns[0].name).toBe("éé");
  });

  it("refuse a preamble that is too long, unless the caller has said where the table begins", async () => {
    const table = `${"some words of prose\n".repeat(5)}\na;b;c\n1;2;3\n4;5;6\n7;8;9\n`;
    await expect(sniffCsv(table, { maxPreambleSize: 100 })).rejects.toMatchObject({
      code: "PREAMBLE_TOO_LARGE",
      line: 7,
      byteOffset: 101,
      limit: 100,
    });
    expect((await sniffCsv(table, { maxPreambleSize: 101 })).dialect.skipLines).toBe(6);
    expect((await sniffCsv(table, { maxPreambleSize: 0, skipLines: 6 })).columns).toHaveLength(3);
  });

  it("refuse more work than they allow, counted, not timed", async () => {
    const table = "a,b;c\n1,2;3\n".repeat(100);
    await expect(sniffCsv(table, { maxSniffSteps: 100_000 })).rejects.toMatchObject({
      code: "SNIFF_TOO_COSTLY",
      limit: 100_000,
    });
    expect((await sniffCsv(table, { maxSniffSteps: 1_000_000 })).columns.length).toBeGreaterThan(1);
  });

  it("hold for delimiters without number", async () => {
    const delimiters = Array.from(
      { length: 20_000 },
      (_, index) => `a${String.fromCharCode(0x4e00 + index)}`,
    );
    await expect(
      sniffCsv("a1\n".repeat(10_000), { delimiters, maxSniffSteps: 1 << 24 }),
    ).rejects.toMatchObject({
      code: "SNIFF_TOO_COSTLY",
    });
  });
});

describe("a quote that is never closed", () => {
  it("is told at the limit by the line where it opens, however the input is cut", async () => {
    const open = `a,b\n1,x\n"u\nv",2\n"w\n\nz","${"q\n".repeat(800)}`;
    for (const size of [0, 1, 7, 1_000]) {
      const rows: unknown[] = [];
      const bytes = new TextEncoder().encode(open);
      const source = size === 0 ? bytes : piecesOf(bytes, size);
      const options = {
        maxRecordSize: 1_000,
        sampleRows: 2,
        delimiter: ",",
        rowShape: "array",
        types: false,
      } as const;
      const read = async () => {
        for await (const row of readCsv(source, options)) rows.push(row);
      };
      await expect(read()).rejects.toMatchObject({
        code: "RECORD_TOO_LARGE",
        record: 3,
        line: 5,
        message: expect.stringContaining("a quote that opens on line 7 is not closed within them"),
      });
      expect(rows).toEqual([
        ["1", "x"],
        ["u\nv", "2"],
      ]);
    }
  });
});
