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

/** Lines as a terminal may show them: as {@link printable}, but for their ends. In JSON the meaning stays. */
export function printableLines(lines: string): string {
  return lines.split("\n").map(printable).join("\n");
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

/** Widest cell of a table, unless it says otherwise. */
const WIDEST = 40;
const GAP = "  ";

interface TableForm {
  /** By column: whether it holds numbers. */
  rightAligned?: readonly boolean[];
  /** Characters of the terminal's lines; columns past it are left out, and named below. Default: no end. */
  width?: number;
  /** Widest cell, in characters. */
  widest?: number;
}

/** Lines of a table, its columns padded to their widest cell. */
export function tableLines(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  { rightAligned = [], width = Number.POSITIVE_INFINITY, widest = WIDEST }: TableForm = {},
): string[] {
  const cells = [header, ...rows].map((row) => row.map((text) => cutTo(text, widest)));
  const widths = header.map((_, column) =>
    cells.reduce((most, row) => Math.max(most, displayWidth(row[column] ?? "")), 0),
  );
  const shown = columnsWithin(widths, width);
  const line = (row: readonly string[]) =>
    row
      .slice(0, shown)
      .map((text, column) => {
        const padding = " ".repeat(Math.max(0, widths[column] - displayWidth(text)));
        return rightAligned[column] ? padding + text : text + padding;
      })
      .join(GAP)
      .trimEnd();
  const rule = widths
    .slice(0, shown)
    .map((columnWidth) => "─".repeat(columnWidth))
    .join(GAP);
  const lines = [line(cells[0]), rule, ...cells.slice(1).map(line)];
  if (shown < header.length) {
    const left = header.length - shown;
    lines.push(
      cutTo(
        `… and ${left} more ${left === 1 ? "column" : "columns"}: ${header.slice(shown).join(", ")}`,
        width,
      ),
    );
  }
  return lines;
}

/** How many columns fit; the first is always shown. */
function columnsWithin(widths: readonly number[], width: number): number {
  let used = widths[0] ?? 0;
  for (let column = 1; column < widths.length; column++) {
    used += GAP.length + widths[column];
    if (used > width) return column;
  }
  return widths.length;
}

function cutTo(text: string, most: number): string {
  if (text.length <= most) return text;
  const characters = [...text];
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : text;
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
