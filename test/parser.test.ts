import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CsvErrorCode } from "../src/errors.js";
import type { Dialect } from "../src/machine/dialect.js";
import type { CsvOptions } from "../src/options.js";
import type { Sniff } from "../src/sniffer/sniff.js";
import { dialects, hostileTable, hostileText } from "./machine/dialects.js";
import { NaiveParser, type NaiveRecord } from "./machine/naive-parser.js";
import { cutAt, piecesOf } from "./support/cuts.js";
import { FACES, plainOutcome, readFace } from "./support/faces.js";
import { tableBytes, tableOptions } from "./support/tables.js";

const cuts = fc.array(fc.nat(300), { maxLength: 8 });

describe("the same bytes in any cuts", () => {
  it("give the same rows, sniff, rejects, changes, warnings and faults", async () => {
    await fc.assert(
      fc.asyncProperty(tableBytes, tableOptions, cuts, async (bytes, options, places) => {
        const whole = plainOutcome(await readFace.read([bytes], options));
        expect(plainOutcome(await readFace.read(cutAt(bytes, places), options))).toEqual(whole);
        expect(plainOutcome(await readFace.read(piecesOf(bytes, 1), options))).toEqual(whole);
      }),
      { numRuns: 1_000 },
    );
  });

  it("do so through every face", async () => {
    await fc.assert(
      fc.asyncProperty(tableBytes, tableOptions, cuts, async (bytes, options, places) => {
        const whole = plainOutcome(await readFace.read([bytes], options));
        for (const face of FACES) {
          expect(plainOutcome(await face.read(cutAt(bytes, places), options)), face.name).toEqual(whole);
        }
      }),
      { numRuns: 450 },
    );
  });
});

describe("what was sniffed", () => {
  it("holds for every value of the sample, and each has its column's type", async () => {
    let typed = 0;
    await fc.assert(
      fc.asyncProperty(tableBytes, async (bytes) => {
        const { rows, rejects, sniff } = await readFace.read([bytes], {
          rowShape: "array",
          onError: "reject",
          onTypeMismatch: "reject",
          fatal: false,
        });
        expect(codesOf(rejects)).not.toContain("TYPE_MISMATCH");
        for (const row of rows as unknown[][]) {
          for (const [column, value] of row.entries()) {
            if (value === null) continue;
            const { type, bigint } = sniff?.columns[column] ?? {};
            if (type !== "VARCHAR") typed++;
            expect(kindOf(value)).toBe(type === "BIGINT" && bigint ? "bigint" : KINDS[type ?? ""]);
          }
        }
      }),
      { numRuns: 1_000 },
    );
    expect(typed).toBeGreaterThan(500);
  });

  it("leads to the same rows when it is given back, as plain JSON", async () => {
    await fc.assert(
      fc.asyncProperty(tableBytes, tableOptions, cuts, async (bytes, options, places) => {
        const whole = await readFace.read([bytes], options);
        fc.pre(whole.sniff !== null);
        const sniffed = JSON.parse(JSON.stringify(whole.sniff)) as Sniff;
        const again = await readFace.read(cutAt(bytes, places), { ...options, sniffed });
        expect(plainOutcome(again)).toEqual(plainOutcome(whole));
      }),
      { numRuns: 600 },
    );
  });

  it("leads to the same rows with and without the kernel", async () => {
    await fc.assert(
      fc.asyncProperty(tableBytes, tableOptions, async (bytes, options) => {
        const [plain, accelerated] = await Promise.all([
          readFace.read([bytes], { ...options, engine: "js" }),
          readFace.read([bytes], { ...options, engine: "wasm" }),
        ]);
        // A dialect with many special characters is beyond the kernel.
        fc.pre(accelerated.error?.code !== "INVALID_OPTION");
        expect(plainOutcome(accelerated)).toEqual(plainOutcome(plain));
      }),
      { numRuns: 400 },
    );
  });
});

const KINDS: Record<string, string> = {
  BOOLEAN: "boolean",
  BIGINT: "number",
  DOUBLE: "number",
  TIME: "string",
  DATE: "Date",
  TIMESTAMP: "Date",
  TIMESTAMPTZ: "Date",
  VARCHAR: "string",
};

function kindOf(value: unknown): string {
  return value instanceof Date ? "Date" : typeof value;
}

function codesOf(rejects: readonly { code: string }[]): string[] {
  return rejects.map((reject) => reject.code);
}

/** What is to come of a record, by the rules as the documentation has them. */
type Fate = { row: (string | null)[] } | { code: CsvErrorCode; line?: number } | "skipped";

