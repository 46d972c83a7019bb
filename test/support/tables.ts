import fc from "fast-check";
import type { CsvOptions } from "../../src/options.js";

/** Cells by type: what a column mostly holds. */
const KINDS = [
  ["1", "-7", "12", "0", "345", ""],
  ["3.25", "0.5", "-12.75", "4", ".5", "1e-3", ""],
  ["true", "false", "TRUE", ""],
  ["2024-01-31", "2023-12-01", "2000-02-29", ""],
  ["31/01/2024", "01/02/2024", "28/02/1999"],
  ["2024-01-31 12:30:00", "2024-02-01 00:00:00.5", "2024-01-31T12:30:00"],
  ["2024-01-31T12:30:00Z", "2024-01-31T12:30:00+02:00"],
  ["12:30:00", "23:59", "00:00:01.25"],
  ["9007199254740993", "1", "-9223372036854775808"],
  ["é", "日本", "😀", "naïve", " padded ", "a b", "x", "yes", ""],
];
/** Cells that belong nowhere. */
const STRANGERS = [
  "x",
  "NULL",
  "007",
  "1e5",
  "2.5",
  "é",
  '"',
  "'",
  "\\",
  "#",
  ",",
  ";",
  "\n",
  "\r\n",
  "||",
  "a\nb",
];

const wrap = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

/** A cell as it is written: as it stands, in quotes, or in quotes that are broken. */
function written(kind: number, choice: number): string {
  const pool = choice % 13 === 0 ? STRANGERS : KINDS[kind];
  const cell = pool[Math.trunc(choice / 13) % pool.length];
  const way = Math.trunc(choice / 400) % 25;
  if (way < 18) return cell;
  if (way < 23) return wrap(cell);
  return way === 23 ? `${wrap(cell)}x` : `"${cell}`;
}

const lineEnds = fc.constantFrom("\n", "\n", "\n", "\r\n", "\r");

/** Text that is more or less a table, in any dialect. */
export const tableTexts: fc.Arbitrary<string> = fc
  .record({
    delimiter: fc.constantFrom(",", ";", "\t", "|", "||", ":"),
    kinds: fc.array(fc.nat(KINDS.length - 1), { minLength: 1, maxLength: 4 }),
    header: fc.boolean(),
    lineEnd: lineEnds,
    oddLineEnd: lineEnds,
    records: fc.array(fc.array(fc.nat(10_000), { minLength: 5, maxLength: 5 }), { maxLength: 12 }),
    odd: fc.array(fc.nat(60), { maxLength: 3 }),
    above: fc.constantFrom("", "", "", "# made by x\n", "Report\n\n", "sep=;\n", "\n"),
    closed: fc.boolean(),
  })
  .map(({ delimiter, kinds, header, lineEnd, oddLineEnd, records, odd, above, closed }) => {
    const columns = kinds.length;
    const lines = records.map((choices, index) => {
      const record = choices.map((choice, column) => written(kinds[column % columns], choice));
      const wish = odd.includes(index) ? (index % 2 === 0 ? columns + 1 : columns - 1) : columns;
      const line = record.slice(0, Math.max(0, wish)).join(delimiter);
      return index === odd[0] ? line + oddLineEnd : line + lineEnd;
    });
    if (header) lines.unshift(["id", "name", "when", "v"].slice(0, columns).join(delimiter) + lineEnd);
    const text = above + lines.join("");
    return closed ? text : text.trimEnd();
  });

/** Writes text in an encoding that `encoding` names; what it lacks becomes a question mark. */
export function encodeAs(text: string, encoding: string): Uint8Array {
  if (encoding === "utf-16le" || encoding === "utf-16be") {
    const bytes = new Uint8Array(text.length * 2);
    const view = new DataView(bytes.buffer);
    for (let i = 0; i < text.length; i++) view.setUint16(i * 2, text.charCodeAt(i), encoding === "utf-16le");
    return bytes;
  }
  if (encoding === "windows-1252") {
    return Uint8Array.from(text, (character) => {
      const code = character.charCodeAt(0);
      return code < 0x100 ? code : 0x3f;
    });
  }
  return new TextEncoder().encode(text);
}

/** A table's bytes: UTF-8 with and without a mark, others, and now and then a byte that is out of place. */
export const tableBytes: fc.Arbitrary<Uint8Array> = fc
  .record({
    text: tableTexts,
    encoding: fc.constantFrom("utf-8", "utf-8", "utf-8", "utf-16le", "utf-16be", "windows-1252"),
    mark: fc.boolean(),
    badByte: fc.option(fc.record({ at: fc.nat(200), byte: fc.integer({ min: 0x80, max: 0xff }) }), {
      freq: 6,
    }),
  })
  .map(({ text, encoding, mark, badByte }) => {
    const bytes = encodeAs(
      mark ? `\ufeff${text}` : text,
      encoding === "windows-1252" && mark ? "utf-8" : encoding,
    );
    if (badByte !== null && bytes.length > 0) bytes[badByte.at % bytes.length] = badByte.byte;
    return bytes;
  });

const sometimes = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 3 });

/** Options of all kinds, with bounds so small that a few bytes reach them. */
export const tableOptions: fc.Arbitrary<CsvOptions> = fc
  .record({
    delimiter: sometimes(fc.constantFrom(",", ";", "||")),
    quote: sometimes(fc.constantFrom('"', "'", null)),
    escape: sometimes(fc.constantFrom('"', "\\", null)),
    newline: sometimes(fc.constantFrom("\n" as const, "\r\n" as const)),
    comment: sometimes(fc.constantFrom("#", null)),
    skipInitialSpace: sometimes(fc.boolean()),
    skipLines: sometimes(fc.nat(2)),
    skipRecords: sometimes(fc.nat(2)),
    header: sometimes(fc.boolean()),
    types: sometimes(fc.constant(false as const)),
    nullValues: sometimes(fc.constantFrom(["NULL"], ["", "NULL"], [])),
    quotedEmpty: sometimes(fc.constantFrom("null" as const, "string" as const)),
    quotedAsText: sometimes(fc.boolean()),
    decimalSeparator: sometimes(fc.constant(",")),
    sampleRows: sometimes(fc.integer({ min: 1, max: 6 })),
    sampleBytes: sometimes(fc.integer({ min: 1, max: 80 })),
    nullPadding: sometimes(fc.boolean()),
    extraFields: sometimes(fc.constant("drop" as const)),
    skipEmptyRecords: sometimes(fc.constantFrom(true, false, "all-null" as const)),
    strictness: sometimes(fc.constantFrom("strict" as const, "lenient" as const)),
    onError: sometimes(fc.constantFrom("error" as const, "reject" as const)),
    onTypeMismatch: sometimes(fc.constantFrom("error", "reject", "null", "widen")),
    fatal: sometimes(fc.boolean()),
    maxRecordSize: sometimes(fc.integer({ min: 4, max: 60 })),
    maxColumns: sometimes(fc.integer({ min: 1, max: 6 })),
    rowShape: sometimes(fc.constant("array" as const)),
    output: sometimes(fc.constantFrom("ndjson" as const, "csv" as const)),
    engine: sometimes(fc.constantFrom("js" as const, "wasm" as const)),
    batchRows: sometimes(fc.integer({ min: 1, max: 3 })),
    limit: fc.option(fc.nat(6), { nil: undefined, freq: 6 }),
    bigint: sometimes(fc.constantFrom("always" as const, "never" as const)),
  })
  .map((options) => {
    const given = Object.entries(options).filter(([, value]) => value !== undefined);
    return Object.fromEntries(given) as CsvOptions;
  });
