import { CsvError, type CsvWarning } from "../errors.js";
import type { SampleBounds } from "../input/buffer-manager.js";
import type { Dialect } from "../machine/dialect.js";
import { Kernel } from "../machine/kernel.js";
import { type ScanFault, Scanner } from "../machine/scanner.js";
import type { Spans } from "../machine/spans.js";
import { cellReading, isDelimiter, type ResolvedOptions } from "../options.js";
import { CellReader } from "../types/cell-reader.js";
import type { CastSettings } from "../types/create-caster.js";
import { compileFormat } from "../types/format.js";
import type { SampleLimits } from "./candidate.js";
import type { ColumnEvidence, TypingWishes } from "./column-evidence.js";
import { generatedName, uniqueNames } from "./column-names.js";
import { type DetectedDialect, detectDialect } from "./dialect-detection.js";
import { detectHeader, type HeaderVerdict } from "./header-detection.js";
import { findLayout, type Layout, nameField } from "./layout.js";
import { shapeWarnings } from "./shape-warnings.js";
import type { AmbiguousColumn, Column, Sniff } from "./sniff.js";
import { StepBudget } from "./step-budget.js";
import { textColumnRemarks } from "./text-columns.js";
import { detectTypes } from "./type-detection.js";
import { refineTypes } from "./type-refinement.js";
import { replaceTypes, typeOfFormat } from "./type-replacement.js";

/** Lines of preamble that are kept. */
const KEPT_PREAMBLE = 1_000;
/** Names listed in a warning. */
const LISTED_NAMES = 10;

/** The options that reading and sniffing cells share. */
export function castSettings(options: ResolvedOptions): CastSettings {
  const encoder = new TextEncoder();
  return {
    numbers: {
      decimal: options.decimalSeparator.charCodeAt(0),
      thousands: options.thousandsSeparator === "" ? 0 : options.thousandsSeparator.charCodeAt(0),
    },
    trueValues: options.trueValues.map((text) => encoder.encode(text)),
    falseValues: options.falseValues.map((text) => encoder.encode(text)),
    dates: options.dates,
    bigint: options.bigint,
    detach: options.detach,
  };
}

/** What makes a cell missing, from the options. */
export function nullSettings(options: ResolvedOptions): ConstructorParameters<typeof CellReader>[1] {
  const encoder = new TextEncoder();
  return {
    nullTexts: options.nullValues.map((text) => encoder.encode(text)),
    quotedEmpty: options.quotedEmpty,
    quotedAsText: options.quotedAsText,
  };
}

/**
 * Sniffs a sample in five steps: dialect detection, type detection, header detection, type replacement and type
 * refinement. It looks at the sample alone, so the result does not depend on what follows.
 *
 * @throws CsvError for options that the sample contradicts: UNKNOWN_COLUMN, DUPLICATE_HEADERS,
 *   AMBIGUOUS_DATES; for limits that it passes: PREAMBLE_TOO_LARGE, NAME_TOO_LARGE,
 *   SNIFF_TOO_COSTLY, and RECORD_TOO_LARGE or TOO_MANY_COLUMNS of the first record; EMPTY_SAMPLE.
 */
