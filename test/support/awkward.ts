import { readCsv, sniffCsv } from "../../src/index.js";
import type { CsvOptions } from "../../src/options.js";
import type { Column, Sniff } from "../../src/sniffer/sniff.js";

/** A file that other tools stumble over, and what has to be said of it to read it right. */
export interface Awkward {
  name: string;
  file: Uint8Array;
  options: CsvOptions;
}

export const HOSTILE_NAMES = [
  "a'b",
  'a""b',
  "a\\b",
  "*/",
  "$x",
  "__proto__",
  "a\u2028b",
  "-- x",
  "x".repeat(300),
  "`; drop table t",
  "$(x)",
  "SCHEMA",
];

const hostileHeader = HOSTILE_NAMES.map((name) => `"${name}"`).join(",");

export const AWKWARD: readonly Awkward[] = [
  file("semicolons, days first", "id;when;t\n1;24/12/2025;a\n2;31/12/2025;b\n3;;c\n"),
  file("single quotes", "id,t\n1,'a,b'\n2,'it''s'\n3,'c,d'\n"),
  file("a preamble", "A report\nmade today\n\nid,x,ok\n1,1.5,true\n2,2.25,FALSE\n"),
  file("decimal commas and points between thousands", "id;x\n1;1.234,5\n2;-0,25\n3;\n4;1.234.567,75\n", {
    decimalSeparator: ",",
    thousandsSeparator: ".",
  }),
  file("null markers", "id,x,t\n1,NA,a\nNA,2.5,-\n3,-,NA\n4,1e3,b\n", { nullValues: ["NA", "-"] }),
  file("null markers beside empty cells", "id,x,t\n1,,a\nNA,2.5,\n3,4,NA\n", { nullValues: ["", "NA"] }),
  file("words for true and false", "id,ok\n1,ja\n2,nein\n3,?\n4,ja\n", {
    trueValues: ["ja"],
    falseValues: ["nein"],
    nullValues: ["", "?"],
  }),
  file("months first, with times", "id,at\n1,12/24/2025 10:11:12\n2,12/31/2025 23:59:01\n3,\n"),
  file("clocks of twelve hours", "id,at\n1,01-24-2025 10:11:12 PM\n2,12-31-2025 12:59:01 AM\n"),
  file("ISO dates and times", "d,ts\n2025-12-24,2025-12-24 01:02:03\n1969-02-28,1999-12-31T23:59:59\n"),
  file("UTF-16", utf16("id;t\n1;grün\n2;日本\n")),
  file("windows-1252", Uint8Array.from(Buffer.from("id;t\n1;gr\xfcn\n2;\x80 5\n", "latin1")), {
    encoding: "windows-1252",
  }),
  file("a byte order mark and no header", "\ufeff1;grün\n2;日本\n3;x\n", { header: false }),
  file("a backslash before quotes", 'id,t\n1,"a\\"b"\n2,"c,\\"d\\""\n3,"e"\n', { escape: "\\" }),
  file("line breaks in quotes", 'id,t\n1,"two\nlines"\n2,"three\n\nlines"\n3,x\n'),
  file("a line break in the header", '"the\nid",t\n1,a\n2,b\n'),
  file("CRLF, tabs and spaces", "id\tx\tt\r\n 1\t 2.5\ta b\r\n2 \t3\t c\r\n"),
  file("pipes and comments", "# made by hand\nid|x\n1|2.5\n# half way\n2|3\n", { comment: "#" }),
  file("whole numbers past 2^53", "id,t\n9007199254740993,a\n-9223372036854775808,b\n,c\n"),
  file("decimals of all kinds", "x\n0.1\n1e-7\n123456789.123456789\n-0.30000000000000004\n5e-324\n"),
  file("text like numbers", 'zip;n\n"01234";1\n"04567";2\n"";3\n', { types: { zip: "VARCHAR" } }),
  file("times of day", "id,t\n1,09:05:07\n2,23:59:59\n3,\n"),
  file(
    "hostile names",
    `${hostileHeader}\n${HOSTILE_NAMES.map((_, index) => index).join(",")}\n${HOSTILE_NAMES.map((_, index) => 2 * index).join(",")}\n`,
  ),
  file("names equal but for case", "a,A\n1,x\n2,y\n"),
  file("hostile text", "id|t\n1|'; drop table t; --\n2|$(reboot)\n3|`x`\n4|\\N\n5|\\.\n6|a\\b\n", {
    quote: null,
  }),
];

