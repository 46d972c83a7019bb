import { setTimeout as pause } from "node:timers/promises";
import { Command, Option } from "commander";
import { readCsv, sniffedCsv } from "../dist/index.js";

/*
 * node --expose-gc scripts/load.js: what the library holds under load, each scene in its full size; --short is the form
 * that the tests run. Ends with 1 where a scene went past its bound. docs/reliability.md has the figures.
 */

const MEBIBYTE = 1 << 20;
const encoder = new TextEncoder();

const { short, only, json } = new Command("load")
  .option("--short", "small sizes")
  .option("--json", "results as JSON")
  .addOption(new Option("--only <scene>", "one scene"))
  .parse()
  .opts();

const size = (full, small) => (short ? small : full);

function collect() {
  if (globalThis.gc === undefined) throw new Error("run it with node --expose-gc");
  for (let round = 0; round < 3; round++) globalThis.gc();
}

/** Watches the resident size; says how far it wandered since it was begun, in MiB. */
function watchResident() {
  let least = Number.POSITIVE_INFINITY;
  let most = 0;
  const look = () => {
    const { rss } = process.memoryUsage();
    least = Math.min(least, rss);
    most = Math.max(most, rss);
  };
  const timer = setInterval(look, 20);
  look();
  return () => {
    clearInterval(timer);
    look();
    return { mib: Math.round(most / MEBIBYTE), spreadMib: Math.round((most - least) / MEBIBYTE) };
  };
}

const cpu = () => process.cpuUsage().user / 1e6;

function insist(holds, what) {
  if (!holds) throw new Error(what);
}

/** A stream of pieces as fast as it is pulled. */
function streamOf(count, piece) {
  let given = 0;
  return new ReadableStream(
    {
      pull(controller) {
        if (given === count) controller.close();
        else controller.enqueue(piece(given++));
      },
    },
    { highWaterMark: 0 },
  );
}

