import type { EncodingGuess } from "./encoding.js";

/*
 * Bytes that are no UTF-8 were written in a legacy code page; which one, only statistics of languages can tell.
 * They are chardet's, fed with what tells code pages apart: the words that hold bytes beyond ASCII, each once.
 */

/** Bytes beyond ASCII below which there is nothing to count. */
const FEWEST_HIGH_BYTES = 16;
/** Bytes of words that are shown to the detector. */
const SHOWN_BYTES = 8_192;
/** Longest part of a word before or after a byte beyond ASCII that is shown. */
const WORD_PART = 16;

/** Least confidence, of 100, in an encoding of one byte a character, and in one of several. */
const SURE_SINGLE = 15;
const SURE_MULTIPLE = 40;
const MULTIPLE = new Set(["shift_jis", "big5", "euc-jp", "euc-kr", "gb18030", "gbk"]);

const FALLBACK = "windows-1252";

/** Whether a sample that is no UTF-8 holds enough to tell its code page from windows-1252. */
export function tellsCodePage(sample: Uint8Array): boolean {
  let high = 0;
  for (const byte of sample) if (byte >= 0x80 && ++high >= FEWEST_HIGH_BYTES) return true;
  return false;
}

/**
 * Refines the guess of windows-1252: the encoding that statistics find more likely, if they are sure enough and
 * the sample is free of faults in it.
 */
export async function guessCodePage(
  sample: Uint8Array,
  complete: boolean,
  fallback: EncodingGuess,
): Promise<EncodingGuess> {
  const { analyse } = await import("chardet");
  const words = foreignWords(sample);
  // What is as likely as windows-1252 is no reason to leave it.
  for (const { name, confidence } of analyse(words)) {
    const encoding = decoderName(name);
    if (encoding === FALLBACK) return fallback;
    if (encoding === null || encoding.startsWith("utf-")) continue;
    if (confidence < (MULTIPLE.has(encoding) ? SURE_MULTIPLE : SURE_SINGLE)) continue;
    if (!decodes(sample, complete, encoding)) continue;
    return { ...fallback, encoding };
  }
  return fallback;
}

/** The words with bytes beyond ASCII, each once, up to SHOWN_BYTES. */
function foreignWords(sample: Uint8Array): Uint8Array {
  const shown = new Uint8Array(SHOWN_BYTES);
  const seen = new Set<string>();
  let length = 0;
  let end = 0;
  for (let i = 0; i < sample.length; i++) {
    if (sample[i] < 0x80) continue;
    let start = i;
    while (start > end && i - start < WORD_PART && isWordByte(sample[start - 1])) start--;
    let last = i;
    end = i + 1;
    while (end < sample.length && end - last <= WORD_PART && isWordByte(sample[end])) {
      if (sample[end] >= 0x80) last = end;
      end++;
    }
    i = end - 1;
    const size = end - start;
    if (length + size + 1 > SHOWN_BYTES) break;
    const word = String.fromCharCode(...sample.subarray(start, Math.min(end, start + 4 * WORD_PART)));
    if (seen.has(word)) continue;
    seen.add(word);
    shown.set(sample.subarray(start, end), length);
    length += size;
    shown[length++] = 0x20;
  }
  return shown.subarray(0, length);
}

/** Letters, what lies beyond ASCII, and the bytes that second halves of characters may be. */
function isWordByte(byte: number): boolean {
  return byte > 0x40;
}

function decoderName(name: string): string | null {
  try {
    const { encoding } = new TextDecoder(name);
    return encoding === "replacement" ? null : encoding;
  } catch {
    return null;
  }
}

function decodes(sample: Uint8Array, complete: boolean, encoding: string): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(sample, { stream: !complete });
    return true;
  } catch {
    return false;
  }
}
