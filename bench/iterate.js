import { readFileSync } from "node:fs";
import { readCsv, sniffedCsv } from "sniffed-csv";
import { resolveOptions } from "../dist/options.js";
import { CsvParser } from "../dist/parser.js";
import { makeFile } from "./make-data.js";

/*
 * What a row costs on its way out: the same rows taken from the batches in a plain loop, by `for await` over readCsv
 * and over the web stream's readable, and by a reader that asks row by row.
 *
 *   node iterate.js [--rounds 7]
 */

const at = process.argv.indexOf("--rounds");
const rounds = at < 0 ? 7 : Number(process.argv[at + 1]);
const bytes = new Uint8Array(readFileSync(makeFile("mixed", 20)));

/** In pieces, as they come from a file. */
function* pieces() {
  for (let from = 0; from < bytes.length; from += 1 << 18) yield bytes.subarray(from, from + (1 << 18));
}

function throughStream() {
  const stream = sniffedCsv();
  ReadableStream.from(pieces())
    .pipeTo(stream.writable)
    .catch(() => {});
  return stream.readable;
}

const WAYS = {
  "batches, plain loop": async (take) => {
    const parser = new CsvParser(resolveOptions());
    const drain = () => {
      for (let batch = parser.read(); batch !== null; batch = parser.read()) {
        for (let row = 0; row < batch.rowCount; row += 64) {
          batch.rows(row, Math.min(row + 64, batch.rowCount)).forEach(take);
        }
      }
    };
    for (const piece of pieces()) {
      parser.write(piece);
      drain();
    }
    parser.end();
    drain();
  },
  "for await, readCsv": async (take) => {
    for await (const row of readCsv(pieces())) take(row);
  },
  "for await, readable": async (take) => {
    for await (const row of throughStream()) take(row);
  },
  "getReader().read()": async (take) => {
    const reader = throughStream().getReader();
    for (let step = await reader.read(); !step.done; step = await reader.read()) take(step.value);
  },
};

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const times = new Map(Object.keys(WAYS).map((way) => [way, []]));
let rows = 0;
for (let round = -1; round < rounds; round++) {
  for (const [way, run] of Object.entries(WAYS)) {
    rows = 0;
    const start = performance.now();
    await run(() => rows++);
    if (round >= 0) times.get(way).push(performance.now() - start);
  }
}
const plain = times.get("batches, plain loop");
console.log(`${rows} rows, ${rounds} rounds; medians`);
console.log("| way | ns a row | ns a row over the plain loop, median of pairs | ratio |");
console.log("|---|---:|---:|---:|");
for (const [way, own] of times) {
  const over = median(own.map((time, round) => time - plain[round]));
  const ratio = median(own.map((time, round) => time / plain[round]));
  const ns = (time) => Math.round((time * 1e6) / rows);
  console.log(`| ${way} | ${ns(median(own))} | ${ns(over)} | ${ratio.toFixed(2)} |`);
}
