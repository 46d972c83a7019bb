import type { Column } from "../../sniffer/sniff.js";
import type { Caster } from "../../types/caster.js";
import { VarcharCaster } from "../../types/varchar.js";
import type { BatchColumn, BatchValues } from "./column-batch.js";

/** How the batches of a stream are laid out. */
export interface BatchLayout {
  batchRows: number;
  /** What text is: a list of strings, or UTF-8 and offsets. */
  batchText: "strings" | "utf8";
  bigint: "auto" | "always" | "never";
}

/** Rows that there is room for at first. */
const FIRST_CAPACITY = 1 << 12;
/** Room for text at first, in bytes a row. */
const TEXT_SIZE = 16;

/**
 * Gathers the values of one column, batch after batch. Text and what says where it is go through memory that is used again,
 * as a batch gets a copy of their size.
 */
export class ColumnBuilder {
  readonly #column: Column;
  readonly #layout: BatchLayout;
  readonly #isLent: boolean;
  readonly #isUtf8: boolean;
  #values: BatchValues = [];
  #text = new Uint8Array(0);
  #offsets: Int32Array<ArrayBuffer> | null;
  #validity = new Uint8Array(0);
  /** Rows that there is room for; it grows, as a batch may be the whole of a small table. */
  #capacity: number;
  #nullCount = 0;

