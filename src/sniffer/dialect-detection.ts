import type { Dialect } from "../machine/dialect.js";
import { type Reading, readCandidate, type SampleLimits } from "./candidate.js";
import { isStrong, rareDialects } from "./rare-delimiters.js";
import type { Candidate } from "./sniff.js";

/** What of the dialect the caller has fixed; undefined is to be found. */
export interface DialectWishes {
  delimiter?: string;
  delimiters: readonly string[];
  quote?: string | null;
  escape?: string | null;
  comment?: string | null;
  skipInitialSpace?: boolean;
  newline?: "\n" | "\r\n" | "\r";
}

/** The reading that won, and the others with why they lost. */
export interface DetectedDialect {
  reading: Reading;
  confidence: number;
  candidates: Candidate[];
}

/** Readings that are worth the whole sample. */
const SURVIVORS = 4;
/** Share of the best score below which a reading does not survive the first records. */
const SURVIVAL = 0.6;
/** Readings reported. */
const REPORTED = 8;
/** How far a reading must be ahead of one that is tried before it: noise in the cells must not decide. */
const MARGIN = 1.02;

const FIRST_RECORDS = 2_048;
/** Consistency below which the best reading may be one of prose. */
const POOR = 0.9;

const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const BACKSLASH = 0x5c;
const HASH = 0x23;
const SPACE = 0x20;
const LF = 0x0a;
const CR = 0x0d;

/**
 * Step 1 of the sniffer: finds the dialect in which the sample reads best.
 *
 * The search space is DuckDB's, delimiter × quote and escape × comment, and skipInitialSpace beside it; what
 * the sample gives no occasion for (a backslash that does not occur in it) is left out, as its reading would
 * be the same. Each reading is scored on the first records; those near the best are read on to the end of the
 * sample. On ties the one that is tried first wins: `,` and doubled `"` before the others.
 *
 * The score decides but for what it can't see; see `choose`.
 */
export function detectDialect(
  sample: Uint8Array,
  complete: boolean,
  wishes: DialectWishes,
  limits: SampleLimits,
): DetectedDialect {
  const seen = survey(sample);
  const read = (dialect: Dialect, records: number) =>
    readCandidate(sample, complete, dialect, limits, records);
  const dialects = searchSpace(seen, wishes);
  let readings = readOn(
    dialects.map((dialect) => read(dialect, FIRST_RECORDS)),
    sample,
    read,
  );
  const unescaped = withoutEscape(choose(readings, seen), wishes);
  if (unescaped !== null) readings.push(read(unescaped, FIRST_RECORDS));
  let reading = choose(readings, seen);
  const [usual] = wishes.delimiters;
  const untried = readings.every((other) => other.dialect.delimiter !== usual);
  if (reading.consistency < POOR && wishes.delimiter === undefined && untried) {
    // A delimiter that the sample does not hold reads it as one column, and that may be the better reading.
    readings.push(read({ ...reading.dialect, delimiter: usual }, Number.POSITIVE_INFINITY));
    reading = choose(readings, seen);
  }
  if (reading.columns === 1) reading = leastSplit(readings, reading);
  const rare = rareDialects(sample, reading, wishes, seen.counts).map((dialect) =>
    read(dialect, FIRST_RECORDS),
  );
  const found = rare.filter((candidate) => isStrong(candidate, reading, sample));
  readings = [...readings, ...rare];
  if (found.length > 0) reading = found.reduce((a, b) => (b.score > a.score ? b : a));
  return { reading, confidence: confidenceIn(reading, readings), candidates: report(reading, readings) };
}

/** The best dialect without an escape, where its reading has faults that quotes in plain text may explain. */
function withoutEscape(best: Reading, wishes: DialectWishes): Dialect | null {
  if (best.dialect.quote === null || wishes.escape !== undefined) return null;
  return best.quotedFields > 0 && faultsOf(best) > 0 ? { ...best.dialect, escape: null } : null;
}

