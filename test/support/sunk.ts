import { readCsv, sniffCsv } from "../../src/index.js";
import type { CsvOptions } from "../../src/options.js";
import type { ColumnBatch } from "../../src/output/batches/column-batch.js";
import type { Sniff } from "../../src/sniffer/sniff.js";
import { HOSTILE_NAMES, type Told, told } from "./awkward.js";

/** A table for the sinks: every type, values missing here and there. */
export interface Sunk {
  name: string;
  text: string;
  options: CsvOptions;
  /** The columns' names where SQL takes those that differ in case alone for equal; the table's own unless given. */
  sqlNames?: readonly string[];
}

const record = (i: number) =>
  [
    i,
    i % 3 === 0 ? "" : i % 2 === 0,
    i % 7 === 0 ? "" : i / 8,
    i % 5 === 0 ? "" : `"grün, ${i} ""日本"""`,
    i % 4 === 0 ? "" : `${1900 + (i % 200)}-0${1 + (i % 9)}-1${i % 9}`,
    i % 6 === 0 ? "" : `2024-02-29 1${i % 9}:03:04.${String(i % 1000).padStart(3, "0")}`,
    i % 8 === 0 ? "" : `1${i % 9}:59:0${i % 9}`,
    i % 9 === 0 ? "" : `2024-02-29T1${i % 9}:03:04+02:00`,
    i % 10 === 0 ? "" : `${9007199254740993n + BigInt(i)}`,
  ].join(",");
const header = "id,ok,x,text,day,at,clock,instant,big";

export const SUNK: readonly Sunk[] = [
  {
    name: "every type, many batches",
    text: `${header}\n${Array.from({ length: 5_000 }, (_, i) => record(i)).join("\n")}\n`,
    options: { batchRows: 700 },
  },
  { name: "no rows", text: "a,b\n", options: { types: { a: "BIGINT", b: "VARCHAR" } } },
  {
    name: "hostile names",
    text: `${HOSTILE_NAMES.map((name) => `"${name}"`).join(",")}\n${HOSTILE_NAMES.map((_, i) => i).join(",")}\n`,
    options: {},
  },
  {
    name: "whole numbers past 64 bits",
    text: "h,t\n170141183460469231731687303715884105727,a\n-1,\n,c\n",
    options: { types: { h: "HUGEINT" } },
  },
  { name: "names equal but for case", text: "a,A\n1,x\n2,y\n", options: {}, sqlNames: ["a", "A_1"] },
  { name: "whole numbers as numbers", text: "n,e\n1,\n,\n3,\n", options: { bigint: "never" } },
];

/** The batches of a table, as they come from a reading, and its values as {@link told} writes them. */
export async function readSunk({ text, options, sqlNames }: Sunk, batchText: "strings" | "utf8") {
  const sniff: Sniff = await sniffCsv(text, options);
  const rows = readCsv(text, { ...options, rowShape: "array", dates: "string" });
  const values: Told[][] = ((await rows.toArray()) as unknown[][]).map((row) =>
    row.map((value, index) => told(value, sniff.columns[index])),
  );
  const batches = readCsv(text, { ...options, output: "batches", batchText }) as AsyncIterable<ColumnBatch>;
  const names = sqlNames ?? sniff.columns.map(({ name }) => name);
  return { sniff, names, values, batches: streamOf(batches) };
}

/** What TypeScript's library does not know yet. */
const from = Reflect.get(ReadableStream, "from") as (source: AsyncIterable<unknown>) => ReadableStream;

/** Batches as a stream. */
export function streamOf(batches: AsyncIterable<ColumnBatch>): ReadableStream<ColumnBatch> {
  return from.call(ReadableStream, batches);
}

/** Batches up to a fault. */
export function failing(sunk: Sunk): ReadableStream<ColumnBatch> {
  async function* spoilt() {
    const { batches } = await readSunk(sunk, "strings");
    let count = 0;
    for await (const batch of batches) {
      if (count++ === 3) throw new Error("the source is gone");
      yield batch;
    }
  }
  return streamOf(spoilt());
}

/** A stream's bytes in one piece, and how many pieces they came in. */
export async function gathered(
  stream: ReadableStream<Uint8Array>,
): Promise<{ bytes: Uint8Array; pieces: number }> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  return { bytes: new Uint8Array(await new Blob(pieces as BlobPart[]).arrayBuffer()), pieces: pieces.length };
}
