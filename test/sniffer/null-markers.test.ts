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
    expect(await codes(["1", "NA", "2"])).toEqual([]);
    expect(await codes(["NA", "-", "?"])).toEqual([]);
    expect(await codes(["1", "2", "NA", "3"], { types: false })).toEqual([]);
    expect(await codes(["1", "2", "NA", "3"], { types: { v: "VARCHAR" } })).toEqual([]);
    expect(await codes(["1", "2", "NA", "3"], { nullValues: ["NA"] })).toEqual([]);
  });
});
