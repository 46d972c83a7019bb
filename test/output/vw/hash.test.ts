import { describe, expect, it } from "vitest";
import { hashNamespace, hashString, murmur3 } from "../../../src/output/vw/hash.js";

const encoder = new TextEncoder();
const murmur = (text: string, seed = 0) => {
  const bytes = encoder.encode(`<${text}>`);
  return murmur3(bytes, 1, bytes.length - 1, seed);
};

describe("murmur3", () => {
  // Published test vectors of MurmurHash3_x86_32.
  it.each([
    ["", 0, 0],
    ["", 1, 0x514e28b7],
    ["", 0xffffffff, 0x81f16f39],
    ["test", 0, 0xba6bd213],
    ["test", 0x9747b28c, 0x704b81dc],
    ["Hello, world!", 0, 0xc0363e43],
    ["Hello, world!", 0x9747b28c, 0x24884cba],
    ["The quick brown fox jumps over the lazy dog", 0, 0x2e4ff723],
    ["The quick brown fox jumps over the lazy dog", 0x9747b28c, 0x2fa826cd],
    ["aaa", 0x9747b28c, 0x283e0130],
    ["aa", 0x9747b28c, 0x5d211726],
    ["a", 0x9747b28c, 0x7fa09ea6],
  ])("of %j with seed %d", (text, seed, hash) => {
    expect(murmur(text, seed)).toBe(hash);
  });
});

describe("hashString", () => {
  it("leaves out blanks at the ends, and adds digits to the seed", () => {
    expect(hashString(" x\t", 5)).toBe(murmur("x", 5));
    expect(hashString("007", 5)).toBe(12);
    expect(hashString("4294967296", 5)).toBe(5);
    expect(hashString("1", 0xffffffff)).toBe(0);
    expect(hashString("", 5)).toBe(5);
    expect(hashString("1.5", 5)).toBe(murmur("1.5", 5));
  });

  it("hashes every byte in mode all", () => {
    expect(hashString(" x", 5, "all")).toBe(murmur(" x", 5));
    expect(hashString("007", 5, "all")).toBe(murmur("007", 5));
    expect(hashString(Uint8Array.of(0xff), 0, "all")).toBe(murmur3(Uint8Array.of(0xff), 0, 1, 0));
  });
});

it("hashes the default namespace to 0 only where the seed is 0", () => {
  expect(hashNamespace(new Uint8Array(0), 0, "strings")).toBe(0);
  expect(hashNamespace(new Uint8Array(0), 7, "strings")).toBe(murmur("", 7));
  expect(hashNamespace(encoder.encode("12"), 7, "strings")).toBe(19);
});
