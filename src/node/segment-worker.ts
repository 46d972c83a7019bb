import { open } from "node:fs/promises";
import { parentPort, workerData } from "node:worker_threads";
import type { ResolvedOptions } from "../options.js";
import type { FileIdentity } from "./parallel-rows.js";
import { packSegment, readSegment, type Segment } from "./segment.js";

/* A thread of a WorkerPool: reads the segments that it is sent. */

/** Bytes that are read at a time: they stay in the core's cache until they are cast. */
const MEMORY_SIZE = 1 << 18;

const { path, options, identity } = workerData as {
  path: string;
  options: ResolvedOptions;
  identity: FileIdentity;
};
const file = await open(path, "r");
const { dev, ino } = await file.stat({ bigint: true });
// Another file has that name by now: nobody is told that this thread has begun, and it ends.
if (dev !== identity.dev || ino !== identity.ino) {
  await file.close();
  process.exit();
}

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
