import { CsvError, type CsvWarning, type Reject } from "./errors.js";
import { checkEncoding } from "./input/encoding.js";
import type { Engine } from "./machine/scanner.js";
import type { StandardSchema } from "./output/row-schema.js";
import { type ResolvedVwOptions, resolveVwOptions, type VwOptions, vwReading } from "./output/vw/options.js";
import type { CellReading, SchemaChange, Sniff } from "./sniffer/sniff.js";
import type { DateOutput } from "./types/column-typing.js";
import { compileFormat } from "./types/format.js";
import { DEFAULT_TYPE_CANDIDATES, type LogicalType, logicalType, TYPE_ORDER } from "./types/logical-type.js";

/** What a stream gives. */
export type Output = "rows" | "batches" | "ndjson" | "csv" | "vw" | "vw-examples";

/** A logical type under any of its names, in any case. */
export type TypeName = LogicalType | Lowercase<LogicalType> | (string & {});

/**
 * All options; every one has a default, and whatever of the dialect and the types is not given is sniffed.
 * docs/options.md describes each with its effect on sniffing.
 */
export interface CsvOptions {
  /** The delimiter, one to four bytes. Default: sniffed. */
  delimiter?: string;
  /**
   * The delimiters that the sniffer tries. Default: `,` `|` `;` and tab, and, on strong evidence only, `||` `, `
   * `^` `~` `#` `:` space and U+001F.
   */
  delimiters?: readonly string[];
  /** The quote, one ASCII character; null or "" for none. Default: sniffed. */
  quote?: string | null;
  /** The escape, one ASCII character; null or "" for none. Default: sniffed. */
  escape?: string | null;
  /** The line end, obeyed exactly. Default: CRLF, LF and CR are one class. */
  newline?: "\n" | "\r\n" | "\r";
  /** The character that begins a comment line; null or "" for none. Default: sniffed. */
  comment?: string | null;
  /** Whether spaces after a delimiter are layout. Default: sniffed. */
  skipInitialSpace?: boolean;
  /** Physical lines to leave out above the table. Default: sniffed. */
  skipLines?: number;
  /** Records to leave out above the header. Default: 0. */
  skipRecords?: number;
  /** Whether the first record names the columns. Default: sniffed. */
  header?: boolean;
  /** Records that the header spans; their texts are joined by one space. Default: sniffed. */
  headerLines?: number;
  /** Names of the columns, in place of the header's or where there is none. */
  names?: readonly string[];
  /**
   * Types of columns, by name, or by position as a list; false reads every column as VARCHAR. Default: sniffed.
   */
  types?: Readonly<Record<string, TypeName>> | readonly TypeName[] | false;
  /** The types that the sniffer may find. Default: all but HUGEINT. */
  typeCandidates?: readonly TypeName[];
  /** Texts that stand for a missing value. Default: the empty one. */
  nullValues?: readonly string[];
  /** Texts that stand for true, exactly. Default: true, in any case. */
  trueValues?: readonly string[];
  /** Texts that stand for false, exactly. Default: false, in any case. */
  falseValues?: readonly string[];
  /** What an empty cell in quotes is: "null" (default) or "string", the empty text. */
  quotedEmpty?: "null" | "string";
  /** Whether cells in quotes are text whatever they hold. Default: false. */
  quotedAsText?: boolean;
  /** The character between whole and fraction. Default: `.` */
  decimalSeparator?: string;
  /** The character between groups of three digits. Default: none. */
  thousandsSeparator?: string;
  /** The format of date columns, or of columns by name. Default: sniffed. */
  dateFormat?: string | Readonly<Record<string, string>>;
  /** The format of timestamp columns, or of columns by name. Default: sniffed. */
  timestampFormat?: string | Readonly<Record<string, string>>;
  /** What to do with dates that fit several formats. Default: "day-first", with a warning. */
  ambiguousDates?: "day-first" | "month-first" | "text" | "error";
  /** What DATE and TIMESTAMP are in rows: `Date` in UTC (default), ISO text, or Temporal objects. */
  dates?: DateOutput;
  /** When BIGINT is `bigint`: "auto" (default; once the sample holds a value past 2^53 − 1), "always", "never". */
  bigint?: "auto" | "always" | "never";
  /** Records that the sniffer looks at. Default: 20,480. */
  sampleRows?: number;
  /** Bytes that the sniffer looks at. Default: 8 MiB. */
  sampleBytes?: number;
  /** Milliseconds after which the sniffer takes what has come. Default: 0, it waits. */
  sampleTimeout?: number;
  /** An earlier sniff, used instead of sniffing. */
  sniffed?: Sniff;
  /** Whether missing fields at a record's end are null instead of a fault. Default: false. */
  nullPadding?: boolean;
  /** What fields beyond the columns are: "error" (default) or "drop". */
  extraFields?: "error" | "drop";
  /** Whether one empty field too many at a record's end is layout. Default: sniffed. */
  ignoreTrailingDelimiter?: boolean;
  /** Which records to skip: blank lines in tables of several columns (default), none, or also "all-null" ones. */
  skipEmptyRecords?: boolean | "all-null";
  /** "strict" refuses mixed line ends; "lenient" takes text after a closing quote. Default: "normal". */
  strictness?: "strict" | "normal" | "lenient";
  /** What to do with records of bad structure or encoding. Default: "error". */
  onError?: "error" | "reject";
  /** What to do with a value that breaks its column's type. Default: as `onError`. */
  onTypeMismatch?: "error" | "reject" | "null" | "widen";
  /** Called with each rejected record. */
  onReject?: (reject: Reject) => void;
  /**
   * Called once, before the first row. It may return options to read by instead, such as `{ types: { zip: "VARCHAR" } }`:
   * the sample is then sniffed again with these. What is no object is ignored.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: most callbacks return nothing.
  onSniff?: (sniff: Sniff) => SniffOverrides | void;
  /** Called when a column is widened. */
  onSchema?: (change: SchemaChange) => void;
  /** Called with what the reader notices after the sniff. */
  onWarning?: (warning: CsvWarning) => void;
  /** The input's encoding, a WHATWG or iconv-lite label. Default: sniffed. */
  encoding?: string;
  /** Whether bytes that are no text in the encoding are a fault (default) or U+FFFD. */
  fatal?: boolean;
  /** Longest record, in bytes of UTF-8. Default: 2 MiB. */
  maxRecordSize?: number;
  /** Most columns. Default: 100,000. */
  maxColumns?: number;
  /** Most data records; one more is TOO_MANY_RECORDS. Default: no end, as none of them is kept. */
  maxRecords?: number;
  /** Longest field in bytes, quotes and escapes not counted. Default: what {@link CsvOptions.maxRecordSize} lets pass. */
  maxFieldSize?: number;
  /** Most records that are rejected; one more is TOO_MANY_REJECTS. Default: no end, as none of them is kept. */
  maxRejects?: number;
  /** Longest column name in bytes of UTF-8. Default: 64 KiB. */
  maxNameSize?: number;
  /** Most bytes above the table that the sniffer leaves out by itself. Default: 1 MiB. */
  maxPreambleSize?: number;
  /** Most bytes that compressed input may come to; 0 refuses it. Default: no end, as none of them is kept. */
  maxDecompressedBytes?: number;
  /** Most bytes that each byte of compressed input may come to, from 16 MiB on. Default: 250. */
  maxDecompressionRatio?: number;
  /** Most steps of the sniffer: bytes it looks at, and 2^16 more a reading, summed over all readings. Default: 2^30. */
  maxSniffSteps?: number;
  /** What to do with equal names: number them (default), gather their values in a list, or refuse. */
  duplicateHeaders?: "rename" | "group" | "error";
  /** What a row is: an object (default) or a list of values. */
  rowShape?: "object" | "array";
  /**
   * What the readable gives: rows (default), column batches, NDJSON lines, CSV records, lines of VW's text format ("vw"), or
   * structured VW examples ("vw-examples"). Lines come without their line end, but with it from `sniffed-csv/node`.
   */
  output?: Output;
  /** What VW examples are made of; goes with the outputs "vw" and "vw-examples". */
  vw?: VwOptions;
  /** Whether CSV output guards text cells that a spreadsheet would run as formulas. Default: false. */
  escapeFormulas?: boolean;
  /** Whether kept cells share no memory with their neighbours. Default: false. */
  detach?: boolean;
  /** Who scans: the WebAssembly kernel where the runtime takes it ("auto", default), "wasm" or fail, or "js". */
  engine?: Engine;
  /** Rows in a batch; the last one may have fewer. Default: 2,048. */
  batchRows?: number;
  /** What text is in a batch: a list of strings (default), or UTF-8 with offsets. */
  batchText?: "strings" | "utf8";
  /** Most rows to give. Default: all. */
  limit?: number;
  /** Stops the stream when it aborts. */
  signal?: AbortSignal;
  /**
   * A Standard Schema (Zod, Valibot, ArkType and others) that each row has to fit; the row is then what it makes of it.
   * With output "rows" alone. A row that does not fit is SCHEMA_MISMATCH, as `onError` says. Default: none.
   *
   * @see https://standardschema.dev
   */
  schema?: StandardSchema;
}

