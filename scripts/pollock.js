import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCsv } from "../dist/index.js";

/*
 * The adapter for the Pollock benchmark (Vitagliano et al., "Pollock: A Data Loading Benchmark", VLDB 2023): loads each
 * file of a folder with all options at their defaults, but for text in place of types and lenient records, and writes it
 * as clean CSV: every field in quotes, quotes doubled, the header first where the file has one. A record keeps the fields
 * that it has, be they fewer or more than the columns.
 *
 *   npm run pollock -- IN OUT
 */

const [from, to] = process.argv.slice(2);
if (from === undefined || to === undefined) {
  console.error("usage: npm run pollock -- IN OUT");
  process.exit(2);
}

const record = (fields) => fields.map((field) => `"${(field ?? "").replaceAll('"', '""')}"`).join(",");

async function cleanCsv(bytes) {
  const rejects = new Map();
  const rows = readCsv(bytes, {
    types: false,
    rowShape: "array",
    strictness: "lenient",
    // A field too many is no layout here: the record is rejected, and so keeps all its fields.
    ignoreTrailingDelimiter: false,
    onError: "reject",
    onReject: (reject) => rejects.set(reject.record, reject.fields),
  });
  const kept = await rows.toArray();
  const { dialect, columns } = await rows.sniffed;
  const lines = dialect.header ? [record(columns.map(({ originalName }) => originalName))] : [];
  // Every record is a row or a reject, and they are numbered together.
  let next = 0;
  for (let number = 1; next < kept.length || rejects.has(number); number++) {
    const fields = rejects.get(number);
    lines.push(record(fields ?? kept[next++]));
  }
  return `${lines.join("\r\n")}\r\n`;
}

mkdirSync(to, { recursive: true });
let failed = 0;
const files = readdirSync(from, { withFileTypes: true }).filter((entry) => entry.isFile());
for (const { name } of files) {
  let text;
  try {
    text = await cleanCsv(new Uint8Array(readFileSync(join(from, name))));
  } catch (error) {
    failed++;
    text = `Application Error\r\n${String(error.message).replaceAll(/\s+/g, " ")}\r\n`;
  }
  writeFileSync(join(to, `${name}_converted.csv`), text);
}
console.log(`${files.length} files written to ${to}, ${failed} of them as errors`);
