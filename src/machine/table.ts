import type { Dialect } from "./dialect.js";

/*
 * The state machine, written twice: `step` is the machine to read, and the table that `buildTable` fills from
 * it is the machine to run. A cell of the table holds the next state in its low five bits and an action in its
 * high three; the scanner acts on the action only, so a run of bytes without one costs two loads a byte.
 *
 * What to mind when changing it:
 * - A quote counts only where a field begins. Elsewhere it is text.
 * - A delimiter of several bytes is matched by the states Kxx: one for each context in which it may begin
 *   (field start, plain text, after a closing quote, text after a closing quote) and each number of bytes seen.
 *   When the match breaks, the bytes seen were text, and the rest is taken up again where the longest proper
 *   border of what was seen ends (Knuth, Morris and Pratt), so no byte is read twice.
 * - A lone CR ends a record at once when CRLF, LF and CR are one class; the LF that may follow, perhaps in the
 *   next chunk, is swallowed by RECORD_CR.
 */

/** At the start of a line. */
export const RECORD_START = 0;
/** After a delimiter. */
export const FIELD_START = 1;
export const UNQUOTED = 2;
export const QUOTED = 3;
/** After a quote inside quotes: it closes the field or is the first of a doubled one. */
export const QUOTE_END = 4;
/** In the spaces that may follow a closing quote. */
export const QUOTE_SPACE = 5;
/** In text that follows a closing quote. */
export const AFTER_TEXT = 6;
export const COMMENT = 7;
/** After a CR that ended a line: an LF belongs to it. */
export const RECORD_CR = 8;
/** After a CR inside quotes: an LF belongs to the same physical line end. */
export const QUOTED_CR = 9;
export const QUOTED_ESCAPE = 10;
export const UNQUOTED_ESCAPE = 11;
/** After a CR where only CRLF ends a record, by context. */
export const START_CRLF = 12;
export const UNQUOTED_CRLF = 13;
export const QUOTE_CRLF = 14;
export const AFTER_CRLF = 15;
export const COMMENT_CRLF = 16;
/** One to three bytes into a delimiter, by context: K + 3 × context + (bytes seen − 1). */
const K = 17;
const START_CONTEXT = 0;
const UNQUOTED_CONTEXT = 1;
const QUOTE_CONTEXT = 2;
const AFTER_CONTEXT = 3;
const CONTEXT_STATE = [FIELD_START, UNQUOTED, QUOTE_END, AFTER_TEXT];
export const STATE_COUNT = 29;

/** The low bits of a cell hold the state, the bits from ACTION_SHIFT on the action. */
export const STATE_MASK = 31;
export const ACTION_SHIFT = 5;

export const FIELD_END = 1;
export const RECORD_END = 2;
/** An escape was read: the field's text differs from its bytes. */
export const ESCAPE_SEEN = 3;
/** A line break that is data. */
export const LINE_BREAK = 4;
export const BLANK_LINE = 5;
export const COMMENT_END = 6;
/** The LF of a CRLF whose CR has ended the line. */
export const SWALLOW_LF = 7;

/** How a field was written: without quotes, within quotes, or within quotes with text after them. */
export const PLAIN_FORM = 0;
export const QUOTED_FORM = 1;
export const MISPLACED_FORM = 2;

/** By state: the form of a field that a delimiter, a line end or the end of the input ends there. */
export const FIELD_END_FORM = forms([QUOTE_END, QUOTE_SPACE, ...delimiterStates(QUOTE_CONTEXT)]);
export const RECORD_END_FORM = forms([QUOTE_END, QUOTE_SPACE, QUOTE_CRLF]);
export const INPUT_END_FORM = forms([QUOTE_END, QUOTE_SPACE]);

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;

/** The bytes of a dialect, as the machine needs them; -1 stands for none. */
export interface MachineBytes {
  delimiter: Uint8Array;
  quote: number;
  escape: number;
  comment: number;
  /** 0: CRLF, LF and CR are one class; otherwise only this one ends a record. */
  newline: 0 | typeof LF | typeof CR | typeof CRLF;
  skipInitialSpace: boolean;
}

/** Stands for CR LF in {@link MachineBytes}. */
export const CRLF = 0x0d0a;

/** The dialect's characters as bytes. */
export function machineBytes(dialect: Dialect): MachineBytes {
  return {
    delimiter: new TextEncoder().encode(dialect.delimiter),
    quote: byteOf(dialect.quote),
    escape: dialect.quote === null && dialect.escape !== "\\" ? -1 : byteOf(dialect.escape),
    comment: byteOf(dialect.comment),
    newline: dialect.strictNewline
      ? dialect.newline === "\r\n"
        ? CRLF
        : dialect.newline === "\r"
          ? CR
          : LF
      : 0,
    skipInitialSpace: dialect.skipInitialSpace,
  };
}

