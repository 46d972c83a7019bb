import { readFileSync } from "node:fs";
import Benchmark from "benchmark";
import { Scanner, UNBOUNDED } from "../dist/machine/scanner.js";
import { createRowBuilder, templateBuilder } from "../dist/output/row-builder.js";
import { parseIsoTimestamp } from "../dist/types/iso.js";
import { castDouble, PLAIN_NUMBERS, parseSafeInteger } from "../dist/types/number.js";
import { kinds, makeFile } from "./make-data.js";

/* The small pieces, one by one, by the package `benchmark`: node pieces.js */

const DIALECT = {
  delimiter: ",",
  quote: '"',
  escape: '"',
  newline: "\n",
  strictNewline: false,
  comment: null,
  skipInitialSpace: false,
};
const LIMITS = { maxRecordSize: 2 << 20, maxColumns: 100_000 };
const encoder = new TextEncoder();
const doubles = new Float64Array(1);
const fields = { days: 0, micros: 0 };
const columns = ["id", "name", "price", "active"].map((name) => ({
  name,
  originalName: name,
  type: "VARCHAR",
}));
const values = columns.map(() => ["a", "b"]);
const generated = createRowBuilder(columns, "object", "rename");
const template = templateBuilder(columns.map(({ name }, index) => ({ name, columns: [index] })));
const integer = encoder.encode("1234567");
const decimal = encoder.encode("1234.5678");
const timestamp = encoder.encode("2024-11-12 20:47:01");

const suite = new Benchmark.Suite();
for (const kind of kinds) {
  const bytes = new Uint8Array(readFileSync(makeFile(kind, 1)));
  suite.add(`scan 1 MB of ${kind}`, () => {
    const scanner = new Scanner(DIALECT, LIMITS);
    scanner.scan(bytes, bytes.length, true, UNBOUNDED, UNBOUNDED);
  });
}
suite
  .add("integer of 7 digits", () => parseSafeInteger(integer, 0, integer.length, PLAIN_NUMBERS))
  .add("decimal of 8 digits", () => castDouble(decimal, 0, decimal.length, PLAIN_NUMBERS, doubles, 0))
  .add("ISO timestamp", () => parseIsoTimestamp(timestamp, 0, timestamp.length, fields))
  .add("object row of 4, generated", () => generated(values, 1, 2))
  .add("object row of 4, template", () => template(values, 1, 2))
  .on("cycle", ({ target }) => console.log(String(target)))
  .run();