/** Reads the whole sample in the dialects that did best on the first records. */
function readOn(
  readings: Reading[],
  sample: Uint8Array,
  read: (dialect: Dialect, records: number) => Reading,
): Reading[] {
  const bestOfFirst = Math.max(...readings.map((reading) => reading.score));
  const survivors = [...readings]
    .sort((a, b) => b.score - a.score)
    .slice(0, SURVIVORS)
    .filter((reading) => reading.score >= bestOfFirst * SURVIVAL);
  if (survivors.length <= 1 || survivors[0].judgedBytes >= sample.length) return readings;
  const whole = new Map(
    survivors.map((reading) => [reading, read(reading.dialect, Number.POSITIVE_INFINITY)]),
  );
  return readings.map((reading) => whole.get(reading) ?? reading);
}

/**
 * The best reading. The highest score wins, but for four things that a score of its own does not show:
 *
 * - A reading that leaves the first record out of the table loses to one that takes in every record: a header
 *   `ID;GEOM` above records that a comma would split evenly too says that they are not comma-separated.
 * - The escape goes by faults, not by the looks of the cells.
 * - Of two that are nearly level, one that has quotes in pairs around cells alone beats one that has them as text.
 * - Where nothing is quoted, but every quote is escaped by a backslash, the writer meant it as the quote.
 */
function choose(readings: Reading[], seen: Survey): Reading {
  let best = readings[0];
  for (const reading of readings) {
    if (reading !== best && isBetter(reading, best)) best = reading;
  }
  if (best.recordsAbove > 0) {
    const seamless = readings.filter((reading) => isSeamless(reading));
    best = seamless.reduce<Reading | null>((a, b) => (a === null || b.score > a.score ? b : a), null) ?? best;
  }
  if (best.quotedFields > 0) return best;
  const paired = readings.find((reading) => isPaired(reading, best, seen));
  if (paired !== undefined) return paired;
  if (seen.escapedQuote === null) return best;
  const { dialect } = best;
  const meant = readings.find(
    (reading) =>
      reading.dialect.quote === seen.escapedQuote &&
      reading.dialect.escape === "\\" &&
      reading.quotedFields === 0 &&
      reading.dialect.delimiter === dialect.delimiter &&
      reading.dialect.comment === dialect.comment &&
      reading.dialect.skipInitialSpace === dialect.skipInitialSpace,
  );
  return meant ?? best;
}

/** Fewest records, and least score of the cells, for a reading to be trusted because it is even throughout. */
const SEAMLESS_RECORDS = 3;
const SEAMLESS_CELLS = 0.2;

/** Whether every record of the sample, the first one included, has the same number of fields. */
function isSeamless(reading: Reading): boolean {
  return (
    reading.dialect.comment === null &&
    reading.records >= SEAMLESS_RECORDS &&
    reading.filledColumns > 1 &&
    reading.evenRecords === reading.records &&
    reading.misplaced === 0 &&
    !reading.unterminated &&
    reading.cellScore >= SEAMLESS_CELLS
  );
}

/** How near the best a reading comes that its paired quotes decide for. */
const NEARLY_LEVEL = 0.9;

/**
 * Whether a reading that has a line end or delimiter in quotes is as even as the best, and no quote of its kind stands anywhere but at
 * both ends of a cell.
 */
function isPaired(reading: Reading, best: Reading, { counts }: Survey): boolean {
  const { quote, delimiter, skipInitialSpace } = reading.dialect;
  return (
    quote !== null &&
    delimiter === best.dialect.delimiter &&
    skipInitialSpace === best.dialect.skipInitialSpace &&
    reading.columns === best.columns &&
    (reading.records < best.records || reading.delimiters < best.delimiters) &&
    isSeamless(reading) &&
    counts[quote.charCodeAt(0)] === 2 * reading.quotedFields &&
    reading.score >= best.score * NEARLY_LEVEL
  );
}

