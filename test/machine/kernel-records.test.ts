import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Dialect } from "../../src/machine/dialect.js";
import { type Engine, Scanner, UNBOUNDED } from "../../src/machine/scanner.js";
import { cutAt } from "../support/cuts.js";
import { dialects, hostileTable, hostileText, PLAIN_DIALECT } from "./dialects.js";
import { NO_LIMITS, scanAll } from "./scan-all.js";

/** Inputs long enough for the kernel, most of whose records are ordinary, and the odd ones anywhere among them. */
const longScenes = dialects.chain((dialect) => {
  const plain = fc
    .integer({ min: 1, max: 40 })
    .map((count) => new TextEncoder().encode(`x${dialect.delimiter}yz${dialect.newline}`.repeat(count)));
  return fc.record({
    dialect: fc.constant(dialect),
    input: fc
      .array(fc.oneof(plain, hostileTable(dialect), hostileText(dialect, 12)), {
        minLength: 4,
        maxLength: 40,
      })
      .map((parts) => new Uint8Array(parts.flatMap((part) => [...part]))),
    cuts: fc.array(fc.nat(2_000), { maxLength: 3 }),
    blankRecords: fc.boolean(),
  });
});

describe("whole records in the kernel", () => {
  it("have the reference's spans, lines and line ends", () => {
    fc.assert(
      fc.property(longScenes, fc.boolean(), fc.boolean(), (scene, compact, mayLeave) => {
        const { dialect, input, cuts, blankRecords } = scene;
        const pieces = cutAt(input, cuts);
        const read = (engine: Engine) =>
          scanAll(dialect, { pieces, engine, blankRecords, compact, mayLeave });
        expect(read("wasm")).toEqual(read("js"));
      }),
      { numRuns: 600 },
    );
  });

  it("pass limits where the reference does", () => {
    const limits = fc.record({
      maxRecordSize: fc.integer({ min: 4, max: 40 }),
      maxColumns: fc.integer({ min: 1, max: 4 }),
    });
    fc.assert(
      fc.property(longScenes, limits, ({ dialect, input, cuts, blankRecords }, bounds) => {
        const pieces = cutAt(input, cuts);
        const read = (engine: Engine) =>
          scanAll(dialect, { pieces, engine, blankRecords, compact: true, limits: bounds });
        expect(read("wasm")).toEqual(read("js"));
      }),
      { numRuns: 600 },
    );
  });

  it("are given however few records or fields are asked for", () => {
    const bound = fc.integer({ min: 1, max: 30 });
    fc.assert(
      fc.property(longScenes, bound, bound, ({ dialect, input, blankRecords }, maxRecords, maxFields) => {
        const read = (engine: Engine) =>
          scanAll(dialect, { pieces: [input], engine, blankRecords, maxRecords, maxFields });
        expect(read("wasm")).toEqual(read("js"));
      }),
      { numRuns: 400 },
    );
  });

  it("go on where fields, records or bytes are more than the kernel holds", () => {
    const inputs = [
      "a,b\n".repeat(60_000),
      `${",".repeat(50_000)}\n`.repeat(5),
      `${"x".repeat(300_000)},y\n`.repeat(3),
      "\n".repeat(20_000),
    ];
    for (const text of inputs) {
      const pieces = [new TextEncoder().encode(`h\n${text}`)];
      const read = (engine: Engine) => scanAll(PLAIN_DIALECT, { pieces, engine, blankRecords: true });
      expect(read("wasm")).toEqual(read("js"));
    }
  });

  it("are what an ordinary file consists of", () => {
    for (const newline of ["\n", "\r\n", "\r"]) {
      const record = `1,two,"3, and a ""half""",4${newline}`;
      const bytes = new TextEncoder().encode(`a,b,c,d${newline}${record.repeat(1_000)}`);
      const dialect: Dialect = PLAIN_DIALECT;
      const scanner = new Scanner(dialect, NO_LIMITS, false, "wasm");
      scanner.scan(bytes, bytes.length, true, 1, UNBOUNDED);
      scanner.scan(bytes, bytes.length, true, 900, UNBOUNDED);
      expect(scanner.spans.recordCount).toBe(900);
      expect(scanner.kernel).not.toBeNull();
    }
  });

  it("are taken by the kernel though a record is longer than what it is given behind an unusual one", () => {
    const long = `${"x".repeat(20)},`.repeat(300).concat("1\n");
    const bytes = new TextEncoder().encode(`a,b\n1,2\n3,4\r\n${long.repeat(100)}`);
    const scanner = new Scanner(PLAIN_DIALECT, NO_LIMITS, false, "wasm");
    let taken = 0;
    while (scanner.position < bytes.length) {
      const end = Math.min(bytes.length, scanner.recordStart + (1 << 16));
      scanner.scan(bytes, end, end === bytes.length, UNBOUNDED, UNBOUNDED, true);
      if (scanner.kernel !== null) taken += scanner.spans.recordCount;
    }
    expect(taken).toBeGreaterThan(50);
  });
});
