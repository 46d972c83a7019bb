import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { CsvError, type Reject, readCsv, type StandardSchema, sniffedCsv } from "../../src/index.js";
import { readCsvFile } from "../../src/node/index.js";
import { piecesOf } from "../support/cuts.js";

const TEXT = "id,mail,amount\n1,a@example.org,2.5\n2,nobody,3\n3,c@example.org,-1\n4,d@example.org,4\n";
const ORDER = z.object({
  id: z.number().int(),
  mail: z.email(),
  amount: z
    .number()
    .positive()
    .transform((amount) => ({ cents: Math.round(amount * 100) })),
});

/** Rows, rejects and the fault that ended them. */
async function outcomeOf(rows: AsyncIterable<unknown>) {
  const given: unknown[] = [];
  try {
    for await (const row of rows) given.push(row);
  } catch (error) {
    return { rows: given, error };
  }
  return { rows: given, error: null };
}

describe("a schema", () => {
  it("makes the rows, and sets aside those that do not fit, whose issues it tells with their paths", async () => {
    const rejects: Reject[] = [];
    const options = {
      schema: ORDER,
      onError: "reject",
      onReject: (reject: Reject) => rejects.push(reject),
    } as const;
    const rows = await readCsv(TEXT, options).toArray();
    expectTypeOf(rows).toEqualTypeOf<{ id: number; mail: string; amount: { cents: number } }[]>();
    expect(rows).toEqual([
      { id: 1, mail: "a@example.org", amount: { cents: 250 } },
      { id: 4, mail: "d@example.org", amount: { cents: 400 } },
    ]);
    expect(rejects).toMatchObject([
      { code: "SCHEMA_MISMATCH", record: 2, line: 3, column: "mail", raw: "2,nobody,3", byteOffset: 35 },
      { code: "SCHEMA_MISMATCH", record: 3, line: 4, column: "amount", issues: [{ path: ["amount"] }] },
    ]);
  });

  it("ends the reading at the first row that does not fit, behind those before it", async () => {
    const { rows, error } = await outcomeOf(readCsv(TEXT, { schema: ORDER }));
    expect(rows).toHaveLength(1);
    expect(error).toBeInstanceOf(CsvError);
    expect(error).toMatchObject({ code: "SCHEMA_MISMATCH", record: 2, line: 3, column: "mail" });
    expect((error as CsvError).issues).toHaveLength(1);
  });

  it("may be Valibot's or ArkType's", async () => {
    const text = "id;mail\n1;a@example.org\n2;nobody\n";
    const schemas: StandardSchema[] = [
      v.object({ id: v.number(), mail: v.pipe(v.string(), v.email()) }),
      type({ id: "number", mail: "string.email" }),
    ];
    for (const schema of schemas) {
      const { rows, error } = await outcomeOf(readCsv(text, { schema }));
      expect(rows).toEqual([{ id: 1, mail: "a@example.org" }]);
      expect(error).toMatchObject({ code: "SCHEMA_MISMATCH", column: "mail", issues: [{ path: ["mail"] }] });
    }
    const typed = readCsv(text, { schema: schemas[0] as v.GenericSchema<unknown, { id: number }> });
    expectTypeOf(typed.next()).resolves.toEqualTypeOf<IteratorResult<{ id: number }>>();
  });

  it("sees array rows, whose index it names", async () => {
    const schema = z.tuple([z.number(), z.string(), z.number().max(3)]);
    const { rows, error } = await outcomeOf(readCsv(TEXT, { schema, rowShape: "array" }));
    expect(rows).toHaveLength(3);
    expect(error).toMatchObject({ column: "amount", record: 4, issues: [{ path: [2] }] });
  });

  it("finds the same however the input comes, through every face", async () => {
    const many = `id,mail,amount\n${Array.from({ length: 5_000 }, (_, i) => `${i},${i % 7 ? `m${i}@example.org` : "x"},${i}.5\n`).join("")}`;
    const bytes = new TextEncoder().encode(many);
    const read = async (take: (onReject: (reject: Reject) => void) => AsyncIterable<unknown>) => {
      const rejects: Reject[] = [];
      return { ...(await outcomeOf(take((reject) => rejects.push(reject)))), rejects };
    };
    const options = { schema: ORDER, onError: "reject" } as const;
    const whole = await read((onReject) => readCsv(many, { ...options, onReject }));
    expect(whole.error).toBeNull();
    expect(whole.rejects).toHaveLength(715);
    expect(whole.rows).toHaveLength(4_285);
    for (const engine of ["js", "auto"] as const) {
      const cut = await read((onReject) => readCsv(piecesOf(bytes, 1_000), { ...options, engine, onReject }));
      expect(cut).toEqual(whole);
    }
    const source = new Blob([bytes]).stream();
    const piped = await read((onReject) => source.pipeThrough(sniffedCsv({ ...options, onReject })));
    expect(piped).toEqual(whole);
    const path = new URL("../../examples/data/orders.csv", import.meta.url);
    const anything = z.looseObject({ order: z.number() });
    const alone = await readCsvFile(path, { schema: anything }).toArray();
    expect(alone.length).toBeGreaterThan(2_000);
    expect(await readCsvFile(path, { schema: anything, threads: 2 }).toArray()).toEqual(alone);
  });

  it("looks at rows up to the limit, and at those alone that are rows", async () => {
    const seen: unknown[] = [];
    const schema: StandardSchema = {
      "~standard": {
        version: 1,
        vendor: "test",
        validate(row) {
          seen.push((row as { a: unknown }).a);
          return { value: row };
        },
      },
    };
    const options = { schema, onError: "reject", types: { b: "BIGINT" }, sampleRows: 1 } as const;
    const rows = await readCsv("a,b\n1,1\n2,x\n3,3\n4\n5,5\n", options).toArray();
    expect(rows.map((row) => (row as { a: unknown }).a)).toEqual([1, 3, 5]);
    expect(seen).toEqual([1, 3, 5]);
    expect(await readCsv("a\n1\n2\n3\n", { schema: ORDER.partial(), limit: 0 }).toArray()).toEqual([]);
    const late = { schema: z.object({ a: z.number().max(2) }), limit: 2 };
    expect(await readCsv("a\n1\n2\n3\n", late).toArray()).toEqual([{ a: 1 }, { a: 2 }]);
  });

  it("widens a column behind the rows that it has passed", async () => {
    const schema = z.object({ a: z.union([z.number(), z.string()]) });
    const options = { schema, onTypeMismatch: "widen", sampleRows: 2, header: true } as const;
    expect(await readCsv("a\n1\n2\n3\nx\n4\n", options).toArray()).toEqual(
      [1, 2, 3, "x", "4"].map((a) => ({ a })),
    );
  });

  it("that throws ends the reading with what it has thrown, behind the rows before it", async () => {
    const schema: StandardSchema = {
      "~standard": {
        version: 1,
        vendor: "test",
        validate(row) {
          if ((row as { a: number }).a === 3) throw new RangeError("three");
          return { value: row };
        },
      },
    };
    const { rows, error } = await outcomeOf(readCsv("a\n1\n2\n3\n4\n", { schema }));
    expect(rows).toEqual([{ a: 1 }, { a: 2 }]);
    expect(error).toEqual(new RangeError("three"));
  });

  it("that answers with a promise, is none, or has no rows to look at, is refused", async () => {
    const later = z.object({ a: z.number().refine(async () => true) });
    const { rows, error } = await outcomeOf(readCsv("a\n1\n", { schema: later }));
    expect(rows).toEqual([]);
    expect(error).toMatchObject({ code: "INVALID_OPTION" });
    for (const schema of [3, {}, null, () => true, { "~standard": {} }]) {
      expect(() => readCsv("a\n1\n", { schema: schema as never })).toThrow("Standard Schema");
    }
    for (const output of ["batches", "ndjson", "csv", "vw"] as const) {
      expect(() => readCsv("a\n1\n", { schema: ORDER, output })).toThrow('output: "rows"');
    }
  });
});
