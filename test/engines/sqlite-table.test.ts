import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { readCsv } from "../../src/index.js";
import { type SqliteDatabase, sqliteTable } from "../../src/sinks/index.js";
import { told } from "../support/awkward.js";
import { failing, readSunk, SUNK, streamOf } from "../support/sunk.js";

interface Database extends SqliteDatabase {
  prepare(sql: string): ReturnType<SqliteDatabase["prepare"]> & {
    raw(): { all(): unknown[][] };
    safeIntegers(): { raw(): { all(): unknown[][] } };
    columns(): { name: string }[];
  };
  close(): void;
}

const BetterSqlite = createRequire(import.meta.url)("better-sqlite3") as new (path: string) => Database;
const folder = mkdtempSync(join(tmpdir(), "sniffed-csv-better-sqlite3-"));
let database: Database;

beforeEach(() => {
  database = new BetterSqlite(":memory:");
});
afterEach(() => database.close());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tables = () => database.prepare("SELECT name FROM sqlite_schema").raw().all().flat();

describe("sqliteTable", () => {
  for (const sunk of SUNK.filter(({ name }) => name !== "no rows")) {
    for (const batchText of ["strings", "utf8"] as const) {
      it(`makes a table of the library's own rows: ${sunk.name}, ${batchText}`, async () => {
        const { sniff, names, values, batches } = await readSunk(sunk, batchText);
        await batches.pipeTo(sqliteTable(database, 'a "table"'));
        const select = database.prepare('SELECT * FROM "a ""table"""');
        expect(select.columns().map(({ name }) => name)).toEqual(names);
        const rows = select.safeIntegers().raw().all();
        expect(rows.map((row) => row.map((value, index) => told(value, sniff.columns[index])))).toEqual(
          values,
        );
      });
    }
  }

  it("makes a table without rows where it is told its columns", async () => {
    const { sniff, batches } = await readSunk(SUNK[1], "strings");
    await batches.pipeTo(sqliteTable(database, "t", { columns: sniff.columns }));
    expect(tables()).toEqual(["t"]);
  });

  it("leaves nothing where the reading fails or a column was widened, and the database fit for use", async () => {
    await expect(failing(SUNK[0]).pipeTo(sqliteTable(database, "t"))).rejects.toThrow("the source is gone");
    expect(tables()).toEqual([]);
    const options = { output: "batches", onTypeMismatch: "widen", sampleRows: 2, batchRows: 2 } as const;
    const widened = streamOf(readCsv("a\n1\n2\n3\nx\n", options));
    await expect(widened.pipeTo(sqliteTable(database, "t"))).rejects.toMatchObject({
      code: "SCHEMA_CHANGED",
    });
    expect(tables()).toEqual([]);
    database.exec("CREATE TABLE t (a INTEGER)");
  });

  it("fails where the table is there already, unless it is to be replaced or added to", async () => {
    const read = () => streamOf(readCsv("a\n1\n2\n", { output: "batches" }));
    const count = () => database.prepare("SELECT count(*) FROM t").raw().all()[0][0];
    await read().pipeTo(sqliteTable(database, "t"));
    await expect(read().pipeTo(sqliteTable(database, "t"))).rejects.toThrow("already exists");
    await read().pipeTo(sqliteTable(database, "t", { ifExists: "append" }));
    expect(count()).toBe(4);
    await read().pipeTo(sqliteTable(database, "t", { ifExists: "replace" }));
    expect(count()).toBe(2);
  });

  it("is what the command line writes with, from where it runs", async () => {
    const here = dirname(fileURLToPath(import.meta.url));
    const path = join(folder, "shop.db");
    const words = [resolve("dist/cli/main.js"), "convert", resolve("examples/data/orders.csv")];
    execFileSync(process.execPath, [...words, "--to", "sqlite", "-o", path], { cwd: here, stdio: "pipe" });
    const printed = execFileSync("sqlite3", [path, "SELECT count(*), sum(quantity) FROM orders"], {
      encoding: "utf8",
    });
    const rows = await readCsv(readFileSync("examples/data/orders.csv")).toArray();
    expect(printed.trim()).toBe(`${rows.length}|${rows.reduce((sum, row) => sum + Number(row.quantity), 0)}`);
    expect(readdirSync(folder)).toEqual(["shop.db"]);
  });
});

describe("the code of docs/sinks.md for SQLite", () => {
  it("runs", () => {
    const root = resolve(".");
    const text = readFileSync(join(root, "docs/sinks.md"), "utf8");
    const code = text.match(/```js\n(import Database from "better-sqlite3";.*?)```/s)?.[1] ?? "";
    const project = mkdtempSync(join(tmpdir(), "sniffed-csv-sinks-"));
    try {
      mkdirSync(join(project, "node_modules"));
      symlinkSync(root, join(project, "node_modules", "sniffed-csv"));
      const engines = join(root, "test/engines/node_modules/better-sqlite3");
      symlinkSync(engines, join(project, "node_modules", "better-sqlite3"));
      copyFileSync(join(root, "examples/data/orders.csv"), join(project, "orders.csv"));
      writeFileSync(join(project, "sink.mjs"), code);
      const printed = execFileSync(process.execPath, ["sink.mjs"], { cwd: project, encoding: "utf8" });
      expect(printed.trim()).toBe("{ n: 4200 }");
    } finally {
      rmSync(project, { recursive: true, force: true });
    }
  });
});
