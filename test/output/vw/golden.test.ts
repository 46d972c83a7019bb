import { describe, expect, it } from "vitest";
import { CsvError } from "../../../src/errors.js";
import type { VwExample } from "../../../src/output/vw/examples.js";
import { auditFeatures, csvOf, type GoldenCase, goldenCases, optionsOf, sorted } from "./golden.js";
import { readVw } from "./read-csv.js";
import { type Feature, readVwLine } from "./text-model.js";

const cases = goldenCases();
/** VW's constant namespace, whose features VW counts twice: a test of its own. */
const CONSTANT_NAMESPACE = "vw-161-constant_ns_byte";
const ofClass = (name: GoldenCase["class"]) =>
  cases.filter((golden) => golden.class === name && golden.id !== CONSTANT_NAMESPACE);

/** Reductions make several features of one, or mix those of several lines. */
const REDUCTIONS = ["--cb", "--cb_adf", "--ccb_explore_adf", "--csoaa", "--ect", "--multilabel_oaa", "--oaa"];
const isReduced = ({ args }: GoldenCase) => args.some((arg) => REDUCTIONS.includes(arg));

function readLine(golden: GoldenCase, line: string) {
  const { hash, hashSeed } = optionsOf(golden);
  return readVwLine(line, hashSeed, hash);
}

/** The progress table's label of a simple label: a float prefix, 0 for a word, unknown past three words. */
function progressLabel({ label, weight, initial }: VwExample): string {
  if (label === null || label.split(" ").length > 3) return "unknown";
  expect([weight, initial]).not.toContain(Number.NaN);
  return (Number.parseFloat(label.split(/[ \t]/)[0]) || 0).toFixed(4);
}

describe("cases that VW reads as we do", () => {
  it.each([...ofClass("parity"), ...ofClass("features")])("$id: examples have VW's features", (golden) => {
    const examples = readVw(csvOf(golden), optionsOf(golden)).examples.filter(({ newline }) => !newline);
    const expected = golden.vw_features ?? [];
    if (isReduced(golden)) {
      const own = (features: Feature[]) =>
        [...new Set(features.map(([name, , value]) => `${name} ${value}`))]
          .filter((feature) => !feature.includes("_ccb_slot_index"))
          .sort();
      expect(own(examples.flatMap(auditFeatures))).toEqual(own(expected.flat()));
      return;
    }
    expect(examples.map((example) => sorted(auditFeatures(example)))).toEqual(expected.map(sorted));
    const labels = golden.vw_labels ?? [];
    if (labels.length === examples.length) expect(examples.map(progressLabel)).toEqual(labels);
  });

  it.each(ofClass("parity"))("$id: lines are read as VW's text is", (golden) => {
    const { lines } = readVw(csvOf(golden), optionsOf(golden));
    const read = (all: string[]) =>
      all
        .map((line) => readLine(golden, line))
        .filter(({ newline }) => !newline)
        .map(({ words, tag, features }) => ({ words, tag, features: sorted(features) }));
    expect(read(lines)).toEqual(read((golden.vw_text ?? "").split("\n")));
  });

  it.each([...ofClass("parity"), ...ofClass("features")])(
    "$id: lines hold what the examples hold",
    (golden) => {
      for (const inexpressible of ["replace", "hash"] as const) {
        const options = optionsOf(golden);
        if (inexpressible === "hash" && options.hash === "all") continue;
        const { lines, examples, warnings } = readVw(csvOf(golden), { ...options, inexpressible });
        const lossless = warnings.every(({ code }) => code !== "VW_INEXPRESSIBLE");
        expect(lines).toHaveLength(examples.length);
        lines.forEach((line, i) => {
          const read = readLine(golden, line);
          expect(line).not.toMatch(/[\r\n]/);
          expect(read.newline).toBe(examples[i].newline);
          const indexes = (features: Feature[]) =>
            sorted(features.map(([, index, value]) => ["", index, value]));
          const written = indexes(read.features);
          const held = indexes(auditFeatures(examples[i]));
          if (lossless || inexpressible === "hash") expect(written).toEqual(held);
          else expect(written).toHaveLength(held.length);
        });
      }
    },
  );
});

it("hashes a namespace whose only byte is that of VW's constant namespace", () => {
  const golden = cases.find(({ id }) => id === CONSTANT_NAMESPACE);
  if (golden === undefined) throw new Error("no such case");
  const { lines, examples } = readVw(csvOf(golden), optionsOf(golden));
  const [[name, index, value]] = auditFeatures(examples[0]);
  // VW lists this namespace twice, so its index is shifted to the learner's stride of 4 once too often.
  expect([name, (index * 4) & ((1 << 18) - 1), value]).toEqual(golden.vw_features?.[0][0]);
  // Text can't hold the byte, which is no UTF-8; the namespace's hash stands for it.
  expect(readVwLine(lines[0]).features.map((feature) => feature.slice(1))).toEqual([[index, value]]);
});

