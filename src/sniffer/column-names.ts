import { CsvError } from "../errors.js";

/** Names that differ, from names that may not: `c, c, c_1` become `c, c_1, c_1_1`, as in DuckDB. */
export function uniqueNames(originals: readonly string[]): string[] {
  const taken = new Set<string>();
  const next = new Map<string, number>();
  return originals.map((original) => {
    let name = original;
    let number = next.get(original) ?? 1;
    while (taken.has(name)) name = `${original}_${number++}`;
    next.set(original, number);
    taken.add(name);
    return name;
  });
}

/** The name of a column that has none: `column0`, with as many digits as the number of columns has. */
export function generatedName(column: number, columns: number): string {
  return `column${String(column).padStart(String(columns).length, "0")}`;
}

/**
 * The position of a column given by name or original name.
 *
 * @throws CsvError UNKNOWN_COLUMN.
 */
export function columnIndex(
  columns: readonly { name: string; originalName: string }[],
  name: string,
): number {
  const byName = columns.findIndex((column) => column.name === name);
  if (byName >= 0) return byName;
  const byOriginal = columns.findIndex((column) => column.originalName === name);
  if (byOriginal >= 0) return byOriginal;
  const known = columns.slice(0, 20).map((column) => JSON.stringify(column.name));
  throw new CsvError(
    "UNKNOWN_COLUMN",
    `there is no column ${JSON.stringify(name)}; there are ${known.join(", ")}`,
  );
}
