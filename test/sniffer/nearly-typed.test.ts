import { describe, expect, it } from "vitest";
import { readCsv, sniffCsv } from "../../src/index.js";

const rows = (count: number, cell: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => `${cell(i)};x\n`).join("");

async function warnings(body: string, options = {}) {
  const sniff = await sniffCsv(`v;w\n${body}`, { header: true, ...options });
  return sniff.warnings.filter(({ code }) => code === "NEARLY_TYPED");
}

describe("a column that is text because of a few values", () => {
  it("is warned of, with the first of them, its line, and what makes it typed", async () => {
    const numbers = { decimalSeparator: ",", thousandsSeparator: "." };
    const body = `${rows(50, (i) => `1.234,${10 + i}`)}1.2.3,00;x\n${rows(5, () => "7,5")}`;
    expect(await warnings(body, numbers)).toEqual([
      {
        code: "NEARLY_TYPED",
        column: "v",
        line: 52,
        message:
          'column "v" is text only because of 1 of 56 values, "1.2.3,00"; with types: {"v":"DOUBLE"} it is DOUBLE, and that is a fault',
      },
    ]);
    const told = readCsv(`v;w\n${body}`, { ...numbers, types: { v: "DOUBLE" }, onError: "reject" });
    expect(await told.toArray()).toHaveLength(55);
  });

  it("may hold dates, whole numbers, decimals, null markers, and a misfit at its beginning", async () => {
    const types = async (body: string) =>
      (await warnings(body)).map(({ message }) => message.match(/it is (\w+)/)?.[1]);
    expect(await types(`${rows(30, () => "24.12.2025")}28.02.25;x\n`)).toEqual(["DATE"]);
    expect(await types(`${rows(30, String)}n.v.;x\n`)).toEqual(["BIGINT"]);
    expect(await types(`${rows(20, String)}${rows(20, (i) => `${i}.5`)}12 km;x\n`)).toEqual(["DOUBLE"]);
    expect(await types(`0x1;x\n${rows(30, String)}`)).toEqual(["BIGINT"]);
    expect(await types(`${rows(30, (i) => (i % 3 === 0 ? "NA" : String(i)))}soon;x\n`)).toEqual(["BIGINT"]);
  });

  it("is told the option that makes it typed, a format with dates", async () => {
    const cases: [string, string, Record<string, unknown>][] = [
      ["24.12.2025", 'dateFormat: {"v":"%d.%m.%Y"}', { dateFormat: { v: "%d.%m.%Y" } }],
      [
        "24.12.2025 10:11",
        'timestampFormat: {"v":"%d.%m.%Y %H:%M"}',
        { timestampFormat: { v: "%d.%m.%Y %H:%M" } },
      ],
    ];
    for (const [cell, said, options] of cases) {
      const body = `${rows(30, () => cell)}soon;x\n${rows(30, () => cell)}later;x\n" ";x\n`;
      expect((await warnings(body)).map(({ message }) => message)).toEqual([
        expect.stringMatching(/3 of 63 values, the first of them "soon"; .* and those are faults$/),
      ]);
      expect((await warnings(body))[0].message).toContain(said);
      const read = readCsv(`v;w\n${body}`, { ...options, onError: "reject" });
      expect(await read.toArray()).toHaveLength(60);
    }
  });

  it("is left alone where it is text for good, where it was asked for, and where it has few values", async () => {
    expect(await warnings(rows(100, (i) => (i % 8 === 0 ? `A${i}` : String(i))))).toEqual([]);
    expect(await warnings(rows(100, (i) => `name ${i}`))).toEqual([]);
    expect(await warnings(rows(100, (i) => `${i} Main Street`))).toEqual([]);
    expect(await warnings(`${rows(5, String)}x;x\n`)).toEqual([]);
    expect(await warnings(`${rows(50, String)}x;x\n`, { types: { v: "VARCHAR" } })).toEqual([]);
    expect(await warnings(`${rows(50, String)}x;x\n`, { types: false })).toEqual([]);
  });

  it("is seen behind cells with escapes", async () => {
    const body = `${rows(30, (i) => (i % 2 === 0 ? `"${i}"` : String(i)))}"1""2";x\n`;
    expect((await warnings(body)).map(({ line }) => line)).toEqual([32]);
  });
});
