import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { ResolvedOptions } from "../options.js";
import type { FileIdentity, SegmentPool } from "./parallel-rows.js";
import type { Segment, SegmentRows } from "./segment.js";

type Done = (rows: SegmentRows | null) => void;

/** Segments that a thread has before it: while it tells of one it can go on with the next. */
const JOBS_AT_ONCE = 2;

/** Threads that read segments of a file. One that dies takes with it only what it was to read. */
export class WorkerPool implements SegmentPool {
  readonly threads: number;
  isWarm = false;
  onFree: () => void = () => {};
  /** By thread: who waits for what it reads, in order. */
  readonly #jobs = new Map<Worker, Done[]>();
  /** The threads that have not begun yet. */
  readonly #starting = new Set<Worker>();

  constructor(path: string | URL, threads: number, options: ResolvedOptions, identity: FileIdentity) {
    this.threads = threads;
    const filePath = path instanceof URL ? fileURLToPath(path) : path;
    const workerData = { path: filePath, options, identity };
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

  get free(): number {
    return [...this.#jobs.values()].reduce((free, jobs) => free + JOBS_AT_ONCE - jobs.length, 0);
  }

  get idle(): number {
    return [...this.#jobs.values()].filter((jobs) => jobs.length === 0).length;
  }

  read(segment: Segment): Promise<SegmentRows | null> {
    const [worker, jobs] = [...this.#jobs].reduce((a, b) => (b[1].length < a[1].length ? b : a));
    // Only what is awaited keeps the process alive.
    worker.ref();
    worker.postMessage(segment);
    return new Promise((done) => {
      jobs.push(done);
    });
  }

  async close(): Promise<void> {
    const workers = [...this.#jobs.keys()];
    for (const done of [...this.#jobs.values()].flat()) done(null);
    this.#jobs.clear();
    // A thread that is terminated while its modules are loaded leaves their files open, so it ends by itself then.
    const ending = [...this.#starting].map((worker) => {
      worker.postMessage(null);
      worker.ref();
      return new Promise((ended) => worker.once("exit", ended));
    });
    this.#starting.clear();
    await Promise.all([...workers.map((worker) => worker.terminate()), ...ending]);
  }

  #begin(worker: Worker): void {
    if (!this.#starting.delete(worker)) return;
    this.#jobs.set(worker, []);
    this.onFree();
  }

  #finish(worker: Worker, rows: SegmentRows): void {
    const jobs = this.#jobs.get(worker);
    if (jobs === undefined) return;
    const done = jobs.shift();
    if (jobs.length === 0) worker.unref();
    this.isWarm = true;
    done?.(rows);
    this.onFree();
  }

  #lose(worker: Worker): void {
    const jobs = this.#jobs.get(worker) ?? [];
    this.#jobs.delete(worker);
    this.#starting.delete(worker);
    for (const done of jobs) done(null);
  }
}
