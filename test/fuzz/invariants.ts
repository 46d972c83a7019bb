import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { threadId } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { CsvError, sniffCsv } from "../../src/index.js";
import { Scanner } from "../../src/machine/scanner.js";
import { CELL_OPTIONS, type CsvOptions, resolveOptions } from "../../src/options.js";
import type { Sniff } from "../../src/sniffer/sniff.js";
import { NaiveParser, type NaiveRecord } from "../machine/naive-parser.js";
import { cutAt, piecesOf } from "../support/cuts.js";
import { FACES, type Face, type Outcome, plainOutcome, readFace } from "../support/faces.js";
import { readBothWays } from "../support/parallel.js";
import { anyBytes, joined } from "./inputs.js";
import { anyOptions } from "./options.js";

/** A file, options, and a way to read it. */
export interface Scene {
  bytes: Uint8Array;
  options: CsvOptions;
  cuts: number[];
  face: Face;
  tail: Uint8Array;
}

export const scenes: fc.Arbitrary<Scene> = fc
  .record({
    bytes: anyBytes,
    options: anyOptions,
    cuts: fc.array(fc.nat(1 << 19), { maxLength: 8 }),
    face: fc.constantFrom(...FACES),
    tail: fc.uint8Array({ minLength: 1, maxLength: 60 }),
  })
  .map((scene) => ({ ...scene, [fc.toStringMethod]: () => describe(scene) }));

/** A scene as a report shows it: its bytes as text of one byte a character. */
function describe({ bytes, options, cuts, face, tail }: Scene): string {
  const latin = (some: Uint8Array) =>
    JSON.stringify(Array.from(some, (byte) => String.fromCharCode(byte)).join(""));
  return `options ${show(options)} cuts ${cuts} face ${face.name} tail ${latin(tail)} bytes ${latin(bytes)}`;
}

/** Something that must hold of every scene; it throws where it does not. */
export type Invariant = (scene: Scene) => Promise<void>;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function insist(holds: boolean, what: string, ...seen: unknown[]): asserts holds {
  if (!holds) throw new Error(`${what}: ${seen.map((each) => show(each)).join(" / ")}`);
}

function show(value: unknown): string {
  const text = JSON.stringify(value, (_, each) => (typeof each === "bigint" ? `${each}n` : each));
  return text === undefined ? "undefined" : text.slice(0, 3_000);
}

function insistEqual(found: unknown, wanted: unknown, what: string): void {
  insist(isDeepStrictEqual(found, wanted), what, found, wanted);
}

/** Reads a scene and insists that nothing but a CsvError comes of it. */
async function read(
  { bytes }: Scene,
  options: CsvOptions,
  face = readFace,
  pieces = [bytes],
): Promise<Outcome> {
  const outcome = await face.read(pieces, options);
  insist(outcome.error === null || outcome.error instanceof CsvError, "no CsvError", String(outcome.error));
  return outcome;
}

/** Both engines, any cuts and any face find the same. */
async function agreement(scene: Scene): Promise<void> {
  const { bytes, options, cuts, face } = scene;
  if (looksCompressed(bytes)) return;
  const copy = bytes.slice();
  const reference = plainOutcome(await read(scene, { ...options, engine: "js" }));
  const kernel = await read(scene, { ...options, engine: "wasm" });
  // A dialect with many special characters is beyond the kernel.
  if (kernel.error?.code !== "INVALID_OPTION") insistEqual(plainOutcome(kernel), reference, "engines differ");
  const places = cuts.map((cut) => cut % (bytes.length + 1));
  for (const engine of ["js", "auto"] as const) {
    const cut = await read(scene, { ...options, engine }, face, cutAt(bytes, places));
    insistEqual(plainOutcome(cut), reference, `cuts differ (${engine}, ${face.name})`);
  }
  if (bytes.length < 2_000) {
    const single = await read(scene, { ...options, engine: "auto" }, readFace, piecesOf(bytes, 1));
    insistEqual(plainOutcome(single), reference, "single bytes differ");
  }
  insistEqual(bytes, copy, "the caller's bytes were written to");
}

/** A sniff given back leads to the same rows. */
async function sniffGivenBack(scene: Scene): Promise<void> {
  const first = await read(scene, scene.options);
  if (first.sniff === null || scene.options.maxSniffSteps !== undefined) return;
  const sniffed = JSON.parse(JSON.stringify(first.sniff)) as Sniff;
  const again = await read(scene, { ...scene.options, sniffed });
  insistEqual(plainOutcome(again), plainOutcome(first), "a sniff given back differs");
  // What it says of cells is what the options said.
  const options: CsvOptions = { ...scene.options, sniffed };
  for (const name of CELL_OPTIONS) delete options[name];
  insistEqual(
    plainOutcome(await read(scene, options)),
    plainOutcome(first),
    "a sniff does not say how cells are read",
  );
}

