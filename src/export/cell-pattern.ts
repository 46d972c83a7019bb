import type { CellReading, Column } from "../sniffer/sniff.js";
import { formatPieces } from "./strftime.js";

/*
 * Which cells are values of a column, as regular expressions in the part of the syntax that POSIX, RE2, Java, ICU and Oniguruma
 * share. Engines read dates and, once separators are taken out, numbers more freely than the library: 1.2.3,00 would come out
 * as 123, and 28.02.25 as a day of the year 25.
 */

/** A whole number whose thousands are separated. */
export function wholePattern(cells: CellReading): string {
  return anchored(`-?${digits(cells)}`);
}

/** A decimal number with separators of its own. */
export function decimalPattern(cells: CellReading): string {
  const point = literal(cells.decimalSeparator);
  const number = `(${digits(cells)}(${point}[0-9]*)?|${point}[0-9]+)([eE][+-]?[0-9]+)?`;
  return anchored(`-?(${number}|[Nn][Aa][Nn]|[Ii][Nn][Ff]([Ii][Nn][Ii][Tt][Yy])?)`);
}

function digits({ thousandsSeparator }: CellReading): string {
  return thousandsSeparator === ""
    ? "[0-9]+"
    : `([0-9]{1,3}(${literal(thousandsSeparator)}[0-9]{3})+|[0-9]+)`;
}

/** There is no year 0. */
const YEAR = "([0-9]{3}[1-9]|[0-9]{2}[1-9]0|[0-9][1-9]00|[1-9]000)";

const PIECES: Readonly<Record<string, string>> = {
  "%Y": YEAR,
  "%y": "[0-9]{2}",
  "%m": "[0-9]{1,2}",
  "%-m": "[0-9]{1,2}",
  "%b": "[A-Za-z]{3}",
  "%B": "[A-Za-z]+",
  "%d": "[0-9]{1,2}",
  "%-d": "[0-9]{1,2}",
  "%a": "[A-Za-z]{3}",
  "%A": "[A-Za-z]+",
  "%H": "[0-9]{1,2}",
  "%-H": "[0-9]{1,2}",
  "%I": "[0-9]{1,2}",
  "%-I": "[0-9]{1,2}",
  "%p": "[AaPp][Mm]",
  "%M": "[0-9]{2}",
  "%S": "[0-9]{2}([.][0-9]+)?",
  "%f": "[0-9]+",
  "%z": "([Zz]|[+-][0-9]{2}(:?[0-9]{2})?)",
};

const ISO_DATE = `${YEAR}-[0-9]{1,2}-[0-9]{1,2}`;
const ISO_CLOCK = "[ T][0-9]{1,2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?";
const ISO: Readonly<Record<string, string>> = {
  DATE: ISO_DATE,
  TIMESTAMP: `${ISO_DATE}(${ISO_CLOCK})?`,
  TIMESTAMPTZ: `${ISO_DATE}(${ISO_CLOCK})? ?${PIECES["%z"]}`,
};

/** A DATE, TIMESTAMP or TIMESTAMPTZ in its column's format, or in ISO 8601. */
export function temporalPattern({ type, format }: Pick<Column, "type" | "format">, isPlain: boolean): string {
  if (isPlain || format === undefined) return anchored(ISO[type]);
  // A timestamp's time may be missing as a whole.
  const dateAlone = type === "TIMESTAMP" ? /^(.*?)([ T]%-?[HI].*)$/.exec(format) : null;
  if (dateAlone === null) return anchored(pieces(format));
  return anchored(`${pieces(dateAlone[1])}(${pieces(dateAlone[2])})?`);
}

function pieces(format: string): string {
  return formatPieces(format.replaceAll("%S.%f", "%S"))
    .map((piece) => ("literal" in piece ? literal(piece.literal) : PIECES[piece.directive]))
    .join("");
}

/** Blanks around a value are layout. */
function anchored(pattern: string): string {
  return `^[ \t]*${pattern}[ \t]*$`;
}

/** Words for true and false, in any case where they are the usual ones. */
export function booleanPattern({ trueValues, falseValues }: CellReading): string {
  const words = [
    ...(trueValues.length === 0 ? ["[Tt][Rr][Uu][Ee]"] : trueValues.map(literal)),
    ...(falseValues.length === 0 ? ["[Ff][Aa][Ll][Ss][Ee]"] : falseValues.map(literal)),
  ];
  return `^(${words.join("|")})$`;
}

/** A text that stands for itself. */
function literal(text: string): string {
  return text.replace(/[.*+?()|{}$[\]^\\]/g, (character) =>
    "[]^\\".includes(character) ? `\\${character}` : `[${character}]`,
  );
}
