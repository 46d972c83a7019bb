/**
 * Every code a {@link CsvError} or a {@link Reject} can carry, with the one sentence that says what to do
 * next. docs/errors.md is written from this table.
 */
export const ERROR_CODES = {
  INVALID_OPTION: "Correct the option named in the message; docs/options.md lists them all.",
  UNKNOWN_ENCODING: "Give a WHATWG encoding label, or one that iconv-lite knows, such as cp850.",
  INVALID_ENCODING:
    "Name the real encoding, such as encoding: 'windows-1252', or pass fatal: false to read bad bytes as U+FFFD.",
  COMPRESSED_INPUT:
    "Decompress first: pipe the bytes through new DecompressionStream('gzip'), or unpack the archive. readCsv and readCsvFile do so by themselves where the runtime can.",
  DAMAGED_COMPRESSION: "Fetch the file again; what could be decompressed has been read.",
  DECOMPRESSED_TOO_LARGE: "Raise maxDecompressedBytes or maxDecompressionRatio if the input is trusted.",
  TOO_FEW_FIELDS:
    "Pass nullPadding: true to read missing fields as null, or onError: 'reject' to set the record aside.",
  TOO_MANY_FIELDS:
    "Pass extraFields: 'drop' to read the record without them, or onError: 'reject' to set the record aside.",
  TEXT_AFTER_QUOTE:
    "Pass strictness: 'lenient' to keep the text, quote: null if quotes mean nothing here, or onError: 'reject'.",
  UNTERMINATED_QUOTE:
    "Close the quote in the file, pass quote: null if quotes mean nothing here, or onError: 'reject'.",
  RECORD_TOO_LARGE: "Look for a quote that is never closed, or raise maxRecordSize.",
  EMPTY_SAMPLE: "Raise sampleBytes, or lower skipLines or skipRecords: the table begins behind the sample.",
  FIELD_TOO_LARGE: "Look for a quote that is never closed, raise maxFieldSize, or pass onError: 'reject'.",
  TOO_MANY_RECORDS: "Raise maxRecords if that many are expected.",
  TOO_MANY_REJECTS: "Look at the rejects for a wrong dialect or type, or raise maxRejects.",
  NAME_TOO_LARGE: "Look for a wrong quote or delimiter, give the names yourself, or raise maxNameSize.",
  PREAMBLE_TOO_LARGE: "Say with skipLines where the table begins, or raise maxPreambleSize.",
  SNIFF_TOO_COSTLY: "Give the delimiter or fewer delimiters, lower sampleBytes, or raise maxSniffSteps.",
  TOO_MANY_COLUMNS: "Look for a wrong delimiter or newline, or raise maxColumns.",
  MIXED_NEWLINES: "Leave strictness at 'normal' to take CRLF, LF and CR as one class.",
  TYPE_MISMATCH:
    "Give the column's type in types, or choose onTypeMismatch: 'reject', 'null' or 'widen', or raise sampleRows.",
  SCHEMA_MISMATCH:
    "Correct the record or the schema, say in types what the schema expects, or pass onError: 'reject' to set the record aside.",
  DUPLICATE_HEADERS: "Choose duplicateHeaders: 'rename' or 'group', or give the names yourself.",
  UNKNOWN_COLUMN: "Name a column that the header has, or give types as a list by position.",
  AMBIGUOUS_DATES: "Give dateFormat for the column, or choose ambiguousDates: 'day-first' or 'month-first'.",
  VW_HEADER: "Correct the header, give another with vw.csvHeader, or name a column that it has.",
  VW_LABEL: "Correct the cell, give vw.label.map, choose another vw.label.kind, or pass onError: 'reject'.",
  VW_INEXPRESSIBLE:
    "Choose vw.inexpressible: 'replace' or 'hash', or output: 'vw-examples', which holds every name and value.",
  MISSING_PACKAGE: "Install the package named in the message.",
  SCHEMA_CHANGED: "Give the column's type in types, or choose onTypeMismatch: 'reject' or 'null'.",
  INVALID_CHUNK: "Write Uint8Array, ArrayBuffer or string chunks.",
} as const;

/** A code of {@link ERROR_CODES}. */
export type CsvErrorCode = keyof typeof ERROR_CODES;

/** Where in the input a fault lies. Whatever is not known is absent. */
export interface CsvPlace {
  /** 1-based number of the data record; the header and skipped lines are not counted. 0 is the header. */
  record?: number;
  /** 1-based physical line on which the fault, or the record that holds it, begins. */
  line?: number;
  /**
   * 0-based offset in bytes of the fault, or of the record that holds it. Counted in the input itself when
   * that is UTF-8 (a BOM included), in its UTF-8 transcription otherwise.
   */
  byteOffset?: number;
  /** The column's name where a value is at fault, the 1-based number of the field where the structure is. */
  column?: string | number;
}

/** What a schema found wrong with a row. */
export interface SchemaIssue {
  message: string;
  /** The keys that lead to the value: the column's name, or its 0-based index in array rows, then what lies within. */
  path: readonly (string | number)[];
}

/** What a fault was about. Whatever does not apply is absent. */
export interface CsvFault extends CsvPlace {
  /** The number of fields, or the logical type, that was expected. */
  expected?: number | string;
  /** The number of fields that was found. */
  found?: number;
  /** The text that could not be read as the column's type. */
  value?: string;
  /** The limit that was passed, in the unit of the option that sets it. */
  limit?: number;
  /** What `schema` found wrong; at most 20 issues. */
  issues?: readonly SchemaIssue[];
}

/**
 * The one class of errors this library throws for bad input and bad options. `message` names the place and
 * ends with what to do next.
 */
export class CsvError extends Error {
  override readonly name = "CsvError";
  readonly code: CsvErrorCode;
  // Declared only, so that what is not known is absent.
  declare readonly record?: number;
  declare readonly line?: number;
  declare readonly byteOffset?: number;
  declare readonly column?: string | number;
  declare readonly expected?: number | string;
  declare readonly found?: number;
  declare readonly value?: string;
  declare readonly limit?: number;
  declare readonly issues?: readonly SchemaIssue[];
  /** What to do next. */
  readonly hint: string;

  constructor(code: CsvErrorCode, what: string, fault: CsvFault = {}, hint: string = ERROR_CODES[code]) {
    super(`${what}${describePlace(fault)}. ${hint}`);
    this.code = code;
    this.hint = hint;
    for (const [key, value] of Object.entries(fault)) {
      if (value !== undefined) Object.defineProperty(this, key, { value, enumerable: true });
    }
  }
}

/** A record that was set aside instead of stopping the stream. */
export interface Reject extends CsvFault {
  code: CsvErrorCode;
  /** Why, in one sentence. */
  message: string;
  record: number;
  line: number;
  byteOffset: number;
  /** The record as it stands in the input, without its line end; cut at 64 KiB. */
  raw: string;
  /** The record's fields as text; at most 1,000 of them. */
  fields: string[];
}

/** Something the sniffer or the reader noticed that does not stop it. */
export interface CsvWarning {
  code: string;
  message: string;
  line?: number;
  column?: string;
}

function describePlace(place: CsvPlace): string {
  const parts: string[] = [];
  if (place.line !== undefined) parts.push(`line ${place.line}`);
  if (place.record !== undefined) parts.push(place.record === 0 ? "the header" : `record ${place.record}`);
  if (place.column !== undefined) {
    parts.push(
      typeof place.column === "number" ? `field ${place.column}` : `column ${JSON.stringify(place.column)}`,
    );
  }
  if (place.byteOffset !== undefined) parts.push(`byte ${place.byteOffset}`);
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}
