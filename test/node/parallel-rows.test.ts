import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ColumnBatch, readCsv } from "../../src/index.js";
import { parallelRows } from "../../src/node/file.js";
import { type Cutting, ParallelReader } from "../../src/node/parallel-rows.js";
import type { Segment } from "../../src/node/segment.js";
import { type CsvOptions, type ResolvedOptions, resolveOptions } from "../../src/options.js";
import { withStrings } from "../../src/output/batches/text-column.js";
import { HerePool, readBothWays } from "../support/parallel.js";
import { tableBytes, tableOptions } from "../support/tables.js";
import { withFile } from "../support/watch.js";

const cuttings = fc.record({
  head: fc.integer({ min: 1, max: 120 }),
  segment: fc.integer({ min: 1, max: 90 }),
});

/** Tables long enough to be cut, with line breaks in quotes, blank lines and comments anywhere. */
const quotedTables = fc
  .array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc
          .tuple(
            fc.nat(9_999),
            fc.constantFrom("x", "é", "", '"a\nb"', '"q""q"', '"\n1,2\n"', '"a\n1,x\n2,y\n3,z\n"'),
          )
          .map(([n, text]) => `${n},${text}`),
      },
      fc.constantFrom("", "# c", "1", "1,2,3", "1.5,x", 'a,"open', "nope,x", '5,"x"y'),
    ),
    { minLength: 5, maxLength: 60 },
  )
  .chain((records) =>
    fc
      .constantFrom("\n", "\r\n", "\r")
      .map((newline) => new TextEncoder().encode(`n,t${newline}${records.join(newline)}`)),
  );

/** Insists that both ways find the same, where a file of such options may be read by several. */
async function compare(
  bytes: Uint8Array,
  given: CsvOptions,
  cutting: Cutting,
  failing: number[] = [],
): Promise<void> {
  await withFile(bytes, async (path) => {
    const found = await readBothWays(path, bytes, { engine: "auto", ...given }, cutting, failing);
    if (found !== null) expect(found.parallel).toEqual(found.single);
  });
}

describe("a file read in segments", () => {
  it("gives one reader's rows, rejects, changes, warnings and faults, wherever it is cut", async () => {
    await fc.assert(
      fc.asyncProperty(tableBytes, tableOptions, cuttings, (bytes, options, cutting) =>
        compare(bytes, options, cutting),
      ),
      { numRuns: 300 },
    );
  });

  it("does so where line ends lie in quotes, and whoever reads ahead fails", async () => {
    const options = fc.record({
      header: fc.constant(true),
      delimiter: fc.constant(","),
      quote: fc.constant('"'),
      comment: fc.constantFrom(null, "#"),
      types: fc.constantFrom(undefined, ["BIGINT", "VARCHAR"]),
      onError: fc.constantFrom("error", "reject"),
      onTypeMismatch: fc.constantFrom("error", "reject", "null", "widen"),
      sampleRows: fc.constantFrom(3, 20_480),
      output: fc.constantFrom("rows", "rows", "batches", "ndjson", "csv"),
      batchRows: fc.integer({ min: 1, max: 7 }),
      rowShape: fc.constantFrom("object", "array"),
    });
    const failing = fc.array(fc.nat(6), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(quotedTables, options as fc.Arbitrary<CsvOptions>, cuttings, failing, compare),
      { numRuns: 300 },
    );
  });

  it("takes as they are the segments that were read ahead", async () => {
    const record = '1,"a ""quoted"" text",2024-01-31,true\n';
    const bytes = new TextEncoder().encode(`n,t,d,b\n${record.repeat(5_000)}`);
    await withFile(bytes, async (path) => {
      let rows = 0;
      let failed = 0;
      const options = resolveOptions({});
      class CountingPool extends HerePool {
        override async read(segment: Segment) {
          const result = await super.read(segment);
          if (result?.isOrdinary) rows += result.rows.reduce((sum, { rowCount }) => sum + rowCount, 0);
          else failed++;
          return result;
        }
      }
      const pool = (settled: ResolvedOptions) => new CountingPool(path, settled, () => false);
      const reader = new ParallelReader(path, options, pool, { head: 1_000, segment: 20_000 });
      expect(await parallelRows(reader, options).toArray()).toEqual(await readCsv(bytes).toArray());
      expect(failed).toBe(0);
      // Two threads of three read ahead.
      expect(rows).toBeGreaterThan(3_000);
    });
  });

  it("ends batches at the same rows, whoever has read them", async () => {
    const bytes = new TextEncoder().encode(`n,t\n${"1,x\n".repeat(1_000)}`);
    await withFile(bytes, async (path) => {
      const options = resolveOptions({ output: "batches", batchRows: 50 });
      const ends = async (fails: (index: number) => boolean) => {
        const pool = (settled: ResolvedOptions) => new HerePool(path, settled, fails);
        const reader = new ParallelReader(path, options, pool, { head: 100, segment: 500 });
        const batches = (await parallelRows(reader, options).toArray()) as ColumnBatch[];
        return batches.map(({ rowCount }) => rowCount);
      };
      const expected = await ends(() => false);
      expect(expected.reduce((sum, rows) => sum + rows)).toBe(1_000);
      expect(await ends(() => true)).toEqual(expected);
      expect(await ends((index) => index % 2 === 0)).toEqual(expected);
    });
  });

  it("cuts the same strings from a segment with `detach`", () => {
    const bytes = new TextEncoder().encode("a cell of some length, é");
    const column = {
      name: "t",
      type: "VARCHAR",
      values: bytes,
      offsets: new Int32Array([0, 21, 25]),
    } as const;
    const given = { ...column, validity: null, nullCount: 0 };
    for (const detach of [false, true]) {
      expect(withStrings(given, detach).values).toEqual(["a cell of some length", ", é"]);
    }
  });

  it("counts the file's bytes", async () => {
    const bytes = new TextEncoder().encode(`n,t\n${"1,x\n".repeat(1_000)}`);
    await withFile(bytes, async (path) => {
      const options = resolveOptions({});
      const pool = (settled: ResolvedOptions) => new HerePool(path, settled, (index) => index === 1);
      const rows = parallelRows(
        new ParallelReader(path, options, pool, { head: 100, segment: 500 }),
        options,
      );
      await rows.toArray();
      expect(rows.bytesRead).toBe(bytes.length);
    });
  });
});
