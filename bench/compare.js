import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { parse as csvParse } from "csv-parse";
import csvParser from "csv-parser";
import { autoType, csvParse as d3Parse } from "d3-dsv";
import fastCsv from "fast-csv";
import iconv from "iconv-lite";
import Papa from "papaparse";
import { readCsv } from "sniffed-csv";
import { inferSchema, initParser } from "udsv";

/*
 * What each tool makes of awkward files when it is told nothing about them but to find out what it can: its own guesses
 * switched on, the first row taken for a header where it can't tell. Prints one table; a cell is "yes" where the tool gave
 * the right rows or told of the fault, "told" where it gave others or none but said that something is amiss, and "no" where
 * it gave wrong rows in silence.
 *
 *   npm run compare [-- --why]
 */

const lines = (header, count, line) =>
  `${[header, ...Array.from({ length: count }, (_, i) => line(i))].join("\n")}\n`;
const utf8 = (text) => new TextEncoder().encode(text);
const isDay = (value, iso) => value instanceof Date && value.toISOString().startsWith(iso);

/** `right` judges the rows; `fault` asks that the file is not taken for a good one. */
const CASES = [
  {
    what: "semicolons",
    bytes: utf8(lines("id;name", 20, (i) => `${i};n${i}`)),
    right: (rows) => rows.length === 20 && String(rows[3].id) === "3" && rows[3].name === "n3",
  },
  {
    what: "quotes that are `'`",
    bytes: utf8(lines("id,name", 20, (i) => `${i},'n, ${i}'`)),
    right: (rows) => rows.length === 20 && rows[3].name === "n, 3",
  },
  {
    what: "lines above the table",
    bytes: utf8(`Report of 2025\nmade by hand\n\n${lines("id,name", 20, (i) => `${i},n${i}`)}`),
    right: (rows) => rows.length === 20 && String(rows[3].id) === "3",
  },
  {
    what: "no header",
    bytes: utf8(lines("1,2.5,true", 19, (i) => `${i},${i}.5,false`)),
    right: (rows) => rows.length === 20,
  },
  {
    what: "CR alone ends lines",
    bytes: utf8(lines("id,name", 20, (i) => `${i},n${i}`).replaceAll("\n", "\r")),
    right: (rows) => rows.length === 20 && rows[3].name === "n3",
  },
  {
    what: "UTF-16",
    bytes: iconv.encode(
      lines("id,name", 20, (i) => `${i},né${i}`),
      "utf16le",
      { addBOM: true },
    ),
    right: (rows) => rows.length === 20 && rows[3].name === "né3",
  },
  {
    what: "Windows-1252",
    bytes: iconv.encode(
      lines("id,name", 20, (i) => `${i},Müller naïve café ${i}`),
      "win1252",
    ),
    right: (rows) => rows.length === 20 && rows[3].name === "Müller naïve café 3",
  },
  {
    what: "gzip",
    bytes: gzipSync(lines("id,name", 20, (i) => `${i},n${i}`)),
    right: (rows) => rows.length === 20 && rows[3].name === "n3",
  },
  {
    what: "numbers as numbers",
    bytes: utf8(lines("id,price", 20, (i) => `${i},${i}.25`)),
    right: (rows) =>
      rows.every(({ id, price }, i) => Number(id) === i && typeof id !== "string" && price === i + 0.25),
  },
  {
    what: "decimal commas",
    bytes: utf8(lines("id;price", 20, (i) => `${i};${i},25`)),
    right: (rows) => rows.length === 20 && rows.every(({ price }, i) => price === i + 0.25),
  },
  {
    what: "`01234` stays as it is",
    bytes: utf8(lines("zip,name", 20, (i) => `0${1234 + i},n${i}`)),
    right: (rows) => rows.length === 20 && rows[0].zip === "01234",
  },
  {
    what: "whole numbers past 2^53",
    bytes: utf8(lines("id,name", 20, (i) => `90071992547410${10 + i},n${i}`)),
    right: (rows) => rows.length === 20 && String(rows[1].id) === "9007199254741011",
  },
  {
    what: "one type a column",
    bytes: utf8(lines("house,name", 20, (i) => `${i === 15 ? "14b" : i},n${i}`)),
    right: (rows) => rows.length === 20 && new Set(rows.map(({ house }) => typeof house)).size === 1,
  },
  {
    what: "`24/12/2025` as a date",
    bytes: utf8(lines("id,day", 20, (i) => `${i},${10 + i}/12/2025`)),
    right: (rows) =>
      rows.length === 20 && isDay(rows[1].day, "2025-12-11") && isDay(rows[14].day, "2025-12-24"),
  },
  {
    what: "two columns of one name",
    bytes: utf8(lines("id,name,name", 20, (i) => `${i},a${i},b${i}`)),
    right: (rows) => {
      const values = rows.length === 20 ? Object.values(rows[3]).flat() : [];
      return values.includes("a3") && values.includes("b3");
    },
  },
  {
    what: "a column called `__proto__`",
    bytes: utf8(lines("id,__proto__", 20, (i) => `${i},n${i}`)),
    right: (rows) => rows.length === 20 && Object.entries(rows[3]).some(([, value]) => value === "n3"),
  },
  {
    what: "a record too short is told",
    bytes: utf8(lines("a,b,c", 40, (i) => (i === 30 ? "1,2" : `${i},2,3`))),
    fault: true,
  },
  {
    what: "a quote never closed is told",
    bytes: utf8(lines("a,b,c", 40, (i) => (i === 30 ? '1,"2,3' : `${i},2,3`))),
    fault: true,
  },
];

