import type { BatchColumn } from "./column-batch.js";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** A text column with a list of strings in place of UTF-8; other columns as they are. */
export function withStrings(column: BatchColumn): BatchColumn {
  const { offsets, validity, values } = column;
  if (offsets === undefined) return column;
  const bytes = values as Uint8Array;
  const text = decoder.decode(bytes);
  const isAscii = text.length === bytes.length;
  const strings: (string | null)[] = [];
  let from = 0;
  for (let row = 0; row + 1 < offsets.length; row++) {
    const to = isAscii ? offsets[row + 1] : from + unitsOf(bytes, offsets[row], offsets[row + 1]);
    const isValid = validity === null || ((validity[row >> 3] >> (row & 7)) & 1) === 1;
    strings.push(isValid ? text.substring(from, to) : null);
    from = to;
  }
  const { name, type, nullCount } = column;
  return { name, type, values: strings, validity, nullCount };
}

/** UTF-16 units of UTF-8: one a character of up to three bytes, two a character of four. */
export function unitsOf(bytes: Uint8Array, start: number, end: number): number {
  let units = 0;
  for (let i = start; i < end; i++) {
    const byte = bytes[i];
    if (byte < 0x80 || byte >= 0xc0) units++;
    if (byte >= 0xf0) units++;
  }
  return units;
}
