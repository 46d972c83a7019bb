import { CsvError } from "../../errors.js";
import type { HashMode } from "./hash.js";
import { overflows, readFloat32 } from "./number.js";
import { splitCells } from "./split.js";

/** What a label is: how its text is checked and rewritten. */
export type VwLabelKind = "simple" | "binary" | "multiclass" | "multilabel" | "cb";

/** A label that is more than the text of `_label`. */
export interface VwLabelOption {
  /**
   * The column, or the columns that make the label's parts in order. For "cb": action, cost, probability; for
   * "multilabel": the labels; otherwise the label and what VW takes after it, such as a weight.
   */
  column: string | readonly string[];
  /**
   * "simple": a number · "binary": -1 or 1, also from 0 and 1 or from true and false · "multiclass": a whole
   * number or a name · "multilabel": several of those · "cb": `action:cost:probability`, or `shared`.
   */
  kind: VwLabelKind;
  /**
   * The number for each name. Default: names are numbered from 1 in order of first appearance. With a map, a name
   * that it lacks is a fault.
   */
  map?: Readonly<Record<string, number>>;
  /** Whether names of classes stay as they are, for VW's `--named_labels`. Default: false. */
  named?: boolean;
  /** A column whose number follows the label as its weight ("simple", "binary" and "multiclass"). Default: none. */
  weight?: string;
}

/** Options of VW's native CSV parser under their names, and those that only we have. */
export interface VwOptions {
  /** One character, or `\t` written out; not `"`, `|`, `:`, `.` or a line feed. Default: sniffed. */
  csvSeparator?: string;
  /** Whether the first record is data. Goes with `csvHeader`. Default: false. */
  csvNoFileHeader?: boolean;
  /** The header in place of the file's: cells separated by commas whatever the separator, or a list. */
  csvHeader?: string | readonly string[];
  /** Ratios that numeric features of a namespace are multiplied by: `a:0.5,b:0.3,:8`; the empty name is the default one. */
  csvNsValue?: string | Readonly<Record<string, number>>;
  /** The label's columns, separated by commas, or a list. Default: `_label`. */
  csvLabel?: string | readonly string[];
  /** The tag's column. Default: `_tag`. */
  csvTag?: string;
  /** Whether the label's parts are joined by commas instead of spaces. Default: false. */
  csvMultilabels?: boolean;
  /** Whether quotes around a cell are layout and not text. Default: true. */
  csvRemoveOuterQuotes?: boolean;
  /** VW's `--hash`. Default: "strings". */
  hash?: HashMode;
  /** VW's `--hash_seed`, a whole number of 32 bits. Default: 0. */
  hashSeed?: number;
  /** VW's `-b`: examples then carry each feature's index of so many bits, 1 to 32, beside its hash. Default: none. */
  bits?: number;
  /** A label of a kind, in place of `csvLabel`. */
  label?: VwLabelOption;
  /**
   * What to do with names, values and tags that VW's text format can't hold: "replace" (default; each such
   * character becomes `_`), "hash" (the feature's index, written as digits; goes with hash "strings"), "error".
   */
  inexpressible?: "replace" | "hash" | "error";
}

/** {@link VwOptions}, checked, with their defaults. */
export interface ResolvedVwOptions {
  /** As it is used: `\t` is a tab. */
  separator: string | undefined;
  noFileHeader: boolean;
  header: readonly string[] | undefined;
  ratios: ReadonlyMap<string, number>;
  /** Undefined: `_label`, if there is one. */
  labelColumns: readonly string[] | undefined;
  /** Undefined: `_tag`, if there is one. */
  tagColumn: string | undefined;
  multilabels: boolean;
  removeOuterQuotes: boolean;
  hash: HashMode;
  hashSeed: number;
  bits: number | undefined;
  label: Omit<VwLabelOption, "column"> | undefined;
  inexpressible: "replace" | "hash" | "error";
}

const NAMES: { [Name in keyof Required<VwOptions>]: true } = {
  csvSeparator: true,
  csvNoFileHeader: true,
  csvHeader: true,
  csvNsValue: true,
  csvLabel: true,
  csvTag: true,
  csvMultilabels: true,
  csvRemoveOuterQuotes: true,
  hash: true,
  hashSeed: true,
  bits: true,
  label: true,
  inexpressible: true,
};

const LABEL_NAMES: { [Name in keyof Required<VwLabelOption>]: true } = {
  column: true,
  kind: true,
  map: true,
  named: true,
  weight: true,
};

const KINDS: readonly unknown[] = ["simple", "binary", "multiclass", "multilabel", "cb"];

