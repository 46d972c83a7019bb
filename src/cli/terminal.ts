/** Text of the data as a terminal may show it: control characters are written out, so that none takes effect. */
export function printable(text: string): string {
  let shown = "";
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const control = code < 0x20 || (code >= 0x7f && code < 0xa0) || code === 0x2028 || code === 0x2029;
    const bidirectional = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
    shown += control || bidirectional ? escaped(code) : character;
  }
  return shown;
}

const SHORT_ESCAPES: Record<number, string> = { 9: "\\t", 10: "\\n", 13: "\\r" };

function escaped(code: number): string {
  return SHORT_ESCAPES[code] ?? `\\u${code.toString(16).padStart(4, "0")}`;
}

/** A value of a row as a table shows it. */
export function shownValue(value: unknown): string {
  if (value === null || value === undefined) return "∅";
  if (value instanceof Date) return value.toISOString().replace(/T00:00:00\.000Z$|\.000Z$|Z$/, "");
  return printable(typeof value === "string" ? value : String(value));
}

/** Widest cell of a table. */
const WIDEST = 40;

/**
 * Lines of a table, its columns padded to their widest cell.
 *
 * @param rightAligned By column: whether it holds numbers.
 */
export function tableLines(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  rightAligned: readonly boolean[] = [],
): string[] {
  const cut = (text: string) =>
    [...text].length > WIDEST ? `${[...text].slice(0, WIDEST - 1).join("")}…` : text;
  const cells = [header, ...rows].map((row) => row.map(cut));
  const widths = header.map((_, column) => Math.max(...cells.map((row) => displayWidth(row[column] ?? ""))));
  const line = (row: readonly string[]) =>
    row
      .map((text, column) => {
        const padding = " ".repeat(Math.max(0, widths[column] - displayWidth(text)));
        return rightAligned[column] ? padding + text : text + padding;
      })
      .join("  ")
      .trimEnd();
  const rule = widths.map((width) => "─".repeat(width)).join("  ");
  return [line(cells[0]), rule, ...cells.slice(1).map(line)];
}

/** Columns that a text takes in a terminal: two for the wide characters of East Asia and emoji, none for marks. */
function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (/\p{Mark}/u.test(character)) continue;
    const wide =
      (code >= 0x1100 && code <= 0x115f) ||
      (code >= 0x2e80 && code <= 0xa4cf) ||
      (code >= 0xac00 && code <= 0xd7a3) ||
      (code >= 0xf900 && code <= 0xfaff) ||
      (code >= 0xfe30 && code <= 0xfe6f) ||
      (code >= 0xff00 && code <= 0xff60) ||
      (code >= 0xffe0 && code <= 0xffe6) ||
      (code >= 0x1f300 && code <= 0x1faff);
    width += wide ? 2 : 1;
  }
  return width;
}