/** The options that `onSniff` may settle anew. */
export type SniffOverrides = Pick<CsvOptions, (typeof OVERRIDABLE)[number]>;

const OVERRIDABLE = [
  ...(["delimiter", "delimiters", "quote", "escape", "newline", "comment", "skipInitialSpace"] as const),
  ...(["skipLines", "skipRecords", "header", "headerLines", "names", "types", "typeCandidates"] as const),
  ...(["nullValues", "trueValues", "falseValues", "quotedEmpty", "quotedAsText"] as const),
  ...(["decimalSeparator", "thousandsSeparator", "dateFormat", "timestampFormat", "ambiguousDates"] as const),
  ...(["bigint", "duplicateHeaders", "ignoreTrailingDelimiter", "sniffed"] as const),
] as const;

/** Options with their defaults in place and every value checked; what stays undefined is sniffed. */
export interface ResolvedOptions extends Omit<CsvOptions, "types" | "typeCandidates" | "vw"> {
  /** Set for VW output only. */
  vw: ResolvedVwOptions | undefined;
  types: Readonly<Record<string, LogicalType>> | readonly LogicalType[] | false | undefined;
  typeCandidates: readonly LogicalType[];
  delimiters: readonly string[];
  skipRecords: number;
  nullValues: readonly string[];
  trueValues: readonly string[];
  falseValues: readonly string[];
  quotedEmpty: "null" | "string";
  quotedAsText: boolean;
  decimalSeparator: string;
  thousandsSeparator: string;
  ambiguousDates: "day-first" | "month-first" | "text" | "error";
  dates: DateOutput;
  bigint: "auto" | "always" | "never";
  sampleRows: number;
  sampleBytes: number;
  sampleTimeout: number;
  nullPadding: boolean;
  extraFields: "error" | "drop";
  skipEmptyRecords: boolean | "all-null";
  strictness: "strict" | "normal" | "lenient";
  onError: "error" | "reject";
  onTypeMismatch: "error" | "reject" | "null" | "widen";
  fatal: boolean;
  maxRecordSize: number;
  maxColumns: number;
  maxRecords: number;
  maxFieldSize: number;
  maxRejects: number;
  maxNameSize: number;
  maxPreambleSize: number;
  maxSniffSteps: number;
  maxDecompressedBytes: number;
  maxDecompressionRatio: number;
  duplicateHeaders: "rename" | "group" | "error";
  rowShape: "object" | "array";
  output: Output;
  escapeFormulas: boolean;
  detach: boolean;
  engine: Engine;
  batchRows: number;
  batchText: "strings" | "utf8";
  limit: number;
}

