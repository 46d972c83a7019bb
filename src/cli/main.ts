#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { CsvError, type CsvWarning, type Reject } from "../errors.js";
import {
  DESCRIBING_TARGETS,
  EXPORT_TARGETS,
  type ExportTarget,
  exportSniff,
  FETCHING_TARGETS,
  SCHEMA_TARGETS,
  TABLE_TARGETS,
} from "../export/export-sniff.js";
import { compressionOfFile } from "../node/decompression.js";
import type { CsvOptions } from "../options.js";
import { readCsv, sniffCsv } from "../read.js";
import { readVw } from "../read-vw.js";
import type { Sniff } from "../sniffer/sniff.js";
import type { DateOutput } from "../types/column-typing.js";
import {
  BINARY_FORMATS,
  type BinaryFormat,
  isBinaryFormat,
  openBinary,
  writeBinary,
} from "./binary-output.js";
import { addReadFlags, addVwFlags, inFlags, readOptions, vwOptions } from "./flags.js";
import { inputOf, isAddress, nameOf, startProgress, stopProgress, writeAboveProgress } from "./input.js";
import {
  isStandardOutput,
  type LineSink,
  type Output,
  OutputClosed,
  openSink,
  removeUnfinished,
} from "./output-file.js";
import { sniffReport } from "./report.js";
import { printable, printableLines, shownValue, tableLines } from "./terminal.js";

/** What the process ends with. */
const EXIT = { done: 0, badData: 1, usage: 2, inputOutput: 3 };
/** Faults of the command line, not of the data. */
const USAGE_CODES: ReadonlySet<string> = new Set(["INVALID_OPTION", "UNKNOWN_ENCODING", "MISSING_PACKAGE"]);
/** Rows between two updates of the progress bar. */
const PROGRESS_ROWS = 4_096;

const FILE_HELP = "a file, an address (http://, https://), or - for standard input";

type Said = Record<string, unknown>;

function program(): Command {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  const main = new Command("sniffed-csv")
    .description("Sniffs CSV files nobody described, and streams them as typed rows.")
    .version(version)
    .exitOverride()
    // Set before the commands are made: they take it over.
    .configureOutput({ outputError: (text, write) => write(printableLines(text)) })
    .configureHelp({ showGlobalOptions: true })
    .addHelpText(
      "after",
      `
Examples:
  sniffed-csv sniff export.csv
  sniffed-csv head export.csv -n 5
  sniffed-csv convert export.csv --to ndjson -o export.ndjson
  sniffed-csv convert https://example.org/export.csv.gz --to parquet -o export.parquet
  sniffed-csv export export.csv --to duckdb --table orders
  cat export.csv | sniffed-csv convert - --to csv --rejects bad.ndjson
  sniffed-csv vw train.csv --csv_label kind --label_kind multiclass | vw -d /dev/stdin --oaa 3`,
    );

  reading(main.command("sniff"), "Shows the dialect, the header and the types of a file.")
    .argument("<file>", FILE_HELP)
    .option("--json", "the sniff as JSON: what --sniffed reads")
    .action(runSniff);

  reading(main.command("head"), "Shows the first typed rows as a table.")
    .argument("<file>", FILE_HELP)
    .option("-n, --rows <n>", "how many rows", positive, 10)
    .action(runHead);

  writing(
    reading(
      main.command("convert"),
      "Writes the typed rows as NDJSON, JSON, clean CSV, Arrow, Parquet or a database.",
    ),
  )
    .argument("<file>", FILE_HELP)
    .addOption(
      new Option("--to <format>", "what to write")
        .choices(["ndjson", "json", "csv", ...BINARY_FORMATS])
        .default("ndjson"),
    )
    .option("--table <name>", "with --to sqlite and duckdb: the table (default: the file's name)")
    .option("--escape-formulas", "with --to csv: guards cells that a spreadsheet would run")
    .action(runConvert);

  reading(main.command("export"), "Writes what was sniffed as another tool's options.")
    .argument("<file>", FILE_HELP)
    .addOption(new Option("--to <target>", "the tool").choices([...EXPORT_TARGETS]).makeOptionMandatory())
    .option("--table <name>", "the name of the table, resource or type (default: the file's name)")
    .option("--schema <name>", `the schema of the table, or its database: ${SCHEMA_TARGETS.join(", ")}`)
    .addOption(
      new Option(
        "--only <half>",
        `half of the script: the empty table, or what loads into one that exists: ${TABLE_TARGETS.join(", ")}`,
      ).choices(["table", "load"]),
    )
    .option("--path <path>", "where the file lies for the tool (default: as it was given here)")
    .option("-o, --output <file>", "a file, written whole or not at all (default: -, standard output)")
    .addHelpText(
      "after",
      `
Examples:
  sniffed-csv export orders.csv --to duckdb --table orders | duckdb orders.db
  sniffed-csv export orders.csv --to postgresql --schema sales --only load | psql shop`,
    )
    .action(runExport);

  addVwFlags(writing(reading(main.command("vw"), "Writes Vowpal Wabbit examples.")))
    .argument("<files...>", "files, addresses, or - for standard input, one after the other")
    .action(runVw);
  return main;
}

