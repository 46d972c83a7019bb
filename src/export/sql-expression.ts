import type { CellReading, Column } from "../sniffer/sniff.js";
import { decimalPattern, temporalPattern, wholePattern } from "./cell-pattern.js";
import type { ColumnPlan } from "./column-plan.js";

/** What sets one SQL engine apart where text becomes a value. */
export interface SqlEngine {
  /** A string literal. */
  string(text: string): string;
  /** The engine's type for a column. */
  type(column: Column): string;
  /** Text cast to a type. */
  cast(source: string, type: string): string;
  /** Text that is read by a column's format; null where the engine can't. */
  parse(source: string, column: Column): string | null;
  /** Whether a text matches a regular expression. */
  matches(source: string, pattern: string): string;
  /** A value of a type that there is none of: it stops the engine with a message that begins with the cell. */
  fault(source: string, message: string, type: string): string;
  /** Whether a cast to a date or a timestamp takes more than ISO 8601. */
  castsFreely?: boolean;
}

/** An expression, and whether it gives the column's own type: text is all that is left where it can't. */
export interface SqlExpression {
  text: string;
  isTyped: boolean;
}

/**
 * The expression that makes a column's value of a cell's text.
 *
 * @param emptyIsNull Whether the engine itself has made empty cells null.
 */
export function sqlExpression(
  { column, isPlain }: ColumnPlan,
  source: string,
  cells: CellReading,
  engine: SqlEngine,
  emptyIsNull: boolean,
): SqlExpression {
  const nulls = cells.nullValues.filter((text) => !(emptyIsNull && text === ""));
  const cell = withoutNulls(source, nulls, engine);
  const type = engine.type(column);
  if (column.type === "VARCHAR" || column.type === "SQLNULL") return { text: cell, isTyped: true };
  const strictly = (pattern: string, value: string, what: string) =>
    `CASE WHEN ${cell} IS NULL THEN NULL WHEN ${engine.matches(cell, pattern)} THEN ${value} ELSE ${engine.fault(cell, ` is no ${what}`, type)} END`;
  if (isPlain) {
    const value = engine.cast(cell, type);
    const isChecked = engine.castsFreely === true && TEMPORAL.has(column.type);
    const text = isChecked ? strictly(temporalPattern(column, true), value, column.type) : value;
    return { text, isTyped: true };
  }
  if (column.type === "BOOLEAN") {
    return {
      text: words(cell, cells, engine, engine.fault(cell, " is no BOOLEAN", type)),
      isTyped: true,
    };
  }
  if (column.type === "BIGINT" || column.type === "HUGEINT") {
    const value = engine.cast(pointed(cell, cells, engine), type);
    return { text: strictly(wholePattern(cells), value, `${column.type} with separators`), isTyped: true };
  }
  if (column.type === "DOUBLE") {
    const value = engine.cast(pointed(cell, cells, engine), type);
    return { text: strictly(decimalPattern(cells), value, "DOUBLE with these separators"), isTyped: true };
  }
  const parsed = engine.parse(cell, column);
  if (parsed === null) return { text: cell, isTyped: false };
  const what = `${column.type} in the format ${column.format}`;
  return { text: strictly(temporalPattern(column, false), parsed, what), isTyped: true };
}

const TEMPORAL: ReadonlySet<string> = new Set(["DATE", "TIMESTAMP", "TIMESTAMPTZ"]);

/** A cell's text, null where it stands for a missing value. */
export function withoutNulls(source: string, nulls: readonly string[], { string }: SqlEngine): string {
  if (nulls.length === 0) return source;
  if (nulls.length === 1) return `NULLIF(${source}, ${string(nulls[0])})`;
  return `CASE WHEN ${source} IN (${nulls.map(string).join(", ")}) THEN NULL ELSE ${source} END`;
}

/** @param other What becomes of other words. */
function words(
  source: string,
  { trueValues, falseValues }: CellReading,
  { string }: SqlEngine,
  other: string,
): string {
  const isOne = (given: readonly string[], usual: string) =>
    given.length === 0
      ? `lower(${source}) = ${string(usual)}`
      : `${source} IN (${given.map(string).join(", ")})`;
  return `CASE WHEN ${source} IS NULL THEN NULL WHEN ${isOne(trueValues, "true")} THEN TRUE WHEN ${isOne(falseValues, "false")} THEN FALSE ELSE ${other} END`;
}

/** A number with a point, and nothing between its thousands. */
function pointed(
  source: string,
  { decimalSeparator, thousandsSeparator }: CellReading,
  { string }: SqlEngine,
): string {
  const whole = thousandsSeparator === "" ? source : `replace(${source}, ${string(thousandsSeparator)}, '')`;
  return decimalSeparator === "." ? whole : `replace(${whole}, ${string(decimalSeparator)}, '.')`;
}

/** A sentence for each column that stays text. */
export function untypedNotes(
  plans: readonly ColumnPlan[],
  expressions: readonly SqlExpression[],
  parser: string,
): string[] {
  return plans.flatMap(({ column, name }, index) =>
    expressions[index].isTyped
      ? []
      : [`column ${JSON.stringify(name)} stays text: ${parser} has no ${column.format}`],
  );
}
