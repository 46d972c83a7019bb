import type { Spans } from "../../machine/spans.js";
import { ByteWriter } from "./byte-writer.js";
import type { CellText } from "./cell.js";
import {
  coreEnd,
  coreStart,
  digitsName,
  firstOf,
  LABEL_BREAKS,
  refuse,
  TAG_BREAKS,
  textName,
  VALUE_BREAKS,
  writeReplaced,
} from "./expressible.js";
import { hashName } from "./hash.js";
import type { FeatureColumn, Namespace, VwColumns } from "./header.js";
import type { LabelReader } from "./label-reader.js";
import { readFloat32, shortestDecimal, shortestEnd, startsLikeNumber } from "./number.js";
import type { ResolvedVwOptions } from "./options.js";
import { scaledValue } from "./scaled.js";
import type { VwWarnings } from "./warnings.js";

const TAB = 0x09;
const SPACE = 0x20;
const TICK = 0x27;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const BAR = 0x7c;

/** A column as text needs it. */
interface TextColumn {
  column: FeatureColumn;
  index: number;
  /** ` name`, and ` name:` before a value. */
  bare: Uint8Array;
  prefix: Uint8Array;
  anonymous: boolean;
}

interface TextNamespace {
  namespace: Namespace;
  /** `|name`. */
  opening: Uint8Array;
  ratio: number;
  columns: TextColumn[];
}

/** Writes records as lines of VW's text format, from their spans. */
export class VwTextWriter {
  /** What is written, one line after the other, without line ends. */
  readonly out = new ByteWriter();
  readonly #columns: VwColumns;
  readonly #namespaces: TextNamespace[];
  readonly #cell: CellText;
  readonly #labels: LabelReader;
  readonly #options: ResolvedVwOptions;
  readonly #warnings: VwWarnings;
  #nameBytes = 0;

  constructor(
    columns: VwColumns,
    cell: CellText,
    labels: LabelReader,
    options: ResolvedVwOptions,
    warnings: VwWarnings,
  ) {
    this.#columns = columns;
    this.#cell = cell;
    this.#labels = labels;
    this.#options = options;
    this.#warnings = warnings;
    this.#namespaces = columns.namespaces.map((namespace) => textNamespace(namespace, options, warnings));
    for (const group of this.#namespaces) {
      this.#nameBytes += group.opening.length + 1;
      for (const { prefix } of group.columns) this.#nameBytes += prefix.length + MOST_GROWTH;
    }
  }

  /** Appends the line of a record whose fields are as many as the columns, and not all empty. */
  write(spans: Spans, record: number): void {
    const { out } = this;
    const { starts, ends, flags, bytes } = spans;
    const first = spans.firstField[record];
    this.#writeHead(spans, first);
    // What a record makes is no longer than this, so the fast ways below need not look for room.
    out.reserve(this.#nameBytes + spans.recordEnds[record] - spans.recordStarts[record]);
    const begin = out.length;
    for (const group of this.#namespaces) {
      const { columns, opening, ratio } = group;
      const sectionStart = out.length;
      if (sectionStart > begin) out.byte(SPACE);
      out.span(opening, 0, opening.length);
      const opened = out.length;
      for (const text of columns) {
        const field = first + text.index;
        const start = starts[field];
        const end = ends[field];
        if (flags[field] !== 0) {
          const cell = this.#cell;
          cell.read(spans, field);
          if (!cell.absent) this.#writeCell(group, text, cell.bytes, cell.start, cell.end, cell.quoted);
          continue;
        }
        if (start === end) continue;
        // Most cells are words and small whole numbers: they are copied while they are looked at.
        const byte = bytes[start];
        const word = STARTS_WORD[byte] === 1;
        const digits = ratio === 1 && byte > ZERO && byte <= NINE && end - start <= EXACT_DIGITS;
        if (word || digits) {
          const target = out.bytes;
          const { prefix } = text;
          const stops = word ? VALUE_BREAKS : NO_DIGITS;
          let at = out.length;
          for (let i = 0; i < prefix.length; i++) target[at++] = prefix[i];
          let i = start;
          for (; i < end && stops[bytes[i]] === 0; i++) target[at++] = bytes[i];
          if (i === end) {
            out.length = at;
            continue;
          }
        }
        this.#writeCell(group, text, bytes, start, end, false);
      }
      if (out.length === opened) out.length = sectionStart;
    }
    if (out.length === begin) out.byte(BAR);
  }

  /** Writes a cell that holds something, be it a number or a string. */
  #writeCell(
    group: TextNamespace,
    text: TextColumn,
    bytes: Uint8Array,
    start: number,
    end: number,
    quoted: boolean,
  ): void {
    const { out } = this;
    const value = quoted ? Number.NaN : readFloat32(bytes, start, end);
    if (Number.isNaN(value)) {
      this.#writeString(group, text, bytes, start, end);
      return;
    }
    const kept = group.ratio === 1 && value !== 0 ? shortestEnd(bytes, start, end, value) : -1;
    if (kept < 0) {
      this.#writeNumber(text, value, group.ratio, bytes, start, end);
      return;
    }
    out.span(text.prefix, 0, text.prefix.length);
    out.span(bytes, start, kept);
  }