/**
 * Checks the options of VW output and fills in their defaults.
 *
 * @throws CsvError INVALID_OPTION for an unknown name or a value that does not fit.
 */
export function resolveVwOptions(options: VwOptions = {}): ResolvedVwOptions {
  checkNames(options, NAMES, "vw");
  const removeOuterQuotes = boolean(options.csvRemoveOuterQuotes, "csvRemoveOuterQuotes", true);
  const header = headerCells(options.csvHeader, removeOuterQuotes);
  const noFileHeader = boolean(options.csvNoFileHeader, "csvNoFileHeader", false);
  if (noFileHeader && header === undefined) {
    throw invalid(
      "vw.csvNoFileHeader goes with vw.csvHeader only: without either, nothing names the columns",
    );
  }
  if (options.label !== undefined && options.csvLabel !== undefined) {
    throw invalid("vw.label and vw.csvLabel both name the label's columns");
  }
  const hash = oneOf(options.hash, "hash", ["strings", "all"], "strings") as HashMode;
  const inexpressible = oneOf(
    options.inexpressible,
    "inexpressible",
    ["replace", "hash", "error"],
    "replace",
  ) as ResolvedVwOptions["inexpressible"];
  if (inexpressible === "hash" && hash === "all") {
    throw invalid(
      'vw.inexpressible: "hash" goes with vw.hash: "strings" only: VW then reads digits as an index',
    );
  }
  const multilabels = boolean(options.csvMultilabels, "csvMultilabels", false);
  if (multilabels && options.label !== undefined) {
    throw invalid('vw.csvMultilabels goes with vw.csvLabel; with vw.label, use kind: "multilabel"');
  }
  return {
    separator: separator(options.csvSeparator),
    noFileHeader,
    header,
    ratios: ratios(options.csvNsValue),
    labelColumns: labelColumns(options),
    tagColumn: text(options.csvTag, "csvTag"),
    multilabels,
    removeOuterQuotes,
    hash,
    hashSeed: whole(options.hashSeed, "hashSeed", 0, 0xffffffff) ?? 0,
    bits: whole(options.bits, "bits", 1, 32),
    label: labelOption(options.label),
    inexpressible,
  };
}

function checkNames(options: unknown, names: object, place: string): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw invalid(`${place} must be an object`);
  }
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(names, name)) continue;
    const plain = name.toLowerCase().replaceAll("_", "").replaceAll("-", "");
    const near = Object.keys(names).find((known) => known.toLowerCase() === plain);
    const guess = near === undefined ? "" : `; did you mean ${near}?`;
    throw invalid(`there is no option ${JSON.stringify(`${place}.${name}`)}${guess}`);
  }
}

function invalid(what: string): CsvError {
  return new CsvError("INVALID_OPTION", what);
}

function wrong(name: string, wanted: string, value: unknown): CsvError {
  const shown = typeof value === "string" ? JSON.stringify(value) : String(value);
  return invalid(`vw.${name} must be ${wanted}, not ${shown.slice(0, 80)}`);
}

function boolean(value: unknown, name: string, fallback: boolean): boolean {
  if (value === undefined) return fallback;
  if (typeof value !== "boolean") throw wrong(name, "true or false", value);
  return value;
}

function text(value: unknown, name: string): string | undefined {
  if (value !== undefined && typeof value !== "string") throw wrong(name, "text", value);
  return value;
}

function oneOf(value: unknown, name: string, values: readonly string[], fallback: string): string {
  if (value === undefined) return fallback;
  if (typeof value === "string" && values.includes(value)) return value;
  throw wrong(name, values.map((known) => JSON.stringify(known)).join(" or "), value);
}

function whole(value: unknown, name: string, least: number, most: number): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value;
  throw wrong(name, `a whole number from ${least} to ${most}`, value);
}

function separator(value: unknown): string | undefined {
  const given = text(value, "csvSeparator");
  if (given === undefined) return undefined;
  if (given === "\\t") return "\t";
  if (given.length !== 1 || given.charCodeAt(0) > 0x7e) {
    throw wrong("csvSeparator", "one ASCII character, or \\t written out", given);
  }
  if ('"|:'.includes(given))
    throw wrong("csvSeparator", 'none of the characters that VW reserves: " | :', given);
  if (given === ".") throw wrong("csvSeparator", "no point, which numbers need", given);
  if (given === "\n") throw wrong("csvSeparator", "no line feed, which ends records", given);
  return given;
}

function headerCells(value: unknown, removeQuotes: boolean): readonly string[] | undefined {
  if (value === undefined || value === "") return undefined;
  if (typeof value === "string") return splitCells(value, "vw.csvHeader", removeQuotes);
  return texts(value, "csvHeader");
}

