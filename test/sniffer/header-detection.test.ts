import { describe, expect, it } from "vitest";
import { sniffCsv } from "../../src/index.js";

async function headerOf(text: string) {
  const { dialect, headerConfidence } = await sniffCsv(text);
  return [dialect.header, headerConfidence];
}

describe("header", () => {
  it("is text over amounts that are no numbers to the types", async () => {
    expect(await headerOf("who,paid,due\nann,£512.20,€1\nbo,£529.00,€2\ncy,£518.40,€3\n")).toEqual([
      true,
      "detected",
    ]);
  });

  it("is none where the first record holds such amounts too", async () => {
    expect(await headerOf("ann,£512.20\nbo,£529.00\ncy,£518.40\n")).toEqual([false, "detected"]);
  });

  it("is years over other numbers", async () => {
    expect(await headerOf("town,2019,2020\nrome,1.5,2.5\noslo,3.5,4.5\n")).toEqual([true, "detected"]);
  });

  it("is none where its texts keep coming again", async () => {
    expect(await headerOf("cat,red\ndog,blue\ncat,blue\nbird,red\ncat,green\n")).toEqual([false, "detected"]);
  });

  it("is one though a single record among many repeats one of its texts", async () => {
    const rows = Array.from({ length: 200 }, (_, i) => `word ${i},thing ${i}`);
    rows[150] = "name,thing";
    expect(await headerOf(`name,kind\n${rows.join("\n")}\n`)).toEqual([true, "assumed"]);
  });
});
