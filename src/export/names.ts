/**
 * Names for engines that know no empty name and no NUL in one, and take names that differ in case alone for equal.
 * A name that has to change keeps what it can and gets a number behind.
 *
 * @param most The longest name in bytes of UTF-8. Default: none.
 */
export function caseInsensitiveNames(names: readonly string[], most = Number.POSITIVE_INFINITY): string[] {
  return distinctNames(
    names.map((name) => name.replaceAll("\0", "\ufffd")),
    most,
  );
}

/** The name of a table, in its schema where one is given, delimited. */
export function tableName(
  { table, schema }: { table: string; schema?: string },
  identifier: (name: string) => string,
  most?: number,
): string {
  const parts = schema === undefined ? [table] : [schema, table];
  return parts.map((part) => identifier(caseInsensitiveNames([part], most)[0])).join(".");
}

/** Names of ASCII letters, digits and `_` alone. */
export function wordNames(names: readonly string[], most: number): string[] {
  return distinctNames(
    names.map((name) => {
      const word = name
        .normalize("NFKD")
        .replace(/\p{M}/gu, "")
        .replace(/[^A-Za-z0-9_]+/g, "_");
      return /^[0-9]/.test(word) ? `_${word}` : word;
    }),
    most,
  );
}

function distinctNames(names: readonly string[], most: number): string[] {
  const taken = new Set<string>();
  return names.map((name, index) => {
    const base = shortened(name || `column${index + 1}`, most);
    let unique = base;
    for (let n = 1; taken.has(unique.toLowerCase()); n++) {
      unique = `${shortened(base, most - `_${n}`.length)}_${n}`;
    }
    taken.add(unique.toLowerCase());
    return unique;
  });
}

/** A text cut to a number of bytes of UTF-8, between characters. */
function shortened(text: string, most: number): string {
  if (most === Number.POSITIVE_INFINITY || new TextEncoder().encode(text).length <= most) return text;
  const into = new Uint8Array(most);
  const { read } = new TextEncoder().encodeInto(text, into);
  return text.slice(0, read);
}

/** A sentence for each name that had to change. */
export function renamedNotes(names: readonly string[], given: readonly string[]): string[] {
  return names.flatMap((name, index) =>
    name === given[index] ? [] : [`column ${JSON.stringify(name)} is called ${JSON.stringify(given[index])}`],
  );
}

/** Names for tools that take any text but want each name once. */
export function caseSensitiveNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let n = 1; taken.has(unique); n++) unique = `${name}_${n}`;
    taken.add(unique);
    return unique;
  });
}
