import type { Column, Sniff } from "../sniffer/sniff.js";
import type { ExportPlace } from "./export-sniff.js";
import { jsonString } from "./quoting.js";

/** The interface of a row as `readCsv` gives it by default. Every name is quoted, so none can end its string. */
export function typescript({ columns }: Sniff, { path, table }: ExportPlace): string {
  const members = columns.map((column) => `  ${jsonString(column.name)}: ${valueType(column)} | null;\n`);
  return `// A row of ${jsonString(path)}.\nexport interface ${typeName(table)} {\n${members.join("")}}\n`;
}

function valueType({ type, bigint }: Column): string {
  switch (type) {
    case "BOOLEAN":
      return "boolean";
    case "BIGINT":
      return bigint === true ? "bigint" : "number";
    case "HUGEINT":
      return "bigint";
    case "DOUBLE":
      return "number";
    case "DATE":
    case "TIMESTAMP":
    case "TIMESTAMPTZ":
      return "Date";
    default:
      return "string";
  }
}

/** A type's name: a capital first, so that it is no keyword and no built-in type such as `string`. */
export function typeName(table: string): string {
  const words = table.match(/[A-Za-z0-9]+/g) ?? [];
  const name = words.map((word) => word[0].toUpperCase() + word.slice(1)).join("");
  return `${/^[A-Z]/.test(name) ? "" : "T"}${name}Row`;
}
