import type { CellReading, Column } from "../sniffer/sniff.js";
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
  if (isPlain) return { text: engine.cast(cell, type), isTyped: true };
  if (column.type === "BOOLEAN") {
    return { text: words(source, cells, engine, engine.cast(cell, type)), isTyped: true };
  }
  if (column.type === "DOUBLE") {
    return { text: engine.cast(pointed(cell, cells, engine), type), isTyped: true };
  }
  const parsed = engine.parse(cell, column);
  return parsed === null ? { text: cell, isTyped: false } : { text: parsed, isTyped: true };
}

function withoutNulls(source: string, nulls: readonly string[], { string }: SqlEngine): string {
  if (nulls.length === 0) return source;
  if (nulls.length === 1) return `NULLIF(${source}, ${string(nulls[0])})`;
  return `CASE WHEN ${source} IN (${nulls.map(string).join(", ")}) THEN NULL ELSE ${source} END`;
}

/** @param other What becomes of other words: null for a null, and a fault for what is neither. */
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
  return `CASE WHEN ${isOne(trueValues, "true")} THEN TRUE WHEN ${isOne(falseValues, "false")} THEN FALSE ELSE ${other} END`;
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