/** Whether a reading beats one that was tried before it. */
function isBetter(reading: Reading, best: Reading): boolean {
  // A comment character must make the records more even; better cells alone may be a header dropped.
  if (reading.dialect.comment !== null && best.dialect.comment === null) {
    return (
      sameButComment(reading, best) && reading.consistency > best.consistency && reading.score > best.score
    );
  }
  if (sameButEscape(reading, best)) {
    const unseen = best.dialect.escape === "\\" && best.escapes === 0 && reading.dialect.escape === null;
    return faultsOf(reading) < faultsOf(best) || (unseen && faultsOf(reading) === faultsOf(best));
  }
  return reading.score > best.score * MARGIN;
}

function sameButComment(a: Reading, b: Reading): boolean {
  return a.dialect.delimiter === b.dialect.delimiter || a.score > b.score * 1.2;
}

function sameButEscape(a: Reading, b: Reading): boolean {
  return (
    a.dialect.delimiter === b.dialect.delimiter &&
    a.dialect.quote === b.dialect.quote &&
    a.dialect.comment === b.dialect.comment &&
    a.dialect.skipInitialSpace === b.dialect.skipInitialSpace
  );
}

/** Records that are uneven or misquoted. */
function faultsOf(reading: Reading): number {
  return (
    reading.records - reading.evenRecords + reading.misplaced + (reading.unterminated ? reading.records : 0)
  );
}

/** Of the readings that leave the records whole, with the same quote as the best, the one that splits fewest. */
function leastSplit(readings: Reading[], best: Reading): Reading {
  let least = best;
  for (const reading of readings) {
    const whole = reading.columns === 1 && reading.dialect.quote === best.dialect.quote;
    if (whole && reading.consistency > least.consistency) least = reading;
  }
  return least;
}

/** How far the winner is ahead of the best reading with another delimiter or quote, and how even it is. */
function confidenceIn(winner: Reading, readings: Reading[]): number {
  let rival = 0;
  for (const reading of readings) {
    const other =
      reading.dialect.delimiter !== winner.dialect.delimiter ||
      reading.dialect.quote !== winner.dialect.quote;
    const told = reading.columns > 1 || winner.columns > 1;
    if (other && told && reading.score > rival && reading.columns > 1) rival = reading.score;
  }
  const lead = winner.score === 0 ? 0 : 1 - Math.min(1, rival / winner.score);
  const even = winner.records === 0 ? 0 : winner.consistency * winner.quoting;
  return Math.round(100 * Math.min(1, even * (0.5 + 0.5 * lead))) / 100;
}

function report(winner: Reading, readings: Reading[]): Candidate[] {
  const order = [...readings].sort((a, b) => (a === winner ? -1 : b === winner ? 1 : b.score - a.score));
  return order.slice(0, REPORTED).map((reading) => ({
    dialect: {
      delimiter: reading.dialect.delimiter,
      quote: reading.dialect.quote,
      escape: reading.dialect.escape,
      comment: reading.dialect.comment,
      skipInitialSpace: reading.dialect.skipInitialSpace,
    },
    score: rounded(reading.score),
    columns: reading.columns,
    consistency: rounded(reading.consistency),
    cellScore: rounded(reading.cellScore),
    quoting: rounded(reading.quoting),
    records: reading.records,
    verdict: reading === winner ? "wins" : verdict(reading, winner),
  }));
}

