import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ColumnBatch, CsvOptions } from "../src/index.js";
import { readCsv, sniffCsv } from "../src/index.js";

/** Names that mean something to somebody: to JavaScript, to a terminal, to a spreadsheet, to a reader of CSV. */
const MEANT = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "then",
  "toJSON",
  "0",
  "10",
  "-1",
  "1e3",
  "length",
  '"]',
  '"};throw 1//',
  "`$1`",
  "\\",
  "\\u0022",
  "*/",
  "\u2028",
  "\u2029",
  "\u0000",
  "\u001b[31m",
  "\u202e",
  "=cmd()",
  "+1",
  "@x",
  "</script>",
  "a\nb",
  "a,b",
  "'",
];

const names = fc.array(
  fc.oneof(fc.constantFrom(...MEANT), fc.string({ unit: "grapheme", minLength: 1, maxLength: 10 })),
  { minLength: 1, maxLength: 12 },
);

/** A header of these names above two rows. */
function tableOf(header: readonly string[]): string {
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const row = (value: number) => header.map((_, column) => value + column).join(",");
  return `${header.map(cell).join(",")}\n${row(10)}\n${row(20)}\n`;
}

const options = {
  delimiter: ",",
  quote: '"',
  header: true,
  skipLines: 0,
  comment: null,
} as const satisfies CsvOptions;

/** As where a content security policy forbids code made from text. */
async function withoutGeneratedCode<T>(run: () => Promise<T>): Promise<T> {
  const given = globalThis.Function;
  globalThis.Function = class {
    constructor() {
      throw new EvalError("forbidden");
    }
  } as unknown as FunctionConstructor;
  try {
    return await run();
  } finally {
    globalThis.Function = given;
  }
}

describe("names", () => {
  it("are data, whatever they are, in every output, with generated code and without", async () => {
    const pristine = Object.getOwnPropertyNames(Object.prototype).sort();
    await fc.assert(
      fc.asyncProperty(names, async (header) => {
        fc.pre(header.every((name) => name.trim() !== ""));
        const text = tableOf(header);
        const { columns } = await sniffCsv(text, options);
        const given = columns.map(({ name }) => name);
        expect(columns.map(({ originalName }) => originalName)).toEqual(header);
        expect(new Set(given).size).toBe(header.length);
        const values = new Map(given.map((name, column) => [name, 10 + column]));
        const [row] = await readCsv(text, options).toArray();
        expect(new Map(Object.entries(row))).toEqual(values);
        expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
        const [plain] = await withoutGeneratedCode(() => readCsv(text, options).toArray());
        expect(plain).toEqual(row);
        const [line] = (await readCsv(text, { ...options, output: "ndjson" }).toArray()) as string[];
        expect(new Map(Object.entries(JSON.parse(line)))).toEqual(values);
        const [batch] = (await readCsv(text, { ...options, output: "batches" }).toArray()) as ColumnBatch[];
        expect(batch.columns.map(({ name }) => name)).toEqual(given);
        const written = (await readCsv(text, { ...options, output: "csv" }).toArray()) as string[];
        expect((await sniffCsv(written.join("\n"), options)).columns.map(({ name }) => name)).toEqual(given);
        expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(pristine);
      }),
      { numRuns: 600 },
    );
  });

  it("may be equal ten thousand times, in linear work", async () => {
    const lookups: number[] = [];
    const { has } = Set.prototype;
    for (const count of [5_000, 10_000]) {
      // Every name that a renaming would make is taken already.
      const header = [
        ...Array.from({ length: count }, (_, n) => `a_${n}`),
        ...new Array<string>(count).fill("a"),
      ];
      let looked = 0;
      Set.prototype.has = function (this: Set<unknown>, value: unknown) {
        looked++;
        return Reflect.apply(has, this, [value]);
      };
      const { columns } = await sniffCsv(tableOf(header), { ...options, maxRecordSize: 1 << 24 });
      Set.prototype.has = has;
      expect(new Set(columns.map(({ name }) => name)).size).toBe(2 * count);
      lookups.push(looked);
    }
    expect(lookups[1] / lookups[0]).toBeLessThan(2.5);
  });
});

describe("values", () => {
  it("are text to a spreadsheet where formulas are escaped, in the header and in cells", async () => {
    const table = tableOf(["=1+1", "x"]).replace("10,11", '"=cmd()",@y');
    const written = (await readCsv(table, {
      ...options,
      output: "csv",
      escapeFormulas: true,
    }).toArray()) as string[];
    expect(written.slice(0, 2)).toEqual(["'=1+1,x", "'=cmd(),'@y"]);
  });
});
