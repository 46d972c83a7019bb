import { CsvError } from "../../errors.js";

/**
 * The cells of an option that is written as a CSV record: commas, and quotes as VW reads them (RFC 4180).
 *
 * @param option The option's name, for errors.
 * @param removeQuotes Whether quotes around a cell are left out.
 * @throws CsvError INVALID_OPTION where a quote is not closed, or text follows a closing one.
 */
export function splitCells(text: string, option: string, removeQuotes: boolean): string[] {
  const cells: string[] = [];
  let i = 0;
  for (;;) {
    if (text[i] !== '"') {
      const comma = text.indexOf(",", i);
      const end = comma < 0 ? text.length : comma;
      cells.push(text.slice(i, end));
      i = end;
    } else {
      const { cell, end } = quotedCell(text, i, option, cells.length + 1);
      cells.push(removeQuotes ? cell : `"${cell}"`);
      i = end;
    }
    if (i === text.length) return cells;
    i++;
  }
}

function quotedCell(
  text: string,
  start: number,
  option: string,
  number: number,
): { cell: string; end: number } {
  let cell = "";
  let i = start + 1;
  for (;;) {
    const quote = text.indexOf('"', i);
    if (quote < 0) {
      throw new CsvError("INVALID_OPTION", `cell ${number} of ${option} opens a quote and does not close it`);
    }
    cell += text.slice(i, quote);
    i = quote + 1;
    if (text[i] !== '"') break;
    cell += '"';
    i++;
  }
  if (i < text.length && text[i] !== ",") {
    throw new CsvError("INVALID_OPTION", `cell ${number} of ${option} has text after its closing quote`);
  }
  return { cell, end: i };
}
