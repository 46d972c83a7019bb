import { describe, expect, it } from "vitest";
import { sniffCsv } from "../../src/index.js";

async function dialectOf(text: string) {
  const { dialect } = await sniffCsv(text);
  const { delimiter, quote, escape } = dialect;
  return { delimiter, quote, escape };
}

async function delimiterOf(text: string) {
  return (await sniffCsv(text)).dialect.delimiter;
}

describe("delimiter", () => {
  it("is not one that leaves the header out, when another takes every record in", async () => {
    const shape = "POLYGON(48.7 9.1, 48.7 9.1, 48.7 9.1, 48.7 9.1)";
    expect(
      await delimiterOf(`ID;GEOM;BOX\n1; POINT(48.7 9.1); ${shape}\n2; POINT(48.7 9.1); ${shape}\n`),
    ).toBe(";");
    expect(
      await delimiterOf("GEO.id,Id\nA01,Total; Estimate; Households\nA02,Total; Margin; Households\n"),
    ).toBe(",");
  });

  it("may stand between lists that another character separates", async () => {
    expect(await delimiterOf("col1,col2\n1;2;3,4;5;6\na;b;c,d;e;f\n")).toBe(",");
  });

  it("still splits a table below prose or lists of another delimiter", async () => {
    const rows = ["t;x;y;z", "0.1;5.5;6.5;1", "0.2;5.7;6.1;2", "0.3;5.9;6.2;3", "0.4;6.1;6.4;4"];
    expect(await delimiterOf(`ids=[1,2,3]\nlength=[4.0,5.1,6.2]\n${rows.join("\n")}\n`)).toBe(";");
    expect(await delimiterOf(`Report, March\n${rows.join("\n")}\n`)).toBe(";");
  });

  it("is none that only ends the lines", async () => {
    expect(await delimiterOf("1, I;\n2, L;\n3, V;\n4, E;\n")).toBe(",");
  });

  it("is the comma in a column of prose, whatever single lines hold", async () => {
    const prose =
      '"This comma (,) is quoted"\nOnly one column\nwith a semicolon (;)\na colon (:) or a pipe (|)\nand a tab (\t)\n';
    const sniff = await sniffCsv(prose);
    expect(sniff.dialect.delimiter).toBe(",");
    expect(sniff.columns).toHaveLength(1);
    expect(await delimiterOf("remarks\nall well\nfine; so far\nnothing else\n")).toBe(",");
  });

  it("says of each losing candidate why it lost", async () => {
    const { candidates } = await sniffCsv("col1,col2\n1;2;3,4;5;6\na;b;c,d;e;f\n");
    expect(candidates[0].verdict).toBe("wins");
    expect(candidates[1].dialect.delimiter).toBe(";");
    expect(candidates[1].verdict).toBe("leaves the first records out of the table");
  });
});

describe("quote and escape", () => {
  it("goes by faults: one escaped quote among many records decides", async () => {
    const plain = Array.from({ length: 500 }, (_, i) => `"key${i}";"some text"`).join("\n");
    expect(await dialectOf(`${plain}\n"last";"a class=\\"x\\" here"\n`)).toEqual({
      delimiter: ";",
      quote: '"',
      escape: "\\",
    });
    expect(await dialectOf(`${plain}\n"last";"a class=""x"" here"\n`)).toEqual({
      delimiter: ";",
      quote: '"',
      escape: '"',
    });
  });

  it("keeps doubled quotes where backslashes stand before other characters", async () => {
    expect(await dialectOf('"a","b"\n"can\\\'t","say ""no"""\n"c:\\dir","x"\n')).toMatchObject({
      escape: '"',
    });
  });

  it("takes a quote that is always escaped as the quote", async () => {
    const text = "3141;Ships\\' engineers\n3142;Ships\\' officers\n834;Ship\\'s deck crews\n1;Legislators\n";
    expect(await dialectOf(text)).toEqual({ delimiter: ";", quote: "'", escape: "\\" });
    expect(await dialectOf(text.replaceAll("\\", ""))).toMatchObject({ quote: '"' });
  });

  it("finds no escape where quotes stand unescaped between quotes", async () => {
    const text = 'id,"size","by"\n1,"round 48"","ann"\n2,"8\\\'9 long","bo"\n3,"5","cy"\n4,"6","di"\n';
    expect(await dialectOf(text)).toMatchObject({ delimiter: ",", quote: '"', escape: null });
  });

  it("does not read quotes into a second table that has none", async () => {
    const first = Array.from({ length: 20 }, (_, i) => `${i},x,"a, b, c","d, ${i}",e`);
    const second = Array.from({ length: 20 }, (_, i) => `${i},x,y`);
    const sniff = await sniffCsv(`a,b,c,d,e\n${first.join("\n")}\n${second.join("\n")}\n`);
    expect(sniff.dialect.quote).toBe('"');
    expect(sniff.columns).toHaveLength(5);
    expect(sniff.dialect.skipLines).toBe(0);
    expect(sniff.warnings).toContainEqual(expect.objectContaining({ code: "OTHER_TABLE", line: 22 }));
  });
});

describe("stability", () => {
  const records = Array.from({ length: 60 }, (_, i) => `${i};"text, ${i}";${i / 8};2024-01-${10 + (i % 20)}`);
  const header = "id;text;value;day";

  it("does not depend on the order of records or on the line ends", async () => {
    const expected = await dialectOf([header, ...records].join("\n"));
    expect(await dialectOf([header, ...[...records].reverse()].join("\n"))).toEqual(expected);
    expect(await dialectOf([header, ...records].join("\r\n"))).toEqual(expected);
    expect(await dialectOf([header, ...records].join("\r"))).toEqual(expected);
  });

  it("does not depend on the size of the sample", async () => {
    const text = [header, ...records].join("\n");
    const small = await sniffCsv(text, { sampleRows: 10 });
    const large = await sniffCsv(text);
    expect(small.dialect).toEqual(large.dialect);
  });
});

describe("columns set out with spaces", () => {
  it("are split by runs of them, on the evidence of numbers", async () => {
    const text = "time   x      y\n1.5    2.25   3.0\n10.5   2.5    33.25\n0.25   1.5    1.0\n";
    expect((await sniffCsv(text)).dialect).toMatchObject({ delimiter: " ", skipInitialSpace: true });
  });

  it("are one column of text where words stand in them", async () => {
    expect(await dialectOf("hello  world\nthis   is\nmore   words\n")).toMatchObject({ delimiter: "," });
  });
});

describe("quotes in pairs around cells alone", () => {
  it("quote, where cells look a little better with them as text", async () => {
    const text = "c0;c1\n'a;\r\na';\n\ta;\n";
    expect(await dialectOf(text)).toMatchObject({ delimiter: ";", quote: "'" });
  });

  it("are text where one more stands within a cell", async () => {
    const text = "c0;c1\n'a;\r\na';\n\ta's;\n";
    expect(await dialectOf(text)).toMatchObject({ delimiter: ";", quote: '"' });
  });
});
