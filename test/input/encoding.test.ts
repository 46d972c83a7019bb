import { describe, expect, it } from "vitest";
import { checkEncoding, detectEncoding } from "../../src/input/encoding.js";
import { createTranscoder, type Transcoder } from "../../src/input/transcoder.js";
import { piecesOf } from "../support/cuts.js";

const encode = (text: string) => new TextEncoder().encode(text);
const wide = (text: string, size: 2 | 4, little: boolean) => {
  const bytes = new Uint8Array(text.length * size);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < text.length; i++) {
    if (size === 2) view.setUint16(2 * i, text.charCodeAt(i), little);
    else view.setUint32(4 * i, text.charCodeAt(i), little);
  }
  return bytes;
};

describe("the encoding of a sample", () => {
  it("is what its mark says", () => {
    const marks: [string, number[]][] = [
      ["utf-8", [0xef, 0xbb, 0xbf]],
      ["utf-16le", [0xff, 0xfe]],
      ["utf-16be", [0xfe, 0xff]],
      ["utf-32le", [0xff, 0xfe, 0, 0]],
      ["utf-32be", [0, 0, 0xfe, 0xff]],
    ];
    for (const [encoding, mark] of marks) {
      const sample = Uint8Array.from([...mark, 0x61, 0x62]);
      expect(detectEncoding(sample, true)).toEqual({ encoding, bomLength: mark.length, evidence: "bom" });
      expect(detectEncoding(sample, true, encoding)).toMatchObject({
        bomLength: mark.length,
        evidence: "given",
      });
    }
  });

  it("is what the caller says, and another encoding's mark is then no mark", () => {
    const sample = Uint8Array.of(0xef, 0xbb, 0xbf, 0x61);
    expect(detectEncoding(sample, true, "windows-1252")).toEqual({
      encoding: "windows-1252",
      bomLength: 0,
      evidence: "given",
    });
  });

  it("is told by zeros at fixed places where there is no mark", () => {
    const text = "id,name\n1,é\n2,日\n3,x\n";
    expect(detectEncoding(wide(text, 2, true), true).encoding).toBe("utf-16le");
    expect(detectEncoding(wide(text, 2, false), true).encoding).toBe("utf-16be");
    expect(detectEncoding(wide(text, 4, true), true).encoding).toBe("utf-32le");
    expect(detectEncoding(wide(text, 4, false), true).encoding).toBe("utf-32be");
    expect(detectEncoding(encode("name,note\nx,a\u0000b\ny,c\n"), true).encoding).toBe("utf-8");
    expect(detectEncoding(encode('"\u0000"\n1\n'), true).encoding).toBe("utf-8");
    expect(detectEncoding(wide("a\n1\n", 2, true), true).encoding).toBe("utf-16le");
  });

  it("is UTF-8 where that is valid, though the sample cuts a character", () => {
    const cut = encode("a,é").subarray(0, 3);
    expect(detectEncoding(cut, false).encoding).toBe("utf-8");
    expect(detectEncoding(cut, true)).toMatchObject({ encoding: "windows-1252", evidence: "guess" });
  });
});

describe("labels", () => {
  it("are WHATWG's, or iconv-lite's, however they are written", () => {
    expect(["UTF8", "latin1", "ascii", "Shift_JIS", "UCS-2"].map(checkEncoding)).toEqual([
      "utf-8",
      "windows-1252",
      "windows-1252",
      "shift_jis",
      "utf-16le",
    ]);
    expect(["CP850", "IBM 437", "utf-32", "UTF32LE", "MacGreek"].map(checkEncoding)).toEqual([
      "cp850",
      "ibm437",
      "utf-32",
      "utf-32le",
      "macgreek",
    ]);
    expect(() => checkEncoding("klingon")).toThrow(expect.objectContaining({ code: "UNKNOWN_ENCODING" }));
  });
});

describe("transcoding", () => {
  const cut = async (encoding: string, bytes: Uint8Array, size: number): Promise<string> => {
    const transcoder = (await createTranscoder(encoding)) as Transcoder;
    const parts = [...piecesOf(bytes, size), new Uint8Array(0)];
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    return parts
      .map((part, i) => decoder.decode(transcoder.transcode(part, i === parts.length - 1), { stream: true }))
      .join("");
  };

  it("is not needed for UTF-8", () => {
    expect(createTranscoder("utf-8")).toBeNull();
  });

  it("of windows-1252 follows the WHATWG index, the euro sign included", async () => {
    const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const text = await cut("windows-1252", all, 256);
    expect([
      text.charCodeAt(0x80),
      text.charCodeAt(0x81),
      text.charCodeAt(0x9f),
      text.charCodeAt(0xff),
    ]).toEqual([0x20ac, 0x81, 0x178, 0xff]);
    expect(text).toHaveLength(256);
    expect(new Set(text).size).toBe(256);
  });

  it("keeps characters that are cut whole", async () => {
    const scenes: [string, Uint8Array, string][] = [
      ["utf-16le", wide("a😀é", 2, true), "a😀é"],
      ["utf-16be", wide("a😀é", 2, false), "a😀é"],
      ["utf-32le", wide("aé日", 4, true), "aé日"],
      ["shift_jis", Uint8Array.of(0x93, 0xfa, 0x96, 0x7b, 0x2c, 0x61), "日本,a"],
      ["gb18030", Uint8Array.of(0xc8, 0xd5, 0xb1, 0xbe, 0x2c, 0x81, 0x30, 0x81, 0x30), "日本,\u0080"],
      ["cp850", Uint8Array.of(0x82, 0x2c, 0x9c), "é,£"],
      ["utf-32le", Uint8Array.of(0x00, 0xf6, 0x01, 0x00), "😀"],
    ];
    for (const [encoding, bytes, text] of scenes) {
      for (const size of [1, 2, 3, 5, bytes.length]) {
        expect(await cut(encoding, bytes, size), `${encoding} by ${size}`).toBe(text);
      }
    }
  });
});
