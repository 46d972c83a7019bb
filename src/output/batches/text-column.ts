import type { BatchColumn } from "./column-batch.js";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Cells of at least this many characters are slices that keep their column's text alive (a trait of V8). */
export const SLICE_LENGTH = 13;

/** A copy of a string that shares nothing with the text it was cut from: joining and slicing again makes one. */
export function detached(text: string): string {
  return ` ${text}`.slice(1);
}

/** A text column with a list of strings in place of UTF-8; other columns as they are. */
export function withStrings(column: BatchColumn, detach: boolean): BatchColumn {
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
    const value = isValid ? text.substring(from, to) : null;
    strings.push(detach && value !== null && value.length >= SLICE_LENGTH ? detached(value) : value);
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
