import type { Kernel } from "../machine/kernel.js";
import type { Spans } from "../machine/spans.js";
import type { CellReader } from "../types/cell-reader.js";
import type { ColumnEvidence } from "./column-evidence.js";
import type { Layout } from "./layout.js";
import { FIRST_CHUNK, observeRecords } from "./type-detection.js";

/**
 * Step 5 of the sniffer: takes the rest of the sample into account, and the first record where it turned out to
 * be data.
 */
export function refineTypes(
  spans: Spans,
  layout: Layout,
  header: boolean,
  cells: CellReader,
  evidence: readonly ColumnEvidence[],
  kernel: Kernel | null,
): void {
  if (!header) observeRecords(spans, layout.headerRecords, layout, cells, evidence, kernel);
  observeRecords(spans, layout.body.slice(FIRST_CHUNK), layout, cells, evidence, kernel);
}
