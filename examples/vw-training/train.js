import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readCsv } from "sniffed-csv";
import { readCsvFile } from "sniffed-csv/node";

/*
 * Two flows of training VW from CSV files:
 *
 * 1. flowers.csv: semicolons, and a class for every record. VW's own reader needs to be told the separator, and numbers
 *    for the classes; here both are found.
 * 2. articles.csv: examples of several lines (contextual bandits, --cb_adf), ended by records whose cells are empty.
 *
 * Where `vw` is installed, each file also goes through `vw --csv`, and the two audits must show the same features.
 * Where it is not, the hashes of our structured examples are compared with those of our text lines, read back.
 *
 *   node examples/vw-training/train.js
 */

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const hasVw = spawnSync("vw", ["--version"]).status === 0;

const FLOWS = [
  {
    name: "flowers",
    path: here("flowers.csv"),
    options: { label: { column: "kind", kind: "multiclass" } },
    train: ["--oaa", "3"],
    // VW's reader takes numbers only for the label, so its audit is compared without one.
    native: ["--csv", "--csv_separator", ";"],
    flags: ["--csv_label", "kind", "--label_kind", "multiclass"],
    shown: { csvLabel: "kind" },
  },
  {
    name: "articles",
    path: here("articles.csv"),
    options: { csvSeparator: "," },
    train: ["--cb_adf"],
    native: ["--csv"],
    flags: ["--csv_separator", ","],
    shown: { csvSeparator: "," },
  },
];

for (const flow of FLOWS) {
  const rows = readCsvFile(flow.path, { output: "vw", vw: flow.options });
  const lines = await rows.toArray();
  console.log(`\n${flow.name}: ${lines.length} lines`);
  for (const line of lines.slice(0, 5)) console.log(`  ${line}`);
  if (Object.keys(rows.labels).length > 0) console.log("  labels:", rows.labels);
  const command = ["sniffed-csv", "vw", `${flow.name}.csv`, ...flow.flags].join(" ");
  console.log(`  to train: ${command} | vw -d /dev/stdin ${flow.train.join(" ")}`);
  if (hasVw) compareWithVw(flow, lines);
  else await compareHashes(flow);
}

/** The features that `vw --audit` prints, for both readings of the file. */
function compareWithVw(flow, lines) {
  const audit = (args, input) =>
    spawnSync("vw", ["--audit", "--quiet", "-d", "/dev/stdin", ...args], { input, encoding: "utf8" }).stdout;
  const ours = audit([], `${lines.map((line) => line.replace(/^[^|]*/, "")).join("\n")}\n`);
  const theirs = audit(flow.native, readFileSync(flow.path));
  const features = (text) => text.match(/[^\s]+:\d+:[^:\s]+/g)?.map((feature) => feature.split("@")[0]) ?? [];
  const same = JSON.stringify(features(ours).sort()) === JSON.stringify(features(theirs).sort());
  console.log(`  vw --csv and ours: ${same ? "the same features" : "DIFFERENT features"}`);
  if (!same) process.exitCode = 1;
}

/**
 * Reads our text lines as VW would, hashes their names anew, and compares hash and value of every feature with the
 * structured examples of the same file.
 */
async function compareHashes(flow) {
  const examples = await readCsv(readFileSync(flow.path), {
    output: "vw-examples",
    vw: flow.shown,
  }).toArray();
  const lines = await readCsv(readFileSync(flow.path), { output: "vw", vw: flow.shown }).toArray();
  let features = 0;
  let different = 0;
  examples.forEach((example, i) => {
    const expected = example.namespaces.flatMap((namespace) =>
      namespace.features.map(({ hash, value }) => `${hash}:${value}`),
    );
    const found = featuresOf(lines[i]);
    features += expected.length;
    if (JSON.stringify(expected.sort()) !== JSON.stringify(found.sort())) different++;
  });
  console.log(
    `  no vw here: ${features} features, hashed from the lines and in the examples; ${different} lines differ`,
  );
  if (different > 0 || features === 0) process.exitCode = 1;
}

/** The features of a line of VW text as `hash:value`; a tab before a value makes it text. */
function featuresOf(line) {
  return line
    .split("|")
    .slice(1)
    .flatMap((part) => {
      const [namespace, ...tokens] = part.replaceAll(":\t", ":\u0000").trimEnd().split(" ");
      const seed = namespace === "" ? 0 : murmur3(namespace, 0);
      return tokens.map((token) => {
        const colon = token.indexOf(":");
        const name = token.slice(0, colon);
        const value = token.slice(colon + 1);
        const hash = /^\d+$/.test(name) ? (Number(name) + seed) >>> 0 : murmur3(name, seed);
        const text = value.startsWith("\u0000") || Number.isNaN(Number(value));
        return text
          ? `${murmur3(value.replace("\u0000", ""), hash)}:1`
          : `${hash}:${Math.fround(Number(value))}`;
      });
    });
}

/** MurmurHash3, 32 bits, of a text's UTF-8. */
function murmur3(text, seed) {
  const bytes = new TextEncoder().encode(text);
  const rotate = (x, by) => (x << by) | (x >>> (32 - by));
  const mix = (k) => Math.imul(rotate(Math.imul(k, 0xcc9e2d51), 15), 0x1b873593);
  let hash = seed;
  const whole = bytes.length & ~3;
  for (let i = 0; i < whole; i += 4) {
    const block = bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24);
    hash = (Math.imul(rotate(hash ^ mix(block), 13), 5) + 0xe6546b64) | 0;
  }
  let tail = 0;
  for (let i = bytes.length - 1; i >= whole; i--) tail = (tail << 8) | bytes[i];
  if (bytes.length > whole) hash ^= mix(tail);
  hash ^= bytes.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
