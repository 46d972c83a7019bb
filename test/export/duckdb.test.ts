import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, describe, expect, it } from "vitest";
import { exportSniff } from "../../src/export/index.js";
import { sniffCsv } from "../../src/index.js";
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

it("is made in halves, in a schema, of a compressed file", async () => {
  const path = join(folder, "packed.csv");
  writeFileSync(path, gzipSync("id;when\n1;24/12/2025\n2;31/12/2025\n"));
  const sniff = await sniffCsv("id;when\n1;24/12/2025\n2;31/12/2025\n");
  const place = { path, table: "t", schema: 's"', compression: "gzip" } as const;
  const connection = await (await DuckDBInstance.create()).connect();
  try {
    await connection.run('CREATE SCHEMA "s""";');
    await connection.run(exportSniff(sniff, "duckdb", { ...place, only: "table" }));
    await connection.run(exportSniff(sniff, "duckdb", { ...place, only: "load" }));
    await connection.run(exportSniff(sniff, "duckdb", { ...place, only: "load" }));
    const all = await connection.runAndReadAll('SELECT count(*)::INT, max("when")::TEXT FROM "s""".t');
    expect(all.getRowsJson()).toEqual([[4, "2025-12-31"]]);
  } finally {
    connection.closeSync();
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
