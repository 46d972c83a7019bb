import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type BatchColumn, type ColumnBatch, readCsv, transferables } from "../../../src/index.js";
import type { CsvOptions } from "../../../src/options.js";
import { formatTime } from "../../../src/types/temporal-text.js";
import { cutAt } from "../../support/cuts.js";
import { plainOutcome, readFace } from "../../support/faces.js";
import { tableBytes, tableOptions } from "../../support/tables.js";

const isSet = (bits: Uint8Array, row: number) => ((bits[row >> 3] >> (row & 7)) & 1) === 1;

/** A row's value as rows have it, read from the vectors by the rules of Arrow. */
function valueOf(column: BatchColumn, row: number, isBigint: boolean): unknown {
  const { type, values, offsets, validity } = column;
  if (validity !== null && !isSet(validity, row)) return null;
  if (values instanceof Uint8Array) {
    if (offsets === undefined) return isSet(values, row);
    return new TextDecoder("utf-8", { ignoreBOM: true, fatal: true }).decode(
      values.subarray(offsets[row], offsets[row + 1]),
    );
  }
  const value = values[row];
  if (type === "DATE") return new Date(Number(value) * 86_400_000);
  if (type === "TIME") return formatTime(Number(value));
  if (type === "TIMESTAMP" || type === "TIMESTAMPTZ") {
    const micros = value as bigint;
    const floor = micros - (((micros % 1000n) + 1000n) % 1000n);
    return new Date(Number(floor / 1000n));
  }
  if (type === "BIGINT" && !isBigint) return Number(value);
  return value;
}

function rowsOf(batches: readonly ColumnBatch[]): unknown[][] {
  return batches.flatMap(({ rowCount, columns, schema }) =>
    Array.from({ length: rowCount }, (_, row) =>
      columns.map((column, index) => valueOf(column, row, schema[index].bigint ?? false)),
    ),
  );
}

async function batchesOf(text: string | Uint8Array, options: CsvOptions = {}): Promise<ColumnBatch[]> {
  return readCsv(text, { ...options, output: "batches" }).toArray();
}

/** What does not go with batches, or would be another question. */
function withoutRowOptions(options: CsvOptions): CsvOptions {
  const { output: _output, rowShape: _shape, dates: _dates, escapeFormulas: _guard, ...rest } = options;
  return rest;
}

