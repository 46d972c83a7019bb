import type { Dialect } from "../machine/dialect.js";
import { type Engine, type ScanLimits, Scanner } from "../machine/scanner.js";
import {
  ESCAPED,
  MISPLACED,
  QUOTED,
  RECORD_MISPLACED,
  RECORD_UNTERMINATED,
  type Spans,
} from "../machine/spans.js";
import { cellScore, NUMBER } from "./cell-score.js";
import type { StepBudget } from "./step-budget.js";

/** What a dialect makes of the sample, and what that is worth. */
export interface Reading {
  dialect: Dialect;
  score: number;
  columns: number;
  /** Columns that hold anything. */
  filledColumns: number;
  consistency: number;
  cellScore: number;
  quoting: number;
  /** Records that are no blank lines. */
  records: number;
  /** Records with `columns` fields. */
  evenRecords: number;
  /** Index, blank lines counted, of the first record of the table. */
  firstRecord: number;
  /** Records above the table that are no blank lines. */
  recordsAbove: number;
  /** Physical lines above the first record of the table. */
  skipLines: number;
  /** Fields that were quoted. */
  quotedFields: number;
  escapes: number;
  misplaced: number;
  unterminated: boolean;
  delimiters: number;
  /** Share of the judged cells that look like a number, a date or a time. */
  numbers: number;
  /** Bytes of the sample that the reading looked at. */
  judgedBytes: number;
  /** The scanner as it stands behind the whole sample, which need not be scanned again then; null where it is not kept. */
  scanner: Scanner | null;
}

/** What bounds the reading of the sample, and who reads it. */
export interface SampleLimits extends ScanLimits {
  engine: Engine;
  budget: StepBudget;
}

/** Steps that a reading takes whatever it reads: its table is made, its fields are judged. */
const READING_STEPS = 1 << 16;
/** Cells a candidate is judged by. */
const JUDGED_CELLS = 8_192;
/** Fields a candidate is judged by. */
const JUDGED_FIELDS = 1 << 17;

/** Fields up to which a scanner is kept: several readings are kept at a time. */
const KEPT_FIELDS = 1 << 19;

/** What a record outside the table counts, beside an uneven one within it: prose, or a record of another table. */
const OUTSIDE = 1 / 3;
const ELSEWHERE = 1 / 8;

/** What a reading that does not split the records is worth. */
const ONE_COLUMN = 0.3;

/** A cell in quotes, whatever it holds: its edges are certain. */
const QUOTED_CELL = 0.95;

/**
 * Reads the sample in one dialect and scores the reading: how even the records are, how many columns they
 * fill, how much their cells look like single values, and how well quotes pair.
 *
 * score = consistency² × columns term × cell score² × quoting². All parts lie between 0 and 1. A column that is
 * empty throughout counts for nothing: `;` at the end of each line of a comma file makes two columns, but
 * splits nothing.
 */
export function readCandidate(
  sample: Uint8Array,
  complete: boolean,
  dialect: Dialect,
  limits: SampleLimits,
  maxRecords: number,
): Reading {
  const scanner = new Scanner(dialect, limits, true, limits.engine);
  const maxFields = maxRecords === Number.POSITIVE_INFINITY ? maxRecords : JUDGED_FIELDS;
  scanner.scan(sample, sample.length, complete, maxRecords, maxFields);
  const isKept =
    maxRecords === Number.POSITIVE_INFINITY &&
    scanner.spans.recordCount > 0 &&
    scanner.spans.fieldCount <= KEPT_FIELDS;
  if (scanner.spans.recordCount === 0 && scanner.fault === null) {
    scanner.scan(sample, sample.length, true, maxRecords, maxFields);
  }
  const judgedBytes = bytesJudged(scanner, sample.length, maxRecords, maxFields);
  limits.budget.spend(READING_STEPS + judgedBytes);
  const reading = judge(scanner.spans, dialect, scanner.fault !== null, judgedBytes);
  return { ...reading, scanner: isKept ? scanner : null };
}

/** Where the reading stopped. The scanner's own position may lie further on, how far differs from engine to engine. */
function bytesJudged(scanner: Scanner, end: number, maxRecords: number, maxFields: number): number {
  if (scanner.fault !== null) return scanner.faultPosition;
  const { recordCount, fieldCount } = scanner.spans;
  return recordCount >= maxRecords || fieldCount >= maxFields ? scanner.recordStart : end;
}