/** Rows and rejects are the records of the naive reading, each once and in order, and their text is its text. */
async function accounting(scene: Scene): Promise<void> {
  const { strictness: _, escape, quote, delimiter, comment, skipLines, header } = scene.options;
  const dialect = Object.fromEntries(
    Object.entries({ escape, quote, delimiter, comment, skipLines, header }).filter(
      ([, value]) => value !== undefined,
    ),
  );
  const options: CsvOptions = {
    ...dialect,
    types: false,
    rowShape: "array",
    onError: "reject",
    quotedEmpty: "string",
    fatal: false,
    encoding: "utf-8",
    maxRecordSize: 1 << 24,
  };
  const outcome = await read(scene, options);
  const { sniff, rows, rejects, error } = outcome;
  if (sniff === null || error !== null) return;
  const { dialect: found, columns } = sniff;
  const text = scene.bytes.subarray(startsWithMark(scene.bytes) ? 3 : 0);
  const table = text.subarray(lineStart(text, found.skipLines));
  const all = new NaiveParser(found, table).read(columns.length === 1).records;
  const records = all.slice(found.header ? (found.headerLines ?? 1) : 0);
  let row = 0;
  let reject = 0;
  for (const [index, record] of records.entries()) {
    if (rejects[reject]?.record === index + 1) {
      const raw = decoder.decode(
        table.subarray(record.start, Math.min(record.end, record.start + (1 << 16))),
      );
      insistEqual(rejects[reject++].raw, raw, "a reject's raw text");
    } else {
      const values = rows[row++] as (string | null)[] | undefined;
      insist(values !== undefined, "a record is missing", index + 1, rejects);
      insistEqual(values, cellsOf(record, columns.length), `record ${index + 1}`);
    }
  }
  insistEqual([row, reject], [rows.length, rejects.length], "rows and rejects without a record");
}

function cellsOf({ fields }: NaiveRecord, columns: number): (string | null)[] {
  return fields.slice(0, columns).map(({ text, form }) => {
    if (text.length === 0 && form !== "quoted") return null;
    return decoder.decode(Uint8Array.from(text));
  });
}

function startsWithMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** Where a physical line begins. */
function lineStart(bytes: Uint8Array, lines: number): number {
  let at = 0;
  for (let skipped = 0; skipped < lines && at < bytes.length; skipped++) {
    while (at < bytes.length && bytes[at] !== 0x0a && bytes[at] !== 0x0d) at++;
    at += bytes[at] === 0x0d && bytes[at + 1] === 0x0a ? 2 : 1;
  }
  return Math.min(at, bytes.length);
}

/** Every reject's place is where its raw text stands, and lines are counted physically. */
async function positions(scene: Scene): Promise<void> {
  const { newline: _, encoding: _1, ...options } = scene.options;
  const { sniff, rejects, error } = await read(scene, options);
  if (sniff?.dialect.encoding !== "utf-8") return;
  const { bytes } = scene;
  for (const { code, raw, byteOffset, line } of rejects) {
    const there = decoder.decode(bytes.subarray(byteOffset, byteOffset + 4 * raw.length + 4));
    // The raw text may be cut in the middle of a character.
    const certain = raw.length > 20_000 ? raw.slice(0, -2) : raw.replace(/\ufffd+$/, "");
    insist(there.startsWith(certain), "raw text is not at its place", code, raw, there);
    if (code !== "INVALID_ENCODING") insistEqual(line, lineAt(bytes, byteOffset), `the line of ${code}`);
  }
  if (error?.byteOffset === undefined || error.line === undefined) return;
  insist(error.byteOffset <= bytes.length, "a place behind the end", error);
  insistEqual(error.line, lineAt(bytes, error.byteOffset), `the line of ${error.code}`);
}

function lineAt(bytes: Uint8Array, offset: number): number {
  let line = 1;
  for (let at = 0; at < offset; at++) {
    if (bytes[at] === 0x0a || (bytes[at] === 0x0d && bytes[at + 1] !== 0x0a)) line++;
  }
  return line;
}

/** What follows the sample does not change the sniff. */
async function sampleAlone(scene: Scene): Promise<void> {
  const { bytes, tail } = scene;
  const options: CsvOptions = { sampleRows: 4, ...scene.options };
  const sniffed = (source: Uint8Array) => sniffCsv(source, options).catch((error: unknown) => plain(error));
  const sniff = await sniffed(bytes);
  if (!("sample" in sniff) || sniff.sample.complete || sniff.dialect.encoding !== "utf-8") return;
  // Whether an LF belongs to a CR at the sample's end shows behind it.
  const end = sniff.sample.bytes + 1;
  insistEqual(
    await sniffed(joined(bytes.subarray(0, end), tail, bytes.subarray(end))),
    sniff,
    "the sniff looks behind its sample",
  );
}

function plain(error: unknown): object {
  insist(error instanceof CsvError, "no CsvError", String(error));
  return { ...error };
}

