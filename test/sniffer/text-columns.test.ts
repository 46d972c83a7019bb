import { describe, expect, it } from "vitest";
import { readCsv, sniffCsv } from "../../src/index.js";

const sniffColumn = (cells: string[], options = {}) =>
  sniffCsv(`v;w\n${cells.join(";x\n")};x\n`, { header: true, ...options });

describe("a column that is text because of null markers", () => {
  it("is warned of, with the type that it would have", async () => {
    const { columns, warnings } = await sniffColumn(["1", "2", "NA", "3", "n/a"]);
    expect(columns[0].type).toBe("VARCHAR");
    expect(warnings).toEqual([
      {
        code: "NULL_MARKERS",
        column: "v",
        message:
          'column "v" is text only because of "NA", "n/a"; with nullValues: ["", "NA", "n/a"] it is BIGINT',
      },
    ]);
    const rows = readCsv("v;w\n1;x\nNA;x\n3;x\n", { nullValues: ["", "NA", "n/a"] });
    expect(await rows.toArray()).toEqual([
      { v: 1, w: "x" },
      { v: null, w: "x" },
      { v: 3, w: "x" },
    ]);
  });

  it("may hold dates or decimals as well", async () => {
    const types = async (cells: string[]) =>
      (await sniffColumn(cells)).warnings.map(({ message }) => message.split(" ").at(-1));
    expect(await types(["2024-01-31", "-", "2024-02-01", "2024-02-02"])).toEqual(["DATE"]);
    expect(await types(["1.5", "2.5", "?", "3.5", "\\N"])).toEqual(["DOUBLE"]);
  });

  it("is left alone where it is text anyway, of too few values, given or asked for", async () => {
    const codes = async (cells: string[], options = {}) =>
      (await sniffColumn(cells, options)).warnings.map(({ code }) => code);
    expect(await codes(["1", "2", "NA", "x", "3"])).toEqual([]);
    expect(await codes(["1", "NA", "2"])).toEqual(["NULL_MARKERS"]);
    expect(await codes(["1", "NA", "NA"])).toEqual([]);
    expect(await codes(["NA", "-", "?"])).toEqual([]);
    expect(await codes(["1", "2", "NA", "3"], { types: false })).toEqual([]);
    expect(await codes(["1", "2", "NA", "3"], { types: { v: "VARCHAR" } })).toEqual([]);
    expect(await codes(["1", "2", "NA", "3"], { nullValues: ["NA"] })).toEqual([]);
  });
});

describe("a column that is text because of how its numbers are written", () => {
  const hints = async (cells: string[], options = {}) => (await sniffColumn(cells, options)).hints;

  it("is told of, with the options that make numbers of it, and they do", async () => {
    const cases: [string[], string, Record<string, unknown>, unknown[]][] = [
      [["1,5", "-2,25"], 'DOUBLE with decimalSeparator ","', { decimalSeparator: "," }, [1.5, -2.25]],
      [
        ["1.234,50", "7"],
        'DOUBLE with decimalSeparator "," and thousandsSeparator "."',
        { decimalSeparator: ",", thousandsSeparator: "." },
        [1234.5, 7],
      ],
      [
        ["1,234.50", "1,234,567"],
        'DOUBLE with thousandsSeparator ","',
        { thousandsSeparator: "," },
        [1234.5, 1234567],
      ],
      [
        ["1.234.567", "5"],
        'BIGINT with decimalSeparator "," and thousandsSeparator "."',
        { decimalSeparator: ",", thousandsSeparator: "." },
        [1234567, 5],
      ],
      [["1'234.5", "5"], 'DOUBLE with thousandsSeparator "\'"', { thousandsSeparator: "'" }, [1234.5, 5]],
    ];
    for (const [cells, said, options, values] of cases) {
      const found = (await hints(cells)).map((hint) => hint.split(", or as ")[0]);
      expect(found).toEqual([`column v parses as ${said}`]);
      const text = `v;w\n${cells.join(";x\n")};x\n`;
      const rows = (await readCsv(text, { header: true, ...options }).toArray()) as { v: number }[];
      expect(rows.map(({ v }) => v)).toEqual(values);
    }
  });

  it("is told of with the words for a missing value among them", async () => {
    const found = ['column v parses as DOUBLE with decimalSeparator ",", and nullValues: ["", "n/a"]'];
    expect(await hints(["1,5", "n/a", "12,0"])).toEqual(found);
    expect(await hints(["n/a", "1,5"])).toEqual(found);
  });

  it("is told of in two ways where both fit", async () => {
    expect(await hints(["1,234", "2,500"])).toEqual([
      'column v parses as DOUBLE with decimalSeparator ",", or as BIGINT with thousandsSeparator ","',
    ]);
  });

  it("is left alone where a cell is none, where it was asked for, and where a decimal comma was", async () => {
    expect(await hints(["1,5", "x"])).toEqual([]);
    expect(await hints(["1,5", "2"], { types: false })).toEqual([]);
    expect(await hints(["1.5", "2,5,5"], { decimalSeparator: "," })).toEqual([]);
    expect(await hints(["1.234,5"], { decimalSeparator: "," })).toEqual([
      'column v parses as DOUBLE with thousandsSeparator "."',
    ]);
  });
});