function texts(value: unknown, name: string): readonly string[] {
  if (!Array.isArray(value) || value.length === 0 || !value.every((item) => typeof item === "string")) {
    throw wrong(name, "text, or a list of texts", value);
  }
  return value;
}

function labelColumns(options: VwOptions): readonly string[] | undefined {
  const { csvLabel, label } = options;
  if (label !== undefined) {
    checkNames(label, LABEL_NAMES, "vw.label");
    return typeof label.column === "string" ? [label.column] : texts(label.column, "label.column");
  }
  if (csvLabel === undefined || csvLabel === "") return undefined;
  return typeof csvLabel === "string"
    ? splitCells(csvLabel, "vw.csvLabel", true)
    : texts(csvLabel, "csvLabel");
}

function labelOption(label: VwLabelOption | undefined): ResolvedVwOptions["label"] {
  if (label === undefined) return undefined;
  const { kind, map, weight } = label;
  if (!KINDS.includes(kind))
    throw wrong("label.kind", KINDS.map((known) => JSON.stringify(known)).join(" or "), kind);
  const named = boolean(label.named, "label.named", false);
  if (named && kind !== "multiclass" && kind !== "multilabel") {
    throw invalid('vw.label.named goes with kind "multiclass" and "multilabel" only');
  }
  if (named && map !== undefined) throw invalid("vw.label.named keeps names and vw.label.map replaces them");
  text(weight, "label.weight");
  if (weight !== undefined && (kind === "multilabel" || kind === "cb")) {
    throw invalid(`vw.label.weight: VW's labels of kind ${JSON.stringify(kind)} have no weight`);
  }
  if (map !== undefined) checkMap(map, kind);
  return { kind, map, named, weight };
}

function checkMap(map: unknown, kind: VwLabelKind): void {
  if (typeof map !== "object" || map === null || Array.isArray(map)) {
    throw wrong("label.map", "numbers by name", map);
  }
  for (const [name, number] of Object.entries(map)) {
    const fits =
      kind === "binary"
        ? number === 1 || number === -1
        : kind === "simple"
          ? Number.isFinite(number)
          : Number.isInteger(number) && number >= 0 && number <= 0xffffffff;
    const wanted =
      kind === "binary" ? "-1 or 1" : kind === "simple" ? "a number" : "a whole number from 0 up";
    if (!fits) throw wrong(`label.map[${JSON.stringify(name)}]`, wanted, number);
  }
}

const encoder = new TextEncoder();

/** Ratios by namespace; of two for one namespace the last counts, as in VW. */
function ratios(value: unknown): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  if (value === undefined || value === "") return found;
  if (typeof value === "string") {
    value.split(",").forEach((pair, index) => {
      const parts = pair.split(":");
      if (parts.length !== 2 || parts[1] === "" || pair.startsWith('"')) {
        throw invalid(
          `pair ${index + 1} of vw.csvNsValue must be a namespace, a colon and a number, not ${JSON.stringify(pair)}`,
        );
      }
      const bytes = encoder.encode(parts[1]);
      const ratio = readFloat32(bytes, 0, bytes.length);
      if (Number.isNaN(ratio) || (!Number.isFinite(ratio) && overflows(bytes, 0, bytes.length))) {
        throw invalid(
          `pair ${index + 1} of vw.csvNsValue has no number of 32 bits after its colon: ${JSON.stringify(pair)}`,
        );
      }
      found.set(parts[0], ratio);
    });
    return found;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw wrong("csvNsValue", "text such as a:0.5,:8, or numbers by namespace", value);
  }
  for (const [name, ratio] of Object.entries(value)) {
    if (typeof ratio !== "number" || Number.isNaN(ratio)) {
      throw wrong(`csvNsValue[${JSON.stringify(name)}]`, "a number", ratio);
    }
    found.set(name, Math.fround(ratio));
  }
  return found;
}

/**
 * What of the dialect the options fix, under the names of the parser's own options; the rest is for the sniffer.
 * A separator given asks for VW's reading: `"` doubled, no comments, spaces kept.
 */
export function vwReading(options: ResolvedVwOptions): {
  delimiter?: string;
  quote?: string;
  escape?: string;
  comment?: null;
  skipInitialSpace?: boolean;
  newline?: "\n";
  header?: boolean;
} {
  const { separator } = options;
  const header = options.noFileHeader ? false : options.header !== undefined ? true : undefined;
  return {
    ...(separator === undefined
      ? {}
      : { delimiter: separator, quote: '"', escape: '"', comment: null, skipInitialSpace: false }),
    ...(separator === "\r" ? { newline: "\n" as const } : {}),
    ...(header === undefined ? {} : { header }),
  };
}
