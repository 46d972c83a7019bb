import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readCsv } from "../../src/index.js";
import { duckdbTable } from "../../src/sinks/index.js";
import { told } from "../support/awkward.js";
import { failing, readSunk, SUNK, streamOf } from "../support/sunk.js";

let connection: DuckDBConnection;

beforeEach(async () => {
  connection = await (await DuckDBInstance.create()).connect();
  await connection.run("SET TimeZone = 'UTC'");
});

afterEach(() => connection.closeSync());

async function tables(): Promise<unknown[]> {
  return (await connection.runAndReadAll("SELECT table_name FROM duckdb_tables()")).getRowsJson().flat();
}

describe("duckdbTable", () => {
  for (const sunk of SUNK) {
    for (const batchText of ["strings", "utf8"] as const) {
      it(`makes a table of the library's own rows: ${sunk.name}, ${batchText}`, async () => {
        const { sniff, names, values, batches } = await readSunk(sunk, batchText);
        await batches.pipeTo(duckdbTable(connection, "a table"));
        if (values.length === 0) {
          expect(await tables()).toEqual([]);
          return;
        }
        const theirs = await connection.runAndReadAll('SELECT * FROM "a table"');
        expect(theirs.columnNames()).toEqual(names);
        const plain = (value: unknown, column: number) => {
          const isInstant = sniff.columns[column].type === "TIMESTAMPTZ" && value !== null;
          const text = isInstant ? `${String(value).replace(" ", "T").replace("+00", "")}Z` : value;
          return told(text, sniff.columns[column]);
        };
        expect(theirs.getRowsJson().map((row) => row.map(plain))).toEqual(values);
        expect(theirs.columnTypes().map(String)).toEqual(
          sniff.columns.map(({ type }) => (type === "TIMESTAMPTZ" ? "TIMESTAMP WITH TIME ZONE" : type)),
        );
      });
    }
  }

  it("makes a table without rows where it is told its columns", async () => {
    const { sniff, batches } = await readSunk(SUNK[1], "strings");
    await batches.pipeTo(duckdbTable(connection, "t", { columns: sniff.columns }));
    const theirs = await connection.runAndReadAll("SELECT * FROM t");
    expect(theirs.columnTypes().map(String)).toEqual(["BIGINT", "VARCHAR"]);
  });

  it("leaves nothing where the reading fails or a column was widened, and the connection fit for use", async () => {
    await expect(failing(SUNK[0]).pipeTo(duckdbTable(connection, "t"))).rejects.toThrow("the source is gone");
    expect(await tables()).toEqual([]);
    const options = { output: "batches", onTypeMismatch: "widen", sampleRows: 2, batchRows: 2 } as const;
    const widened = streamOf(readCsv("a\n1\n2\n3\nx\n", options));
    await expect(widened.pipeTo(duckdbTable(connection, "t"))).rejects.toMatchObject({
      code: "SCHEMA_CHANGED",
    });
    expect(await tables()).toEqual([]);
    await connection.run("CREATE TABLE t (a BIGINT)");
  });

  it("fails where the table is there already, unless it is to be replaced or added to", async () => {
    const read = () => streamOf(readCsv("a\n1\n2\n", { output: "batches" }));
    const count = async () => (await connection.runAndReadAll("SELECT count(*) FROM t")).getRowsJson()[0][0];
    await read().pipeTo(duckdbTable(connection, "t"));
    await expect(read().pipeTo(duckdbTable(connection, "t"))).rejects.toThrow("already exists");
    await read().pipeTo(duckdbTable(connection, "t", { ifExists: "append" }));
    expect(await count()).toBe("4");
    await read().pipeTo(duckdbTable(connection, "t", { ifExists: "replace" }));
    expect(await count()).toBe("2");
  });
});
