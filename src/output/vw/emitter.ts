import { CsvError, type CsvPlace, type CsvWarning } from "../../errors.js";
import { MISPLACED, RECORD_MISPLACED, RECORD_UNTERMINATED, type Spans } from "../../machine/spans.js";
import { type MachineBytes, machineBytes } from "../../machine/table.js";
import { ByteWriter } from "./byte-writer.js";
import { CellText } from "./cell.js";
import { type VwExample, VwExampleReader } from "./examples.js";
import { VwFault } from "./fault.js";
import { type HeaderCell, readColumns, type VwColumns } from "./header.js";
import { LabelMaker } from "./label.js";
import { LabelReader } from "./label-reader.js";
import { hasLineTrim, trimRecord } from "./line-ends.js";
import { readFloat32 } from "./number.js";
import type { ResolvedVwOptions } from "./options.js";
import { VwTextWriter } from "./text.js";
import { VwWarnings } from "./warnings.js";

/** What a {@link VwEmitter} may be told beside its options. */
export interface VwEmitterSettings {
  /** The dialect's bytes, as the scanner has them. Default: VW's own, `"` doubled. */
  machine?: MachineBytes;
  /** Where a record of the spans lies, for errors. Default: unknown. */
  placeOf?: (record: number) => CsvPlace;
  /** Called with each warning. */
  onWarning?: (warning: CsvWarning) => void;
}

const RFC_4180 = machineBytes({
  delimiter: ",",
  quote: '"',
  escape: '"',
  newline: "\n",
  strictNewline: false,
  comment: null,
  skipInitialSpace: false,
});

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

/**
 * Makes VW examples out of records: lines of VW's text format, or structured examples. It reads the records' spans
 * and knows no stream. Names of classes are numbered over all files; {@link VwEmitter.reset} takes the header of
 * the next one.
 */
export class VwEmitter {
  readonly #options: ResolvedVwOptions;
  readonly #warnings: VwWarnings;
  #placeOf: (record: number) => CsvPlace;
  readonly #maker: LabelMaker | null;
  readonly #scratch = new ByteWriter();
  #columns: VwColumns;
  #text: VwTextWriter | null = null;
  #examples: VwExampleReader | null = null;
  #cell: CellText;
  #labels: LabelReader;

  /**
   * @param header The file's header; null where its first record is data (`csvNoFileHeader`).
   * @throws CsvError VW_HEADER for a header that VW would refuse, or that lacks a column an option names.
   */
  constructor(
    header: readonly HeaderCell[] | null,
    options: ResolvedVwOptions,
    settings: VwEmitterSettings = {},
  ) {
    this.#options = options;
    this.#warnings = new VwWarnings(settings.onWarning);
    this.#placeOf = settings.placeOf ?? (() => ({}));
    this.#maker = options.label === undefined ? null : new LabelMaker(options.label);
    const machine = settings.machine ?? RFC_4180;
    this.#columns = this.#readHeader(header);
    this.#cell = new CellText(machine, options.removeOuterQuotes);
    this.#labels = this.#labelReader();
  }

  /** What each column is to VW. */
  get columns(): VwColumns {
    return this.#columns;
  }

  /** What was warned of so far. */
  get warnings(): readonly CsvWarning[] {
    return this.#warnings.list;
  }

  /** The number of each class that has a name, in order: what `--named_labels` lists, too. */
  get labels(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#maker?.names ?? []);
  }

  /**
   * Ends a file and begins the next.
   *
   * @param header The next file's header, as for the constructor.
   * @param machine The next file's dialect.
   * @param placeOf Where a record of the next file's spans lies.
   */
  reset(
    header: readonly HeaderCell[] | null,
    machine: MachineBytes = RFC_4180,
    placeOf: (record: number) => CsvPlace = this.#placeOf,
  ): void {
    this.#placeOf = placeOf;
    this.#columns = this.#readHeader(header);
    this.#cell = new CellText(machine, this.#options.removeOuterQuotes);
    this.#labels = this.#labelReader();
    this.#text = null;
    this.#examples = null;
  }

