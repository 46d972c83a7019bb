import fc from "fast-check";
import { expect, it } from "vitest";
import { readVw } from "./read-csv.js";
import { readVwLine } from "./text-model.js";

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
const odd = fc.string({
  unit: fc.constantFrom(..."aeiInN019.+-:|' \t\r\n\f\v\"_xé日".split(""), "\0"),
  maxLength: 6,
});
const number = fc.oneof(
  fc.float({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e30, max: 1e30 }).map(String),
  fc.constantFrom("0", "-0", "1e", "5.", ".5", "+5", "0x1F", "inf", "-inf", "007", "12.50", "16777217"),
);
const plain = fc.oneof(number, fc.constantFrom("", "", "abc", "e5", "nancy", "a:b|c", "two words", "E", "-"));
const cell = fc.oneof(plain, odd.map(quoted));
const name = odd
  .map((text) => text.replaceAll("|", ""))
  .filter((text) => text !== "_label" && text !== "_tag");
const column = fc.oneof(
  { weight: 3, arbitrary: name },
  { weight: 2, arbitrary: fc.tuple(name, name).map(([space, feature]) => `${space}|${feature}`) },
  { weight: 1, arbitrary: fc.constantFrom("", "a|", "a|x", "b|x", "x", "12", "n|3") },
);
const table = fc
  .array(column, { minLength: 1, maxLength: 6 })
  .chain((columns) =>
    fc.tuple(
      fc.constant(columns),
      fc.array(fc.tuple(cell, cell, fc.tuple(...columns.map(() => cell))), { minLength: 1, maxLength: 4 }),
    ),
  );

function csvOf([columns, rows]: [string[], [string, string, string[]][]]): string {
  const header = ["_label", "_tag", ...columns.map(quoted)].join(",");
  return `${header}\n${rows.map(([label, tag, cells]) => `${[label, tag, ...cells].join(",")}\n`).join("")}`;
}

it("writes lines that VW reads into the examples' features, whatever the file holds", () => {
  const seeds = fc.constantFrom(0, 7);
  fc.assert(
    fc.property(table, seeds, (random, hashSeed) => {
      const { lines, examples } = readVw(csvOf(random), { inexpressible: "hash", hashSeed });
      lines.forEach((line, i) => {
        expect(line).not.toMatch(/[\r\n]/);
        const { features, newline, tag, words } = readVwLine(line, hashSeed);
        const example = examples[i];
        expect(newline).toBe(example.newline);
        const replaced = (text: string | null, breaks: string) =>
          [...(text ?? "")].map((character) => (breaks.includes(character) ? "_" : character)).join("");
        expect(tag).toBe(replaced(example.tag, " |\r\n"));
        expect(words[0] ?? "").toBe(replaced(example.label, "|\r\n").split(" ")[0]);
        const held = examples[i].namespaces.flatMap((namespace) => namespace.features);
        const key = (index: number, value: number) => `${index} ${value}`;
        expect(features.map(([, index, value]) => key(index, value)).sort()).toEqual(
          held.map(({ hash, value }) => key(hash & 0x3ffff, value)).sort(),
        );
      });
    }),
    { numRuns: 1_500, seed: 20 },
  );
});

it("writes lines that stay readable under --hash all, with the same number of features", () => {
  fc.assert(
    fc.property(table, (random) => {
      const { lines, examples, warnings } = readVw(csvOf(random), { hash: "all" });
      const lossless = warnings.every(({ code }) => code !== "VW_INEXPRESSIBLE");
      lines.forEach((line, i) => {
        const { features } = readVwLine(line, 0, "all");
        const held = examples[i].namespaces.flatMap((namespace) => namespace.features);
        if (!lossless) return;
        const key = (index: number, value: number) => `${index} ${value}`;
        expect(features.map(([, index, value]) => key(index, value)).sort()).toEqual(
          held.map(({ hash, value }) => key(hash & 0x3ffff, value)).sort(),
        );
      });
    }),
    { numRuns: 500, seed: 21 },
  );
});

it("makes the same of a file in any chunk cuts", () => {
  fc.assert(
    fc.property(table, fc.integer({ min: 1, max: 9 }), (random, chunk) => {
      const csv = csvOf(random);
      expect(readVw(csv, {}, chunk)).toEqual(readVw(csv));
    }),
    { numRuns: 300, seed: 22 },
  );
});
