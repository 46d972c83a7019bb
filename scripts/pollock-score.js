import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readCsv } from "../dist/index.js";

/*
 * Pollock's ten measures (Vitagliano et al., VLDB 2023) over what scripts/pollock.js has made of its `row_` files: whether
 * a file was loaded, and precision, recall and F1 of the header's cells, of the records and of the cells, each of them a
 * multiset. A rebuilding, not the benchmark's own program: cells are compared as trimmed text in lower case instead of
 * being parsed, and the file before its pollution is found by what most of the files agree on, record by record, as each
 * differs from it in one. A pollution adds or takes a delimiter between cells, which stay what they were, or puts a quote
 * before a cell, which is then part of it.
 *
 *   npm run pollock -- IN OUT && node scripts/pollock-score.js OUT
 */

const folder = process.argv[2];
if (folder === undefined) {
  console.error("usage: node scripts/pollock-score.js OUT");
  process.exit(2);
}

const normal = (cell) => (cell ?? "").trim().toLowerCase();

const loaded = new Map();
for (const name of readdirSync(folder)) {
  if (!name.startsWith("row_")) continue;
  const bytes = new Uint8Array(readFileSync(join(folder, name)));
  const options = { delimiter: ",", quote: '"', header: false, types: false, rowShape: "array" };
  loaded.set(name, { failed: bytes[0] === 0x41, rows: await rowsOf(bytes, options) });
}

/** Records with as many fields as each has. */
async function rowsOf(bytes, options) {
  const rows = [];
  const note = ({ fields, record }) => {
    rows[record - 1] = fields;
  };
  const kept = await readCsv(bytes, { ...options, onError: "reject", onReject: note }).toArray();
  let next = 0;
  for (let index = 0; next < kept.length || index < rows.length; index++) rows[index] ??= kept[next++];
  return rows.map((row) => row.map(normal));
}

const counts = [...loaded.values()].map(({ rows }) => rows.length);
const length = mostFrequent(counts);
const original = Array.from({ length }, (_, index) =>
  JSON.parse(
    mostFrequent(
      [...loaded.values()]
        .filter(({ rows }) => rows.length === length)
        .map(({ rows }) => JSON.stringify(rows[index])),
    ),
  ),
);

function mostFrequent(values) {
  const tally = new Map();
  for (const value of values) tally.set(value, (tally.get(value) ?? 0) + 1);
  return [...tally].reduce((a, b) => (b[1] > a[1] ? b : a))[0];
}

/** Precision, recall and F1 as Pollock has them: over the source's number, and over the loaded one's. */
function measures(source, found) {
  if (source.length === 0) return [1, 1, 1];
  const left = new Map();
  for (const value of source) left.set(value, (left.get(value) ?? 0) + 1);
  let common = 0;
  for (const value of found) {
    const count = left.get(value) ?? 0;
    if (count > 0) common++;
    left.set(value, count - 1);
  }
  if (common === 0) return [0, 0, 0];
  const precision = common / source.length;
  const recall = common / found.length;
  return [precision, recall, (2 * precision * recall) / (precision + recall)];
}

const joined = (row) => row.map((cell) => cell || "null").join("");
const kinds = new Map();
let total = 0;
for (const [name, { failed, rows }] of loaded) {
  const source = original.map((row) => [...row]);
  const quoted = /^row_extra_quote(\d+)_col(\d+)/.exec(name);
  if (quoted !== null) source[quoted[1]][quoted[2]] = `"${source[quoted[1]][quoted[2]]}`;
  const [header = [], ...records] = rows;
  const [sourceHeader, ...sourceRecords] = source;
  const score = failed
    ? 0
    : [
        1,
        ...measures(sourceHeader, header),
        ...measures(sourceRecords.map(joined), records.map(joined)),
        ...measures(sourceRecords.flat(), records.flat()),
      ].reduce((sum, measure) => sum + measure, 0);
  total += score;
  const kind = /^row_\D+/.exec(name)[0].replace(/_(row)?$/, "");
  kinds.set(kind, [...(kinds.get(kind) ?? []), score]);
}
console.log("| files | number | score of 10 |");
console.log("|---|---:|---:|");
for (const [kind, scores] of kinds) {
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  console.log(`| ${kind} | ${scores.length} | ${mean.toFixed(3)} |`);
}
console.log(`| all | ${loaded.size} | ${(total / loaded.size).toFixed(3)} |`);
