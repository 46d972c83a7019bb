import { describe, expect, it } from "vitest";
import { CsvError } from "../../../src/errors.js";
import { VwEmitter } from "../../../src/output/vw/emitter.js";
import { hashString } from "../../../src/output/vw/hash.js";
import { resolveVwOptions, type VwOptions } from "../../../src/output/vw/options.js";
import { readVw } from "./read-csv.js";
import { readVwLine } from "./text-model.js";

const linesOf = (csv: string, options?: VwOptions) => readVw(csv, options).lines;

function faultOf(csv: string, options?: VwOptions): CsvError {
  try {
    readVw(csv, options);
  } catch (error) {
    if (error instanceof CsvError) return error;
  }
  throw new Error("it did not throw a CsvError");
}

describe("columns", () => {
  it("takes label and tag from other columns", () => {
    const csv = "y,id,_label,x\n1,t,5,2\n";
    expect(linesOf(csv, { csvLabel: "y", csvTag: "id" })).toEqual(["1 't| _label:5 x:2"]);
  });

  it("joins the label's parts", () => {
    const csv = "y,w,x\n1,0.5,2\n1,,2\n,0.5,2\n";
    expect(linesOf(csv, { csvLabel: "y,w" })).toEqual(["1 0.5 | x:2", "1 | x:2", "| x:2"]);
    const labels = "l1,l2,l3,x\n1,,3,2\n,2,,2\n";
    expect(linesOf(labels, { csvLabel: ["l1", "l2", "l3"], csvMultilabels: true })).toEqual([
      "1,3 | x:2",
      "2 | x:2",
    ]);
  });

  it("refuses a label that the header lacks, and warns where none is named", () => {
    const error = faultOf("a,b\n1,2\n", { csvLabel: "y" });
    expect(error.code).toBe("VW_HEADER");
    expect(error.message).toContain('vw.csvLabel names a column "y"');
    expect(readVw("a,b\n1,2\n").warnings.map(({ code }) => code)).toEqual(["VW_NO_LABEL"]);
  });

  it("keeps outer quotes by option", () => {
    const csv = '"_label",x,"y"\n"1","a ""b""",5\n';
    expect(linesOf(csv, { csvRemoveOuterQuotes: false })).toEqual(['| "_label":"1" x:"a_"b"" "y":5']);
  });

  it("scales numbers, not strings", () => {
    const csv = '_label,a|x,a|s,y\n1,3,hi,0.1\n1,0.3,"",1e38\n';
    const { lines, examples } = readVw(csv, { csvNsValue: "a:0.5,:8" });
    expect(lines).toEqual(["1 |a x:1.5 s:hi | y:0.8", "1 |a x:0.15 s | y:inf"]);
    expect(examples[0].namespaces[0]).toMatchObject({
      name: "a",
      value: 0.5,
      features: [{ value: 1.5 }, { value: 1 }],
    });
  });

  it("gives indexes of so many bits", () => {
    const [{ namespaces }] = readVw("x\n1\n", { bits: 18 }).examples;
    expect(namespaces[0].features[0]).toEqual({ name: "x", value: 1, hash: hashString("x"), index: 170779 });
  });
});

describe("what text can't hold", () => {
  const csv = '_label,_tag,a b|n:1,s\n1,"my tag",5,"two words"\n1,t,"new\nline",three more words\n';

  it("is replaced, with one warning a column", () => {
    const { lines, warnings } = readVw(csv);
    expect(lines).toEqual([
      "1 'my_tag|a_b n_1:5 | s:two_words",
      "1 't|a_b n_1:new_line | s:three_more_words",
    ]);
    const columns = warnings.map(({ column }) => column);
    expect(columns).toEqual(["a b|n:1", "_tag", "s"]);
  });

  it("is hashed", () => {
    const { lines, examples } = readVw(csv, { inexpressible: "hash" });
    lines.forEach((line, i) => {
      const indexes = readVwLine(line).features.map(([, index, value]) => [index, value]);
      const held = examples[i].namespaces.flatMap(({ features }) => features);
      expect(indexes).toEqual(held.map(({ hash, value }) => [hash & 0x3ffff, value]));
    });
  });

  it("is an error", () => {
    const error = faultOf(csv, { inexpressible: "error" });
    expect(error).toMatchObject({ code: "VW_INEXPRESSIBLE", column: "a b|n:1", record: 0 });
    const later = faultOf("_label,s\n1,a\n1,b c\n", { inexpressible: "error" });
    expect(later).toMatchObject({ code: "VW_INEXPRESSIBLE", column: "s", line: 3 });
  });

  it("is nothing where blanks at an end do not count", () => {
    const { lines, warnings } = readVw('_label, x ,s\n1, 5 ,"  "\n');
    expect(lines).toEqual(["1 | x:\t5 s"]);
    expect(warnings).toEqual([]);
  });

  it("never breaks a line", () => {
    for (const inexpressible of ["replace", "hash"] as const) {
      const odd = '"_label","_tag","n\n1|x\r","y"\n"1\n|2","t\r\n","a\r\nb","\n"\n';
      for (const line of linesOf(odd, { inexpressible })) expect(line).not.toMatch(/[\r\n]/);
    }
  });
});

