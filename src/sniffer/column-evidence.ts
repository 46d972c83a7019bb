import type { Kernel } from "../machine/kernel.js";
import { BooleanCaster } from "../types/boolean.js";
import type { ColumnTyping } from "../types/column-typing.js";
import type { CastSettings } from "../types/create-caster.js";
import { DATE_FORMATS, TIMESTAMP_FORMATS, TIMESTAMPTZ_FORMATS } from "../types/date-formats.js";
import type { TemporalFormat } from "../types/format.js";
import { FormatCandidates } from "../types/format-candidates.js";
import { kernelPattern } from "../types/kernel-pattern.js";
import type { LogicalType } from "../types/logical-type.js";
import { castDouble, fitsBigint, parseBigInteger, parseSafeInteger } from "../types/number.js";
import { parseTime } from "../types/time.js";

/** Among the kernel's outcomes. */
const VALUE = 1;
/** More formats than these are not worth a look each. */
const MOST_PATTERNS = 4;

/** How the caller wants columns typed. */
export interface TypingWishes {
  candidates: readonly LogicalType[];
  bigint: "auto" | "always" | "never";
  ambiguousDates: "day-first" | "month-first" | "text" | "error";
  dateFormat?: TemporalFormat;
  timestampFormat?: TemporalFormat;
}

/**
 * What the values of one column have in common so far. Every value is tried against every type that took all
 * the values before it, so the type found takes them all, in whatever order they come; a column whose values
 * no type but text takes costs nothing more.
 */
export class ColumnEvidence {
  /** Cells with a value. */
  present = 0;
  readonly #settings: CastSettings;
  readonly #wishes: TypingWishes;
  readonly #boolean: BooleanCaster | null;
  readonly #double = new Float64Array(1);
  readonly #fields = { days: 0, micros: 0 };
  readonly #dates: FormatCandidates;
  /** Where the caller has said the one format of dates: all there are, to tell dates in another from timestamps. */
  readonly #otherDates: FormatCandidates | null;
  #onlyDates: boolean;
  readonly #timestamps: FormatCandidates;
  readonly #instants: FormatCandidates;
  #open: Set<LogicalType>;
  #unsafe = false;
  #number = false;

