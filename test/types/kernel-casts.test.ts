import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CsvOptions, resolveOptions } from "../../src/options.js";
import { CsvParser } from "../../src/parser.js";
import { FIELDS } from "../support/typed-cells.js";

/** Enough ordinary records that the kernel takes the batch; a record of one of these is the table's first as well. */
const ORDINARY = 40;

const settings = fc.record({
  nullValues: fc.constantFrom(undefined, [""], ["", "NA"], ["-", "0", "true", "long text that is null"], []),
  quotedEmpty: fc.constantFrom("null", "string"),
  quotedAsText: fc.boolean(),
  decimalSeparator: fc.constantFrom(".", ","),
  escape: fc.constantFrom('"', "\\"),
  dates: fc.constantFrom("date", "string"),
  fatal: fc.boolean(),
});

const quoting = fc.constantFrom("plain", "plain", "quoted", "spaced", "misplaced");
const table = settings.chain((options) =>
  fc
    .array(
      fc.record({
        row: fc.tuple(...FIELDS.map(({ cells }) => cells)),
        how: fc.array(quoting, { minLength: FIELDS.length, maxLength: FIELDS.length }),
      }),
      { minLength: 1, maxLength: 30 },
    )
    .map((rows) => ({ options, text: writeTable(rows, options.escape) })),
);

function writeTable(rows: { row: string[]; how: string[] }[], escape: string): string {
  const ordinary = `${FIELDS.map((field) => field.ordinary).join(";")}\n`;
  const lines = rows.map(({ row, how }) =>
    row
      .map((cell, i) => {
        if (how[i] === "spaced") return `  ${cell} `;
        if (how[i] === "plain") return cell;
        const quoted = `"${cell.replaceAll('"', `${escape}"`)}"`;
        return how[i] === "quoted" ? quoted : `${quoted} x`;
      })
      .join(";"),
  );
  return `${ordinary}${lines.map((line) => `${line}\n${ordinary}`).join("")}${ordinary.repeat(ORDINARY)}`;
}

function readAll(
  bytes: Uint8Array,
  options: CsvOptions,
): { rows: unknown[]; inKernel: number; said: unknown } {
  const rows: unknown[] = [];
  const rejects: unknown[] = [];
  const warnings: unknown[] = [];
  const parser = new CsvParser(
    resolveOptions({
      ...options,
      header: false,
      delimiter: ";",
      quote: '"',
      comment: null,
      skipLines: 0,
      encoding: "utf-8",
      types: FIELDS.map(({ type }) => type),
      names: FIELDS.map((_, i) => `c${i}`),
      dateFormat: { c6: "%d/%m/%Y" },
      timestampFormat: { c7: "%d/%m/%Y %H:%M:%S" },
      strictness: "lenient",
      extraFields: "drop",
      nullPadding: true,
      onTypeMismatch: "null",
      onError: "reject",
      rowShape: "array",
      onReject: (reject) => rejects.push(reject),
      onWarning: (warning) => warnings.push(warning),
    }),
  );
  parser.write(bytes);
  parser.end();
  for (;;) {
    const batch = parser.read();
    if (batch === null) break;
    rows.push(...batch.rows(0, batch.rowCount));
  }
  return { rows, inKernel: parser.rowsCastInKernel, said: { rejects, warnings } };
}

describe("casts in the kernel", () => {
  it("give the reference's values, bit for bit", () => {
    let inKernel = 0;
    fc.assert(
      fc.property(table, fc.boolean(), ({ options, text }, damage) => {
        const bytes = new TextEncoder().encode(text);
        // Bytes that are no UTF-8, within what was text.
        if (damage) for (let i = 7; i < bytes.length; i += 61) if (bytes[i] >= 0x80) bytes[i] = 0xc3;
        const kernel = readAll(bytes, { ...options, engine: "wasm" } as CsvOptions);
        const reference = readAll(bytes, { ...options, engine: "js" } as CsvOptions);
        expect(kernel.rows).toStrictEqual(reference.rows);
        expect(kernel.said).toStrictEqual(reference.said);
        inKernel += kernel.inKernel;
        expect(reference.inKernel).toBe(0);
      }),
      { numRuns: 400 },
    );
    // Otherwise nothing was compared.
    expect(inKernel).toBeGreaterThan(400 * ORDINARY);
  });
});