function verdict(reading: Reading, winner: Reading): string {
  if (reading.recordsAbove > 0 && isSeamless(winner)) return "leaves the first records out of the table";
  if (reading.unterminated && !winner.unterminated) return "a quote is never closed";
  if (reading.quoting < winner.quoting) return "text follows closing quotes";
  if (reading.columns === 1 && winner.columns > 1) return "does not split the records";
  if (reading.consistency < winner.consistency - 0.02) return "records are less even";
  if (reading.cellScore < winner.cellScore - 0.02) return "cells look less like single values";
  if (reading.columns < winner.columns) return "fewer columns";
  return "no better than the reading preferred on ties";
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

/** The dialects worth reading, in the order in which they are preferred on ties. */
function searchSpace(seen: Survey, wishes: DialectWishes): Dialect[] {
  const newline = wishes.newline ?? seen.newline;
  const delimiters = delimitersToTry(seen, wishes);
  const comments: (string | null)[] =
    wishes.comment !== undefined ? [wishes.comment] : seen.innerHash ? [null, "#"] : [null];
  const dialects: Dialect[] = [];
  for (const comment of comments) {
    for (const [quote, escape] of quotesToTry(seen, wishes)) {
      for (const delimiter of delimiters) {
        if (delimiter === quote || delimiter === comment || delimiter === escape) continue;
        const spaces =
          wishes.skipInitialSpace !== undefined
            ? [wishes.skipInitialSpace]
            : quote !== null && seen.spacedQuote && delimiter !== " "
              ? [false, true]
              : [false];
        for (const skipInitialSpace of spaces) {
          const strictNewline = wishes.newline !== undefined;
          dialects.push({ delimiter, quote, escape, newline, strictNewline, comment, skipInitialSpace });
        }
      }
    }
  }
  return dialects;
}

function delimitersToTry(seen: Survey, wishes: DialectWishes): readonly string[] {
  if (wishes.delimiter !== undefined) return [wishes.delimiter];
  const encoder = new TextEncoder();
  const present = wishes.delimiters.filter((delimiter) => seen.counts[encoder.encode(delimiter)[0]] > 0);
  return present.length > 0 ? present : wishes.delimiters.slice(0, 1);
}

function quotesToTry(seen: Survey, wishes: DialectWishes): [quote: string | null, escape: string | null][] {
  if (wishes.quote !== undefined) {
    if (wishes.escape !== undefined) return [[wishes.quote, wishes.escape]];
    const own: [string | null, string | null][] = [[wishes.quote, wishes.quote]];
    if (seen.backslash && wishes.quote !== "\\") own.push([wishes.quote, "\\"]);
    return own;
  }
  const pairs: [string | null, string | null][] = [['"', '"']];
  if (seen.quote && seen.backslash) pairs.push(['"', "\\"]);
  if (seen.apostrophe) pairs.push(["'", "'"]);
  if (seen.apostrophe && seen.backslash) pairs.push(["'", "\\"]);
  if (seen.quote) pairs.push([null, null]);
  if (wishes.escape === undefined) return pairs;
  const escape = wishes.escape;
  const quotes = [...new Set(pairs.map(([quote]) => quote))];
  return quotes.map((quote) => [quote, escape]);
}

/** What occurs in the sample at all. */
interface Survey {
  /** By byte: how often it occurs. */
  counts: Uint32Array;
  newline: "\n" | "\r\n" | "\r";
  quote: boolean;
  /** An apostrophe where a field may begin. */
  apostrophe: boolean;
  /** A backslash before a character that it could escape. */
  backslash: boolean;
  /** The quote character, where it occurs behind backslashes only. */
  escapedQuote: '"' | "'" | null;
  /** A line below the first others that begins with `#`. */
  innerHash: boolean;
  /** A space and then a quote. */
  spacedQuote: boolean;
}

function survey(sample: Uint8Array): Survey {
  const counts = countBytes(sample);
  const newlines = countNewlines(sample, counts);
  const seen: Survey = {
    counts,
    newline:
      newlines.crlf > 0 && newlines.crlf >= newlines.lf ? "\r\n" : newlines.cr > newlines.lf ? "\r" : "\n",
    quote: counts[QUOTE] > 0,
    apostrophe: false,
    backslash: false,
    escapedQuote: null,
    innerHash: false,
    spacedQuote: false,
  };
  for (
    let i = firstOf(sample, counts, APOSTROPHE);
    i >= 0 && !seen.apostrophe;
    i = nextOf(sample, APOSTROPHE, i + 1)
  ) {
    seen.apostrophe = i === 0 || !isWordByte(sample[i - 1]);
  }
  for (
    let i = firstOf(sample, counts, BACKSLASH);
    i >= 0 && !seen.backslash;
    i = nextOf(sample, BACKSLASH, i + 1)
  ) {
    seen.backslash = i + 1 < sample.length && !isWordByte(sample[i + 1]);
  }
  if (seen.backslash) {
    if (!seen.quote && alwaysEscaped(sample, APOSTROPHE)) seen.escapedQuote = "'";
    else if (seen.quote && alwaysEscaped(sample, QUOTE)) seen.escapedQuote = '"';
  }
  let text = false;
  for (
    let i = firstOf(sample, counts, HASH), last = 0;
    i >= 0 && !seen.innerHash;
    i = nextOf(sample, HASH, i + 1)
  ) {
    const startsLine = i === 0 || sample[i - 1] === LF || sample[i - 1] === CR;
    if (!startsLine) continue;
    text ||= hasTextLine(sample, last, i);
    last = i;
    seen.innerHash = text;
  }
  for (
    let i = firstOf(sample, counts, QUOTE);
    i >= 0 && !seen.spacedQuote;
    i = nextOf(sample, QUOTE, i + 1)
  ) {
    seen.spacedQuote = i > 1 && sample[i - 1] === SPACE && !isWordByte(sample[i - 2]);
  }
  for (
    let i = firstOf(sample, counts, APOSTROPHE);
    i >= 0 && !seen.spacedQuote;
    i = nextOf(sample, APOSTROPHE, i + 1)
  ) {
    seen.spacedQuote = i > 1 && sample[i - 1] === SPACE && !isWordByte(sample[i - 2]);
  }
  return seen;
}

/** Whether a quote character occurs, and always behind a backslash. */
function alwaysEscaped(sample: Uint8Array, quote: number): boolean {
  let i = sample.indexOf(quote);
  if (i < 0) return false;
  for (; i >= 0; i = nextOf(sample, quote, i + 1)) if (i === 0 || sample[i - 1] !== BACKSLASH) return false;
  return true;
}

/** Whether a line between two places begins with anything but `#`. */
function hasTextLine(sample: Uint8Array, from: number, to: number): boolean {
  let lineStart = true;
  for (let i = from; i < to; i++) {
    const byte = sample[i];
    if (byte === LF || byte === CR) lineStart = true;
    else if (lineStart) {
      if (byte !== HASH) return true;
      lineStart = false;
    }
  }
  return false;
}

/** By byte: how often it occurs. One pass, so that what is absent is not looked for again and again. */
function countBytes(sample: Uint8Array): Uint32Array {
  const counts = new Uint32Array(256);
  for (let i = 0; i < sample.length; i++) counts[sample[i]]++;
  return counts;
}

/** The first place of a byte, or -1. */
function firstOf(sample: Uint8Array, counts: Uint32Array, byte: number): number {
  return counts[byte] === 0 ? -1 : sample.indexOf(byte);
}

/** Bytes that are looked at one by one before a search: what stands close together is found sooner so. */
const NEAR = 32;

/** The next place of a byte from one on, or -1. */
function nextOf(sample: Uint8Array, byte: number, from: number): number {
  const near = Math.min(sample.length, from + NEAR);
  for (let i = from; i < near; i++) if (sample[i] === byte) return i;
  return near === sample.length ? -1 : sample.indexOf(byte, near);
}

/** Line ends of each kind in a sample, quoted ones included. */
function countNewlines(sample: Uint8Array, counts: Uint32Array): { lf: number; crlf: number; cr: number } {
  let crlf = 0;
  for (let i = firstOf(sample, counts, CR); i >= 0; i = nextOf(sample, CR, i + 1)) {
    if (sample[i + 1] === LF) crlf++;
  }
  return { lf: counts[LF] - crlf, crlf, cr: counts[CR] - crlf };
}

function isWordByte(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    byte >= 0x80
  );
}
