import { undoEscapes } from "../machine/escapes.js";
import type { Kernel } from "../machine/kernel.js";
import { ESCAPED, MISPLACED } from "../machine/spans.js";
import type { MachineBytes } from "../machine/table.js";
import type { BatchValues } from "../output/batches/column-batch.js";
import { detached, SLICE_LENGTH, unitsOf } from "../output/batches/text-column.js";
import type { Caster, SavedVector } from "./caster.js";
import type { BatchCells } from "./column-cast.js";

const REPLACEMENT = "\ufffd";
/** What the kernel says of a column's text: see kernel/cast-column.ts. */
const ASCII_TEXT = 0;
const OTHER_TEXT = 1;
const ODD_TEXT = 2;
/** Cells longer than this are copied by the platform, shorter ones byte by byte: a call costs as much as these. */
const COPIED_AT_ONCE = 24;

/** The bytes of a batch's records as text, where they are ASCII: cells can be cut from it without copying them first. */
export interface BatchText {
  text: string;
  /** Where it begins in the bytes. */
  start: number;
}

const batchDecoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The bytes from `start` to `end` as a text to cut cells from; null where not all of them are ASCII. */
export function readBatchText(bytes: Uint8Array, start: number, end: number): BatchText | null {
  const text = batchDecoder.decode(bytes.subarray(start, end));
  // Whatever is not ASCII takes fewer units than bytes, or reads as U+FFFD.
  return text.length === end - start && !text.includes(REPLACEMENT) ? { text, start } : null;
}

/**
 * VARCHAR. The cells of a batch are gathered, unescaped, in one buffer and decoded at once, or cut from the text of the
 * whole batch, so a kept cell retains at most the text of its own batch, never the chunk it came in; with `detach` it
 * retains itself alone.
 */
export class VarcharCaster implements Caster {
  readonly #detach: boolean;
  readonly #strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  readonly #lenient = new TextDecoder("utf-8", { ignoreBOM: true });
  #text: Uint8Array<ArrayBuffer> = new Uint8Array(4096);
  #length = 0;
  #rowCount = 0;
  #offsets: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** By row, and one more: where its text begins in UTF-16 units, once they are counted. */
  #units: Int32Array<ArrayBuffer> = new Int32Array(0);
  #unitsKnown = false;
  /** Set where the kernel has seen that all is ASCII. */
  #isAscii = false;
  /** The batch's text, where cells are cut from it; then where each of them lies in it or, inverted, in {@link #text}. */
  #shared: string | null = null;
  #starts = new Int32Array(0);
  #ends = new Int32Array(0);
  readonly #values: (string | null)[] = [];
  /** Undefined until the batch is decoded. */
  #decoded: string | null | undefined;

  constructor(detach: boolean) {
    this.#detach = detach;
  }

