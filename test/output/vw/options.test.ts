import { describe, expect, it } from "vitest";
import { CsvError } from "../../../src/errors.js";
import { resolveVwOptions, type VwOptions, vwReading } from "../../../src/output/vw/options.js";

function fault(options: object): string {
  try {
    resolveVwOptions(options as VwOptions);
  } catch (error) {
    expect(error).toBeInstanceOf(CsvError);
    expect((error as CsvError).code).toBe("INVALID_OPTION");
    return (error as CsvError).message;
  }
  return "";
}

describe("resolveVwOptions", () => {
  it("fills in defaults", () => {
    expect(resolveVwOptions()).toEqual({
      separator: undefined,
      noFileHeader: false,
      header: undefined,
      ratios: new Map(),
      labelColumns: undefined,
      tagColumn: undefined,
      multilabels: false,
      removeOuterQuotes: true,
      hash: "strings",
      hashSeed: 0,
      bits: undefined,
      label: undefined,
      inexpressible: "replace",
    });
  });

  it("reads VW's own forms", () => {
    const options = resolveVwOptions({
      csvSeparator: "\\t",
      csvHeader: '"_label","a,b",,c""d',
      csvNsValue: "a:0.5,b:0x2,:8,a:3, :inf",
      csvLabel: 'l1,"l,2"',
    });
    expect(options.separator).toBe("\t");
    expect(options.header).toEqual(["_label", "a,b", "", 'c""d']);
    expect(options.labelColumns).toEqual(["l1", "l,2"]);
    expect([...options.ratios]).toEqual([
      ["a", 3],
      ["b", 2],
      ["", 8],
      [" ", Infinity],
    ]);
  });

  it("takes lists and records as they stand", () => {
    const options = resolveVwOptions({ csvHeader: ["a,b"], csvNsValue: { "": 0.1 }, csvLabel: ["x,y"] });
    expect(options.header).toEqual(["a,b"]);
    expect(options.labelColumns).toEqual(["x,y"]);
    expect(options.ratios.get("")).toBe(Math.fround(0.1));
  });

  it.each<[object, string]>([
    [{ csv_separator: ";" }, "did you mean csvSeparator"],
    [{ colour: 1 }, '"vw.colour"'],
    [{ csvSeparator: '"' }, "vw.csvSeparator"],
    [{ csvSeparator: "" }, "vw.csvSeparator"],
    [{ csvSeparator: "é" }, "vw.csvSeparator"],
    [{ csvSeparator: "\n" }, "vw.csvSeparator"],
    [{ csvNoFileHeader: true }, "vw.csvHeader"],
    [{ csvNoFileHeader: "yes" }, "true or false"],
    [{ csvHeader: '"a"b' }, "cell 1 of vw.csvHeader"],
    [{ csvHeader: 'x,"a' }, "cell 2 of vw.csvHeader"],
    [{ csvNsValue: "a:1,b" }, "pair 2 of vw.csvNsValue"],
    [{ csvNsValue: "a:1e99" }, "pair 1 of vw.csvNsValue"],
    [{ csvNsValue: { a: Number.NaN } }, 'vw.csvNsValue["a"]'],
    [{ hash: "some" }, "vw.hash"],
    [{ hashSeed: -1 }, "vw.hashSeed"],
    [{ bits: 33 }, "vw.bits"],
    [{ inexpressible: "hash", hash: "all" }, "vw.inexpressible"],
    [{ csvLabel: "a", label: { column: "b", kind: "simple" } }, "vw.label and vw.csvLabel"],
    [{ csvMultilabels: true, label: { column: "b", kind: "simple" } }, "vw.csvMultilabels"],
    [{ label: { column: "b", kind: "rank" } }, "vw.label.kind"],
    [{ label: { column: "b", kind: "simple", maps: {} } }, '"vw.label.maps"'],
    [{ label: { column: [], kind: "simple" } }, "vw.label.column"],
    [{ label: { column: "b", kind: "binary", map: { yes: 2 } } }, 'vw.label.map["yes"]'],
    [{ label: { column: "b", kind: "simple", named: true } }, "vw.label.named"],
    [{ label: { column: "b", kind: "multiclass", named: true, map: {} } }, "vw.label.named"],
    [{ label: { column: "b", kind: "cb", weight: "w" } }, "vw.label.weight"],
  ])("refuses %j", (options, words) => {
    expect(fault(options)).toContain(words);
  });
});

it("says what of the dialect the options fix", () => {
  expect(vwReading(resolveVwOptions())).toEqual({});
  expect(vwReading(resolveVwOptions({ csvHeader: "a", csvNoFileHeader: true }))).toEqual({ header: false });
  expect(vwReading(resolveVwOptions({ csvHeader: "a", csvSeparator: "\r" }))).toEqual({
    delimiter: "\r",
    quote: '"',
    escape: '"',
    comment: null,
    skipInitialSpace: false,
    newline: "\n",
    header: true,
  });
});
