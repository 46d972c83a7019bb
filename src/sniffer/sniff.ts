import type { CsvWarning } from "../errors.js";
import type { Dialect } from "../machine/dialect.js";
import type { ColumnTyping } from "../types/column-typing.js";
import type { LogicalType } from "../types/logical-type.js";

/** A column as it was sniffed or told. */
export interface Column extends ColumnTyping {
  /** Unique among the columns. */
  name: string;
  /** The header's text, or the name where there is no header. */
  originalName: string;
}

/** The dialect of a whole input: how its records are written, and where they begin. */
export interface SniffedDialect extends Dialect {
  /** Physical lines above the table. */
  skipLines: number;
  /** Records between those and the header, by the caller's wish. */
  skipRecords: number;
  /** Whether the first record names the columns. */
  header: boolean;
  /** Records that the header spans; 0 without a header. */
  headerLines: number;
  /** A WHATWG encoding name in lower case, or an iconv-lite one. */
  encoding: string;
  /** Whether a byte order mark stood at the start. */
  bom: boolean;
  /** Whether records may end in one empty field more than there are columns. */
  ignoreTrailingDelimiter: boolean;
}

/** How cells are read: what the options said when the sample was sniffed. */
export interface CellReading {
  /** Cells that are null. */
  nullValues: readonly string[];
  /** Texts that are true, exactly; none means true in any case. */
  trueValues: readonly string[];
  /** Texts that are false, exactly; none means false in any case. */
  falseValues: readonly string[];
  /** One character between whole and fraction. */
  decimalSeparator: string;
  /** Empty for none. */
  thousandsSeparator: string;
  /** What an empty field in quotes is. */
  quotedEmpty: "null" | "string";
  /** Whether fields in quotes are text whatever they hold. */
  quotedAsText: boolean;
}

/** One reading of the sample and how it fared. */
export interface Candidate {
  /** What this reading takes the dialect to be. */
  dialect: Pick<Dialect, "delimiter" | "quote" | "escape" | "comment" | "skipInitialSpace">;
  /** The product of the parts; the highest wins. */
  score: number;
  /** Most frequent number of fields a record, in the table's body. */
  columns: number;
  /** Share of records with that number of fields. */
  consistency: number;
  /** How much the cells look like single values: 1 for numbers and dates, less for ragged text. */
  cellScore: number;
  /** Share of records without a fault in quoting. */
  quoting: number;
  /** Records that it finds in the sample. */
  records: number;
  /** Why it lost, in a few words; "wins" for the one chosen. */
  verdict: string;
}

/** A column whose dates fit several formats; the first is taken. */
export interface AmbiguousColumn {
  /** The column's name. */
  column: string;
  /** All formats that fit, the one taken first. */
  formats: string[];
}

/**
 * What the sniffer found: plain JSON, and itself valid as the option `sniffed`, which skips sniffing.
 */
export interface Sniff {
  /** How the input is written. */
  dialect: SniffedDialect;
  /** In their order in the input. */
  columns: Column[];
  /** Whether a delimiter was seen at all; a table of one column has none. */
  delimiterSeen: boolean;
  /** Whether a field in quotes was seen; where not, `dialect.quote` is the usual one. */
  quoteSeen: boolean;
  /** "detected": something told it apart; "assumed": nothing did; "given" by the caller. */
  headerConfidence: "given" | "detected" | "assumed";
  /** How sure the dialect is, from 0 to 1: how far the best reading is ahead, and how even it is. */
  confidence: number;
  /** The lines above the table; at most 1,000 of them. */
  preamble: string[];
  /** Columns of dates that may mean other days. */
  ambiguous: AmbiguousColumn[];
  /** Names of columns without a value in the sample; they are VARCHAR. */
  undecided: string[];
  /**
   * How the cells were read, and are when this is given back as `sniffed`, unless options say otherwise. Absent from
   * sniffs of version 0.1.0.
   */
  cells?: CellReading;
  /** What would read the table better, in sentences. */
  hints: string[];
  /** What is odd about the input; docs/errors.md lists the codes. */
  warnings: CsvWarning[];
  /** The best few readings, best first. */
  candidates: Candidate[];
  /** What was looked at. */
  sample: {
    /** Data records, the header not counted. */
    records: number;
    /** Bytes, those above the table counted. */
    bytes: number;
    /** Whether it was the whole input. */
    complete: boolean;
  };
}

/** A column that turned to a wider type; later rows follow it. */
export interface SchemaChange {
  /** 1-based number of the first record that follows it. */
  row: number;
  /** The column's name. */
  column: string;
  /** The type before. */
  from: LogicalType;
  /** The type from this record on. */
  to: LogicalType;
  /** All columns as they are from this record on. */
  columns: Column[];
}