const MEBIBYTE = 1 << 20;
/** Rows whose vectors of eight bytes each still fit one piece of memory. */
const MOST_BATCH_ROWS = 1 << 24;

/** The delimiters that are tried unless the caller names others; rare ones are then tried beside them. */
export const DEFAULT_DELIMITERS: readonly string[] = [",", "|", ";", "\t"];

/** Checks one option's value and gives it back as it is used; throws where it does not fit. */
type Check = (value: unknown, name: string) => unknown;

interface OptionRule {
  check: Check;
  /** Absent: the option stays undefined, and is sniffed or has no effect. */
  fallback?: unknown;
}

const RULES: { [Name in keyof Required<CsvOptions>]: OptionRule } = {
  delimiter: { check: delimiter },
  delimiters: { check: listOf(delimiter), fallback: DEFAULT_DELIMITERS },
  quote: { check: character },
  escape: { check: character },
  newline: { check: oneOf("\n", "\r\n", "\r") },
  comment: { check: character },
  skipInitialSpace: { check: boolean },
  skipLines: { check: count(0) },
  skipRecords: { check: count(0), fallback: 0 },
  header: { check: boolean },
  headerLines: { check: count(1) },
  names: { check: listOf(string) },
  types: { check: types },
  typeCandidates: { check: listOf(typeName), fallback: DEFAULT_TYPE_CANDIDATES },
  nullValues: { check: listOf(string), fallback: [""] },
  trueValues: { check: listOf(string), fallback: [] },
  falseValues: { check: listOf(string), fallback: [] },
  quotedEmpty: { check: oneOf("null", "string"), fallback: "null" },
  quotedAsText: { check: boolean, fallback: false },
  decimalSeparator: { check: separator, fallback: "." },
  thousandsSeparator: { check: optionalSeparator, fallback: "" },
  dateFormat: { check: format },
  timestampFormat: { check: format },
  ambiguousDates: { check: oneOf("day-first", "month-first", "text", "error"), fallback: "day-first" },
  dates: { check: dates, fallback: "date" },
  bigint: { check: oneOf("auto", "always", "never"), fallback: "auto" },
  sampleRows: { check: count(1), fallback: 20_480 },
  sampleBytes: { check: count(1), fallback: 8 * MEBIBYTE },
  sampleTimeout: { check: count(0), fallback: 0 },
  sniffed: { check: sniff },
  nullPadding: { check: boolean, fallback: false },
  extraFields: { check: oneOf("error", "drop"), fallback: "error" },
  ignoreTrailingDelimiter: { check: boolean },
  skipEmptyRecords: { check: oneOf(true, false, "all-null"), fallback: true },
  strictness: { check: oneOf("strict", "normal", "lenient"), fallback: "normal" },
  onError: { check: onError, fallback: "error" },
  onTypeMismatch: { check: oneOf("error", "reject", "null", "widen") },
  onReject: { check: callback },
  onSniff: { check: callback },
  onSchema: { check: callback },
  onWarning: { check: callback },
  encoding: { check: encoding },
  fatal: { check: boolean, fallback: true },
  maxRecordSize: { check: count(1), fallback: 2 * MEBIBYTE },
  maxColumns: { check: count(1), fallback: 100_000 },
  maxRecords: { check: limit, fallback: Number.POSITIVE_INFINITY },
  maxFieldSize: { check: count(1), fallback: Number.POSITIVE_INFINITY },
  maxRejects: { check: limit, fallback: Number.POSITIVE_INFINITY },
  maxNameSize: { check: count(1), fallback: 64 * 1024 },
  maxPreambleSize: { check: count(0), fallback: MEBIBYTE },
  maxDecompressedBytes: { check: limit, fallback: Number.POSITIVE_INFINITY },
  maxDecompressionRatio: { check: count(1), fallback: 250 },
  maxSniffSteps: { check: count(1), fallback: 1 << 30 },
  duplicateHeaders: { check: oneOf("rename", "group", "error"), fallback: "rename" },
  rowShape: { check: oneOf("object", "array"), fallback: "object" },
  output: { check: oneOf("rows", "batches", "ndjson", "csv", "vw", "vw-examples"), fallback: "rows" },
  vw: { check: vw },
  escapeFormulas: { check: boolean, fallback: false },
  detach: { check: boolean, fallback: false },
  engine: { check: oneOf("auto", "wasm", "js"), fallback: "auto" },
  batchRows: { check: count(1, MOST_BATCH_ROWS), fallback: 2_048 },
  batchText: { check: oneOf("strings", "utf8"), fallback: "strings" },
  limit: { check: limit, fallback: Number.POSITIVE_INFINITY },
  signal: { check: signal },
  schema: { check: schema },
};

