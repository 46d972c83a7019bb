import type { CsvWarning } from "../errors.js";
import type { Spans } from "../machine/spans.js";
import { type CellReader, NULL_CELL, VALUE_CELL } from "../types/cell-reader.js";
import type { CastSettings } from "../types/create-caster.js";
import { ColumnEvidence, type TypingWishes } from "./column-evidence.js";
import type { Layout } from "./layout.js";
import type { Column } from "./sniff.js";

/** What stands for a missing value in many files, in lower case. */
const MARKERS = new Set([
  ...["na", "n/a", "n.a.", "#n/a", "nan", "null", "(null)", "<null>", "none", "nil", "\\n"],
  ...["-", "--", "?", ".", "..", "*"],
]);
const LONGEST_MARKER = 6;
/** Values beside the markers that a type has to take. */
const LEAST_VALUES = 3;

/**
 * Which columns are text only because of words that seem to stand for a missing value. They stay text: whether `NA` is
 * Namibia only the caller knows.
 *
 * @param isAsked By column: whether it is text by what was sniffed, and not by the caller's wish.
 */
export function nullMarkerWarnings(
  spans: Spans,
  layout: Layout,
  columns: readonly Column[],
  isAsked: (index: number) => boolean,
  cells: CellReader,
  wishes: TypingWishes,
  settings: CastSettings,
): CsvWarning[] {
  const warnings: CsvWarning[] = [];
  columns.forEach(({ name, type }, index) => {
    if (type !== "VARCHAR" || !isAsked(index)) return;
    const evidence = new ColumnEvidence(wishes, settings);
    const markers = findMarkers(spans, layout, index, cells, evidence);
    const typing = evidence.typing();
    if (markers.size === 0 || evidence.present < LEAST_VALUES || typing.type === "VARCHAR") return;
    const listed = [...markers].map((marker) => JSON.stringify(marker)).join(", ");
    warnings.push({
      code: "NULL_MARKERS",
      column: name,
      message: `column ${JSON.stringify(name)} is text only because of ${listed}; with nullValues: ["", ${listed}] it is ${typing.type}`,
    });
  });
  return warnings;
}

/** The markers among a column's values; empty where a value is neither a marker nor of a type. */
function findMarkers(
  spans: Spans,
  layout: Layout,
  column: number,
  cells: CellReader,
  evidence: ColumnEvidence,
): Set<string> {
  const markers = new Set<string>();
  for (const record of layout.body) {
    const field = spans.firstField[record] + column;
    if (field >= spans.firstField[record + 1]) continue;
    const kind = cells.read(spans, field);
    if (kind === NULL_CELL) continue;
    cells.trim();
    if (kind === VALUE_CELL && cells.end - cells.start <= LONGEST_MARKER) {
      const text = cells.text();
      if (MARKERS.has(text.toLowerCase())) {
        markers.add(text);
        continue;
      }
    }
    if (kind !== VALUE_CELL) return new Set();
    evidence.observe(cells.bytes, cells.start, cells.end);
    // Most columns of text show with their first value.
    if (evidence.isText) return new Set();
  }
  return markers;
}
