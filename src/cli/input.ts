import { stat } from "node:fs/promises";
import { SingleBar } from "cli-progress";
import type { Chunk } from "../input/chunks.js";
import { fileChunks } from "../node/file.js";

/** An input of a command: a file, or standard input for `-`. */
export interface Input {
  chunks: AsyncIterable<Chunk>;
  /** Bytes of the file; undefined where that can't be known. */
  size: number | undefined;
}

/** Opens nothing yet; the file is opened when the first chunk is asked for. */
export async function inputOf(path: string): Promise<Input> {
  if (path === "-") return { chunks: process.stdin, size: undefined };
  const { size, isFile } = await stat(path).then((stats) => ({ size: stats.size, isFile: stats.isFile() }));
  return { chunks: fileChunks(path), size: isFile ? size : undefined };
}

/** A progress bar over the bytes read; only on a terminal, and only where the size is known. */
export interface Progress {
  update(bytes: number, rows: number): void;
  stop(): void;
}

const MEBIBYTE = 1 << 20;

/** Starts a progress bar on standard error. */
export function startProgress(size: number | undefined): Progress {
  if (!process.stderr.isTTY || size === undefined || size === 0) return { update() {}, stop() {} };
  const bar = new SingleBar({
    format: "{bar} {percentage}% │ {done}/{whole} MiB │ {rows} rows │ {eta_formatted} left",
    barCompleteChar: "█",
    barIncompleteChar: "░",
    barsize: 30,
    hideCursor: true,
    stream: process.stderr,
  });
  const mebibytes = (bytes: number) => (bytes / MEBIBYTE).toFixed(1);
  bar.start(size, 0, { rows: "0", done: "0.0", whole: mebibytes(size) });
  return {
    update(bytes, rows) {
      bar.update(Math.min(bytes, size), { rows: rows.toLocaleString("en"), done: mebibytes(bytes) });
    },
    stop() {
      bar.stop();
    },
  };
}