/** The names of all options. */
export const OPTION_NAMES = Object.keys(RULES) as (keyof CsvOptions)[];

/**
 * Checks options and fills in their defaults.
 *
 * @throws CsvError INVALID_OPTION for an unknown name or a value that does not fit; UNKNOWN_ENCODING.
 */
export function resolveOptions(options: CsvOptions = {}): ResolvedOptions {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw invalid("options", "an object", options);
  }
  const resolved: Record<string, unknown> = {};
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(RULES, name)) throw unknownOption(name);
  }
  const cells = cellOptions(options.sniffed);
  for (const name of OPTION_NAMES) {
    const { check, fallback } = RULES[name];
    if (options[name] !== undefined) resolved[name] = check(options[name], name);
    else if (cells[name] !== undefined) resolved[name] = check(cells[name], `sniffed.cells.${name}`);
    else resolved[name] = fallback;
  }
  const checked = resolved as unknown as ResolvedOptions;
  checked.onTypeMismatch ??= checked.onError;
  // Text keeps every digit of a timestamp; a Date would keep milliseconds.
  if (checked.output !== "rows") checked.dates = "string";
  settleVw(checked);
  checkTogether(checked);
  return checked;
}

/** The options that say how cells are read. */
export const CELL_OPTIONS = [
  "nullValues",
  "trueValues",
  "falseValues",
  "decimalSeparator",
  "thousandsSeparator",
  "quotedEmpty",
  "quotedAsText",
] as const satisfies readonly (keyof CellReading)[];

