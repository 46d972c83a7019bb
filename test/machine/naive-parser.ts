import type { Dialect } from "../../src/machine/dialect.js";

/** A field as its bytes say it: `text` has its escapes undone. */
export interface NaiveField {
  start: number;
  end: number;
  form: "plain" | "quoted" | "misplaced";
  escaped: boolean;
  text: number[];
}

export interface NaiveRecord {
  start: number;
  end: number;
  /** Physical lines before it. */
  line: number;
  unterminated: boolean;
  fields: NaiveField[];
}

export interface NaiveReading {
  records: NaiveRecord[];
  newlines: { lf: number; crlf: number; cr: number };
  mixedLine: number;
}

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;

/**
 * The rules of the dialect once more, by looking ahead in the whole input instead of by states: slow, and written
 * without a look at the table, so that the two can be held against each other.
 */
export class NaiveParser {
  readonly #bytes: Uint8Array;
  readonly #delimiter: Uint8Array;
  readonly #quote: number;
  readonly #escape: number;
  readonly #comment: number;
  readonly #newline: Dialect["newline"] | "any";
  readonly #skipInitialSpace: boolean;
  #at = 0;
  #line = 0;
  #lastNewline = "";
  readonly #reading: NaiveReading = { records: [], newlines: { lf: 0, crlf: 0, cr: 0 }, mixedLine: -1 };

