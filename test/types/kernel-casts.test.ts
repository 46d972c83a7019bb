import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CsvOptions, resolveOptions } from "../../src/options.js";
import { CsvParser } from "../../src/parser.js";

/** Enough ordinary records that the kernel takes the batch; a record of one of these is the table's first as well. */
const ORDINARY = 40;

interface Field {
  type: string;
  format?: string;
  ordinary: string;
  cells: fc.Arbitrary<string>;
}

const digits = (max: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: max }).map((list) => list.join(""));
const pad = (value: number, width: number) => String(value).padStart(width, "0");

/** Cells that differ from a valid one by a character. */
const nearly = (cells: fc.Arbitrary<string>) =>
  fc
    .tuple(
      cells,
      fc.nat(40),
      fc.constantFrom("", "0", "9", "-", "+", ".", " ", ":", "Z", "T", "/", "x", "\u0000", "é"),
    )
    .map(([cell, at, put]) => cell.slice(0, at) + put + cell.slice(at + 1));

const numbers = fc.oneof(
  fc
    .tuple(fc.constantFrom("", "-", "+", "--"), digits(18), fc.constantFrom("", ".", ",", ".."), digits(18))
    .map((parts) => parts.join("")),
  fc.double().map(String),
  fc.integer().map(String),
  fc.constantFrom(
    "9007199254740991",
    "-9007199254740991",
    "9007199254740993",
    "-0",
    "0",
    "00",
    "-0.0",
    "1e5",
    "inf",
    "NaN",
    "0.1",
    ".5",
    "5.",
  ),
);

const moments = fc.record({
  year: fc.oneof(fc.integer({ min: 0, max: 9999 }), fc.constantFrom(1, 1900, 2000, 2024, 9999)),
  month: fc.integer({ min: 0, max: 13 }),
  day: fc.integer({ min: 0, max: 32 }),
  hour: fc.integer({ min: 0, max: 24 }),
  minute: fc.integer({ min: 0, max: 60 }),
  second: fc.integer({ min: 0, max: 60 }),
  fraction: fc.oneof(
    fc.constant(""),
    digits(9).map((text) => `.${text}`),
  ),
  mark: fc.constantFrom("T", " ", "t"),
  offset: fc.constantFrom("", "Z", "z", "+00:00", "-05:30", "+14:00", "+15:59", "+16:00", "+0530", "-07"),
});
type Moment = typeof moments extends fc.Arbitrary<infer T> ? T : never;
const written = (write: (moment: Moment) => string) => {
  const cells = moments.map(write);
  return fc.oneof(cells, nearly(cells));
};
const date = (m: Moment) => `${pad(m.year, 4)}-${pad(m.month, 2)}-${pad(m.day, 2)}`;
const time = (m: Moment) => `${pad(m.hour, 2)}:${pad(m.minute, 2)}:${pad(m.second, 2)}`;
const dayFirst = (m: Moment) => `${pad(m.day, 2)}/${pad(m.month, 2)}/${pad(m.year, 4)}`;

const texts = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.constantFrom("", "NA", 'a"b', "\\", '""', "x".repeat(70), "日本", "é", "\u0000", "\ufeff"),
);

const FIELDS: Field[] = [
  { type: "BIGINT", ordinary: "12", cells: fc.oneof(numbers, nearly(numbers)) },
  { type: "DOUBLE", ordinary: "1.5", cells: fc.oneof(numbers, nearly(numbers)) },
  {
    type: "BOOLEAN",
    ordinary: "true",
    cells: fc.oneof(fc.constantFrom("TRUE", "False", "fALSE", "t"), nearly(fc.constantFrom("true", "false"))),
  },
  { type: "DATE", ordinary: "2024-02-29", cells: written(date) },
  {
    type: "TIMESTAMP",
    ordinary: "2024-02-29 10:11:12",
    cells: written((m) => `${date(m)}${m.mark}${time(m)}${m.fraction}`),
  },
  {
    type: "TIMESTAMPTZ",
    ordinary: "2024-02-29T10:11:12Z",
    cells: written((m) => `${date(m)}${m.mark}${time(m)}${m.fraction}${m.offset}`),
  },
  { type: "DATE", format: "%d/%m/%Y", ordinary: "29/02/2024", cells: written(dayFirst) },
  {
    type: "TIMESTAMP",
    format: "%d/%m/%Y %H:%M:%S",
    ordinary: "29/02/2024 10:11:12",
    cells: written((m) => `${dayFirst(m)} ${time(m)}`),
  },
  { type: "VARCHAR", ordinary: "text", cells: texts },
];

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
    for (let row = 0; row < batch.rowCount; row++) rows.push(batch.row(row));
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