function reading(command: Command, description: string): Command {
  command
    .description(description)
    .option("--sniffed <file>", "an earlier sniff --json, or that JSON itself, used instead of sniffing");
  return addReadFlags(command).exitOverride();
}

function writing(command: Command): Command {
  return command
    .option("-o, --output <file>", "a file, written whole or not at all (default: -, standard output)")
    .option("--rejects <file>", "the rejected records as NDJSON; sets --on-error reject");
}

function positive(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError("It is a whole number from 1 up.");
  return value;
}

function optionsOf(said: Said): CsvOptions {
  const options = readOptions(said);
  if (typeof said.sniffed === "string") {
    // JSON itself where a command has to stand alone, as in what `export` writes.
    const json = said.sniffed.startsWith("{") ? said.sniffed : readFileSync(said.sniffed, "utf8");
    options.sniffed = JSON.parse(json) as Sniff;
  }
  return options;
}

async function runSniff(path: string, said: Said): Promise<void> {
  const options = optionsOf(said);
  const { chunks } = await inputOf(path, options);
  const sniff = await sniffCsv(chunks, options);
  await writeOut(said.json === true ? `${JSON.stringify(sniff, null, 2)}\n` : sniffReport(sniff));
}

async function runExport(path: string, said: Said): Promise<void> {
  const options = optionsOf(said);
  const target = said.to as ExportTarget;
  const seen = said.path as string | undefined;
  const isRead = !DESCRIBING_TARGETS.includes(target) && said.only !== "table";
  if (isRead && seen === undefined && path === "-") {
    throw new CsvError(
      "INVALID_OPTION",
      `${target} reads the file again, and standard input can be read once`,
      {},
      "Say where the file lies for it: --path FILE.",
    );
  }
  if (isRead && seen === undefined && isAddress(path) && !FETCHING_TARGETS.includes(target)) {
    throw new CsvError(
      "INVALID_OPTION",
      `${target} reads no addresses`,
      {},
      "Download the file, and say where it lies: --path FILE.",
    );
  }
  const { chunks } = await inputOf(path, options);
  const sniff = await sniffCsv(chunks, options);
  remark(sniff);
  const text = exportSniff(sniff, target, {
    path: seen ?? (path === "-" ? undefined : path),
    table: (said.table as string | undefined) ?? nameOf(seen ?? path),
    schema: said.schema as string | undefined,
    only: said.only as "table" | "load" | undefined,
    compression: isAddress(path) || path === "-" ? undefined : (compressionOfFile(path) ?? undefined),
  });
  await writeAll(said, async (sink) => void (await sink.write(text)));
}

async function runHead(path: string, said: Said): Promise<void> {
  const options = optionsOf(said);
  const { chunks } = await inputOf(path, options);
  const rows = readCsv(chunks, {
    ...options,
    ...REMARKS,
    limit: Number(said.rows),
    rowShape: "array",
    // The table is text, in which a timestamp keeps all its digits.
    dates: said.dates === undefined ? "string" : (said.dates as DateOutput),
  });
  const { columns } = await rows.sniffed;
  const shown: string[][] = [];
  let fault: unknown;
  try {
    for await (const row of rows) shown.push((row as unknown[]).map(shownValue));
  } catch (error) {
    fault = error;
  }
  const header = columns.map(({ name }) => printable(name));
  const table = tableLines(header, shown, {
    rightAligned: columns.map(({ type }) => type === "BIGINT" || type === "DOUBLE" || type === "HUGEINT"),
    width: process.stdout.columns,
  });
  await writeOut(`${table.join("\n")}\n`);
  if (fault !== undefined) throw fault;
}

async function runConvert(path: string, said: Said): Promise<void> {
  if (isBinaryFormat(said.to)) return runBinaryConvert(path, said, said.to);
  const options = optionsOf(said);
  const input = await inputOf(path, options);
  const csv = said.to === "csv";
  const json = said.to === "json";
  const output = said.output as string | undefined;
  await writeAll(said, async (sink, rejecting) => {
    const rows = readCsv(input.chunks, {
      ...options,
      ...REMARKS,
      ...rejecting,
      output: csv ? "csv" : "ndjson",
      escapeFormulas: csv && said.escapeFormulas === true,
    });
    // Rows that run over a terminal are progress enough.
    const progress = startProgress(isStandardOutput(output) && process.stdout.isTTY ? undefined : input.size);
    try {
      let count = 0;
      if (json) await sink.write("[");
      for await (const line of rows) {
        const full = sink.write(json ? `${count === 0 ? "\n" : ",\n"}${line}` : `${line}\n`);
        // Not awaited for its own sake: that costs more than the line.
        if (full !== undefined) await full;
        if (++count % PROGRESS_ROWS === 0) progress.update(input.bytesRead(), count);
      }
      if (json) await sink.write(count === 0 ? "]\n" : "\n]\n");
      progress.update(input.bytesRead(), rows.rowsEmitted);
    } finally {
      progress.stop();
    }
  });
}

