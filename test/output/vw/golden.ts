import { readFileSync } from "node:fs";
import type { VwExample } from "../../../src/output/vw/examples.js";
import type { VwOptions } from "../../../src/output/vw/options.js";
import type { Feature } from "./text-model.js";

/** A case recorded from Vowpal Wabbit 9.11.2. */
export interface GoldenCase {
  id: string;
  class: "parity" | "features" | "error" | "differs";
  csv?: string;
  csv_b64?: string;
  args: string[];
  vw_features?: Feature[][];
  vw_labels?: string[];
  vw_text?: string;
}

export function goldenCases(): GoldenCase[] {
  const text = readFileSync(new URL("../../fixtures/vw/golden.jsonl", import.meta.url), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line.replaceAll(/, Infinity\]/g, ", 1e999]")));
}

/** The case's CSV. */
export function csvOf({ csv, csv_b64 }: GoldenCase): string | Uint8Array {
  return csv ?? Uint8Array.from(atob(csv_b64 ?? ""), (character) => character.charCodeAt(0));
}

const VALUES: Record<string, (value: string) => VwOptions> = {
  "--csv_separator": (csvSeparator) => ({ csvSeparator }),
  "--csv_header": (csvHeader) => ({ csvHeader }),
  "--csv_ns_value": (csvNsValue) => ({ csvNsValue }),
  "--hash": (hash) => ({ hash: hash as "all" }),
  "--hash_seed": (seed) => ({ hashSeed: Number(seed) }),
};

/** VW's options as ours; those that only concern learning are left out. */
export function optionsOf({ args }: GoldenCase): VwOptions {
  let options: VwOptions = {};
  for (let i = 0; i < args.length; i++) {
    const [name, inline] = args[i].includes("=") ? args[i].split("=") : [args[i], undefined];
    if (name === "--csv_no_file_header") options.csvNoFileHeader = true;
    else if (name in VALUES) options = { ...options, ...VALUES[name](inline ?? args[++i]) };
  }
  return options;
}

/** The example's features as `--audit` prints them. */
export function auditFeatures(example: VwExample): Feature[] {
  return example.namespaces.flatMap(({ name, features }) => {
    const prefix = name === "" || name === " " ? "" : `${name}^`;
    return features.map((feature): Feature => {
      const chain =
        feature.stringValue === undefined || feature.stringValue === "" ? "" : `^${feature.stringValue}`;
      // A tab in a name cuts the audit line.
      const full = `${prefix}${feature.name}${chain}`.split("\t").at(-1) ?? "";
      return [full, feature.hash & ((1 << 18) - 1), feature.value];
    });
  });
}

/** Features in one order, values to the six digits that `--audit` prints. */
export function sorted(features: readonly Feature[]): Feature[] {
  return features
    .map(([name, index, value]): Feature => [name, index, Number(value.toPrecision(6))])
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