  #writeNumber(
    text: TextColumn,
    value: number,
    ratio: number,
    bytes: Uint8Array,
    start: number,
    end: number,
  ): void {
    const { out } = this;
    const written = scaledValue(value, ratio, bytes, start, end, text.column.column, this.#warnings);
    // An anonymous zero is no feature either, but those after it are counted on from it.
    if (written === 0 && !text.anonymous) return;
    out.span(text.prefix, 0, text.prefix.length);
    if (written === 0) out.byte(ZERO);
    else out.ascii(shortestDecimal(written));
  }

  #writeString(group: TextNamespace, text: TextColumn, bytes: Uint8Array, start: number, end: number): void {
    const { out } = this;
    if (start < end && firstOf(VALUE_BREAKS, bytes, start, end) === end) {
      out.span(text.prefix, 0, text.prefix.length);
      if (startsLikeNumber(bytes, start, end)) out.byte(TAB);
      out.span(bytes, start, end);
      return;
    }
    this.#writeUnusual(group, text, bytes, start, end);
  }

  /** A string that VW's text can't hold as it stands. */
  #writeUnusual(group: TextNamespace, text: TextColumn, bytes: Uint8Array, start: number, end: number): void {
    const { out } = this;
    const options = this.#options;
    const strings = options.hash === "strings";
    const { column } = text;
    const from = strings ? coreStart(bytes, start, end) : start;
    const to = strings ? coreEnd(bytes, from, end) : end;
    if (from === to) {
      // Under "strings", the hash of nothing is the seed, which is the name's own hash.
      if (!strings) {
        const instead = text.anonymous ? "the cell is left out" : "the name is written alone";
        refuse("an empty string", column.column, options, this.#warnings, instead);
      }
      if (!text.anonymous) out.span(text.bare, 0, text.bare.length);
      else if (strings) out.ascii(" 0");
      return;
    }
    if (firstOf(VALUE_BREAKS, bytes, from, to) === to) {
      this.#writeString(group, text, bytes, from, to);
      return;
    }
    const byHash = options.inexpressible === "hash";
    refuse(
      "strings with a space, tab or line break",
      column.column,
      options,
      this.#warnings,
      byHash ? "their hashes are written instead" : "each such character is written as _",
    );
    if (byHash) {
      const digits = digitsName(hashName(bytes, from, to, column.hash, options.hash), group.namespace.hash);
      out.byte(SPACE);
      out.span(digits, 0, digits.length);
      return;
    }
    out.span(text.prefix, 0, text.prefix.length);
    if (startsLikeNumber(bytes, from, to)) out.byte(TAB);
    writeReplaced(out, VALUE_BREAKS, bytes, from, to);
  }

  /** What stands before the first bar: label, a space, tag. */
  #writeHead(spans: Spans, first: number): void {
    const { out } = this;
    const begin = out.length;
    const columns = this.#columns;
    this.#labels.write(spans, first, out);
    if (firstOf(LABEL_BREAKS, out.bytes, begin, out.length) < out.length) this.#replaceLabel(begin);
    const labelEnd = out.length;
    if (labelEnd > begin) out.byte(SPACE);
    if (columns.tag >= 0) this.#writeTag(spans, first + columns.tag, labelEnd === begin);
    if (out.length === begin) return;
    const untagged = labelEnd > begin && out.length === labelEnd + 1;
    // A last word that begins with a tick would be taken for the tag: an empty tag comes before it is.
    if (untagged && lastWordStarts(out.bytes, begin, labelEnd) === TICK) out.byte(TICK);
    if (firstByteOf(TAB, out.bytes, begin, out.length) < out.length) {
      // VW begins to read behind the first tab.
      out.reserve(1);
      out.bytes.copyWithin(begin + 1, begin, out.length);
      out.bytes[begin] = TAB;
      out.length++;
    }
  }

  #replaceLabel(begin: number): void {
    const { out } = this;
    const column = this.#columns.names[this.#columns.label[0]];
    const instead = "each such character is written as _";
    refuse("a label with a bar or line break", column, this.#options, this.#warnings, instead);
    const end = out.length;
    out.length = begin;
    writeReplaced(out, LABEL_BREAKS, out.bytes, begin, end);
  }

  #writeTag(spans: Spans, field: number, alone: boolean): void {
    const { out } = this;
    const cell = this.#cell;
    cell.read(spans, field);
    if (cell.start === cell.end) return;
    // VW takes one leading tick for the mark of a tag.
    const start = cell.bytes[cell.start] === TICK ? cell.start + 1 : cell.start;
    if (alone) out.byte(SPACE);
    out.byte(TICK);
    if (firstOf(TAG_BREAKS, cell.bytes, start, cell.end) === cell.end) {
      out.span(cell.bytes, start, cell.end);
      return;
    }
    const column = this.#columns.names[this.#columns.tag];
    const instead = "each such character is written as _";
    refuse("tags with a space, bar or line break", column, this.#options, this.#warnings, instead);
    writeReplaced(out, TAG_BREAKS, cell.bytes, start, cell.end);
  }
}

