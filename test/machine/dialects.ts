import fc from "fast-check";
import type { Dialect } from "../../src/machine/dialect.js";

/** A dialect as most files have it. */
export const PLAIN_DIALECT: Dialect = {
  delimiter: ",",
  quote: '"',
  escape: '"',
  newline: "\n",
  strictNewline: false,
  comment: null,
  skipInitialSpace: false,
};

/** One to four bytes of few letters, so that delimiters overlap with themselves and with the text. */
const delimiters = fc.oneof(
  fc.constantFrom(",", ";", "\t", "|", " ", ", ", " |", "||", "é", "😈", "::", "aab", "abab", "aaaa", "a"),
  fc
    .array(fc.constantFrom("a", "b", ",", "|"), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join("")),
);

/** Any dialect that the options let through. */
export const dialects: fc.Arbitrary<Dialect> = fc.record({
  delimiter: delimiters,
  quote: fc.constantFrom('"', "'", null),
  escape: fc.constantFrom('"', "'", "\\", null),
  newline: fc.constantFrom("\n" as const, "\r\n" as const, "\r" as const),
  strictNewline: fc.boolean(),
  comment: fc.constantFrom("#", null),
  skipInitialSpace: fc.boolean(),
});

/** Text made of what a dialect gives meaning to, and a little else. */
export function hostileText(dialect: Dialect, maxLength = 40): fc.Arbitrary<Uint8Array> {
  const special = [dialect.delimiter, dialect.delimiter[0], dialect.quote, dialect.escape, dialect.comment];
  const parts = [
    ...special.filter((part) => part !== null),
    "\n",
    "\r",
    "\r\n",
    " ",
    "x",
    "a",
    "b",
    '"',
    "\\",
  ];
  return fc
    .array(fc.constantFrom(...parts), { maxLength })
    .map((chosen) => new TextEncoder().encode(chosen.join("")));
}

/** Records of two or three fields, most of them of one width, in a dialect's own characters. */
export function hostileTable(dialect: Dialect): fc.Arbitrary<Uint8Array> {
  const { delimiter, quote, escape } = dialect;
  const parts = [
    "x",
    "ab",
    " ",
    "é",
    "日",
    "😀",
    delimiter[0],
    "\r",
    '"',
    "\\",
    ...(quote === null ? [] : [quote]),
  ];
  const text = fc.array(fc.constantFrom(...parts), { maxLength: 4 }).map((chosen) => chosen.join(""));
  const mark = quote ?? "";
  const quoted = fc.array(fc.constantFrom("x", "\n", "\r\n", delimiter, `${escape ?? ""}${mark}`), {
    maxLength: 4,
  });
  const cell = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom("", "x", "12", "ab") },
    { weight: 2, arbitrary: quoted.map((chosen) => mark + chosen.join("") + mark) },
    { weight: 1, arbitrary: text },
  );
  const width = fc.constantFrom(2, 2, 2, 2, 2, 1, 3);
  const record = width.chain((count) => fc.array(cell, { minLength: count, maxLength: count }));
  const lineEnd = fc.constantFrom(
    dialect.newline,
    dialect.newline,
    dialect.newline,
    "\n",
    `${dialect.newline}\n`,
  );
  return fc
    .array(fc.tuple(record, lineEnd), { maxLength: 12 })
    .map((records) => records.map(([fields, end]) => fields.join(delimiter) + end).join(""))
    .map((whole) => new TextEncoder().encode(whole));
}

/** A dialect, an input that is hard on it, and places to cut it. */
export const scenes = dialects.chain((dialect) =>
  fc.record({
    dialect: fc.constant(dialect),
    input: fc.oneof(hostileText(dialect), hostileTable(dialect)),
    cuts: fc.array(fc.nat(80), { maxLength: 6 }),
    blankRecords: fc.boolean(),
  }),
);
