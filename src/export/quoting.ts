/**
 * A text as a JSON string literal that is also safe in JavaScript and in a line comment: U+2028 and U+2029 end a
 * line there, and U+0085 in some editors and tools.
 */
export function jsonString(text: string): string {
  return JSON.stringify(text).replace(
    /[\u0085\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A string literal of standard SQL, in which the quote alone is special. */
export function sqlString(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A delimited identifier of standard SQL. */
export function sqlIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * Names for engines that know no empty name and no NUL in one, and take names that differ in case alone for equal.
 * A name that has to change keeps what it can and gets a number behind.
 */
export function caseInsensitiveNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name, index) => {
    const base = name.replaceAll("\0", "\ufffd") || `column${index + 1}`;
    let unique = base;
    for (let n = 1; taken.has(unique.toLowerCase()); n++) unique = `${base}_${n}`;
    taken.add(unique.toLowerCase());
    return unique;
  });
}
