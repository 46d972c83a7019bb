import type { CsvWarning } from "../errors.js";
import type { Spans } from "../machine/spans.js";
import type { Layout } from "./layout.js";

/**
 * What does not fit into the table: records of another width within it (RAGGED_RECORDS), and narrower ones behind its last
 * (FOOTNOTES), which show only where the sample is the whole input. What OTHER_TABLE tells of is left out.
 *
 * @param lineOf The physical line, counted from 1, of a record.
 */
export function shapeWarnings(
  spans: Spans,
  layout: Layout,
  complete: boolean,
  lineOf: (record: number) => number,
): CsvWarning[] {
  const { columns, otherTable } = layout;
  const widest = columns + (layout.trailingDelimiter || layout.headerTrailingDelimiter ? 1 : 0);
  const widthOf = (record: number) => spans.firstField[record + 1] - spans.firstField[record];
  const fits = (record: number) => widthOf(record) >= columns && widthOf(record) <= widest;
  const body = otherTable < 0 ? layout.body : layout.body.filter((record) => record < otherTable);
  let last = body.length - 1;
  while (last >= 0 && !fits(body[last])) last--;
  if (columns === 1 || last < 0) return [];
  const warnings: CsvWarning[] = [];
  const behind = body.slice(last + 1);
  const isFootnotes = complete && behind.length > 0 && behind.every((record) => widthOf(record) < columns);
  const ragged = (isFootnotes ? body.slice(0, last) : body).filter((record) => !fits(record));
  if (ragged.length > 0) {
    warnings.push({
      code: "RAGGED_RECORDS",
      message: `${count(ragged.length, "record has", "records have")} another number of fields than the ${columns} columns, the first of them ${widthOf(ragged[0])}`,
      line: lineOf(ragged[0]),
    });
  }
  if (isFootnotes) {
    warnings.push({
      code: "FOOTNOTES",
      message: `${count(behind.length, "record", "records")} below the table ${behind.length === 1 ? "has" : "have"} too few fields, as footnotes do; onError: "reject" sets them aside`,
      line: lineOf(behind[0]),
    });
  }
  return warnings;
}

function count(number: number, one: string, more: string): string {
  return `${number} ${number === 1 ? one : more}`;
}
