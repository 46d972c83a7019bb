import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exportSniff } from "../../src/export/index.js";
import { sniffCsv } from "../../src/index.js";
import { AWKWARD, readAwkward, SPOILT, spoil, told } from "../support/awkward.js";

const folder = mkdtempSync(join(tmpdir(), "sniffed-csv-sqlite-"));
const bin = join(folder, "bin");

function sqlite(database: string, script: string): string {
  return execFileSync("sqlite3", ["-batch", database], {
    input: script,
    encoding: "utf8",
    env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
    stdio: ["pipe", "pipe", "pipe"],
  });
}

beforeAll(() => {
  mkdirSync(bin);
  const command = `#!/bin/sh\nexec '${process.execPath}' '${resolve("dist/cli/main.js")}' "$@"\n`;
  writeFileSync(join(bin, "sniffed-csv"), command, { mode: 0o755 });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a sniff exported to SQLite loads the library's own rows", () => {
  for (const [index, awkward] of AWKWARD.entries()) {
    it(awkward.name, async () => {
      const path = join(folder, `${index} 'x' $y.csv`);
      writeFileSync(path, awkward.file);
      const database = join(folder, `${index}.db`);
      const { sniff, values } = await readAwkward(awkward);
      expect(values.length).toBeGreaterThan(1);
      sqlite(database, exportSniff(sniff, "sqlite", { path, table: `t'"; drop` }));
      const table = `"t'""; drop"`;
      const names: string[] = JSON.parse(
        sqlite(database, `SELECT json_group_array(name) FROM pragma_table_info('t''"; drop');`),
      );
      const cells = names.map((name) => {
        const quoted = `"${name.replaceAll('"', '""')}"`;
        // 15 digits are not all of a number.
        return `CASE typeof(${quoted}) WHEN 'real' THEN printf('%!.17g', ${quoted}) ELSE CAST(${quoted} AS TEXT) END`;
      });
      const lines = sqlite(database, `SELECT json_array(${cells.join(", ")}) FROM ${table};`)
        .trimEnd()
        .split("\n");
      const theirs = lines.map((line) =>
        (JSON.parse(line) as unknown[]).map((value, column) => told(value, sniff.columns[column])),
      );
      expect(theirs).toEqual(values);
    });
  }

  it("asks npx for the command that converts where it is not found", async () => {
    const path = join(folder, "npx.csv");
    writeFileSync(path, "id,d\n1,24/12/2025\n");
    const script = exportSniff(await sniffCsv("id,d\n1,24/12/2025\n"), "sqlite", { path, table: "t" });
    const other = join(folder, "other");
    mkdirSync(other);
    const command = `#!/bin/sh\nshift\nexec '${process.execPath}' '${resolve("dist/cli/main.js")}' "$@"\n`;
    writeFileSync(join(other, "npx"), command, { mode: 0o755 });
    const printed = execFileSync("sqlite3", ["-batch", ":memory:"], {
      input: `${script}SELECT * FROM t;`,
      encoding: "utf8",
      env: { ...process.env, PATH: `${other}:/usr/bin:/bin` },
    });
    expect(printed.trim()).toBe("1,2025-12-24");
  });

  it("fails, and leaves no table, where the command that converts does", async () => {
    const path = join(folder, "spoilt.csv");
    writeFileSync(path, "id,t\n1,'a,b'\n2,'it''s'\nx,'c'\n");
    const sniff = await sniffCsv("id,t\n1,'a,b'\n2,'it''s'\n");
    const database = join(folder, "spoilt.db");
    expect(() => sqlite(database, exportSniff(sniff, "sqlite", { path, table: "t" }))).toThrow("CHECK");
    expect(sqlite(database, ".tables")).toBe("");
  });
});

it("is made in halves, of a compressed file", async () => {
  const path = join(folder, "packed.csv");
  writeFileSync(path, gzipSync("id,x\n1,2.5\n2,3.5\n"));
  const sniff = await sniffCsv("id,x\n1,2.5\n2,3.5\n");
  const place = { path, table: "t", compression: "gzip" } as const;
  const database = join(folder, "halves.db");
  sqlite(database, exportSniff(sniff, "sqlite", { ...place, only: "table" }));
  for (let times = 0; times < 2; times++)
    sqlite(database, exportSniff(sniff, "sqlite", { ...place, only: "load" }));
  expect(sqlite(database, "SELECT count(*), sum(x) FROM t;").trim()).toBe("4|12.0");
  // Into a table of whoever's making, which would take any text for a number.
  const spoilt = join(folder, "spoilt half.csv");
  writeFileSync(spoilt, "id,x\n1,2.5\n2,3.5 km\n");
  sqlite(database, "CREATE TABLE own (x REAL, id INTEGER);");
  const load = (from: string) =>
    sqlite(database, exportSniff(sniff, "sqlite", { path: from, table: "own", only: "load" }));
  expect(() => load(spoilt)).toThrow("cannot store TEXT value");
  writeFileSync(spoilt, "id,x\n1,2.5\n2,3.5\n");
  load(spoilt);
  expect(sqlite(database, "SELECT id, x FROM own;").trim()).toBe("1|2.5\n2|3.5");
});

describe("a script for SQLite stops at", () => {
  for (const [index, spoilt] of SPOILT.entries()) {
    it(spoilt.name, async () => {
      const path = join(folder, "spoilt.csv");
      const { sniff } = await readAwkward(spoilt);
      const script = exportSniff(sniff, "sqlite", { path, table: "t" });
      writeFileSync(path, spoilt.file);
      sqlite(join(folder, `good ${index}.db`), script);
      const database = join(folder, `spoilt ${index}.db`);
      for (const bad of spoilt.bad) {
        writeFileSync(path, spoil(spoilt, bad));
        expect(() => sqlite(database, script), bad).toThrow(/CHECK constraint|cannot store TEXT value/);
        expect(sqlite(database, ".tables")).toBe("");
      }
    });
  }
});
