import type { Sniff } from "../sniffer/sniff.js";
import { inFlags } from "./flags.js";
import { printable, tableLines } from "./terminal.js";

/** A sniff for people to read. */
export function sniffReport(sniff: Sniff): string {
  const { dialect } = sniff;
  const lines: string[] = [];
  const fact = (name: string, value: string) => lines.push(`${`${name}:`.padEnd(12)} ${value}`);
  fact("delimiter", `${shownCharacter(dialect.delimiter)}${sniff.delimiterSeen ? "" : " (none seen)"}`);
  fact("quote", `${shownCharacter(dialect.quote)}${sniff.quoteSeen ? "" : " (none seen)"}`);
  fact("escape", dialect.escape === dialect.quote ? "doubled quotes" : shownCharacter(dialect.escape));
  fact("newline", JSON.stringify(dialect.newline).slice(1, -1));
  fact("encoding", `${dialect.encoding}${dialect.bom ? " with BOM" : ""}`);
  if (dialect.comment !== null) fact("comment", shownCharacter(dialect.comment));
  if (dialect.skipInitialSpace) fact("spaces", "after delimiters are layout");
  fact("header", `${dialect.header ? "yes" : "no"} (${sniff.headerConfidence})`);
  if (dialect.skipLines > 0) fact("skipped", `${dialect.skipLines} lines above the table`);
  fact("confidence", sniff.confidence.toFixed(2));
  const { records, bytes, complete } = sniff.sample;
  const of = complete ? "all" : "the first";
  fact("sample", `${of} ${records.toLocaleString("en")} records, ${bytes.toLocaleString("en")} bytes`);
  if (sniff.preamble.length > 0) {
    lines.push("", "Above the table:");
    for (const line of sniff.preamble.slice(0, 10)) lines.push(`  ${printable(line)}`.trimEnd());
    if (sniff.preamble.length > 10) lines.push(`  … and ${sniff.preamble.length - 10} more lines`);
  }
  const columns = sniff.columns.map((column, index) => [
    String(index),
    printable(column.name),
    column.bigint ? `${column.type} (bigint)` : column.type,
    column.format === undefined ? "" : printable(column.format),
  ]);
  lines.push("", ...tableLines(["#", "column", "type", "format"], columns, { rightAligned: [true] }));
  const remarks = [
    ...sniff.warnings.map(
      ({ code, message, line }) => `warning ${code}${line ? ` (line ${line})` : ""}: ${inFlags(message)}`,
    ),
    ...sniff.hints.map((hint) => `hint: ${inFlags(hint)}`),
    ...sniff.undecided.map((name) => `undecided: column ${JSON.stringify(name)} has no value in the sample`),
  ];
  if (remarks.length > 0) lines.push("", ...remarks.map(printable));
  if (sniff.candidates.length > 1) {
    const candidates = sniff.candidates.map((candidate) => [
      shownCharacter(candidate.dialect.delimiter),
      `${shownCharacter(candidate.dialect.quote)} ${shownCharacter(candidate.dialect.escape)}`,
      candidate.score.toFixed(3),
      String(candidate.columns),
      candidate.consistency.toFixed(2),
      candidate.cellScore.toFixed(2),
      printable(candidate.verdict),
    ]);
    const header = ["delimiter", "quote, escape", "score", "columns", "even", "cells", "verdict"];
    lines.push(
      "",
      ...tableLines(header, candidates, {
        rightAligned: [false, false, true, true, true, true],
        widest: 80,
      }),
    );
  }
  return `${lines.join("\n")}\n`;
}

const NAMES: Record<string, string> = { "\t": "tab", " ": "space" };

function shownCharacter(character: string | null): string {
  if (character === null) return "none";
  return NAMES[character] ?? printable(character);
}