function fateOf(record: NaiveRecord, columns: number, options: CsvOptions): Fate {
  const { maxRecordSize = 2 << 20, maxColumns = 100_000, strictness, nullPadding, extraFields } = options;
  const width = record.fields.length;
  const largest = record.fields.slice(0, maxColumns + 1).at(-1);
  const sizeSoFar = width > maxColumns && largest !== undefined ? rawEnd(largest) - record.start : 0;
  if (width > maxColumns && sizeSoFar <= maxRecordSize) return { code: "TOO_MANY_COLUMNS" };
  if (record.end - record.start > maxRecordSize) return { code: "RECORD_TOO_LARGE" };
  if (record.unterminated && strictness !== "lenient") return { code: "UNTERMINATED_QUOTE" };
  if (strictness !== "lenient" && record.fields.some((field) => field.form === "misplaced")) {
    return { code: "TEXT_AFTER_QUOTE" };
  }
  if (width < columns && !nullPadding) return { code: "TOO_FEW_FIELDS" };
  if (width > columns && extraFields !== "drop") return { code: "TOO_MANY_FIELDS" };
  const row = Array.from({ length: columns }, (_, column) => valueOf(record, column));
  return row.every((value) => value === null) && options.skipEmptyRecords === "all-null"
    ? "skipped"
    : { row };
}

/** The records that a lenient reading makes of one that text behind a quote, or an unclosed one, puts out of shape. */
function rereadNaively(
  record: NaiveRecord,
  dialect: Dialect,
  bytes: Uint8Array,
  columns: number,
  options: CsvOptions,
): NaiveRecord[] {
  const isFaulty = ({ unterminated, fields }: NaiveRecord) =>
    unterminated || fields.some(({ form }) => form === "misplaced");
  const quoteOf = ({ fields }: NaiveRecord) =>
    fields.find(({ form }) => form === "misplaced")?.start ?? (fields.at(-1)?.start ?? 0) - 1;
  const raw = bytes.slice(record.start, record.end);
  const inShape =
    record.fields.length === columns && !record.unterminated && !raw.includes(10) && !raw.includes(13);
  const fate = fateOf(record, columns, options);
  const isLarge = typeof fate === "object" && "code" in fate && /^(RECORD_TOO|TOO_MANY_C)/.test(fate.code);
  if (!isFaulty(record) || inShape || isLarge) return [record];
  // A byte that nothing else is.
  const stand = [1, 2, 3, 4].find((byte) => !raw.includes(byte)) ?? 0;
  let stray = quoteOf(record) - record.start;
  for (let tries = 0; tries < 4; tries++) {
    raw[stray] = stand;
    const { records } = new NaiveParser(dialect, raw).read(columns === 1);
    const faulty = records.find(isFaulty);
    if (faulty !== undefined) {
      stray = quoteOf(faulty);
      continue;
    }
    if (records.length === 0 || records.some(({ fields }) => fields.length !== columns)) return [record];
    const quote = (dialect.quote ?? "").charCodeAt(0);
    return records.map((found) => ({
      ...found,
      start: record.start,
      end: record.start,
      line: record.line,
      fields: found.fields.map((field) => ({
        ...field,
        text: field.text.map((byte) => (byte === stand ? quote : byte)),
      })),
    }));
  }
  return [record];
}

/** Where a field's raw bytes end; the quote that closes it is one of them. */
function rawEnd(field: NaiveRecord["fields"][number]): number {
  return field.form === "quoted" ? field.end + 1 : field.end;
}

function valueOf(record: NaiveRecord, column: number): string | null {
  const field = record.fields[column];
  if (field === undefined || field.text.length === 0) return null;
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(field.text));
}

/** Where a physical line, counted from 0, begins. */
function offsetOfLine(bytes: Uint8Array, line: number): number {
  let at = 0;
  for (let skipped = 0; skipped < line; skipped++) {
    while (bytes[at] !== 0x0a && bytes[at] !== 0x0d) at++;
    at += bytes[at] === 0x0d && bytes[at + 1] === 0x0a ? 2 : 1;
  }
  return at;
}

/** Options that fix the dialect, so that what follows can be told without sniffing. */
function fixed(dialect: Dialect): CsvOptions {
  const { newline, strictNewline, ...rest } = dialect;
  const options: CsvOptions = {
    ...rest,
    skipLines: 0,
    skipRecords: 0,
    types: false,
    encoding: "utf-8",
    ignoreTrailingDelimiter: false,
  };
  return strictNewline ? { ...options, newline } : options;
}

const structureOptions = fc.record(
  {
    nullPadding: fc.boolean(),
    extraFields: fc.constant("drop" as const),
    skipEmptyRecords: fc.constantFrom(true, false, "all-null" as const),
    strictness: fc.constant("lenient" as const),
    maxRecordSize: fc.integer({ min: 6, max: 20 }),
    maxColumns: fc.integer({ min: 3, max: 6 }),
    batchRows: fc.integer({ min: 1, max: 3 }),
    sampleBytes: fc.integer({ min: 1, max: 60 }),
    engine: fc.constantFrom("js" as const, "wasm" as const),
  },
  { requiredKeys: [] },
);

