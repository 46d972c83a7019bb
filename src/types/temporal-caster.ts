import type { Kernel } from "../machine/kernel.js";
import type { BatchValues } from "../output/batches/column-batch.js";
import { Int64Writer } from "../output/batches/int64.js";
import type { Caster, SavedVector } from "./caster.js";
import type { ColumnTyping, DateOutput } from "./column-typing.js";
import { DATE_FORMATS, TIMESTAMP_FORMATS, TIMESTAMPTZ_FORMATS } from "./date-formats.js";
import { compileFormat, parseWithFormat, type TemporalFormat } from "./format.js";
import { kernelPattern } from "./kernel-pattern.js";
import { formatDate, formatTime, formatTimestamp } from "./temporal-text.js";
import { parseTime, type TemporalFields } from "./time.js";

const MILLISECONDS_PER_DAY = 86_400_000;

/** TIME as text, `HH:MM:SS` with a fraction where there is one, or as a Temporal.PlainTime. */
export class TimeCaster implements Caster {
  readonly #fields: TemporalFields = { days: 0, micros: 0 };
  readonly #present: (text: string) => unknown;
  #micros: Float64Array<ArrayBuffer> = new Float64Array(0);
  readonly #stored: unknown[] = [];

  constructor(dates: DateOutput) {
    this.#present = dates === "temporal" ? temporalClass("PlainTime").from : (text) => text;
  }

  begin(rowCount: number): void {
    if (this.#micros.length < rowCount) this.#micros = new Float64Array(rowCount);
  }

  cast(bytes: Uint8Array, start: number, end: number, row: number): boolean {
    if (!parseTime(bytes, start, end, this.#fields)) return false;
    this.#micros[row] = this.#fields.micros;
    return true;
  }

  values(rowCount: number, valid: Uint8Array): unknown[] {
    const micros = this.#micros;
    const stored = this.#stored;
    for (let row = 0; row < rowCount; row++) {
      stored[row] = valid[row] === 0 ? null : this.#present(formatTime(micros[row]));
    }
    return stored;
  }

  store(target: BatchValues, at: number, from: number, to: number): void {
    const micros = new Int64Writer(target as BigInt64Array);
    for (let row = from; row < to; row++) micros.setMicros(at + row - from, 0, this.#micros[row]);
  }

  save(rowCount: number): SavedVector[] {
    return [this.#micros.slice(0, rowCount)];
  }

  load([micros]: readonly SavedVector[]): void {
    this.#micros = micros as Float64Array<ArrayBuffer>;
  }
}

/** DATE, TIMESTAMP and TIMESTAMPTZ: days and microseconds of the day, presented as the caller wishes. */
export class DateCaster implements Caster {
  readonly #format: TemporalFormat;
  readonly #pattern: Uint8Array | null;
  readonly #fields: TemporalFields = { days: 0, micros: 0 };
  /** Null where it is a Date. */
  readonly #present: ((days: number, micros: number) => unknown) | null;
  #days: Int32Array<ArrayBuffer> = new Int32Array(0);
  #micros: Float64Array<ArrayBuffer> = new Float64Array(0);
  readonly #stored: unknown[] = [];

  /**
   * @throws CsvError INVALID_OPTION for a format that does not fit the type.
   */
  constructor(column: ColumnTyping, dates: DateOutput) {
    this.#format = columnFormat(column);
    this.#pattern = kernelPattern(this.#format);
    this.#present = presenter(column, dates);
  }

  begin(rowCount: number): void {
    if (this.#days.length >= rowCount) return;
    this.#days = new Int32Array(rowCount);
    this.#micros = new Float64Array(rowCount);
  }

  cast(bytes: Uint8Array, start: number, end: number, row: number): boolean {
    const fields = this.#fields;
    if (!parseWithFormat(this.#format, bytes, start, end, fields)) return false;
    this.#days[row] = fields.days;
    this.#micros[row] = fields.micros;
    return true;
  }

  castInKernel(kernel: Kernel, rowCount: number, column: number): number {
    if (this.#pattern === null) return -1;
    const handedBack = kernel.castDates(rowCount, column, this.#pattern);
    this.#days.set(kernel.days.subarray(0, rowCount));
    this.#micros.set(kernel.doubles.subarray(0, rowCount));
    return handedBack;
  }

  values(rowCount: number, valid: Uint8Array): unknown[] {
    const days = this.#days;
    const micros = this.#micros;
    const stored = this.#stored;
    const present = this.#present;
    if (present === null) {
      for (let row = 0; row < rowCount; row++) {
        const time = days[row] * MILLISECONDS_PER_DAY + Math.floor(micros[row] / 1000);
        stored[row] = valid[row] === 0 ? null : new Date(time);
      }
      return stored;
    }
    for (let row = 0; row < rowCount; row++) {
      stored[row] = valid[row] === 0 ? null : present(days[row], micros[row]);
    }
    return stored;
  }

  store(target: BatchValues, at: number, from: number, to: number): void {
    if (target instanceof Int32Array) {
      target.set(this.#days.subarray(from, to), at);
      return;
    }
    const micros = new Int64Writer(target as BigInt64Array);
    for (let row = from; row < to; row++) {
      micros.setMicros(at + row - from, this.#days[row], this.#micros[row]);
    }
  }

  save(rowCount: number): SavedVector[] {
    return [this.#days.slice(0, rowCount), this.#micros.slice(0, rowCount)];
  }

  load([days, micros]: readonly SavedVector[]): void {
    this.#days = days as Int32Array<ArrayBuffer>;
    this.#micros = micros as Float64Array<ArrayBuffer>;
  }
}

const ISO_FORMATS: Partial<Record<string, TemporalFormat>> = {
  DATE: DATE_FORMATS[0],
  TIMESTAMP: TIMESTAMP_FORMATS[0],
  TIMESTAMPTZ: TIMESTAMPTZ_FORMATS[0],
};

function columnFormat(column: ColumnTyping): TemporalFormat {
  const iso = ISO_FORMATS[column.type];
  if (column.format === undefined && iso !== undefined) return iso;
  return compileFormat(column.format ?? "");
}

function presenter(
  column: ColumnTyping,
  dates: DateOutput,
): ((days: number, micros: number) => unknown) | null {
  if (dates === "date") return null;
  const zoned = column.type === "TIMESTAMPTZ";
  const text = (days: number, micros: number) =>
    column.type === "DATE" ? formatDate(days) : formatTimestamp(days, micros, zoned);
  if (dates === "string") return text;
  const name = column.type === "DATE" ? "PlainDate" : zoned ? "Instant" : "PlainDateTime";
  const temporal = temporalClass(name);
  return (days, micros) => temporal.from(text(days, micros));
}

interface TemporalClass {
  from(text: string): unknown;
}

function temporalClass(name: string): TemporalClass {
  const temporal = (globalThis as { Temporal?: Record<string, TemporalClass> }).Temporal;
  if (temporal === undefined) throw new TypeError("this runtime has no Temporal");
  return temporal[name];
}
