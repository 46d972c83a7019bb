/*
 * Measures the sniffer on the annotated corpora, which lie beside the repository and are not part of it.
 *
 *   npm run accuracy -- [--corpus NAME] [--file PART] [--failures] [--candidates] [--stability] [--peers]
 *
 * --failures lists each file that is not read as its label says; --candidates adds the sniffer's score table;
 * --stability sniffs each file again with other line ends, record orders and sample sizes; --dist FOLDER takes
 * another build than dist; --peers measures PapaParse and DuckDB in the same run, where they are installed in bench/.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { performance } from "node:perf_hooks";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const CORPORA = new URL("../../shared/corpora/", import.meta.url);
const ROOT = new URL("../", import.meta.url);

const CHECKS = [
  "delimiter",
  "quote",
  "delimiter+quote",
  "escape",
  "newline",
  "full dialect",
  "encoding",
  "header",
  "header+preamble",
  "header lines",
];

const { values: flags } = parseArgs({
  options: {
    corpus: { type: "string" },
    file: { type: "string" },
    dist: { type: "string" },
    failures: { type: "boolean", default: false },
    candidates: { type: "boolean", default: false },
    peers: { type: "boolean", default: false },
    stability: { type: "boolean", default: false },
  },
});

const files = readManifest();
if (files === null) {
  console.log("accuracy: the annotated corpora are not here (../shared/corpora), nothing to measure.");
  process.exit(0);
}
const dist =
  flags.dist === undefined ? new URL("dist/", ROOT) : new URL("./", pathToFileURL(`${flags.dist}/x`));
const { sniffCsv } = await import(new URL("index.js", dist).href);

const chosen = files.filter(
  (entry) =>
    (flags.corpus === undefined || entry.corpus === flags.corpus) &&
    (flags.file === undefined || entry.file.includes(flags.file)),
);
await measureOurs(chosen);
if (flags.stability) await measureStability(chosen);
if (flags.peers) await measurePeers(chosen);

/** The corpora's list of files and labels, or null where they are not installed. */
function readManifest() {
  try {
    const text = readFileSync(new URL("manifest.jsonl", CORPORA), "utf8");
    return text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
}

async function measureOurs(entries) {
  const table = new Map();
  const times = [];
  // The first few files pay for compiling the code; they are read once before.
  for (const entry of entries.slice(0, 20)) await sniffCsv(readFile(entry));
  for (const entry of entries) {
    const bytes = readFile(entry);
    const before = performance.now();
    const outcome = await trySniff(bytes);
    times.push(performance.now() - before);
    const checks = outcome.error === undefined ? judge(entry.expected, outcome.found, bytes) : failAll(entry);
    count(table, entry.corpus, checks);
    if (flags.failures) printFailure(entry, checks, outcome);
  }
  printTable("sniffed-csv, options left at their defaults", table);
  printTimes(times);
}

async function trySniff(bytes, options) {
  try {
    const sniff = await sniffCsv(bytes, options);
    return { sniff, found: found(sniff) };
  } catch (error) {
    return { error };
  }
}

/** What a sniff claims, in the labels' words. */
function found({ dialect, columns, delimiterSeen, quoteSeen }) {
  return {
    delimiter: dialect.delimiter,
    quote: dialect.quote,
    quoteSeen,
    escape: dialect.escape,
    newline: dialect.newline,
    header: dialect.header,
    headerLines: dialect.header ? (dialect.headerLines ?? 1) : 0,
    skip: dialect.skipLines,
    encoding: dialect.encoding,
    oneColumn: columns.length <= 1 || !delimiterSeen,
    columns: columns.length,
  };
}

/**
 * Compares a claim with the label: a delimiter is right when equal, or when the file is one column either way;
 * a quote when equal, or when neither occurs in the file, or none was seen (the sniffer then names the usual
 * one) where the label names none; an escape likewise.
 */
function judge(expected, claim, bytes) {
  const occurs = (character) => Boolean(character) && bytes.includes(character.charCodeAt(0));
  const oneColumn = !occurs(expected.delimiter);
  const delimiter = claim.delimiter === expected.delimiter || (oneColumn && claim.oneColumn);
  const quote =
    (claim.quote ?? "") === expected.quote ||
    (!occurs(claim.quote) && !occurs(expected.quote)) ||
    (claim.quoteSeen === false && expected.quote === "");
  const checks = { delimiter, quote, "delimiter+quote": delimiter && quote };
  if (claim.escape !== undefined) {
    checks.escape = rightEscape(expected, claim, bytes);
    checks.newline = claim.newline === expected.newline;
    checks["full dialect"] = delimiter && quote && checks.escape && checks.newline;
    checks.encoding = rightEncoding(expected.encoding, claim.encoding);
  }
  if (expected.header !== undefined && claim.header !== undefined) {
    checks.header = claim.header === expected.header;
    if (expected.skip !== undefined) {
      checks["header+preamble"] = checks.header && claim.skip === expected.skip;
    }
    if (expected.header_lines !== undefined && claim.headerLines !== undefined) {
      checks["header lines"] = checks.header && claim.headerLines === expected.header_lines;
    }
  }
  return checks;
}

/** The doubled quote is the usable setting where the label names no escape, as none occurs. */
function rightEscape(expected, claim, bytes) {
  const escape = claim.escape ?? "";
  if (escape === expected.escape) return true;
  if (expected.escape === "")
    return escape === "" || escape === (claim.quote ?? '"') || !bytes.includes(0x5c);
  return claim.quote === null && !bytes.includes(expected.quote.charCodeAt(0));
}

function rightEncoding(label, encoding) {
  if (label === "ascii" || label === "utf-8" || label === "utf-8-bom") return encoding === "utf-8";
  if (label === "other-8bit") return !encoding.startsWith("utf-");
  return encoding === label;
}

function failAll(entry) {
  const nothing = { escape: "none", newline: "", header: null, skip: -1, encoding: "utf-none" };
  return judge(entry.expected, { delimiter: "none", quote: "none", ...nothing }, new Uint8Array(0));
}

function readFile(entry) {
  return new Uint8Array(readFileSync(new URL(entry.file, CORPORA)));
}

function count(table, corpus, checks) {
  for (const name of [corpus, "all"]) {
    const row = table.get(name) ?? { files: 0, right: {}, asked: {} };
    row.files++;
    for (const [check, right] of Object.entries(checks)) {
      row.asked[check] = (row.asked[check] ?? 0) + 1;
      row.right[check] = (row.right[check] ?? 0) + (right ? 1 : 0);
    }
    table.set(name, row);
  }
}

function printTable(title, table) {
  const checks = CHECKS.filter((check) => [...table.values()].some((row) => row.asked[check] > 0));
  console.log(`\n${title}\n`);
  console.log(`| corpus | files | ${checks.join(" | ")} |`);
  console.log(`|---|---|${checks.map(() => "---|").join("")}`);
  const rows = [...table].sort(([a], [b]) => Number(a === "all") - Number(b === "all"));
  for (const [corpus, row] of rows) {
    const cells = checks.map((check) => share(row.right[check], row.asked[check]));
    console.log(`| ${corpus} | ${row.files} | ${cells.join(" | ")} |`);
  }
}

function share(right, asked) {
  return asked === undefined ? "" : `${((100 * right) / asked).toFixed(1)} %`;
}

function printTimes(times) {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))].toFixed(2);
  console.log(`\nmilliseconds a file: median ${at(0.5)}, 90 % ${at(0.9)}, most ${at(1)}`);
}

