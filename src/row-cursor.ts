import type { ResolvedOptions } from "./options.js";
import { csvHeader, csvRecord, ndjsonLine } from "./output/text.js";
import type { CsvParser, RowBatch } from "./parser.js";
import type { Column } from "./sniffer/sniff.js";

/** Rows that are made at a time: one by one takes longer, and many would outlive the youngest generation. */
const ROWS_AHEAD = 64;

/** Takes rows from a parser one by one; at most one batch lies ready. */
export class RowCursor {
  /** Rows taken. */
  taken = 0;
  readonly #parser: CsvParser;
  readonly #options: ResolvedOptions;
  #batch: RowBatch | null = null;
  #next = 0;
  #rowCount = 0;
  /** Rows that are made already; the one at `#next` is the next. */
  #made: unknown[] = [];
  #madeFrom = 0;
  #headerDue: boolean;

  constructor(parser: CsvParser, options: ResolvedOptions) {
    this.#parser = parser;
    this.#options = options;
    this.#headerDue = options.output === "csv";
  }

  /**
   * Whether a row lies ready. Where not, the parser is done, hungry or loading.
   *
   * @throws CsvError as {@link CsvParser.read} does.
   */
  ready(): boolean {
    if (this.#next < this.#rowCount) return true;
    if (this.#headerDue && this.#parser.trySniff() && this.#columns.length > 0) return true;
    this.#batch = this.#parser.read();
    this.#next = 0;
    this.#made = [];
    this.#madeFrom = 0;
    this.#rowCount = this.#batch?.rowCount ?? 0;
    return this.#rowCount > 0;
  }

  /** The next row; only after {@link RowCursor.ready} has said yes. */
  take(): unknown {
    const batch = this.#batch as RowBatch;
    const { output } = this.#options;
    if (output === "ndjson" || output === "csv") return this.#takeText(batch);
    this.taken++;
    const index = this.#next++;
    if (index - this.#madeFrom >= this.#made.length) {
      this.#made = batch.rows(index, Math.min(index + ROWS_AHEAD, this.#rowCount));
      this.#madeFrom = index;
    }
    return this.#made[index - this.#madeFrom];
  }

  #takeText(batch: RowBatch): string {
    const { output, escapeFormulas } = this.#options;
    if (this.#headerDue) {
      this.#headerDue = false;
      return csvHeader(this.#columns, escapeFormulas);
    }
    this.taken++;
    const index = this.#next++;
    const values = (column: number) => batch.value(index, column);
    return output === "ndjson"
      ? ndjsonLine(this.#columns, values)
      : csvRecord(this.#columns, values, escapeFormulas);
  }

  get #columns(): readonly Column[] {
    return this.#parser.sniff?.columns ?? [];
  }
}
