import { createReadStream, readFileSync, statSync } from "node:fs";
import { parse as csvParse } from "csv-parse";
import { readCsvFile } from "sniffed-csv/node";
import { Scanner, UNBOUNDED } from "../dist/machine/scanner.js";
import { makeFile } from "./make-data.js";

/*
 * Lines of VW text a second: ours, the scanner alone on the same bytes, and an honest script of the kind people write:
 * csv-parse and string building.
 *
 *   node vw.js [--mb 20] [--rounds 5]
 */

const argument = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
};
const megabytes = argument("mb", 20);
const rounds = argument("rounds", 5);

const DIALECT = {
  delimiter: ",",
  quote: '"',
  escape: '"',
  newline: "\n",
  strictNewline: false,
  comment: null,
  skipInitialSpace: false,
};

/** The script: numbers as they are, text with what the format can't hold replaced. */
function naiveLine(record, names) {
  const parts = [];
  for (let i = 0; i < names.length; i++) {
    const cell = record[i];
    if (cell === "" || cell === "0") continue;
    const number = Number(cell);
    parts.push(
      Number.isNaN(number) ? `${names[i]}:\t${cell.replace(/[\s:|]/g, "_")}` : `${names[i]}:${number}`,
    );
  }
  return `| ${parts.join(" ")}`;
}

const WAYS = {
  "sniffed-csv, output: vw": async (path, take) => {
    for await (const line of readCsvFile(path, { output: "vw", vw: { csvSeparator: "," } })) take(line);
  },
  "csv-parse 7.0.3 and string building": async (path, take) => {
    let names = null;
    for await (const record of createReadStream(path, { highWaterMark: 1 << 18 }).pipe(csvParse())) {
      if (names === null) names = record;
      else take(naiveLine(record, names));
    }
  },
  "the scanner alone": async (path, take) => {
    const bytes = new Uint8Array(readFileSync(path));
    const scanner = new Scanner(DIALECT, { maxRecordSize: UNBOUNDED, maxColumns: UNBOUNDED });
    for (;;) {
      const end = Math.min(bytes.length, scanner.position + (1 << 17));
      scanner.scan(bytes, end, end === bytes.length, UNBOUNDED, UNBOUNDED);
      for (let record = 0; record < scanner.spans.recordCount; record++) take("");
      if (scanner.spans.recordCount === 0 && end === bytes.length) return;
    }
  },
};

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
for (const kind of ["numbers", "mixed"]) {
  const path = makeFile(kind, megabytes);
  const size = statSync(path).size;
  const times = new Map(Object.keys(WAYS).map((way) => [way, []]));
  let records = 0;
  for (let round = -1; round < rounds; round++) {
    for (const [way, run] of Object.entries(WAYS)) {
      let lines = 0;
      let written = 0;
      const start = performance.now();
      await run(path, (line) => {
        lines++;
        written += line.length;
      });
      if (round >= 0) times.get(way).push(performance.now() - start);
      records = Math.max(records, lines, written > 0 ? lines : 0);
    }
  }
  console.log(`\n${kind}: ${(size / 1e6).toFixed(1)} MB, ${rounds} rounds; medians`);
  console.log("| way | MB/s | records a second | time against ours, median of pairs |");
  console.log("|---|---:|---:|---:|");
  const ours = times.get("sniffed-csv, output: vw");
  for (const [way, own] of times) {
    const ratio = median(own.map((time, round) => time / ours[round]));
    const seconds = median(own) / 1000;
    console.log(
      `| ${way} | ${(size / 1e6 / seconds).toFixed(1)} | ${Math.round(records / seconds).toLocaleString("en")} | ${ratio.toFixed(2)} |`,
    );
  }
}