  /**
   * Whether a record may not be read, and why: its fields are not as many as the columns, or its quotes are not
   * as they should be. {@link VwEmitter.line} and {@link VwEmitter.example} do not look.
   */
  structureFault(spans: Spans, record: number): CsvError | null {
    const trims = hasLineTrim(spans, record);
    const source = trims ? trimRecord(spans, record) : spans;
    const at = trims ? 0 : record;
    const fault = quoteFault(source, at, this.#placeOf(record));
    if (fault !== null) return fault;
    const found = source.firstField[at + 1] - source.firstField[at];
    const expected = this.#columns.count;
    if (found === expected || isBlank(source, at)) return null;
    const code = found < expected ? "TOO_FEW_FIELDS" : "TOO_MANY_FIELDS";
    const from = this.#options.header === undefined ? "the header" : "vw.csvHeader";
    const what = `the record has ${found} fields, ${from} has ${expected}`;
    return new CsvError(code, what, { ...this.#placeOf(record), expected, found }, FIELDS_HINT);
  }

  /**
   * A record as a line of VW's text format, without the line end; empty for a record that is blank or whose
   * feature cells are all empty.
   *
   * @throws CsvError VW_LABEL for a label that is not of its kind; VW_INEXPRESSIBLE where that option says so.
   */
  line(spans: Spans, record: number): string {
    const writer = this.#textWriter();
    const { out } = writer;
    out.length = 0;
    this.#writeLine(writer, spans, record);
    return decoder.decode(out.bytes.subarray(0, out.length));
  }

  /**
   * {@link VwEmitter.line} of the records from `from` to `to`, which is faster than one by one.
   *
   * @param onFault Called with the error of each record that has one; the record makes no line then. Without it,
   *   the first error is thrown.
   */
  lines(
    spans: Spans,
    from: number,
    to: number,
    onFault?: (error: CsvError, record: number) => void,
  ): string[] {
    const writer = this.#textWriter();
    const { out } = writer;
    out.length = 0;
    const ends: number[] = [];
    for (let record = from; record < to; record++) {
      const begin = out.length;
      try {
        this.#writeLine(writer, spans, record);
        ends.push(out.length);
      } catch (error) {
        if (onFault === undefined || !(error instanceof CsvError)) throw error;
        out.length = begin;
        onFault(error, record);
      }
    }
    const text = decoder.decode(out.bytes.subarray(0, out.length));
    // Where all is ASCII, and most often it is, offsets in bytes are offsets in text.
    const ascii = text.length === out.length;
    const lines: string[] = [];
    let start = 0;
    for (const end of ends) {
      lines.push(ascii ? text.slice(start, end) : decoder.decode(out.bytes.subarray(start, end)));
      start = end;
    }
    return lines;
  }

  /**
   * A record as a structured example.
   *
   * @throws CsvError VW_LABEL for a label that is not of its kind.
   */
  example(spans: Spans, record: number): VwExample {
    const trims = hasLineTrim(spans, record);
    const source = trims ? trimRecord(spans, record) : spans;
    const at = trims ? 0 : record;
    try {
      if (this.#isNewline(source, at)) {
        return { label: null, weight: 1, tag: null, namespaces: [], newline: true };
      }
      this.#examples ??= new VwExampleReader(
        this.#columns,
        this.#cell,
        this.#labels,
        this.#options,
        this.#warnings,
      );
      return this.#examples.read(source, at);
    } catch (error) {
      throw this.#placed(error, record);
    }
  }

  #writeLine(writer: VwTextWriter, spans: Spans, record: number): void {
    const trims = hasLineTrim(spans, record);
    const source = trims ? trimRecord(spans, record) : spans;
    const at = trims ? 0 : record;
    try {
      if (!this.#isNewline(source, at)) writer.write(source, at);
    } catch (error) {
      throw this.#placed(error, record);
    }
  }

  /**
   * Whether the record is an empty line of text: blank, or without a feature cell that holds something. A labelled
   * record of an example of several lines is kept.
   */
  #isNewline(spans: Spans, record: number): boolean {
    const first = spans.firstField[record];
    if (isBlank(spans, record)) return true;
    for (const { columns } of this.#columns.namespaces) {
      for (const { index } of columns) {
        const field = first + index;
        if (spans.starts[field] !== spans.ends[field] || spans.flags[field] !== 0) return false;
      }
    }
    return !this.#labels.keepsEmpty(spans, first, this.#scratch);
  }

  #textWriter(): VwTextWriter {
    if (this.#text === null) {
      try {
        this.#text = new VwTextWriter(this.#columns, this.#cell, this.#labels, this.#options, this.#warnings);
      } catch (error) {
        throw error instanceof VwFault ? error.at({ record: 0 }) : error;
      }
    }
    return this.#text;
  }

