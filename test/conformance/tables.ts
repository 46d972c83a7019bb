import fc from "fast-check";

const TYPES = ["BOOLEAN", "BIGINT", "DOUBLE", "DATE", "TIME", "TIMESTAMP", "VARCHAR"] as const;
export type TableType = (typeof TYPES)[number];

/** A well-formed table: how it is written, and the text of its cells; null is a missing value. */
export interface Table {
  delimiter: string;
  quote: string;
  escape: string;
  newline: "\n" | "\r\n";
  /** Whether cells are quoted that need not be. */
  quotesAll: boolean;
  types: TableType[];
  rows: (string | null)[][];
}

const two = (n: number) => String(n).padStart(2, "0");
const day = fc
  .date({ min: new Date("1601-01-01"), max: new Date("2399-12-31"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const clock = fc
  .tuple(fc.nat(23), fc.nat(59), fc.nat(59), fc.constantFrom("", "", ".5", ".25", ".000001", ".999999"))
  .map(([h, m, s, fraction]) => `${two(h)}:${two(m)}:${two(s)}${fraction}`);

const CELLS: Record<TableType, fc.Arbitrary<string>> = {
  BOOLEAN: fc.constantFrom("true", "false"),
  BIGINT: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  // Whole numbers past 2^53 are no doubles to us: see docs/differences-from-duckdb.md.
  DOUBLE: fc.oneof(
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .filter((value) => !Number.isInteger(value) || Number.isSafeInteger(value))
      .map((value) => (Object.is(value, -0) ? "-0.0" : String(value))),
    fc.tuple(fc.integer(), fc.nat(99_999)).map(([whole, fraction]) => `${whole}.${fraction}`),
  ),
  DATE: day,
  TIME: clock,
  TIMESTAMP: fc.tuple(day, clock).map(([date, time]) => `${date} ${time}`),
  VARCHAR: fc.oneof(
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }),
    fc
      .array(
        fc.constantFrom("a", "é", "日本", "😀", " ", ",", ";", "|", "\t", "\n", "\r\n", '"', "'", "\\", "#"),
        {
          minLength: 1,
          maxLength: 8,
        },
      )
      .map((parts) => parts.join("")),
  ),
};

export const tables: fc.Arbitrary<Table> = fc
  .record({
    delimiter: fc.constantFrom(",", ";", "|", "\t"),
    quote: fc.constantFrom('"', '"', "'"),
    escape: fc.constantFrom("doubled", "doubled", "\\"),
    newline: fc.constantFrom("\n" as const, "\r\n" as const),
    quotesAll: fc.boolean(),
    types: fc.array(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 6 }),
    size: fc.integer({ min: 1, max: 30 }),
  })
  .chain(({ types, size, escape, ...form }) => {
    const cells = types.map((type) => fc.option(CELLS[type], { freq: 8 }));
    const rows = fc.array(fc.tuple(...cells), { minLength: size, maxLength: size });
    return rows.map((made) => ({
      ...form,
      types,
      escape: escape === "doubled" ? form.quote : escape,
      rows: made as (string | null)[][],
    }));
  });

/** The table as text; columns are named `c0`, `c1` and so on. */
export function written({ delimiter, quote, escape, newline, quotesAll, types, rows }: Table): string {
  const cell = (text: string | null, type: TableType) => {
    if (text === null) return "";
    const special = [delimiter, quote, escape, "\n", "\r"].some((each) => text.includes(each));
    if (!special && !(quotesAll && type === "VARCHAR")) return text;
    const escaped = escape === quote ? text : text.replaceAll(escape, escape + escape);
    return quote + escaped.replaceAll(quote, escape + quote) + quote;
  };
  const header = types.map((_, column) => `c${column}`).join(delimiter);
  const records = rows.map((row) => row.map((text, column) => cell(text, types[column])).join(delimiter));
  return [header, ...records, ""].join(newline);
}