  constructor(wishes: TypingWishes, settings: CastSettings) {
    this.#wishes = wishes;
    this.#settings = settings;
    this.#open = new Set(wishes.candidates.filter((type) => type !== "SQLNULL" && type !== "VARCHAR"));
    this.#boolean = this.#open.has("BOOLEAN")
      ? new BooleanCaster(settings.trueValues, settings.falseValues)
      : null;
    this.#dates = new FormatCandidates(wishes.dateFormat === undefined ? DATE_FORMATS : [wishes.dateFormat]);
    this.#otherDates = wishes.dateFormat === undefined ? null : new FormatCandidates(DATE_FORMATS);
    this.#onlyDates = this.#otherDates !== null;
    this.#timestamps = new FormatCandidates(
      wishes.timestampFormat === undefined ? TIMESTAMP_FORMATS : [wishes.timestampFormat],
    );
    this.#instants = new FormatCandidates(TIMESTAMPTZ_FORMATS);
  }

  /** Takes a value into account; spaces around it must be left out. */
  observe(bytes: Uint8Array, start: number, end: number): void {
    this.present++;
    if (this.#open.size === 0) return;
    if (this.#onlyDates) this.#onlyDates = this.#otherDates?.narrow(bytes, start, end) ?? false;
    for (const type of this.#open) if (!this.#takes(type, bytes, start, end)) this.#open.delete(type);
  }

  /**
   * Takes into account what the kernel says of the column's cells of some rows, where every type that is open is one of
   * those that it knows. `handBack` is called with its outcomes, once or more: the cells that it handed back in any of
   * them are yet to be observed. False where all are.
   */
  observeInKernel(
    kernel: Kernel,
    rowCount: number,
    column: number,
    handBack: (outcomes: Uint8Array) => void,
  ): boolean {
    const open = [...this.#open];
    // Another text tells nothing new.
    if (open.length === 0 && this.present > 0) return true;
    const check = (handedBack: number) => {
      const outcomes = kernel.outcomes.subarray(0, rowCount);
      if (handedBack > 0) handBack(outcomes);
      const values = outcomes.reduce((sum, outcome) => sum + Number(outcome === VALUE), 0);
      this.present += values;
      return values > 0;
    };
    const [type] = open;
    const { numbers } = this.#settings;
    if (type === "BIGINT" && open.every((each) => each === "BIGINT" || each === "DOUBLE")) {
      // A whole number is a number by any decimal mark.
      // What it takes is finite.
      if (check(kernel.run.castNumbers(rowCount, column, -1))) this.#number = true;
      return true;
    }
    if (type === "DOUBLE" && open.length === 1) {
      if (check(kernel.run.castNumbers(rowCount, column, numbers.decimal))) this.#number = true;
      return true;
    }
    if (type === "BOOLEAN" && open.length === 1 && this.#boolean?.ownWords === false) {
      check(kernel.run.castBooleans(rowCount, column));
      return true;
    }
    if (this.#onlyDates) return false;
    const patterns = this.#kernelPatterns(open);
    for (const pattern of patterns ?? []) check(kernel.castDates(rowCount, column, pattern));
    return patterns !== null;
  }

  /** Of formats that each take what all that are open take; null where the kernel does not know them. */
  #kernelPatterns(open: readonly LogicalType[]): Uint8Array[] | null {
    const [type] = open;
    if (type !== "DATE" && type !== "TIMESTAMP" && type !== "TIMESTAMPTZ") return null;
    const first = (
      type === "DATE" ? this.#dates : type === "TIMESTAMP" ? this.#timestamps : this.#instants
    ).remaining();
    // A timestamp's format takes a date alone as well.
    const beside = open[1] === "TIMESTAMP" ? this.#timestamps.remaining() : [];
    if (open.length > 2 || (open.length === 2 && (type !== "DATE" || open[1] !== "TIMESTAMP"))) return null;
    const implied = (format: TemporalFormat) =>
      !format.hasZone && first.some(({ text }) => format.text.startsWith(`${text} `));
    if (first.length > MOST_PATTERNS || !beside.every(implied)) return null;
    const patterns = first.map(kernelPattern);
    return patterns.every((pattern) => pattern !== null) ? patterns : null;
  }

  /** Takes a value into account that is text whatever it holds. */
  observeText(): void {
    this.present++;
    this.#open.clear();
  }

  /** Whether no type but text takes all values. */
  get isText(): boolean {
    return this.#open.size === 0;
  }

  /** Whether a value would be taken by the type found so far; nothing is kept of it. */
  wouldTake(
    type: LogicalType,
    format: string | undefined,
    bytes: Uint8Array,
    start: number,
    end: number,
  ): boolean {
    const probe = new ColumnEvidence({ ...this.#wishes, candidates: [type] }, this.#settings);
    probe.observe(bytes, start, end);
    if (!probe.#open.has(type)) return false;
    if (format === undefined) return true;
    const formats =
      type === "DATE" ? probe.#dates : type === "TIMESTAMP" ? probe.#timestamps : probe.#instants;
    return formats.remaining().some((candidate) => candidate.text === format);
  }

  /** The type that takes all values; SQLNULL where there is none. */
  typing(): ColumnTyping {
    if (this.present === 0) return { type: "SQLNULL" };
    for (const type of this.#wishes.candidates) {
      if (!this.#open.has(type)) continue;
      if (type === "DOUBLE" && !this.#number) continue;
      // A timestamp may be a date alone, but not where dates have a format that these are not in.
      if (type === "TIMESTAMP" && this.#onlyDates) continue;
      if (type === "BIGINT") return this.#bigint();
      const formats = this.#formatsOf(type);
      if (formats === null) return { type };
      if (formats.length > 1 && this.#wishes.ambiguousDates === "text") continue;
      return { type, format: formats[0] };
    }
    return { type: "VARCHAR" };
  }

  /** The formats that fit a DATE or TIMESTAMP column, the one to take first. */
  formats(): string[] {
    return this.#formatsOf(this.typing().type) ?? [];
  }

  #bigint(): ColumnTyping {
    const { bigint } = this.#wishes;
    const needsBigint = bigint === "always" || this.#unsafe;
    return needsBigint ? { type: "BIGINT", bigint: true } : { type: "BIGINT" };
  }

  #formatsOf(type: LogicalType): string[] | null {
    if (type === "DATE") return this.#ranked(this.#dates);
    if (type === "TIMESTAMP") return this.#ranked(this.#timestamps);
    if (type === "TIMESTAMPTZ") return this.#ranked(this.#instants);
    return null;
  }

  #ranked(candidates: FormatCandidates): string[] {
    const formats = candidates.remaining().map((format) => format.text);
    if (this.#wishes.ambiguousDates !== "month-first") return formats;
    const monthFirst = formats.filter((format) => format.startsWith("%m"));
    return [...monthFirst, ...formats.filter((format) => !monthFirst.includes(format))];
  }

  #takes(type: LogicalType, bytes: Uint8Array, start: number, end: number): boolean {
    switch (type) {
      case "BOOLEAN":
        return this.#boolean?.cast(bytes, start, end, 0) ?? false;
      case "BIGINT":
        return this.#takesInteger(bytes, start, end);
      case "HUGEINT":
        return parseBigInteger(bytes, start, end, this.#settings.numbers) !== null;
      case "DOUBLE": {
        if (!castDouble(bytes, start, end, this.#settings.numbers, this.#double, 0)) return false;
        this.#number ||= Number.isFinite(this.#double[0]);
        return true;
      }
      case "TIME":
        return parseTime(bytes, start, end, this.#fields);
      case "DATE":
        return this.#dates.narrow(bytes, start, end);
      case "TIMESTAMP":
        return this.#timestamps.narrow(bytes, start, end);
      case "TIMESTAMPTZ":
        return this.#instants.narrow(bytes, start, end);
      default:
        return false;
    }
  }

  #takesInteger(bytes: Uint8Array, start: number, end: number): boolean {
    const { numbers } = this.#settings;
    if (!Number.isNaN(parseSafeInteger(bytes, start, end, numbers))) return true;
    const big = parseBigInteger(bytes, start, end, numbers);
    if (big === null || !fitsBigint(big) || this.#wishes.bigint === "never") return false;
    this.#unsafe = true;
    return true;
  }
}
