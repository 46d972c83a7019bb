import { type ColumnBatch, type CsvSource, type CsvWarning, type Reject, readCsv } from "sniffed-csv";
import { arrowIpc, parquet } from "sniffed-csv/sinks";
import { ColumnProfile, isMeasured, readColumn } from "./profile.js";
import type { Answer, Cell, DownloadFormat, Order, Settings, Source } from "./protocol.js";

/* Reads what the page asks for. Whoever wants it to stop ends the worker. */

/** Rows of the grid, rejects that are shown, and milliseconds between two answers on the way. */
const SHOWN_ROWS = 1_000;
const SHOWN_REJECTS = 500;
const PACE = 100;
/** Bytes of a chunk: those of a file's own stream are small. */
const CHUNK = 1 << 20;

const answer = (message: Answer) => postMessage(message);

addEventListener("message", async ({ data }: MessageEvent<Order>) => {
  try {
    if (data.kind === "read") await read(data.source, data.settings);
    else await download(data);
  } catch (error) {
    answer({ kind: "error", message: error instanceof Error ? error.message : String(error) });
  }
});

async function open(source: Source): Promise<{ input: CsvSource; size: number | null }> {
  if ("text" in source) return { input: source.text, size: source.text.length };
  if ("file" in source) return { input: chunksOf(source.file), size: source.file.size };
  const response = await fetch(source.url);
  if (!response.ok) throw new Error(`The address answers ${response.status} ${response.statusText}.`);
  const length = response.headers.get("content-length");
  return { input: response, size: length === null ? null : Number(length) };
}

async function* chunksOf(file: Blob): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < file.size; from += CHUNK) {
    yield new Uint8Array(await file.slice(from, from + CHUNK).arrayBuffer());
  }
}

async function read(source: Source, settings: Settings): Promise<void> {
  const { input, size } = await open(source);
  const rejects: Reject[] = [];
  const warnings: CsvWarning[] = [];
  let rejectCount = 0;
  const began = performance.now();
  const batches = readCsv(input, {
    ...settings,
    output: "batches",
    onReject(reject) {
      if (rejectCount++ < SHOWN_REJECTS) rejects.push(reject);
    },
    onWarning: (warning) => warnings.push(warning),
    onSniff(sniff) {
      answer({ kind: "sniff", sniff });
    },
  });
  const shown: Cell[][] = [];
  let profiles: ColumnProfile[] = [];
  let types: ColumnBatch["columns"][number]["type"][] = [];
  let told = began;
  const tell = () => {
    answer({ kind: "progress", bytes: batches.bytesRead, size, rows: batches.rowsEmitted });
    answer({ kind: "rejects", rejects, total: rejectCount });
  };
  try {
    for await (const { columns, rowCount } of batches as AsyncIterable<ColumnBatch>) {
      if (profiles.length === 0) profiles = columns.map(() => new ColumnProfile());
      types = columns.map(({ type }) => type);
      const made = columns.map((column) => readColumn(column, rowCount));
      for (const [index, { cells, numbers }] of made.entries()) profiles[index].add(cells, numbers);
      if (shown.length < SHOWN_ROWS) {
        const wanted = Math.min(rowCount, SHOWN_ROWS - shown.length);
        for (let row = 0; row < wanted; row++) shown.push(made.map(({ cells }) => cells[row]));
        answer({ kind: "rows", rows: shown });
      }
      if (performance.now() - told > PACE) {
        told = performance.now();
        tell();
      }
    }
  } finally {
    // What was read before a fault is shown as well.
    tell();
    answer({ kind: "warnings", warnings });
    answer({
      kind: "done",
      rows: batches.rowsEmitted,
      bytes: batches.bytesRead,
      milliseconds: performance.now() - began,
      profiles: profiles.map((profile, index) => profile.take(!isMeasured(types[index]))),
    });
  }
}

type Download = Extract<Order, { kind: "download" }>;

async function download({ source, settings, sniff, format }: Download): Promise<void> {
  const { input } = await open(source);
  const name = `${source.name.replace(/\.[^.]*$/, "") || "data"}.${format}`;
  const blob = await written(input, { ...settings, sniffed: sniff }, format, sniff);
  answer({ kind: "file", blob, name });
}

async function written(
  input: CsvSource,
  settings: Settings,
  format: DownloadFormat,
  { columns }: Download["sniff"],
): Promise<Blob> {
  if (format === "parquet" || format === "arrow") {
    const batches = readCsv(input, { ...settings, output: "batches", batchText: "utf8" });
    const sink = format === "parquet" ? parquet({ columns }) : arrowIpc({ columns });
    return new Response(streamOf(batches).pipeThrough(sink)).blob();
  }
  const { sniffed: _, ...unsniffed } = settings;
  // VW has rules of its own for quotes and comments.
  const options = format === "vw" ? { ...unsniffed, output: format } : { ...settings, output: format };
  let lines: string[] = [];
  const pieces: Blob[] = [];
  for await (const line of readCsv(input, options) as AsyncIterable<string>) {
    lines.push(line, "\n");
    if (lines.length > 20_000) {
      pieces.push(new Blob(lines));
      lines = [];
    }
  }
  return new Blob([...pieces, ...lines]);
}

function streamOf<T>(batches: AsyncIterableIterator<T>): ReadableStream<T> {
  return new ReadableStream<T>(
    {
      async pull(controller) {
        const { value, done } = await batches.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
}
