/**
 * A text as a JSON string literal that is also safe in JavaScript and in a line comment: U+2028 and U+2029 end a
 * line there, and U+0085 in some editors and tools.
 */
export function jsonString(text: string): string {
  return escaped(JSON.stringify(text), /[\u0085\u2028\u2029]/g);
}

/** A string literal of Python or R: JSON's, less the NUL that R refuses and what ends a line to either. */
export function scriptString(text: string): string {
  return escaped(JSON.stringify(text.replaceAll("\0", "\ufffd")), /[\u007f-\u009f\u2028\u2029]/g);
}

function escaped(text: string, characters: RegExp): string {
  return text.replace(
    characters,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A string literal of standard SQL, in which the quote alone is special. */
export function sqlString(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A string literal of engines in which a backslash escapes as well: MySQL, ClickHouse, Spark, BigQuery. */
export function backslashString(text: string): string {
  return `'${text
    .replaceAll("\\", "\\\\")
    .replaceAll("'", "\\'")
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r")
    .replaceAll("\t", "\\t")
    .replaceAll("\0", "\\0")}'`;
}

/** A delimited identifier of standard SQL. */
export function sqlIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A delimited identifier of MySQL and Spark. */
export function backtickIdentifier(name: string): string {
  return `\`${name.replaceAll("`", "``")}\``;
}

/** A word of a POSIX shell. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
