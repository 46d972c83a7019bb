#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { CsvError, type Reject } from "../errors.js";
import type { CsvOptions } from "../options.js";
import { readCsv, sniffCsv } from "../read.js";
import { readVw } from "../read-vw.js";
import type { Sniff } from "../sniffer/sniff.js";
import { addReadFlags, addVwFlags, readOptions, vwOptions } from "./flags.js";
import { type Input, inputOf, startProgress } from "./input.js";
import { type LineSink, OutputClosed, openSink, removeUnfinished } from "./output-file.js";
import { sniffReport } from "./report.js";
import { printable, shownValue, tableLines } from "./terminal.js";

/** What the process ends with. */
const EXIT = { done: 0, badData: 1, usage: 2, inputOutput: 3 };
/** Rows between two updates of the progress bar. */
const PROGRESS_ROWS = 4_096;

type Said = Record<string, unknown>;

function program(): Command {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  const main = new Command("sniffed-csv")
    .description("Sniffs CSV files nobody described, and streams them as typed rows.")
    .version(version)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .addHelpText(
      "after",
      `
Examples:
  sniffed-csv sniff export.csv
  sniffed-csv head export.csv -n 5
  sniffed-csv convert export.csv --to ndjson -o export.ndjson
  cat export.csv | sniffed-csv convert - --to csv --on-error reject --rejects bad.ndjson
  sniffed-csv vw train.csv --csv_label kind --label_kind multiclass | vw -d /dev/stdin --oaa 3`,
    );

  reading(main.command("sniff"), "Shows the dialect, the header and the types of a file.")
    .argument("<file>", "a file, or - for standard input")
    .option("--json", "the sniff as JSON: what --sniffed reads")
    .action(runSniff);

  reading(main.command("head"), "Shows the first typed rows as a table.")
    .argument("<file>", "a file, or - for standard input")
    .option("-n, --rows <n>", "how many rows", positive, 10)
    .action(runHead);

  writing(reading(main.command("convert"), "Writes the typed rows as NDJSON, JSON or clean CSV."))
    .argument("<file>", "a file, or - for standard input")
    .addOption(
      new Option("--to <format>", "what to write").choices(["ndjson", "json", "csv"]).default("ndjson"),
    )
    .option("--escape-formulas", "with --to csv: guards cells that a spreadsheet would run")
    .action(runConvert);

  addVwFlags(writing(reading(main.command("vw"), "Writes Vowpal Wabbit examples.")))
    .argument("<files...>", "files, or - for standard input, one after the other")
    .action(runVw);
  return main;
}

function reading(command: Command, description: string): Command {
  command
    .description(description)
    .option("--sniffed <file>", "an earlier sniff --json, used instead of sniffing");
  return addReadFlags(command).exitOverride();
}

function writing(command: Command): Command {
  return command
    .option("-o, --output <file>", "a file, written whole or not at all (default: standard output)")
    .option("--rejects <file>", "with --on-error reject: the rejected records as NDJSON");
}

function positive(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError("It is a whole number from 1 up.");
  return value;
}

function optionsOf(said: Said): CsvOptions {
  const options = readOptions(said);
  if (typeof said.sniffed === "string")
    options.sniffed = JSON.parse(readFileSync(said.sniffed, "utf8")) as Sniff;
  return options;
}

async function runSniff(path: string, said: Said): Promise<void> {
  const { chunks } = await inputOf(path);
  const sniff = await sniffCsv(chunks, optionsOf(said));
  const sink = openSink(undefined);
  await sink.write(said.json === true ? `${JSON.stringify(sniff, null, 2)}\n` : sniffReport(sniff));
  await sink.close();
}

async function runHead(path: string, said: Said): Promise<void> {
  const { chunks } = await inputOf(path);
  const options = { ...optionsOf(said), limit: Number(said.rows), rowShape: "array" as const };
  const rows = readCsv(chunks, options);
  const { columns } = await rows.sniffed;
  const shown: string[][] = [];
  let fault: unknown;
  try {
    for await (const row of rows) shown.push((row as unknown[]).map(shownValue));
  } catch (error) {
    fault = error;
  }
  const numeric = columns.map(({ type }) => type === "BIGINT" || type === "DOUBLE" || type === "HUGEINT");
  const header = columns.map(({ name }) => printable(name));
  const sink = openSink(undefined);
  await sink.write(`${tableLines(header, shown, numeric).join("\n")}\n`);
  await sink.close();
  if (fault !== undefined) throw fault;
}

