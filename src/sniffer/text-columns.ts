import type { CsvWarning } from "../errors.js";
import type { CellReader } from "../types/cell-reader.js";
import type { CastSettings } from "../types/create-caster.js";
import { castDouble, type NumberSyntax, parseSafeInteger } from "../types/number.js";
import { ColumnEvidence, type TypingWishes } from "./column-evidence.js";
import { eachValue, type SampledTable } from "./column-values.js";
import { nearlyTyped } from "./nearly-typed.js";
import type { Column } from "./sniff.js";

/** What stands for a missing value in many files, in lower case. */
const MARKERS = new Set([
  ...["na", "n/a", "n.a.", "#n/a", "nan", "null", "(null)", "<null>", "none", "nil", "\\n"],
  ...["-", "--", "?", ".", "..", "*"],
]);
const LONGEST_MARKER = 6;
/** Values beside the markers that a type has to take. */
const LEAST_VALUES = 2;

const COMMA = 0x2c;
const POINT = 0x2e;
const APOSTROPHE = 0x27;
const SPACE = 0x20;

/** How numbers are written in other places, the simplest first. */
const SYNTAXES: readonly NumberSyntax[] = [
  { decimal: COMMA, thousands: 0 },
  { decimal: COMMA, thousands: POINT },
  { decimal: COMMA, thousands: SPACE },
  { decimal: COMMA, thousands: APOSTROPHE },
  { decimal: POINT, thousands: COMMA },
  { decimal: POINT, thousands: APOSTROPHE },
  { decimal: POINT, thousands: SPACE },
];

/** What would make another type of columns that are text. */
export interface TextColumnRemarks {
  warnings: CsvWarning[];
  hints: string[];
}

/**
 * Which columns are text only because of words that seem to stand for a missing value, or of separators in their numbers.
 * They stay text: whether `NA` is Namibia, and `1,234` more than a thousand, only the caller knows.
 *
 * @param isAsked By column: whether it is text by what was sniffed, and not by the caller's wish.
 */
export function textColumnRemarks(
  table: SampledTable,
  columns: readonly Column[],
  isAsked: (index: number) => boolean,
  wishes: TypingWishes,
  settings: CastSettings,
): TextColumnRemarks {
  const warnings: CsvWarning[] = [];
  const hints: string[] = [];
  columns.forEach(({ name, type }, index) => {
    if (type !== "VARCHAR" || !isAsked(index)) return;
    const text = new TextColumn(wishes, settings);
    text.observeColumn(table, index);
    if (text.values === 0) {
      const isMarker = () => markerOf(table.cells) !== null;
      const warning = nearlyTyped(name, table, index, isMarker, wishes, settings);
      if (warning !== null) warnings.push(warning);
      return;
    }
    const { markers, typing, numbers } = text;
    const listed = [...markers].map((marker) => JSON.stringify(marker)).join(", ");
    const nulls = `nullValues: ["", ${listed}]`;
    if (typing !== "VARCHAR") {
      if (markers.size === 0 || text.values < LEAST_VALUES) return;
      warnings.push({
        code: "NULL_MARKERS",
        column: name,
        message: `column ${JSON.stringify(name)} is text only because of ${listed}; with ${nulls} it is ${typing}`,
      });
    } else if (numbers.length > 0) {
      const ways = numbers.map(({ type, said }) => `${type} with ${said}`).join(", or as ");
      hints.push(`column ${name} parses as ${ways}${markers.size === 0 ? "" : `, and ${nulls}`}`);
    }
  });
  return { warnings, hints };
}

/** A number's separators, and what they make of a column. */
interface OtherNumbers {
  type: "BIGINT" | "DOUBLE";
  /** The options, as a hint says them. */
  said: string;
}

/** What the values of a column of text have in common, words for a missing value left out. */
class TextColumn {
  readonly markers = new Set<string>();
  /** Values beside the markers; 0 where one is neither of a type nor a number in other separators. */
  values = 0;
  readonly #evidence: ColumnEvidence;
  readonly #current: NumberSyntax;
  readonly #double = new Float64Array(1);
  #syntaxes: NumberSyntax[];
  readonly #isBigintAllowed: boolean;
  readonly #fractions = new Set<NumberSyntax>();

  constructor(wishes: TypingWishes, settings: CastSettings) {
    const { numbers } = settings;
    this.#current = numbers;
    this.#isBigintAllowed = wishes.candidates.includes("BIGINT");
    this.#evidence = new ColumnEvidence(wishes, settings);
    // A decimal comma is said by the caller, never found.
    const isSaid = numbers.decimal !== POINT;
    this.#syntaxes = wishes.candidates.includes("DOUBLE")
      ? SYNTAXES.filter(
          ({ decimal, thousands }) =>
            (!isSaid || decimal === numbers.decimal) &&
            (decimal !== numbers.decimal || thousands !== numbers.thousands),
        )
      : [];
  }

  observeColumn(table: SampledTable, column: number): void {
    const { cells } = table;
    eachValue(table, column, (_, isText) => {
      const marker = isText ? null : markerOf(cells);
      if (marker !== null) {
        this.markers.add(marker);
        return true;
      }
      // Most columns of text show with their first value.
      if (isText || !this.#takes(cells.bytes, cells.start, cells.end)) {
        this.values = 0;
        return false;
      }
      this.values++;
      return true;
    });
  }

  #takes(bytes: Uint8Array, start: number, end: number): boolean {
    if (!this.#evidence.isText) this.#evidence.observe(bytes, start, end);
    if (this.#syntaxes.length > 0) {
      this.#syntaxes = this.#syntaxes.filter((syntax) => {
        if (!castDouble(bytes, start, end, syntax, this.#double, 0)) return false;
        if (Number.isNaN(parseSafeInteger(bytes, start, end, syntax))) this.#fractions.add(syntax);
        return true;
      });
    }
    return !this.#evidence.isText || this.#syntaxes.length > 0;
  }

  get typing(): string {
    return this.#evidence.typing().type;
  }

  /** The ways to write numbers that take all values, one for each decimal separator. */
  get numbers(): OtherNumbers[] {
    const decimals = [COMMA, POINT];
    return decimals.flatMap((decimal) => {
      const syntax = this.#syntaxes.find((each) => each.decimal === decimal);
      if (syntax === undefined) return [];
      const isWhole = this.#isBigintAllowed && !this.#fractions.has(syntax);
      const type = isWhole ? "BIGINT" : "DOUBLE";
      return [{ type, said: this.#said(syntax) }];
    });
  }

  #said({ decimal, thousands }: NumberSyntax): string {
    const said: string[] = [];
    if (decimal !== this.#current.decimal) said.push(`decimalSeparator ${quoted(decimal)}`);
    if (thousands !== this.#current.thousands) said.push(`thousandsSeparator ${quoted(thousands)}`);
    return said.join(" and ");
  }
}

/** The value that the cells stand at, where it seems to stand for a missing one; null where not. */
function markerOf(cells: CellReader): string | null {
  if (cells.end - cells.start > LONGEST_MARKER) return null;
  const text = cells.text();
  return MARKERS.has(text.toLowerCase()) ? text : null;
}

function quoted(byte: number): string {
  return byte === 0 ? '""' : JSON.stringify(String.fromCharCode(byte));
}
