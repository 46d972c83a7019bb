import { describe, expect, expectTypeOf, it } from "vitest";
import { type CsvValue, readCsv, sniffedCsv } from "../src/index.js";
import { sniffedCsv as sniffedDuplex } from "../src/node/index.js";

const text = "id,price,ok,day,name\n1,2.5,true,2024-01-31,x\n";

describe("rows", () => {
  it("are of any value where nothing is said", async () => {
    const [row] = await readCsv(text).toArray();
    expectTypeOf(row).toEqualTypeOf<Record<string, CsvValue>>();
    expect(row.price).toBe(2.5);
  });

  it("have the types that literals give them", async () => {
    const types = { id: "bigint", price: "DOUBLE", ok: "boolean", day: "DATE", name: "VARCHAR" } as const;
    const [row] = await readCsv(text, { types }).toArray();
    expectTypeOf(row.id).toEqualTypeOf<number | bigint | null>();
    expectTypeOf(row.price).toEqualTypeOf<number | null>();
    expectTypeOf(row.ok).toEqualTypeOf<boolean | null>();
    expectTypeOf(row.day).toEqualTypeOf<Date | null>();
    expectTypeOf(row.name).toEqualTypeOf<string | null>();
    expect(row).toEqual({ id: 1, price: 2.5, ok: true, day: new Date("2024-01-31"), name: "x" });
  });

  it("follow the options that change values", async () => {
    const options = { types: { id: "BIGINT", day: "DATE" }, bigint: "always", dates: "string" } as const;
    const [row] = await readCsv(text, options).toArray();
    expectTypeOf(row.id).toEqualTypeOf<bigint | null>();
    expectTypeOf(row.day).toEqualTypeOf<string | null>();
    expect([row.id, row.day]).toEqual([1n, "2024-01-31"]);
    const [never] = await readCsv(text, { types: { id: "BIGINT" }, bigint: "never" }).toArray();
    expectTypeOf(never.id).toEqualTypeOf<number | null>();
    expect(never.id).toBe(1);
    const [untyped] = await readCsv(text, { types: false }).toArray();
    expectTypeOf(untyped).toEqualTypeOf<Record<string, string | null>>();
    expect(untyped.id).toBe("1");
  });

  it("are tuples where they are lists", async () => {
    const types = ["BIGINT", "DOUBLE", "BOOLEAN", "VARCHAR", "VARCHAR"] as const;
    const [row] = await readCsv(text, { types, rowShape: "array" }).toArray();
    expectTypeOf(row).toEqualTypeOf<
      [number | bigint | null, number | null, boolean | null, string | null, string | null]
    >();
    expect(row).toEqual([1, 2.5, true, "2024-01-31", "x"]);
  });

  it("are named by names", async () => {
    const names = ["a", "b", "c", "d", "e"] as const;
    const [row] = await readCsv(text, { names, header: true }).toArray();
    expectTypeOf(row).toEqualTypeOf<Record<"a" | "b" | "c" | "d" | "e", CsvValue>>();
    expect(row.b).toBe(2.5);
  });

  it("are lines in text outputs", async () => {
    const [line] = await readCsv(text, { output: "ndjson" }).toArray();
    expectTypeOf(line).toEqualTypeOf<string>();
    expect(JSON.parse(line)).toMatchObject({ id: 1 });
  });

  it("have their types through both streams", async () => {
    const options = { types: { price: "DOUBLE" } } as const;
    for await (const row of new Blob([text]).stream().pipeThrough(sniffedCsv(options))) {
      expectTypeOf(row.price).toEqualTypeOf<number | null>();
      expect(row.price).toBe(2.5);
    }
    const duplex = sniffedDuplex(options);
    duplex.end(text);
    for await (const row of duplex) {
      expectTypeOf(row.price).toEqualTypeOf<number | null>();
      expect(row.price).toBe(2.5);
    }
  });
});
