import { unlinkSync } from "node:fs";
import { type FileHandle, open, rename, unlink } from "node:fs/promises";

/** Where a command writes its lines: standard output, or a file that appears under its name only when it is whole. */
export interface LineSink {
  /** Resolves once more may be written. */
  write(text: string): Promise<void>;
  /** Everything is written: the file takes its name. */
  close(): Promise<void>;
  /** Leaves nothing behind. */
  discard(): Promise<void>;
}

/** Characters that are gathered before they are written. */
const BLOCK = 1 << 16;

/** The reader of standard output has gone away: nothing is wrong, and nothing more is to be said. */
export class OutputClosed extends Error {}

/** A sink for a path, or for standard output where there is none. */
export function openSink(path: string | undefined): LineSink {
  return path === undefined ? standardOutput() : new WholeFile(path);
}

function standardOutput(): LineSink {
  let waiting = "";
  let failure: Error | null = null;
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    failure = error.code === "EPIPE" ? new OutputClosed("the output is closed") : error;
  });
  const flush = async () => {
    const text = waiting;
    waiting = "";
    if (failure !== null) throw failure;
    if (text === "") return;
    await new Promise<void>((resolve, reject) => {
      process.stdout.write(text, (error) => {
        if (error)
          reject((error as NodeJS.ErrnoException).code === "EPIPE" ? new OutputClosed("closed") : error);
        else resolve();
      });
    });
  };
  return {
    async write(text) {
      waiting += text;
      if (waiting.length >= BLOCK) await flush();
    },
    close: flush,
    discard: async () => {},
  };
}

/** Files under way, removed when a signal ends the process. */
const unfinished = new Set<string>();

/** Removes what was being written, in the moment before the process ends. */
export function removeUnfinished(): void {
  for (const path of unfinished) {
    try {
      unlinkSync(path);
    } catch {
      // It is gone already, or was never there.
    }
  }
  unfinished.clear();
}

class WholeFile implements LineSink {
  readonly #path: string;
  readonly #partial: string;
  #file: FileHandle | null = null;
  #waiting = "";

  constructor(path: string) {
    this.#path = path;
    this.#partial = `${path}.${process.pid}.part`;
  }

  async write(text: string): Promise<void> {
    this.#waiting += text;
    if (this.#waiting.length >= BLOCK) await this.#flush();
  }

  async close(): Promise<void> {
    const file = await this.#flush();
    await file.sync();
    await file.close();
    this.#file = null;
    await rename(this.#partial, this.#path);
    unfinished.delete(this.#partial);
  }

  async discard(): Promise<void> {
    await this.#file?.close().catch(() => {});
    this.#file = null;
    await unlink(this.#partial).catch(() => {});
    unfinished.delete(this.#partial);
  }

  async #flush(): Promise<FileHandle> {
    if (this.#file === null) {
      unfinished.add(this.#partial);
      this.#file = await open(this.#partial, "w");
    }
    const text = this.#waiting;
    this.#waiting = "";
    await this.#file.writeFile(text);
    return this.#file;
  }
}
