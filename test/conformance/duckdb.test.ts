import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { readCsv, type Sniff, sniffCsv } from "../../src/index.js";
import { type Table, tables, written } from "./tables.js";

const folder = mkdtempSync(join(tmpdir(), "sniffed-csv-duckdb-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, "table.csv");
const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
const connection = await instance.connect();

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** What DuckDB reads, everything but doubles as its text. */
async function readByDuckdb({ delimiter, quote, escape, newline, types }: Table): Promise<unknown[][]> {
  const columns = types.map((type, column) => `c${column}: ${literal(type)}`).join(", ");
  const values = types
    .map((type, column) => (type === "DOUBLE" ? `c${column}` : `c${column}::VARCHAR`))
    .join(", ");
  const result = await connection.runAndReadAll(
    `select ${values} from read_csv(${literal(path)}, auto_detect=false, header=true, delim=${literal(delimiter)},
      quote=${literal(quote)}, escape=${literal(escape)}, new_line=${literal(newline === "\n" ? "\\n" : "\\r\\n")},
      columns={${columns}})`,
  );
  return result.getRowsJS();
}

/** What we read, in the same form. */
async function readByUs(table: Table, text: string): Promise<unknown[][]> {
  const { delimiter, quote, escape, types } = table;
  const dialect = {
    delimiter,
    quote,
    escape,
    comment: null,
    header: true,
    skipLines: 0,
    skipInitialSpace: false,
  };
  const rows = await readCsv(text, {
    ...dialect,
    types,
    rowShape: "array",
    dates: "string",
    bigint: "always",
  }).toArray();
  return (rows as unknown[][]).map((row) =>
    row.map((value, column) => {
      if (value === null || types[column] === "DOUBLE") return value;
      return types[column] === "TIMESTAMP" ? String(value).replace("T", " ") : String(value);
    }),
  );
}

describe("DuckDB and we, told the dialect and the types", () => {
  it("read the same values", async () => {
    let values = 0;
    await fc.assert(
      fc.asyncProperty(tables, async (table) => {
        const text = written(table);
        writeFileSync(path, text);
        const theirs = await readByDuckdb(table);
        const ours = await readByUs(table, text);
        values += theirs.flat().length;
        expect(ours).toEqual(theirs);
      }),
      { numRuns: 2_000 },
    );
    expect(values).toBeGreaterThan(50_000);
  });
});

/** What DuckDB sniffs; null where it gives up. */
async function sniffByDuckdb() {
  try {
    const result = await connection.runAndReadAll(
      `select Delimiter, Quote, HasHeader, Columns from sniff_csv(${literal(path)})`,
    );
    return result.getRowObjectsJson()[0] as {
      Delimiter: string;
      Quote: string;
      HasHeader: boolean;
      Columns: { name: string; type: string }[];
    };
  } catch {
    return null;
  }
}

/**
 * The rule of docs/differences-from-duckdb.md that a table may be sniffed otherwise by; null for none.
 *
 * @param miscounted Whether DuckDB finds other columns than were written, and we those.
 */
function ruleFor(
  { types, quote }: Table,
  text: string,
  refused: boolean,
  miscounted: boolean,
): string | null {
  if (refused) return "refused";
  if (miscounted) return "miscounted";
  if (types.length === 1) return "one-column";
  const others = ['"', "'"].filter((each) => each !== quote);
  if (others.some((each) => text.includes(each)) || !text.includes(quote)) return "other-quotes";
  return null;
}

const rules = readFileSync(new URL("../../docs/differences-from-duckdb.md", import.meta.url), "utf8");

describe("DuckDB and we, told nothing", () => {
  it("sniff the same, or a documented rule says why not", async () => {
    let agreed = 0;
    let count = 0;
    await fc.assert(
      fc.asyncProperty(tables, async (table) => {
        const text = written(table);
        writeFileSync(path, text);
        const theirs = await sniffByDuckdb();
        const sniff: Sniff = await sniffCsv(text);
        const ours = {
          Delimiter: sniff.dialect.delimiter,
          // What they have not seen they call empty, and leave out.
          Quote: theirs?.Quote === "(empty)" ? "(empty)" : sniff.dialect.quote,
          HasHeader: sniff.dialect.header,
          Columns: sniff.columns.map(({ name, type }) => ({ name, type })),
        };
        count++;
        const same = isDeepStrictEqual(ours, theirs);
        if (same) agreed++;
        const { length } = table.types;
        const isRight =
          ours.Delimiter === table.delimiter && ours.Columns.length === length && ours.HasHeader;
        const miscounted = isRight && theirs?.Columns.length !== length;
        const rule = ruleFor(table, text, theirs === null, miscounted);
        if (rule === null) expect(ours).toEqual(theirs);
        else expect(rules).toContain(`<a id="${rule}">`);
      }),
      { numRuns: 1_000 },
    );
    expect(agreed / count).toBeGreaterThan(0.98);
  });

  it("differ in the cases as docs/differences-from-duckdb.md says", () => {
    const lines = readFileSync(new URL("../fixtures/cases.jsonl", import.meta.url), "utf8")
      .trim()
      .split("\n");
    const cases = lines.map((line) => JSON.parse(line) as { id: string; duckdb_agrees?: boolean });
    const differing = cases.filter((each) => each.duckdb_agrees === false).map(({ id }) => id);
    expect(differing.length).toBeGreaterThan(20);
    expect(differing.filter((id) => !rules.includes(id))).toEqual([]);
  });
});
