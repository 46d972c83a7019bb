import { readFileSync } from "node:fs";
import fc from "fast-check";
import { tableBytes } from "../support/tables.js";

const encode = (text: string) => new TextEncoder().encode(text);

/** What mutation begins with: the cases' inputs, the shipped example's head, and a few openings of other formats. */
const SEEDS: readonly Uint8Array[] = [
  ...caseInputs(),
  readFileSync(new URL("../../examples/data/orders.csv", import.meta.url)).subarray(0, 3_000),
  encode('{"a": 1}\n{"a": 2}\n'),
  encode("<html><body><table><tr><td>1,2</td></tr></table></body></html>\n"),
  Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d),
  encode("_label|a,_tag,x|b\n1,t,2\n0,u,3\n"),
];

function caseInputs(): Uint8Array[] {
  const lines = readFileSync(new URL("../fixtures/cases.jsonl", import.meta.url), "utf8")
    .trim()
    .split("\n");
  return lines.flatMap((line) => {
    const { input, input_b64 } = JSON.parse(line) as { input?: string; input_b64?: string };
    if (input_b64 !== undefined) return [new Uint8Array(Buffer.from(input_b64, "base64"))];
    return input === undefined || input.length > 20_000 ? [] : [encode(input)];
  });
}

/** Pieces that mean something to a reader of CSV, or that other readers have fallen over. */
const TOKENS: readonly Uint8Array[] = [
  ...['"', '""', '"""', "'", "\\", '\\"', ",", ";", "\t", "|", "||", ":", " ", "#", "=", "@"],
  ...[
    "\n",
    "\r\n",
    "\r",
    "\n\n",
    "\n\r",
    "\0",
    "\x1a",
    "\x1f",
    "\x7f",
    "\u2028",
    "\u00a0",
    "\ufeff",
    "\ufffd",
  ],
  ...["0", "-", "1e999", "007", "9007199254740993", "NaN", "Infinity", ".", "1.", "1,5", "1'000", "٣"],
  ...["2024-02-30", "31/12/1999", "12/31/99", "24:00", "23:59:60", "0000-00-00", "1900-02-29T00:00Z"],
  ...["true", "NULL", "NA", "\\N", "__proto__", "constructor", "toString", "sep=;\n", "# comment\n"],
  ...["=cmd()", "a,b,c\n", "é", "日", "😀", "x".repeat(300), ",".repeat(100), '"\n'.repeat(30)],
]
  .map(encode)
  // Halves of characters, an overlong NUL, a surrogate, and bytes that UTF-8 never has.
  .concat(
    [[0xc3], [0xa9], [0xe2, 0x82], [0xf0, 0x9f], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xff], [0xfe]].map((b) =>
      Uint8Array.from(b),
    ),
  );

const token = fc.constantFrom(...TOKENS);
const place = fc.nat(1 << 20);

/** A change of some bytes; places are taken modulo what there is. */
type Mutation =
  | { kind: "put"; at: number; bytes: Uint8Array }
  | { kind: "cut"; at: number; length: number }
  | { kind: "set"; at: number; byte: number }
  | { kind: "repeat"; at: number; length: number; times: number }
  | { kind: "move"; at: number; length: number; to: number }
  | { kind: "truncate"; at: number };

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.record({ kind: fc.constant("put" as const), at: place, bytes: token }),
  fc.record({ kind: fc.constant("cut" as const), at: place, length: fc.nat(40) }),
  fc.record({ kind: fc.constant("set" as const), at: place, byte: fc.nat(255) }),
  fc.record({ kind: fc.constant("repeat" as const), at: place, length: fc.nat(60), times: fc.nat(20) }),
  fc.record({ kind: fc.constant("move" as const), at: place, length: fc.nat(60), to: place }),
  fc.record({ kind: fc.constant("truncate" as const), at: place }),
);

function mutate(bytes: Uint8Array, change: Mutation): Uint8Array {
  const at = change.at % (bytes.length + 1);
  switch (change.kind) {
    case "put":
      return joined(bytes.subarray(0, at), change.bytes, bytes.subarray(at));
    case "cut":
      return joined(bytes.subarray(0, at), bytes.subarray(at + change.length));
    case "set": {
      const changed = bytes.slice();
      if (at < changed.length) changed[at] = change.byte;
      return changed;
    }
    case "repeat": {
      const part = bytes.subarray(at, at + change.length);
      return joined(
        bytes.subarray(0, at),
        ...new Array<Uint8Array>(change.times).fill(part),
        bytes.subarray(at),
      );
    }
    case "move": {
      const part = bytes.slice(at, at + change.length);
      const rest = joined(bytes.subarray(0, at), bytes.subarray(at + change.length));
      const to = change.to % (rest.length + 1);
      return joined(rest.subarray(0, to), part, rest.subarray(to));
    }
    case "truncate":
      return bytes.subarray(0, at);
  }
}

export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** A file and changes of it, put together with another now and then. */
const mutated = fc
  .record({
    base: fc.oneof(fc.constantFrom(...SEEDS), tableBytes),
    other: fc.option(fc.constantFrom(...SEEDS), { freq: 5 }),
    changes: fc.array(mutation, { maxLength: 6 }),
  })
  .map(({ base, other, changes }) => changes.reduce(mutate, other === null ? base : joined(base, other)));

const rows = fc.constantFrom("1,2\n", "1;2\n", "x\ty\r\n", '"a","b"\n', "'a'|'b'\n", "2024-01-02,3.5\n");

/** Long enough to pass windows and chunks: one table over and over, and something odd in between. */
const long = fc
  .record({
    row: fc.oneof(rows.map(encode), fc.constant(encode(`"${"x".repeat(700)}",1\n`))),
    times: fc.integer({ min: 100, max: 6_000 }),
    odd: fc.array(fc.record({ at: place, bytes: token }), { maxLength: 3 }),
  })
  .map(({ row, times, odd }) => {
    const table = joined(
      ...new Array<Uint8Array>(Math.min(times, Math.ceil(300_000 / row.length))).fill(row),
    );
    return odd.reduce(
      (bytes, { at, bytes: piece }) => mutate(bytes, { kind: "put", at, bytes: piece }),
      table,
    );
  });

/** Bytes of anything that calls itself CSV, and of much that does not. */
export const anyBytes: fc.Arbitrary<Uint8Array> = fc.oneof(
  { weight: 12, arbitrary: mutated },
  { weight: 6, arbitrary: tableBytes },
  { weight: 4, arbitrary: fc.array(token, { maxLength: 40 }).map((tokens) => joined(...tokens)) },
  { weight: 2, arbitrary: fc.uint8Array({ maxLength: 200 }) },
  { weight: 1, arbitrary: long },
);
