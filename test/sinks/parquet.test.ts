import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { afterAll, describe, expect, it } from "vitest";
import { readCsv } from "../../src/index.js";
import { parquet } from "../../src/sinks/index.js";
import { told } from "../support/awkward.js";
import { failing, gathered, readSunk, SUNK, streamOf } from "../support/sunk.js";

const folder = mkdtempSync(join(tmpdir(), "sniffed-csv-parquet-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("parquet", () => {
  for (const [index, sunk] of SUNK.entries()) {
    for (const batchText of ["strings", "utf8"] as const) {
      it(`writes a file that DuckDB reads as the library's own rows: ${sunk.name}, ${batchText}`, async () => {
        const { sniff, names, values, batches } = await readSunk(sunk, batchText);
        const { bytes } = await gathered(batches.pipeThrough(parquet({ rowGroupSize: 1_400 })));
        if (values.length === 0) {
          expect(bytes).toHaveLength(0);
          return;
        }
        const path = join(folder, `${index}-${batchText}.parquet`);
        writeFileSync(path, bytes);
        const connection = await (await DuckDBInstance.create()).connect();
        await connection.run("SET TimeZone = 'UTC'");
        const theirs = await connection.runAndReadAll(`SELECT * FROM read_parquet('${path}')`);
        connection.closeSync();
        expect(theirs.columnNames()).toEqual(names);
        const plain = (value: unknown, column: number) => {
          const isInstant = sniff.columns[column].type === "TIMESTAMPTZ" && value !== null;
          const text = isInstant ? `${String(value).replace(" ", "T").replace("+00", "")}Z` : value;
          return told(text, sniff.columns[column]);
        };
        expect(theirs.getRowsJson().map((row) => row.map(plain))).toEqual(values);
      });
    }
  }

  it("writes row groups as they fill, and holds no more than one", async () => {
    const { values, batches } = await readSunk(SUNK[0], "utf8");
    const { bytes, pieces } = await gathered(batches.pipeThrough(parquet({ rowGroupSize: 1_400 })));
    const file = bytes.buffer as ArrayBuffer;
    const metadata = parquetMetadata(file);
    expect(metadata.row_groups.map(({ num_rows }) => Number(num_rows))).toEqual([1_400, 1_400, 1_400, 800]);
    expect(pieces).toBe(4);
    const rows = await parquetReadObjects({ file });
    expect(rows).toHaveLength(values.length);
    expect(rows[4_999].id).toBe(4_999n);
  });

  it("writes the schema of a table without rows where it is told", async () => {
    const { sniff, batches } = await readSunk(SUNK[1], "strings");
    const { bytes } = await gathered(batches.pipeThrough(parquet({ columns: sniff.columns })));
    const { schema, num_rows } = parquetMetadata(bytes.buffer as ArrayBuffer);
    expect(schema.map(({ name, type }) => [name, type])).toEqual([
      ["root", undefined],
      ["a", "INT64"],
      ["b", "BYTE_ARRAY"],
    ]);
    expect(num_rows).toBe(0n);
  });

  it("refuses a column that was widened on the way, and passes the source's failure on", async () => {
    const options = { output: "batches", onTypeMismatch: "widen", sampleRows: 2, batchRows: 2 } as const;
    const widened = streamOf(readCsv("a\n1\n2\n3\nx\n", options)).pipeThrough(parquet());
    await expect(gathered(widened)).rejects.toMatchObject({ code: "SCHEMA_CHANGED", column: "a" });
    await expect(gathered(failing(SUNK[0]).pipeThrough(parquet()))).rejects.toThrow("the source is gone");
  });
});