describe("column batches", () => {
  it("hold what rows hold, in the same order, with the same faults", async () => {
    const cuts = fc.array(fc.nat(300), { maxLength: 4 });
    const layout = fc.record({
      batchRows: fc.integer({ min: 1, max: 9 }),
      batchText: fc.constantFrom("strings", "utf8"),
    });
    await fc.assert(
      fc.asyncProperty(tableBytes, tableOptions, layout, cuts, async (bytes, given, batching, places) => {
        const options = withoutRowOptions(given);
        const rows = await readFace.read([bytes], {
          ...options,
          rowShape: "array",
          duplicateHeaders: "rename",
        });
        const batching_ = {
          ...options,
          ...batching,
          duplicateHeaders: "rename",
          output: "batches",
        } as CsvOptions;
        const batches = await readFace.read(cutAt(bytes, places), batching_);
        expect(rowsOf(batches.rows as ColumnBatch[])).toEqual(rows.rows);
        expect({ ...plainOutcome(batches), rows: [] }).toEqual({ ...plainOutcome(rows), rows: [] });
        // Batches are of one size but for the last, and for one before a column changes.
        const sizes = (batches.rows as ColumnBatch[]).map(({ rowCount }) => rowCount);
        if (batches.schema.length === 0) {
          expect(sizes.slice(0, -1).every((size) => size === batching.batchRows)).toBe(true);
        }
        expect(await readFace.read([bytes], batching_)).toEqual(batches);
      }),
      { numRuns: 400 },
    );
  });

  it("have Arrow's layouts", async () => {
    const text =
      "i,d,b,day,t,ts,s\n1,0.5,true,1970-01-02,00:00:01,1970-01-01 00:00:00.000002,é\n,,,,,,\n-3,2,false,1969-12-31,01:00:00,1969-12-31 23:59:59.999999,xy\n";
    const [batch] = await batchesOf(text, { batchText: "utf8" });
    expect(batch.rowCount).toBe(3);
    const vectors = Object.fromEntries(batch.columns.map(({ name, values }) => [name, values]));
    expect(vectors).toEqual({
      i: new BigInt64Array([1n, 0n, -3n]),
      d: new Float64Array([0.5, 0, 2]),
      b: new Uint8Array([0b001]),
      day: new Int32Array([1, 0, -1]),
      t: new BigInt64Array([1_000_000n, 0n, 3_600_000_000n]),
      ts: new BigInt64Array([2n, 0n, -1n]),
      s: new TextEncoder().encode("éxy"),
    });
    expect(batch.columns[6].offsets).toEqual(new Int32Array([0, 2, 2, 4]));
    for (const { validity, nullCount } of batch.columns) {
      expect(validity).toEqual(new Uint8Array([0b101]));
      expect(nullCount).toBe(1);
    }
    expect(batch.schema.map(({ name, type }) => `${name} ${type}`)).toEqual([
      "i BIGINT",
      "d DOUBLE",
      "b BOOLEAN",
      "day DATE",
      "t TIME",
      "ts TIMESTAMP",
      "s VARCHAR",
    ]);
  });

  it("keep every integer of 64 bits, and doubles by wish", async () => {
    const numbers = [
      "9223372036854775807",
      "-9223372036854775808",
      "9007199254740991",
      "-9007199254740991",
      "4294967296",
      "-4294967297",
      "-1",
      "0",
    ];
    const text = `n\n${numbers.join("\n")}\n`;
    const [wide] = await batchesOf(text);
    expect(wide.columns[0].values).toEqual(BigInt64Array.from(numbers.map(BigInt)));
    const safe = `n\n${numbers.slice(2).join("\n")}\n`;
    const [small] = await batchesOf(safe);
    expect(small.columns[0].values).toEqual(BigInt64Array.from(numbers.slice(2).map(BigInt)));
    const [never] = await batchesOf(safe, { bigint: "never" });
    expect(never.columns[0].values).toEqual(Float64Array.from(numbers.slice(2).map(Number)));
  });

  it("reach the ends of the calendar", async () => {
    const text = "ts\n0001-01-01 00:00:00\n9999-12-31 23:59:59.999999\n";
    const [batch] = await batchesOf(text, { header: true, types: ["TIMESTAMP"] });
    expect(batch.columns[0].values).toEqual(
      new BigInt64Array([-62_135_596_800_000_000n, 253_402_300_799_999_999n]),
    );
  });

  it("are the caller's own, and can be handed to another thread", async () => {
    const [first, second] = await batchesOf("a,b\n1,x\n2,y\n3,z\n4,\n", { batchRows: 2, batchText: "utf8" });
    const kept = structuredClone(second);
    const moved = structuredClone(first, { transfer: transferables(first) });
    expect((first.columns[0].values as BigInt64Array).byteLength).toBe(0);
    expect(rowsOf([moved])).toEqual([
      [1, "x"],
      [2, "y"],
    ]);
    expect(second).toEqual(kept);
  });

  it("begin anew where a column is widened", async () => {
    const text = `a\n${"1\n".repeat(5)}1.5\nx\n`;
    const batches = await batchesOf(text, { sampleRows: 2, onTypeMismatch: "widen", batchRows: 3 });
    expect(batches.map(({ rowCount, columns }) => [rowCount, columns[0].type])).toEqual([
      [3, "BIGINT"],
      [2, "BIGINT"],
      [1, "DOUBLE"],
      [1, "VARCHAR"],
    ]);
    expect(batches[0].schema).toBe(batches[1].schema);
  });

  it("go on where a column without a value so far turns out to be text", async () => {
    for (const batchText of ["strings", "utf8"] as const) {
      const options = { sampleRows: 2, onTypeMismatch: "widen", batchRows: 3, batchText } as const;
      const batches = await batchesOf("a,b\n,1\n,2\nx,3\ny,4\n", { ...options, header: true });
      expect(batches.map(({ rowCount }) => rowCount)).toEqual([3, 1]);
      expect(rowsOf(batches)).toEqual([
        [null, 1],
        [null, 2],
        ["x", 3],
        ["y", 4],
      ]);
      expect(batches[0].schema).toBe(batches[1].schema);
    }
  });

  it("read bad bytes as U+FFFD where that is wished", async () => {
    const bytes = Uint8Array.from([0x61, 0x0a, 0xc3, 0x0a, 0xa9, 0x0a, 0x78, 0x0a]);
    const [batch] = await batchesOf(bytes, {
      fatal: false,
      header: true,
      encoding: "utf-8",
      batchText: "utf8",
    });
    expect(rowsOf([batch])).toEqual([["\ufffd"], ["\ufffd"], ["x"]]);
  });

  it("may be as large as the caller likes, and take the memory of what they hold", async () => {
    const lines = Array.from({ length: 20_000 }, (_, i) =>
      i % 5_000 === 7 ? ",," : `${i},${i % 3 === 0},text ${i}`,
    );
    const text = `n,b,t\n${lines.join("\n")}\n`;
    for (const batchText of ["strings", "utf8"] as const) {
      const [batch, ...others] = await batchesOf(text, { batchRows: 1 << 24, batchText });
      expect(others).toEqual([]);
      expect(batch.columns[0].nullCount).toBe(4);
      expect(transferables(batch).every((memory) => memory.byteLength < 1 << 20)).toBe(true);
      const small = await batchesOf(text, { batchRows: 1_000, batchText });
      expect(rowsOf([batch])).toEqual(rowsOf(small));
    }
  });

  it("are counted by rows, and stop at the limit", async () => {
    const rows = readCsv("a\n1\n2\n3\n4\n5\n", { output: "batches", batchRows: 2, limit: 3 });
    const sizes: number[] = [];
    for await (const batch of rows) sizes.push(batch.rowCount);
    expect(sizes).toEqual([2, 1]);
    expect(rows.rowsEmitted).toBe(3);
  });
});
