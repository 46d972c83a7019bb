import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { Command } from "commander";
import { build } from "esbuild";

/*
 * npm run fuzz -- --minutes N: reads files of all kinds, with options of all kinds, and holds every invariant of
 * test/fuzz/invariants.ts against what comes of it. Ends with 1 where one broke or a thread hung.
 */

const root = fileURLToPath(new URL("..", import.meta.url));
const { minutes, seed, threads } = new Command("fuzz")
  .option("--minutes <n>", "how long", Number, 1)
  .option("--seed <n>", "where the scenes begin", Number, Date.now() & 0x7fffffff)
  .option("--threads <n>", "threads", Number, availableParallelism())
  .parse()
  .opts();

/** A round that takes longer than this is taken for a hang. */
const HANG = 120_000;

// Beside the sources, so that the bundle finds the packages and the fixtures.
const folder = mkdtempSync(join(root, "test/fuzz/.bundle-"));
const bundle = join(folder, "worker.mjs");
await build({
  entryPoints: [join(root, "test/fuzz/worker.ts")],
  outfile: bundle,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  packages: "external",
  define: { "import.meta.url": JSON.stringify(new URL("test/fuzz/inputs.ts", `file://${root}`).href) },
  logLevel: "error",
});

const started = Date.now();
const runs = {};
const faults = new Map();
let hangs = 0;

function report(name, text) {
  // One of a kind is enough: the same fault shows again and again.
  const [, cause = text] = /\nError: (.*)/.exec(text) ?? [];
  const kind = `${name}: ${cause.slice(0, 60)}`;
  faults.set(kind, (faults.get(kind) ?? 0) + 1);
  if (faults.get(kind) === 1) console.log(`\n${name} does not hold\n${text.slice(0, 6_000)}\n`);
}

function start(index, from) {
  const worker = new Worker(bundle, { workerData: { seed: from, step: threads } });
  let doing = { name: "", seed: from };
  let timer;
  const watch = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      hangs++;
      console.log(`\n${doing.name} hangs, seed ${doing.seed}\n`);
      worker.terminate();
      workers[index] = start(index, doing.seed + threads);
    }, HANG);
  };
  worker.on("message", (message) => {
    watch();
    if (message.kind === "begins") doing = message;
    else if (message.kind === "holds") runs[doing.name] = (runs[doing.name] ?? 0) + message.runs;
    else report(message.name, message.report);
  });
  worker.on("error", (error) => report(doing.name, `the thread died, seed ${doing.seed}: ${error.stack}`));
  watch();
  return { worker, stop: () => clearTimeout(timer) };
}

const workers = [];
for (let index = 0; index < threads; index++) workers.push(start(index, seed + index));
await new Promise((resolve) => setTimeout(resolve, minutes * 60_000));
for (const { worker, stop } of workers) {
  stop();
  await worker.terminate();
}
rmSync(folder, { recursive: true, force: true });

const total = Object.values(runs).reduce((sum, count) => sum + count, 0);
const took = ((Date.now() - started) / 60_000).toFixed(1);
console.log(`${total} scenes in ${took} minutes with ${threads} threads, seed ${seed}:`);
for (const [name, count] of Object.entries(runs)) console.log(`  ${name} ${count}`);
console.log(`${faults.size} faults, ${hangs} hangs`);
for (const [kind, count] of faults) console.log(`  ${kind} (${count} times)`);
process.exitCode = faults.size + hangs > 0 ? 1 : 0;
