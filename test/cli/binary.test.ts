import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { tableFromIPC } from "@uwdata/flechette";
import { parquetReadObjects } from "hyparquet";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readCsv } from "../../src/index.js";

/** The built command: `npm test` builds before it tests. */
const CLI = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const ORDERS = fileURLToPath(new URL("../../examples/data/orders.csv", import.meta.url));
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sniffed-csv-cli-binary-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function run(...words: string[]): Promise<{ code: number | null; out: Buffer; err: string }> {
  const child = spawn(process.execPath, [CLI, ...words], { stdio: ["ignore", "pipe", "pipe"] });
  const out: Buffer[] = [];
  let err = "";
  child.stdout.on("data", (piece) => out.push(piece));
  child.stderr.setEncoding("utf8").on("data", (text) => {
    err += text;
  });
  return new Promise((resolve) =>
    child.on("close", (code) => resolve({ code, out: Buffer.concat(out), err })),
  );
}

describe("convert to what is no text", () => {
  it("writes Parquet, whole, to a file", async () => {
    const path = join(folder, "orders.parquet");
    expect(await run("convert", ORDERS, "--to", "parquet", "-o", path)).toMatchObject({ code: 0, err: "" });
    const { buffer, byteOffset, length } = readFileSync(path);
    const rows = await parquetReadObjects({
      file: buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer,
    });
    const ours = await readCsv(readFileSync(ORDERS)).toArray();
    expect(rows.map(({ order, customer, ordered }) => [Number(order), customer, ordered])).toEqual(
      ours.map(({ order, customer, ordered }) => [order, customer, ordered]),
    );
    expect(readdirSync(folder)).toEqual(["orders.parquet"]);
  });

  it("writes Arrow to standard output", async () => {
    const { code, out } = await run("convert", ORDERS, "--to", "arrow");
    expect(code).toBe(0);
    expect(tableFromIPC(out).numRows).toBe((await readCsv(readFileSync(ORDERS)).toArray()).length);
  });

  it("writes a database of DuckDB, its table called as the file", async () => {
    const path = join(folder, "shop.duckdb");
    expect(await run("convert", ORDERS, "--to", "duckdb", "-o", path)).toMatchObject({ code: 0, err: "" });
    const connection = await (await DuckDBInstance.create(path)).connect();
    const [[count, total]] = (
      await connection.runAndReadAll("SELECT count(*)::INT, sum(quantity)::INT FROM orders")
    ).getRows();
    connection.closeSync();
    const ours = await readCsv(readFileSync(ORDERS)).toArray();
    expect([count, total]).toEqual([ours.length, ours.reduce((sum, row) => sum + Number(row.quantity), 0)]);
    expect(readdirSync(folder)).toEqual(["shop.duckdb"]);
  });

  it("writes a table without rows as one", async () => {
    const empty = join(folder, "empty.csv");
    writeFileSync(empty, "a,b\n");
    const path = join(folder, "empty.parquet");
    expect((await run("convert", empty, "--to", "parquet", "-o", path)).code).toBe(0);
    const { buffer, byteOffset, length } = readFileSync(path);
    expect(
      await parquetReadObjects({ file: buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer }),
    ).toEqual([]);
  });

  it("leaves no file where the reading fails, and the one that was there as it was", async () => {
    const bad = join(folder, "bad.csv");
    writeFileSync(bad, `a,b\n${"1,x\n".repeat(30_000)}y,z\n`);
    const path = join(folder, "out");
    for (const format of ["parquet", "arrow", "duckdb"]) {
      const isDatabase = format === "duckdb";
      if (!isDatabase) writeFileSync(path, "before");
      const { code, err } = await run("convert", bad, "--to", format, "-o", path);
      expect(code).toBe(1);
      expect(err).toContain("line 30002");
      if (!isDatabase) expect(readFileSync(path, "utf8")).toBe("before");
      expect(readdirSync(folder).sort()).toEqual(isDatabase ? ["bad.csv"] : ["bad.csv", "out"]);
      rmSync(path, { force: true });
    }
  });

  it("writes no database over a file that is there", async () => {
    const path = join(folder, "shop.duckdb");
    writeFileSync(path, "before");
    for (const format of ["duckdb", "sqlite"]) {
      const { code, err } = await run("convert", ORDERS, "--to", format, "-o", path);
      expect(code).toBe(3);
      expect(err).toContain("new file");
      expect(readFileSync(path, "utf8")).toBe("before");
      expect(readdirSync(folder)).toEqual(["shop.duckdb"]);
    }
  });

  it("says what is missing: a package, a file", async () => {
    const sqlite = await run("convert", ORDERS, "--to", "sqlite", "-o", join(folder, "x.db"));
    expect(sqlite.code).toBe(2);
    expect(sqlite.err).toContain("npm install better-sqlite3");
    const duckdb = await run("convert", ORDERS, "--to", "duckdb");
    expect(duckdb.code).toBe(2);
    expect(duckdb.err).toContain("--output");
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("an address", () => {
  let server: Server;
  let base: string;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const name = request.url?.slice(1);
      if (name === "orders.csv") response.end(readFileSync(ORDERS));
      else if (name === "orders.csv.gz") response.end(gzipSync(readFileSync(ORDERS)));
      else if (name === "encoded.csv") {
        response.setHeader("content-encoding", "gzip");
        response.end(gzipSync("a;b\n1;2\n"));
      } else if (name === "cut.csv") {
        response.setHeader("content-length", "1000");
        response.write("a,b\n1,2\n");
        setTimeout(() => response.destroy(), 50);
      } else if (name === "endless.csv") {
        response.write("a,b\n");
        const timer = setInterval(() => response.write("1,2\n".repeat(10_000)), 1);
        response.on("close", () => clearInterval(timer));
      } else {
        response.statusCode = 404;
        response.end("no such thing");
      }
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it("is read as the file that it gives, compressed or not", async () => {
    const expected = (await run("convert", ORDERS)).out.toString();
    for (const name of ["orders.csv", "orders.csv.gz"]) {
      const { code, out } = await run("convert", `${base}/${name}`);
      expect(code).toBe(0);
      expect(out.toString()).toBe(expected);
    }
    expect((await run("convert", `${base}/encoded.csv`)).out.toString()).toBe('{"a":1,"b":2}\n');
    const { out } = await run("sniff", "--json", `${base}/orders.csv`);
    expect(JSON.parse(out.toString()).dialect.delimiter).toBe(";");
    expect((await run("export", `${base}/orders.csv`, "--to", "typescript")).out.toString()).toContain(
      "interface OrdersRow",
    );
  });

  it("is left once there is enough", async () => {
    const { code, out } = await run("head", "-n", "2", `${base}/endless.csv`);
    expect(code).toBe(0);
    expect(out.toString()).toContain("a");
  });

  it("that fails, is cut short or is not there ends with 3 and leaves no file", async () => {
    const path = join(folder, "out.ndjson");
    const missing = await run("convert", `${base}/missing.csv`, "-o", path);
    expect(missing).toMatchObject({ code: 3 });
    expect(missing.err).toContain("404");
    const cut = await run("convert", `${base}/cut.csv`, "-o", path);
    expect(cut).toMatchObject({ code: 3 });
    expect(cut.err).toContain("cut short");
    expect((await run("convert", "http://127.0.0.1:1/x.csv", "-o", path)).code).toBe(3);
    expect(readdirSync(folder)).toEqual([]);
  });
});