const text = (bytes) => new TextDecoder().decode(bytes);

const collected = async (stream) => {
  const rows = [];
  for await (const row of stream) rows.push(row);
  return rows;
};

const piped = (stream) => async (bytes) => ({
  rows: await collected(Readable.from([Buffer.from(bytes)]).pipe(stream())),
});

/** Each gives rows and, where it has such, what it says beside them; or throws. Of several ways the best counts. */
const TOOLS = {
  "sniffed-csv": async (bytes) => {
    const read = readCsv(bytes);
    const rows = await read.toArray();
    const { warnings, hints } = await read.sniffed;
    return { rows, told: [...warnings.map(({ code }) => code), ...hints].join(", ") };
  },
  papaparse: (bytes) => {
    const { data, errors } = Papa.parse(text(bytes), {
      header: true,
      dynamicTyping: true,
      skipEmptyLines: true,
    });
    return { rows: data, told: errors.map(({ code }) => code).join(", ") };
  },
  "csv-parse": [{ delimiter_auto: true }, {}].map((delimiter) =>
    piped(() => csvParse({ columns: true, cast: true, cast_date: true, bom: true, ...delimiter })),
  ),
  "csv-parser": piped(() => csvParser({ strict: true })),
  "fast-csv": piped(() => fastCsv.parse({ headers: true, strictColumnHandling: false })),
  uDSV: (bytes) => {
    const parser = initParser(inferSchema(text(bytes)));
    return { rows: parser.typedObjs(text(bytes)) };
  },
  "d3-dsv": (bytes) => ({ rows: [...d3Parse(text(bytes), autoType)] }),
  DuckDB: async (bytes) => {
    const folder = mkdtempSync(join(tmpdir(), "compare-"));
    const path = join(folder, bytes[0] === 0x1f && bytes[1] === 0x8b ? "data.csv.gz" : "data.csv");
    writeFileSync(path, bytes);
    try {
      const connection = await (await DuckDBInstance.create()).connect();
      return {
        rows: (await connection.runAndReadAll(`SELECT * FROM read_csv('${path}')`)).getRowObjectsJS(),
      };
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

/** In a worker of its own: there are inputs on which a tool never ends, and nothing but an end of its thread stops it. */
function inWorker(tool, way, at) {
  const worker = new Worker(new URL(import.meta.url), { workerData: { tool, way, at } });
  let timer;
  return new Promise((resolve) => {
    timer = setTimeout(() => resolve({ why: "no end within 10 seconds" }), 10_000);
    worker.once("message", resolve);
    worker.once("error", ({ message }) =>
      resolve({ failed: true, why: message.split("\n")[0].slice(0, 120) }),
    );
    worker.once("exit", () => resolve({ why: "an end without rows or an error" }));
  }).finally(() => {
    clearTimeout(timer);
    return worker.terminate();
  });
}

const RANKS = ["no", "told", "yes"];

async function verdict(tool, at) {
  const { what, fault } = CASES[at];
  let best = "no";
  for (const way of [TOOLS[tool]].flat().keys()) {
    const { isRight, told, failed, why } = await inWorker(tool, way, at);
    const telling = told || failed;
    const answer = isRight || (fault && telling) ? "yes" : telling ? "told" : "no";
    if (process.argv.includes("--why") && answer !== "yes")
      console.error(`${what}, ${tool}: ${told || why || "other rows"}`);
    if (RANKS.indexOf(answer) > RANKS.indexOf(best)) best = answer;
  }
  return best;
}

if (isMainThread) {
  const names = Object.keys(TOOLS);
  console.log(`| | ${names.join(" | ")} |\n|---|${names.map(() => ":-:|").join("")}`);
  for (const [at, { what }] of CASES.entries()) {
    const cells = [];
    for (const name of names) cells.push(await verdict(name, at));
    console.log(`| ${what} | ${cells.join(" | ")} |`);
  }
  process.exit();
} else {
  const { right } = CASES[workerData.at];
  const { rows, told } = await [TOOLS[workerData.tool]].flat()[workerData.way](CASES[workerData.at].bytes);
  parentPort.postMessage({ isRight: right?.(rows) ?? false, told });
}
