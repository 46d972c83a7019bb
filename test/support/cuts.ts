/** Pieces of some bytes, cut at places in any order, some of them perhaps equal. */
export function cutAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const sorted = [...places].map((place) => Math.min(place, bytes.length)).sort((a, b) => a - b);
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const place of [...sorted, bytes.length]) {
    pieces.push(bytes.slice(from, place));
    from = place;
  }
  return pieces;
}

/** Pieces of one size, the last perhaps smaller. */
export function piecesOf(bytes: Uint8Array, size: number): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.slice(at, at + size));
  return pieces;
}

/** Pieces of the sizes given, and the rest. */
export function piecesOfSizes(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const places: number[] = [];
  let at = 0;
  for (const size of sizes) {
    at += size;
    places.push(at);
  }
  return cutAt(bytes, places);
}

/** Every cut that the cases name: whole, in two at every place, and in pieces of 1, 2, 3, 5 and 7 bytes. */
export function* everyCut(bytes: Uint8Array): Generator<{ how: string; pieces: Uint8Array[] }> {
  yield { how: "whole", pieces: [bytes] };
  for (let at = 0; at <= bytes.length; at++) yield { how: `in two at ${at}`, pieces: cutAt(bytes, [at]) };
  for (const size of [1, 2, 3, 5, 7]) yield { how: `in pieces of ${size}`, pieces: piecesOf(bytes, size) };
}

/** The same pieces as views into larger memory that holds other bytes around them. */
export function asViews(pieces: readonly Uint8Array[]): Uint8Array[] {
  return pieces.map((piece) => {
    const memory = new Uint8Array(piece.length + 14).fill(0x22);
    memory.set(piece, 7);
    return memory.subarray(7, 7 + piece.length);
  });
}
