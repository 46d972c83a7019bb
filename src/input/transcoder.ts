import { needsIconv } from "./encoding.js";

/** Turns bytes of one encoding into UTF-8, a chunk at a time; a character cut by a chunk edge is kept whole. */
export interface Transcoder {
  /** The UTF-8 of a chunk, or of what is left when `last`. */
  transcode(chunk: Uint8Array, last: boolean): Uint8Array;
}

/** What of iconv-lite is used. */
interface IconvDecoder {
  write(chunk: Uint8Array): string;
  end(): string | undefined;
}

/**
 * The transcoder of an encoding, or null for UTF-8, which needs none. Encodings that TextDecoder lacks load
 * iconv-lite at their first use, so the answer may be a promise.
 */
export function createTranscoder(encoding: string): Transcoder | null | Promise<Transcoder> {
  if (encoding === "utf-8") return null;
  if (encoding === "windows-1252") return windows1252();
  if (needsIconv(encoding)) return createIconvTranscoder(encoding);
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  const encoder = new TextEncoder();
  return {
    transcode: (chunk, last) => encoder.encode(decoder.decode(chunk, { stream: !last })),
  };
}

async function createIconvTranscoder(encoding: string): Promise<Transcoder> {
  const { default: iconv } = await import("iconv-lite");
  const decoder = iconv.getDecoder(encoding, { stripBOM: false }) as unknown as IconvDecoder;
  const encoder = new TextEncoder();
  let highSurrogate = "";
  return {
    transcode(chunk, last) {
      const text = highSurrogate + decoder.write(chunk) + (last ? (decoder.end() ?? "") : "");
      const edge = text.length > 0 ? text.charCodeAt(text.length - 1) : 0;
      const cut = !last && edge >= 0xd800 && edge <= 0xdbff;
      highSurrogate = cut ? text.slice(-1) : "";
      return encoder.encode(cut ? text.slice(0, -1) : text);
    },
  };
}

/** What windows-1252 has at 0x80 to 0x9f (WHATWG Encoding, index windows-1252); the rest is Latin-1. */
const WINDOWS_1252 =
  "\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f" +
  "\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178";

/** Written out because Node 20 decodes windows-1252 as Latin-1, and so turns the euro sign into a control. */
function windows1252(): Transcoder {
  const encoder = new TextEncoder();
  const upper: Uint8Array[] = [];
  for (let byte = 0x80; byte < 0x100; byte++) {
    upper.push(encoder.encode(byte < 0xa0 ? WINDOWS_1252[byte - 0x80] : String.fromCharCode(byte)));
  }
  return {
    transcode(chunk) {
      const utf8 = new Uint8Array(chunk.length * 3);
      let at = 0;
      for (const byte of chunk) {
        if (byte < 0x80) {
          utf8[at++] = byte;
          continue;
        }
        for (const part of upper[byte - 0x80]) utf8[at++] = part;
      }
      return utf8.subarray(0, at);
    },
  };
}