/** What a sniff that is given back says of them: it goes with the types that were found by it. */
function cellOptions(sniffed: unknown): Record<string, unknown> {
  const cells = isRecord(sniffed) ? sniffed.cells : undefined;
  if (cells === undefined) return {};
  if (!isRecord(cells)) throw invalid("sniffed.cells", "what sniffCsv says of cells", cells);
  return Object.fromEntries(CELL_OPTIONS.map((name) => [name, cells[name]]));
}

/** How cells are read by these options. */
export function cellReading(options: ResolvedOptions): CellReading {
  return Object.fromEntries(CELL_OPTIONS.map((name) => [name, options[name]])) as unknown as CellReading;
}

/**
 * The options that `onSniff` has returned, over those given before; null where it has returned none.
 *
 * @throws CsvError INVALID_OPTION for one that it may not return, or a value that does not fit.
 */
export function overrideOptions(options: ResolvedOptions, returned: unknown): ResolvedOptions | null {
  // Whoever writes `(sniff) => list.push(sniff)`, or an async function, returns something without meaning it.
  if (!isRecord(returned) || typeof returned.then === "function") return null;
  const overridden: Record<string, unknown> = { ...options };
  if (options.sniffed !== undefined && returned.sniffed === undefined && Object.keys(returned).length > 0) {
    throw new CsvError("INVALID_OPTION", "onSniff can't change a sniff that was given; return another one");
  }
  for (const [name, value] of Object.entries({ ...cellOptions(returned.sniffed), ...returned })) {
    if (!Object.hasOwn(RULES, name)) throw unknownOption(name);
    if (!(OVERRIDABLE as readonly string[]).includes(name)) {
      throw new CsvError("INVALID_OPTION", `onSniff can't return ${name}`);
    }
    if (value !== undefined) overridden[name] = RULES[name as keyof CsvOptions].check(value, name);
  }
  const checked = overridden as unknown as ResolvedOptions;
  checkTogether(checked);
  return checked;
}

/**
 * VW output reads as VW does, `"` doubled and no comments, wherever the caller does not say otherwise; the delimiter
 * is one of those that VW allows.
 */
function settleVw(options: ResolvedOptions): void {
  if (options.output !== "vw" && options.output !== "vw-examples") {
    if (options.vw !== undefined)
      throw new CsvError("INVALID_OPTION", 'vw goes with output: "vw" or "vw-examples"');
    return;
  }
  options.vw ??= resolveVwOptions();
  const reading = {
    quote: '"',
    escape: '"',
    comment: null,
    skipInitialSpace: false,
    ...vwReading(options.vw),
  };
  for (const [name, value] of Object.entries(reading)) {
    const key = name as keyof typeof reading;
    if (options[key] === undefined) Object.assign(options, { [key]: value });
  }
  options.delimiters = options.delimiters.filter((delimiter) => delimiter !== "|");
}