export function sniffSample(bytes: Uint8Array, bounds: SampleBounds, options: ResolvedOptions): Sniff {
  const sample = bytes.subarray(bounds.start, bounds.end);
  const warnings: CsvWarning[] = [];
  if (bounds.kind !== null)
    warnings.push({ code: "NOT_CSV", message: `the input seems to be ${bounds.kind}` });
  if (bounds.guess.evidence === "guess") warnings.push(guessedEncoding(bounds));
  const separator = options.delimiter === undefined && !options.skipLines ? separatorLine(sample) : null;
  const skipLines = options.skipLines ?? 0;
  const hintLines = separator === null ? 0 : 1;
  const table = sample.subarray(lineOffset(sample, skipLines + hintLines));
  const { maxRecordSize, maxColumns, engine } = options;
  const budget = new StepBudget(options.maxSniffSteps);
  const limits = { maxRecordSize, maxColumns, engine, budget };

  const detected = detectDialect(
    table,
    bounds.complete,
    separator === null ? options : { ...options, delimiter: separator },
    limits,
  );
  const { dialect } = detected.reading;
  const scanner = detected.reading.scanner ?? scanned(table, bounds.complete, dialect, limits);
  if (scanner.fault !== null && scanner.spans.recordCount === 0) {
    throw firstTooLarge(scanner.fault, skipLines + hintLines + scanner.linesBefore, options);
  }
  const spans = scanner.spans;
  const width = widthWished(options, detected.reading.columns);
  const layout = findLayout(spans, width, dialect.delimiter, {
    skipLines: options.skipLines === undefined ? undefined : 0,
    skipRecords: options.skipRecords,
    header: options.header,
    headerLines: options.headerLines,
  });

  // The cells are looked at once for their types, and once more for what else they tell.
  budget.spend(3 * table.length);
  const skipped = options.skipRecords > 0 ? 0 : layout.skipLines;
  if (options.skipLines === undefined) checkPreamble(sample, hintLines + skipped, options);

  const cells = new CellReader(scanner.machine, nullSettings(options));
  const settings = castSettings(options);
  const kernel = scanner.engine === "wasm" ? Kernel.get() : null;
  const evidence = detectTypes(spans, layout, cells, typingWishes(options), settings, kernel);
  const verdict = headerVerdict(spans, layout, evidence, cells, options);
  refineTypes(spans, layout, verdict.header, cells, evidence, kernel);
  const columns = nameColumns(spans, layout, evidence, verdict, cells, options, warnings);
  if (columns.length === 0 && !bounds.complete) {
    const what = `the first ${bounds.end} bytes, which are the sample, hold no record of a table`;
    throw new CsvError("EMPTY_SAMPLE", what);
  }
  const undecided = columns.flatMap((column, index) => (column.type === "SQLNULL" ? [index] : []));
  const replaced = replaceTypes(columns, options);
  const ambiguous = settleUndecided(columns, evidence, replaced, options);
  for (const column of columns) if (column.type === "SQLNULL") column.type = "VARCHAR";

  warnAboutLayout(layout, detected, scanner, table, skipLines + hintLines, options, warnings);
  const above = skipLines + hintLines;
  const lineOf = (record: number) => above + spans.recordLines[record] + 1;
  warnings.push(...shapeWarnings(spans, layout, bounds.complete, lineOf));
  const hints: string[] = [];
  if (options.types !== false) {
    const isAsked = (index: number) => !replaced.has(index);
    const wishes = typingWishes(options);
    const remarks = textColumnRemarks({ spans, layout, cells, lineOf }, columns, isAsked, wishes, settings);
    warnings.push(...remarks.warnings);
    hints.push(...remarks.hints);
  }
  for (const option of ["dateFormat", "timestampFormat"] as const) {
    const format = options[option];
    if (typeof format !== "string" || columns.some((column) => column.format === format)) continue;
    const message = `no column holds values in the ${option} ${JSON.stringify(format)}`;
    warnings.push({ code: "UNUSED_FORMAT", message });
  }
  for (const { column, formats } of ambiguous) {
    const others = formats.slice(1).join(" or ");
    warnings.push({
      code: "AMBIGUOUS_DATES",
      column,
      message: `column ${JSON.stringify(column)} is read as ${formats[0]}; ${others} would fit too`,
    });
  }
  return {
    dialect: {
      ...usableDialect(dialect, scanner, options),
      skipLines: skipLines + hintLines + skipped,
      skipRecords: options.skipRecords,
      header: verdict.header,
      headerLines: verdict.header ? layout.headerRecords.length : 0,
      encoding: bounds.guess.encoding,
      bom: bounds.guess.bomLength > 0,
      ignoreTrailingDelimiter: options.ignoreTrailingDelimiter ?? layout.trailingDelimiter,
    },
    columns,
    delimiterSeen: detected.reading.delimiters > 0,
    quoteSeen: detected.reading.quotedFields > 0,
    headerConfidence: verdict.confidence,
    confidence: detected.confidence,
    preamble: preambleLines(sample, skipLines + hintLines + skipped),
    ambiguous,
    undecided: undecided.filter((index) => !replaced.has(index)).map((index) => columns[index].name),
    cells: cellReading(options),
    hints,
    warnings,
    candidates: detected.candidates,
    sample: {
      records: layout.body.length + (verdict.header ? 0 : layout.headerRecords.length),
      bytes: bounds.end,
      complete: bounds.complete,
    },
  };
}

function typingWishes(options: ResolvedOptions): TypingWishes {
  const wishes: TypingWishes = {
    candidates: options.typeCandidates,
    bigint: options.bigint,
    ambiguousDates: options.ambiguousDates,
  };
  for (const text of [options.dateFormat, options.timestampFormat]) {
    if (typeof text !== "string") continue;
    const type = typeOfFormat(text);
    if (type === "DATE") wishes.dateFormat = compileFormat(text);
    else wishes.timestampFormat = compileFormat(text);
  }
  return wishes;
}

function widthWished(options: ResolvedOptions, found: number): number {
  return options.names !== undefined && options.names.length > found ? options.names.length : found;
}

