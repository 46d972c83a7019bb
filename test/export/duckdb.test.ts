import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, describe, expect, it } from "vitest";
import { exportSniff } from "../../src/export/index.js";
import { AWKWARD, readAwkward, SPOILT, spoil, told } from "../support/awkward.js";

const folder = mkdtempSync(join(tmpdir(), "sniffed-csv-export-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A table that DuckDB's encodings without an extension do not reach. */
const UNREAD = ["windows-1252"];

describe("a sniff exported to DuckDB loads the library's own rows", () => {
  for (const awkward of AWKWARD.filter(({ name }) => !UNREAD.includes(name))) {
    it(awkward.name, async () => {
      const path = join(folder, `${awkward.name.replaceAll("*", "")} 'x'.csv`);
      writeFileSync(path, awkward.file);
      const { sniff, values } = await readAwkward(awkward);
      expect(values.length).toBeGreaterThan(1);
      const connection = await (await DuckDBInstance.create()).connect();
      try {
        await connection.run(exportSniff(sniff, "duckdb", { path, table: 't"; drop' }));
        const theirs = await connection.runAndReadAll('SELECT * FROM "t""; drop"');
        expect(
          theirs.getRowsJson().map((row) => row.map((value, index) => told(value, sniff.columns[index]))),
        ).toEqual(values);
      } finally {
        connection.closeSync();
      }
    });
  }
});

describe("a script for DuckDB stops at", () => {
  for (const spoilt of SPOILT) {
    it(spoilt.name, async () => {
      const path = join(folder, `spoilt ${spoilt.name}.csv`);
      const { sniff } = await readAwkward(spoilt);
      const connection = await (await DuckDBInstance.create()).connect();
      const script = exportSniff(sniff, "duckdb", { path, table: "t" });
      try {
        writeFileSync(path, spoilt.file);
        await connection.run(script);
        await connection.run("DROP TABLE t");
        for (const bad of spoilt.bad) {
          writeFileSync(path, spoil(spoilt, bad));
          await expect(connection.run(script), bad).rejects.toThrow(bad.slice(-2));
        }
      } finally {
        connection.closeSync();
      }
    });
  }
});