function checkTogether(options: ResolvedOptions): void {
  const special: [string, string | null | undefined][] = [
    ["delimiter", options.delimiter],
    ["quote", options.quote],
    ["comment", options.comment],
  ];
  for (const [name, value] of special) {
    for (const [other, otherValue] of special) {
      if (name < other && value && otherValue && value.startsWith(otherValue)) {
        throw new CsvError("INVALID_OPTION", `${name} and ${other} are both ${JSON.stringify(otherValue)}`);
      }
    }
  }
  if (options.escape && options.escape === options.delimiter) {
    throw new CsvError("INVALID_OPTION", `delimiter and escape are both ${JSON.stringify(options.escape)}`);
  }
  if (options.schema !== undefined && options.output !== "rows") {
    throw new CsvError("INVALID_OPTION", 'schema goes with output: "rows"');
  }
  if (options.decimalSeparator === options.thousandsSeparator) {
    throw new CsvError("INVALID_OPTION", "decimalSeparator and thousandsSeparator are the same");
  }
  if (options.batchText !== "strings" && options.output !== "batches") {
    throw new CsvError("INVALID_OPTION", 'batchText goes with output: "batches" only');
  }
  if (options.escapeFormulas && options.output !== "csv") {
    throw new CsvError("INVALID_OPTION", 'escapeFormulas goes with output: "csv" only');
  }
}

function unknownOption(name: string): CsvError {
  const near = OPTION_NAMES.find(
    (known) => known.toLowerCase() === name.toLowerCase().replaceAll(/[_-]/g, ""),
  );
  const guess = near === undefined ? "" : `; did you mean ${near}?`;
  return new CsvError("INVALID_OPTION", `there is no option ${JSON.stringify(name)}${guess}`);
}

function invalid(name: string, wanted: string, value: unknown): CsvError {
  let shown: string;
  try {
    shown = typeof value === "string" ? JSON.stringify(value) : String(value);
  } catch {
    shown = typeof value;
  }
  return new CsvError("INVALID_OPTION", `${name} must be ${wanted}, not ${shown.slice(0, 80)}`);
}

function boolean(value: unknown, name: string): boolean {
  if (typeof value !== "boolean") throw invalid(name, "true or false", value);
  return value;
}

function string(value: unknown, name: string): string {
  if (typeof value !== "string") throw invalid(name, "text", value);
  return value;
}

function callback(value: unknown, name: string): unknown {
  if (typeof value !== "function") throw invalid(name, "a function", value);
  return value;
}

/** A sniff that came back from JSON: what reading needs of it is checked like the options it stands for. */
function sniff(value: unknown, name: string): unknown {
  if (!isRecord(value) || !isRecord(value.dialect) || !Array.isArray(value.columns)) {
    throw invalid(name, "a result of sniffCsv", value);
  }
  const { dialect } = value;
  for (const [key, check] of Object.entries(SNIFFED_DIALECT)) check(dialect[key], `${name}.dialect.${key}`);
  for (const column of value.columns) {
    if (!isRecord(column)) throw invalid(`${name}.columns`, "a list of columns", column);
    string(column.name, `${name}.columns.name`);
    string(column.originalName, `${name}.columns.originalName`);
    if (typeName(column.type, `${name}.columns.type`) !== column.type) {
      throw invalid(`${name}.columns.type`, "a logical type as the sniffer writes it", column.type);
    }
    if (column.format !== undefined) compileFormat(string(column.format, `${name}.columns.format`));
  }
  listOf(string)(value.undecided, `${name}.undecided`);
  return value;
}

const SNIFFED_DIALECT: Record<string, Check> = {
  delimiter,
  quote: character,
  escape: character,
  newline: oneOf("\n", "\r\n", "\r"),
  strictNewline: boolean,
  comment: character,
  skipInitialSpace: boolean,
  skipLines: count(0),
  skipRecords: count(0),
  header: boolean,
  headerLines: count(0),
  encoding,
  ignoreTrailingDelimiter: boolean,
};

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function schema(value: unknown, name: string): unknown {
  // ArkType's are functions.
  const isObject = (typeof value === "object" && value !== null) || typeof value === "function";
  const standard = isObject ? (value as Record<string, unknown>)["~standard"] : undefined;
  if (isRecord(standard) && typeof standard.validate === "function") return value;
  throw invalid(name, "a Standard Schema, such as one of Zod, Valibot or ArkType", value);
}