/** Bytes that a cell may grow by: its number, its index, a tab. */
const MOST_GROWTH = 32;
/** Whole numbers of up to so many digits are float32 as they stand. */
const EXACT_DIGITS = 7;
const NO_DIGITS = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= ZERO && byte <= NINE ? 0 : 1));
/** Bytes with which neither a number begins nor what VW's text takes for one: all past the digits but e, i and n. */
const STARTS_WORD = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte > NINE && !"EINein".includes(String.fromCharCode(byte)) ? 1 : 0,
);

function textNamespace(
  namespace: Namespace,
  options: ResolvedVwOptions,
  warnings: VwWarnings,
): TextNamespace {
  const { hash, columns, ratio } = namespace;
  const column = columns[0].column;
  const name = textName(namespace.bytes, hash, options.hashSeed, column, true, options, warnings);
  return {
    namespace,
    opening: joined([BAR], name),
    ratio,
    columns: columns.map((feature) => {
      const featureName = textName(
        feature.bytes,
        feature.hash,
        hash,
        feature.column,
        false,
        options,
        warnings,
      );
      const bare = joined([SPACE], featureName);
      return {
        column: feature,
        index: feature.index,
        bare,
        prefix: joined(bare, [COLON]),
        anonymous: feature.bytes.length === 0,
      };
    }),
  };
}

function joined(first: ArrayLike<number>, second: ArrayLike<number>): Uint8Array {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

function firstByteOf(byte: number, bytes: Uint8Array, start: number, end: number): number {
  let i = start;
  while (i < end && bytes[i] !== byte) i++;
  return i;
}

/** The first byte of the last word of a label. */
function lastWordStarts(bytes: Uint8Array, start: number, end: number): number {
  let i = end;
  while (i > start && bytes[i - 1] === SPACE) i--;
  while (i > start && bytes[i - 1] !== SPACE) i--;
  return i < end ? bytes[i] : -1;
}
