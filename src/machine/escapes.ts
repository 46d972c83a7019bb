import { isEscapable, type MachineBytes } from "./table.js";

/**
 * Writes the text of a span that holds escapes to `target` at `offset` and returns where it ends. The text is
 * never longer than the span.
 */
export function undoEscapes(
  machine: MachineBytes,
  bytes: Uint8Array,
  start: number,
  end: number,
  target: Uint8Array,
  offset: number,
): number {
  const { escape, quote } = machine;
  let at = offset;
  let i = start;
  // A doubled quote escapes nothing else; a backslash also escapes itself and the delimiter.
  if (escape === quote) {
    while (i < end) {
      const byte = bytes[i++];
      target[at++] = byte;
      if (byte === quote && i < end && bytes[i] === quote) i++;
    }
    return at;
  }
  const delimiter = machine.delimiter[0];
  while (i < end) {
    const byte = bytes[i++];
    if (byte === escape && i < end) {
      const next = bytes[i];
      if (next === quote || next === delimiter || next === escape) {
        target[at++] = next;
        i++;
        continue;
      }
    }
    target[at++] = byte;
  }
  return at;
}

/**
 * The same for a span with text after its closing quote (MISPLACED): the quotes that enclose its first part
 * are left out, the rest stands as it is.
 */
export function undoMisplaced(
  machine: MachineBytes,
  bytes: Uint8Array,
  start: number,
  end: number,
  target: Uint8Array,
  offset: number,
): number {
  let close = start + 1;
  while (close < end) {
    const byte = bytes[close];
    const escapes = byte === machine.escape && close + 1 < end && isEscapable(machine, bytes[close + 1]);
    if (escapes) close += 2;
    else if (byte === machine.quote) break;
    else close++;
  }
  const at = undoEscapes(machine, bytes, start + 1, Math.min(close, end), target, offset);
  const rest = Math.min(close + 1, end);
  target.set(bytes.subarray(rest, end), at);
  return at + end - rest;
}
