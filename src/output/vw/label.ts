import { VwFault } from "./fault.js";
import { readFloat32 } from "./number.js";
import type { VwLabelOption } from "./options.js";

const encoder = new TextEncoder();

/**
 * Makes labels of a kind out of cells' texts. Names of classes are numbered in order of first appearance, over all
 * files, unless a map numbers them.
 */
export class LabelMaker {
  /** The number of each name that was seen or mapped, in order. */
  readonly names = new Map<string, number>();
  readonly #option: Omit<VwLabelOption, "column">;
  /** Labels of one part that were made before, by text. */
  readonly #made = new Map<string, string>();
  /** Whether classes are numbers as they stand: the first class decides. */
  #numeric: boolean | null = null;

  constructor(option: Omit<VwLabelOption, "column">) {
    this.#option = option;
    for (const [name, number] of Object.entries(option.map ?? {})) this.names.set(name, number);
  }

  /**
   * The label that the parts make, as VW reads it; empty for an unlabelled example.
   *
   * @param weight The weight's text, empty for none.
   * @throws VwFault VW_LABEL, without its column.
   */
  label(parts: readonly string[], weight: string): string {
    if (parts.length === 1 && weight === "") {
      const known = this.#made.get(parts[0]);
      if (known !== undefined) return known;
    }
    const label = this.#make(parts, weight);
    if (parts.length === 1 && weight === "" && this.#made.size < MOST_KNOWN) this.#made.set(parts[0], label);
    return label;
  }

  #make(parts: readonly string[], weight: string): string {
    const { kind } = this.#option;
    if (kind === "cb") return this.#contextual(parts);
    if (kind === "multilabel") {
      const labels = parts.flatMap((part) => part.split(",")).map(trim);
      return labels
        .filter((label) => label !== "")
        .map((label) => this.#class(label))
        .join(",");
    }
    const words = parts.map(trim);
    if (weight !== "") words.push(trim(weight));
    const [value] = words;
    // VW writes a weight after the label in one column, too.
    const inner = value.lastIndexOf(" ");
    if (inner > 0 && words.length === 1 && this.#hasWeight(value, inner)) {
      words.splice(0, 1, value.slice(0, inner).trimEnd(), value.slice(inner + 1));
    }
    if (words[0] === "") return "";
    const label =
      kind === "simple"
        ? this.#number(words[0])
        : kind === "binary"
          ? this.#sign(words[0])
          : this.#class(words[0]);
    const rest = words.slice(1).filter((word) => word !== "");
    for (const word of rest) {
      if (!isNumber(word))
        throw new VwFault("VW_LABEL", `${JSON.stringify(word)}, which follows a label, is no number`);
    }
    return [label, ...rest].join(" ");
  }

  /** Whether a label ends in a weight: a number, where what stands before it is a label without it. */
  #hasWeight(value: string, space: number): boolean {
    return !this.names.has(value) && isNumber(value.slice(space + 1)) && isNumber(value.slice(0, space));
  }

  #number(text: string): string {
    const mapped = this.names.get(text);
    if (mapped !== undefined) return String(mapped);
    if (this.#option.map === undefined && isNumber(text)) return text;
    throw new VwFault(
      "VW_LABEL",
      `the label ${JSON.stringify(text)} is ${this.#option.map ? "not in vw.label.map" : "no number"}`,
    );
  }

  #sign(text: string): string {
    const mapped = this.names.get(text);
    if (mapped !== undefined) return String(mapped);
    if (this.#option.map === undefined) {
      const word = text.toLowerCase();
      const number = isNumber(text) ? Number(text) : word === "true" ? 1 : word === "false" ? 0 : Number.NaN;
      if (number === 1) return "1";
      if (number === 0 || number === -1) return "-1";
    }
    const reason = this.#option.map ? "not in vw.label.map" : "none of -1, 0, 1, true and false";
    throw new VwFault("VW_LABEL", `the label ${JSON.stringify(text)} is ${reason}`);
  }

  #class(text: string): string {
    const known = this.names.get(text);
    if (known !== undefined) return this.#option.named ? text : String(known);
    if (this.#option.map !== undefined) {
      throw new VwFault("VW_LABEL", `the class ${JSON.stringify(text)} is not in vw.label.map`);
    }
    this.#numeric ??= !this.#option.named && isWhole(text);
    if (this.#numeric) {
      if (isWhole(text)) return text;
      throw new VwFault(
        "VW_LABEL",
        `the class ${JSON.stringify(text)} is no whole number, as the first one is`,
      );
    }
    const number = this.names.size + 1;
    this.names.set(text, number);
    return this.#option.named ? text : String(number);
  }

  #contextual(parts: readonly string[]): string {
    const given = parts.map(trim);
    if (given.every((part) => part === "")) return "";
    if (given[0] === "shared" && given.slice(1).every((part) => part === "")) return "shared";
    const costs = given.length > 1 ? [given.join(":")] : given[0].split(" ").filter((word) => word !== "");
    return costs.map((cost) => this.#cost(cost)).join(" ");
  }

  #cost(text: string): string {
    const [action, cost, probability, ...more] = text.split(":");
    const numbers = [cost, probability].filter((part) => part !== undefined);
    if (action === "" || more.length > 0 || !numbers.every(isNumber)) {
      throw new VwFault(
        "VW_LABEL",
        `the label ${JSON.stringify(text)} is not of the form action:cost:probability`,
      );
    }
    return [this.#class(action), ...numbers].join(":");
  }
}

/** Texts whose label is kept; a column of classes has fewer, one of numbers may have any number. */
const MOST_KNOWN = 10_000;

function trim(text: string): string {
  return text.trim();
}

function isWhole(text: string): boolean {
  if (text === "" || text.length > 10) return false;
  for (let i = 0; i < text.length; i++) if (text[i] < "0" || text[i] > "9") return false;
  return Number(text) <= 0xffffffff;
}

function isNumber(text: string): boolean {
  return !Number.isNaN(float32(text));
}

/**
 * Whether a label's text shows its record to be part of an example of several lines: `shared`, `ccb …`,
 * `slates …`, or a cost. Such a record is kept without features, too.
 */
export function isMultiline(label: string): boolean {
  const text = label.trimStart();
  const space = text.indexOf(" ");
  const word = space < 0 ? text : text.slice(0, space);
  return word === "shared" || word === "ccb" || word === "slates" || text.includes(":");
}

/** A label as VW's parsers of simple and multiclass labels take it apart. */
export interface LabelParts {
  /** The label's text; null for an unlabelled example. */
  label: string | null;
  /** 1 where the label gives none. */
  weight: number;
  /** The initial prediction, the third word of a simple label. */
  initial?: number;
}

/** Takes a label's text apart: `label`, `label weight`, `label weight initial`; any other label stays whole. */
export function splitLabel(text: string): LabelParts {
  const words = text.split(" ").filter((word) => word !== "");
  if (words.length === 0) return { label: null, weight: 1 };
  const [label, ...numbers] = words;
  if (words.length === 1 || words.length > 3 || label.includes(":") || !numbers.every(isNumber)) {
    return { label: words.join(" "), weight: 1 };
  }
  const [weight, initial] = numbers.map(float32);
  return initial === undefined ? { label, weight } : { label, weight, initial };
}

function float32(text: string): number {
  const bytes = encoder.encode(text);
  return readFloat32(bytes, 0, bytes.length);
}
