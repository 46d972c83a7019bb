import { Session } from "node:inspector/promises";
import { readCsvFile } from "sniffed-csv/node";
import { kinds, makeFile } from "./make-data.js";

/*
 * What the time of reading typed objects goes to, from a CPU profile of warm readings: shares by the function that each
 * sample is in or below.
 *
 *   node profile.js [--mb 60]
 */

const at = process.argv.indexOf("--mb");
const megabytes = at < 0 ? 60 : Number(process.argv[at + 1]);

/** By part: the function that it is below, and the file that this is in. Of two the inner one counts. */
const PARTS = {
  sniff: ["sniffSample", "sniffer.js"],
  scan: ["scan", "scanner.js"],
  cast: ["castColumn", "column-cast.js"],
  values: ["valuesOf", "row-batch.js"],
  rows: ["rows", "row-batch.js"],
  "garbage collection": ["(garbage collector)", ""],
};

async function read(path) {
  let rows = 0;
  for await (const _ of readCsvFile(path)) rows++;
  return rows;
}

function sharesOf({ nodes, samples, timeDeltas }) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const partOf = new Map();
  const mark = (node, above) => {
    const { functionName, url } = node.callFrame;
    const own = Object.keys(PARTS).find(
      (part) => PARTS[part][0] === functionName && url.endsWith(PARTS[part][1]),
    );
    const part = own ?? above;
    partOf.set(node.id, part);
    for (const child of node.children ?? []) mark(byId.get(child), part);
  };
  mark(nodes[0], "the rest");
  const times = new Map();
  let total = 0;
  samples.forEach((sample, index) => {
    if (byId.get(sample).callFrame.functionName === "(idle)") return;
    const part = partOf.get(sample);
    times.set(part, (times.get(part) ?? 0) + timeDeltas[index]);
    total += timeDeltas[index];
  });
  return [...Object.keys(PARTS), "the rest"].map((part) => (100 * (times.get(part) ?? 0)) / total);
}

console.log(`| file | ${[...Object.keys(PARTS), "the rest"].join(" | ")} |`);
console.log(`|---|${"---:|".repeat(Object.keys(PARTS).length + 1)}`);
for (const kind of kinds) {
  const path = makeFile(kind, megabytes);
  for (let i = 0; i < 3; i++) await read(path);
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.start");
  for (let i = 0; i < 3; i++) await read(path);
  const { profile } = await session.post("Profiler.stop");
  session.disconnect();
  console.log(
    `| ${kind} | ${sharesOf(profile)
      .map((share) => `${share.toFixed(0)} %`)
      .join(" | ")} |`,
  );
}
