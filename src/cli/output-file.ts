import { randomUUID } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { isatty } from "node:tty";
import { printableLines } from "./terminal.js";

/** Something that is written whole or not at all. */
export interface Output {
  /** Everything is written: the file takes its name. */
  close(): Promise<void>;
  /** Leaves nothing behind. */
  discard(): void;
}

/** Where a command writes its lines: standard output, or a file that appears under its name only when it is whole. */
export interface LineSink extends Output {
  /** A promise where the writer has to wait before it writes on. Whole lines only, with their ends. */
  write(lines: string): Promise<void> | undefined;
  /** The same for bytes, for whoever writes nothing else. */
  writeBytes(bytes: Uint8Array): Promise<void> | undefined;
}

/** Characters that are gathered before they are written. */
const BLOCK = 1 << 16;

/** The reader of the output has gone away: nothing is wrong, and nothing more is to be said. */
export class OutputClosed extends Error {}

/** Whether a path means standard output: under its device's name it can't be opened where it is a socket. */
export function isStandardOutput(path: string | undefined): boolean {
  return path === undefined || path === "-" || path === "/dev/stdout";
}

/** A sink for a path, or for standard output where there is none. What the file system refuses is thrown at once. */
export function openSink(path?: string): LineSink {
  return path === undefined || isStandardOutput(path) ? new StandardOutput() : new OutputFile(path);
}

function asClosed(error: unknown): unknown {
  const closed = error instanceof Error && (error as NodeJS.ErrnoException).code === "EPIPE";
  return closed ? new OutputClosed("the output is closed") : error;
}

class StandardOutput implements LineSink {
  #waiting = "";

  constructor() {
    // The callback of the write that failed says it too, and that one is listened to.
    process.stdout.on("error", () => {});
  }

  write(lines: string): Promise<void> | undefined {
    this.#waiting += lines;
    return this.#waiting.length < BLOCK ? undefined : this.close();
  }

  writeBytes(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      process.stdout.write(bytes, (error) => (error ? reject(asClosed(error)) : resolve()));
    });
  }

  close(): Promise<void> {
    const text = process.stdout.isTTY ? printableLines(this.#waiting) : this.#waiting;
    this.#waiting = "";
    return new Promise((resolve, reject) => {
      process.stdout.write(text, (error) => (error ? reject(asClosed(error)) : resolve()));
    });
  }

  discard(): void {}
}

/** Files under way, removed when a signal ends the process. */
const unfinished = new Set<string>();

/** Removes what was being written, in the moment before the process ends. */
export function removeUnfinished(): void {
  for (const path of unfinished) {
    try {
      unlinkSync(path);
    } catch {
      // It is gone already; there is nobody left to tell of anything else.
    }
  }
  unfinished.clear();
}

/**
 * Writes beside the file, and renames at the end. Written synchronously, so that no signal comes between the
 * creation of the partial file and the note that it is there. A device or a pipe is written to as it is: a rename
 * would put a file in its place.
 */
class OutputFile implements LineSink {
  readonly #path: string;
  /** Null for a device or a pipe. */
  readonly #partial: string | null;
  readonly #terminal: boolean;
  #file: number | null;
  #waiting = "";

  constructor(path: string) {
    const before = statSync(path, { throwIfNoEntry: false });
    if (before?.isDirectory()) throw new Error(`EISDIR: the output is a directory, '${path}'`);
    // Links stay: what they point to is replaced.
    this.#path = before?.isFile() ? realpathSync(path) : path;
    const replaced = before === undefined || before.isFile();
    this.#partial = replaced ? `${this.#path}.${randomUUID().slice(0, 8)}.part` : null;
    this.#file = openSync(this.#partial ?? path, this.#partial === null ? "w" : "wx");
    if (this.#partial !== null) unfinished.add(this.#partial);
    if (before?.isFile()) fchmodSync(this.#file, before.mode & 0o777);
    this.#terminal = isatty(this.#file);
  }

  write(lines: string): undefined {
    this.#waiting += lines;
    if (this.#waiting.length >= BLOCK) this.#flush();
  }

  writeBytes(bytes: Uint8Array): undefined {
    writeFileSync(this.#flush(), bytes);
  }

  async close(): Promise<void> {
    const file = this.#flush();
    if (this.#partial !== null) fsyncSync(file);
    closeSync(file);
    this.#file = null;
    if (this.#partial === null) return;
    renameSync(this.#partial, this.#path);
    unfinished.delete(this.#partial);
  }

  discard(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
    if (this.#partial === null || !unfinished.delete(this.#partial)) return;
    unlinkSync(this.#partial);
  }

  #flush(): number {
    if (this.#file === null) throw new Error("the output is closed");
    const text = this.#terminal ? printableLines(this.#waiting) : this.#waiting;
    this.#waiting = "";
    try {
      writeFileSync(this.#file, text);
    } catch (error) {
      throw asClosed(error);
    }
    return this.#file;
  }
}

/**
 * A file that a library writes under a path of its own, and that takes its name when it is whole. One that is there already
 * stays: it may hold tables that nobody meant to lose.
 */
export class DatabaseFile implements Output {
  /** Where the library writes. */
  readonly partial: string;
  readonly #path: string;

  constructor(path: string) {
    if (statSync(path, { throwIfNoEntry: false }) !== undefined) {
      throw new Error(`EEXIST: a database is written to a new file, and there is one: '${path}'`);
    }
    this.#path = path;
    this.partial = `${this.#path}.${randomUUID().slice(0, 8)}.part`;
    // Refused now rather than after the reading, where the folder takes no file.
    closeSync(openSync(this.partial, "wx"));
    unlinkSync(this.partial);
    for (const file of this.#files()) unfinished.add(file);
  }

  /** The database, and what is beside it while it is written. */
  #files(): string[] {
    return ["", "-journal", "-wal", "-shm", ".wal"].map((suffix) => this.partial + suffix);
  }

  async close(): Promise<void> {
    renameSync(this.partial, this.#path);
    this.discard();
  }

  discard(): void {
    for (const file of this.#files()) {
      unfinished.delete(file);
      rmSync(file, { force: true });
    }
  }
}
