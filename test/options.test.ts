import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CsvError } from "../src/errors.js";
import { readCsv, sniffCsv } from "../src/index.js";
import { sniffedCsv as sniffedDuplex } from "../src/node/index.js";
import { type CsvOptions, OPTION_NAMES, resolveOptions } from "../src/options.js";
import { sniffedCsv } from "../src/stream.js";

const refusal = (options: object): CsvError => {
  try {
    resolveOptions(options as CsvOptions);
  } catch (error) {
    if (error instanceof CsvError) return error;
    throw error;
  }
  throw new Error(`${JSON.stringify(options)} is let through`);
};

describe("options", () => {
  it("of unknown names are refused, with a guess where one is near", () => {
    expect(refusal({ delimeter: "," })).toMatchObject({ code: "INVALID_OPTION" });
    expect(refusal({ delimeter: "," }).message).toContain('there is no option "delimeter"');
    expect(refusal({ skip_lines: 1 }).message).toContain("did you mean skipLines?");
    expect(refusal({ "sample-rows": 1 }).message).toContain("did you mean sampleRows?");
  });

  it("of unknown names are refused by every face, at once", async () => {
    const options = { colour: "red" } as object;
    expect(() => readCsv("a", options)).toThrow(/no option "colour"/);
    expect(() => sniffedCsv(options)).toThrow(/no option "colour"/);
    expect(() => sniffedDuplex(options)).toThrow(/no option "colour"/);
    await expect(sniffCsv("a", options)).rejects.toThrow(/no option "colour"/);
  });

  it("that nobody owns are no options, whatever the prototype says", () => {
    expect(refusal({ toString: "x" }).code).toBe("INVALID_OPTION");
    expect(refusal(JSON.parse('{"__proto__": 1}')).code).toBe("INVALID_OPTION");
  });

  it("that are undefined are as if not given", () => {
    const undefinedOptions = Object.fromEntries(OPTION_NAMES.map((name) => [name, undefined]));
    expect(resolveOptions(undefinedOptions)).toEqual(resolveOptions());
  });

  it("take null and the empty text for no quote, escape or comment", () => {
    for (const none of [null, ""]) {
      expect(resolveOptions({ quote: none, escape: none, comment: none })).toMatchObject({
        quote: null,
        escape: null,
        comment: null,
      });
    }
  });

  const wrong: [name: string, values: unknown[]][] = [
    ["delimiter", ["", "12345", "\n", '"', 5, null, "ééé"]],
    ["delimiters", [",", [""], [1]]],
    ["quote", ["''", "é", "\n", 1]],
    ["newline", ["\n\n", "crlf", 1]],
    ["skipLines", [-1, 1.5, "1", Number.NaN]],
    ["headerLines", [0]],
    ["header", ["yes", 1]],
    ["names", ["a,b", [1]]],
    ["types", ["BIGINT", true, { a: "NOPE" }, ["NOPE"], null]],
    ["typeCandidates", [["NOPE"]]],
    ["nullValues", ["NULL"]],
    ["quotedEmpty", [true, "empty"]],
    ["decimalSeparator", ["", "..", "1", "-", "e"]],
    ["thousandsSeparator", ["..", "1"]],
    ["dateFormat", [1, ["%Y"], { d: 1 }]],
    ["ambiguousDates", ["us"]],
    ["bigint", [true]],
    ["sampleRows", [0, -1, 1.5]],
    ["sampleBytes", [0]],
    ["sniffed", [{}, "sniff", null]],
    ["onError", ["skip"]],
    ["onTypeMismatch", ["throw"]],
    ["onReject", ["print"]],
    ["encoding", [1]],
    ["maxRecordSize", [0]],
    ["maxColumns", [0, "many"]],
    ["rowShape", ["list"]],
    ["output", ["columns", "xml"]],
    ["engine", ["native"]],
    ["batchRows", [0]],
    ["limit", [-1, 0.5]],
    ["signal", [{}, null]],
  ];
  for (const [name, values] of wrong) {
    it(`refuse what ${name} can't be`, () => {
      for (const value of values) {
        expect(refusal({ [name]: value })).toMatchObject({ code: "INVALID_OPTION" });
        expect(refusal({ [name]: value }).message).toContain(name);
      }
    });
  }

  it("refuse whatever they don't know by an error of their own, never another", () => {
    const name = fc.constantFrom(...OPTION_NAMES);
    fc.assert(
      fc.property(name, fc.anything(), (option, value) => {
        try {
          resolveOptions({ [option]: value } as CsvOptions);
        } catch (error) {
          expect(error).toBeInstanceOf(CsvError);
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it("refuse one character for two things", () => {
    expect(refusal({ delimiter: "'", quote: "'" }).message).toContain("delimiter and quote");
    expect(refusal({ delimiter: "#", comment: "#" }).message).toContain("comment and delimiter");
    expect(refusal({ quote: "#", comment: "#" }).message).toContain("comment and quote");
    expect(refusal({ delimiter: ";", escape: ";" }).message).toContain("delimiter and escape");
    expect(refusal({ decimalSeparator: ",", thousandsSeparator: "," }).message).toContain("are the same");
    expect(refusal({ escapeFormulas: true }).message).toContain('output: "csv"');
  });

  it("name an encoding that exists", () => {
    expect(refusal({ encoding: "klingon" })).toMatchObject({ code: "UNKNOWN_ENCODING" });
    expect(resolveOptions({ encoding: "Latin1" }).encoding).toBe("windows-1252");
    expect(resolveOptions({ encoding: "CP-850" }).encoding).toBe("cp850");
  });

  it('take "throw" for "error", and let type mismatches follow onError', () => {
    const given = { onError: "throw" } as unknown as CsvOptions;
    expect(resolveOptions(given)).toMatchObject({ onError: "error", onTypeMismatch: "error" });
    expect(resolveOptions({ onError: "reject" }).onTypeMismatch).toBe("reject");
    expect(resolveOptions({ onError: "reject", onTypeMismatch: "null" }).onTypeMismatch).toBe("null");
  });
});

describe("a sniff given back", () => {
  const text = JSON.stringify({
    dialect: {
      ...{ delimiter: ",", quote: '"', escape: '"', newline: "\n", strictNewline: false, comment: null },
      ...{ skipInitialSpace: false, skipLines: 0, skipRecords: 0, header: true, headerLines: 1 },
      ...{ encoding: "utf-8", bom: false, ignoreTrailingDelimiter: false },
    },
    columns: [{ name: "a", originalName: "a", type: "BIGINT" }],
    undecided: [],
  });
  const given = (change: (sniff: { dialect: Record<string, unknown>; columns: object[] }) => void) => {
    const sniffed = JSON.parse(text);
    change(sniffed);
    return () => readCsv("a\n1\n", { sniffed });
  };

  it("is taken when it is whole", async () => {
    expect(await given(() => {})().toArray()).toEqual([{ a: 1 }]);
  });

  it("is refused at once, by the name of what is wrong in it, when it is not", () => {
    const refused = (change: Parameters<typeof given>[0], code: string, name: RegExp) =>
      expect(given(change)).toThrow(expect.objectContaining({ code, message: expect.stringMatching(name) }));
    refused((sniff) => delete sniff.dialect.quote, "INVALID_OPTION", /sniffed\.dialect\.quote/);
    refused(
      (sniff) => Object.assign(sniff.dialect, { skipLines: -1 }),
      "INVALID_OPTION",
      /dialect\.skipLines/,
    );
    refused((sniff) => Object.assign(sniff.dialect, { encoding: "nope" }), "UNKNOWN_ENCODING", /nope/);
    refused((sniff) => Object.assign(sniff.columns[0], { type: "FOO" }), "INVALID_OPTION", /columns\.type/);
    refused(
      (sniff) => Object.assign(sniff.columns[0], { type: "bigint" }),
      "INVALID_OPTION",
      /columns\.type/,
    );
    refused((sniff) => Object.assign(sniff.columns[0], { format: "%Q" }), "INVALID_OPTION", /%Q/);
    refused((sniff) => Object.assign(sniff, { columns: [null] }), "INVALID_OPTION", /sniffed\.columns/);
  });
});
