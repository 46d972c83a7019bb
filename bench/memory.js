import { createReadStream, statSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { sniffedCsv } from "sniffed-csv";
import { readCsvFile, sniffedCsv as sniffedCsvNode } from "sniffed-csv/node";
import { makeFile } from "./make-data.js";

/*
 * Resident size and time while files of growing size stream through: the size must stay flat, and the time grow as the
 * file does.
 *
 *   node --expose-gc memory.js [--mb 10,100,1000] [--kind mixed]
 */

const argument = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : process.argv[at + 1];
};
const sizes = argument("mb", "10,100,1000").split(",").map(Number);
const kind = argument("kind", "mixed");

const FORMS = {
  readCsvFile: async (path, take) => {
    for await (const row of readCsvFile(path)) take(row);
  },
  "web pipeThrough": async (path, take) => {
    const source = Readable.toWeb(createReadStream(path, { highWaterMark: 1 << 18 }));
    for await (const row of source.pipeThrough(sniffedCsv()).values()) take(row);
  },
  "Node pipeline": async (path, take) => {
    const rows = sniffedCsvNode();
    rows.on("data", take);
    await pipeline(createReadStream(path, { highWaterMark: 1 << 18 }), rows);
  },
};

console.log("| form | file | rows | seconds | seconds a GB | resident after a tenth | highest resident |");
console.log("|---|---:|---:|---:|---:|---:|---:|");
for (const [form, run] of Object.entries(FORMS)) {
  for (const megabytes of sizes) {
    const path = makeFile(kind, megabytes);
    const size = statSync(path).size;
    let rows = 0;
    let early = 0;
    let highest = 0;
    globalThis.gc?.();
    const start = performance.now();
    await run(path, () => {
      if ((++rows & 0x3fff) !== 0) return;
      const resident = process.memoryUsage.rss();
      if (rows < (size / 137) * 0.1) early = Math.max(early, resident);
      highest = Math.max(highest, resident);
    });
    const seconds = (performance.now() - start) / 1000;
    const mib = (bytes) => `${Math.round(bytes / (1 << 20))} MiB`;
    console.log(
      `| ${form} | ${Math.round(size / 1e6)} MB | ${rows} | ${seconds.toFixed(2)} | ${((seconds * 1e9) / size).toFixed(1)} | ${mib(early)} | ${mib(highest)} |`,
    );
  }
}