/** Tables that are kept: the sniffer tries the same few dialects on every file. */
const KEPT_TABLES = 64;
const keptTables = new Map<string, Uint8Array>();

/** The transition table of a dialect, built at its first use and kept while it is used. */
export function tableOf(bytes: MachineBytes): Uint8Array {
  const key = `${bytes.delimiter}/${bytes.quote}/${bytes.escape}/${bytes.comment}/${bytes.newline}/${bytes.skipInitialSpace}`;
  const table = keptTables.get(key) ?? buildTable(bytes);
  keptTables.delete(key);
  keptTables.set(key, table);
  if (keptTables.size > KEPT_TABLES) {
    for (const oldest of keptTables.keys()) {
      keptTables.delete(oldest);
      break;
    }
  }
  return table;
}

/** The transition table of a dialect: 256 cells for each of STATE_COUNT states, indexed `state << 8 | byte`. */
export function buildTable(bytes: MachineBytes): Uint8Array {
  const table = new Uint8Array(STATE_COUNT << 8);
  const borders = delimiterBorders(bytes.delimiter);
  for (let state = 0; state < STATE_COUNT; state++) {
    for (let byte = 0; byte < 256; byte++) table[(state << 8) | byte] = step(bytes, borders, state, byte);
  }
  return table;
}

/** One step of the machine: the cell for a state and the byte read in it. */
function step(m: MachineBytes, borders: number[], state: number, byte: number): number {
  switch (state) {
    case RECORD_CR:
      return byte === LF ? cell(RECORD_START, SWALLOW_LF) : step(m, borders, RECORD_START, byte);
    case RECORD_START:
      if (byte === m.comment) return COMMENT;
      if (m.newline === CRLF && byte === CR) return START_CRLF;
      if (endsLine(m, byte)) return cell(afterLine(m, byte), BLANK_LINE);
      return step(m, borders, FIELD_START, byte);
    case START_CRLF:
      return byte === LF ? cell(RECORD_START, BLANK_LINE) : step(m, borders, UNQUOTED_CRLF, byte);
    case FIELD_START:
      if (byte === m.quote) return QUOTED;
      if (byte === SPACE && skipsSpaces(m)) return FIELD_START;
      return plainStep(m, byte, UNQUOTED, UNQUOTED_CRLF, START_CONTEXT);
    case UNQUOTED:
      return plainStep(m, byte, UNQUOTED, UNQUOTED_CRLF, UNQUOTED_CONTEXT);
    case UNQUOTED_CRLF:
      return byte === LF ? cell(RECORD_START, RECORD_END) : step(m, borders, UNQUOTED, byte);
    case UNQUOTED_ESCAPE:
      return isEscapable(m, byte) ? cell(UNQUOTED, ESCAPE_SEEN) : step(m, borders, UNQUOTED, byte);
    case QUOTED_CR:
      return byte === LF ? QUOTED : step(m, borders, QUOTED, byte);
    case QUOTED:
      if (byte === m.quote) return QUOTE_END;
      if (byte === m.escape) return QUOTED_ESCAPE;
      if (byte === LF) return cell(QUOTED, LINE_BREAK);
      if (byte === CR) return cell(QUOTED_CR, LINE_BREAK);
      return QUOTED;
    case QUOTED_ESCAPE:
      return isEscapable(m, byte) ? cell(QUOTED, ESCAPE_SEEN) : step(m, borders, QUOTED, byte);
    case QUOTE_END:
      if (byte === m.quote && m.escape === m.quote) return cell(QUOTED, ESCAPE_SEEN);
      return step(m, borders, QUOTE_SPACE, byte);
    case QUOTE_SPACE: {
      const next = plainStep(m, byte, AFTER_TEXT, QUOTE_CRLF, QUOTE_CONTEXT);
      return next === AFTER_TEXT && byte === SPACE ? QUOTE_SPACE : next;
    }
    case QUOTE_CRLF:
      return byte === LF ? cell(RECORD_START, RECORD_END) : step(m, borders, AFTER_TEXT, byte);
    case AFTER_TEXT:
      return plainStep(m, byte, AFTER_TEXT, AFTER_CRLF, AFTER_CONTEXT);
    case AFTER_CRLF:
      return byte === LF ? cell(RECORD_START, RECORD_END) : step(m, borders, AFTER_TEXT, byte);
    case COMMENT:
      if (m.newline === CRLF && byte === CR) return COMMENT_CRLF;
      return endsLine(m, byte) ? cell(afterLine(m, byte), COMMENT_END) : COMMENT;
    case COMMENT_CRLF:
      return byte === LF ? cell(RECORD_START, COMMENT_END) : step(m, borders, COMMENT, byte);
    default:
      return delimiterStep(m, borders, state, byte);
  }
}