function headerVerdict(
  spans: Spans,
  layout: Layout,
  evidence: ColumnEvidence[],
  cells: CellReader,
  options: ResolvedOptions,
): HeaderVerdict {
  if (options.header !== undefined)
    return { header: options.header && layout.first >= 0, confidence: "given" };
  if (layout.first < 0) return { header: false, confidence: "assumed" };
  return detectHeader(spans, layout, evidence, cells);
}

function nameColumns(
  spans: Spans,
  layout: Layout,
  evidence: ColumnEvidence[],
  verdict: HeaderVerdict,
  cells: CellReader,
  options: ResolvedOptions,
  warnings: CsvWarning[],
): Column[] {
  const count = layout.first < 0 ? (options.names?.length ?? 0) : layout.columns;
  const originals: string[] = [];
  for (let column = 0; column < count; column++) {
    originals.push(
      options.names?.[column] ??
        headerText(spans, layout, verdict, cells, column) ??
        generatedName(column, count),
    );
  }
  checkNames(originals, options.maxNameSize);
  const names = uniqueNames(originals);
  const duplicates = [...new Set(originals.filter((original, column) => names[column] !== original))];
  if (duplicates.length > 0) {
    const listed = duplicates.slice(0, LISTED_NAMES).map((name) => JSON.stringify(name));
    const message = `several columns are named ${listed.join(", ")}`;
    if (options.duplicateHeaders === "error") throw new CsvError("DUPLICATE_HEADERS", message, { record: 0 });
    warnings.push({ code: "DUPLICATE_HEADERS", message });
  }
  return names.map((name, column) => ({
    name,
    originalName: originals[column],
    ...(evidence[column]?.typing() ?? { type: "SQLNULL" }),
  }));
}

/** The header's text for a column, its lines joined by a space, or undefined where it has none. */
function headerText(
  spans: Spans,
  layout: Layout,
  verdict: HeaderVerdict,
  cells: CellReader,
  column: number,
): string | undefined {
  if (!verdict.header) return undefined;
  const texts: string[] = [];
  for (const record of layout.headerRecords) {
    const field = nameField(spans, layout, record, column);
    if (layout.rawNames === null && field < 0) continue;
    if (layout.rawNames === null) cells.read(spans, field);
    const text = layout.rawNames === null ? cells.text() : layout.rawNames[column];
    if (text.trim() !== "") texts.push(text);
  }
  if (texts.length === 0) return undefined;
  return texts.length === 1 ? texts[0] : texts.map((text) => text.trim()).join(" ");
}

/** Lists the columns whose dates fit several formats, unless the caller has settled them. */
function settleUndecided(
  columns: Column[],
  evidence: ColumnEvidence[],
  replaced: Set<number>,
  options: ResolvedOptions,
): AmbiguousColumn[] {
  const ambiguous: AmbiguousColumn[] = [];
  columns.forEach((column, index) => {
    if (replaced.has(index)) return;
    const formats = evidence[index]?.formats() ?? [];
    if (formats.length < 2) return;
    if (options.ambiguousDates === "error") {
      throw new CsvError("AMBIGUOUS_DATES", `dates fit ${formats.join(" and ")}`, { column: column.name });
    }
    ambiguous.push({ column: column.name, formats });
  });
  return ambiguous;
}

