import fc from "fast-check";

/** A column of a table: what most of its cells hold, and what others may. */
export interface Field {
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

/** Columns of every type, with cells near its borders on both sides. */
export const FIELDS: Field[] = [
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