  constructor(dialect: Dialect, bytes: Uint8Array) {
    const code = (character: string | null) => (character === null ? -1 : character.charCodeAt(0));
    this.#bytes = bytes;
    this.#delimiter = new TextEncoder().encode(dialect.delimiter);
    this.#quote = code(dialect.quote);
    this.#escape = dialect.quote === null && dialect.escape !== "\\" ? -1 : code(dialect.escape);
    this.#comment = code(dialect.comment);
    this.#newline = dialect.strictNewline ? dialect.newline : "any";
    this.#skipInitialSpace =
      dialect.skipInitialSpace && (this.#delimiter[0] !== SPACE || this.#delimiter.length === 1);
  }

  read(blankRecords: boolean): NaiveReading {
    while (this.#at < this.#bytes.length) {
      if (this.#peek() === this.#comment) this.#skipComment();
      else if (this.#newlineLength() > 0) this.#readBlankLine(blankRecords);
      else this.#readRecord();
    }
    return this.#reading;
  }

  #peek(): number {
    return this.#at < this.#bytes.length ? this.#bytes[this.#at] : -2;
  }

  get #atEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** Bytes of the line end that stands here, 0 for none. */
  #newlineLength(): number {
    const isCrLf = this.#bytes[this.#at] === CR && this.#bytes[this.#at + 1] === LF;
    if (this.#newline === "\r\n") return isCrLf ? 2 : 0;
    if (this.#newline === "\n") return this.#peek() === LF ? 1 : 0;
    if (this.#newline === "\r") return this.#peek() === CR ? 1 : 0;
    if (isCrLf) return 2;
    return this.#peek() === LF || this.#peek() === CR ? 1 : 0;
  }

  #isDelimiter(): boolean {
    return this.#delimiter.every((byte, i) => this.#bytes[this.#at + i] === byte);
  }

  #takeNewline(): void {
    const length = this.#newlineLength();
    const kind = length === 2 ? "crlf" : this.#peek() === LF ? "lf" : "cr";
    this.#reading.newlines[kind]++;
    const differs = this.#lastNewline !== "" && this.#lastNewline !== kind;
    if (differs && this.#reading.mixedLine < 0) this.#reading.mixedLine = this.#line;
    this.#lastNewline = kind;
    this.#at += length;
    this.#line++;
  }

  #skipComment(): void {
    while (!this.#atEnd && this.#newlineLength() === 0) this.#at++;
    if (!this.#atEnd) this.#takeNewline();
  }

  #readBlankLine(asRecord: boolean): void {
    const at = this.#at;
    if (asRecord) {
      const field: NaiveField = { start: at, end: at, form: "plain", escaped: false, text: [] };
      this.#reading.records.push({
        start: at,
        end: at,
        line: this.#line,
        unterminated: false,
        fields: [field],
      });
    }
    this.#takeNewline();
  }

  #readRecord(): void {
    const record: NaiveRecord = {
      start: this.#at,
      end: 0,
      line: this.#line,
      unterminated: false,
      fields: [],
    };
    let linesInside = 0;
    for (;;) {
      const { field, terminated, lines } = this.#readField();
      linesInside += lines;
      record.fields.push(field);
      record.unterminated ||= !terminated;
      if (this.#atEnd || !this.#isDelimiter()) break;
      this.#at += this.#delimiter.length;
    }
    record.end = this.#at;
    this.#line += linesInside;
    if (this.#atEnd) this.#line++;
    else this.#takeNewline();
    this.#reading.records.push(record);
  }

  #readField(): { field: NaiveField; terminated: boolean; lines: number } {
    while (this.#skipInitialSpace && this.#peek() === SPACE) this.#at++;
    if (this.#peek() !== this.#quote) return { field: this.#readPlain(), terminated: true, lines: 0 };

    const opening = this.#at;
    this.#at++;
    const { text, escaped, terminated, lines } = this.#readQuoted();
    const closing = terminated ? this.#at - 1 : this.#at;
    const isOver = () => this.#atEnd || this.#isDelimiter() || this.#newlineLength() > 0;
    while (terminated && !isOver() && this.#peek() === SPACE) {
      this.#at++;
      // A delimiter that begins with a space has been begun, and was none: what stands there is text.
      if (this.#delimiter[0] === SPACE) break;
    }
    const spaceIsText = this.#delimiter[0] === SPACE && this.#at > closing + 1;
    if (!terminated || (isOver() && !spaceIsText)) {
      const field: NaiveField = { start: opening + 1, end: closing, form: "quoted", escaped, text };
      return { field, terminated, lines };
    }
    while (!isOver()) this.#at++;
    const after = [...this.#bytes.subarray(closing + 1, this.#at)];
    const field: NaiveField = {
      start: opening,
      end: this.#at,
      form: "misplaced",
      escaped,
      text: [...text, ...after],
    };
    return { field, terminated, lines };
  }

  /** What stands between quotes, and the closing one. */
  #readQuoted(): { text: number[]; escaped: boolean; terminated: boolean; lines: number } {
    const text: number[] = [];
    let escaped = false;
    let lines = 0;
    while (!this.#atEnd) {
      const byte = this.#bytes[this.#at++];
      if (byte === this.#escape && this.#escapes()) {
        text.push(this.#bytes[this.#at++]);
        escaped = true;
      } else if (byte === this.#quote) {
        return { text, escaped, terminated: true, lines };
      } else {
        text.push(byte);
        if (byte === LF || (byte === CR && this.#peek() !== LF)) lines++;
      }
    }
    return { text, escaped, terminated: false, lines };
  }

  #readPlain(): NaiveField {
    const start = this.#at;
    const text: number[] = [];
    let escaped = false;
    while (!this.#atEnd && !this.#isDelimiter() && this.#newlineLength() === 0) {
      const byte = this.#bytes[this.#at++];
      if (byte === this.#escape && this.#escape !== this.#quote && this.#escapes()) {
        text.push(this.#bytes[this.#at++]);
        escaped = true;
      } else {
        text.push(byte);
      }
    }
    return { start, end: this.#at, form: "plain", escaped, text };
  }

  /** Whether the escape just read has something to escape. */
  #escapes(): boolean {
    const next = this.#peek();
    if (this.#escape === this.#quote) return next === this.#quote;
    return next === this.#quote || next === this.#escape || next === this.#delimiter[0];
  }
}