  /** @param isLent Whether columns are valid until the next batch is begun. */
  constructor(column: Column, layout: BatchLayout, isLent: boolean) {
    const isText = column.type === "VARCHAR" || column.type === "SQLNULL";
    this.#column = column;
    this.#layout = layout;
    this.#isLent = isLent;
    this.#capacity = Math.min(layout.batchRows, FIRST_CAPACITY);
    this.#isUtf8 = isText && layout.batchText === "utf8";
    this.#offsets = this.#isUtf8 ? new Int32Array(this.#capacity + 1) : null;
    if (this.#isUtf8) this.#text = new Uint8Array(this.#capacity * TEXT_SIZE);
  }

  /** Begins a batch. */
  begin(): void {
    this.#nullCount = 0;
    if (this.#isUtf8) return;
    const values = this.#values;
    const isKept = this.#isLent && !Array.isArray(values);
    if (!isKept) this.#values = createValues(this.#column, this.#layout, this.#capacity);
    // Bits are added to those that are there.
    else if (values instanceof Uint8Array) values.fill(0);
  }

  /**
   * Takes rows of a caster's batch.
   *
   * @param at How many rows are here already.
   * @param valid By row of the caster's batch: 0 where its value is missing.
   */
  append(caster: Caster, valid: Uint8Array, from: number, to: number, at: number): void {
    if (at + to - from > this.#capacity) this.#grow(at + to - from);
    if (this.#isUtf8) this.#appendText(caster, from, to, at);
    else caster.store(this.#values, at, from, to, valid);
    const rows = valid.subarray(from, to);
    for (let row = rows.indexOf(0); row >= 0; row = rows.indexOf(0, row + 1)) this.#miss(at + row);
  }

  /** The column of the rows gathered. */
  finish(rowCount: number): BatchColumn {
    const { name, type } = this.#column;
    const column: BatchColumn = {
      name,
      type: type === "SQLNULL" ? "VARCHAR" : type,
      values: this.#values,
      validity: this.#nullCount === 0 ? null : firstBits(this.#validity, rowCount),
      nullCount: this.#nullCount,
    };
    if (this.#offsets !== null) {
      column.offsets = this.#given(this.#offsets, rowCount + 1);
      column.values = this.#given(this.#text, this.#offsets[rowCount]);
    } else if (Array.isArray(this.#values)) {
      this.#values.length = rowCount;
    } else if (rowCount < this.#capacity) {
      const length = type === "BOOLEAN" ? bitBytes(rowCount) : rowCount;
      column.values = this.#given(this.#values as Float64Array<ArrayBuffer>, length);
    }
    return column;
  }

  /** The first elements of a vector, for the caller. */
  #given<Kind extends Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>>(
    vector: Kind,
    length: number,
  ): Kind {
    return (this.#isLent ? vector.subarray(0, length) : vector.slice(0, length)) as Kind;
  }

  #grow(rows: number): void {
    const capacity = Math.min(this.#layout.batchRows, Math.max(rows, this.#capacity * 2));
    this.#capacity = capacity;
    if (this.#offsets !== null) this.#offsets = enlarged(this.#offsets, new Int32Array(capacity + 1));
    const { length } = this.#validity;
    if (length > 0) {
      this.#validity = enlarged(this.#validity, new Uint8Array(bitBytes(capacity))).fill(0xff, length);
    }
    if (this.#isUtf8 || Array.isArray(this.#values)) return;
    const larger = createValues(this.#column, this.#layout, capacity);
    (larger as Uint8Array).set(this.#values as Uint8Array);
    this.#values = larger;
  }

  #appendText(caster: Caster, from: number, to: number, at: number): void {
    const offsets = this.#offsets as Int32Array;
    const start = offsets[at];
    if (!(caster instanceof VarcharCaster)) {
      // No value has given the column its type yet: all are missing.
      offsets.fill(start, at + 1, at + 1 + to - from);
      return;
    }
    const bytes = caster.utf8(from, to, offsets, at);
    if (start + bytes.length > this.#text.length) {
      const larger = new Uint8Array(Math.max(start + bytes.length, this.#text.length * 2));
      larger.set(this.#text.subarray(0, start));
      this.#text = larger;
    }
    this.#text.set(bytes, start);
  }

  #miss(row: number): void {
    if (this.#validity.length === 0) this.#validity = new Uint8Array(bitBytes(this.#capacity));
    if (this.#nullCount++ === 0) this.#validity.fill(0xff);
    this.#validity[row >> 3] &= ~(1 << (row & 7));
    const values = this.#values;
    if (this.#isUtf8) return;
    if (values instanceof Uint8Array) values[row >> 3] &= ~(1 << (row & 7));
    else if (Array.isArray(values)) values[row] = null;
    else if (values instanceof BigInt64Array) values[row] = 0n;
    else values[row] = 0;
  }
}

function enlarged<Kind extends Int32Array | Uint8Array>(from: Kind, to: Kind): Kind {
  to.set(from);
  return to;
}

type ValuesKind =
  | Float64ArrayConstructor
  | BigInt64ArrayConstructor
  | Int32ArrayConstructor
  | Uint8ArrayConstructor;

/** The class of a column's values; null for text, which is a list of strings or gathered by itself. */
function valuesKind({ type, bigint: isBigint }: Column, { bigint }: BatchLayout): ValuesKind | null {
  switch (type) {
    case "DOUBLE":
      return Float64Array;
    case "BIGINT":
      return bigint === "never" && !isBigint ? Float64Array : BigInt64Array;
    case "DATE":
      return Int32Array;
    case "TIME":
    case "TIMESTAMP":
    case "TIMESTAMPTZ":
      return BigInt64Array;
    case "BOOLEAN":
      return Uint8Array;
    default:
      return null;
  }
}

function createValues(column: Column, layout: BatchLayout, rows: number): BatchValues {
  const kind = valuesKind(column, layout);
  if (kind === null) return [];
  return new kind(kind === Uint8Array ? bitBytes(rows) : rows);
}

/** A copy of some bits, those behind them 0. */
function firstBits(bits: Uint8Array<ArrayBuffer>, count: number): Uint8Array<ArrayBuffer> {
  const first = bits.slice(0, bitBytes(count));
  if (count & 7) first[first.length - 1] &= (1 << (count & 7)) - 1;
  return first;
}

function bitBytes(rowCount: number): number {
  return (rowCount + 7) >> 3;
}