const fixedScenes = dialects
  // What the options refuse: characters that mean two things.
  .filter(({ delimiter, quote, escape, comment }) =>
    [quote, escape, comment].every((character) => character === null || !delimiter.includes(character)),
  )
  .chain((dialect) =>
    fc.record({
      dialect: fc.constant(dialect),
      bytes: fc.oneof(hostileText(dialect, 60), hostileTable(dialect)),
      options: structureOptions,
      places: cuts,
      limit: fc.option(fc.nat(5), { nil: undefined }),
    }),
  );

describe("records", () => {
  it("become the rows and rejects that the naive parser foretells", async () => {
    let rejected = 0;
    await fc.assert(
      fc.asyncProperty(fixedScenes, async ({ dialect, bytes, options, places }) => {
        const all: CsvOptions = { ...fixed(dialect), ...options, header: false, rowShape: "array" };
        const outcome = await readFace.read(cutAt(bytes, places), { ...all, onError: "reject" });
        // A sample without a table, or with one that is too wide, is another test's matter.
        fc.pre(outcome.error === null && outcome.sniff !== null && outcome.sniff.columns.length > 0);
        const columns = outcome.sniff?.columns.length ?? 0;
        const usable = outcome.sniff?.dialect ?? dialect;
        const blanks = columns === 1 || options.skipEmptyRecords === false;
        const { skipLines = 0 } = outcome.sniff?.dialect ?? {};
        const top = offsetOfLine(bytes, skipLines);
        const read = new NaiveParser(usable, bytes.subarray(top)).read(blanks).records;
        const records =
          options.strictness === "lenient"
            ? read.flatMap((record) => rereadNaively(record, usable, bytes.subarray(top), columns, all))
            : read;

        const rows: unknown[] = [];
        const rejects: object[] = [];
        records.forEach((record, index) => {
          const fate = fateOf(record, columns, all);
          if (fate === "skipped") return;
          if ("row" in fate) {
            rows.push(fate.row);
            return;
          }
          const isLarge = fate.code === "RECORD_TOO_LARGE" || fate.code === "TOO_MANY_COLUMNS";
          const raw = new TextDecoder("utf-8", { ignoreBOM: true }).decode(
            bytes.subarray(top + record.start, top + record.end),
          );
          rejects.push({
            code: fate.code,
            record: index + 1,
            byteOffset: top + record.start,
            ...(isLarge ? {} : { raw, found: undefined }),
          });
        });
        expect(outcome.rows).toEqual(rows);
        rejected += rejects.length;
        const seen = outcome.rejects.map(({ code, record, byteOffset, raw }, index) => {
          const isLarge = code === "RECORD_TOO_LARGE" || code === "TOO_MANY_COLUMNS";
          const source = records[record - 1];
          if (!isLarge && code !== "UNTERMINATED_QUOTE") {
            expect(outcome.rejects[index].line).toBe(skipLines + source.line + 1);
          }
          return { code, record, byteOffset, ...(isLarge ? {} : { raw, found: undefined }) };
        });
        expect(seen).toEqual(rejects);
      }),
      { numRuns: 2_000 },
    );
    expect(rejected).toBeGreaterThan(500);
  });

  it("before a fault are given, and those before a limit, and no reject behind it", async () => {
    await fc.assert(
      fc.asyncProperty(fixedScenes, async ({ dialect, bytes, options, places, limit }) => {
        const all: CsvOptions = { ...fixed(dialect), ...options, header: false, rowShape: "array" };
        const pieces = cutAt(bytes, places);
        const rejecting = await readFace.read(pieces, { ...all, onError: "reject" });
        fc.pre(rejecting.error === null);
        const failing = await readFace.read(pieces, { ...all, onError: "error", limit });
        const [first] = rejecting.rejects;
        const wanted = limit ?? Number.POSITIVE_INFINITY;
        if (failing.error === null) {
          expect(failing.rows).toEqual(rejecting.rows.slice(0, wanted));
          expect(first === undefined || failing.rows.length === wanted).toBe(true);
        } else {
          expect(failing.error).toMatchObject({ code: first.code, record: first.record });
          expect(failing.rows.length).toBeLessThan(wanted);
          expect(failing.rows).toEqual(rejecting.rows.slice(0, failing.rows.length));
        }
        expect(failing.rejects).toEqual([]);

        const limited = await readFace.read(pieces, { ...all, onError: "reject", limit });
        expect(limited.rows).toEqual(rejecting.rows.slice(0, wanted));
        expect(limited.rejects).toEqual(rejecting.rejects.slice(0, limited.rejects.length));
      }),
      { numRuns: 1_000 },
    );
  });
});
