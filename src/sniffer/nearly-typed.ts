import type { CsvWarning } from "../errors.js";
import type { Spans } from "../machine/spans.js";
import { type CellReader, NULL_CELL, VALUE_CELL } from "../types/cell-reader.js";
import type { ColumnTyping } from "../types/column-typing.js";
import { type CastSettings, createCaster } from "../types/create-caster.js";
import { ColumnEvidence, type TypingWishes } from "./column-evidence.js";
import type { Layout } from "./layout.js";

/** Values that a type is guessed from; all but one of them have to be of it. */
const GUESSED_FROM = 16;
/** Values of the type that there have to be for each that is not. */
const TYPED_FOR_EACH = 10;
/** Characters of a value that are shown. */
const SHOWN = 40;

/** Calls a function with each value of a column, spaces around it left out, until it returns false. */
export type EachValue = (take: (start: number, end: number, record: number) => boolean) => void;

/** The values of a column that are no missing ones, quoted text left out with the rest where that is text by decree. */
export function valuesOf(spans: Spans, layout: Layout, column: number, cells: CellReader): EachValue {
  return (take) => {
    for (const record of layout.body) {
      const field = spans.firstField[record] + column;
      if (field >= spans.firstField[record + 1]) continue;
      const kind = cells.read(spans, field);
      if (kind === NULL_CELL) continue;
      cells.trim();
      const isText = kind !== VALUE_CELL;
      if (!take(cells.start, isText ? cells.start : cells.end, record)) return;
    }
  };
}

/**
 * A warning where a column is text because of a few values among many of another type, which a file's last lines, a slip or
 * two by hand or a changed program leave; null where it is text for good.
 *
 * @param isMarker Whether the value that the cells stand at stands for a missing one.
 * @param lineOf The physical line of a record.
 */
export function nearlyTyped(
  name: string,
  eachValue: EachValue,
  cells: CellReader,
  isMarker: () => boolean,
  wishes: TypingWishes,
  settings: CastSettings,
  lineOf: (record: number) => number,
): CsvWarning | null {
  const typing = guessed(eachValue, cells, isMarker, wishes, settings);
  if (typing === null) return null;
  const wider: ColumnTyping[] =
    typing.type === "BIGINT" && wishes.candidates.includes("DOUBLE")
      ? [typing, { type: "DOUBLE" }]
      : [typing];
  for (const each of wider) {
    const misfits = misfitsOf(each, eachValue, cells, isMarker, settings);
    if (misfits === null) continue;
    const { count, of, shown, record } = misfits;
    const values =
      count === 1 ? `1 of ${of} values, ${shown}` : `${count} of ${of} values, the first of them ${shown}`;
    return {
      code: "NEARLY_TYPED",
      column: name,
      line: lineOf(record),
      message: `column ${JSON.stringify(name)} is text only because of ${values}; with ${optionFor(name, each)} it is ${each.type}, and ${count === 1 ? "that is a fault" : "those are faults"}`,
    };
  }
  return null;
}

/** The option that gives a column a type: a format of dates gives it along. */
function optionFor(name: string, { type, format }: ColumnTyping): string {
  if (format === undefined) return `types: ${JSON.stringify({ [name]: type })}`;
  const option = type === "DATE" ? "dateFormat" : "timestampFormat";
  return `${option}: ${JSON.stringify({ [name]: format })}`;
}

/** The type of all but one of the first values at most; null where there is none. */
function guessed(
  eachValue: EachValue,
  cells: CellReader,
  isMarker: () => boolean,
  wishes: TypingWishes,
  settings: CastSettings,
): ColumnTyping | null {
  const values: Uint8Array[] = [];
  let odd = 0;
  eachValue((start, end) => {
    if (isMarker()) return true;
    // Whatever has a type but a word for true or false begins so, and most text does not.
    if (!beginsAsNumber(cells.bytes[start]) || start === end) odd++;
    else values.push(cells.bytes.slice(start, end));
    return odd < 2 && values.length < GUESSED_FROM;
  });
  if (odd > 1 || values.length < TYPED_FOR_EACH) return null;
  for (let left = -1; left < (odd === 0 ? values.length : 0); left++) {
    const evidence = new ColumnEvidence(wishes, settings);
    for (const [index, value] of values.entries()) {
      if (index !== left) evidence.observe(value, 0, value.length);
      if (evidence.isText) break;
    }
    const typing = evidence.typing();
    if (typing.type !== "VARCHAR" && typing.type !== "SQLNULL") return typing;
  }
  return null;
}

/** The values that are not of a type, with the first of them; null where they are more than a few. */
function misfitsOf(
  typing: ColumnTyping,
  eachValue: EachValue,
  cells: CellReader,
  isMarker: () => boolean,
  settings: CastSettings,
): { count: number; of: number; shown: string; record: number } | null {
  const caster = createCaster(typing, settings);
  caster.begin(1);
  let count = 0;
  let typed = 0;
  let first: { shown: string; record: number } | null = null;
  eachValue((start, end, record) => {
    if (isMarker()) return true;
    if (start < end && caster.cast(cells.bytes, start, end, 0)) typed++;
    else {
      count++;
      first ??= { shown: shownValue(cells.text()), record };
    }
    return count * TYPED_FOR_EACH <= typed + GUESSED_FROM * TYPED_FOR_EACH;
  });
  if (first === null || count * TYPED_FOR_EACH > typed) return null;
  const { shown, record } = first as { shown: string; record: number };
  return { count, of: typed + count, shown, record };
}

function shownValue(text: string): string {
  return text === "" ? "one of blanks" : JSON.stringify(text.slice(0, SHOWN));
}

function beginsAsNumber(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x2e || byte === 0x2b;
}
