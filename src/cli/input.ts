import { stat } from "node:fs/promises";
import { SingleBar } from "cli-progress";
import type { Chunk } from "../input/chunks.js";
import { decompressedFile } from "../node/decompression.js";
import { fileChunks } from "../node/file.js";
import { type CsvOptions, resolveOptions } from "../options.js";

/** An input of a command: a file, or standard input for `-`. */
export interface Input {
  /** Decompressed, where the input is compressed. */
  chunks: AsyncIterable<Chunk>;
  /** Bytes of the file; undefined where that can't be known. */
  size: number | undefined;
  /** Bytes of the file that have been read. */
  bytesRead(): number;
}

/** Whether an input is an address. */
export function isAddress(path: string): boolean {
  return /^https?:\/\//i.test(path);
}

/** The name of an input without folders and what tells its kind; "data" for standard input. */
export function nameOf(path: string): string {
  const last = (isAddress(path) ? new URL(path).pathname : path).split(/[/\\]/).at(-1) ?? "";
  return last.replace(/^-$/, "").replace(/(?!^)\..*$/s, "") || "data";
}

/** What an address answers with. */
async function fetched(
  address: string,
): Promise<{ body: AsyncIterable<Uint8Array>; size: number | undefined }> {
  let response: Response;
  try {
    response = await fetch(address);
  } catch (error) {
    // What went wrong stands in the cause alone.
    const { cause } = error as { cause?: { message?: string; code?: string } };
    throw new Error(`${address} can't be fetched: ${cause?.message || cause?.code || String(error)}`, {
      cause: error,
    });
  }
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`${address} answers ${response.status} ${response.statusText}`.trimEnd());
  }
  // The length is that of the bytes on the way, before fetch has decompressed them.
  const length =
    response.headers.get("content-encoding") === null ? response.headers.get("content-length") : null;
  const body = (response.body ?? new Blob([]).stream()) as unknown as AsyncIterable<Uint8Array>;
  return { body: whole(body, address), size: length === null ? undefined : Number(length) };
}

/** A body that is cut short is a fault of the input, not of what was read. */
async function* whole(body: AsyncIterable<Uint8Array>, address: string): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    throw new Error(`${address} was cut short`, { cause });
  }
}

/** Opens no file yet, only when the first chunk is asked for; an address is asked at once. */
export async function inputOf(path: string, options: CsvOptions): Promise<Input> {
  const limits = resolveOptions(options);
  let bytesRead = 0;
  async function* counted(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      bytesRead += chunk.length;
      yield chunk;
    }
  }
  if (isAddress(path)) {
    const { body, size } = await fetched(path);
    const { pathname } = new URL(path);
    return { chunks: decompressedFile(pathname, counted(body), limits), size, bytesRead: () => bytesRead };
  }
  const isInput = path === "-";
  const stats = isInput ? null : await stat(path);
  const chunks = counted(isInput ? process.stdin : fileChunks(path));
  return {
    chunks: decompressedFile(path, chunks, limits),
    size: stats?.isFile() ? stats.size : undefined,
    bytesRead: () => bytesRead,
  };
}

/** A progress bar over the bytes read; only on a terminal, and only where the size is known. */
export interface Progress {
  update(bytes: number, rows: number): void;
  stop(): void;
}

const MEBIBYTE = 1 << 20;
let running: SingleBar | null = null;

/** Starts a progress bar on standard error. */
export function startProgress(size: number | undefined): Progress {
  if (!process.stderr.isTTY || size === undefined || size === 0) return { update() {}, stop() {} };
  const bar = new SingleBar({
    format: "{bar} {percentage}% │ {done}/{whole} MiB │ {rows} rows │ {left} left",
    barCompleteChar: "█",
    barIncompleteChar: "░",
    barsize: 30,
    hideCursor: true,
    stream: process.stderr,
  });
  running = bar;
  const mebibytes = (bytes: number) => (bytes / MEBIBYTE).toFixed(1);
  const began = performance.now();
  bar.start(size, 0, { rows: "0", done: "0.0", whole: mebibytes(size), left: "…" });
  return {
    update(bytes, rows) {
      // The bar's own estimate has no number where two updates come in one millisecond.
      const seconds = (((performance.now() - began) / 1000) * Math.max(0, size - bytes)) / Math.max(1, bytes);
      bar.update(Math.min(bytes, size), {
        rows: rows.toLocaleString("en"),
        done: mebibytes(bytes),
        left: shownSeconds(seconds),
      });
    },
    stop: stopProgress,
  };
}

function shownSeconds(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** Stops the bar, if one is running: the terminal has its cursor back. */
export function stopProgress(): void {
  running?.stop();
  running = null;
}

/** Writes a line to standard error; a bar that is running is drawn again below it. */
export function writeAboveProgress(line: string): void {
  process.stderr.write(running === null ? line : `\r\u001b[2K${line}`);
}
