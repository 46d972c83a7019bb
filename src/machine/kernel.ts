import { KERNEL_BINARY, LAYOUT } from "./kernel-binary.js";
import {
  FIELD_END_FORM,
  type MachineBytes,
  QUOTED,
  RECORD_END_FORM,
  STATE_COUNT,
  UNQUOTED,
} from "./table.js";

/** Most bytes that are scanned in one call. */
export const INPUT_CAPACITY = LAYOUT.INPUT_CAPACITY;
/** Most fields and records of one scan. */
export const FIELD_CAPACITY = LAYOUT.FIELD_CAPACITY;
export const RECORD_CAPACITY = LAYOUT.RECORD_CAPACITY;
/** Most bytes that are searched for events in one call. */
export const EVENT_INPUT_CAPACITY = LAYOUT.EVENT_INPUT_CAPACITY;

/** A number that the kernel keeps; an interface of our own, since not every user of these types has WebAssembly's. */
interface KernelNumber {
  value: number;
}

/** What the kernel does; see kernel/. */
interface KernelExports {
  memory: { buffer: ArrayBuffer };
  state: KernelNumber;
  position: KernelNumber;
  fieldCount: KernelNumber;
  nextRecord: KernelNumber;
  linesBefore: KernelNumber;
  lfEnds: KernelNumber;
  crlfEnds: KernelNumber;
  crEnds: KernelNumber;
  unfinished: KernelNumber;
  find(length: number, plainSpecials: number, quotedSpecials: number): number;
  setDialect(
    plainSpecials: number,
    quotedSpecials: number,
    delimiterLength: number,
    delimiter: number,
    quote: number,
    escape: number,
    comment: number,
    newline: number,
    layoutSpaces: boolean,
    blankRecords: boolean,
  ): void;
  scanRecords(
    length: number,
    base: number,
    lines: number,
    lineEnd: number,
    maxRecords: number,
    maxFields: number,
    maxRecordSize: number,
    maxColumns: number,
  ): number;
  setCells(base: number, quotedEmptyText: boolean, quotedText: boolean, fieldsOfRow: number): void;
  castNumbers(count: number, column: number, decimal: number): number;
  castBooleans(count: number, column: number): number;
  castDates(count: number, column: number, steps: number): number;
  gatherText(count: number, column: number, escape: number, quote: number, delimiter: number): number;
}

/** What the kernel needs to know of a dialect. */
export interface KernelDialect {
  table: Uint8Array;
  /** The bytes that change plain text and text in quotes, packed. */
  plainSpecials: number;
  quotedSpecials: number;
  machine: MachineBytes;
  layoutSpaces: boolean;
  blankRecords: boolean;
}

/** Undefined until the first use; null where the runtime refuses WebAssembly or its SIMD instructions. */
let shared: Kernel | null | undefined;

/**
 * The WebAssembly kernel and views of its memory. There is one for all scanners of a thread, since each call is over
 * before the next begins: who wants to find again what it left there asks whether it is still its own. How the bytes are
 * read is written in kernel/, and in plain TypeScript in event-finder.ts, scanner.ts and the casters.
 */
export class Kernel {
  readonly run: KernelExports;
  readonly input: Uint8Array;
  readonly eventInput: Uint8Array;
  readonly positions: Int32Array;
  readonly codes: Uint16Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly flags: Uint8Array;
  readonly firstField: Int32Array;
  readonly recordStarts: Int32Array;
  readonly recordEnds: Int32Array;
  readonly recordLines: Int32Array;
  readonly recordFlags: Uint8Array;
  readonly rowFirst: Int32Array;
  readonly rowWidth: Int32Array;
  /** By row of a column: 0 for a missing value, 1 for a value, 2 for a cell that the kernel hands back. */
  readonly outcomes: Uint8Array;
  readonly doubles: Float64Array;
  readonly bytes: Uint8Array;
  readonly days: Int32Array;
  readonly offsets: Int32Array;
  readonly units: Int32Array;
  readonly text: Uint8Array;
  /** Whose input and spans lie here: set by {@link Scanner}, null for nobody's. */
  owner: object | null = null;
  #dialect: KernelDialect | null = null;
  readonly #table: Uint8Array;
  readonly #nullTexts: Uint8Array;
  readonly #pattern: Uint8Array;

