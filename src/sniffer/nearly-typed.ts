import type { CsvWarning } from "../errors.js";
import type { ColumnTyping } from "../types/column-typing.js";
import { type CastSettings, createCaster } from "../types/create-caster.js";
import { ColumnEvidence, type TypingWishes } from "./column-evidence.js";
import { eachValue, type SampledTable } from "./column-values.js";

/** Values that a type is guessed from; all but one of them have to be of it. */
const GUESSED_FROM = 16;
/** Values of the type that there have to be for each that is not. */
const TYPED_FOR_EACH = 10;
/** Characters of a value that are shown. */
const SHOWN = 40;

/**
 * A warning where a column is text because of a few values among many of another type, which a file's last lines, a slip or
 * two by hand or a changed program leave; null where it is text for good.
 *
 * @param isMarker Whether the value that the cells stand at stands for a missing one.
 */
export function nearlyTyped(
  name: string,
  table: SampledTable,
  column: number,
  isMarker: () => boolean,
  wishes: TypingWishes,
  settings: CastSettings,
): CsvWarning | null {
  const typing = guessed(table, column, isMarker, wishes, settings);
  if (typing === null) return null;
  const wider: ColumnTyping[] =
    typing.type === "BIGINT" && wishes.candidates.includes("DOUBLE")
      ? [typing, { type: "DOUBLE" }]
      : [typing];
  for (const each of wider) {
    const misfits = misfitsOf(each, table, column, isMarker, settings);
    if (misfits === null) continue;
    const { count, of, shown, record } = misfits;
    const values =
      count === 1 ? `1 of ${of} values, ${shown}` : `${count} of ${of} values, the first of them ${shown}`;
    return {
      code: "NEARLY_TYPED",
      column: name,
      line: table.lineOf(record),
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
  table: SampledTable,
  column: number,
  isMarker: () => boolean,
  wishes: TypingWishes,
  settings: CastSettings,
): ColumnTyping | null {
  const values: Uint8Array[] = [];
  let odd = 0;
  const { cells } = table;
  eachValue(table, column, (_, isText) => {
    if (!isText && isMarker()) return true;
    const { bytes, start, end } = cells;
    // Whatever has a type but a word for true or false begins so, and most text does not.
    if (isText || start === end || !beginsAsNumber(bytes[start])) odd++;
    else values.push(bytes.slice(start, end));
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
  table: SampledTable,
  column: number,
  isMarker: () => boolean,
  settings: CastSettings,
): { count: number; of: number; shown: string; record: number } | null {
  const caster = createCaster(typing, settings);
  caster.begin(1);
  let count = 0;
  let typed = 0;
  let first: { shown: string; record: number } | null = null;
  const { cells } = table;
  eachValue(table, column, (record, isText) => {
    if (!isText && isMarker()) return true;
    if (!isText && caster.cast(cells.bytes, cells.start, cells.end, 0)) typed++;
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
