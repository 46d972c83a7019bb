/** How VW turns names into hashes: its option `--hash`. */
export type HashMode = "strings" | "all";

const encoder = new TextEncoder();
const SPACE = 0x20;
const ZERO = 0x30;

/**
 * MurmurHash3 x86_32 (Austin Appleby, public domain) of the bytes from `start` to `end`, as an unsigned 32-bit
 * number.
 */
export function murmur3(bytes: Uint8Array, start: number, end: number, seed: number): number {
  const length = end - start;
  const blocksEnd = start + (length & ~3);
  let hash = seed | 0;
  for (let i = start; i < blocksEnd; i += 4) {
    const block = bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24);
    hash ^= scramble(block);
    hash = (hash << 13) | (hash >>> 19);
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0;
  }
  let tail = 0;
  for (let i = end - 1; i >= blocksEnd; i--) tail = (tail << 8) | bytes[i];
  hash ^= scramble(tail) ^ length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function scramble(block: number): number {
  const mixed = Math.imul(block, 0xcc9e2d51);
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
}

/**
 * VW's hash of a name. In mode "strings", bytes up to 0x20 at both ends do not count, and a name of digits alone
 * (an empty one included) is its number plus the seed; in mode "all", every name is hashed as it stands.
 */
export function hashName(
  bytes: Uint8Array,
  start: number,
  end: number,
  seed: number,
  mode: HashMode,
): number {
  if (mode === "all") return murmur3(bytes, start, end, seed);
  let from = start;
  let to = end;
  while (from < to && bytes[from] <= SPACE) from++;
  while (to > from && bytes[to - 1] <= SPACE) to--;
  let number = 0;
  for (let i = from; i < to; i++) {
    const digit = bytes[i] - ZERO;
    if (digit < 0 || digit > 9) return murmur3(bytes, from, to, seed);
    number = (Math.imul(number, 10) + digit) | 0;
  }
  return (number + seed) >>> 0;
}

/** {@link hashName} of a whole text, or of its UTF-8 bytes. */
export function hashString(name: Uint8Array | string, seed = 0, mode: HashMode = "strings"): number {
  const bytes = typeof name === "string" ? encoder.encode(name) : name;
  return hashName(bytes, 0, bytes.length, seed, mode);
}

/** The hash of a namespace. The default one, whose name is empty, is 0 where the seed is 0. */
export function hashNamespace(name: Uint8Array, seed: number, mode: HashMode): number {
  if (name.length > 0) return hashName(name, 0, name.length, seed, mode);
  return seed === 0 ? 0 : murmur3(name, 0, 0, seed);
}