/** A scanner behind the whole sample. */
function scanned(sample: Uint8Array, complete: boolean, dialect: Dialect, limits: SampleLimits): Scanner {
  const scanner = new Scanner(dialect, limits, true, limits.engine);
  scanner.scan(sample, sample.length, complete, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
  return scanner;
}

function warnAboutLayout(
  layout: Layout,
  detected: DetectedDialect,
  scanner: Scanner,
  table: Uint8Array,
  linesAbove: number,
  options: ResolvedOptions,
  warnings: CsvWarning[],
): void {
  const { reading } = detected;
  if (layout.headerTrailingDelimiter) {
    warnings.push({
      code: "HEADER_TRAILING_DELIMITER",
      message: "the header ends in a delimiter that no record has; it is left out",
      line: linesAbove + layout.skipLines + 1,
    });
  }
  if (layout.otherTable >= 0) {
    warnings.push({
      code: "OTHER_TABLE",
      message: "records of another width follow one another, as in a second table; the first is read",
      line: linesAbove + scanner.spans.recordLines[layout.otherTable] + 1,
    });
  }
  if (options.quote === undefined && reading.dialect.quote === null && table.includes(0x22)) {
    warnings.push({
      code: "QUOTE_IGNORED",
      message:
        'quotes do not pair in the sample, so they are read as text; pass quote: "\\"" to insist on them',
    });
  }
  const kinds = Object.values(scanner.newlines).filter((count) => count > 0).length;
  if (kinds > 1) {
    warnings.push({
      code: "MIXED_NEWLINES",
      message: "lines end in CRLF, LF or CR; all of them are read as line ends",
      line: linesAbove + scanner.mixedLine + 1,
    });
  }
}

/** The dialect as it can be used on: an unseen quote is `"`, and the newline is the most frequent one. */
function usableDialect(dialect: Dialect, scanner: Scanner, options: ResolvedOptions): Dialect {
  const { lf, crlf, cr } = scanner.newlines;
  const most = crlf > 0 && crlf >= lf && crlf >= cr ? "\r\n" : cr > lf ? "\r" : "\n";
  const usable =
    options.newline === undefined ? { ...dialect, newline: most as Dialect["newline"] } : { ...dialect };
  if (usable.quote === null) usable.escape = options.escape ?? null;
  return usable;
}

function guessedEncoding(bounds: SampleBounds): CsvWarning {
  return {
    code: "ENCODING_GUESSED",
    message: `the bytes are no UTF-8; they are read as ${bounds.guess.encoding}, which is a guess: pass encoding to settle it`,
  };
}

/** The first record passes a limit, so nothing of the table is known. */
function firstTooLarge(fault: ScanFault, linesBefore: number, options: ResolvedOptions): CsvError {
  const limit = fault === "TOO_MANY_COLUMNS" ? options.maxColumns : options.maxRecordSize;
  const unit = fault === "TOO_MANY_COLUMNS" ? "fields" : "bytes";
  return new CsvError(fault, `a record has more than ${limit} ${unit}`, { line: linesBefore + 1, limit });
}

/** Where a physical line begins, counted from 0; the end of the bytes when there are not so many. */
function lineOffset(bytes: Uint8Array, line: number): number {
  let at = 0;
  for (let skipped = 0; skipped < line && at < bytes.length; skipped++) at = nextLine(bytes, at);
  return at;
}

/** The start of the line after the one at `from`. */
function nextLine(bytes: Uint8Array, from: number): number {
  for (let i = from; i < bytes.length; i++) {
    if (bytes[i] === 0x0a) return i + 1;
    if (bytes[i] === 0x0d) return bytes[i + 1] === 0x0a ? i + 2 : i + 1;
  }
  return bytes.length;
}

/** The sniffer leaves out no more than it may. */
function checkPreamble(sample: Uint8Array, lines: number, options: ResolvedOptions): void {
  const limit = options.maxPreambleSize;
  const size = lineOffset(sample, lines);
  if (size <= limit) return;
  const what = `the table begins ${size} bytes into the file, behind more than ${limit} bytes of other lines`;
  throw new CsvError("PREAMBLE_TOO_LARGE", what, { line: lines + 1, byteOffset: size, limit });
}

/** No name is longer than it may be. */
function checkNames(names: readonly string[], limit: number): void {
  const encoder = new TextEncoder();
  for (const [column, name] of names.entries()) {
    // A unit takes three bytes at most, so few names need to be encoded.
    if (name.length * 3 <= limit || encoder.encode(name).length <= limit) continue;
    const what = `a column's name is longer than ${limit} bytes`;
    throw new CsvError("NAME_TOO_LARGE", what, { record: 0, column: column + 1, limit });
  }
}

function preambleLines(sample: Uint8Array, count: number): string[] {
  const lines: string[] = [];
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let at = 0;
  while (lines.length < Math.min(count, KEPT_PREAMBLE) && at < sample.length) {
    const next = nextLine(sample, at);
    let end = next;
    while (end > at && (sample[end - 1] === 0x0a || sample[end - 1] === 0x0d)) end--;
    lines.push(decoder.decode(sample.subarray(at, end)));
    at = next;
  }
  return lines;
}

/** Longest line that is looked at as a hint. */
const LONGEST_HINT = 12;

/**
 * The delimiter that a spreadsheet's hint line names: `sep=;` in any case, quoted or not, on the first line.
 * Null where there is none.
 */
function separatorLine(sample: Uint8Array): string | null {
  const end = nextLine(sample, 0);
  if (end > LONGEST_HINT) return null;
  const line = new TextDecoder().decode(sample.subarray(0, end)).replace(/[\r\n]+$/, "");
  const bare = line.startsWith('"') && line.endsWith('"') ? line.slice(1, -1) : line;
  const named = /^sep=(.{1,4})$/i.exec(bare);
  return named !== null && isDelimiter(named[1]) ? named[1] : null;
}
