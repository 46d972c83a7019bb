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
  /** The threads that have not begun yet. */
  readonly #starting = new Set<Worker>();

  constructor(path: string | URL, threads: number, options: ResolvedOptions) {
    this.capacity = threads * JOBS_AT_ONCE;
    const filePath = path instanceof URL ? fileURLToPath(path) : path;
    const workerData = { path: filePath, options };
    for (let i = 0; i < threads; i++) {
      const worker = new Worker(new URL("./segment-worker.js", import.meta.url), { workerData });
      worker.unref();
      worker.on("message", (rows: SegmentRows | null) => {
        if (rows === null) this.#begin(worker);
        else this.#finish(worker, rows);
      });
      worker.on("error", () => this.#lose(worker));
      worker.on("exit", () => this.#lose(worker));
      this.#starting.add(worker);
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
    // A thread that is terminated while its modules are loaded leaves their files open, so it ends by itself then.
    const ending = [...this.#starting].map((worker) => {
      worker.postMessage(null);
      return new Promise((ended) => worker.once("exit", ended));
    });
    this.#starting.clear();
    await Promise.all([...workers.map((worker) => worker.terminate()), ...ending]);
  }

  #begin(worker: Worker): void {
    if (!this.#starting.delete(worker)) return;
    worker.unref();
    this.#jobs.set(worker, []);
    this.#assign();
  }

  #assign(): void {
    // Without a thread left nobody reads ahead.
    if (this.#jobs.size === 0) {
      if (this.#starting.size === 0) for (const job of this.#waiting.splice(0)) job.done(null);
      else for (const worker of this.#starting) worker.ref();
      return;
    }
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
    this.#starting.delete(worker);
    for (const job of jobs) job.done(null);
    this.#assign();
  }
}