describe("labels of a kind", () => {
  const label = (rows: string[], option: Omit<NonNullable<VwOptions["label"]>, "column">) =>
    readVw(`y,x\n${rows.map((row) => `${row},1\n`).join("")}`, { label: { column: "y", ...option } });
  const heads = (rows: string[], option: Omit<NonNullable<VwOptions["label"]>, "column">) =>
    label(rows, option).lines.map((line) => line.replace(/ ?\| x:1$/, ""));

  it("numbers names in order of first appearance", () => {
    const { lines, labels } = label(["setosa", "virginica", "setosa", ""], { kind: "multiclass" });
    expect(lines).toEqual(["1 | x:1", "2 | x:1", "1 | x:1", "| x:1"]);
    expect(labels).toEqual({ setosa: 1, virginica: 2 });
  });

  it("keeps whole numbers", () => {
    expect(heads(["3", "1", "2 0.5"], { kind: "multiclass" })).toEqual(["3", "1", "2 0.5"]);
    expect(() => heads(["3", "cat"], { kind: "multiclass" })).toThrow('the class "cat" is no whole number');
  });

  it("keeps names for --named_labels", () => {
    const { lines, labels } = label(["cat", "dog", "cat"], { kind: "multiclass", named: true });
    expect(lines).toEqual(["cat | x:1", "dog | x:1", "cat | x:1"]);
    expect(labels).toEqual({ cat: 1, dog: 2 });
  });

  it("maps names", () => {
    expect(heads(["no", "yes"], { kind: "binary", map: { yes: 1, no: -1 } })).toEqual(["-1", "1"]);
    const map = { low: 0.5, high: 2 };
    expect(heads(["high", "low"], { kind: "simple", map })).toEqual(["2", "0.5"]);
    expect(() => heads(["cat", "owl"], { kind: "multiclass", map: { cat: 4 } })).toThrow(
      '"owl" is not in vw.label.map',
    );
  });

  it("reads binary labels", () => {
    const rows = ["1", "0", "-1", "true", "FALSE", "1.0", ""];
    expect(heads(rows, { kind: "binary" })).toEqual(["1", "-1", "-1", "1", "-1", "1", ""]);
    expect(() => heads(["2"], { kind: "binary" })).toThrow("none of -1, 0, 1, true and false");
  });

  it("reads several labels", () => {
    const { lines, labels } = label(['"a, b"', '"c,a"', ""], { kind: "multilabel" });
    expect(lines).toEqual(["1,2 | x:1", "3,1 | x:1", "| x:1"]);
    expect(labels).toEqual({ a: 1, b: 2, c: 3 });
  });

  it("reads costs, in one column and in three", () => {
    const rows = ["shared", "0:1.5:0.3", "1:2 2:0", ""];
    expect(heads(rows, { kind: "cb" })).toEqual(rows);
    expect(() => heads(["1:a:0.5"], { kind: "cb" })).toThrow("action:cost:probability");
    const csv = "a,c,p,x\nshared,,,1\nbuy,1,0.5,2\n,,,3\nskip,0,0.5,\n,,,\n";
    const { lines, labels } = readVw(csv, { label: { column: ["a", "c", "p"], kind: "cb" } });
    expect(lines).toEqual(["shared | x:1", "1:1:0.5 | x:2", "| x:3", "2:0:0.5 |", ""]);
    expect(labels).toEqual({ buy: 1, skip: 2 });
  });

  it("takes a weight from another column", () => {
    const csv = "y,w,x\na,2,1\nb,,1\n";
    const { lines, examples } = readVw(csv, { label: { column: "y", kind: "multiclass", weight: "w" } });
    expect(lines).toEqual(["1 2 | x:1", "2 | x:1"]);
    expect(examples.map((example) => [example.label, example.weight])).toEqual([
      ["1", 2],
      ["2", 1],
    ]);
    const odd = faultOf("y,w,x\na,heavy,1\n", { label: { column: "y", kind: "multiclass", weight: "w" } });
    expect(odd).toMatchObject({ code: "VW_LABEL", column: "y", line: 2 });
  });

  it("names the place of a fault", () => {
    const error = faultOf("y,x\n1,1\nabc,1\n", { label: { column: "y", kind: "simple" } });
    expect(error).toMatchObject({ code: "VW_LABEL", column: "y", value: "abc", line: 3 });
  });
});