function printFailure(entry, checks, outcome) {
  const wrong = Object.keys(checks).filter((check) => !checks[check]);
  if (wrong.length === 0) return;
  console.log(`\n${entry.corpus} ${entry.file}: ${wrong.join(", ")}`);
  console.log(`  expected ${JSON.stringify(entry.expected)}`);
  if (outcome.error !== undefined) {
    console.log(`  failed   ${outcome.error.stack}`);
    return;
  }
  console.log(`  found    ${JSON.stringify(outcome.found)}`);
  if (!flags.candidates) return;
  for (const { dialect, verdict, ...parts } of outcome.sniff.candidates) {
    console.log(`  ${JSON.stringify(Object.values(dialect))} ${JSON.stringify(parts)} ${verdict}`);
  }
}

/** How often other line ends, another order of records and smaller samples leave the dialect as it was. */
async function measureStability(entries) {
  const same = new Map();
  for (const entry of entries) {
    const bytes = readFile(entry);
    const base = await trySniff(bytes);
    if (base.error !== undefined) continue;
    for (const [name, changed, options] of variants(bytes, base.sniff)) {
      const other = await trySniff(changed, options);
      const equal = other.error === undefined && sameDialect(base.sniff, other.sniff);
      const row = same.get(name) ?? { equal: 0, asked: 0 };
      row.asked++;
      if (equal) row.equal++;
      else if (flags.failures) {
        console.log(`\nunstable under ${name}: ${entry.file}`);
        console.log(
          `  ${JSON.stringify(base.found)}\n  ${JSON.stringify(other.found ?? other.error.message)}`,
        );
      }
      same.set(name, row);
    }
  }
  console.log("\n| changed | files | same dialect |\n|---|---|---|");
  for (const [name, row] of same) console.log(`| ${name} | ${row.asked} | ${share(row.equal, row.asked)} |`);
}