function signal(value: unknown, name: string): unknown {
  const fits =
    typeof value === "object" && value !== null && "aborted" in value && "addEventListener" in value;
  if (!fits) throw invalid(name, "an AbortSignal", value);
  return value;
}

function count(least: number, most = Number.MAX_SAFE_INTEGER): Check {
  const range = most < Number.MAX_SAFE_INTEGER ? `from ${least} to ${most}` : `from ${least} up`;
  return (value, name) => {
    if (!Number.isSafeInteger(value) || (value as number) < least || (value as number) > most) {
      throw invalid(name, `a whole number ${range}`, value);
    }
    return value;
  };
}

function limit(value: unknown, name: string): unknown {
  return value === Number.POSITIVE_INFINITY ? value : count(0)(value, name);
}

function oneOf(...values: unknown[]): Check {
  return (value, name) => {
    if (values.includes(value)) return value;
    throw invalid(name, values.map((known) => JSON.stringify(known)).join(" or "), value);
  };
}

function listOf(check: Check): Check {
  return (value, name) => {
    if (!Array.isArray(value)) throw invalid(name, "a list", value);
    return value.map((item) => check(item, name));
  };
}

function onError(value: unknown, name: string): unknown {
  return value === "throw" ? "error" : oneOf("error", "reject")(value, name);
}

function dates(value: unknown, name: string): unknown {
  if (value === "temporal" && !("Temporal" in globalThis)) {
    throw invalid(name, '"date" or "string" where the runtime has no Temporal', value);
  }
  return oneOf("date", "string", "temporal")(value, name);
}

function encoding(value: unknown, name: string): string {
  return checkEncoding(string(value, name));
}

function delimiter(value: unknown, name: string): string {
  const text = string(value, name);
  if (!isDelimiter(text)) throw invalid(name, 'one to four bytes of text without line break or "', value);
  return text;
}

/** Whether a text can be a delimiter. */
export function isDelimiter(text: string): boolean {
  const size = new TextEncoder().encode(text).length;
  return size >= 1 && size <= 4 && !/[\r\n"]/.test(text);
}

/** One ASCII character, or null for none. */
function character(value: unknown, name: string): string | null {
  if (value === null || value === "") return null;
  const text = string(value, name);
  if (text.length !== 1 || text.charCodeAt(0) > 0x7e || /[\r\n]/.test(text)) {
    throw invalid(name, "one ASCII character, or null for none", value);
  }
  return text;
}

function separator(value: unknown, name: string): string {
  const text = string(value, name);
  if (text.length !== 1 || text.charCodeAt(0) > 0x7e || /[\d\r\n+\-eE]/.test(text)) {
    throw invalid(name, "one ASCII character that is no digit or sign", value);
  }
  return text;
}

function optionalSeparator(value: unknown, name: string): string {
  return value === null || value === "" ? "" : separator(value, name);
}

function format(value: unknown, name: string): unknown {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalid(name, "a format, or formats by column name", value);
  }
  for (const item of Object.values(value)) string(item, name);
  return value;
}

function typeName(value: unknown, name: string): LogicalType {
  const type = typeof value === "string" ? logicalType(value) : undefined;
  if (type === undefined) throw invalid(name, `logical types: ${TYPE_ORDER.slice(1).join(", ")}`, value);
  return type;
}

function vw(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) throw invalid(name, "an object", value);
  return resolveVwOptions(value);
}

function types(value: unknown, name: string): unknown {
  if (value === false) return false;
  if (Array.isArray(value)) return value.map((item) => typeName(item, name));
  if (typeof value !== "object" || value === null)
    throw invalid(name, "types by column name, a list, or false", value);
  return Object.fromEntries(Object.entries(value).map(([column, item]) => [column, typeName(item, name)]));
}