  begin(rowCount: number): void {
    if (this.#offsets.length <= rowCount) this.#offsets = new Int32Array(rowCount + 1);
    this.#rowCount = rowCount;
    this.#length = 0;
    this.#offsets[0] = 0;
    this.#decoded = undefined;
    this.#unitsKnown = false;
    this.#isAscii = false;
    this.#shared = null;
  }

  castInKernel(kernel: Kernel, rowCount: number, column: number, machine: MachineBytes): number {
    const { escape, quote, delimiter } = machine;
    const kind = kernel.run.gatherText(
      rowCount,
      column,
      escape,
      quote,
      escape === quote ? quote : delimiter[0],
    );
    if (kind === ODD_TEXT) return -1;
    const length = kernel.offsets[rowCount];
    this.#reserve(length);
    this.#text.set(kernel.text.subarray(0, length));
    this.#offsets.set(kernel.offsets.subarray(0, rowCount + 1));
    this.#length = length;
    this.#isAscii = kind === ASCII_TEXT;
    if (kind === OTHER_TEXT) {
      if (this.#units.length <= rowCount) this.#units = new Int32Array(rowCount + 1);
      this.#units.set(kernel.units.subarray(0, rowCount + 1));
      this.#unitsKnown = true;
    }
    return 0;
  }

  /**
   * The same without the kernel for a column where only empty cells are missing, and for rows from `row` on.
   *
   * @param shared The text of the batch, if it is to be cut: the same for all rows of a batch.
   * @returns The first row whose cell has text after its closing quote, which is the caller's to read, or `count`.
   */
  castRows(
    { spans, rows, from, cells }: BatchCells,
    count: number,
    column: number,
    valid: Uint8Array,
    firstRow: number,
    shared: BatchText | null,
  ): number {
    if (shared !== null && firstRow === 0) this.#share(shared.text, count);
    const { starts, ends, flags } = spans;
    const { first, width } = rows;
    const cellStarts = this.#starts;
    const cellEnds = this.#ends;
    const base = shared?.start ?? 0;
    for (let row = firstRow; row < count; row++) {
      const field = first[from + row] + column;
      if (column >= width[from + row]) {
        this.skip(row);
        valid[row] = 0;
        continue;
      }
      const start = starts[field];
      const end = ends[field];
      const flag = flags[field];
      valid[row] = start === end ? 0 : 1;
      if ((flag & (MISPLACED | ESCAPED)) !== 0) {
        if ((flag & MISPLACED) !== 0) return row;
        this.#castEscaped(cells.machine, spans.bytes, start, end, row);
      } else if (shared === null) {
        this.cast(spans.bytes, start, end, row);
      } else {
        cellStarts[row] = start - base;
        cellEnds[row] = end - base;
      }
    }
    return count;
  }

  /** Rows must come in order, each of them by one call of this method or of {@link VarcharCaster.skip}. */
  cast(bytes: Uint8Array, start: number, end: number, row: number): boolean {
    const length = end - start;
    this.#reserve(length);
    const text = this.#text;
    let at = this.#length;
    if (length > COPIED_AT_ONCE) {
      text.set(bytes.subarray(start, end), at);
      at += length;
    } else {
      for (let i = start; i < end; i++) text[at++] = bytes[i];
    }
    if (this.#shared !== null) {
      this.#starts[row] = ~this.#length;
      this.#ends[row] = ~at;
    }
    this.#length = at;
    this.#offsets[row + 1] = at;
    return true;
  }

  #castEscaped(machine: MachineBytes, bytes: Uint8Array, start: number, end: number, row: number): void {
    const from = this.#length;
    this.#reserve(end - start);
    const to = undoEscapes(machine, bytes, start, end, this.#text, from);
    this.#length = to;
    this.#offsets[row + 1] = to;
    if (this.#shared !== null) {
      this.#starts[row] = ~from;
      this.#ends[row] = ~to;
    }
  }

  #share(text: string, rowCount: number): void {
    this.#shared = text;
    if (this.#starts.length >= rowCount) return;
    this.#starts = new Int32Array(rowCount);
    this.#ends = new Int32Array(rowCount);
  }

  /** Stores a row without a value. */
  skip(row: number): void {
    if (this.#shared !== null) this.#starts[row] = this.#ends[row] = 0;
    this.#offsets[row + 1] = this.#length;
  }

  /** The rows whose text is not valid UTF-8 or, with `transcoded`, holds a U+FFFD. */
  invalidRows(rowCount: number, transcoded: boolean): number[] {
    if (this.#isAscii || this.#shared !== null) return [];
    const text = this.#decodeAll();
    if (text !== null && !(transcoded && text.includes(REPLACEMENT))) return [];
    const invalid: number[] = [];
    for (let row = 0; row < rowCount; row++) {
      const start = this.#offsets[row];
      const end = this.#offsets[row + 1];
      if (!this.#lenient.decode(this.#text.subarray(start, end)).includes(REPLACEMENT)) continue;
      if (transcoded || !this.#isValid(start, end)) invalid.push(row);
    }
    return invalid;
  }

  values(rowCount: number, valid: Uint8Array): unknown[] {
    this.#give(this.#values, 0, 0, rowCount, valid);
    return this.#values;
  }

  store(target: BatchValues, at: number, from: number, to: number, valid: Uint8Array): void {
    this.#give(target as (string | null)[], at, from, to, valid);
  }

  #give(target: (string | null)[], at: number, from: number, to: number, valid: Uint8Array): void {
    if (this.#shared !== null) {
      this.#cut(this.#shared, target, at, from, to, valid);
      return;
    }
    const text = this.#decodeAll();
    if (text !== null) {
      const isAscii = text.length === this.#length;
      if (!isAscii && !this.#unitsKnown) this.#countUnits();
      this.#slice(text, isAscii ? this.#offsets : this.#units, target, at, from, to, valid);
      return;
    }
    const offsets = this.#offsets;
    for (let row = from; row < to; row++) {
      const cell = this.#text.subarray(offsets[row], offsets[row + 1]);
      target[at + row - from] = valid[row] === 0 ? null : this.#lenient.decode(cell);
    }
  }

  /**
   * The rows' bytes in UTF-8, one after the other, until the next batch; where each ends is put behind what `offsets`
   * says at `at`.
   */
  utf8(from: number, to: number, offsets: Int32Array, at: number): Uint8Array {
    if (this.#shared !== null) this.#gather(this.#shared);
    if (!this.#isAscii && this.#decodeAll() === null) this.#repair();
    const start = this.#offsets[from];
    const shift = offsets[at] - start;
    for (let row = from; row < to; row++) offsets[at + 1 + row - from] = this.#offsets[row + 1] + shift;
    return this.#text.subarray(start, this.#offsets[to]);
  }

  /** Gathers the bytes of cells that were to be cut from the batch's text. */
  #gather(shared: string): void {
    const own = this.#text.slice(0, this.#length);
    const encoder = new TextEncoder();
    this.#shared = null;
    this.#decoded = undefined;
    this.#length = 0;
    for (let row = 0; row < this.#rowCount; row++) {
      const start = this.#starts[row];
      const end = this.#ends[row];
      const cell = start < 0 ? own.subarray(~start, ~end) : encoder.encode(shared.substring(start, end));
      this.cast(cell, 0, cell.length, row);
    }
  }

  /** Makes the batch's text what it reads as: valid UTF-8. */
  #repair(): void {
    const cells: Uint8Array[] = [];
    for (let row = 0; row < this.#rowCount; row++) {
      const text = this.#lenient.decode(this.#text.subarray(this.#offsets[row], this.#offsets[row + 1]));
      cells.push(new TextEncoder().encode(text));
    }
    this.#length = 0;
    for (const [row, cell] of cells.entries()) this.cast(cell, 0, cell.length, row);
    this.#decoded = undefined;
  }

  save(rowCount: number): SavedVector[] {
    if (this.#shared !== null) this.#gather(this.#shared);
    const places = this.#unitsKnown ? this.#units.slice(0, rowCount + 1) : new Int32Array(0);
    const text = this.#text.slice(0, this.#length);
    return [text, this.#offsets.slice(0, rowCount + 1), places, [this.#isAscii]];
  }

  load([text, offsets, units, known]: readonly SavedVector[], rowCount: number): void {
    this.begin(0);
    this.#rowCount = rowCount;
    this.#text = text as Uint8Array<ArrayBuffer>;
    this.#length = this.#text.length;
    this.#offsets = offsets as Int32Array<ArrayBuffer>;
    this.#units = units as Int32Array<ArrayBuffer>;
    this.#unitsKnown = units.length > 0;
    this.#isAscii = (known as boolean[])[0];
  }

  /** The cells that lie in the batch's text, and those whose escapes had to be undone. */
  #cut(
    shared: string,
    target: (string | null)[],
    at: number,
    from: number,
    to: number,
    valid: Uint8Array,
  ): void {
    const detach = this.#detach;
    const starts = this.#starts;
    const ends = this.#ends;
    const own = this.#length === 0 ? "" : (this.#decodeAll() ?? "");
    for (let row = from, index = at; row < to; row++, index++) {
      if (valid[row] === 0) {
        target[index] = null;
        continue;
      }
      const start = starts[row];
      const end = ends[row];
      const value = start < 0 ? own.substring(~start, ~end) : shared.substring(start, end);
      target[index] = detach && value.length >= SLICE_LENGTH ? detached(value) : value;
    }
  }

  /** The cells of a text whose places in it are known. */
  #slice(
    text: string,
    places: Int32Array,
    target: (string | null)[],
    at: number,
    from: number,
    to: number,
    valid: Uint8Array,
  ): void {
    const detach = this.#detach;
    let start = places[from];
    for (let row = from, index = at; row < to; row++, index++) {
      const end = places[row + 1];
      if (valid[row] === 0) {
        target[index] = null;
      } else {
        const value = text.substring(start, end);
        target[index] = detach && end - start >= SLICE_LENGTH ? detached(value) : value;
      }
      start = end;
    }
  }

  #countUnits(): void {
    const offsets = this.#offsets;
    if (this.#units.length <= this.#rowCount) this.#units = new Int32Array(this.#rowCount + 1);
    const units = this.#units;
    units[0] = 0;
    for (let row = 0; row < this.#rowCount; row++) {
      units[row + 1] = units[row] + unitsOf(this.#text, offsets[row], offsets[row + 1]);
    }
    this.#unitsKnown = true;
  }

  /** The batch's text, or null where it, or a cell of it, is not valid UTF-8. */
  #decodeAll(): string | null {
    if (this.#decoded === undefined) {
      try {
        const text = this.#strict.decode(this.#text.subarray(0, this.#length));
        this.#decoded = text.length === this.#length || this.#unitsKnown || this.#beginsWhole() ? text : null;
      } catch {
        this.#decoded = null;
      }
    }
    return this.#decoded;
  }

  /** Whether no cell begins within a character, whose first half would then end the cell before it. */
  #beginsWhole(): boolean {
    for (let row = 0; row < this.#rowCount; row++) {
      const start = this.#offsets[row];
      if (start < this.#offsets[row + 1] && (this.#text[start] & 0xc0) === 0x80) return false;
    }
    return true;
  }

  #isValid(start: number, end: number): boolean {
    try {
      this.#strict.decode(this.#text.subarray(start, end));
      return true;
    } catch {
      return false;
    }
  }

  #reserve(length: number): void {
    const needed = this.#length + length;
    if (needed <= this.#text.length) return;
    const larger = new Uint8Array(Math.max(needed, this.#text.length * 2));
    larger.set(this.#text.subarray(0, this.#length));
    this.#text = larger;
  }
}
