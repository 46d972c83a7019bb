/**
 * Every code a {@link CsvError} or a {@link Reject} can carry, with the one sentence that says what to do
 * next. docs/errors.md is written from this table.
 */
export const ERROR_CODES = {
  /** An unknown option, or a value that does not fit. */
  INVALID_OPTION: "Correct the option named in the message; docs/options.md lists them all.",
  /** A label that neither `TextDecoder` nor iconv-lite knows. */
  UNKNOWN_ENCODING: "Give a WHATWG encoding label, or one that iconv-lite knows, such as cp850.",
  /** Bytes that are no text in the input's encoding. */
  INVALID_ENCODING:
    "Name the real encoding, such as encoding: 'windows-1252', or pass fatal: false to read bad bytes as U+FFFD.",
  /** The first bytes are those of a compressed file or an archive. */
  COMPRESSED_INPUT:
    "Decompress first: pipe the bytes through new DecompressionStream('gzip'), or unpack the archive. gzip is decompressed by readCsv and readCsvFile themselves, zstd where the runtime can; no archive is opened.",
  /** Compressed input is damaged or cut off. */
  DAMAGED_COMPRESSION: "Fetch the file again; what could be decompressed has been read.",
  /** Compressed input comes to more than `maxDecompressedBytes` or `maxDecompressionRatio`. */
  DECOMPRESSED_TOO_LARGE: "Raise maxDecompressedBytes or maxDecompressionRatio if the input is trusted.",
  /** A record has fewer fields than there are columns. */
  TOO_FEW_FIELDS:
    "Pass nullPadding: true to read missing fields as null, or onError: 'reject' to set the record aside.",
  /** A record has more fields than there are columns. */
  TOO_MANY_FIELDS:
    "Pass extraFields: 'drop' to read the record without them, or onError: 'reject' to set the record aside.",
  /** Text other than spaces follows a closing quote. */
  TEXT_AFTER_QUOTE:
    "Pass strictness: 'lenient' to keep the text, quote: null if quotes mean nothing here, or onError: 'reject'.",
  /** The input ends inside quotes. */
  UNTERMINATED_QUOTE:
    "Close the quote in the file, pass quote: null if quotes mean nothing here, or onError: 'reject'.",
  /** A record is longer than `maxRecordSize`. */
  RECORD_TOO_LARGE: "Look for a quote that is never closed, or raise maxRecordSize.",
  /** The sample ends before the first record of the table. */
  EMPTY_SAMPLE: "Raise sampleBytes, or lower skipLines or skipRecords: the table begins behind the sample.",
  /** A field is longer than `maxFieldSize`. */
  FIELD_TOO_LARGE: "Look for a quote that is never closed, raise maxFieldSize, or pass onError: 'reject'.",
  /** There are more data records than `maxRecords`. */
  TOO_MANY_RECORDS: "Raise maxRecords if that many are expected.",
  /** More records are at fault than `maxRejects`. */
  TOO_MANY_REJECTS: "Look at the rejects for a wrong dialect or type, or raise maxRejects.",
  /** A name in the header is longer than `maxNameSize`. */
  NAME_TOO_LARGE: "Look for a wrong quote or delimiter, give the names yourself, or raise maxNameSize.",
  /** More than `maxPreambleSize` would be left out above the table. */
  PREAMBLE_TOO_LARGE: "Say with skipLines where the table begins, or raise maxPreambleSize.",
  /** Sniffing would take more than `maxSniffSteps`. */
  SNIFF_TOO_COSTLY: "Give the delimiter or fewer delimiters, lower sampleBytes, or raise maxSniffSteps.",
  /** A record has more fields than `maxColumns`. */
  TOO_MANY_COLUMNS: "Look for a wrong delimiter or newline, or raise maxColumns.",
  /** In strict reading, a line ends otherwise than those before. */
  MIXED_NEWLINES: "Leave strictness at 'normal' to take CRLF, LF and CR as one class.",
  /** A value after the sample does not fit its column's type. */
  TYPE_MISMATCH:
    "Give the column's type in types, or choose onTypeMismatch: 'reject', 'null' or 'widen', or raise sampleRows.",
  /** A row does not fit `schema`. */
  SCHEMA_MISMATCH:
    "Correct the record or the schema, say in types what the schema expects, or pass onError: 'reject' to set the record aside.",
  /** Two columns have one name. */
  DUPLICATE_HEADERS: "Choose duplicateHeaders: 'rename' or 'group', or give the names yourself.",
  /** An option names a column that is not there. */
  UNKNOWN_COLUMN: "Name a column that the header has, or give types as a list by position.",
  /** A column's dates fit several formats. */
  AMBIGUOUS_DATES: "Give dateFormat for the column, or choose ambiguousDates: 'day-first' or 'month-first'.",
  /** A header that VW would refuse, or that lacks a column an option names. */
  VW_HEADER: "Correct the header, give another with vw.csvHeader, or name a column that it has.",
  /** A label that is not of its kind. */
  VW_LABEL: "Correct the cell, give vw.label.map, choose another vw.label.kind, or pass onError: 'reject'.",
  /** A name, value or tag that VW's text can't hold. */
  VW_INEXPRESSIBLE:
    "Choose vw.inexpressible: 'replace' or 'hash', or output: 'vw-examples', which holds every name and value.",
  /** A sink's library can't be loaded. */
  MISSING_PACKAGE: "Install the package named in the message.",
  /** A column was widened on the way to a sink. */
  SCHEMA_CHANGED: "Give the column's type in types, or choose onTypeMismatch: 'reject' or 'null'.",
  /** A chunk or source that is neither bytes nor text. */
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
  /** In the words of the schema. */
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
  /** Always "CsvError". */
  override readonly name = "CsvError";
  /** What kind of fault it is. */
  readonly code: CsvErrorCode;
  // Declared only, so that what is not known is absent.
  /** 1-based number of the data record; 0 is the header. */
  declare readonly record?: number;
  /** 1-based physical line. */
  declare readonly line?: number;
  /** 0-based offset in bytes, as {@link CsvPlace.byteOffset} says. */
  declare readonly byteOffset?: number;
  /** The column's name, or the 1-based number of the field. */
  declare readonly column?: string | number;
  /** The number of fields, or the logical type, that was expected. */
  declare readonly expected?: number | string;
  /** The number of fields that was found. */
  declare readonly found?: number;
  /** The text that could not be read as the column's type. */
  declare readonly value?: string;
  /** The limit that was passed, in the unit of its option. */
  declare readonly limit?: number;
  /** What `schema` found wrong; at most 20 issues. */
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
  /** What kind of fault it is. */
  code: CsvErrorCode;
  /** Why, in one sentence: what a {@link CsvError} says before its hint. */
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
  /** One of those in docs/errors.md. */
  code: string;
  /** What was seen and what was made of it, in one sentence. */
  message: string;
  /** 1-based physical line, where the warning is about one. */
  line?: number;
  /** The column's name, where the warning is about one. */
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