async function runVw(paths: string[], said: Said): Promise<void> {
  const options = optionsOf(said);
  const inputs = await Promise.all(paths.map((path) => inputOf(path, options)));
  await writeAll(said, async (sink, rejecting) => {
    const structured = said.examples === true;
    const examples = readVw(
      inputs.map(({ chunks }) => chunks),
      {
        ...options,
        ...REMARKS,
        ...rejecting,
        output: structured ? "vw-examples" : "vw",
        vw: vwOptions(said),
      },
    );
    for await (const example of examples) {
      const full = sink.write(`${structured ? JSON.stringify(example) : example}\n`);
      if (full !== undefined) await full;
    }
    const labels = Object.entries(examples.labels);
    if (labels.length > 0) complain(`labels: ${labels.map(([name, label]) => `${label}=${name}`).join(" ")}`);
  });
}

/** What is noticed along the way, on standard error. */
const REMARKS: Pick<CsvOptions, "onSniff" | "onWarning" | "onSchema"> = {
  onSniff: remark,
  onWarning: warn,
  onSchema: ({ column, from, to, row }) =>
    complain(`column ${JSON.stringify(column)}, ${from}, is ${to} from row ${row} on`),
};

function remark({ warnings, hints }: Sniff): void {
  warnings.forEach(warn);
  for (const hint of hints) complain(`hint: ${inFlags(hint)}`);
}

function warn({ code, message, line }: CsvWarning): void {
  complain(`warning ${code}${line === undefined ? "" : ` (line ${line})`}: ${inFlags(message)}`);
}

async function writeOut(lines: string): Promise<void> {
  const sink = openSink();
  await sink.write(lines);
  await sink.close();
}

/** Writes what is no text: a file of Arrow or Parquet, or a database. */
async function runBinaryConvert(path: string, said: Said, format: BinaryFormat): Promise<void> {
  const options = optionsOf(said);
  const output = said.output as string | undefined;
  const table = (said.table as string | undefined) ?? nameOf(path);
  const input = await inputOf(path, options);
  await writeAll(
    said,
    async (sink, rejecting) => {
      const rows = readCsv(input.chunks, {
        ...options,
        ...REMARKS,
        ...rejecting,
        output: "batches",
        batchText: "utf8",
      });
      const progress = startProgress(input.size);
      async function* batches() {
        for await (const batch of rows) {
          yield batch;
          progress.update(input.bytesRead(), rows.rowsEmitted);
        }
      }
      try {
        const { columns } = await rows.sniffed;
        await writeBinary(batches(), { format, columns, table }, sink);
      } finally {
        progress.stop();
      }
    },
    () => openBinary(format, output),
  );
}

/** Runs a command that writes; what it wrote stands whole or not at all, and rejects are counted. */
async function writeAll<Sink extends Output = LineSink>(
  said: Said,
  run: (sink: Sink, rejecting: Pick<CsvOptions, "onError" | "onReject">) => Promise<void>,
  open: (path?: string) => Sink = openSink as unknown as (path?: string) => Sink,
): Promise<void> {
  const { output, rejects } = said as { output?: string; rejects?: string };
  if (output !== undefined && rejects !== undefined && resolve(output) === resolve(rejects)) {
    throw new CsvError("INVALID_OPTION", "--output and --rejects are one file");
  }
  const sink = open(output);
  let rejectSink: LineSink | null = null;
  const counts = new Map<string, number>();
  const onReject = (reject: Reject) => {
    counts.set(reject.code, (counts.get(reject.code) ?? 0) + 1);
    rejectSink?.write(`${JSON.stringify(reject)}\n`);
  };
  try {
    if (rejects !== undefined) rejectSink = openSink(rejects);
    // Whoever asks for the rejects wants them set aside.
    await run(
      sink,
      rejects === undefined
        ? { onReject }
        : { onError: (said.onError as "error" | "reject") ?? "reject", onReject },
    );
    await rejectSink?.close();
    await sink.close();
  } catch (error) {
    sink.discard();
    rejectSink?.discard();
    throw error;
  }
  if (counts.size === 0) return;
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const kinds = [...counts].map(([code, count]) => `${count} ${code}`).join(", ");
  complain(`${total} ${total === 1 ? "record" : "records"} rejected: ${kinds}`);
}

function complain(text: string): void {
  writeAboveProgress(`sniffed-csv: ${printable(text)}\n`);
}

function exitCodeOf(error: unknown): number {
  if (error instanceof OutputClosed) return EXIT.done;
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (error instanceof CsvError) {
    complain(error.message.slice(0, -error.hint.length) + inFlags(error.hint));
    return USAGE_CODES.has(error.code) ? EXIT.usage : EXIT.badData;
  }
  const message = error instanceof Error ? error.message : String(error);
  complain(message);
  return error instanceof SyntaxError ? EXIT.usage : EXIT.inputOutput;
}

const SIGNALS: [NodeJS.Signals, number][] = [
  ["SIGHUP", 129],
  ["SIGINT", 130],
  ["SIGTERM", 143],
];

// Where nobody listens to complaints, the work goes on.
process.stderr.on("error", () => {});

for (const [signal, code] of SIGNALS) {
  process.on(signal, () => {
    stopProgress();
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
