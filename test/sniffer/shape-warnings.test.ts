import { describe, expect, it } from "vitest";
import { sniffCsv } from "../../src/index.js";

const table = `id,name,price\n${Array.from({ length: 8 }, (_, i) => `${i},name ${i},${i}.5`).join("\n")}\n`;
const warningsOf = async (text: string, options = {}) =>
  (await sniffCsv(text, options)).warnings.map(({ code, line }) => `${code} ${line ?? ""}`.trim());

describe("records that do not fit", () => {
  it("below the table are footnotes, where the input ends with them", async () => {
    expect(await warningsOf(`${table}Source: the office\n`)).toEqual(["FOOTNOTES 10"]);
    expect(
      await warningsOf(`# made by x\n\n${table}\nSource: the office\nAll prices in euro, net\n`),
    ).toEqual(["FOOTNOTES 13"]);
    expect(await warningsOf(table)).toEqual([]);
  });

  it("are no footnotes where the sample ends before the input does", async () => {
    const text = `${table}Source: the office\n${table}`;
    expect(await warningsOf(text, { sampleRows: 9 })).toEqual(["RAGGED_RECORDS 10"]);
  });

  it("within the table are counted, and the first is named", async () => {
    const { warnings } = await sniffCsv(
      `${table}8,name 8\n${table.slice(table.indexOf("\n") + 1)}9,x,1.5,y\n1,x,2.5\n`,
    );
    expect(warnings).toEqual([
      {
        code: "RAGGED_RECORDS",
        message: "2 records have another number of fields than the 3 columns, the first of them 2",
        line: 10,
      },
    ]);
  });

  it("are told apart from a second table", async () => {
    const second = "a,b\n1,2\n3,4\n5,6\n";
    expect(await warningsOf(`${table}${table.slice(table.indexOf("\n") + 1)}total\n${second}`)).toEqual([
      "OTHER_TABLE 19",
      "FOOTNOTES 18",
    ]);
  });

  it("are none in one column", async () => {
    expect(await warningsOf("text\na, b\nc\nd, e, f\ng\n")).toEqual([]);
  });
});