function judge(
  spans: Spans,
  dialect: Dialect,
  faulty: boolean,
  judgedBytes: number,
): Omit<Reading, "scanner"> {
  const counts = fieldCounts(spans);
  const columns = tableWidth(counts);
  const body = tableBody(spans, counts, columns);
  const tally = tallyFields(spans, counts);
  const cells = judgeCells(spans, counts, columns, body);
  const records = Math.max(1, tally.records);
  const unterminated = faulty || tally.unterminated;
  const quoting = (unterminated ? 0.4 : 1) * (1 - tally.misplaced / records);
  const misfits = body.uneven + body.outside * OUTSIDE + body.elsewhere * ELSEWHERE;
  const consistency = body.even === 0 ? 0 : body.even / (body.even + misfits);
  const columnsTerm = cells.filled <= 1 ? ONE_COLUMN : 1 - 0.35 / cells.filled;
  return {
    dialect,
    score: consistency ** 2 * columnsTerm * cells.score ** 2 * quoting ** 2,
    columns,
    filledColumns: cells.filled,
    consistency,
    cellScore: cells.score,
    quoting,
    records: tally.records,
    evenRecords: body.even,
    firstRecord: body.first,
    recordsAbove: body.above,
    skipLines: body.first < 0 ? 0 : spans.recordLines[body.first],
    quotedFields: tally.quotedFields,
    escapes: tally.escapes,
    misplaced: tally.misplaced,
    unterminated,
    delimiters: tally.delimiters,
    numbers: cells.numbers,
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

/** Fewest records, and least share of all, of a table at the top of the sample. */
const TOP_TABLE_RECORDS = 10;
const TOP_TABLE_SHARE = 0.25;

/**
 * The number of fields that most records agree on, a larger one being worth more; but where the sample begins
 * with a table of its own, that one's, however wide the tables below it are. Where no two records agree, it is the
 * first one's that splits: a lone record that is wider than the header is at fault, not the header.
 */
function tableWidth(counts: Int32Array): number {
  const top = topTableWidth(counts);
  if (top > 0) return top;
  const histogram = new Map<number, number>();
  for (const count of counts) if (count > 0) histogram.set(count, (histogram.get(count) ?? 0) + 1);
  if ([...histogram.values()].every((records) => records === 1))
    return counts.find((count) => count > 1) ?? 1;
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

/** The width of the records that the sample begins with, or 0 where they are too few or too narrow. */
function topTableWidth(counts: Int32Array): number {
  let filled = 0;
  for (const count of counts) if (count > 0) filled++;
  // The very first record may be a header of another width.
  for (const header of [0, 1]) {
    const width = counts[header] ?? 0;
    if (width < 3) continue;
    let run = header;
    while (run < counts.length && counts[run] === width) run++;
    const records = run - header;
    if (records >= TOP_TABLE_RECORDS && records >= filled * TOP_TABLE_SHARE) return width;
  }
  return 0;
}

interface Body {
  /** Records above the first that are no blank lines. */
  above: number;
  first: number;
  last: number;
  even: number;
  /** Records of another width within the table. */
  uneven: number;
  /** Records above and below it: prose, and tables. */
  outside: number;
  elsewhere: number;
}

/**
 * Where the table lies: from the first record of its width to the last. Of the records outside it, those that
 * are no narrower than a table and as wide as their neighbour above are counted apart: they are another table.
 */
function tableBody(spans: Spans, counts: Int32Array, columns: number): Body {
  const first = counts.indexOf(columns);
  const last = counts.lastIndexOf(columns);
  const body: Body = { above: 0, first, last, even: 0, uneven: 0, outside: 0, elsewhere: 0 };
  let before = 0;
  for (let record = 0; record < spans.recordCount; record++) {
    const count = counts[record];
    if (count === 0) continue;
    if (record < first) body.above++;
    if (count === columns) body.even++;
    else if (record > first && record < last) body.uneven++;
    else if (count > 1 && count === before) body.elsewhere++;
    else body.outside++;
    before = count;
  }
  return body;
}

interface Tally {
  records: number;
  quotedFields: number;
  escapes: number;
  misplaced: number;
  unterminated: boolean;
  delimiters: number;
}

function tallyFields(spans: Spans, counts: Int32Array): Tally {
  const tally: Tally = {
    records: 0,
    quotedFields: 0,
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

interface Cells {
  score: number;
  filled: number;
  numbers: number;
}

function judgeCells(spans: Spans, counts: Int32Array, columns: number, body: Body): Cells {
  const filled = new Uint8Array(columns);
  let sum = 0;
  let cells = 0;
  let numbers = 0;
  for (let record = Math.max(0, body.first); record <= body.last && cells < JUDGED_CELLS; record++) {
    if (counts[record] !== columns) continue;
    const first = spans.firstField[record];
    for (let column = 0; column < columns; column++) {
      const field = first + column;
      const flags = spans.flags[field];
      cells++;
      if (spans.starts[field] < spans.ends[field]) filled[column] = 1;
      if (flags & MISPLACED) continue;
      if (flags & QUOTED) {
        sum += QUOTED_CELL;
        continue;
      }
      const score = cellScore(spans.bytes, spans.starts[field], spans.ends[field]);
      if (score === NUMBER) numbers++;
      sum += score;
    }
  }
  if (cells === 0) return { score: 0, filled: 0, numbers: 0 };
  let count = 0;
  for (const column of filled) count += column;
  return { score: sum / cells, filled: count, numbers: numbers / cells };
}
