import { type Command, InvalidArgumentError, Option } from "commander";
import type { CsvOptions } from "../options.js";
import type { VwOptions } from "../output/vw/options.js";

/** Options that a command line can't hold, or that a command sets itself. */
type Unflagged =
  | "onReject"
  | "onSniff"
  | "onSchema"
  | "onWarning"
  | "signal"
  | "schema"
  | "sniffed"
  | "output"
  | "vw"
  | "rowShape"
  | "batchText"
  | "escapeFormulas";

interface Flag {
  /** What stands for the value in the help; absent for switches. */
  value?: string;
  help: string;
  parse?: (text: string) => unknown;
  choices?: readonly string[];
}

/** A JSON value where the text begins as one: a way to write commas in names and formats. */
const json = (text: string, opening: string): unknown => {
  if (!text.startsWith(opening)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
const list = (text: string) => json(text, "[") ?? text.split(",");
const number = (text: string) => {
  const value = Number(text);
  if (!Number.isFinite(value)) throw new InvalidArgumentError("It is no number.");
  return value;
};
const written = (text: string) =>
  text
    .replaceAll("\\t", "\t")
    .replaceAll(/\\x([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
const orNone = (text: string) => (text === "none" || text === "" ? null : written(text));
const NEWLINES: Record<string, string> = {
  lf: "\n",
  crlf: "\r\n",
  cr: "\r",
  "\\n": "\n",
  "\\r\\n": "\r\n",
  "\\r": "\r",
};

/** `a=X,b=Y` as an object, anything else as it is. */
const named = (text: string): unknown => {
  const object = json(text, "{");
  if (object !== undefined) return object;
  if (!text.includes("=")) return text;
  return Object.fromEntries(
    text.split(",").map((pair) => {
      const at = pair.lastIndexOf("=");
      if (at < 0)
        throw new InvalidArgumentError("Where a name or a format holds a comma, write a JSON object.");
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
};

/** The flags of the API's options, by name: one each, so that a new option can't be forgotten. */
export const FLAGS: Record<Exclude<keyof CsvOptions, Unflagged>, Flag> = {
  delimiter: { value: "text", help: "delimiter; \\t is a tab, \\x1f a byte", parse: written },
  delimiters: {
    value: "characters",
    help: "delimiters to try, e.g. ',;|', or a JSON list",
    parse: (text) => json(text, "[") ?? [...written(text)],
  },
  quote: { value: "character", help: "quote, or none", parse: orNone },
  escape: { value: "character", help: "escape, or none", parse: orNone },
  newline: {
    value: "kind",
    help: "line end, obeyed exactly: lf, crlf or cr",
    parse: (text) => {
      const newline = NEWLINES[text.toLowerCase()];
      if (newline === undefined) throw new InvalidArgumentError("It is one of lf, crlf, cr.");
      return newline;
    },
  },
  comment: { value: "character", help: "what begins a comment line, or none", parse: orNone },
  skipInitialSpace: { help: "spaces after a delimiter are layout" },
  skipLines: { value: "n", help: "lines to leave out above the table", parse: number },
  skipRecords: { value: "n", help: "records to leave out above the header", parse: number },
  header: { help: "the first record names the columns" },
  headerLines: { value: "n", help: "records that the header spans", parse: number },
  names: { value: "a,b,…", help: "names of the columns, or a JSON list", parse: list },
  types: {
    value: "a=TYPE,…",
    help: "types by column name, or a list of types, or none: all text",
    parse: (text) => (text === "none" ? false : /^\{|=/.test(text) ? named(text) : list(text)),
  },
  typeCandidates: { value: "TYPE,…", help: "types that may be found", parse: list },
  nullValues: {
    value: "a,b,…",
    help: "texts for a missing value, in place of the default, an empty cell: ',n/a' is both",
    parse: list,
  },
  trueValues: { value: "a,b,…", help: "texts for true", parse: list },
  falseValues: { value: "a,b,…", help: "texts for false", parse: list },
  quotedEmpty: { value: "what", help: "what an empty cell in quotes is", choices: ["null", "string"] },
  quotedAsText: { help: "cells in quotes are text" },
  decimalSeparator: { value: "character", help: "between whole and fraction" },
  thousandsSeparator: { value: "character", help: "between groups of three digits" },
  dateFormat: { value: "format", help: "format of dates, or a=FORMAT,…, or a JSON object", parse: named },
  timestampFormat: { value: "format", help: "format of timestamps, or a=FORMAT,…", parse: named },
  ambiguousDates: {
    value: "what",
    help: "how to read dates that fit several formats",
    choices: ["day-first", "month-first", "text", "error"],
  },
  dates: { value: "form", help: "how dates appear in rows", choices: ["date", "string", "temporal"] },
  bigint: { value: "when", help: "when whole numbers are bigint", choices: ["auto", "always", "never"] },
  sampleRows: { value: "n", help: "records that are sniffed", parse: number },
  sampleBytes: { value: "n", help: "bytes that are sniffed", parse: number },
  sampleTimeout: { value: "ms", help: "time after which the sample is what has come", parse: number },
  nullPadding: { help: "missing fields at a record's end are null" },
  extraFields: { value: "what", help: "what fields beyond the columns are", choices: ["error", "drop"] },
  ignoreTrailingDelimiter: { help: "one empty field too many is layout" },
  skipEmptyRecords: {
    value: "which",
    help: "which to leave out; true: blank lines (default), false: none, all-null: also records without a value",
    parse: (text) => (text === "true" ? true : text === "false" ? false : text),
  },
  strictness: {
    value: "how",
    help: "how exact quotes and line ends must be",
    choices: ["strict", "normal", "lenient"],
  },
  onError: { value: "what", help: "what to do with bad records", choices: ["error", "reject"] },
  onTypeMismatch: {
    value: "what",
    help: "what to do with values that break their column's type",
    choices: ["error", "reject", "null", "widen"],
  },
  encoding: { value: "label", help: "encoding of the input" },
  fatal: { help: "bytes that are no text are a fault (default)" },
  maxRecordSize: { value: "bytes", help: "longest record", parse: number },
  maxColumns: { value: "n", help: "most columns", parse: number },
  maxRecords: { value: "n", help: "most records", parse: number },
  maxFieldSize: { value: "bytes", help: "longest field", parse: number },
  maxRejects: { value: "n", help: "most rejected records", parse: number },
  maxNameSize: { value: "bytes", help: "longest column name", parse: number },
  maxPreambleSize: {
    value: "bytes",
    help: "most that the sniffer leaves out above the table",
    parse: number,
  },
  maxDecompressedBytes: {
    value: "n",
    help: "most bytes that compressed input may come to; 0 refuses it",
    parse: number,
  },
  maxDecompressionRatio: {
    value: "n",
    help: "most bytes that each byte of compressed input may come to",
    parse: number,
  },
  maxSniffSteps: {
    value: "n",
    help: "bytes that the sniffer looks at, summed over all readings",
    parse: number,
  },
  duplicateHeaders: {
    value: "what",
    help: "what to do with equal names",
    choices: ["rename", "group", "error"],
  },
  detach: { help: "kept cells share no memory" },
  engine: { value: "which", help: "who scans", choices: ["auto", "wasm", "js"] },
  batchRows: { value: "n", help: "most rows in a batch", parse: number },
  limit: { value: "n", help: "most rows to give", parse: number },
};

/** The flag of an option: `sampleRows` is `--sample-rows`. */
export function flagName(option: string): string {
  return `--${option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** A hint of the library as a command line says it: `onError: 'reject'` is `--on-error reject`. */
export function inFlags(hint: string): string {
  const flagged = withJsonValues(hint).replaceAll(
    /(?<![\w./-])([a-z][A-Za-z]+)(?:: ?(true|false|null|\d+|'[^']*'))?(?!\w|[./-]\w)/g,
    (text, name: string, value: string | undefined) => {
      const isWord = value === undefined && !/[A-Z]/.test(name) && !HINTED.has(name);
      if (!Object.hasOwn(FLAGS, name) || isWord) return text;
      if (value === undefined || value === "true") return flagName(name);
      if (value === "false") return flagName(name).replace("--", "--no-");
      return `${flagName(name)} ${value === "null" ? "none" : value}`;
    },
  );
  return flagged.replaceAll(/(?<!\()'([a-z\d-]+)'/g, "$1");
}

/** `nullValues: ["", "n/a"]` is `--null-values ',n/a'`, to be pasted into a shell. */
function withJsonValues(hint: string): string {
  return hint.replaceAll(
    /([a-z][A-Za-z]+)(: | )("(?:[^"\\]|\\.)*"|\[[^\]]*\]|\{[^}]*\})/g,
    (text, name: string, colon: string, json: string) => {
      if (!Object.hasOwn(FLAGS, name) || (colon === " " && !/[A-Z]/.test(name))) return text;
      try {
        const value: unknown = JSON.parse(json);
        const isList = Array.isArray(value) && value.every((item) => !String(item).includes(","));
        const plain = typeof value === "string" ? value : isList ? value.join(",") : json;
        const said = plain.replaceAll("'", "'\\''");
        return `${flagName(name)} '${said}'`;
      } catch {
        return text;
      }
    },
  );
}

/** Options of one small word that hints name without a value. */
const HINTED = new Set(["types", "strictness"]);

const READING = "Reading options (what is not given is sniffed):";

/** Adds the flags of reading to a command. */
export function addReadFlags(command: Command): Command {
  for (const [name, flag] of Object.entries(FLAGS)) {
    if (flag.value === undefined) {
      const negation = flagName(name).replace("--", "--no-");
      command.addOption(new Option(flagName(name), `${flag.help}; or ${negation}`).helpGroup(READING));
      command.addOption(new Option(negation).hideHelp());
      continue;
    }
    const option = new Option(`${flagName(name)} <${flag.value}>`, flag.help).helpGroup(READING);
    if (flag.parse !== undefined) option.argParser(flag.parse);
    if (flag.choices !== undefined) option.choices([...flag.choices]);
    command.addOption(option);
  }
  return command;
}

/** The options of reading among what the command line said. */
export function readOptions(said: Record<string, unknown>): CsvOptions {
  const options: Record<string, unknown> = {};
  for (const name of Object.keys(FLAGS)) if (said[name] !== undefined) options[name] = said[name];
  return options;
}

/** VW's own options, under its own names. */
export function addVwFlags(command: Command): Command {
  return command
    .option("--csv_separator <character>", "one character; \\t is a tab (default: sniffed)")
    .option("--csv_header <cells>", "header in place of the file's: ns|name,name,…")
    .option("--csv_no_file_header", "the first record is data; goes with --csv_header")
    .option("--csv_ns_value <ratios>", "ratios of namespaces: a:0.5,b:0.3,:8")
    .option("--csv_label <columns>", "columns of the label (default: _label)")
    .option("--csv_tag <column>", "column of the tag (default: _tag)")
    .option("--csv_multilabels", "the label's parts are joined by commas")
    .addOption(
      new Option(
        "--csv_remove_outer_quotes <bool>",
        "quotes around a cell are layout (default: true)",
      ).choices(["true", "false"]),
    )
    .addOption(new Option("--hash <mode>", "VW's hash mode").choices(["strings", "all"]))
    .option("--hash_seed <n>", "VW's hash seed", number)
    .addOption(
      new Option("--label_kind <kind>", "what the label is, named classes numbered").choices([
        "simple",
        "binary",
        "multiclass",
        "multilabel",
        "cb",
      ]),
    )
    .option("--named_labels", "names of classes stay as they are")
    .addOption(
      new Option("--inexpressible <what>", "what to do with text that VW's format can't hold").choices([
        "replace",
        "hash",
        "error",
      ]),
    )
    .option("--examples", "write structured examples as NDJSON instead of text lines");
}

/** The options of VW output among what the command line said. */
export function vwOptions(said: Record<string, unknown>): VwOptions {
  const label = said.label_kind === undefined ? undefined : labelOption(said);
  const options: Record<string, unknown> = {
    csvSeparator: said.csv_separator,
    csvHeader: said.csv_header,
    csvNoFileHeader: said.csv_no_file_header,
    csvNsValue: said.csv_ns_value,
    csvLabel: label === undefined ? said.csv_label : undefined,
    csvTag: said.csv_tag,
    csvMultilabels: said.csv_multilabels,
    csvRemoveOuterQuotes:
      said.csv_remove_outer_quotes === undefined ? undefined : said.csv_remove_outer_quotes !== "false",
    hash: said.hash,
    hashSeed: said.hash_seed,
    inexpressible: said.inexpressible,
    label,
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function labelOption(said: Record<string, unknown>): unknown {
  const columns = said.csv_label === undefined ? ["_label"] : String(said.csv_label).split(",");
  const label: Record<string, unknown> = { column: columns, kind: said.label_kind };
  if (said.named_labels === true) label.named = true;
  return label;
}
