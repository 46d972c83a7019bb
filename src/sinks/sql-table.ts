import { caseInsensitiveNames } from "../export/names.js";
import { sqlIdentifier } from "../export/quoting.js";
import type { Column } from "../sniffer/sniff.js";
import type { SinkOptions } from "./batch-values.js";

/** How a table comes to be. */
export interface TableOptions extends SinkOptions {
  /** What becomes of a table of that name: "fail", "replace" it, or "append" to it. Default: "fail". */
  ifExists?: "fail" | "replace" | "append";
}

/** The statements that make a table. A name that SQL takes for equal to one before it gets a number behind. */
export function createTable(
  table: string,
  columns: readonly Column[],
  types: Readonly<Record<Column["type"], string>>,
  { ifExists = "fail" }: TableOptions,
): string[] {
  // SQL takes names that differ in case alone for equal.
  const names = caseInsensitiveNames(columns.map(({ name }) => name));
  const made = columns.map(({ type }, index) => `${sqlIdentifier(names[index])} ${types[type]}`).join(", ");
  const create = `CREATE TABLE ${ifExists === "append" ? "IF NOT EXISTS " : ""}${sqlIdentifier(table)} (${made})`;
  return ifExists === "replace" ? [`DROP TABLE IF EXISTS ${sqlIdentifier(table)}`, create] : [create];
}