/** A byte outside quotes, where text leads to `text` and a delimiter may begin in `context`. */
function plainStep(m: MachineBytes, byte: number, text: number, crlf: number, context: number): number {
  if (byte === m.delimiter[0]) {
    return m.delimiter.length === 1 ? cell(FIELD_START, FIELD_END) : delimiterState(context, 1);
  }
  if (m.newline === CRLF && byte === CR) return crlf;
  if (endsLine(m, byte)) return cell(afterLine(m, byte), RECORD_END);
  if (byte === m.escape && m.escape !== m.quote && text === UNQUOTED) return UNQUOTED_ESCAPE;
  return text;
}

/** A byte after some bytes of a delimiter of several. */
function delimiterStep(m: MachineBytes, borders: number[], state: number, byte: number): number {
  const context = Math.trunc((state - K) / 3);
  const seen = ((state - K) % 3) + 1;
  if (seen >= m.delimiter.length) return state;
  if (byte === m.delimiter[seen]) {
    return seen + 1 === m.delimiter.length ? cell(FIELD_START, FIELD_END) : delimiterState(context, seen + 1);
  }
  const textContext =
    context === QUOTE_CONTEXT || context === AFTER_CONTEXT ? AFTER_CONTEXT : UNQUOTED_CONTEXT;
  const border = borders[seen];
  if (border > 0) return step(m, borders, delimiterState(textContext, border), byte);
  return step(m, borders, CONTEXT_STATE[textContext], byte);
}

function delimiterState(context: number, seen: number): number {
  return K + 3 * context + seen - 1;
}

/** By number of bytes seen: the length of the longest proper suffix of them that begins the delimiter anew. */
function delimiterBorders(delimiter: Uint8Array): number[] {
  const borders = [0, 0];
  for (let seen = 2; seen < delimiter.length; seen++) {
    let border = borders[seen - 1];
    while (border > 0 && delimiter[border] !== delimiter[seen - 1]) border = borders[border];
    borders[seen] = delimiter[border] === delimiter[seen - 1] ? border + 1 : 0;
  }
  return borders;
}

/**
 * Whether spaces before a field are layout. With a space for a delimiter a run of them is one delimiter then; a longer
 * delimiter that begins with a space can't be told from layout.
 */
export function skipsSpaces(m: MachineBytes): boolean {
  return m.skipInitialSpace && (m.delimiter[0] !== SPACE || m.delimiter.length === 1);
}

function endsLine(m: MachineBytes, byte: number): boolean {
  return m.newline === 0 ? byte === LF || byte === CR : byte === m.newline;
}

function afterLine(m: MachineBytes, byte: number): number {
  return byte === CR && m.newline === 0 ? RECORD_CR : RECORD_START;
}

/**
 * Whether an escape takes effect before a byte. Elsewhere it is text, so that `C:\temp` survives a dialect
 * whose escape is the backslash.
 */
export function isEscapable(m: MachineBytes, byte: number): boolean {
  if (m.escape === m.quote) return byte === m.quote;
  return byte === m.quote || byte === m.escape || byte === m.delimiter[0];
}

function cell(state: number, action: number): number {
  return state | (action << ACTION_SHIFT);
}

function byteOf(character: string | null): number {
  return character === null ? -1 : character.charCodeAt(0);
}

function delimiterStates(context: number): number[] {
  return [1, 2, 3].map((seen) => delimiterState(context, seen));
}

/** Of the states behind a closing quote, all but those named are in text that follows it. */
function forms(quoted: number[]): Uint8Array {
  const form = new Uint8Array(STATE_COUNT);
  const behindQuote = [QUOTE_END, QUOTE_SPACE, QUOTE_CRLF, AFTER_TEXT, AFTER_CRLF];
  for (const state of [
    ...behindQuote,
    ...delimiterStates(QUOTE_CONTEXT),
    ...delimiterStates(AFTER_CONTEXT),
  ]) {
    form[state] = quoted.includes(state) ? QUOTED_FORM : MISPLACED_FORM;
  }
  return form;
}
