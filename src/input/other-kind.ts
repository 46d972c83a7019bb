/** Bytes that are looked at. */
const HEAD = 512;

/** How files of other kinds begin, in the first bytes of each; letters in lower case, as they are compared. */
const BEGINNINGS: readonly [kind: string, beginning: string][] = [
  ["a PDF", "%pdf-"],
  ["a PNG image", "\u0089png\r\n"],
  ["a JPEG image", "\u00ff\u00d8\u00ff"],
  ["a GIF image", "gif8"],
  ["an old Excel or Word file", "\u00d0\u00cf\u0011\u00e0"],
  ["an SQLite database", "sqlite format 3\0"],
  ["a Parquet file", "par1"],
  ["an Arrow file", "arrow1\0\0"],
  ["rich text", "{\\rtf"],
  ["an HTML page", "<!doctype html"],
  ["an HTML page", "<html"],
  ["XML", "<?xml"],
];
const LONGEST_PATH = 256;

/** What an input is that begins as no CSV does, with what to do where that is known; null for what may be CSV. */
export function otherKind(bytes: Uint8Array, isComplete: boolean): string | null {
  const head = lowered(bytes.subarray(0, HEAD));
  const text = head.trimStart();
  for (const [kind, beginning] of BEGINNINGS) {
    // Binary kinds begin at once, texts behind blanks.
    if (head.startsWith(beginning) || (beginning.startsWith("<") && text.startsWith(beginning))) return kind;
  }
  if (/^--[^\n]*\ncontent-disposition: *form-data/.test(text.replaceAll("\r", ""))) {
    return "the whole of an upload by a form, multipart/form-data: read the file in it, (await request.formData()).get(name)";
  }
  if (/^(\{\s*"|\[\s*(\{|\[))/.test(text)) return "JSON";
  const isShort = isComplete && bytes.length <= LONGEST_PATH;
  if (isShort && /^[^\s,;|]+\.(csv|tsv|tab|txt)(\.(gz|zst|br))?$/.test(head)) {
    return "the name of a file, and not what is in it: readCsvFile(path), from sniffed-csv/node, reads files";
  }
  return null;
}

/** Bytes as characters, those of ASCII in lower case. */
function lowered(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.map((byte) => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte)));
}
