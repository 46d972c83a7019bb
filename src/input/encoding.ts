import { CsvError } from "../errors.js";

/** What the sniffer says of the input's encoding. */
export interface EncodingGuess {
  /** A WHATWG name in lower case, or an iconv-lite one. */
  encoding: string;
  /** Bytes of the byte order mark, 0 where there is none. */
  bomLength: number;
  /** How it is known. */
  evidence: "given" | "bom" | "utf-8" | "pattern" | "guess";
}

/** Encodings that TextDecoder lacks and iconv-lite knows. */
const ICONV_ENCODINGS = new Set([
  "utf-32",
  "utf-32le",
  "utf-32be",
  "utf-7",
  "utf-7-imap",
  ...[
    "437",
    "737",
    "775",
    "850",
    "852",
    "855",
    "856",
    "857",
    "858",
    "860",
    "861",
    "862",
    "863",
    "864",
  ].flatMap((page) => [`cp${page}`, `ibm${page}`]),
  ...["865", "869", "922", "1046", "1124", "1125", "1129", "1133", "1161", "1162", "1163"].flatMap((page) => [
    `cp${page}`,
    `ibm${page}`,
  ]),
  ...["croatian", "cyrillic", "greek", "iceland", "roman", "romania", "turkish", "ukraine", "centeuro"].map(
    (script) => `mac${script}`,
  ),
  "armscii8",
  "georgianacademy",
  "georgianps",
  "hproman8",
  "mik",
  "pt154",
  "rk1048",
  "tcvn",
  "viscii",
]);

/** Names for iconv-lite are read without case, blanks and hyphens, but for those that need them. */
function iconvName(label: string): string | undefined {
  const lower = label.trim().toLowerCase();
  if (ICONV_ENCODINGS.has(lower)) return lower;
  const squeezed = lower.replaceAll(/[\s_-]/g, "");
  for (const known of ICONV_ENCODINGS) if (known.replaceAll("-", "") === squeezed) return known;
  return undefined;
}

/** Whether iconv-lite has to decode an encoding. */
export function needsIconv(encoding: string): boolean {
  return ICONV_ENCODINGS.has(encoding);
}

/**
 * The name of an encoding label.
 *
 * @throws CsvError UNKNOWN_ENCODING.
 */
export function checkEncoding(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    const name = iconvName(label);
    if (name !== undefined) return name;
    throw new CsvError("UNKNOWN_ENCODING", `there is no encoding ${JSON.stringify(label)}`);
  }
}

const MARKS: [encoding: string, mark: number[]][] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-32le", [0xff, 0xfe, 0, 0]],
  ["utf-32be", [0, 0, 0xfe, 0xff]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/**
 * Finds the encoding of a sample: a byte order mark, the zero bytes of UTF-16 and UTF-32, the validity of
 * UTF-8, or else windows-1252, the fallback of web browsers (WHATWG Encoding), as a guess.
 */
export function detectEncoding(sample: Uint8Array, complete: boolean, given?: string): EncodingGuess {
  for (const [encoding, mark] of MARKS) {
    if (!mark.every((byte, i) => sample[i] === byte)) continue;
    if (given !== undefined && given !== encoding) break;
    return { encoding, bomLength: mark.length, evidence: given === undefined ? "bom" : "given" };
  }
  if (given !== undefined) return { encoding: given, bomLength: 0, evidence: "given" };
  const wide = wideEncoding(sample);
  if (wide !== null) return { encoding: wide, bomLength: 0, evidence: "pattern" };
  if (isUtf8(sample, complete)) return { encoding: "utf-8", bomLength: 0, evidence: "utf-8" };
  return { encoding: "windows-1252", bomLength: 0, evidence: "guess" };
}

/** How many bytes are looked at for zero bytes. */
const PATTERN_BYTES = 4096;

/** Fewer are no pattern, but a NUL or two in a short file. */
const LEAST_ZEROS = 4;

/** UTF-16 or UTF-32 without a byte order mark: text with many ASCII characters has zeros at fixed places. */
function wideEncoding(sample: Uint8Array): string | null {
  const length = Math.min(sample.length, PATTERN_BYTES) & ~3;
  const zeros = [0, 0, 0, 0];
  for (let i = 0; i < length; i++) if (sample[i] === 0) zeros[i & 3]++;
  if (zeros[0] + zeros[1] + zeros[2] + zeros[3] < LEAST_ZEROS) return null;
  const quarter = length / 4;
  const [a, b, c, d] = zeros.map((count) => count / quarter);
  if (a < 0.05 && b > 0.7 && c > 0.9 && d > 0.9) return "utf-32le";
  if (d < 0.05 && c > 0.7 && b > 0.9 && a > 0.9) return "utf-32be";
  if (a + c < 0.1 && b + d > 0.8) return "utf-16le";
  if (b + d < 0.1 && a + c > 0.8) return "utf-16be";
  return null;
}

/** Whether a sample is UTF-8; its last character may be cut unless the sample is the whole input. */
function isUtf8(sample: Uint8Array, complete: boolean): boolean {
  try {
    const other = sample.subarray(asciiLength(sample));
    new TextDecoder("utf-8", { fatal: true }).decode(other, { stream: !complete });
    return true;
  } catch {
    return false;
  }
}

/** How many bytes at the start are ASCII, rounded down: most samples are, and decoding one costs more than a look. */
function asciiLength(bytes: Uint8Array): number {
  const skipped = -bytes.byteOffset & 3;
  if (bytes.length < skipped + 4) return 0;
  for (let i = 0; i < skipped; i++) if (bytes[i] >= 0x80) return 0;
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + skipped, (bytes.length - skipped) >> 2);
  let word = 0;
  while (word < words.length && (words[word] & 0x80808080) === 0) word++;
  return skipped + word * 4;
}
