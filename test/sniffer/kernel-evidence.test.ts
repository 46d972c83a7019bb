import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CsvOptions, resolveOptions } from "../../src/options.js";
import { CsvParser } from "../../src/parser.js";
import type { Sniff } from "../../src/sniffer/sniff.js";
import { FIELDS } from "../support/typed-cells.js";

/** Ordinary records with a few others among them, first, last or anywhere. */
const table = fc
  .array(
    fc.record({
      at: fc.nat(400),
      column: fc.nat(FIELDS.length - 1),
      cell: fc.nat(FIELDS.length - 1).chain((column) => FIELDS[column].cells),
      quoted: fc.boolean(),
    }),
    { maxLength: 6 },
  )
  .map((odd) => {
    const records = Array.from({ length: 400 }, () => FIELDS.map(({ ordinary }) => ordinary));
    for (const { at, column, cell, quoted } of odd) {
      if (at < 400) records[at][column] = quoted ? `"${cell.replaceAll('"', '""')}"` : cell;
    }
    return new TextEncoder().encode(records.map((record) => `${record.join(";")}\n`).join(""));
  });

const settings = fc.record({
  decimalSeparator: fc.constantFrom(".", ","),
  nullValues: fc.constantFrom([""], ["", "text", "12"]),
  quotedAsText: fc.boolean(),
  quotedEmpty: fc.constantFrom("null", "string"),
  bigint: fc.constantFrom("auto", "never"),
  ambiguousDates: fc.constantFrom("day-first", "text"),
  header: fc.constantFrom(true, false, undefined),
});

function sniffOf(bytes: Uint8Array, options: CsvOptions): Sniff | null {
  const parser = new CsvParser(resolveOptions({ delimiter: ";", ...options }));
  parser.write(bytes);
  parser.end();
  parser.trySniff(true);
  return parser.sniff;
}

describe("the sniff by the kernel", () => {
  it("is the reference's", () => {
    fc.assert(
      fc.property(table, settings, (bytes, options) => {
        const by = (engine: string) => sniffOf(bytes, { ...options, engine } as CsvOptions);
        expect(by("wasm")).toEqual(by("js"));
      }),
      { numRuns: 150 },
    );
  });

  it("has no number where infinity is all there is", () => {
    const bytes = new TextEncoder().encode(`v;w\ninf;x\n${"NA;x\n".repeat(200)}`);
    for (const engine of ["wasm", "js"] as const) {
      const sniff = sniffOf(bytes, { engine, header: true, nullValues: ["", "NA"] });
      expect(sniff?.columns.map(({ type }) => type)).toEqual(["VARCHAR", "VARCHAR"]);
    }
  });
});
