import { readFileSync, statSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { sniffCsv } from "sniffed-csv";
import { sniffCsvFile } from "sniffed-csv/node";
import { CHECKED, kinds, makeFile } from "./make-data.js";
import { ARRAYS, bytesOf, COLUMNS, duckdbSniff, OBJECTS } from "./tools.js";

/*
 * Whole runs, side by side: every tool reads the same file from disk, one after the other, in rounds, in one process. A
 * round's neighbours share the machine's mood, so the ratios hold where times drift. In each round a tool reads the file twice, and
 * the second time counts: the first pays for what the tool before has left, garbage and code that V8 has let go of. (A
 * collection between them would not do: it gives memory back to the system, which whoever comes next pays for.) What each
 * tool reads is checked: the number of rows and, of rows, the sum of one column. Slow tools have one round, the slowest
 * small files only.
 *
 *   node run.js [--mb 60] [--rounds 5] [--kinds numbers,mixed] [--only uDSV] [--tables objects,arrays,columns,sniff]
 *               [--write]
 *
 * --write puts the tables into docs/benchmarks.md, between its marks.
 */

const argument = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : process.argv[at + 1];
};
const megabytes = Number(argument("mb", 60));
const rounds = Number(argument("rounds", 5));
const only = argument("only", "");
const wanted = argument("kinds", kinds.join(",")).split(",");
const tables = argument("tables", "objects,arrays,columns,sniff").split(",");

const lines = [];
const print = (line) => {
  lines.push(line);
  console.log(line);
};

const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
};

/** Takes what a tool gives: counts rows, and sums the column that is checked. */
function taker(table, column, isFirstHeader) {
  const seen = { rows: 0, sum: 0 };
  if (table === "columns") {
    const count = (rows) => {
      seen.rows += rows;
    };
    return { seen, take: count };
  }
  const key = table === "arrays" ? column.index : column.name;
  let headerDue = isFirstHeader;
  return {
    seen,
    take(row) {
      if (headerDue) {
        headerDue = false;
        return;
      }
      seen.rows++;
      seen.sum += Number(row[key]);
    },
  };
}

async function compare(table, tools, kind) {
  const path = makeFile(kind, megabytes);
  const size = statSync(path).size;
  const names = Object.keys(tools)
    .filter((name) => name.startsWith("sniffed-csv") || name.startsWith(only))
    .filter((name) => tools[name].kinds?.includes(kind) ?? true)
    .filter((name) => megabytes <= (tools[name].mostMegabytes ?? megabytes));
  const times = new Map(names.map((name) => [name, []]));
  const read = new Map();
  const failures = new Map();
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const { run, slow, header } = tools[name];
      if ((slow && round > 0) || failures.has(name)) continue;
      try {
        await run(path, taker(table, CHECKED[kind], header).take);
        const { seen, take } = taker(table, CHECKED[kind], header);
        const start = performance.now();
        await run(path, take);
        times.get(name).push({ round, time: performance.now() - start });
        read.set(name, seen);
      } catch (error) {
        failures.set(name, String(error.message ?? error).slice(0, 80));
      }
    }
  }
  const ours = new Map(times.get(names[0]).map(({ round, time }) => [round, time]));
  const reference = read.get(names[0]);
  print(`\n### ${kind}, ${table}: ${(size / 1e6).toFixed(1)} MB, ${reference.rows} rows\n`);
  print("| tool | MB/s, median | time against ours, median of pairs | same values |");
  print("|---|---:|---:|---|");
  for (const name of names) {
    if (failures.has(name)) {
      print(`| ${name} | | | failed: ${failures.get(name)} |`);
      continue;
    }
    const own = times.get(name);
    const ratio = median(own.map(({ round, time }) => time / ours.get(round)));
    const { rows, sum } = read.get(name);
    const same = rows === reference.rows && Math.abs(sum - reference.sum) <= 1e-6 * Math.abs(reference.sum);
    const verdict = same ? "yes" : `no: ${rows} rows${table === "columns" ? "" : `, sum ${sum}`}`;
    const speed = (size / 1e3 / median(own.map(({ time }) => time))).toFixed(1);
    print(`| ${name} | ${speed} | ${ratio.toFixed(2)} | ${verdict} |`);
  }
}

async function sniffs() {
  print("\n### Sniffing, milliseconds, median\n");
  print("| file | sniffed-csv | DuckDB 1.5.6, 1 thread | time of DuckDB's against ours, median of pairs |");
  print("|---|---:|---:|---:|");
  for (const kind of wanted) {
    const path = makeFile(kind, megabytes);
    const own = [];
    const theirs = [];
    for (let round = -3; round < rounds * 3; round++) {
      const start = performance.now();
      await sniffCsvFile(path);
      const between = performance.now();
      await duckdbSniff(path);
      const end = performance.now();
      if (round < 0) continue;
      own.push(between - start);
      theirs.push(end - between);
    }
    const ratio = median(theirs.map((time, round) => time / own[round]));
    print(
      `| ${kind}, ${megabytes} MB | ${median(own).toFixed(1)} | ${median(theirs).toFixed(1)} | ${ratio.toFixed(2)} |`,
    );
  }
  for (const kind of wanted) {
    const bytes = await bytesOf(makeFile(kind, megabytes), 10_000);
    const own = [];
    for (let round = -50; round < 50; round++) {
      const start = performance.now();
      await sniffCsv(bytes);
      if (round >= 0) own.push(performance.now() - start);
    }
    print(`| ${kind}, its first 10 KB, once warm | ${median(own).toFixed(2)} | | |`);
  }
}

print(
  `Node ${process.version}, ${cpus()[0]?.model ?? "unknown processor"}, ${cpus().length} cores, ${rounds} rounds of ${megabytes} MB, ${new Date().toISOString().slice(0, 10)}.`,
);
for (const kind of wanted) {
  if (tables.includes("objects")) await compare("objects", OBJECTS, kind);
  if (tables.includes("arrays")) await compare("arrays", ARRAYS, kind);
  if (tables.includes("columns")) await compare("columns", COLUMNS, kind);
}
if (tables.includes("sniff")) await sniffs();

if (process.argv.includes("--write")) {
  const path = fileURLToPath(new URL("../docs/benchmarks.md", import.meta.url));
  const [before, rest] = readFileSync(path, "utf8").split("<!-- run.js -->\n");
  const [, after] = rest.split("<!-- /run.js -->\n");
  writeFileSync(path, `${before}<!-- run.js -->\n${lines.join("\n")}\n<!-- /run.js -->\n${after}`);
}
