import { undoEscapes, undoMisplaced } from "../machine/escapes.js";
import { ESCAPED, MISPLACED, QUOTED, type Spans } from "../machine/spans.js";
import type { MachineBytes } from "../machine/table.js";
import { isOneOf } from "./boolean.js";

const SPACE = 0x20;

/** What makes a cell missing, or text. */
export interface NullSettings {
  nullTexts: readonly Uint8Array[];
  quotedEmpty: "null" | "string";
  quotedAsText: boolean;
}

/** The cell is missing. */
export const NULL_CELL = 0;
/** The cell may hold a value of any type. */
export const VALUE_CELL = 1;
/** The cell is text whatever it holds. */
export const TEXT_CELL = 2;

/** Reads one cell after the other, escapes undone: the slow way, for the sniffer and for faults. */
export class CellReader {
  /** The cell's bytes lie in here, from {@link CellReader.start} to {@link CellReader.end}. */
  bytes: Uint8Array = new Uint8Array(0);
  start = 0;
  end = 0;
  /** The characters that the cells are written with. */
  readonly machine: MachineBytes;
  readonly nulls: NullSettings;
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #scratch = new Uint8Array(256);

  constructor(machine: MachineBytes, nulls: NullSettings) {
    this.machine = machine;
    this.nulls = nulls;
  }

  /** Turns to a field and says what it is: NULL_CELL, VALUE_CELL or TEXT_CELL. */
  read(spans: Spans, field: number): number {
    const flags = spans.flags[field];
    this.bytes = spans.bytes;
    this.start = spans.starts[field];
    this.end = spans.ends[field];
    if (flags & (ESCAPED | MISPLACED)) this.#unescape(flags);
    return cellKind(this.nulls, this.bytes, this.start, this.end, flags);
  }

  /** Leaves out the spaces around the cell. */
  trim(): void {
    while (this.start < this.end && this.bytes[this.start] === SPACE) this.start++;
    while (this.end > this.start && this.bytes[this.end - 1] === SPACE) this.end--;
  }

  /** The cell's text; bytes that are no UTF-8 become U+FFFD. */
  text(): string {
    return this.#decoder.decode(this.bytes.subarray(this.start, this.end));
  }

  #unescape(flags: number): void {
    const length = this.end - this.start;
    if (this.#scratch.length < length) this.#scratch = new Uint8Array(length * 2);
    const undo = flags & MISPLACED ? undoMisplaced : undoEscapes;
    this.end = undo(this.machine, this.bytes, this.start, this.end, this.#scratch, 0);
    this.bytes = this.#scratch;
    this.start = 0;
  }
}

/** What a cell is: missing, a value, or text whatever it holds. */
export function cellKind(
  nulls: NullSettings,
  bytes: Uint8Array,
  start: number,
  end: number,
  flags: number,
): number {
  const quoted = (flags & QUOTED) !== 0;
  if (quoted && start === end && nulls.quotedEmpty === "string") return TEXT_CELL;
  if (isOneOf(bytes, start, end, nulls.nullTexts)) return NULL_CELL;
  return quoted && nulls.quotedAsText ? TEXT_CELL : VALUE_CELL;
}
