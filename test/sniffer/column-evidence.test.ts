import { describe, expect, it } from "vitest";
import { sniffCsv } from "../../src/index.js";

/** Enough rows for the kernel to look at them, or so few that it does not. */
const COUNTS = [3, 300];

describe("a format of dates that is said for all columns", () => {
  const sniff = (cell: string, count: number, options = {}) =>
    sniffCsv(`d,x\n${`${cell},1\n`.repeat(count)}`, { dateFormat: "%d.%m.%y", ...options });

  it("makes no timestamps of dates in another, and says that it fits none", async () => {
    for (const count of COUNTS) {
      const { columns, warnings } = await sniff("24.12.2025", count);
      expect(columns[0]).toMatchObject({ name: "d", type: "VARCHAR" });
      expect(warnings).toEqual([
        { code: "UNUSED_FORMAT", message: 'no column holds values in the dateFormat "%d.%m.%y"' },
      ]);
    }
  });

  it("leaves timestamps alone", async () => {
    for (const count of COUNTS) {
      const { columns } = await sniff("24.12.2025 10:11:12", count);
      expect(columns[0]).toMatchObject({ type: "TIMESTAMP", format: "%d.%m.%Y %H:%M:%S" });
      const mixed = await sniff("24.12.2025 10:11:12,1\n24.12.2025", count);
      expect(mixed.columns[0]).toMatchObject({ type: "TIMESTAMP", format: "%d.%m.%Y %H:%M:%S" });
    }
  });

  it("is found where it fits", async () => {
    for (const count of COUNTS) {
      const { columns, warnings } = await sniff("24.12.25", count);
      expect(columns[0]).toMatchObject({ type: "DATE", format: "%d.%m.%y" });
      expect(warnings).toEqual([]);
    }
  });
});
