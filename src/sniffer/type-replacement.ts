import { CsvError } from "../errors.js";
import { compileFormat } from "../types/format.js";
import type { LogicalType } from "../types/logical-type.js";
import { columnIndex } from "./column-names.js";
import type { Column } from "./sniff.js";

/** The types and formats that the caller gives by name or position. */
export interface Replacements {
  types: Readonly<Record<string, LogicalType>> | readonly LogicalType[] | false | undefined;
  dateFormat?: string | Readonly<Record<string, string>>;
  timestampFormat?: string | Readonly<Record<string, string>>;
  bigint: "auto" | "always" | "never";
}

/**
 * Step 4 of the sniffer: puts the caller's types in place of those found. Returns the columns replaced.
 *
 * @throws CsvError UNKNOWN_COLUMN; INVALID_OPTION where a format does not fit its column's type.
 */
export function replaceTypes(columns: Column[], wishes: Replacements): Set<number> {
  const replaced = new Set<number>();
  const put = (index: number, type: LogicalType, format?: string) => {
    const column = columns[index];
    const keep = column.type === type ? column.format : undefined;
    columns[index] = { name: column.name, originalName: column.originalName, type };
    const chosen = format ?? keep;
    if (chosen !== undefined) columns[index].format = chosen;
    if (type === "BIGINT" && (wishes.bigint === "always" || (column.bigint && wishes.bigint === "auto"))) {
      columns[index].bigint = true;
    }
    replaced.add(index);
  };
  if (wishes.types === false) {
    for (let index = 0; index < columns.length; index++) put(index, "VARCHAR");
    return replaced;
  }
  if (isList(wishes.types)) {
    if (wishes.types.length > columns.length) {
      throw new CsvError(
        "UNKNOWN_COLUMN",
        `types has ${wishes.types.length} entries for ${columns.length} columns`,
      );
    }
    wishes.types.forEach((type, index) => {
      put(index, type);
    });
  } else if (wishes.types !== undefined) {
    for (const [name, type] of Object.entries(wishes.types)) put(columnIndex(columns, name), type);
  }
  for (const formats of [wishes.dateFormat, wishes.timestampFormat]) {
    if (formats === undefined) continue;
    if (typeof formats === "string") {
      // The sniffer has tried the one format already; it matters to columns whose type was given.
      const type = typeOfFormat(formats);
      for (const index of replaced) if (columns[index].type === type) columns[index].format = formats;
      continue;
    }
    for (const [name, format] of Object.entries(formats)) {
      const index = columnIndex(columns, name);
      put(index, typeOfFormat(format), format);
    }
  }
  return replaced;
}

/** The type that values of a format have. */
export function typeOfFormat(text: string): LogicalType {
  const format = compileFormat(text);
  if (!format.hasDate) throw new CsvError("INVALID_OPTION", `the format ${JSON.stringify(text)} has no date`);
  if (format.hasZone) return "TIMESTAMPTZ";
  return format.hasTime ? "TIMESTAMP" : "DATE";
}

function isList(types: Replacements["types"]): types is readonly LogicalType[] {
  return Array.isArray(types);
}
