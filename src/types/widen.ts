import { VALUE_CELL } from "./cell-reader.js";
import type { ColumnTyping } from "./column-typing.js";
import { type CastSettings, createCaster } from "./create-caster.js";
import { DATE_FORMATS, TIMESTAMP_FORMATS, TIMESTAMPTZ_FORMATS } from "./date-formats.js";
import { FormatCandidates } from "./format-candidates.js";
import type { LogicalType } from "./logical-type.js";
import { fitsBigint, parseBigInteger } from "./number.js";

/** What a type may widen to, nearest first; VARCHAR always. Widening never goes back. */
const WIDER: Partial<Record<LogicalType, readonly LogicalType[]>> = {
  SQLNULL: ["BOOLEAN", "BIGINT", "DOUBLE", "TIME", "DATE", "TIMESTAMP", "TIMESTAMPTZ"],
  BIGINT: ["DOUBLE"],
  DATE: ["TIMESTAMP"],
};

/** The nearest type that takes a value which the column's type refused. */
export function widenColumn(
  column: ColumnTyping,
  kind: number,
  bytes: Uint8Array,
  start: number,
  end: number,
  settings: CastSettings,
): ColumnTyping {
  if (kind === VALUE_CELL) {
    for (const type of WIDER[column.type] ?? []) {
      // Values past 2^53 went before: as doubles they would be rounded.
      if (type === "DOUBLE" && column.bigint) continue;
      const wider = typingOf(type, column, bytes, start, end, settings);
      if (wider === null) continue;
      const caster = createCaster(wider, settings);
      caster.begin(1);
      if (caster.cast(bytes, start, end, 0)) return wider;
    }
  }
  return { type: "VARCHAR" };
}

/** How a column of a type would read the value, or null where it could not as it read those before. */
function typingOf(
  type: LogicalType,
  column: ColumnTyping,
  bytes: Uint8Array,
  start: number,
  end: number,
  settings: CastSettings,
): ColumnTyping | null {
  if (type === "BIGINT") {
    const big = parseBigInteger(bytes, start, end, settings.numbers);
    const unsafe = big !== null && !Number.isSafeInteger(Number(big)) && fitsBigint(big);
    if (unsafe && settings.bigint === "never") return null;
    return unsafe || settings.bigint === "always" ? { type, bigint: true } : { type };
  }
  const formats =
    type === "DATE"
      ? DATE_FORMATS
      : type === "TIMESTAMP"
        ? TIMESTAMP_FORMATS
        : type === "TIMESTAMPTZ"
          ? TIMESTAMPTZ_FORMATS
          : null;
  if (formats === null) return { type };
  const candidates = new FormatCandidates(formats);
  candidates.narrow(bytes, start, end);
  // A DATE column widens to timestamps whose day is written as before.
  const day = column.type === "DATE" ? (column.format ?? "%Y-%m-%d") : "";
  const format = candidates.remaining().find(({ text }) => text.startsWith(day))?.text;
  return format === undefined ? null : { type, format };
}
