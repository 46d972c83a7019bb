import type { Spans } from "../machine/spans.js";
import { classifyCell, EMPTY_CELL, MISSING_CELL, NUMBER_CELL, TEXT_CELL, YEAR_CELL } from "./cell-class.js";

/** Records that a column's usual content is told from. */
const PROFILED_RECORDS = 256;
/** Share of a column's values that must look like numbers for it to be one of numbers. */
const NUMERIC_SHARE = 0.7;
/** Sparse records at the top that are looked at. */
const MOST_TITLES = 20;
/** Records that a header spans at most. */
const MOST_HEADER_LINES = 8;
/** Records with numbers that must stand below a header of several lines. */
const FEWEST_DATA_RECORDS = 2;
/** Records in which a text of a would-be header line is looked for. */
const SEARCHED_RECORDS = 64;

/** What a record holds, as far as it tells a header from data. */
export interface RecordLooks {
  filled: number;
  texts: number;
  numbers: number;
  /** Texts and years, and numbers, in columns of numbers. */
  unlike: number;
  alike: number;
}

/**
 * The records that columns are told from: those below the first, but for what may be more of the header. A record
 * that is alone is all there is to go by.
 */
function profiledRecords(counts: readonly number[], columns: number, first: number): number[] {
  const records: number[] = [];
  for (let record = first + 1; record < counts.length && records.length < PROFILED_RECORDS; record++) {
    if (counts[record] === columns) records.push(record);
  }
  return records.length === 0 ? [first] : records.slice(Math.min(MOST_HEADER_LINES, records.length >> 1));
}

/** Tells header lines from data by what the columns hold further down. */
export class ColumnProfile {
  readonly columns: number;
  /** Whether any column holds numbers. */
  readonly hasNumbers: boolean;
  readonly #spans: Spans;
  readonly #counts: readonly number[];
  readonly #numeric: Uint8Array;

  /** Looks at the records below `first` that have as many fields as there are columns. */
  constructor(spans: Spans, counts: readonly number[], columns: number, first: number) {
    this.columns = columns;
    this.#spans = spans;
    this.#counts = counts;
    this.#numeric = new Uint8Array(columns);
    const numbers = new Int32Array(columns);
    const values = new Int32Array(columns);
    for (const record of profiledRecords(counts, columns, first)) {
      for (let column = 0; column < columns; column++) {
        const kind = this.kind(record, column);
        if (kind === NUMBER_CELL || kind === YEAR_CELL) numbers[column]++;
        if (kind !== EMPTY_CELL && kind !== MISSING_CELL) values[column]++;
      }
    }
    let hasNumbers = false;
    for (let column = 0; column < columns; column++) {
      if (values[column] === 0 || numbers[column] < values[column] * NUMERIC_SHARE) continue;
      this.#numeric[column] = 1;
      hasNumbers = true;
    }
    this.hasNumbers = hasNumbers;
  }

