import { getEventListeners } from "node:events";
import { fstatSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";

/** Runs a scene and says how many rejections nobody handled while it ran and shortly after. */
export async function unhandledRejectionsOf(scene: () => Promise<void>): Promise<unknown[]> {
  const seen: unknown[] = [];
  const note = (reason: unknown) => seen.push(reason);
  process.on("unhandledRejection", note);
  try {
    await scene();
    await settle();
  } finally {
    process.off("unhandledRejection", note);
  }
  return seen;
}

/** Lets everything that is on its way arrive. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits until something holds; fails after ten seconds. */
export async function eventually(holds: () => boolean, what: string): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`it never came true that ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

export function abortListeners(signal: AbortSignal): number {
  return getEventListeners(signal, "abort").length;
}

/** A file that is removed after the scene; afterwards no descriptor of it may be open. */
export async function withFile(
  content: string | Uint8Array,
  scene: (path: string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "sniffed-csv-"));
  const path = join(folder, "table.csv");
  try {
    writeFileSync(path, content);
    await scene(path);
    await eventually(() => openDescriptors(path) === 0, "the file is closed");
    expect(openDescriptors(path)).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** How many of this process's descriptors are a file's. */
export function openDescriptors(path: string): number {
  const { ino, dev } = statSync(path);
  let open = 0;
  for (let descriptor = 0; descriptor < 256; descriptor++) {
    try {
      const found = fstatSync(descriptor);
      if (found.ino === ino && found.dev === dev) open++;
    } catch {
      // Not open.
    }
  }
  return open;
}

/** A source that counts what is asked of it. */
export class WatchedSource {
  readonly stream: ReadableStream<Uint8Array>;
  pulled = 0;
  cancelled = false;
  cancelReason: unknown;

  /** @param pieces What it gives; when they are over it waits, unless it `ends`. */
  constructor(pieces: Iterable<Uint8Array>, ends = true) {
    const iterator = pieces[Symbol.iterator]();
    this.stream = new ReadableStream(
      {
        pull: (controller) => {
          const { value, done } = iterator.next();
          if (!done) {
            this.pulled++;
            controller.enqueue(value);
            return undefined;
          }
          if (!ends) return new Promise(() => {});
          controller.close();
          return undefined;
        },
        cancel: (reason) => {
          this.cancelled = true;
          this.cancelReason = reason;
        },
      },
      { highWaterMark: 0 },
    );
  }
}