const SCENES = {
  /** Many streams at once, their chunks interleaved. */
  async streams() {
    const streams = size(1_000, 200);
    const chunks = 20;
    const rowsEach = 50;
    const resident = watchResident();
    const sums = await Promise.all(
      Array.from({ length: streams }, async (_, stream) => {
        const source = streamOf(chunks, (chunk) =>
          encoder.encode(
            (chunk === 0 ? "n,t\n" : "") +
              Array.from({ length: rowsEach }, (_, row) => `${stream + row},"é ${chunk}"\n`).join(""),
          ),
        );
        let sum = 0;
        let rows = 0;
        for await (const row of source.pipeThrough(sniffedCsv())) {
          sum += row.n;
          rows++;
          if (rows % 100 === 0) await null;
        }
        insist(rows === chunks * rowsEach, `stream ${stream} has ${rows} rows`);
        return sum === chunks * (rowsEach * stream + (rowsEach * (rowsEach - 1)) / 2);
      }),
    );
    insist(sums.every(Boolean), "a stream's sum is wrong");
    return { streams, rows: streams * chunks * rowsEach, resident: resident() };
  },

  /** A producer without an end in sight, and a consumer that rests: nothing piles up between them. */
  async slowConsumer() {
    const megabytes = size(10_240, 256);
    const record = '12345,"some text, quoted",2024-05-06,7.25\n';
    const chunk = encoder.encode(record.repeat(Math.floor(MEBIBYTE / record.length)));
    const source = streamOf(megabytes, (index) => (index === 0 ? encoder.encode(`n,t,d,x\n`) : chunk));
    let rows = 0;
    let resident = null;
    for await (const batch of source.pipeThrough(sniffedCsv({ output: "batches" }))) {
      rows += batch.rowCount;
      // Once it has warmed up.
      if (resident === null && rows > 500_000) {
        collect();
        resident = watchResident();
      }
      if (Math.floor(rows / 200_000) !== Math.floor((rows - batch.rowCount) / 200_000)) await pause(5);
    }
    insist(rows === (megabytes - 1) * Math.floor(MEBIBYTE / record.length), `${rows} rows came`);
    const wandered = resident();
    insist(wandered.spreadMib <= 64, `the resident size wandered by ${wandered.spreadMib} MiB`);
    return { megabytes, rows, resident: wandered };
  },

  /** Chunks of one byte: time grows with the bytes, not with their square. */
  async singleBytes() {
    const spent = [];
    const sizes = [size(4, 1), size(16, 4)];
    for (const megabytes of sizes) {
      const bytes = encoder.encode(`a,b,c\n${'1,"x y",2.5\n'.repeat((megabytes * MEBIBYTE) / 12)}`);
      function* pieces() {
        for (let at = 0; at < bytes.length; at++) yield bytes.subarray(at, at + 1);
      }
      const before = cpu();
      let rows = 0;
      for await (const _ of readCsv(pieces())) rows++;
      spent.push(cpu() - before);
      insist(rows === Math.floor((megabytes * MEBIBYTE) / 12), `${rows} rows came`);
    }
    const ratio = spent[1] / spent[0];
    insist(ratio < 7, `four times the bytes took ${ratio.toFixed(1)} times the time`);
    return { megabytes: sizes, timesTheTime: Number(ratio.toFixed(2)) };
  },

  /** The longest records that pass, in pieces of 1,000 bytes, by both engines; one byte more does not. */
  async longestRecord() {
    const limit = 2 * MEBIBYTE;
    const half = limit / 2;
    for (const engine of ["js", "wasm"]) {
      for (const length of [limit - 1, limit, limit + 1]) {
        const record = `${"x".repeat(half)},"${"y".repeat(length - half - 3)}"`;
        const bytes = encoder.encode(`a,b\n1,2\n${record}\n3,4\n`);
        function* pieces() {
          for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000);
        }
        let rows = 0;
        let code = "none";
        try {
          const options = { engine, sampleRows: 1, types: false, delimiter: "," };
          for await (const _ of readCsv(pieces(), options)) rows++;
        } catch (error) {
          code = error.code;
        }
        const [wantedCode, wantedRows] = length <= limit ? ["none", 3] : ["RECORD_TOO_LARGE", 1];
        insist(
          code === wantedCode && rows === wantedRows,
          `${engine}, ${length} bytes: ${code}, ${rows} rows`,
        );
      }
    }
    return { bytes: limit };
  },

  /** As many columns as there may be. */
  async manyColumns() {
    const columns = 100_000;
    const line = (value) => `${Array.from({ length: columns }, (_, column) => value(column)).join(",")}\n`;
    const table = line((column) => `c${column}`) + line((column) => column).repeat(5);
    const resident = watchResident();
    let rows = 0;
    for await (const row of readCsv(table, { rowShape: "array", maxRecordSize: 4 * MEBIBYTE })) {
      insist(row.length === columns && row[99_999] === 99_999, "a row is wrong");
      rows++;
    }
    insist(rows === 5, `${rows} rows came`);
    const more = `${table.trimEnd().replaceAll("\n", ",0\n")},0\n`;
    const code = await readCsv(more, { maxRecordSize: 4 * MEBIBYTE })
      .next()
      .then(
        () => "none",
        (error) => error.code,
      );
    insist(code === "TOO_MANY_COLUMNS", `one column more: ${code}`);
    return { columns, resident: resident() };
  },

  /** A small file a second for a day, some of them bad: the heap is flat once it has warmed up. */
  async smallFiles() {
    const files = size(86_400, 3_000);
    let warm = 0;
    let rows = 0;
    let bad = 0;
    for (let file = 0; file < files; file++) {
      const text = `id;name;when\n${file};"n ${file}";2024-01-0${1 + (file % 9)}\n${file + 1};x;2024-02-01\n${file % 10 === 0 ? "1;2\n" : ""}`;
      try {
        for await (const _ of readCsv(text)) rows++;
      } catch (error) {
        insist(error.code === "TOO_FEW_FIELDS", String(error));
        bad++;
      }
      if (file === Math.floor(files / 4)) {
        collect();
        warm = process.memoryUsage().heapUsed;
      }
    }
    collect();
    const grownKib = Math.round((process.memoryUsage().heapUsed - warm) / 1024);
    insist(rows === 2 * files && bad === Math.ceil(files / 10), `${rows} rows, ${bad} bad files`);
    insist(grownKib < 1_024, `the heap grew by ${grownKib} KiB`);
    return { files, heapGrownKib: grownKib };
  },
};

const results = {};
for (const [name, scene] of Object.entries(SCENES)) {
  if (only !== undefined && only !== name) continue;
  const began = Date.now();
  try {
    results[name] = { ...(await scene()), seconds: Math.round((Date.now() - began) / 100) / 10 };
  } catch (error) {
    results[name] = { failed: error.stack };
    process.exitCode = 1;
  }
  if (!json) console.log(name, JSON.stringify(results[name]));
}
if (json) console.log(JSON.stringify(results));