async function runConvert(path: string, said: Said): Promise<void> {
  const input = await inputOf(path);
  const to = String(said.to);
  await writeAll(said, async (sink, onReject) => {
    const csv = to === "csv";
    const rows = readCsv(input.chunks, {
      ...optionsOf(said),
      output: csv ? "csv" : "ndjson",
      escapeFormulas: csv && said.escapeFormulas === true,
      onReject,
    });
    let written = 0;
    if (to === "json") await sink.write("[");
    for await (const line of withProgress(rows, input)) {
      if (to === "json") await sink.write(`${written === 0 ? "\n" : ",\n"}${line}`);
      else await sink.write(`${line}\n`);
      written++;
    }
    if (to === "json") await sink.write(written === 0 ? "]\n" : "\n]\n");
  });
}

async function runVw(paths: string[], said: Said): Promise<void> {
  const inputs = await Promise.all(paths.map(inputOf));
  await writeAll(said, async (sink, onReject) => {
    const structured = said.examples === true;
    const examples = readVw(
      inputs.map(({ chunks }) => chunks),
      {
        ...optionsOf(said),
        output: structured ? "vw-examples" : "vw",
        vw: vwOptions(said),
        onReject,
        onWarning: ({ code, message }) => complain(`warning ${code}: ${message}`),
      },
    );
    for await (const example of examples)
      await sink.write(`${structured ? JSON.stringify(example) : example}\n`);
    const labels = Object.entries(examples.labels);
    if (labels.length > 0) complain(`labels: ${labels.map(([name, label]) => `${label}=${name}`).join(" ")}`);
  });
}

/** Rows with the bar moving along; what is written to a terminal is progress enough. */
async function* withProgress<Row>(
  rows: AsyncIterable<Row> & { bytesRead: number; rowsEmitted: number },
  input: Input,
): AsyncGenerator<Row> {
  const progress = startProgress(process.stdout.isTTY ? undefined : input.size);
  try {
    let count = 0;
    for await (const row of rows) {
      yield row;
      if (++count % PROGRESS_ROWS === 0) progress.update(rows.bytesRead, count);
    }
    progress.update(rows.bytesRead, count);
  } finally {
    progress.stop();
  }
}

/** Runs a command that writes; what it wrote stands whole or not at all, and rejects are counted. */
async function writeAll(
  said: Said,
  run: (sink: LineSink, onReject: (reject: Reject) => void) => Promise<void>,
): Promise<void> {
  const sink = openSink(said.output as string | undefined);
  const rejectSink = typeof said.rejects === "string" ? openSink(said.rejects) : null;
  const counts = new Map<string, number>();
  let lastReject: Promise<void> = Promise.resolve();
  try {
    await run(sink, (reject) => {
      counts.set(reject.code, (counts.get(reject.code) ?? 0) + 1);
      if (rejectSink !== null)
        lastReject = lastReject.then(() => rejectSink.write(`${JSON.stringify(reject)}\n`));
    });
    await lastReject;
    await rejectSink?.close();
    await sink.close();
  } catch (error) {
    await lastReject.catch(() => {});
    await sink.discard();
    await rejectSink?.discard();
    throw error;
  }
  if (counts.size === 0) return;
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  complain(`${total} records rejected: ${[...counts].map(([code, count]) => `${count} ${code}`).join(", ")}`);
}

function complain(text: string): void {
  process.stderr.write(`sniffed-csv: ${printable(text)}\n`);
}

function exitCodeOf(error: unknown): number {
  if (error instanceof OutputClosed) return EXIT.done;
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (error instanceof CsvError) {
    complain(error.message);
    return error.code === "INVALID_OPTION" || error.code === "UNKNOWN_ENCODING" ? EXIT.usage : EXIT.badData;
  }
  const message = error instanceof Error ? error.message : String(error);
  complain(message);
  return error instanceof SyntaxError ? EXIT.usage : EXIT.inputOutput;
}

const SIGNALS: [NodeJS.Signals, number][] = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
];

for (const [signal, code] of SIGNALS) {
  process.on(signal, () => {
    removeUnfinished();
    process.exit(code);
  });
}

try {
  await program().parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
  // Standard input may still be waiting, and would keep the process alive.
  process.stdin.destroy();
}
