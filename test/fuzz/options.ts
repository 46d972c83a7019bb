import fc from "fast-check";
import type { CsvOptions } from "../../src/options.js";
import { tableOptions } from "../support/tables.js";

const sometimes = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 8 });
const types = fc.constantFrom(
  "BOOLEAN",
  "BIGINT",
  "DOUBLE",
  "TIME",
  "DATE",
  "TIMESTAMP",
  "TIMESTAMPTZ",
  "HUGEINT",
  "VARCHAR",
);

/** What {@link tableOptions} leaves out. */
const others = fc.record({
  delimiters: sometimes(fc.constantFrom([","], [";", ","], ["a"], ["||", "|"])),
  headerLines: sometimes(fc.integer({ min: 1, max: 3 })),
  names: sometimes(fc.array(fc.constantFrom("a", "b", "", "__proto__", "\u2028", '"'), { maxLength: 4 })),
  types: sometimes(fc.oneof(fc.array(types, { maxLength: 3 }), fc.constant({ id: "VARCHAR" }))),
  typeCandidates: sometimes(fc.uniqueArray(types, { maxLength: 4 })),
  trueValues: sometimes(fc.constantFrom(["yes"], ["1", "x"])),
  falseValues: sometimes(fc.constantFrom(["no"], ["0", ""])),
  thousandsSeparator: sometimes(fc.constantFrom(",", ".", " ", "'")),
  dateFormat: sometimes(fc.constantFrom("%d/%m/%Y", "%Y%m%d", "%b %d, %Y", "%d.%m.%y")),
  timestampFormat: sometimes(fc.constantFrom("%d/%m/%Y %H:%M", "%Y-%m-%dT%H:%M:%S.%f")),
  ambiguousDates: sometimes(fc.constantFrom("day-first", "month-first", "text", "error")),
  dates: sometimes(fc.constant("string")),
  ignoreTrailingDelimiter: sometimes(fc.boolean()),
  encoding: sometimes(
    fc.constantFrom("utf-8", "utf-16le", "windows-1252", "cp850", "shift_jis", "x-nothing"),
  ),
  maxRecords: sometimes(fc.nat(6)),
  maxFieldSize: sometimes(fc.integer({ min: 1, max: 20 })),
  maxRejects: sometimes(fc.nat(3)),
  maxNameSize: sometimes(fc.integer({ min: 1, max: 12 })),
  maxPreambleSize: sometimes(fc.nat(20)),
  maxSniffSteps: sometimes(fc.integer({ min: 1, max: 1 << 20 })),
  duplicateHeaders: sometimes(fc.constantFrom("rename", "group", "error")),
  detach: sometimes(fc.boolean()),
  escapeFormulas: sometimes(fc.boolean()),
  output: sometimes(fc.constantFrom("batches", "vw", "vw-examples")),
  batchText: sometimes(fc.constantFrom("strings", "utf8")),
});

function given(options: object): CsvOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as CsvOptions;
}

/** Options of all kinds, some of which contradict each other. */
export const anyOptions: fc.Arbitrary<CsvOptions> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  { weight: 3, arbitrary: tableOptions },
  {
    weight: 3,
    arbitrary: fc.tuple(tableOptions, others).map(([some, more]) => given({ ...some, ...given(more) })),
  },
);