  kind(record: number, column: number): number {
    const field = this.#spans.firstField[record] + column;
    if (field >= this.#spans.firstField[record + 1]) return EMPTY_CELL;
    return classifyCell(this.#spans.bytes, this.#spans.starts[field], this.#spans.ends[field]);
  }

  looks(record: number): RecordLooks {
    const looks: RecordLooks = { filled: 0, texts: 0, numbers: 0, unlike: 0, alike: 0 };
    for (let column = 0; column < this.#counts[record]; column++) {
      const kind = this.kind(record, column);
      if (kind === EMPTY_CELL) continue;
      looks.filled++;
      if (kind === TEXT_CELL) looks.texts++;
      else if (kind === NUMBER_CELL) looks.numbers++;
      if (column >= this.columns || this.#numeric[column] === 0) continue;
      if (kind === NUMBER_CELL) looks.alike++;
      else if (kind !== MISSING_CELL) looks.unlike++;
    }
    return looks;
  }

  /** Whether a record holds a number in a column of numbers. */
  isData(record: number): boolean {
    return this.looks(record).alike > 0;
  }

  /**
   * How many records at the top are titles, or empty, and no part of the table: those down to the last empty
   * one, or all of them where they are several. A single title right above the header is its first line.
   * Tables of two columns are left alone, as one of their cells may well be missing.
   */
  titlesFrom(first: number): number {
    if (this.columns < 3) return 0;
    const top = this.#below(first, MOST_TITLES + 1);
    let titles = 0;
    let lastEmpty = -1;
    for (const record of top) {
      const { filled, numbers } = this.looks(record);
      if (filled > 1 || numbers > 0) break;
      if (filled === 0) lastEmpty = titles;
      titles++;
    }
    if (titles === 0 || titles === top.length) return 0;
    const spared = titles - (lastEmpty + 1) === 1 && this.#isLeftmost(top[titles - 1]) ? 1 : 0;
    if (spared === 1 && this.isData(top[titles])) return lastEmpty < 0 ? 0 : titles - 1;
    return titles - spared;
  }

  /** The records that the header spans, if the first is one: several where the next are header lines too. */
  headerFrom(first: number): number[] {
    const header = [first];
    if (this.columns < 2) return header;
    const start = this.looks(first);
    if (start.numbers > 0) return header;
    const next = this.#below(first, MOST_HEADER_LINES + 1).slice(1);
    const titled = start.filled === 1 && this.columns > 2;
    if (!this.hasNumbers) return titled && next.length > 1 ? [first, next[0]] : header;
    for (const [i, record] of next.entries()) {
      const goesOn = (titled && i === 0 && !this.isData(record)) || this.#isHeaderLine(record, header);
      if (!goesOn) break;
      header.push(record);
    }
    const data = this.#below(header[header.length - 1], FEWEST_DATA_RECORDS + 4).slice(1);
    const enough = data.filter((record) => this.isData(record)).length >= FEWEST_DATA_RECORDS;
    return enough || titled ? header : [first];
  }

  /** Whether a record below header lines is another one. */
  #isHeaderLine(record: number, header: readonly number[]): boolean {
    if (this.#counts[record] !== this.columns) return false;
    const looks = this.looks(record);
    if (looks.numbers > 0 || looks.unlike === 0) return false;
    const above = header[header.length - 1];
    if (this.#equal(record, above)) return true;
    const fillsGroups = this.looks(above).filled < Math.min(looks.filled, this.columns);
    const onlyOverNumbers = looks.filled === looks.unlike;
    if (looks.unlike < 2 && !fillsGroups && !onlyOverNumbers) return false;
    return !this.#comesAgain(record);
  }

  /** Whether a text in a column of numbers stands there again further down: then it is a code, not a name. */
  #comesAgain(record: number): boolean {
    const below = this.#below(record, SEARCHED_RECORDS + 1).slice(1);
    for (let column = 0; column < this.columns; column++) {
      if (this.#numeric[column] === 0 || this.kind(record, column) !== TEXT_CELL) continue;
      for (const other of below) if (this.#equalCell(record, other, column)) return true;
    }
    return false;
  }

  /** Up to `most` records from one on that are no blank lines. */
  #below(from: number, most: number): number[] {
    const records: number[] = [];
    for (let record = from; record < this.#counts.length && records.length < most; record++) {
      if (this.#counts[record] > 0) records.push(record);
    }
    return records;
  }

  #isLeftmost(record: number): boolean {
    return this.kind(record, 0) !== EMPTY_CELL;
  }

  #equal(a: number, b: number): boolean {
    if (this.#counts[a] !== this.#counts[b]) return false;
    for (let column = 0; column < this.#counts[a]; column++) if (!this.#equalCell(a, b, column)) return false;
    return true;
  }

  #equalCell(a: number, b: number, column: number): boolean {
    const { bytes, starts, ends, firstField } = this.#spans;
    if (column >= this.#counts[a] || column >= this.#counts[b]) return false;
    const x = firstField[a] + column;
    const y = firstField[b] + column;
    const length = ends[x] - starts[x];
    if (length !== ends[y] - starts[y]) return false;
    for (let i = 0; i < length; i++) if (bytes[starts[x] + i] !== bytes[starts[y] + i]) return false;
    return true;
  }
}
