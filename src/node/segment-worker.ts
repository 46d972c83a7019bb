import { open } from "node:fs/promises";
import { parentPort, workerData } from "node:worker_threads";
import type { ResolvedOptions } from "../options.js";
import { packSegment, readSegment, type Segment } from "./segment.js";

/* A thread of a WorkerPool: reads the segments that it is sent. */

/** Bytes that are read at a time: they stay in the core's cache until they are cast. */
const MEMORY_SIZE = 1 << 18;

const { path, options } = workerData as { path: string; options: ResolvedOptions };
const file = await open(path, "r");

const memory = new Uint8Array(MEMORY_SIZE);

/** The segments so far: one is read after the other, in the memory of all. */
let reading = Promise.resolve();
parentPort?.on("message", (segment: Segment | null) => {
  reading = reading.then(async () => {
    if (segment === null) {
      parentPort?.close();
      await file.close();
      return;
    }
    const rows = await readSegment(file, segment, options, memory);
    parentPort?.postMessage(rows, packSegment(rows));
  });
});
// From now on it may be terminated: see WorkerPool.
parentPort?.postMessage(null);