describe("cases that VW refuses", () => {
  const codes: Record<string, string> = {
    "vw-018": "VW_HEADER",
    "vw-056": "TOO_FEW_FIELDS",
    "vw-072": "UNTERMINATED_QUOTE",
    "vw-074": "TEXT_AFTER_QUOTE",
    "vw-077": "TOO_MANY_FIELDS",
    "vw-104": "VW_HEADER",
    "vw-106": "TOO_MANY_FIELDS",
    "vw-110": "UNTERMINATED_QUOTE",
  };
  const words: [argument: string, option: string][] = [
    ["--csv_separator", "csvSeparator"],
    ["--csv_ns_value", "csvNsValue"],
    ["--csv_header", "csvHeader"],
    ["--csv_no_file_header", "csvNoFileHeader"],
  ];

  it.each(ofClass("error"))("$id", (golden) => {
    let error: unknown;
    try {
      readVw(csvOf(golden), optionsOf(golden));
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(CsvError);
    const { code, message } = error as CsvError;
    expect(code).toBe(codes[golden.id.slice(0, 6)] ?? "INVALID_OPTION");
    if (code === "INVALID_OPTION") {
      const [, option] = words.find(([name]) => golden.args.some((arg) => arg.startsWith(name))) ?? [];
      expect(message).toContain(`vw.${option}`);
    } else {
      expect(message).toMatch(/line \d|the header|cell \d|vw\.csvHeader/);
    }
  });
});

describe("cases where VW's reader is at fault", () => {
  /** What we read instead: lines, or the code of the error. */
  const right: Record<string, string[] | { code: string } | { warning: string; lines: string[] }> = {
    "vw-043": ["1 | f00:\te f01:\tE f02:\t. f03:\t- f04:\t-. f05:\te5 f06:\tE-3 f07:\t.e1 f08:\t-e k:7"],
    "vw-044": { warning: "VW_OVERFLOW", lines: ["1 |"] },
    "vw-050": ["1 | x:1", "", "1 | x:2"],
    "vw-051": ["1 | x:1", ""],
    "vw-052": ["1 | x:1", "", "1 | x:2"],
    "vw-058": [],
    "vw-060": ["1 | x:1"],
    "vw-066": ["1 | x:\t5»", "1 | x:aÿ", "1 | x:»"],
    "vw-068": ["1 | x:ﬁre"],
    "vw-069": ["1 |n x»:1 y:2"],
    "vw-071": ["1 | x:1"],
    "vw-073": { warning: "VW_INEXPRESSIBLE", lines: ["1 | x:a_b y:2"] },
    "vw-075": ["1 | x:a y:2"],
    "vw-078": ['1 | x:a"1 y:b"2 z:c"3'],
    "vw-095": { code: "INVALID_OPTION" },
    "vw-098": ["| _label;x:\t1;2"],
    "vw-100": { warning: "VW_HEADER_REPLACED", lines: ["-1 |a x:4 | y:5"] },
    "vw-129": { code: "INVALID_OPTION" },
    "vw-130": { code: "INVALID_OPTION" },
    "vw-143": ["shared |u age:30", "0:1.5:0.3 |a id:a1", "|a id:a2", "0:1:0.1 |", ""],
    "vw-144": ["shared |", "0:1.5:0.3 |a id:a1", "|a id:a2", ""],
    "vw-146": ["1 | x:1", "2 0.5 | x:2"],
    "vw-164": ["1 | x:1", "2 | x:2"],
    "vw-165": ["1 | x:1", "2 | x:2"],
    "vw-166": ["1 | x:1"],
    "vw-171": ["1 | x:1"],
    "vw-172": ["1 | x:1"],
    "vw-173": [
      "shared |u age:30",
      "|a id:a2",
      "0:1:0.1 |",
      "",
      "shared |u age:30",
      "0:1:0.1 |a id:a1",
      "|a id:a2",
      "",
    ],
    "vw-176": ["shared | x:1", "0:1:0.5 | x:2", "| x:3", ""],
    "vw-178": ['1 | x:a"1 y:b"2 z:ccccccccccccccccccccccccccc"3'],
    "vw-179": [`1 | x:a"1 y:b"2 z:${"c".repeat(27)}"3 u:${"d".repeat(30)}"4 v:${"e".repeat(70)}"5`],
    "vw-180": [`1 | a"1:1 b"2:2 ${"c".repeat(27)}"3:3`],
    "vw-181": [],
    "vw-182": [],
    "vw-184": ["1 | grade:A", "1 | grade:\tE", "1 | grade:\te", "1 | grade:\tE"],
    "vw-185": [
      "1 | x:\t- y:1",
      "1 | x:\t. y:1",
      "1 | x:NA y:1",
      "1 | x:? y:1",
      "1 | x:null y:1",
      "1 | x:none y:1",
    ],
    "vw-220": [],
    "vw-221": [],
    "vw-223": { warning: "VW_INEXPRESSIBLE", lines: ["1 |_ x:1 | x:2"] },
  };

  it.each(ofClass("differs"))("$id", (golden) => {
    const expected = right[golden.id.slice(0, 6)];
    const read = () => readVw(csvOf(golden), optionsOf(golden));
    if (expected !== undefined && "code" in expected) {
      expect(read).toThrow(expect.objectContaining({ code: expected.code }));
      return;
    }
    const { lines, warnings } = read();
    if (expected !== undefined && "warning" in expected) {
      expect(lines).toEqual(expected.lines);
      expect(warnings.map(({ code }) => code)).toContain(expected.warning);
    } else {
      expect(lines).toEqual(expected);
    }
  });
});

it("finds the same in any chunk cuts", () => {
  for (const golden of cases) {
    const csv = csvOf(golden);
    const outcome = (chunk: number) => {
      try {
        const { lines, examples, warnings, labels } = readVw(csv, optionsOf(golden), chunk);
        return { lines, examples, warnings, labels };
      } catch (error) {
        return String(error);
      }
    };
    const whole = outcome(0);
    for (const chunk of [1, 2, 3, 7]) expect(outcome(chunk)).toEqual(whole);
  }
});
