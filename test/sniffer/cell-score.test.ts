import { describe, expect, it } from "vitest";
import { cellScore, NUMBER } from "../../src/sniffer/cell-score.js";

function score(text: string) {
  const bytes = new TextEncoder().encode(`x${text}y`);
  return cellScore(bytes, 1, bytes.length - 1);
}

describe("cellScore", () => {
  it.each(["1", "-1.5", "1,234.5", "12:30:15", "2024-01-31", "31/01/2024", "$5", "2019-09-01T19:28:21"])(
    "takes %j for one value",
    (text) => {
      expect(score(text)).toBe(NUMBER);
    },
  );

  it("ranks single values above text, and text above what looks cut or run together", () => {
    const ranks = ["12", "word", "some words", "words; and more", "1;2", 'half"'].map(score);
    expect(ranks).toEqual([...ranks].sort((a, b) => b - a));
    expect(new Set(ranks.slice(1)).size).toBeGreaterThan(3);
  });

  it("takes a semicolon between words for punctuation, and one between numbers for a delimiter", () => {
    expect(score("Total; Estimate")).toBeGreaterThan(2 * score("1; 2"));
    expect(score("a;b")).toBeLessThan(score("a; b"));
  });
});