function* variants(bytes, { dialect }) {
  if (dialect.encoding.startsWith("utf-16") || dialect.encoding.startsWith("utf-32")) return;
  yield ["sampleRows: 1,000", bytes, { sampleRows: 1_000 }];
  yield ["sampleRows: 5,000", bytes, { sampleRows: 5_000 }];
  // Latin-1 keeps every byte as it is.
  const text = Buffer.from(bytes).toString("latin1");
  const plain = text.replaceAll("\r\n", "\n");
  if (!plain.includes("\r")) {
    yield ["LF", Buffer.from(plain, "latin1"), {}];
    yield ["CRLF", Buffer.from(plain.replaceAll("\n", "\r\n"), "latin1"), {}];
  }
  yield ["shuffled records", Buffer.from(shuffled(text, dialect), "latin1"), {}];
}

/** The records below the header in another, always equal, order; what the dialect says is a record. */
function shuffled(text, { quote, escape, skipLines, header, newline }) {
  const records = splitRecords(text, quote, escape, newline);
  const lines = (record) => record.split(newline).length - 1 || 1;
  let fixed = 0;
  for (let skipped = 0; skipped < skipLines && fixed < records.length; fixed++)
    skipped += lines(records[fixed]);
  if (header) fixed++;
  const ends = (record) => (record.endsWith(newline) ? record : record + newline);
  const body = records.slice(fixed).map(ends);
  let seed = 42;
  for (let i = body.length - 1; i > 0; i--) {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    const j = seed % (i + 1);
    [body[i], body[j]] = [body[j], body[i]];
  }
  return records.slice(0, fixed).map(ends).join("") + body.join("");
}

function splitRecords(text, quote, escape, newline) {
  const records = [];
  let inside = false;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if (inside && escape !== quote && text[i] === escape) i++;
    else if (text[i] === quote && quote !== null) inside = !inside;
    else if (!inside && text.startsWith(newline, i)) {
      i += newline.length - 1;
      records.push(text.slice(start, i + 1));
      start = i + 1;
    }
  }
  if (start < text.length) records.push(text.slice(start));
  return records;
}

function sameDialect(a, b) {
  return ["delimiter", "quote", "escape", "comment", "skipInitialSpace"].every(
    (part) => a.dialect[part] === b.dialect[part],
  );
}

async function measurePeers(entries) {
  const require = createRequire(new URL("bench/package.json", ROOT));
  const peers = [
    ["PapaParse", "papaparse", papaSniffer],
    ["DuckDB", "@duckdb/node-api", duckSniffer],
  ];
  for (const [name, module, createSniffer] of peers) {
    let loaded;
    try {
      loaded = require(module);
    } catch (error) {
      if (error.code !== "MODULE_NOT_FOUND") throw error;
      console.log(`\n${name} is not installed (npm install ${module} in bench/)`);
      continue;
    }
    const sniff = await createSniffer(loaded);
    const table = new Map();
    const times = [];
    for (const entry of entries) {
      const bytes = readFile(entry);
      const before = performance.now();
      let claim = { delimiter: "none", quote: "none" };
      try {
        claim = await sniff(entry, bytes);
      } catch {
        // A file that can't be sniffed counts as wrong.
      }
      times.push(performance.now() - before);
      count(table, entry.corpus, judge(entry.expected, claim, bytes));
    }
    printTable(name, table);
    printTimes(times);
  }
}

function papaSniffer(papa) {
  return (_entry, bytes) => {
    // PapaParse knows no quote but the double one.
    const text = Buffer.from(bytes).toString("latin1");
    const { meta, data } = papa.parse(text, { preview: 1_000 });
    return { delimiter: meta.delimiter, quote: '"', oneColumn: data.every((record) => record.length <= 1) };
  };
}

async function duckSniffer({ DuckDBInstance }) {
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  return async (entry) => {
    const path = new URL(entry.file, CORPORA).pathname.replaceAll("'", "''");
    const reader = await connection.runAndReadAll(`from sniff_csv('${decodeURIComponent(path)}')`);
    const [row] = reader.getRowObjectsJson();
    const plain = (text) => (text === "(empty)" || text === "\\0" ? "" : text);
    return {
      delimiter: plain(row.Delimiter),
      quote: plain(row.Quote),
      header: row.HasHeader,
      skip: Number(row.SkipRows),
      oneColumn: row.Columns.length <= 1,
    };
  };
}
