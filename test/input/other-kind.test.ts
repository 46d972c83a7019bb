import { describe, expect, it } from "vitest";
import { readCsv, sniffCsv } from "../../src/index.js";

const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

async function warned(input: string | Uint8Array): Promise<string[]> {
  const { warnings } = await sniffCsv(input);
  return warnings.filter(({ code }) => code === "NOT_CSV").map(({ message }) => message);
}

describe("what is no CSV", () => {
  it("is warned of by how it begins", async () => {
    const cases: [string, string][] = [
      ["%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n1 0 obj\n", "a PDF"],
      ["\u0089PNG\r\n\u001a\n\0\0\0\rIHDR\0\0", "a PNG image"],
      ["\u00ff\u00d8\u00ff\u00e0\0\u0010JFIF\n", "a JPEG image"],
      ["GIF89a\u0001\0\u0001\0\n", "a GIF image"],
      ["\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1\n\n", "an old Excel or Word file"],
      ["SQLite format 3\0\u0010\0\u0001\u0001\n", "an SQLite database"],
      ["PAR1\u0015\u0004\n\n", "a Parquet file"],
      ["\n  <!DOCTYPE html>\n<html><body>Not found</body></html>\n", "an HTML page"],
      ['<?xml version="1.0"?>\n<a/>\n', "XML"],
      ['{"error": "not found"}\n', "JSON"],
      ['[\n  {"a": 1},\n  {"a": 2}\n]\n', "JSON"],
    ];
    for (const [text, kind] of cases) {
      expect(await warned(latin1(text)), kind).toEqual([`the input seems to be ${kind}`]);
    }
    const form =
      '------x1\r\nContent-Disposition: form-data; name="f"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\na,b\r\n1,2\r\n------x1--\r\n';
    expect((await warned(form))[0]).toContain("formData()");
    expect((await warned("orders.csv"))[0]).toContain("readCsvFile(path)");
  });

  it("is read all the same", async () => {
    expect(await readCsv('{"a";1}\n{"b";2}\n', { header: false }).toArray()).toHaveLength(2);
  });

  it("is not seen in what is CSV", async () => {
    for (const text of [
      "a,b\n1,2\n",
      "<a>;<b>\n1;2\n",
      "{a};b\n1;2\n",
      "--x\nContent-Type\n",
      "file\na.csv\nb.csv\n",
      "--,b\n1,2\n",
      "par,b\n1,2\n",
    ]) {
      expect(await warned(text), text).toEqual([]);
    }
  });
});
