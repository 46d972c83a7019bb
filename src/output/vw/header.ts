import { CsvError } from "../../errors.js";
import { hashName, hashNamespace } from "./hash.js";
import type { ResolvedVwOptions } from "./options.js";

/** A header cell: text, or bytes, which need not be UTF-8. */
export type HeaderCell = string | Uint8Array;

/** A column that makes features. */
export interface FeatureColumn {
  /** 0-based position in the record. */
  index: number;
  /** The feature's name; empty for an anonymous one. */
  name: string;
  bytes: Uint8Array;
  /** The name's hash, seeded with the namespace's. */
  hash: number;
  /** The header's cell, for warnings. */
  column: string;
}

/** A namespace and its columns, in order. */
export interface Namespace {
  /** Empty for the default one. */
  name: string;
  bytes: Uint8Array;
  hash: number;
  /** What numeric features are multiplied by. */
  ratio: number;
  columns: FeatureColumn[];
}

/** What each column of a file is to VW. */
export interface VwColumns {
  /** Fields of a record. */
  count: number;
  names: readonly string[];
  /** Positions of the label's parts, in order; empty for unlabelled examples. */
  label: number[];
  /** Position of the weight, or -1. */
  weight: number;
  /** Position of the tag, or -1. */
  tag: number;
  namespaces: Namespace[];
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const BAR = 0x7c;

/**
 * What each header cell makes of its column: the label or the tag (by option, or under the names `_label` and
 * `_tag`; of several with such a name the first counts and the others are dropped), or a feature, `name` or
 * `namespace|name`.
 *
 * @throws CsvError VW_HEADER for a cell with two bars, or where a column that an option names is missing.
 */
export function readColumns(cells: readonly HeaderCell[], options: ResolvedVwOptions): VwColumns {
  const bytes = cells.map((cell) => (typeof cell === "string" ? encoder.encode(cell) : cell));
  const names = bytes.map((cell) => decoder.decode(cell));
  const labelNames = options.labelColumns ?? ["_label"];
  const tagName = options.tagColumn ?? "_tag";
  const weightName = options.label?.weight;
  const labelOption = options.label === undefined ? "vw.csvLabel" : "vw.label.column";
  const label = labelNames
    .map((name) => position(names, name, options.labelColumns && labelOption))
    .filter((index) => index >= 0);
  const weight = weightName === undefined ? -1 : position(names, weightName, "vw.label.weight");
  const tag = position(names, tagName, options.tagColumn === undefined ? undefined : "vw.csvTag");
  const special = new Set([...labelNames, tagName]);
  if (weightName !== undefined) special.add(weightName);

  const namespaces = new Map<string, Namespace>();
  cells.forEach((_, index) => {
    const column = names[index];
    if (special.has(column)) return;
    const { namespace, feature } = splitName(bytes[index], index, column);
    // Names are told apart by their bytes, which need not be UTF-8.
    const key = latin1(namespace);
    let home = namespaces.get(key);
    if (home === undefined) {
      const name = decoder.decode(namespace);
      home = {
        name,
        bytes: namespace,
        hash: hashNamespace(namespace, options.hashSeed, options.hash),
        ratio: options.ratios.get(name) ?? 1,
        columns: [],
      };
      namespaces.set(key, home);
    }
    home.columns.push({
      index,
      name: decoder.decode(feature),
      bytes: feature,
      hash: hashName(feature, 0, feature.length, home.hash, options.hash),
      column,
    });
  });
  return { count: cells.length, names, label, weight, tag, namespaces: [...namespaces.values()] };
}

/** The first column of a name; -1 if there is none and no option asked for it. */
function position(names: readonly string[], name: string, option: string | undefined): number {
  const index = names.indexOf(name);
  if (index < 0 && option !== undefined) {
    const known = names.slice(0, 20).map((column) => JSON.stringify(column));
    throw new CsvError(
      "VW_HEADER",
      `${option} names a column ${JSON.stringify(name)}, and the header has ${known.join(", ")}`,
      { record: 0 },
    );
  }
  return index;
}

function splitName(
  cell: Uint8Array,
  index: number,
  column: string,
): { namespace: Uint8Array; feature: Uint8Array } {
  const bar = cell.indexOf(BAR);
  if (bar < 0) return { namespace: new Uint8Array(0), feature: cell };
  if (cell.indexOf(BAR, bar + 1) >= 0) {
    throw new CsvError(
      "VW_HEADER",
      `cell ${index + 1}, ${JSON.stringify(column)}, has two bars: one stands between namespace and feature`,
      { record: 0, column },
    );
  }
  return { namespace: cell.subarray(0, bar), feature: cell.subarray(bar + 1) };
}

function latin1(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}
