import type { Column } from "../sniffer/sniff.js";

/** Makes the rows `from` to `to` of a batch's columns. */
export type RowBuilder = (columns: readonly ArrayLike<unknown>[], from: number, to: number) => unknown[];

/** Above this many columns a generated literal compiles slower than it runs. */
const MOST_GENERATED = 400;

/**
 * The row builder of a table. Rows come from a generated literal, since creating one costs a few
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
  const generated = columns.length <= MOST_GENERATED;
  if (rowShape === "array") {
    const values = columns.map((_, column) => valueOf(column));
    return (generated ? generateBuilder(`[${values.join(", ")}]`, values.length) : null) ?? arrayBuilder;
  }
  const groups = groupColumns(columns, duplicateHeaders === "group");
  return (
    (generated ? generateBuilder(objectLiteral(groups), columns.length) : null) ?? templateBuilder(groups)
  );
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

const arrayBuilder: RowBuilder = (columns, from, to) => {
  const rows: unknown[] = [];
  for (let row = from; row < to; row++) {
    const values = new Array<unknown>(columns.length);
    for (let column = 0; column < columns.length; column++) values[column] = columns[column][row];
    rows.push(values);
  }
  return rows;
};

/** A column's value, in generated code. */
function valueOf(column: number): string {
  return `c${column}[row]`;
}

function objectLiteral(groups: readonly Group[]): string {
  const properties = groups.map(({ name, columns }) => {
    // A plain "__proto__" in a literal would set the prototype; a computed key defines a property.
    const key = name === "__proto__" ? '["__proto__"]' : JSON.stringify(name);
    const values = columns.map(valueOf);
    return `${key}: ${values.length === 1 ? values[0] : `[${values.join(", ")}]`}`;
  });
  return `{${properties.join(", ")}}`;
}

/** Rows by a literal; null where code may not be generated. */
function generateBuilder(literal: string, width: number): RowBuilder | null {
  const columns = Array.from({ length: width }, (_, column) => `c${column} = columns[${column}]`);
  const declared = columns.length === 0 ? "" : `const ${columns.join(", ")};`;
  const code = `"use strict"; ${declared} const rows = [];
for (let row = first; row < end; row++) rows.push(${literal});
return rows;`;
  try {
    return new Function("columns", "first", "end", code) as RowBuilder;
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
  return (columns, from, to) => {
    const rows: unknown[] = [];
    for (let row = from; row < to; row++) {
      const values: Record<string, unknown> = { ...template };
      for (const group of groups) {
        values[group.name] =
          group.columns.length === 1
            ? columns[group.columns[0]][row]
            : group.columns.map((column) => columns[column][row]);
      }
      rows.push(values);
    }
    return rows;
  };
}
