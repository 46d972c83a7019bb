import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csvHeader, csvRecord, ndjsonLine } from "../../src/output/text.js";
import { readCsv } from "../../src/read.js";
import type { Column } from "../../src/sniffer/sniff.js";

const columnsOf = (names: readonly string[]): Column[] =>
  names.map((name) => ({ name, originalName: name, type: "VARCHAR" }));

const texts = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 8 }),
  fc.constantFrom("", " ", '"', '""', ",", "\n", "\r\n", "\r", "#", " x", "x ", "=1+1", "a,b", 'a"b'),
);
const tables = fc.integer({ min: 1, max: 4 }).chain((width) =>
  fc.record({
    names: fc.uniqueArray(
      fc.string({ minLength: 1, maxLength: 6 }).filter((name) => name.trim() !== ""),
      { minLength: width, maxLength: width },
    ),
    rows: fc.array(fc.array(fc.option(texts, { freq: 5 }), { minLength: width, maxLength: width }), {
      maxLength: 6,
    }),
  }),
);

describe("CSV", () => {
  it("is read back as it was, missing values and empty texts told apart", async () => {
    await fc.assert(
      fc.asyncProperty(tables, async ({ names, rows }) => {
        const columns = columnsOf(names);
        const lines = [csvHeader(columns, false)];
        for (const row of rows) lines.push(csvRecord(columns, (column) => row[column], false));
        const read = readCsv(lines.map((line) => `${line}\n`).join(""), {
          delimiter: ",",
          quote: '"',
          escape: '"',
          comment: null,
          skipInitialSpace: false,
          skipLines: 0,
          header: true,
          headerLines: 1,
          ignoreTrailingDelimiter: false,
          types: false,
          quotedEmpty: "string",
          encoding: "utf-8",
          rowShape: "array",
        });
        expect(await read.toArray()).toEqual(rows);
        expect((await read.sniffed).columns.map((column) => column.originalName)).toEqual(names);
      }),
      { numRuns: 500 },
    );
  });

  it("has quotes where they are needed only", () => {
    const columns = columnsOf(["a", "b", "c"]);
    const record = (...row: unknown[]) => csvRecord(columns, (column) => row[column], false);
    expect(record("x", 1.5, true)).toBe("x,1.5,true");
    expect(record("a,b", 'say "hi"', "two\nlines")).toBe('"a,b","say ""hi""","two\nlines"');
    expect(record(null, "", " x ")).toBe(',""," x "');
    expect(record(12345678901234567890n, Number.NaN, "é")).toBe("12345678901234567890,NaN,é");
  });

  it("guards texts that a spreadsheet would run, by wish, and no numbers", () => {
    const columns = columnsOf(["=cmd", "b"]);
    expect(csvHeader(columns, true)).toBe("'=cmd,b");
    for (const start of ["=", "+", "-", "@", "\t"]) {
      expect(csvRecord(columns, () => `${start}1`, true)).toBe(`'${start}1,'${start}1`);
    }
    expect(csvRecord(columns, () => "\r1", true)).toBe(`"'\r1","'\r1"`);
    expect(csvRecord(columns, () => -1, true)).toBe("-1,-1");
    expect(csvRecord(columns, () => "=1", false)).toBe("=1,=1");
  });
});

describe("NDJSON", () => {
  it("is parsed back as it was", () => {
    fc.assert(
      fc.property(tables, ({ names, rows }) => {
        const columns = columnsOf(names);
        for (const row of rows) {
          const line = ndjsonLine(columns, (column) => row[column]);
          expect(line).not.toMatch(/[\r\n]/);
          const entries = names.map((name, column) => [name, row[column]] as const);
          expect(JSON.parse(line)).toEqual(Object.fromEntries(entries));
        }
      }),
      { numRuns: 500 },
    );
  });

  it("has text for whole numbers past 2^53, and null for what JSON lacks", () => {
    const columns = columnsOf(["a", "b", "c", "d"]);
    const row = [9007199254740993n, Number.NaN, Number.POSITIVE_INFINITY, undefined];
    expect(ndjsonLine(columns, (column) => row[column])).toBe(
      '{"a":"9007199254740993","b":null,"c":null,"d":null}',
    );
  });

  it("gathers nothing under a name that JavaScript gives meaning to", () => {
    expect(ndjsonLine(columnsOf(["__proto__"]), () => 1)).toBe('{"__proto__":1}');
  });
});
