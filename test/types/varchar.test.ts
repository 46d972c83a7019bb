import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { machineBytes } from "../../src/machine/table.js";
import { VarcharCaster } from "../../src/types/varchar.js";
import { PLAIN_DIALECT } from "../machine/dialects.js";

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
const machine = machineBytes(PLAIN_DIALECT);

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

/** Casts a batch, each cell somewhere in larger memory. */
function cast(caster: VarcharCaster, batch: ({ bytes: Uint8Array; escaped: boolean } | null)[]): Uint8Array {
  caster.begin(batch.length);
  batch.forEach((cell, row) => {
    if (cell === null) {
      caster.skip(row);
      return;
    }
    const memory = new Uint8Array(cell.bytes.length + 6).fill(0x21);
    memory.set(cell.bytes, 3);
    if (cell.escaped) caster.castEscaped(machine, memory, 3, 3 + cell.bytes.length, row);
    else caster.cast(memory, 3, 3 + cell.bytes.length, row);
  });
  return Uint8Array.from(batch, (cell) => (cell === null ? 0 : 1));
}

describe("VARCHAR", () => {
  it("is each cell's text, batch after batch, shared or detached", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(cells, { maxLength: 12 }), { maxLength: 4 }),
        fc.boolean(),
        (batches, detach) => {
          const caster = new VarcharCaster(detach);
          for (const batch of batches) {
            const valid = cast(caster, batch);
            const expected = batch.map((cell) => {
              if (cell === null) return null;
              const text = decode(cell.bytes);
              return cell.escaped ? text.replaceAll('""', '"') : text;
            });
            expect(caster.values(batch.length, valid).slice(0, batch.length)).toEqual(expected);
          }
        },
      ),
      { numRuns: 1_500 },
    );
  });

  it("knows the rows that are no UTF-8, and no others", () => {
    fc.assert(
      fc.property(fc.array(cells, { maxLength: 12 }), (batch) => {
        const caster = new VarcharCaster(false);
        cast(caster, batch);
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
