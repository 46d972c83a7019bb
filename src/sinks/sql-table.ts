import type { Column } from "../sniffer/sniff.js";
import type { SinkOptions } from "./batch-values.js";

/** How a table comes to be. */
export interface TableOptions extends SinkOptions {
  /** What becomes of a table of that name: "fail", "replace" it, or "append" to it. Default: "fail". */
  ifExists?: "fail" | "replace" | "append";
}

/** The statements that make a table. */
export function createTable(
  table: string,
  columns: readonly Column[],
  types: Readonly<Record<Column["type"], string>>,
  { ifExists = "fail" }: TableOptions,
): string[] {
  const made = columns.map(({ name, type }) => `${quoted(name)} ${types[type]}`).join(", ");
  const create = `CREATE TABLE ${ifExists === "append" ? "IF NOT EXISTS " : ""}${quoted(table)} (${made})`;
  return ifExists === "replace" ? [`DROP TABLE IF EXISTS ${quoted(table)}`, create] : [create];
}

/** An identifier in quotes. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
