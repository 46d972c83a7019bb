import type { Dialect } from "../machine/dialect.js";
import { DEFAULT_DELIMITERS } from "../options.js";
import type { Reading } from "./candidate.js";
import type { DialectWishes } from "./dialect-detection.js";

/*
 * Delimiters that are seldom meant as such. They occur in plain text, in times, in numbers, so a reading that
 * splits there has to be even, and more than even: what each of them needs on top is said in STRONG.
 */

const RARE = ["||", ", ", "^", "~", "\x1f", "#", ":", " "];
/** The ones that common text is full of: tried only where no usual delimiter reads well. */
const COMMON_IN_TEXT = new Set([", ", "#", ":", " "]);

/** Share of even records, below which a rare delimiter was met by chance. */
const EVEN = 0.97;
const FEWEST_RECORDS = 2;

/** What the sample holds of patterns that a rare delimiter may have to do with, times per record. */
interface Patterns {
  /** Two digits, a colon, two digits. */
  times: number;
  /** A digit, a point, a digit. */
  decimals: number;
  /** A letter that is no hexadecimal digit. */
  letters: number;
}

/** What a reading must show to be believed, by delimiter, evenness aside. */
const STRONG: Record<string, (reading: Reading, patterns: Patterns) => boolean> = {
  "||": () => true,
  // Where a comma alone is none: `1,5, 2,5`.
  ", ": () => true,
  "\x1f": () => true,
  "^": (reading) => reading.columns > 2 || reading.numbers >= 0.3,
  "~": (reading) => reading.columns > 2 || reading.numbers >= 0.3,
  "#": (reading) => reading.columns > 2 && reading.numbers >= 0.2,
  // `root:x:0:0:root:/root:/bin/sh`, but no time of day, no `name: value` and no hardware address.
  ":": (reading, { times, letters }) =>
    reading.columns > 2 && letters >= 1 && (reading.quotedFields >= reading.records || times < 0.5),
  // Measurements, or fields in quotes: words, phone numbers, timestamps stay whole.
  " ": (reading, { times, decimals }) =>
    reading.quotedFields >= reading.records ||
    (decimals >= 1 && reading.numbers >= 0.5 && (reading.columns > 3 || times < 0.5)),
};

/**
 * The dialects with rare delimiters that the sample gives occasion for, beside the best reading without; `counts` says how
 * often each byte occurs in the sample.
 */
export function rareDialects(
  sample: Uint8Array,
  best: Reading,
  wishes: DialectWishes,
  counts: Uint32Array,
): Dialect[] {
  if (wishes.delimiter !== undefined || wishes.delimiters !== DEFAULT_DELIMITERS) return [];
  const poor = best.filledColumns <= 1 || best.consistency < 0.9 || best.cellScore < 0.5;
  const judged = sample.subarray(0, best.judgedBytes);
  const dialects: Dialect[] = [];
  for (const delimiter of RARE) {
    if (COMMON_IN_TEXT.has(delimiter) && !poor) continue;
    // No byte can occur more often in a part than in the whole.
    if (counts[delimiter.charCodeAt(0)] < best.records * EVEN) continue;
    if (occurrences(judged, delimiter) < best.records * EVEN) continue;
    const { quote, escape } = wishes.quote === undefined ? { quote: '"', escape: '"' } : best.dialect;
    if (delimiter === wishes.comment || delimiter === quote || delimiter === wishes.escape) continue;
    const dialect: Dialect = {
      ...best.dialect,
      delimiter,
      quote,
      escape: wishes.escape === undefined ? escape : wishes.escape,
      skipInitialSpace: wishes.skipInitialSpace ?? false,
      comment: wishes.comment ?? null,
    };
    dialects.push(dialect);
    // Columns set out with spaces: a run of them is one delimiter.
    const runs = delimiter === " " && wishes.skipInitialSpace === undefined && occurrences(judged, "  ") > 0;
    if (runs) dialects.push({ ...dialect, skipInitialSpace: true });
  }
  return dialects;
}

/** Whether a reading with a rare delimiter is to be believed against the best one without. */
export function isStrong(reading: Reading, best: Reading, sample: Uint8Array): boolean {
  const { delimiter } = reading.dialect;
  const even =
    reading.columns > 1 &&
    reading.filledColumns > 1 &&
    reading.records >= FEWEST_RECORDS &&
    reading.evenRecords >= reading.records * EVEN &&
    reading.misplaced === 0 &&
    !reading.unterminated;
  if (!even) return false;
  const judged = sample.subarray(0, reading.judgedBytes);
  if (delimiter === "||") {
    // Where `|` never stands alone, `||` is the delimiter.
    if (occurrences(judged, "|") !== 2 * occurrences(judged, "||")) return false;
    if (best.dialect.delimiter !== "|" && best.score >= reading.score) return false;
  } else if (reading.score <= best.score) {
    return false;
  }
  return STRONG[delimiter](reading, patternsIn(judged, reading.records));
}

/** How often an ASCII text occurs, without overlaps. */
function occurrences(bytes: Uint8Array, text: string): number {
  const first = text.charCodeAt(0);
  const second = text.length > 1 ? text.charCodeAt(1) : -1;
  let count = 0;
  for (let i = bytes.indexOf(first); i >= 0; i = bytes.indexOf(first, i + 1)) {
    if (second >= 0) {
      if (bytes[i + 1] !== second) continue;
      i++;
    }
    count++;
  }
  return count;
}

function patternsIn(bytes: Uint8Array, records: number): Patterns {
  let times = 0;
  let decimals = 0;
  let letters = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    const lower = byte | 0x20;
    if (lower > 0x66 && lower <= 0x7a) letters++;
    if (byte !== 0x3a && byte !== 0x2e) continue;
    if (!isDigit(bytes[i - 1]) || !isDigit(bytes[i + 1])) continue;
    if (byte === 0x2e) decimals++;
    else if (isDigit(bytes[i - 2]) && isDigit(bytes[i + 2])) times++;
  }
  return { times: times / records, decimals: decimals / records, letters: letters / records };
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}
