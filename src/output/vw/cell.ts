import { undoEscapes, undoMisplaced } from "../../machine/escapes.js";
import { ESCAPED, MISPLACED, QUOTED, type Spans } from "../../machine/spans.js";
import type { MachineBytes } from "../../machine/table.js";

/** Reads one cell after the other as VW does: escapes undone, outer quotes removed or, by option, kept. */
export class CellText {
  /** The cell's bytes lie in here, from {@link CellText.start} to {@link CellText.end}. */
  bytes: Uint8Array = new Uint8Array(0);
  start = 0;
  end = 0;
  /** Whether the cell is text whatever it holds. */
  quoted = false;

  readonly #machine: MachineBytes;
  readonly #removeQuotes: boolean;
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #scratch = new Uint8Array(256);

  constructor(machine: MachineBytes, removeQuotes: boolean) {
    this.#machine = machine;
    this.#removeQuotes = removeQuotes;
  }

  /** Turns to a field. */
  read(spans: Spans, field: number): void {
    const flags = spans.flags[field];
    this.bytes = spans.bytes;
    this.start = spans.starts[field];
    this.end = spans.ends[field];
    this.quoted = (flags & (QUOTED | MISPLACED)) !== 0;
    if (flags & (ESCAPED | MISPLACED)) this.#unescape(flags);
    if (flags & QUOTED && !this.#removeQuotes) this.#enclose();
  }

  /** Whether the cell is empty and was not in quotes. */
  get absent(): boolean {
    return this.start === this.end && !this.quoted;
  }

  /** The cell's text; bytes that are no UTF-8 become U+FFFD. */
  text(): string {
    const { bytes, start, end } = this;
    // A decoder costs more to call than a short text to put together.
    let text = "";
    let i = end - start <= SHORT ? start : end + 1;
    while (i < end && bytes[i] < 0x80) text += String.fromCharCode(bytes[i++]);
    if (i === end) return text;
    return this.#decoder.decode(this.bytes.subarray(this.start, this.end));
  }

  /** Leaves out the spaces around the cell. */
  trim(): void {
    while (this.start < this.end && this.bytes[this.start] === SPACE) this.start++;
    while (this.end > this.start && this.bytes[this.end - 1] === SPACE) this.end--;
  }

  #unescape(flags: number): void {
    const target = this.#reserve(this.end - this.start);
    const undo = flags & MISPLACED ? undoMisplaced : undoEscapes;
    this.end = undo(this.#machine, this.bytes, this.start, this.end, target, 0);
    this.bytes = target;
    this.start = 0;
  }

  #enclose(): void {
    const length = this.end - this.start;
    const inner = this.bytes.slice(this.start, this.end);
    const target = this.#reserve(length + 2);
    target[0] = this.#machine.quote;
    target.set(inner, 1);
    target[length + 1] = this.#machine.quote;
    this.bytes = target;
    this.start = 0;
    this.end = length + 2;
  }

  #reserve(length: number): Uint8Array {
    if (this.#scratch.length < length) this.#scratch = new Uint8Array(length * 2);
    return this.#scratch;
  }
}

const SPACE = 0x20;
const SHORT = 24;
