import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { startProgress } from "../dist/cli/input.js";
import { readCsvFile } from "../dist/node/index.js";

/* The first look at the project: sniffs the shipped file, shows its first rows, then streams all of them. */

const file = fileURLToPath(new URL("../examples/data/orders.csv", import.meta.url));
const cli = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));

function show(...words) {
  console.log(`\n$ npx sniffed-csv ${words.join(" ")} examples/data/orders.csv\n`);
  const { status } = spawnSync(process.execPath, [cli, ...words, file], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

show("sniff");
show("head", "-n", "8");

console.log("\n> for await (const row of readCsvFile(file)) …\n");
const { size } = statSync(file);
const progress = startProgress(size);
process.once("SIGINT", () => {
  progress.stop();
  process.exit(130);
});
const rows = readCsvFile(file);
const began = performance.now();
await rows.sniffed;
const sniffed = performance.now();
let count = 0;
let revenue = 0;
for await (const row of rows) {
  revenue += row.quantity * row.unit_price * (1 - (row.discount ?? 0));
  if (++count % 256 === 0) progress.update(rows.bytesRead, count);
}
progress.update(rows.bytesRead, count);
progress.stop();
const seconds = (performance.now() - sniffed) / 1000;
const rate = (rows.bytesRead / 1e6 / seconds).toFixed(1);
console.log(
  `${count.toLocaleString("en")} rows, ${rows.bytesRead.toLocaleString("en")} bytes: sniffed in ` +
    `${(sniffed - began).toFixed(0)} ms, streamed in ${(seconds * 1000).toFixed(0)} ms (${rate} MB/s, not warmed up)`,
);
console.log(`revenue, from typed numbers: ${revenue.toLocaleString("en", { maximumFractionDigits: 2 })}`);
