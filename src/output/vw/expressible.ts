import type { ByteWriter } from "./byte-writer.js";
import { VwFault } from "./fault.js";
import type { ResolvedVwOptions } from "./options.js";
import type { VwWarnings } from "./warnings.js";

/*
 * What VW's text format can hold. Names end at a space, tab, colon or bar, string values at a space or tab, and a
 * line break ends the example. Under `--hash strings` nothing is lost where such bytes stand at an end only: VW
 * leaves them out before it hashes, so they are left out here.
 */

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const COLON = 0x3a;
const BAR = 0x7c;
const UNDERSCORE = 0x5f;

const encoder = new TextEncoder();
const EMPTY = new Uint8Array(0);
const ZERO_DIGIT = encoder.encode("0");

/** A set of bytes: 1 for those that a part of VW's text can't hold. */
type ByteSet = Uint8Array;

const NAME_BREAKS = byteSet(TAB, LF, CR, SPACE, COLON, BAR);
export const VALUE_BREAKS = byteSet(TAB, LF, CR, SPACE);
export const LABEL_BREAKS = byteSet(LF, CR, BAR);
export const TAG_BREAKS = byteSet(LF, CR, SPACE, BAR);

function byteSet(...bytes: number[]): ByteSet {
  const set = new Uint8Array(256);
  for (const byte of bytes) set[byte] = 1;
  return set;
}

/** Where the first byte of a set stands, or `end`. */
export function firstOf(set: ByteSet, bytes: Uint8Array, start: number, end: number): number {
  let i = start;
  while (i < end && set[bytes[i]] === 0) i++;
  return i;
}

/** Appends a span, with `_` in place of the bytes of a set. */
export function writeReplaced(
  out: ByteWriter,
  set: ByteSet,
  bytes: Uint8Array,
  start: number,
  end: number,
): void {
  out.reserve(end - start);
  const target = out.bytes;
  let at = out.length;
  for (let i = start; i < end; i++) target[at++] = set[bytes[i]] === 0 ? bytes[i] : UNDERSCORE;
  out.length = at;
}

/** Where a span begins and ends once the bytes up to 0x20 at its ends are left out. */
export function coreStart(bytes: Uint8Array, start: number, end: number): number {
  let i = start;
  while (i < end && bytes[i] <= SPACE) i++;
  return i;
}

/** See {@link coreStart}. */
export function coreEnd(bytes: Uint8Array, start: number, end: number): number {
  let i = end;
  while (i > start && bytes[i - 1] <= SPACE) i--;
  return i;
}

/**
 * The index that a hash makes, as a name of digits: under `--hash strings` VW adds such a name to its seed, the
 * namespace's hash or, for a namespace, `--hash_seed`.
 */
export function digitsName(hash: number, seed: number): Uint8Array {
  return encoder.encode(String((hash - seed) >>> 0));
}

/** Says that something can't be written: throws or warns, as the option has it. */
export function refuse(
  what: string,
  column: string,
  options: ResolvedVwOptions,
  warnings: VwWarnings,
  instead: string,
): void {
  if (options.inexpressible === "error") {
    throw new VwFault("VW_INEXPRESSIBLE", `VW's text format can't hold ${what}`, column);
  }
  if (warnings.given("VW_INEXPRESSIBLE", column)) return;
  const message = `column ${JSON.stringify(column)}: VW's text format can't hold ${what}; ${instead}`;
  warnings.warn("VW_INEXPRESSIBLE", message, column);
}

/**
 * A namespace's or a feature's name as VW's text holds it.
 *
 * @param hash The name's hash, and `seed` what it is seeded with.
 * @param column The header's cell, for messages.
 */
export function textName(
  name: Uint8Array,
  hash: number,
  seed: number,
  column: string,
  isNamespace: boolean,
  options: ResolvedVwOptions,
  warnings: VwWarnings,
): Uint8Array {
  if (name.length === 0) return EMPTY;
  const valid = isUtf8(name);
  if (valid && firstOf(NAME_BREAKS, name, 0, name.length) === name.length) return name;
  const strings = options.hash === "strings";
  if (valid && strings) {
    const from = coreStart(name, 0, name.length);
    const core = name.subarray(from, coreEnd(name, from, name.length));
    // An empty name would be the default namespace, or an anonymous feature: digits 0 add nothing to the seed.
    if (core.length === 0) return isNamespace && seed === 0 ? EMPTY : ZERO_DIGIT;
    if (firstOf(NAME_BREAKS, core, 0, core.length) === core.length) return core;
  }
  const what = `the name ${JSON.stringify(new TextDecoder().decode(name))}`;
  // Bytes that are no text have no readable replacement, so their index is kept.
  const byHash = strings && (options.inexpressible === "hash" || !valid);
  refuse(
    what,
    column,
    options,
    warnings,
    byHash ? "its hash is written instead" : "each such character is written as _",
  );
  if (byHash) return digitsName(hash, seed);
  return name.map((byte) => (NAME_BREAKS[byte] === 0 ? byte : UNDERSCORE));
}

const strict = new TextDecoder("utf-8", { fatal: true });

function isUtf8(bytes: Uint8Array): boolean {
  try {
    strict.decode(bytes);
    return true;
  } catch {
    return false;
  }
}
