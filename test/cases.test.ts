import { createReadStream, openAsBlob, readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { ColumnBatch } from "../src/index.js";
import { type CsvError, readCsv, sniffCsv, sniffedCsv } from "../src/index.js";
import { readCsvFile, sniffedCsv as sniffedDuplex } from "../src/node/index.js";
import { type CsvOptions, OPTION_NAMES } from "../src/options.js";
import type { Column, Sniff } from "../src/sniffer/sniff.js";
import { asViews, everyCut, piecesOf, piecesOfSizes } from "./support/cuts.js";
import { FACES, type Outcome, plainOutcome, readFace, streamOf } from "./support/faces.js";
import { retainedBytes } from "./support/heap.js";
import { expectedValue, notated } from "./support/values.js";
import { abortListeners, settle, unhandledRejectionsOf, WatchedSource, withFile } from "./support/watch.js";

interface Case {
  id: string;
  question: string;
  input?: string;
  input_b64?: string;
  input_gen?: string;
  options?: CsvOptions & { env?: { TZ: string } };
  chunks?: "every" | "subarray" | number[];
  procedure?: string;
  expected: Record<string, unknown>;
}

/** Keys of a case that say nothing to be checked. */
const REMARKS = ["source", "capability", "why", "policy", "duckdb_agrees", "observed_duckdb_1_5_6"];

/** Longest input that is cut at every place without being asked to. */
const SHORT = 250;

const cases = readFileSync(new URL("fixtures/cases.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Case);

function bytesOf(testCase: Case): Uint8Array {
  if (testCase.input_b64 !== undefined) return Uint8Array.from(Buffer.from(testCase.input_b64, "base64"));
  const text = testCase.input_gen === undefined ? testCase.input : generate(testCase.input_gen);
  return new TextEncoder().encode(text ?? "");
}

function generate(expression: string): string {
  return String(new Function(`return ${expression};`)());
}

function optionsOf({ options = {} }: Case): CsvOptions {
  const { env: _env, ...rest } = options;
  // The cases call column batches so.
  if ((rest.output as string) === "columns") rest.output = "batches";
  return rest.output === undefined && rest.rowShape === undefined ? { ...rest, rowShape: "array" } : rest;
}

/** A case at work: its outcome, and more runs of the same input. */
interface Run {
  testCase: Case;
  bytes: Uint8Array;
  outcome: Outcome;
  /** Reads the input again, with options beside the case's, or `instead` of them. */
  again(options: CsvOptions, instead?: boolean): Promise<Outcome>;
}

type Claim = (run: Run, expected: never) => void | Promise<void>;

function sniffOf({ sniff }: Outcome): Sniff {
  if (sniff === null) throw new Error("nothing was sniffed");
  return sniff;
}

function columnNamed(outcome: Outcome, name: string): Column {
  const found = sniffOf(outcome).columns.find((column) => column.name === name);
  if (found === undefined) throw new Error(`there is no column ${name}`);
  return found;
}

function typesOf(outcome: Outcome): string[] {
  return sniffOf(outcome).columns.map((column) => column.type);
}

/** Rows in the notation of the cases. */
function notatedRows(outcome: Outcome): unknown[][] {
  const types = typesOf(outcome);
  return outcome.rows.map((row) =>
    Object.values(row as object).map((value, column) => notated(value, types[column])),
  );
}

/** Some cases write a row of one column without its brackets. */
function expectedRow(row: unknown): unknown[] {
  return (Array.isArray(row) ? row : [row]).map(expectedValue);
}

function expectRows(outcome: Outcome, rows: readonly unknown[]): void {
  expect(notatedRows(outcome)).toEqual(rows.map(expectedRow));
}

function codesOf(warnings: readonly { code: string }[]): string[] {
  return warnings.map((warning) => warning.code);
}

function expectError(error: CsvError | null, expected: Record<string, unknown>): void {
  const { hint, when, ...place } = expected;
  expect(error).toMatchObject({ name: "CsvError", ...place });
  // What is to be done stands in the error's own sentence too.
  if (hint !== undefined) {
    expect(hint).toBe("name other encodings");
    expect(error?.hint).toContain("encoding: 'windows-1252'");
    expect(error?.message).toContain(error?.hint);
  }
  expect([undefined, "construction"]).toContain(when);
}

/** Every key that a case may claim. */
const CLAIMS: Record<string, Claim> = {
  dialect: ({ outcome }, dialect: object) => expect(sniffOf(outcome).dialect).toMatchObject(dialect),
  header: ({ outcome }, header: boolean) => expect(sniffOf(outcome).dialect.header).toBe(header),
  headerConfidence: ({ outcome }, confidence: string) =>
    expect(sniffOf(outcome).headerConfidence).toBe(confidence),
  names: ({ outcome }, names: string[]) =>
    expect(sniffOf(outcome).columns.map((column) => column.name)).toEqual(names),
  originalNames: ({ outcome }, names: string[]) =>
    expect(sniffOf(outcome).columns.map((column) => column.originalName)).toEqual(names),
  types: ({ outcome }, types: string[]) => expect(typesOf(outcome)).toEqual(types),
  typesAt: ({ outcome }, types: Record<string, string>) => {
    for (const [name, type] of Object.entries(types)) expect(columnNamed(outcome, name).type).toBe(type);
  },
  dateFormat: ({ outcome }, formats: Record<string, string>) => {
    for (const [name, format] of Object.entries(formats)) {
      // ISO 8601 needs no format.
      expect(columnNamed(outcome, name).format ?? "%Y-%m-%d").toBe(format);
    }
  },
  hints: ({ outcome }, hints: string[]) => expect(sniffOf(outcome).hints).toEqual(hints),
  preamble: ({ outcome }, preamble: string[]) => expect(sniffOf(outcome).preamble).toEqual(preamble),
  undecided: ({ outcome }, names: string[]) => expect(sniffOf(outcome).undecided).toEqual(names),
  ambiguous: ({ outcome }, ambiguous: object[]) => expect(sniffOf(outcome).ambiguous).toEqual(ambiguous),
  warnings: ({ outcome }, codes: string[]) => {
    expect(codesOf(sniffOf(outcome).warnings)).toEqual(codes);
    expect(outcome.warnings).toEqual([]);
  },
  comment: ({ outcome }, note: string) => {
    expect(note).toBe("# or null; both fine");
    expect(["#", null]).toContain(sniffOf(outcome).dialect.comment);
  },

  rows: ({ outcome }, rows: unknown[]) => expectRows(outcome, rows),
  batches: ({ outcome }, batches: { length: number; columns: Record<string, object> }[]) => {
    const found = (outcome.rows as ColumnBatch[]).map(({ rowCount, columns }) => ({
      length: rowCount,
      columns: Object.fromEntries(
        columns.map(({ name, type, values, validity }) => [
          name,
          {
            type,
            values: Array.from(values as ArrayLike<unknown>, (value, row) => {
              if (validity !== null && ((validity[row >> 3] >> (row & 7)) & 1) === 0) return null;
              return type === "BIGINT" ? Number(value) : value;
            }),
          },
        ]),
      ),
    }));
    expect(found).toEqual(batches);
  },
  rowCount: ({ outcome }, count: number) => expect(outcome.rows).toHaveLength(count),
  firstRow: ({ outcome }, row: unknown) => expect(notatedRows(outcome)[0]).toEqual(expectedRow(row)),
  lastRow: ({ outcome }, row: unknown) => expect(notatedRows(outcome).at(-1)).toEqual(expectedRow(row)),
  column: ({ outcome }, columns: Record<string, unknown[]>) => {
    for (const [name, values] of Object.entries(columns)) {
      const index = sniffOf(outcome).columns.indexOf(columnNamed(outcome, name));
      expect(notatedRows(outcome).map((row) => row[index])).toEqual(values.map(expectedValue));
    }
  },
  objectRows: async ({ again }, rows: object[]) =>
    expect((await again({ rowShape: "object" })).rows).toEqual(rows),
  rowsFrom51: ({ outcome }, rows: unknown[]) => expect(outcome.rows.slice(50)).toEqual(rows),
  earlierRows: ({ outcome }, note: string) => {
    expect(note).toBe("keep the type they were emitted with");
    expect(outcome.rows.slice(0, 50)).toEqual(Array.from({ length: 50 }, (_, i) => [i]));
  },
  schemaEvents: ({ outcome }, events: object[]) => expect(outcome.schema).toMatchObject(events),
  note: ({ outcome }, note: string) => {
    expect(note).toContain("one JS type per column");
    expect(outcome.rows.flat().map((value) => typeof value)).toEqual(["bigint", "bigint"]);
  },
  never: ({ outcome }, text: string) => {
    expect(text).toBe("U+FFFD");
    expect(JSON.stringify(outcome.rows)).not.toContain("\ufffd");
  },
  sameIfRowsSwapped: async ({ testCase, outcome }) => {
    const [header, first, second] = (testCase.input ?? "").split("\n");
    const swapped = await readFace.read(
      [new TextEncoder().encode(`${header}\n${second}\n${first}\n`)],
      optionsOf(testCase),
    );
    expect(sniffOf(swapped).dialect).toEqual(sniffOf(outcome).dialect);
    expect(swapped.rows).toEqual([...outcome.rows].reverse());
  },

  rejects: ({ outcome }, rejects: object[]) => {
    expect(outcome.rejects).toMatchObject(rejects);
    expect(outcome.rejects).toHaveLength(rejects.length);
  },
  error: ({ outcome, testCase, bytes }, error: Record<string, unknown>) => {
    expectError(outcome.error, error);
    if (error.when !== "construction") return;
    expect(() => readCsv(bytes, optionsOf(testCase))).toThrow(outcome.error?.message);
    expect(() => sniffedCsv(optionsOf(testCase))).toThrow(outcome.error?.message);
    expect(() => sniffedDuplex(optionsOf(testCase))).toThrow(outcome.error?.message);
  },
  errors: ({ outcome }, errors: unknown[]) => {
    expect(errors).toEqual([]);
    expect(outcome.error).toBeNull();
    expect(outcome.rejects).toEqual([]);
  },
  strict: async ({ again }, { error, line }: { error: string; line: number }) =>
    expectError((await again({ strictness: "strict" })).error, { code: error, line }),
  lenient: async ({ again }, { rows }: { rows: unknown[] }) =>
    expectRows(await again({ strictness: "lenient" }), rows),
  alternative: async ({ again }, { error }: { error: Record<string, unknown> }) =>
    expectError((await again({ quote: '"' })).error, error),
  lineOfRecord: async ({ again }, lines: Record<string, number>) => {
    const { rejects } = await again({
      types: ["BOOLEAN", "BOOLEAN"],
      header: true,
      onTypeMismatch: "reject",
    });
    expect(Object.fromEntries(rejects.map(({ record, line }) => [record, line]))).toEqual(lines);
  },

  withOption: async ({ again }, wishes: Record<string, unknown>) => {
    const options: Record<string, unknown> = {};
    const expected: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(wishes)) {
      // `types` is an option too, but here it is what the option leads to.
      const isOption = key !== "types" && OPTION_NAMES.includes(key as keyof CsvOptions);
      (isOption ? options : expected)[key] = value;
    }
    expect(Object.keys(options)).not.toEqual([]);
    const outcome = await again(options);
    if (expected.types !== undefined) expect(typesOf(outcome)).toEqual(expected.types);
    expectRows(outcome, expected.rows as unknown[]);
  },
  default: async ({ again }, expected: string | { types: string[] }) => {
    const outcome = await again({ rowShape: "array" }, true);
    if (typeof expected === "string") {
      expect(expected).toContain("both null");
      expect(outcome.rows.map((row) => (row as unknown[])[1])).toEqual([null, null, "x"]);
    } else {
      expect(typesOf(outcome)).toEqual(expected.types);
    }
  },
  strictGroups: async ({ testCase }, note: string) => {
    expect(note).toBe('"12,34" is not a number');
    const outcome = await readFace.read(
      [new TextEncoder().encode('n\n"12,34"\n"1,000"\n')],
      optionsOf(testCase),
    );
    expect(typesOf(outcome)).toEqual(["VARCHAR"]);
  },
  withSkipLines1: async ({ testCase, bytes }, note: string) => {
    expect(note).toContain('the second physical line `1"` would be next');
    const { error, sniff } = await readFace.read([bytes], {
      skipLines: 1,
      header: true,
      delimiter: ",",
      quote: '"',
      onError: "reject",
    });
    expect(testCase.options?.skipRecords).toBe(1);
    expect(error).toBeNull();
    expect(sniff?.columns[0].originalName).toBe('1"');
  },
  jsonOutput: async ({ again }, rows: unknown[]) => {
    const { rows: lines } = await again({ output: "ndjson" });
    expect(lines.map((line) => Object.values(JSON.parse(String(line))))).toEqual(rows);
  },
  ndjson: ({ outcome }, lines: string[]) => expect(outcome.rows).toEqual(lines),
  csv: ({ outcome }, text: string) => expect(outcome.rows.map((line) => `${line}\n`).join("")).toBe(text),

  asJsDate: async ({ again, outcome }, note: string) => {
    const [value] = outcome.rows.flat();
    if (note === "2024-03-10T00:00:00.000Z in every TZ") {
      for (const zone of ["UTC", "America/New_York", "Pacific/Kiritimati", "Africa/Monrovia"]) {
        await inZone(zone, async () => {
          const [there] = (await again({})).rows.flat();
          expect((there as Date).toISOString()).toBe("2024-03-10T00:00:00.000Z");
        });
      }
    } else {
      expect(note).toContain("truncated to ms");
      expect((value as Date).toISOString()).toBe("2024-11-12T20:47:01.917Z");
      const [text] = (await again({ dates: "string" })).rows.flat();
      expect(text).toContain("20:47:01.917818");
    }
  },
  neverUse: async ({ again }, note: string) => {
    expect(note).toBe("new Date(localString)");
    await inZone("America/New_York", async () => {
      const parse = vi.spyOn(Date, "parse");
      const [value] = (await again({})).rows.flat();
      expect(parse).not.toHaveBeenCalled();
      expect(value).toEqual(new Date(Date.UTC(2024, 2, 10)));
    });
  },
  duckdbCsv: ({ outcome }, note: string) => {
    // What DuckDB does, and this library does not: the reading takes no zone for granted.
    expect(note).toContain("TIMESTAMPTZ");
    expect(typesOf(outcome)).not.toContain("TIMESTAMPTZ");
  },

  ownKeys: ({ outcome }, keys: string[]) => expect(Object.keys(outcome.rows[0] as object)).toEqual(keys),
  values: ({ outcome }, values: unknown[]) =>
    expect(Object.values(outcome.rows[0] as object)).toEqual(values),
  value: ({ outcome }, value: unknown) => expect(Object.values(outcome.rows[0] as object)).toEqual([value]),
  objectPrototypeUntouched: ({ outcome }) => {
    expect(outcome.rows).toHaveLength(1);
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(OBJECT_PROTOTYPE);
    expect(Object.prototype.toString).toBe(OBJECT_TO_STRING);
  },
  rowPrototype: ({ outcome }, note: string) => {
    expect(note).toBe("null or Object.prototype, never data");
    expect([null, Object.prototype]).toContain(Object.getPrototypeOf(outcome.rows[0]));
  },
  rowPrototypeUntouched: ({ outcome }) =>
    expect([null, Object.prototype]).toContain(Object.getPrototypeOf(outcome.rows[0])),
  worksUnderCsp: async ({ again, outcome }, policy: string) => {
    expect(policy).toBe("script-src 'self'");
    class ForbiddenFunction {
      constructor() {
        throw new EvalError("Code generation from strings disallowed for this context");
      }
    }
    vi.stubGlobal("Function", ForbiddenFunction);
    expect(() => new Function("")).toThrow(EvalError);
    expect((await again({})).rows).toEqual(outcome.rows);
  },

  peakBufferedAtMost: async ({ bytes, testCase }, note: string) => {
    expect(note).toBe("limit + one chunk");
    // Sampling is over after a few bytes, so that what is held is what the open record needs.
    const chunk = 1 << 16;
    const source = new WatchedSource(piecesOf(bytes, chunk));
    const options = { ...optionsOf(testCase), sampleBytes: 64, delimiter: ",", header: true };
    const rows = readCsv(source.stream, options);
    await expect(rows.toArray()).rejects.toMatchObject({ code: "RECORD_TOO_LARGE", limit: 1 << 20 });
    expect(rows.bytesRead).toBeLessThanOrEqual((1 << 20) + 2 * chunk);
    expect(source.cancelled).toBe(true);
  },
  time: async ({ testCase }, note: string) => {
    expect(note).toBe("linear");
    // No byte past the limit is looked at, however much follows it.
    const read = async (records: number) => {
      const text = `a,b\n"x,1\n${"2,3\n".repeat(records)}`;
      const options = { ...optionsOf(testCase), sampleBytes: 64, delimiter: ",", header: true };
      const rows = readCsv(piecesOf(new TextEncoder().encode(text), 1 << 16), options);
      await expect(rows.toArray()).rejects.toMatchObject({ code: "RECORD_TOO_LARGE" });
      return rows.bytesRead;
    };
    expect(await read(2_000_000)).toBe(await read(400_000));
  },

  emitted: async ({ testCase, bytes, outcome }, when: string) => {
    expect(when).toBe("at flush");
    const transform = sniffedCsv(optionsOf(testCase));
    const writer = transform.writable.getWriter();
    const rows: unknown[] = [];
    const reading = (async () => {
      for await (const row of transform.readable) rows.push(row);
    })();
    await writer.write(bytes);
    await settle();
    expect(rows).toEqual([]);
    await writer.close();
    await reading;
    expect(rows).toEqual(outcome.rows);
  },
  events: async ({ testCase, bytes }, events: string[]) => {
    const duplex = sniffedDuplex(optionsOf(testCase));
    const seen: string[] = [];
    for (const event of ["data", "end", "error", "close"]) duplex.on(event, () => seen.push(event));
    duplex.end(bytes);
    await new Promise((resolve) => duplex.once("close", resolve));
    await settle();
    expect(seen).toEqual(events);
  },
  afterError: async ({ testCase, bytes }, note: string) => {
    expect(note).toBe("no data, no hang");
    const duplex = sniffedDuplex(optionsOf(testCase));
    const reading = pipeline(Readable.from([bytes]), duplex, async (rows) => {
      for await (const _ of rows) throw new Error("there is no row to give");
    });
    await expect(reading).rejects.toMatchObject({ code: "TOO_MANY_FIELDS" });
    expect(duplex.read()).toBeNull();
    expect(duplex.destroyed).toBe(true);
    const rows = readCsv(bytes, optionsOf(testCase));
    await expect(rows.next()).rejects.toMatchObject({ code: "TOO_MANY_FIELDS" });
    await expect(rows.next()).rejects.toMatchObject({ code: "TOO_MANY_FIELDS" });
  },
  before: async ({ testCase, bytes }, what: string) => {
    expect(what).toBe("first row");
    const order: string[] = [];
    const duplex = sniffedDuplex(optionsOf(testCase));
    duplex.on("sniff", () => order.push("sniff"));
    duplex.on("data", () => order.push("row"));
    duplex.end(bytes);
    await new Promise((resolve) => duplex.once("close", resolve));
    expect(order).toEqual(["sniff", "row"]);
  },
  ways: async ({ testCase, bytes, outcome }, ways: string[]) => {
    expect(ways).toHaveLength(4);
    const options = optionsOf(testCase);
    const seen: Sniff[] = [];
    const transform = sniffedCsv({
      ...options,
      onSniff: (sniff) => {
        seen.push(sniff);
      },
    });
    const rows: unknown[] = [];
    for await (const row of streamOf([bytes]).pipeThrough(transform)) rows.push(row);
    const sniff = await transform.sniffed;
    expect(seen).toEqual([sniff]);
    // Overrides: as text, what was found to be numbers.
    const overridden = readCsv(bytes, { ...options, rowShape: "array", onSniff: () => ({ types: false }) });
    expect(await overridden.toArray()).toEqual([["1", "2"]]);
    // The sniff is itself an option, and plain data.
    const reuse = { sniffed: JSON.parse(JSON.stringify(await sniffCsv(bytes, options))) as Sniff };
    expect(reuse.sniffed).toEqual(sniff);
    expect(await readCsv(bytes, { ...options, ...reuse }).toArray()).toEqual(rows);
    expect(rows).toEqual(outcome.rows);
  },
};

const OBJECT_PROTOTYPE = Object.getOwnPropertyNames(Object.prototype);
const OBJECT_TO_STRING = Object.prototype.toString;

/** A behaviour that is scripted, and the keys that the script claims. */
interface Procedure {
  text: string;
  keys: string[];
  script(bytes: Uint8Array, expected: Record<string, unknown>): Promise<void>;
}

const PROCEDURES: Record<string, Procedure> = {
  "chunk-08": {
    text: "Keep the Buffer that is sent and compare it afterwards.",
    keys: ["inputBytesUnchanged"],
    async script(bytes) {
      for (const face of FACES) {
        const sent = Buffer.from(bytes);
        const outcome = await face.read([sent], { rowShape: "array" });
        expect(outcome.rows).toEqual([['F"O', 1]]);
        expect(sent).toEqual(Buffer.from(bytes));
      }
    },
  },
  "stream-01": {
    text: "Send as one chunk; read one row, then wait.",
    keys: ["rowsProducedAheadAtMost", "retained"],
    async script(bytes, expected) {
      expect(expected.rowsProducedAheadAtMost).toBe("readable highWaterMark + 1 batch");
      const before = await retainedBytes();
      const transform = sniffedCsv();
      const writer = transform.writable.getWriter();
      const reader = transform.readable.getReader();
      const written = vi.fn();
      writer.write(bytes).then(written, () => {});
      expect(await reader.read()).toEqual({ value: { a: "x", b: "y" }, done: false });
      await settle();
      expect(transform.rowsEmitted).toBe(1);
      expect(written).not.toHaveBeenCalled();
      expect(writer.desiredSize).toBe(0);
      // What is kept beside the chunk is the sample, a batch, and no rows: a million would take tens of megabytes.
      expect(expected.retained).toBe("the unread chunk itself");
      expect((await retainedBytes()) - before).toBeLessThan(2 * bytes.length);
      await reader.cancel();

      const duplex = sniffedDuplex();
      expect(duplex.write(bytes)).toBe(false);
      await new Promise((resolve) => duplex.once("readable", resolve));
      expect(duplex.read()).toEqual({ a: "x", b: "y" });
      await settle();
      expect(duplex.rowsEmitted).toBeLessThanOrEqual(1 + duplex.readableHighWaterMark + 1);
      duplex.destroy();
    },
  },
  "stream-03": {
    text: "for await (row of stream) { break }",
    keys: ["sourceCancelled", "fileDescriptorClosed", "unhandledRejections"],
    async script() {
      const lines = new TextEncoder().encode(`a,b\n${"1,2\n".repeat(60_000)}`);
      const unhandled = await unhandledRejectionsOf(async () => {
        const source = new WatchedSource(piecesOf(lines, 1 << 14), false);
        for await (const row of source.stream.pipeThrough(sniffedCsv())) {
          expect(row).toEqual({ a: 1, b: 2 });
          break;
        }
        await settle();
        expect(source.cancelled).toBe(true);

        const second = new WatchedSource(piecesOf(lines, 1 << 14), false);
        for await (const _ of readCsv(second.stream)) break;
        expect(second.cancelled).toBe(true);

        await withFile(lines, async (path) => {
          for await (const _ of readCsvFile(path)) break;
          const leaving = pipeline(createReadStream(path), sniffedDuplex(), async (rows) => {
            for await (const _ of rows) break;
          });
          await expect(leaving).rejects.toMatchObject({ code: "ABORT_ERR" });
          for await (const _ of readCsv(createReadStream(path))) break;
          const bridge = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
          for await (const _ of bridge.pipeThrough(sniffedCsv())) break;
        });
      });
      expect(unhandled).toEqual([]);
    },
  },
  "stream-04": {
    text: 'AbortController.abort("why") (a) before the first byte, (b) while sampling, (c) between rows.',
    keys: ["rejectsWith", "rowsAfterAbort", "sourceCancelled", "listenersRemoved", "unhandledRejections"],
    async script() {
      const enough = new TextEncoder().encode(`a,b\n${"1,2\n".repeat(30_000)}`);
      const scenes = [
        { when: "before the first byte", pieces: [], rowsFirst: 0 },
        { when: "while sampling", pieces: [enough.subarray(0, 1_000)], rowsFirst: 0 },
        { when: "between rows", pieces: [enough], rowsFirst: 3 },
      ];
      const faces = {
        readCsv: (source: WatchedSource, signal: AbortSignal) => readCsv(source.stream, { signal }),
        sniffedCsv: (source: WatchedSource, signal: AbortSignal) =>
          source.stream.pipeThrough(sniffedCsv({ signal }))[Symbol.asyncIterator](),
      };
      for (const { when, pieces, rowsFirst } of scenes) {
        for (const [name, open] of Object.entries(faces)) {
          const unhandled = await unhandledRejectionsOf(async () => {
            const controller = new AbortController();
            const source = new WatchedSource(pieces, false);
            const rows = open(source, controller.signal) as AsyncIterator<unknown>;
            for (let row = 0; row < rowsFirst; row++) expect((await rows.next()).done).toBe(false);
            const waiting = rowsFirst === 0 ? rows.next() : null;
            await settle();
            controller.abort("why");
            if (waiting !== null) await expect(waiting, `${name} ${when}`).rejects.toBe("why");
            else await expect(rows.next(), `${name} ${when}`).rejects.toBe("why");
            await settle();
            expect(source.cancelled, `${name} ${when}`).toBe(true);
            expect(source.cancelReason).toBe("why");
            expect(abortListeners(controller.signal)).toBe(0);
          });
          expect(unhandled, `${name} ${when}`).toEqual([]);
        }
      }
    },
  },
  "stream-08": {
    text: "Keep only the id-as-text of each row (13+ characters) and drop the rest.",
    keys: ["heapPerKeptCellAtMost"],
    async script(bytes, expected) {
      expect(expected.heapPerKeptCellAtMost).toBe("~200 bytes");
      const text = new TextDecoder().decode(bytes).replaceAll(/^(\d+),/gm, (id) => id.padStart(15, "0"));
      const chunks = piecesOf(new TextEncoder().encode(text), 1 << 16);
      for (const detach of [false, true]) {
        const kept: string[] = [];
        const before = await retainedBytes();
        for await (const row of readCsv(chunks, { types: { id: "VARCHAR" }, detach }))
          kept.push(row.id ?? "");
        const each = ((await retainedBytes()) - before) / kept.length;
        expect(kept).toHaveLength(200_000);
        expect(kept[199_999]).toBe("00000000199999");
        expect(each).toBeLessThan(200);
      }
    },
  },
  "stream-09": {
    text: "typeof fs.createReadStream(f).pipeThrough",
    keys: ["value", "working"],
    async script(_bytes, expected) {
      expect(expected.working).toHaveLength(4);
      await withFile("a,b\n1,x\n", async (path) => {
        const wanted = [{ a: 1, b: "x" }];
        const probe = createReadStream(path);
        expect(typeof (probe as { pipeThrough?: unknown }).pipeThrough).toBe(expected.value);
        probe.destroy();

        const rows = async (source: AsyncIterable<unknown>) => {
          const all: unknown[] = [];
          for await (const row of source) all.push(row);
          return all;
        };
        const toWeb = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
        expect(await rows(toWeb.pipeThrough(sniffedCsv()))).toEqual(wanted);
        const blob = await openAsBlob(path);
        expect(await rows(blob.stream().pipeThrough(sniffedCsv()))).toEqual(wanted);
        expect(await rows(createReadStream(path).pipe(sniffedDuplex()))).toEqual(wanted);
        const collected: unknown[] = [];
        await pipeline(createReadStream(path), sniffedDuplex(), async (source: AsyncIterable<unknown>) => {
          for await (const row of source) collected.push(row);
        });
        expect(collected).toEqual(wanted);
      });
    },
  },
};

async function inZone(zone: string, scene: () => Promise<void>): Promise<void> {
  vi.stubEnv("TZ", zone);
  const offset = new Date(2024, 2, 10).getTimezoneOffset();
  expect(offset === 0).toBe(zone === "UTC" || zone === "Africa/Monrovia");
  await scene();
}

/** All that a case claims, of one outcome. */
async function expectClaims(testCase: Case, bytes: Uint8Array, outcome: Outcome): Promise<void> {
  const options = optionsOf(testCase);
  const again = (more: CsvOptions, instead = false) =>
    readFace.read([bytes], instead ? more : { ...options, ...more });
  const { error, rejects } = testCase.expected;
  const fails = error !== undefined || testCase.expected.events !== undefined;
  expect(outcome.error !== null).toBe(fails);
  if (rejects === undefined) expect(outcome.rejects).toEqual([]);
  const scripted = PROCEDURES[testCase.id]?.keys ?? [];
  for (const [key, expected] of Object.entries(testCase.expected)) {
    if (scripted.includes(key)) continue;
    if (!Object.hasOwn(CLAIMS, key)) throw new Error(`nobody knows how to claim ${key}`);
    await CLAIMS[key]({ testCase, bytes, outcome, again }, expected as never);
  }
}

function* cutsOf({ chunks }: Case, bytes: Uint8Array): Generator<{ how: string; pieces: Uint8Array[] }> {
  if (Array.isArray(chunks)) yield { how: String(chunks), pieces: piecesOfSizes(bytes, chunks) };
  else if (chunks === "every" || bytes.length <= SHORT) yield* everyCut(bytes);
  else {
    yield { how: "whole", pieces: [bytes] };
    yield { how: "in pieces of 65537", pieces: piecesOf(bytes, 65_537) };
  }
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe("the cases", () => {
  it("are all there, and hold nothing unknown", () => {
    const known = new Set(["id", "question", "input", "input_b64", "input_gen", "options", "chunks"]);
    for (const key of [...REMARKS, "procedure", "expected"]) known.add(key);
    expect(cases.length).toBeGreaterThanOrEqual(111);
    for (const testCase of cases) {
      expect([...Object.keys(testCase)].filter((key) => !known.has(key))).toEqual([]);
      expect(testCase.procedure, testCase.id).toBe(PROCEDURES[testCase.id]?.text);
      const { env = {} } = testCase.options ?? {};
      expect(Object.keys(env).filter((name) => name !== "TZ")).toEqual([]);
      const scripted = PROCEDURES[testCase.id]?.keys ?? [];
      const claimed = Object.keys(testCase.expected).filter((key) => !scripted.includes(key));
      expect(claimed.filter((key) => CLAIMS[key] === undefined)).toEqual([]);
    }
  });

  for (const testCase of cases) {
    it(`${testCase.id}: ${testCase.question}`, async () => {
      const bytes = bytesOf(testCase);
      const scene = async () => {
        await PROCEDURES[testCase.id]?.script(bytes, testCase.expected);
        const needsReading = Object.keys(testCase.expected).some(
          (key) => !PROCEDURES[testCase.id]?.keys.includes(key),
        );
        if (!needsReading) return;

        const options = optionsOf(testCase);
        const whole = await readFace.read([bytes], options);
        await expectClaims(testCase, bytes, whole);
        for (const { how, pieces } of cutsOf(testCase, bytes)) {
          const cut = await readFace.read(pieces, options);
          expect(plainOutcome(cut), how).toEqual(plainOutcome(whole));
        }
        if (bytes.length > 1 << 20) return;
        for (const face of FACES) {
          const other = await face.read(asViews(piecesOf(bytes, 11)), options);
          expect(plainOutcome(other), face.name).toEqual(plainOutcome(whole));
        }
        if (whole.sniff !== null && testCase.options?.output === undefined) {
          expect(await sniffCsv(bytes, options)).toEqual(whole.sniff);
        }
      };
      const zone = testCase.options?.env?.TZ;
      if (zone === undefined) await scene();
      else await inZone(zone, scene);
    });
  }
});
