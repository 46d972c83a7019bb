import type { Column } from "../sniffer/sniff.js";

/** Makes the row at an index of a batch's columns. */
export type RowBuilder = (columns: readonly ArrayLike<unknown>[], row: number) => unknown;

/** Above this many columns a generated literal compiles slower than it runs. */
const MOST_GENERATED = 400;

/**
 * The row builder of a table. Object rows come from a generated object literal, since creating one costs a few
 * nanoseconds a field where assigning key by key costs tens; where the environment forbids generated code (a
 * strict content security policy) a template is copied and filled, with the same result.
 *
 * Names enter the code through JSON.stringify only. A name is always an own property, `__proto__` included.
 */
export function createRowBuilder(
  columns: readonly Column[],
  rowShape: "object" | "array",
  duplicateHeaders: "rename" | "group" | "error",
): RowBuilder {
  if (rowShape === "array") return arrayBuilder(columns.length);
  const groups = groupColumns(columns, duplicateHeaders === "group");
  return (columns.length <= MOST_GENERATED ? generatedBuilder(groups) : null) ?? templateBuilder(groups);
}

/** A property of the row, and the columns that make it: several where equal names are gathered. */
interface Group {
  name: string;
  columns: number[];
}

function groupColumns(columns: readonly Column[], gather: boolean): Group[] {
  if (!gather) return columns.map((column, index) => ({ name: column.name, columns: [index] }));
  const groups = new Map<string, Group>();
  columns.forEach(({ originalName }, index) => {
    const group = groups.get(originalName);
    if (group === undefined) groups.set(originalName, { name: originalName, columns: [index] });
    else group.columns.push(index);
  });
  return [...groups.values()];
}

function arrayBuilder(width: number): RowBuilder {
  return (columns, row) => {
    const values = new Array<unknown>(width);
    for (let column = 0; column < width; column++) values[column] = columns[column][row];
    return values;
  };
}

/** Null where code may not be generated. */
function generatedBuilder(groups: readonly Group[]): RowBuilder | null {
  const properties = groups.map(({ name, columns }) => {
    // A plain "__proto__" in a literal would set the prototype; a computed key defines a property.
    const key = name === "__proto__" ? '["__proto__"]' : JSON.stringify(name);
    const values = columns.map((column) => `columns[${column}][row]`);
    return `${key}: ${values.length === 1 ? values[0] : `[${values.join(", ")}]`}`;
  });
  try {
    return new Function("columns", "row", `"use strict"; return {${properties.join(", ")}};`) as RowBuilder;
  } catch {
    return null;
  }
}

/** The way without generated code. */
export function templateBuilder(groups: readonly Group[]): RowBuilder {
  const template: Record<string, unknown> = {};
  for (const { name } of groups) {
    Object.defineProperty(template, name, {
      value: null,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return (columns, row) => {
    const values: Record<string, unknown> = { ...template };
    for (const group of groups) {
      values[group.name] =
        group.columns.length === 1
          ? columns[group.columns[0]][row]
          : group.columns.map((column) => columns[column][row]);
    }
    return values;
  };
}