it("splits weight and initial prediction from a label", () => {
  const { examples } = readVw("_label,x\n1 0.5 0.25,1\nshared,1\n0:1:0.5,1\n,1\n");
  expect(examples.map(({ label, weight, initial }) => [label, weight, initial])).toEqual([
    ["1", 0.5, 0.25],
    ["shared", 1, undefined],
    ["0:1:0.5", 1, undefined],
    [null, 1, undefined],
  ]);
});

it("goes on numbering classes in the next file, under its own header", () => {
  const spans = (...cells: string[]) => {
    const bytes = new TextEncoder().encode(cells.join(","));
    const ends = cells.map((_, i) => cells.slice(0, i + 1).join(",").length);
    return {
      bytes,
      recordCount: 1,
      fieldCount: cells.length,
      starts: Int32Array.from(cells, (cell, i) => ends[i] - cell.length),
      ends: Int32Array.from(ends),
      flags: new Uint8Array(cells.length),
      firstField: Int32Array.of(0, cells.length),
      recordStarts: Int32Array.of(0),
      recordEnds: Int32Array.of(bytes.length),
      recordLines: Int32Array.of(0),
      recordFlags: Uint8Array.of(0),
    };
  };
  const emitter = new VwEmitter(["y", "x"], resolveVwOptions({ label: { column: "y", kind: "multiclass" } }));
  expect(emitter.line(spans("cat", "1"), 0)).toBe("1 | x:1");
  emitter.reset(["a|z", "y"]);
  expect(emitter.line(spans("2", "dog"), 0)).toBe("2 |a z:2");
  expect(emitter.line(spans("3", "cat"), 0)).toBe("1 |a z:3");
  expect(emitter.labels).toEqual({ cat: 1, dog: 2 });
  expect(() => emitter.reset(null)).toThrow("vw.csvHeader");
});

it("leaves out records with a fault, and says which", () => {
  const options = resolveVwOptions({ label: { column: "y", kind: "simple" } });
  const emitter = new VwEmitter(["y", "x"], options);
  const cells = ["1", "a", "odd", "b", "2", "c"];
  const bytes = new TextEncoder().encode(cells.join(""));
  const ends = cells.map((_, i) => cells.slice(0, i + 1).join("").length);
  const spans = {
    bytes,
    recordCount: 3,
    fieldCount: 6,
    starts: Int32Array.from(cells, (cell, i) => ends[i] - cell.length),
    ends: Int32Array.from(ends),
    flags: new Uint8Array(6),
    firstField: Int32Array.of(0, 2, 4, 6),
    recordStarts: Int32Array.of(0, 2, 6),
    recordEnds: Int32Array.of(2, 6, 8),
    recordLines: Int32Array.of(0, 1, 2),
    recordFlags: new Uint8Array(3),
  };
  const faults: [number, string][] = [];
  expect(emitter.lines(spans, 0, 3, (error, record) => faults.push([record, error.code]))).toEqual([
    "1 | x:a",
    "2 | x:c",
  ]);
  expect(faults).toEqual([[1, "VW_LABEL"]]);
  expect(() => emitter.lines(spans, 0, 3)).toThrow("odd");
});

it("writes lines with characters past ASCII among others", () => {
  expect(linesOf("_label,s\n1,été\n1,plain\n1,日本\n")).toEqual(["1 | s:été", "1 | s:plain", "1 | s:日本"]);
});