/** Rows written as CSV are read again as the same text. */
async function roundTrip(scene: Scene): Promise<void> {
  const { output: _, vw: _1, limit: _2, escapeFormulas: _3, ...options } = scene.options;
  const first = await read(scene, { ...options, output: "csv" });
  if (first.error !== null || first.rows.length === 0 || first.sniff?.columns.length === 0) return;
  // A column that has no name is given one when it is read again.
  if (first.sniff?.columns.some(({ name }) => name.trim() === "")) return;
  const written = first.rows.map((line) => `${line}\n`).join("");
  const plainly: CsvOptions = {
    output: "csv",
    delimiter: ",",
    quote: '"',
    escape: '"',
    comment: null,
    skipLines: 0,
    header: true,
    headerLines: 1,
    encoding: "utf-8",
    types: false,
    quotedEmpty: "string",
    skipEmptyRecords: false,
    skipInitialSpace: false,
    ignoreTrailingDelimiter: false,
    maxSniffSteps: 1 << 30,
  };
  const second = await readFace.read([new TextEncoder().encode(written)], plainly);
  insistEqual(second.error, null, "what was written can't be read");
  insistEqual(second.rows, first.rows, "what was written reads otherwise");
}

/** Bytes that scanners have gone over since they were last counted. */
let scanned = 0;
const { scan } = Scanner.prototype;
Scanner.prototype.scan = function (this: Scanner, ...call: Parameters<typeof scan>) {
  const before = this.position;
  const result = Reflect.apply(scan, this, call);
  scanned += Math.max(0, this.position - before);
  return result;
};

/** The work is linear: once a sniff is there, each byte is scanned a few times at most, however the input is cut. */
async function linearWork(scene: Scene): Promise<void> {
  const first = await read(scene, scene.options);
  if (first.sniff === null || first.sniff.dialect.encoding !== "utf-8") return;
  const { onSniff: _, ...options } = scene.options;
  const pieces = cutAt(
    scene.bytes,
    scene.cuts.map((cut) => cut % (scene.bytes.length + 1)),
  );
  scanned = 0;
  await read(scene, { ...options, sniffed: first.sniff }, readFace, pieces);
  // A record that passes a limit is read to where it does, to its end, and once more for an open quote.
  insist(
    scanned <= 4 * scene.bytes.length + 256,
    "bytes are scanned again and again",
    scanned,
    scene.bytes.length,
  );
}

/** What looks compressed is read as what it holds where the reader pulls, and refused where it is written to. */
function looksCompressed(bytes: Uint8Array): boolean {
  return [GZIP, ZSTD].some((magic) => magic.every((byte, index) => bytes[index] === byte));
}

const GZIP = [0x1f, 0x8b];
const ZSTD = [0x28, 0xb5, 0x2f, 0xfd];

/** Compressed input is read as what it holds. */
async function decompression(scene: Scene): Promise<void> {
  const { bytes, cuts, options, face } = scene;
  if (looksCompressed(bytes)) return;
  const packed = new Uint8Array(gzipSync(bytes, { level: 1 }));
  const pieces = cutAt(
    packed,
    cuts.map((cut) => cut % (packed.length + 1)),
  );
  const plainly = await read(scene, options);
  const unpacked = await read(scene, options, readFace, pieces);
  insistEqual(plainOutcome(unpacked), plainOutcome(plainly), "compressed input differs");
  if (face === readFace || bytes.length === 0) return;
  insistEqual((await read(scene, options, face, pieces)).error?.code, refusal(options), "a stream takes it");
}

/** Streams that are written to don't decompress; options that contradict each other are told of first. */
function refusal(options: CsvOptions): string {
  try {
    resolveOptions(options);
    return "COMPRESSED_INPUT";
  } catch (error) {
    return (error as CsvError).code;
  }
}

const folder = mkdtempSync(join(tmpdir(), "sniffed-csv-fuzz-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

/** A file that several read is read as by one. */
async function threads(scene: Scene): Promise<void> {
  if (looksCompressed(scene.bytes)) return;
  const { bytes, cuts, options } = scene;
  try {
    resolveOptions(options);
  } catch {
    return;
  }
  if (bytes.length > 5_000) return;
  const path = join(folder, `${process.pid}-${threadId}.csv`);
  writeFileSync(path, bytes);
  const [head = 40, segment = 30, ...failing] = cuts.map((cut) => 1 + (cut % 120));
  const found = await readBothWays(path, bytes, { engine: "auto", ...options }, { head, segment }, failing);
  if (found !== null) insistEqual(found.parallel, found.single, "several readers differ from one");
}

export const INVARIANTS: Readonly<Record<string, Invariant>> = {
  agreement,
  sniffGivenBack,
  accounting,
  positions,
  sampleAlone,
  roundTrip,
  linearWork,
  decompression,
  threads,
};

/** Reads scenes until one breaks an invariant, or there were as many as wanted. */
export function fuzz(name: string, seed: number, numRuns: number): Promise<void> {
  const invariant = INVARIANTS[name];
  return fc.assert(fc.asyncProperty(scenes, invariant), { seed, numRuns, interruptAfterTimeLimit: 600_000 });
}
