import type { Dialect } from "../machine/dialect.js";
import { type ScanLimits, Scanner } from "../machine/scanner.js";
import {
  ESCAPED,
  MISPLACED,
  QUOTED,
  RECORD_MISPLACED,
  RECORD_UNTERMINATED,
  type Spans,
} from "../machine/spans.js";
import { cellScore } from "./cell-score.js";

/** What a dialect makes of the sample, and what that is worth. */
export interface Reading {
  dialect: Dialect;
  score: number;
  columns: number;
  consistency: number;
  cellScore: number;
  quoting: number;
  /** Records that are no blank lines. */
  records: number;
  /** Records with `columns` fields. */
  evenRecords: number;
  /** Index, blank lines counted, of the first record of the table. */
  firstRecord: number;
  /** Physical lines above the first record of the table. */
  skipLines: number;
  /** Fields that were quoted, and of those the ones that held an escape, a delimiter or a line break. */
  quotedFields: number;
  neededQuotes: number;
  escapes: number;
  misplaced: number;
  unterminated: boolean;
  delimiters: number;
  /** Bytes of the sample that the reading looked at. */
  judgedBytes: number;
}

/** Cells a candidate is judged by. */
const JUDGED_CELLS = 8_192;
/** Fields a candidate is judged by. */
const JUDGED_FIELDS = 1 << 17;

/** A cell in quotes, whatever it holds: its edges are certain. */
const QUOTED_CELL = 0.95;

/**
 * Reads the sample in one dialect and scores the reading: how even the records are, how many columns they
 * have, how much their cells look like single values, and how well quotes pair.
 *
 * score = consistency² × columns term × cell score² × quoting². All parts lie between 0 and 1.
 */
export function readCandidate(
  sample: Uint8Array,
  complete: boolean,
  dialect: Dialect,
  limits: ScanLimits,
  maxRecords: number,
): Reading {
  const scanner = new Scanner(dialect, limits, true);
  const maxFields = maxRecords === Number.POSITIVE_INFINITY ? maxRecords : JUDGED_FIELDS;
  scanner.scan(sample, sample.length, complete, maxRecords, maxFields);
  if (scanner.spans.recordCount === 0 && scanner.fault === null) {
    scanner.scan(sample, sample.length, true, maxRecords, maxFields);
  }
  return judge(scanner.spans, dialect, scanner.fault !== null, scanner.position);
}

function judge(spans: Spans, dialect: Dialect, faulty: boolean, judgedBytes: number): Reading {
  const counts = fieldCounts(spans);
  const columns = tableWidth(counts);
  const body = tableBody(spans, counts, columns);
  const tally = tallyFields(spans, counts);
  const cells = meanCellScore(spans, counts, columns, body);
  const records = Math.max(1, tally.records);
  const unterminated = faulty || tally.unterminated;
  const quoting = (unterminated ? 0.4 : 1) * (1 - tally.misplaced / records);
  const consistency = body.even === 0 ? 0 : body.even / (body.even + body.uneven + body.outside / 3);
  const columnsTerm = columns === 1 ? 0.3 : 1 - 0.35 / columns;
  return {
    dialect,
    score: consistency ** 2 * columnsTerm * cells ** 2 * quoting ** 2,
    columns,
    consistency,
    cellScore: cells,
    quoting,
    records: tally.records,
    evenRecords: body.even,
    firstRecord: body.first,
    skipLines: body.first < 0 ? 0 : spans.recordLines[body.first],
    quotedFields: tally.quotedFields,
    neededQuotes: tally.neededQuotes,
    escapes: tally.escapes,
    misplaced: tally.misplaced,
    unterminated,
    delimiters: tally.delimiters,
    judgedBytes,
  };
}

/** By record: its number of fields, 0 for a blank line. */
function fieldCounts(spans: Spans): Int32Array {
  const counts = new Int32Array(spans.recordCount);
  for (let record = 0; record < spans.recordCount; record++) {
    const blank = spans.recordStarts[record] === spans.recordEnds[record];
    counts[record] = blank ? 0 : spans.firstField[record + 1] - spans.firstField[record];
  }
  return counts;
}

/** The number of fields that most records agree on, a larger one being worth more. */
function tableWidth(counts: Int32Array): number {
  const histogram = new Map<number, number>();
  for (const count of counts) if (count > 0) histogram.set(count, (histogram.get(count) ?? 0) + 1);
  let best = 1;
  let bestWeight = 0;
  for (const [count, records] of histogram) {
    const weight = records * (count === 1 ? 0.4 : Math.log2(count + 1));
    if (weight > bestWeight) {
      best = count;
      bestWeight = weight;
    }
  }
  return best;
}

interface Body {
  first: number;
  last: number;
  even: number;
  uneven: number;
  outside: number;
}

/** Where the table lies: from the first record of its width to the last. */
function tableBody(spans: Spans, counts: Int32Array, columns: number): Body {
  let first = -1;
  let last = -1;
  for (let record = 0; record < spans.recordCount; record++) {
    if (counts[record] !== columns) continue;
    if (first < 0) first = record;
    last = record;
  }
  let even = 0;
  let uneven = 0;
  let outside = 0;
  for (let record = 0; record < spans.recordCount; record++) {
    if (counts[record] === 0) continue;
    if (counts[record] === columns) even++;
    else if (record > first && record < last) uneven++;
    else outside++;
  }
  return { first, last, even, uneven, outside };
}

interface Tally {
  records: number;
  quotedFields: number;
  neededQuotes: number;
  escapes: number;
  misplaced: number;
  unterminated: boolean;
  delimiters: number;
}

function tallyFields(spans: Spans, counts: Int32Array): Tally {
  const tally: Tally = {
    records: 0,
    quotedFields: 0,
    neededQuotes: 0,
    escapes: 0,
    misplaced: 0,
    unterminated: false,
    delimiters: 0,
  };
  for (let record = 0; record < spans.recordCount; record++) {
    if (counts[record] > 0) tally.records++;
    if (counts[record] > 1) tally.delimiters += counts[record] - 1;
    if (spans.recordFlags[record] & RECORD_MISPLACED) tally.misplaced++;
    if (spans.recordFlags[record] & RECORD_UNTERMINATED) tally.unterminated = true;
  }
  const fields = spans.firstField[spans.recordCount];
  for (let field = 0; field < fields; field++) {
    const flags = spans.flags[field];
    if (flags & ESCAPED) tally.escapes++;
    if (flags & QUOTED) tally.quotedFields++;
  }
  return tally;
}

function meanCellScore(spans: Spans, counts: Int32Array, columns: number, body: Body): number {
  let sum = 0;
  let cells = 0;
  for (let record = Math.max(0, body.first); record <= body.last && cells < JUDGED_CELLS; record++) {
    if (counts[record] !== columns) continue;
    const last = spans.firstField[record + 1];
    for (let field = spans.firstField[record]; field < last; field++) {
      const flags = spans.flags[field];
      cells++;
      if (flags & MISPLACED) continue;
      sum += flags & QUOTED ? QUOTED_CELL : cellScore(spans.bytes, spans.starts[field], spans.ends[field]);
    }
  }
  return cells === 0 ? 0 : sum / cells;
}