  #placed(error: unknown, record: number): unknown {
    return error instanceof VwFault ? error.at(this.#placeOf(record)) : error;
  }

  #readHeader(header: readonly HeaderCell[] | null): VwColumns {
    const options = this.#options;
    const cells = options.header ?? header;
    if (cells === null) {
      throw new CsvError("VW_HEADER", "the file has no header, and vw.csvHeader gives none");
    }
    if (options.header !== undefined && header !== null) this.#checkReplaced(header, options.header.length);
    const columns = readColumns(cells, options);
    if (columns.label.length === 0) {
      this.#warnings.warn(
        "VW_NO_LABEL",
        "no column is the label (_label, or vw.csvLabel): examples are unlabelled",
      );
    }
    const [only] = columns.names;
    if (
      columns.count === 1 &&
      options.separator !== undefined &&
      hasOtherSeparator(only, options.separator)
    ) {
      const asked = JSON.stringify(options.separator);
      this.#warnings.warn(
        "VW_ONE_COLUMN",
        `with vw.csvSeparator ${asked} there is one column, ${JSON.stringify(only)}`,
      );
    }
    return columns;
  }

  /** The header that `csvHeader` replaces has as many cells, and looks like a header. */
  #checkReplaced(header: readonly HeaderCell[], expected: number): void {
    if (header.length !== expected) {
      throw new CsvError(
        "VW_HEADER",
        `vw.csvHeader has ${expected} cells, the file's header ${header.length}`,
        {
          record: 0,
          expected,
          found: header.length,
        },
      );
    }
    const number = header.find((cell) => {
      const bytes = typeof cell === "string" ? encoder.encode(cell) : cell;
      return !Number.isNaN(readFloat32(bytes, 0, bytes.length));
    });
    if (number === undefined) return;
    this.#warnings.warn(
      "VW_HEADER_REPLACED",
      "vw.csvHeader replaces the file's first record, which holds numbers; if that is data, pass vw.csvNoFileHeader",
    );
  }

  #labelReader(): LabelReader {
    const { multilabels, label } = this.#options;
    return new LabelReader(this.#columns, this.#cell, multilabels, this.#maker, label?.kind === "cb");
  }
}

const FIELDS_HINT =
  "Correct the record, or pass onError: 'reject' to set it aside; if the fields are cut wrongly, give vw.csvSeparator.";

/** What is wrong with a record's quotes. */
function quoteFault(spans: Spans, record: number, place: CsvPlace): CsvError | null {
  const flags = spans.recordFlags[record];
  if ((flags & (RECORD_UNTERMINATED | RECORD_MISPLACED)) === 0) return null;
  const first = spans.firstField[record];
  const last = spans.firstField[record + 1] - 1;
  if (flags & RECORD_UNTERMINATED) {
    return new CsvError("UNTERMINATED_QUOTE", "a quote is not closed", {
      ...place,
      column: last - first + 1,
    });
  }
  let field = first;
  while (field < last && !(spans.flags[field] & MISPLACED)) field++;
  return new CsvError("TEXT_AFTER_QUOTE", "text follows a closing quote", {
    ...place,
    column: field - first + 1,
  });
}

/** A record without a byte: one empty field, not in quotes. */
function isBlank(spans: Spans, record: number): boolean {
  return spans.recordStarts[record] === spans.recordEnds[record];
}

function hasOtherSeparator(cell: string, separator: string): boolean {
  return [",", ";", "\t", "|"].some((other) => other !== separator && cell.includes(other));
}

/**
 * The cells of a header record as bytes, read as VW reads them: line ends trimmed, escapes undone, outer quotes
 * removed or, by option, kept.
 *
 * @throws CsvError UNTERMINATED_QUOTE, TEXT_AFTER_QUOTE.
 */
export function readHeaderCells(
  spans: Spans,
  record: number,
  options: ResolvedVwOptions,
  machine: MachineBytes = RFC_4180,
): Uint8Array[] {
  const trims = hasLineTrim(spans, record);
  const source = trims ? trimRecord(spans, record) : spans;
  const at = trims ? 0 : record;
  const fault = quoteFault(source, at, { record: 0 });
  if (fault !== null) throw fault;
  const cell = new CellText(machine, options.removeOuterQuotes);
  const cells: Uint8Array[] = [];
  for (let field = source.firstField[at]; field < source.firstField[at + 1]; field++) {
    cell.read(source, field);
    cells.push(cell.bytes.slice(cell.start, cell.end));
  }
  return cells;
}
