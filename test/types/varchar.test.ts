import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ESCAPED, type Spans } from "../../src/machine/spans.js";
import { machineBytes } from "../../src/machine/table.js";
import { CellReader } from "../../src/types/cell-reader.js";
import { castColumn } from "../../src/types/column-cast.js";
import { readBatchText, VarcharCaster } from "../../src/types/varchar.js";
import { PLAIN_DIALECT } from "../machine/dialects.js";

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
const machine = machineBytes(PLAIN_DIALECT);

/** A cell of plain letters, or one with doubled quotes. */
const asciiCells = fc.oneof(
  fc
    .string({ unit: "grapheme-ascii", maxLength: 40 })
    .map((text) => ({ bytes: encode(text), escaped: false })),
  fc.array(fc.constantFrom('""', "x"), { maxLength: 8 }).map((parts) => ({
    bytes: encode(parts.join("")),
    escaped: true,
  })),
  fc.constant(null),
);

/** A cell: text, text with doubled quotes, bytes that may be no text, or nothing. */
const cells = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 60 }).map((text) => ({ bytes: encode(text), escaped: false })),
  fc
    .string({ unit: "grapheme-ascii", maxLength: 80 })
    .map((text) => ({ bytes: encode(text), escaped: false })),
  fc.array(fc.constantFrom('""', "é", "x"), { maxLength: 8 }).map((parts) => ({
    bytes: encode(parts.join("")),
    escaped: true,
  })),
  fc.uint8Array({ maxLength: 6 }).map((bytes) => ({ bytes, escaped: false })),
  fc.constant(null),
);

type Cell = { bytes: Uint8Array; escaped: boolean } | null;

/** Casts a batch whose cells lie somewhere in a larger memory; with `cut` they are cut from its text where it is ASCII. */
function cast(caster: VarcharCaster, batch: Cell[], cut = false): Uint8Array {
  const memory = Array.from(encode("!!!"));
  const starts: number[] = [];
  for (const cell of batch) {
    starts.push(memory.length);
    memory.push(...(cell?.bytes ?? []), 0x21, 0x21);
  }
  const bytes = Uint8Array.from(memory);
  const spans: Spans = {
    bytes,
    recordCount: batch.length,
    fieldCount: batch.length,
    starts: Int32Array.from(starts),
    ends: Int32Array.from(starts, (start, row) => start + (batch[row]?.bytes.length ?? 0)),
    flags: Uint8Array.from(batch, (cell) => (cell?.escaped === true ? ESCAPED : 0)),
    firstField: Int32Array.from(starts, (_, row) => row),
    recordStarts: Int32Array.from(starts),
    recordEnds: Int32Array.from(starts),
    recordLines: new Int32Array(batch.length),
    recordFlags: new Uint8Array(batch.length),
  };
  const rows = {
    count: batch.length,
    first: spans.firstField,
    width: Int32Array.from(batch, (cell) => (cell === null ? 0 : 1)),
    isRegular: false,
  };
  const nulls = { nullTexts: [encode("")], quotedEmpty: "null" as const, quotedAsText: false };
  const text = cut ? readBatchText(bytes, 1, bytes.length - 1) : null;
  const reader = new CellReader(machine, nulls);
  const valid = new Uint8Array(batch.length);
  castColumn(
    caster,
    { spans, rows, from: 0, nulls, cells: reader, kernel: null, text },
    batch.length,
    0,
    valid,
    null,
  );
  return valid;
}

/** What a cell is read as; an empty one is missing. */
function textOf(cell: Cell): string | null {
  if (cell === null || cell.bytes.length === 0) return null;
  const text = decode(cell.bytes);
  return cell.escaped ? text.replaceAll('""', '"') : text;
}

describe("VARCHAR", () => {
  it("is each cell's text, batch after batch, shared or detached", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(cells, { maxLength: 12 }), { maxLength: 4 }),
        fc.boolean(),
        fc.boolean(),
        (batches, detach, cut) => {
          const caster = new VarcharCaster(detach);
          for (const batch of batches) {
            const valid = cast(caster, batch, cut);
            expect(caster.values(batch.length, valid).slice(0, batch.length)).toEqual(batch.map(textOf));
          }
        },
      ),
      { numRuns: 1_500 },
    );
  });

  it("gives its bytes too where cells were cut from the text of the batch", () => {
    fc.assert(
      fc.property(fc.array(asciiCells, { maxLength: 12 }), (batch) => {
        const caster = new VarcharCaster(false);
        const valid = cast(caster, batch, true);
        const saved = caster.save(batch.length);
        const texts = batch.map((cell) => textOf(cell) ?? "");
        const offsets = new Int32Array(batch.length + 1);
        expect(decode(caster.utf8(0, batch.length, offsets, 0))).toBe(texts.join(""));
        expect(Array.from(offsets.subarray(1), (end, row) => end - offsets[row])).toEqual(
          texts.map((text) => text.length),
        );
        const loaded = new VarcharCaster(false);
        loaded.load(saved, batch.length);
        expect(loaded.values(batch.length, valid)).toEqual(batch.map(textOf));
      }),
      { numRuns: 500 },
    );
  });

  it("knows the rows that are no UTF-8, and no others", () => {
    fc.assert(
      fc.property(fc.array(cells, { maxLength: 12 }), fc.boolean(), (batch, cut) => {
        const caster = new VarcharCaster(false);
        cast(caster, batch, cut);
        const strict = new TextDecoder("utf-8", { fatal: true });
        const invalid = batch.flatMap((cell, row) => {
          try {
            strict.decode(cell?.bytes ?? new Uint8Array(0));
            return [];
          } catch {
            return [row];
          }
        });
        expect(caster.invalidRows(batch.length, false)).toEqual(invalid);
      }),
      { numRuns: 1_500 },
    );
  });

  it("takes a U+FFFD for a fault where the text was transcoded, and for itself where not", () => {
    const batch = ["ok", "bad\ufffd"].map((text) => ({ bytes: encode(text), escaped: false }));
    const caster = new VarcharCaster(false);
    cast(caster, batch);
    expect(caster.invalidRows(2, true)).toEqual([1]);
    expect(caster.invalidRows(2, false)).toEqual([]);
  });

  it("is not put together from two cells: halves of a character in neighbours are two faults", () => {
    const batch = [Uint8Array.of(0xc3), Uint8Array.of(0xa9)].map((bytes) => ({ bytes, escaped: false }));
    const caster = new VarcharCaster(false);
    const valid = cast(caster, batch);
    expect(caster.invalidRows(2, false)).toEqual([0, 1]);
    expect(caster.values(2, valid)).toEqual(["\ufffd", "\ufffd"]);
  });
});