/** Files with one cell that is no value of its column, in the place of `?`: a tool has to say so, not to make another value. */
export const SPOILT: readonly (Awkward & { good: string; bad: string[] })[] = [
  spoilt(
    "points between thousands",
    "id;x\n1;1.234,5\n2;?\n",
    "-0,25",
    ["1234.5", "1.2.3,00", "1.23,5", "1 km"],
    {
      decimalSeparator: ",",
      thousandsSeparator: ".",
    },
  ),
  spoilt("whole numbers with separators", "id;n\n1;1.234\n2;?\n", "5.678", ["1.23", "1.2345", "x"], {
    thousandsSeparator: ".",
    decimalSeparator: ",",
    types: { n: "BIGINT" },
  }),
  spoilt("decimal commas", "id;x\n1;1,5\n2;?\n", "2,5", ["1.5", "1,5,0", "x"], { decimalSeparator: "," }),
  spoilt("numbers", "n,x\n1,1.5\n2,?\n", "2.5", ["2.5 km", "x"]),
  spoilt("whole numbers", "n,x\n1,1.5\n?,2\n", "2", ["2 km", "x"]),
  spoilt("dates with points", "id,d\n1,24.12.2025\n2,?\n", "31.12.2025", [
    "28.02.25",
    "28.02.2025 17:30",
    "31.02.2025",
    "24.12.0000",
  ]),
  spoilt("ISO dates", "id,d\n1,2025-12-24\n2,?\n", "2025-12-31", [
    "28/02/2025",
    "2025-02-31",
    "2025-02-28 17:30",
    "soon",
  ]),
  spoilt("timestamps", "id,d\n1,24/12/2025 10:11:12\n2,?\n", "31/12/2025 10:11:12", [
    "31/12/25 10:11:12",
    "31/12/2025 10:11:12 CET",
  ]),
  spoilt("booleans", "id,b\n1,true\n2,?\n", "false", ["maybe"]),
  spoilt("words for true and false", "id,b\n1,ja\n2,?\n", "nein", ["vielleicht", "true"], {
    trueValues: ["ja"],
    falseValues: ["nein"],
  }),
];

function spoilt(name: string, text: string, good: string, bad: string[], options: CsvOptions = {}) {
  return { ...file(name, text.replace("?", good), options), good, bad };
}

/** A spoilt file: its good cell replaced by a bad one, the last of its kind. */
export function spoil({ file, good }: (typeof SPOILT)[number], bad: string): string {
  const text = new TextDecoder().decode(file);
  const at = text.lastIndexOf(good);
  return text.slice(0, at) + bad + text.slice(at + good.length);
}

function file(name: string, content: string | Uint8Array, options: CsvOptions = {}): Awkward {
  return { name, file: typeof content === "string" ? new TextEncoder().encode(content) : content, options };
}

function utf16(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(`\ufeff${text}`, "utf16le"));
}

/** The sniff of a file, and its values as {@link told} writes them. */
export async function readAwkward({ file, options }: Awkward): Promise<{ sniff: Sniff; values: Told[][] }> {
  const sniff = await sniffCsv(file, options);
  const rows = readCsv(file, { sniffed: sniff, rowShape: "array", dates: "string" });
  const values = ((await rows.toArray()) as unknown[][]).map((row) =>
    row.map((value, index) => told(value, sniff.columns[index])),
  );
  return { sniff, values };
}

export type Told = string | number | boolean | null;

/** A value as it can be compared: numbers as such, whole ones as digits, dates in ISO without zeros that say nothing. */
export function told(value: unknown, { type }: Column): Told {
  if (value === null || value === undefined) return null;
  switch (type) {
    case "DOUBLE":
      return Number(value);
    case "BOOLEAN":
      return ["true", "1", "t"].includes(String(value).toLowerCase());
    case "DATE":
      return String(value).slice(0, 10);
    case "TIME":
      return withoutZeros(String(value));
    case "TIMESTAMP":
      return withoutZeros(String(value).replace("T", " "));
    default:
      return String(value);
  }
}

/** A time without the zeros behind its fraction. */
function withoutZeros(time: string): string {
  return time.includes(".") ? time.replace(/\.?0+$/, "") : time;
}
