import type { Spans } from "../../machine/spans.js";
import type { ByteWriter } from "./byte-writer.js";
import type { CellText } from "./cell.js";
import { VwFault } from "./fault.js";
import type { VwColumns } from "./header.js";
import { isMultiline, type LabelMaker } from "./label.js";

const SPACE = 0x20;
const COMMA = 0x2c;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Reads the label of a record: the text of its columns, or what a {@link LabelMaker} makes of them. */
export class LabelReader {
  readonly #columns: VwColumns;
  readonly #cell: CellText;
  readonly #multilabels: boolean;
  readonly #maker: LabelMaker | null;
  readonly #keepsAny: boolean;

  constructor(
    columns: VwColumns,
    cell: CellText,
    multilabels: boolean,
    maker: LabelMaker | null,
    contextual: boolean,
  ) {
    this.#columns = columns;
    this.#cell = cell;
    this.#multilabels = multilabels;
    this.#maker = maker;
    this.#keepsAny = contextual;
  }

  /** Appends the label of the record whose fields begin at `first`. */
  write(spans: Spans, first: number, out: ByteWriter): void {
    const { label } = this.#columns;
    if (label.length === 0) return;
    if (this.#maker !== null) {
      const bytes = encoder.encode(this.#make(spans, first, this.#maker));
      out.span(bytes, 0, bytes.length);
      return;
    }
    const begin = out.length;
    const cell = this.#cell;
    for (let part = 0; part < label.length; part++) {
      cell.read(spans, first + label[part]);
      cell.trim();
      if (cell.start === cell.end) {
        // What follows a label, such as its weight, is nothing without it.
        if (part === 0 && !this.#multilabels) return;
        continue;
      }
      if (out.length > begin) out.byte(this.#multilabels ? COMMA : SPACE);
      out.span(cell.bytes, cell.start, cell.end);
    }
  }

  /** The label's text. */
  text(spans: Spans, first: number, out: ByteWriter): string {
    const begin = out.length;
    this.write(spans, first, out);
    const text = decoder.decode(out.bytes.subarray(begin, out.length));
    out.length = begin;
    return text;
  }

  /** Whether a record without features is more than the end of an example: one of several lines is labelled. */
  keepsEmpty(spans: Spans, first: number, out: ByteWriter): boolean {
    if (this.#columns.label.length === 0) return false;
    if (this.#maker !== null && !this.#keepsAny) return false;
    const text = this.text(spans, first, out);
    return this.#keepsAny ? text !== "" : isMultiline(text);
  }

  #make(spans: Spans, first: number, maker: LabelMaker): string {
    const { label, weight, names } = this.#columns;
    const cell = this.#cell;
    const parts = label.map((index) => this.#text(cell, spans, first + index));
    try {
      return maker.label(parts, weight < 0 ? "" : this.#text(cell, spans, first + weight));
    } catch (error) {
      if (!(error instanceof VwFault)) throw error;
      throw new VwFault(error.code, error.message, names[label[0]], parts.join(" "));
    }
  }

  #text(cell: CellText, spans: Spans, field: number): string {
    cell.read(spans, field);
    return cell.text();
  }
}
