import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { ResolvedOptions } from "../options.js";
import type { SegmentPool } from "./parallel-rows.js";
import type { Segment, SegmentRows } from "./segment.js";

interface Job {
  segment: Segment;
  done(rows: SegmentRows | null): void;
}

/** Segments that a thread has before it: while it tells of one it can go on with the next. */
const JOBS_AT_ONCE = 2;

/** Threads that read segments of a file. One that dies takes with it only what it was to read. */
export class WorkerPool implements SegmentPool {
  readonly capacity: number;
  /** By thread: what it is to read, in order. */
  readonly #jobs = new Map<Worker, Job[]>();
  readonly #waiting: Job[] = [];

  constructor(path: string | URL, threads: number, options: ResolvedOptions) {
    this.capacity = threads * JOBS_AT_ONCE;
    const filePath = path instanceof URL ? fileURLToPath(path) : path;
    const workerData = { path: filePath, options };
    for (let i = 0; i < threads; i++) {
      const worker = new Worker(new URL("./segment-worker.js", import.meta.url), { workerData });
      worker.unref();
      worker.on("message", (rows: SegmentRows) => this.#finish(worker, rows));
      worker.on("error", () => this.#lose(worker));
      worker.on("exit", () => this.#lose(worker));
      this.#jobs.set(worker, []);
    }
  }

  read(segment: Segment): Promise<SegmentRows | null> {
    return new Promise((done) => {
      this.#waiting.push({ segment, done });
      this.#assign();
    });
  }

  async close(): Promise<void> {
    const workers = [...this.#jobs.keys()];
    for (const job of [...this.#jobs.values(), this.#waiting].flat()) job.done(null);
    this.#jobs.clear();
    this.#waiting.length = 0;
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  #assign(): void {
    // Without a thread left nobody reads ahead.
    if (this.#jobs.size === 0) for (const job of this.#waiting.splice(0)) job.done(null);
    while (this.#waiting.length > 0) {
      const [worker, jobs] = [...this.#jobs].reduce((a, b) => (b[1].length < a[1].length ? b : a));
      if (jobs.length >= JOBS_AT_ONCE) return;
      const job = this.#waiting.shift() as Job;
      jobs.push(job);
      // Only what is awaited keeps the process alive.
      worker.ref();
      worker.postMessage(job.segment);
    }
  }

  #finish(worker: Worker, rows: SegmentRows): void {
    const jobs = this.#jobs.get(worker);
    if (jobs === undefined) return;
    const job = jobs.shift();
    if (jobs.length === 0) worker.unref();
    job?.done(rows);
    this.#assign();
  }

  #lose(worker: Worker): void {
    const jobs = this.#jobs.get(worker) ?? [];
    this.#jobs.delete(worker);
    for (const job of jobs) job.done(null);
    this.#assign();
  }
}
