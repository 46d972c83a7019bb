import { spawnSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readCsvFile } from "sniffed-csv/node";
import { makeFile } from "./make-data.js";
import { ARRAYS, COLUMNS, OBJECTS } from "./tools.js";

/*
 * Peak memory and the time to the first row, by tool. Each run is a process of its own, so that no tool inherits what another
 * has left or what the compiler has learned: cold, as a request or a job meets it. Rows are dropped at once. The peak is the
 * highest resident size above that of the process with all tools loaded and nothing read.
 *
 *   node first-row.js [--mb 60] [--kind mixed] [--rounds 3] [--write]
 *
 * --write puts the tables into docs/benchmarks.md, between its marks.
 */

const argument = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : process.argv[at + 1];
};
/** What a smaller sample is worth to whoever waits for the first row. */
const SMALL_SAMPLE = {
  run: async (path, take) => {
    for await (const row of readCsvFile(path, { sampleRows: 1_000 })) take(row);
  },
};
const TABLES = {
  "Typed objects": { "sniffed-csv, sampleRows: 1000": SMALL_SAMPLE, ...OBJECTS },
  Lists: ARRAYS,
  Columns: COLUMNS,
};

if (process.argv.includes("--child")) await child(argument("table"), argument("tool"), argument("path"));
else parent();

/** Runs one tool over a file and prints what that took. */
async function child(table, tool, path) {
  const peak = () => process.resourceUsage().maxRSS / 1024;
  const before = peak();
  const start = performance.now();
  let first = 0;
  await TABLES[table][tool].run(path, () => {
    if (first === 0) first = performance.now() - start;
  });
  console.log(JSON.stringify({ first, whole: performance.now() - start, peak: peak() - before }));
}

function parent() {
  const megabytes = Number(argument("mb", 60));
  const rounds = Number(argument("rounds", 3));
  const kind = argument("kind", "mixed");
  const path = makeFile(kind, megabytes);
  const lines = [];
  const print = (line) => {
    lines.push(line);
    console.log(line);
  };
  const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
  for (const [table, tools] of Object.entries(TABLES)) {
    const names = Object.keys(tools).filter((name) => (tools[name].mostMegabytes ?? megabytes) >= megabytes);
    const runs = Object.fromEntries(names.map((name) => [name, []]));
    for (let round = 0; round < rounds; round++) {
      for (const name of names) runs[name].push(inProcess(table, name, path));
    }
    print(`\n${table}, ${kind}, ${Math.round(statSync(path).size / 1e6)} MB, medians of ${rounds}:\n`);
    print("| tool | first row after | all rows after | peak memory |");
    print("|---|---:|---:|---:|");
    for (const name of names) {
      const of = (what) => median(runs[name].map((run) => run[what]));
      print(
        `| ${name} | ${of("first").toFixed(0)} ms | ${(of("whole") / 1000).toFixed(2)} s | ${of("peak").toFixed(0)} MiB |`,
      );
    }
  }
  if (process.argv.includes("--write")) write(lines);
}

function inProcess(table, tool, path) {
  const self = fileURLToPath(import.meta.url);
  const words = [self, "--child", "--table", table, "--tool", tool, "--path", path];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${tool}: ${stderr}`);
  return JSON.parse(stdout);
}

function write(lines) {
  const path = fileURLToPath(new URL("../docs/benchmarks.md", import.meta.url));
  const [before, rest] = readFileSync(path, "utf8").split("<!-- first-row.js -->\n");
  const [, after] = rest.split("<!-- /first-row.js -->\n");
  writeFileSync(
    path,
    `${before}<!-- first-row.js -->\n${lines.join("\n").trimStart()}\n<!-- /first-row.js -->\n${after}`,
  );
}
