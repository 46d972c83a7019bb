import type { BatchColumn } from "sniffed-csv";
import type { Cell, Profile } from "./protocol.js";

/** Distinct values that are counted, and values that are kept to be drawn. */
const MOST_DISTINCT = 10_000;
const SAMPLE_SIZE = 4_000;
const TOP = 6;
const MICROS_PER_MILLISECOND = 1_000n;
const MILLISECONDS_PER_DAY = 86_400_000;

/** Gathers what a column holds, batch by batch. */
export class ColumnProfile {
  #values = 0;
  #nulls = 0;
  readonly #counts = new Map<string, number>();
  #distinctIsMore = false;
  #min: number | string | null = null;
  #max: number | string | null = null;
  #least: string | null = null;
  #most: string | null = null;
  readonly #sample: number[] = [];
  #seed = 1;

  add(cells: readonly Cell[], numbers: readonly (number | null)[] | null): void {
    for (const [row, cell] of cells.entries()) {
      if (cell === null) {
        this.#nulls++;
        continue;
      }
      this.#values++;
      const count = this.#counts.get(cell);
      if (count !== undefined) this.#counts.set(cell, count + 1);
      else if (this.#counts.size < MOST_DISTINCT) this.#counts.set(cell, 1);
      else this.#distinctIsMore = true;
      const key = numbers === null ? cell : (numbers[row] as number);
      if (this.#min === null || key < this.#min) {
        this.#min = key;
        this.#least = cell;
      }
      if (this.#max === null || key > this.#max) {
        this.#max = key;
        this.#most = cell;
      }
      if (typeof key === "number") this.#draw(key);
    }
  }

  /** Keeps each value with the same chance (reservoir sampling), by numbers that are the same each time. */
  #draw(value: number): void {
    if (this.#sample.length < SAMPLE_SIZE) {
      this.#sample.push(value);
      return;
    }
    this.#seed = (Math.imul(this.#seed, 1_664_525) + 1_013_904_223) >>> 0;
    const place = Math.floor((this.#seed / 2 ** 32) * this.#values);
    if (place < SAMPLE_SIZE) this.#sample[place] = value;
  }

  take(isText: boolean): Profile {
    const top = isText ? [...this.#counts].sort((a, b) => b[1] - a[1]).slice(0, TOP) : [];
    return {
      values: this.#values,
      nulls: this.#nulls,
      distinct: this.#counts.size,
      distinctIsMore: this.#distinctIsMore,
      min: this.#least,
      max: this.#most,
      sample: isText ? [] : this.#sample,
      top,
    };
  }
}

/** Whether a column's values have a measure: numbers and moments. */
export function isMeasured(type: BatchColumn["type"]): boolean {
  return ["BIGINT", "DOUBLE", "DATE", "TIMESTAMP", "TIMESTAMPTZ"].includes(type);
}

/** A column's values as the grid shows them, and as numbers where they have a measure. */
export function readColumn(
  column: BatchColumn,
  rowCount: number,
): { cells: Cell[]; numbers: (number | null)[] | null } {
  const { type, values, validity } = column;
  const cells: Cell[] = [];
  const numbers: (number | null)[] | null = isMeasured(type) ? [] : null;
  for (let row = 0; row < rowCount; row++) {
    const isMissing = validity !== null && ((validity[row >> 3] >> (row & 7)) & 1) === 0;
    if (isMissing || (Array.isArray(values) && values[row] === null)) {
      cells.push(null);
      numbers?.push(null);
      continue;
    }
    const value = type === "BOOLEAN" ? null : (values[row] as number | bigint | string);
    switch (type) {
      case "BOOLEAN":
        cells.push((((values as Uint8Array)[row >> 3] >> (row & 7)) & 1) === 1 ? "true" : "false");
        break;
      case "DATE": {
        const time = Number(value) * MILLISECONDS_PER_DAY;
        cells.push(new Date(time).toISOString().slice(0, 10));
        numbers?.push(time);
        break;
      }
      case "TIMESTAMP":
      case "TIMESTAMPTZ": {
        const time = Number((value as bigint) / MICROS_PER_MILLISECOND);
        const text = new Date(time).toISOString().replace("T", " ").replace(".000Z", "Z");
        cells.push(type === "TIMESTAMPTZ" ? text : text.replace("Z", ""));
        numbers?.push(time);
        break;
      }
      case "TIME":
        cells.push(new Date(Number((value as bigint) / MICROS_PER_MILLISECOND)).toISOString().slice(11, 19));
        break;
      default:
        cells.push(String(value));
        numbers?.push(Number(value));
    }
  }
  return { cells, numbers };
}
