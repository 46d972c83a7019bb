import { createReadStream, readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { DuckDBInstance } from "@duckdb/node-api";
import { parse as csvParse } from "csv-parse";
import csvParser from "csv-parser";
import { autoType, csvParse as d3Parse, csvParseRows as d3ParseRows } from "d3-dsv";
import fastCsv from "fast-csv";
import Papa from "papaparse";
import { sniffedCsv } from "sniffed-csv";
import { readCsvFile, sniffedCsv as sniffedCsvNode } from "sniffed-csv/node";
import { inferSchema, initParser } from "udsv";
import { parseStringStream } from "web-csv-toolbox";

/*
 * The tools, by what they make of a file: each takes a path and a function for what comes out. `rows` tools give it row
 * after row, `columns` tools how many rows lie in columns. A slow one is run once only, one with `kinds` reads these alone.
 */

const BLOCK = { highWaterMark: 1 << 18 };

const text = (path) => createReadStream(path, { ...BLOCK, encoding: "utf8" });

const udsv = (method) => (path, take) =>
  new Promise((resolve, reject) => {
    let parser = null;
    text(path)
      .on("data", (chunk) => {
        parser ??= initParser(inferSchema(chunk));
        parser.chunk(chunk, parser[method], take);
      })
      .on("end", () => {
        parser.end();
        resolve();
      })
      .on("error", reject);
  });

/** As where a content security policy forbids code made from text. */
const withoutGeneratedCode = (run) => async (path, take) => {
  const { Function: Given } = globalThis;
  globalThis.Function = class {
    constructor() {
      throw new EvalError("forbidden");
    }
  };
  try {
    await run(path, take);
  } finally {
    globalThis.Function = Given;
  }
};

const ours = (options) => async (path, take) => {
  for await (const row of readCsvFile(path, options)) take(row);
};

const piped = (stream) => async (path, take) => {
  const rows = stream();
  rows.on("data", take);
  await pipeline(createReadStream(path, BLOCK), rows);
};

/** Typed objects, a row at a time. */
export const OBJECTS = {
  "sniffed-csv": { run: ours() },
  // What uDSV makes of the same columns, which knows dates and no timestamps of this form.
  "sniffed-csv, timestamps as text": { kinds: ["mixed"], run: ours({ types: { updated_at: "VARCHAR" } }) },
  "sniffed-csv, pipeThrough": {
    run: async (path, take) => {
      const stream = Readable.toWeb(createReadStream(path, BLOCK));
      for await (const row of stream.pipeThrough(sniffedCsv()).values()) take(row);
    },
  },
  "sniffed-csv, Node pipe": { run: piped(() => sniffedCsvNode()) },
  "sniffed-csv, strict CSP": { run: withoutGeneratedCode(ours()) },
  'sniffed-csv, engine: "js"': { run: ours({ engine: "js" }) },
  "uDSV 0.7.3, typed": { run: udsv("typedObjs") },
  "papaparse 5.7.1, dynamicTyping": {
    slow: true,
    run: piped(() => Papa.parse(Papa.NODE_STREAM_INPUT, { header: true, dynamicTyping: true })),
  },
  "csv-parser 3.2.1, text": { slow: true, run: piped(() => csvParser()) },
  "csv-parse 7.0.3, cast": { slow: true, run: piped(() => csvParse({ columns: true, cast: true })) },
  "fast-csv 5.0.8, text": { slow: true, run: piped(() => fastCsv.parse({ headers: true })) },
  "web-csv-toolbox 0.14.0, text": {
    slow: true,
    // A megabyte takes it a second or two.
    mostMegabytes: 10,
    run: async (path, take) => {
      const decoded = Readable.toWeb(createReadStream(path, BLOCK)).pipeThrough(new TextDecoderStream());
      for await (const row of parseStringStream(decoded)) take(row);
    },
  },
  "d3-dsv 3.0.2, whole text, autoType": {
    slow: true,
    run: async (path, take) => d3Parse(readFileSync(path, "utf8"), autoType).forEach(take),
  },
};

/** Lists of typed values, a row at a time; the header is left out where the tool gives it as a row. */
export const ARRAYS = {
  "sniffed-csv": { run: ours({ rowShape: "array" }) },
  "uDSV 0.7.3, typed": { run: udsv("typedArrs") },
  "papaparse 5.7.1, dynamicTyping": {
    slow: true,
    header: true,
    run: piped(() => Papa.parse(Papa.NODE_STREAM_INPUT, { dynamicTyping: true })),
  },
  "csv-parse 7.0.3, cast": { slow: true, run: piped(() => csvParse({ cast: true, from_line: 2 })) },
  "d3-dsv 3.0.2, whole text": {
    slow: true,
    header: true,
    run: async (path, take) => d3ParseRows(readFileSync(path, "utf8")).forEach(take),
  },
};

const batches = (options) => async (path, take) => {
  for await (const batch of readCsvFile(path, { output: "batches", ...options })) take(batch.rowCount);
};

/** DuckDB with a number of threads, its instance kept from run to run. */
function duckdb(threads) {
  let connection = null;
  return async () => {
    connection ??= await (await DuckDBInstance.create(":memory:", { threads: String(threads) })).connect();
    return connection;
  };
}
const one = duckdb(1);
const two = duckdb(2);

const createTable = (connect) => async (path, take) => {
  const connection = await connect();
  await connection.run(`create or replace table t as from read_csv('${path}')`);
  const [[count]] = (await connection.runAndReadAll("select count(*) from t")).getRowsJS();
  take(Number(count));
};

/** Columns, as many rows at a time as the tool gives. */
export const COLUMNS = {
  "sniffed-csv, text as UTF-8": { run: batches({ batchText: "utf8" }) },
  "sniffed-csv, text as strings": { run: batches() },
  "uDSV 0.7.3, typed columns": {
    run: (path, take) =>
      new Promise((resolve, reject) => {
        let parser = null;
        text(path)
          .on("data", (chunk) => {
            parser ??= initParser(inferSchema(chunk));
            parser.chunk(chunk, parser.typedCols);
          })
          .on("end", () => {
            take(parser.end()[0].length);
            resolve();
          })
          .on("error", reject);
      }),
  },
  "DuckDB 1.5.6, create table, 1 thread": { run: createTable(one) },
  "DuckDB 1.5.6, create table, 2 threads": { run: createTable(two) },
  "DuckDB 1.5.6, columns handed to JavaScript, 1 thread": {
    run: async (path, take) => {
      const connection = await one();
      const result = await connection.stream(`from read_csv('${path}')`);
      for (let chunk = await result.fetchChunk(); chunk?.rowCount > 0; chunk = await result.fetchChunk()) {
        chunk.getColumns();
        take(chunk.rowCount);
      }
    },
  },
};

/** Bytes of a file, for a tool that wants them at once. */
export async function bytesOf(path, length) {
  const file = await open(path, "r");
  try {
    const bytes = new Uint8Array(length);
    const { bytesRead } = await file.read(bytes, 0, length, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** DuckDB's sniff of as many records as ours looks at. */
export async function duckdbSniff(path) {
  const connection = await one();
  await connection.runAndReadAll(`from sniff_csv('${path}', sample_size = 20480)`);
}
