import { createReadStream, readFileSync, statSync } from "node:fs";
import { cpus } from "node:os";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parse as csvParse } from "csv-parse";
import csvParser from "csv-parser";
import Papa from "papaparse";
import { sniffedCsv } from "sniffed-csv";
import { readCsvFile, sniffedCsv as sniffedCsvNode } from "sniffed-csv/node";
import { inferSchema, initParser } from "udsv";
import { kinds, makeFile } from "./make-data.js";

/*
 * Whole runs, side by side: every tool reads the same file from disk into typed objects, one after the other, in
 * rounds, in one process. A round's neighbours share the machine's mood, so the ratios hold where times drift. What
 * each tool reads is checked: rows, and the sum of one column of numbers.
 *
 *   node run.js [--mb 20] [--rounds 5] [--only uDSV]
 */

const argument = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : process.argv[at + 1];
};
const megabytes = Number(argument("mb", 20));
const rounds = Number(argument("rounds", 5));
const only = argument("only", "");

/** The column whose sum is compared, by kind of file. */
const CHECKED = { numbers: "total", mixed: "amount", quotes: "id" };

const counter = (column) => {
  const seen = { rows: 0, sum: 0 };
  return {
    seen,
    take(row) {
      seen.rows++;
      seen.sum += Number(row[column]);
    },
  };
};

const TOOLS = {
  "sniffed-csv, readCsvFile": async (path, take) => {
    for await (const row of readCsvFile(path)) take(row);
  },
  'sniffed-csv, readCsvFile, engine: "js"': async (path, take) => {
    for await (const row of readCsvFile(path, { engine: "js" })) take(row);
  },
  "sniffed-csv, pipeThrough": async (path, take) => {
    const stream = Readable.toWeb(createReadStream(path, { highWaterMark: 1 << 18 }));
    for await (const row of stream.pipeThrough(sniffedCsv()).values()) take(row);
  },
  "sniffed-csv, Node pipe": async (path, take) => {
    const rows = sniffedCsvNode();
    rows.on("data", take);
    await pipeline(createReadStream(path, { highWaterMark: 1 << 18 }), rows);
  },
  "uDSV 0.7.3, typed objects": (path, take) =>
    new Promise((resolve, reject) => {
      let parser = null;
      createReadStream(path, { highWaterMark: 1 << 18, encoding: "utf8" })
        .on("data", (chunk) => {
          parser ??= initParser(inferSchema(chunk));
          parser.chunk(chunk, parser.typedObjs, take);
        })
        .on("end", () => {
          parser.end();
          resolve();
        })
        .on("error", reject);
    }),
  "papaparse 5.7.1, dynamicTyping": async (path, take) => {
    const stream = Papa.parse(Papa.NODE_STREAM_INPUT, { header: true, dynamicTyping: true });
    stream.on("data", take);
    await pipeline(createReadStream(path, { highWaterMark: 1 << 18 }), stream);
  },
  "csv-parser 3.2.1, text": async (path, take) => {
    const stream = csvParser();
    stream.on("data", take);
    await pipeline(createReadStream(path, { highWaterMark: 1 << 18 }), stream);
  },
  "csv-parse 7.0.3, cast": async (path, take) => {
    const stream = csvParse({ columns: true, cast: true });
    stream.on("data", take);
    await pipeline(createReadStream(path, { highWaterMark: 1 << 18 }), stream);
  },
};

const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
};

const names = Object.keys(TOOLS).filter((name) => name.startsWith("sniffed-csv") || name.startsWith(only));
console.log(
  `node ${process.version}, ${cpus()[0]?.model ?? "unknown processor"}, ${rounds} rounds of ${megabytes} MB`,
);
for (const kind of kinds) {
  const path = makeFile(kind, megabytes);
  const size = statSync(path).size;
  const times = new Map(names.map((name) => [name, []]));
  const read = new Map();
  // Once before counting, for the compilers and the file cache.
  readFileSync(path);
  for (let round = -1; round < rounds; round++) {
    for (const name of names) {
      const { seen, take } = counter(CHECKED[kind]);
      const start = performance.now();
      await TOOLS[name](path, take);
      const time = performance.now() - start;
      if (round >= 0) times.get(name).push(time);
      read.set(name, seen);
    }
  }
  const ours = times.get(names[0]);
  const reference = read.get(names[0]);
  console.log(`\n${kind}: ${(size / 1e6).toFixed(1)} MB, ${reference.rows} rows`);
  console.log("| tool | MB/s, median | µs a row | time against ours, median of pairs | same values |");
  console.log("|---|---:|---:|---:|---|");
  for (const name of names) {
    const own = times.get(name);
    const time = median(own);
    const ratio = median(own.map((value, round) => value / ours[round]));
    const { rows, sum } = read.get(name);
    const same = rows === reference.rows && Math.abs(sum - reference.sum) < 1e-6 * Math.abs(reference.sum);
    const verdict = same ? "yes" : `no: ${rows} rows, sum ${sum}`;
    console.log(
      `| ${name} | ${(size / 1e3 / time).toFixed(1)} | ${((time * 1e3) / reference.rows).toFixed(2)} | ${ratio.toFixed(2)} | ${verdict} |`,
    );
  }
}
