import { describe, expect, it } from "vitest";
import { readCsv, sniffCsv } from "../../src/index.js";

async function layoutOf(text: string, options = {}) {
  const { dialect, columns } = await sniffCsv(text, options);
  const { header, headerLines, skipLines } = dialect;
  return { header, headerLines, skipLines, names: columns.map((column) => column.name) };
}

const DATA = "ann,1,2.5\nbo,2,3.5\ncy,3,4.5\ndi,4,5.5\n";

describe("titles above the table", () => {
  it("are preamble down to the last empty record", async () => {
    expect(await layoutOf(`Report,,\n,,\nname,n,x\n${DATA}`)).toEqual({
      header: true,
      headerLines: 1,
      skipLines: 2,
      names: ["name", "n", "x"],
    });
    expect(await layoutOf(`,,\n,"Report\nof May",\nname,n,x\n${DATA}`)).toMatchObject({ skipLines: 3 });
  });

  it("are preamble where there are several", async () => {
    const text = `Department,,\nTravel,,\nJanuary to March,,\nname,n,x\n${DATA}`;
    expect(await layoutOf(text)).toMatchObject({ skipLines: 3, headerLines: 1, names: ["name", "n", "x"] });
  });

  it("belong to the header where a single one stands right above it", async () => {
    expect(await layoutOf(`Consumption,,\nwho,total,mean\n${DATA}`)).toMatchObject({
      skipLines: 0,
      headerLines: 2,
      names: ["Consumption who", "total", "mean"],
    });
  });

  it("are no titles where they hold numbers, or data follows", async () => {
    expect(await layoutOf(`7,,\n8,1,2.5\n9,2,3.5\n10,3,4.5\n`)).toMatchObject({
      skipLines: 0,
      header: false,
    });
    expect(await layoutOf(`eve,,\n${DATA}`)).toMatchObject({ skipLines: 0, headerLines: 1 });
  });
});

describe("headers of several lines", () => {
  it("are joined by one space, and read as such", async () => {
    const text = `group,,second\nname,count,size\n${DATA}`;
    expect(await layoutOf(text)).toMatchObject({
      headerLines: 2,
      names: ["group name", "count", "second size"],
    });
    expect(await readCsv(text, { rowShape: "array" }).toArray()).toEqual([
      ["ann", 1, 2.5],
      ["bo", 2, 3.5],
      ["cy", 3, 4.5],
      ["di", 4, 5.5],
    ]);
  });

  it("may be repeated, or hold units", async () => {
    expect(await layoutOf(`name,n,x\nname,n,x\nname,n,x\n${DATA}`)).toMatchObject({ headerLines: 3 });
    expect(await layoutOf("t,v\n[s],[m/s]\n0.1,2.5\n0.2,2.7\n0.3,2.9\n")).toMatchObject({
      headerLines: 2,
      names: ["t [s]", "v [m/s]"],
    });
  });

  it("are told by the caller, who is obeyed", async () => {
    const text = "name,town\nof person,of birth\nann,rome\nbo,oslo\n";
    expect(await layoutOf(text)).toMatchObject({ headerLines: 1 });
    expect(await layoutOf(text, { headerLines: 2 })).toMatchObject({
      headerLines: 2,
      names: ["name of person", "town of birth"],
    });
    expect(await layoutOf(`name,n,x\nname,n,x\n${DATA}`, { headerLines: 1 })).toMatchObject({
      headerLines: 1,
    });
    expect(await layoutOf(`name,n,x\nname,n,x\n${DATA}`, { header: false })).toMatchObject({
      header: false,
      headerLines: 0,
    });
  });

  it("are not made of records with codes for missing values", async () => {
    expect(await layoutOf(`name,n,x\neve,n/a,-\n${DATA}`)).toMatchObject({ headerLines: 1 });
    expect(await layoutOf(`name,n,x\neve,LOW,LOW\n${DATA}fay,LOW,5.5\n`)).toMatchObject({ headerLines: 1 });
  });
});

describe("headers of another width than their records", () => {
  const wide = "ann,1,2.5,x\nbo,2,3.5,y\ncy,3,4.5,z\n";

  it("lack a name over the row names that R writes", async () => {
    expect(await layoutOf(`n,x,code\n${wide}`)).toMatchObject({
      header: true,
      skipLines: 0,
      names: ["column0", "n", "x", "code"],
    });
  });

  it("have an empty name too many", async () => {
    expect(await layoutOf(`name,n,,x,code\n${wide}`)).toMatchObject({
      header: true,
      skipLines: 0,
      names: ["name", "n", "x", "code"],
    });
  });

  it("have a stray quote", async () => {
    expect(await layoutOf(`name,"n,x,"code"\nann,1,2.5,"x, y"\nbo,2,3.5,"y"\ncy,3,4.5,"z"\n`)).toMatchObject({
      header: true,
      skipLines: 0,
      names: ["name", "n", "x", "code"],
    });
  });

  it("are preamble where a header of the right width follows", async () => {
    const text = "Created as new,Sample by Administrator,Saturday\ncm-1,%T\n4000.0,98.78\n3999.0,98.79\n";
    expect(await layoutOf(text)).toEqual({
      header: true,
      headerLines: 1,
      skipLines: 1,
      names: ["cm-1", "%T"],
    });
  });
});

describe("several tables", () => {
  it("makes the first the table, and warns of the next", async () => {
    const first = Array.from({ length: 12 }, (_, i) => `${i},a,b`);
    const second = Array.from({ length: 20 }, (_, i) => `${i},a,b,c,d,e,f`);
    const sniff = await sniffCsv(`run,x,y\n${first.join("\n")}\n${second.join("\n")}\n`);
    expect(sniff.columns.map((column) => column.name)).toEqual(["run", "x", "y"]);
    expect(sniff.warnings).toContainEqual(expect.objectContaining({ code: "OTHER_TABLE", line: 14 }));
  });

  it("counts the line of the warning from the top of the input", async () => {
    const rows = Array.from({ length: 12 }, (_, i) => `${i};a;b`).join("\n");
    const { warnings } = await sniffCsv(`sep=;\nn;x;y\n${rows}\n1;2\n3;4\n5;6\n`);
    expect(warnings).toContainEqual(expect.objectContaining({ code: "OTHER_TABLE", line: 15 }));
  });

  it("does not take pairs of names and values above a table for one", async () => {
    const pairs = "#type,all\n#file,x.dat\n#format,ansi\n";
    const rows = Array.from({ length: 20 }, (_, i) => `${i},${i / 2},${i / 4}`).join("\n");
    expect(await layoutOf(`${pairs}t,v,w\n${rows}\n`)).toMatchObject({
      skipLines: 3,
      names: ["t", "v", "w"],
    });
  });
});
