import { type HashMode, hashName, hashNamespace } from "../../../src/output/vw/hash.js";

/** A feature as `--audit` names it, with its index of 18 bits. */
export type Feature = [name: string, index: number, value: number];

/** What VW makes of one line. */
export interface ModelExample {
  newline: boolean;
  words: string[];
  tag: string;
  features: Feature[];
}

const MASK = (1 << 18) - 1;
const encoder = new TextEncoder();

/**
 * A small model of VW's text format, written from its rules: label and tag before the first bar, then namespaces,
 * each a bar, a name or none, and features.
 */
export function readVwLine(line: string, seed = 0, mode: HashMode = "strings"): ModelExample {
  const example: ModelExample = { newline: line === "", words: [], tag: "", features: [] };
  const bar = line.indexOf("|");
  readHead(bar < 0 ? line : line.slice(0, bar), example);
  if (bar < 0) return example;
  let at = bar;
  while (line[at] === "|") {
    at++;
    const name = token(line, at);
    at += name.length;
    let scale = 1;
    if (line[at] === ":") {
      const text = /^[^ \t|]*/.exec(line.slice(at + 1))?.[0] ?? "";
      scale = numberPrefix(text).value;
      at += 1 + text.length;
    }
    const bytes = encoder.encode(name);
    at = readFeatures(line, at, name, hashNamespace(bytes, seed, mode), scale, mode, example);
  }
  if (at < line.length) throw new Error(`malformed: ${JSON.stringify(line)} at ${at}`);
  return example;
}

function readHead(head: string, example: ModelExample): void {
  const tab = head.indexOf("\t");
  const label = tab < 0 ? head : head.slice(tab + 1);
  const words = label.split(" ").filter((word) => word !== "");
  const last = words.at(-1);
  if (last !== undefined && (label.endsWith(last) || last.startsWith("'"))) {
    words.pop();
    example.tag = last.startsWith("'") ? last.slice(1) : last;
  }
  example.words = words;
}

function readFeatures(
  line: string,
  start: number,
  namespace: string,
  namespaceHash: number,
  scale: number,
  mode: HashMode,
  example: ModelExample,
): number {
  let at = start;
  let anonymous = 0;
  const prefix = namespace === "" ? "" : `${namespace}^`;
  while (line[at] === " " || line[at] === "\t") {
    at++;
    if (at >= line.length || " \t|\r".includes(line[at])) continue;
    const name = token(line, at);
    at += name.length;
    let value = 1;
    let text = "";
    if (line[at] === ":") {
      at++;
      const rest = line.slice(at);
      const number = numberPrefix(rest);
      if (number.length > 0) {
        value = number.value;
        at += number.length;
      } else {
        const blanks = /^[ \t\r\n]*/.exec(rest)?.[0].length ?? 0;
        text = /^[^ \t\r\n]*/.exec(rest.slice(blanks))?.[0] ?? "";
        at += blanks + text.length;
      }
    }
    const nameHash = hashOf(name, namespaceHash, mode);
    if (text !== "") {
      example.features.push([`${prefix}${name}^${text}`, hashOf(text, nameHash, mode) & MASK, 1]);
      continue;
    }
    const scaled = Math.fround(Math.fround(value) * Math.fround(scale));
    const hash = name === "" ? namespaceHash + anonymous++ : nameHash;
    if (scaled !== 0) example.features.push([`${prefix}${name}`, hash & MASK, scaled]);
  }
  return at;
}

function hashOf(text: string, seed: number, mode: HashMode): number {
  const bytes = encoder.encode(text);
  return hashName(bytes, 0, bytes.length, seed, mode);
}

function token(line: string, start: number): string {
  let end = start;
  while (end < line.length && !" :\t|\r".includes(line[end])) end++;
  return line.slice(start, end);
}

/** The number that VW takes from the start of a text, and how much of the text it takes. */
export function numberPrefix(text: string): { value: number; length: number } {
  const own = /^ *-?\d*(?:\.\d*)?(?:[eE]-?\d*)?/.exec(text)?.[0] ?? "";
  if (own.length === text.length || " \n\t".includes(text[own.length])) {
    if (own.length > 0) {
      const complete = /^ *(-?\d*\.?\d*)(?:[eE](-?\d*))?$/.exec(own);
      // Decimals past the 35th do not count.
      const counted = complete?.[1].replace(/(\.\d{35})\d+/, "$1") ?? "";
      const mantissa = Number(counted.replace(/^(-?)\.?$/, "$10"));
      const exponent = Number(complete?.[2] || 0) || 0;
      return { value: Number(`${mantissa}e${exponent}`) || mantissa * 10 ** exponent, length: own.length };
    }
    return { value: 0, length: 0 };
  }
  const strtof =
    /^[\t-\r ]*[+-]?(?:0x[\da-f]+(?:\.[\da-f]*)?(?:p[+-]?\d+)?|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|infinity|inf|nan)/i.exec(
      text,
    );
  if (strtof === null) return { value: 0, length: 0 };
  const word = strtof[0].trim().toLowerCase();
  const sign = word.startsWith("-") ? -1 : 1;
  const bare = word.replace(/^[+-]/, "");
  const value = bare.startsWith("inf") ? Infinity : bare.startsWith("nan") ? 0 : Number(bare);
  return { value: sign * value, length: strtof[0].length };
}
