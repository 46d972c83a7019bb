import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readCsvFile } from "sniffed-csv/node";
import { makeFile } from "./make-data.js";

/*
 * What a second thread is worth, beside what a second core is worth to anybody: two processes that each read the whole file by
 * one thread, at the same time. Column batches, each run in a process of its own.
 *
 *   node threads.js [--mb 600] [--kinds numbers,mixed,text] [--rounds 3]
 */

const argument = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : process.argv[at + 1];
};

if (process.argv.includes("--child")) await child(argument("path"), Number(argument("threads")));
else await parent();

async function child(path, threads) {
  const start = performance.now();
  for await (const _ of readCsvFile(path, { output: "batches", batchText: "utf8", threads }));
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ wall: (performance.now() - start) / 1000, cpu: (user + system) / 1e6 }));
}

async function parent() {
  const rounds = Number(argument("rounds", 3));
  const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
  console.log(
    "| file | 1 thread | 2 threads | faster by | CPU of 1, of 2 threads | 2 processes do in the time of one |",
  );
  console.log("|---|---:|---:|---:|---:|---:|");
  for (const kind of argument("kinds", "numbers,mixed,text").split(",")) {
    const path = makeFile(kind, Number(argument("mb", 600)));
    const runs = [];
    for (let round = 0; round < rounds; round++) {
      const one = await inProcess(path, 1);
      const two = await inProcess(path, 2);
      const pair = await Promise.all([inProcess(path, 1), inProcess(path, 1)]);
      runs.push({ one, two, pair: Math.max(...pair.map(({ wall }) => wall)) });
    }
    const of = (what) => median(runs.map(what));
    const ratio = (what) => of(what).toFixed(2);
    console.log(
      `| ${kind}, ${Math.round(statSync(path).size / 1e6)} MB | ${ratio(({ one }) => one.wall)} s | ${ratio(({ two }) => two.wall)} s | ${ratio(({ one, two }) => one.wall / two.wall)} | ${ratio(({ one }) => one.cpu)} s, ${ratio(({ two }) => two.cpu)} s | ${ratio(({ one, pair }) => (2 * one.wall) / pair)} |`,
    );
  }
}

function inProcess(path, threads) {
  const self = fileURLToPath(import.meta.url);
  const words = [self, "--child", "--path", path, "--threads", String(threads)];
  return new Promise((resolve, reject) => {
    const process_ = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
    let printed = "";
    process_.stdout.on("data", (text) => {
      printed += text;
    });
    process_.on("close", (code) => {
      if (code === 0) resolve(JSON.parse(printed));
      else reject(new Error(`it ended with ${code}`));
    });
  });
}