  private constructor(run: KernelExports) {
    const { buffer } = run.memory;
    this.run = run;
    this.input = new Uint8Array(buffer, LAYOUT.INPUT, INPUT_CAPACITY);
    this.eventInput = new Uint8Array(buffer, LAYOUT.EVENT_INPUT, EVENT_INPUT_CAPACITY);
    this.positions = new Int32Array(buffer, LAYOUT.POSITIONS, LAYOUT.EVENT_CAPACITY);
    this.codes = new Uint16Array(buffer, LAYOUT.CODES, LAYOUT.EVENT_CAPACITY);
    this.starts = new Int32Array(buffer, LAYOUT.STARTS, FIELD_CAPACITY);
    this.ends = new Int32Array(buffer, LAYOUT.ENDS, FIELD_CAPACITY);
    this.flags = new Uint8Array(buffer, LAYOUT.FLAGS, FIELD_CAPACITY);
    this.firstField = new Int32Array(buffer, LAYOUT.FIRST_FIELD, RECORD_CAPACITY + 1);
    this.recordStarts = new Int32Array(buffer, LAYOUT.RECORD_STARTS, RECORD_CAPACITY);
    this.recordEnds = new Int32Array(buffer, LAYOUT.RECORD_ENDS, RECORD_CAPACITY);
    this.recordLines = new Int32Array(buffer, LAYOUT.RECORD_LINES, RECORD_CAPACITY);
    this.recordFlags = new Uint8Array(buffer, LAYOUT.RECORD_FLAGS, RECORD_CAPACITY);
    this.rowFirst = new Int32Array(buffer, LAYOUT.ROW_FIRST, RECORD_CAPACITY);
    this.rowWidth = new Int32Array(buffer, LAYOUT.ROW_WIDTH, RECORD_CAPACITY);
    this.outcomes = new Uint8Array(buffer, LAYOUT.OUTCOMES, RECORD_CAPACITY);
    this.doubles = new Float64Array(buffer, LAYOUT.VALUES, RECORD_CAPACITY);
    this.bytes = new Uint8Array(buffer, LAYOUT.VALUES, RECORD_CAPACITY);
    this.days = new Int32Array(buffer, LAYOUT.DAYS, RECORD_CAPACITY);
    this.offsets = new Int32Array(buffer, LAYOUT.OFFSETS, RECORD_CAPACITY + 1);
    this.units = new Int32Array(buffer, LAYOUT.UNITS, RECORD_CAPACITY + 1);
    this.text = new Uint8Array(buffer, LAYOUT.TEXT, INPUT_CAPACITY);
    this.#table = new Uint8Array(buffer, 0, STATE_COUNT << 8);
    this.#nullTexts = new Uint8Array(buffer, LAYOUT.NULL_TEXTS, LAYOUT.NULL_TEXTS_SIZE);
    this.#pattern = new Uint8Array(buffer, LAYOUT.PATTERN, LAYOUT.PATTERN_SIZE);
    new Uint8Array(buffer, LAYOUT.FIELD_FORMS).set(FIELD_END_FORM);
    new Uint8Array(buffer, LAYOUT.RECORD_FORMS).set(RECORD_END_FORM);
  }

  /** The kernel; null where the runtime refuses it. */
  static get(): Kernel | null {
    if (shared !== undefined) return shared;
    try {
      const { exports } = new WebAssembly.Instance(new WebAssembly.Module(decodeBase64(KERNEL_BINARY)));
      shared = new Kernel(exports as unknown as KernelExports);
    } catch {
      shared = null;
    }
    return shared;
  }

  /** Makes the kernel read by a dialect. */
  setDialect(dialect: KernelDialect): void {
    if (this.#dialect === dialect) return;
    const { delimiter, quote, escape, comment, newline } = dialect.machine;
    this.#dialect = dialect;
    this.#table.set(dialect.table);
    this.run.setDialect(
      dialect.plainSpecials,
      dialect.quotedSpecials,
      delimiter.length,
      delimiter[0],
      quote,
      escape,
      comment,
      newline,
      dialect.layoutSpaces,
      dialect.blankRecords,
    );
  }

  /** Lays down the texts that stand for a missing value. False where there is no room for them. */
  setNullTexts(texts: readonly Uint8Array[]): boolean {
    const size = texts.reduce((sum, text) => sum + text.length + 1, 1);
    if (size > LAYOUT.NULL_TEXTS_SIZE || texts.some((text) => text.length > 254)) return false;
    let at = 0;
    for (const text of texts) {
      this.#nullTexts[at++] = text.length;
      this.#nullTexts.set(text, at);
      at += text.length;
    }
    this.#nullTexts[at] = 255;
    return true;
  }

  /** Casts a column of dates whose steps are those of kernel/cast-column.ts; how many cells it handed back. */
  castDates(count: number, column: number, pattern: Uint8Array): number {
    this.#pattern.set(pattern);
    return this.run.castDates(count, column, pattern.length);
  }
}

/** Most steps of a date format that the kernel reads. */
export const MOST_STEPS = LAYOUT.PATTERN_SIZE;

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

/**
 * What the kernel is to know of a table: null where text has more special bytes than it can tell.
 */
export function kernelDialect(
  table: Uint8Array,
  machine: MachineBytes,
  layoutSpaces: boolean,
  blankRecords: boolean,
): KernelDialect | null {
  const plainSpecials = specialsOf(table, UNQUOTED);
  const quotedSpecials = specialsOf(table, QUOTED);
  if (plainSpecials === null || quotedSpecials === null) return null;
  return { table, plainSpecials, quotedSpecials, machine, layoutSpaces, blankRecords };
}

/**
 * The bytes that change a state, packed into 32 bits, one of them repeated where there are fewer than four. Null where
 * there are more.
 */
function specialsOf(table: Uint8Array, state: number): number | null {
  const specials: number[] = [];
  for (let byte = 0; byte < 256; byte++) if (table[(state << 8) | byte] !== state) specials.push(byte);
  if (specials.length === 0 || specials.length > 4) return null;
  let packed = 0;
  for (let i = 0; i < 4; i++) packed |= (specials[i] ?? specials[0]) << (8 * i);
  return packed;
}
