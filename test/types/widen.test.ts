import { describe, expect, it } from "vitest";
import { resolveOptions } from "../../src/options.js";
import { castSettings } from "../../src/sniffer/sniffer.js";
import { TEXT_CELL, VALUE_CELL } from "../../src/types/cell-reader.js";
import type { ColumnTyping } from "../../src/types/column-typing.js";
import { widenColumn } from "../../src/types/widen.js";

const settings = castSettings(resolveOptions());

function widen(column: ColumnTyping, value: string, kind = VALUE_CELL): ColumnTyping {
  const bytes = new TextEncoder().encode(value);
  return widenColumn(column, kind, bytes, 0, bytes.length, settings);
}

describe("widening", () => {
  it("goes to the nearest type that takes the value", () => {
    expect(widen({ type: "BIGINT" }, "2.5")).toEqual({ type: "DOUBLE" });
    expect(widen({ type: "BIGINT" }, "x")).toEqual({ type: "VARCHAR" });
    expect(widen({ type: "DOUBLE" }, "x")).toEqual({ type: "VARCHAR" });
    expect(widen({ type: "BOOLEAN" }, "1")).toEqual({ type: "VARCHAR" });
    expect(widen({ type: "TIME" }, "1")).toEqual({ type: "VARCHAR" });
  });

  it("never rounds: a bigint column has no DOUBLE to go to, nor one that meets a value past 2^53", () => {
    expect(widen({ type: "BIGINT", bigint: true }, "2.5")).toEqual({ type: "VARCHAR" });
    expect(widen({ type: "BIGINT" }, "9007199254740993")).toEqual({ type: "VARCHAR" });
  });

  it("makes bigints as the caller wishes", () => {
    const first = (value: string, bigint: "auto" | "always" | "never") => {
      const bytes = new TextEncoder().encode(value);
      const wished = castSettings(resolveOptions({ bigint }));
      return widenColumn({ type: "SQLNULL" }, VALUE_CELL, bytes, 0, bytes.length, wished);
    };
    expect(first("9007199254740993", "auto")).toEqual({ type: "BIGINT", bigint: true });
    expect(first("9007199254740993", "never")).toEqual({ type: "VARCHAR" });
    expect(first("1", "always")).toEqual({ type: "BIGINT", bigint: true });
    expect(first("1", "never")).toEqual({ type: "BIGINT" });
  });

  it("keeps the format of the days that came before", () => {
    expect(widen({ type: "DATE" }, "2024-01-31 10:00:00")).toMatchObject({ type: "TIMESTAMP" });
    const dayFirst = { type: "DATE", format: "%d/%m/%Y" } as const;
    expect(widen(dayFirst, "01/02/2024 10:00:00")).toEqual({
      type: "TIMESTAMP",
      format: "%d/%m/%Y %H:%M:%S",
    });
    expect(widen(dayFirst, "2024-01-31")).toEqual({ type: "VARCHAR" });
    expect(widen({ type: "DATE" }, "01/02/2024 10:00:00")).toEqual({ type: "VARCHAR" });
  });

  it("gives a column without values the type of its first", () => {
    const values = ["true", "7", "9007199254740993", "7.5", "12:30:00", "2024-01-31", "x"];
    expect(values.map((value) => widen({ type: "SQLNULL" }, value))).toMatchObject([
      { type: "BOOLEAN" },
      { type: "BIGINT" },
      { type: "BIGINT", bigint: true },
      { type: "DOUBLE" },
      { type: "TIME" },
      { type: "DATE" },
      { type: "VARCHAR" },
    ]);
  });

  it("goes to text where the cell is text whatever it holds", () => {
    expect(widen({ type: "SQLNULL" }, "7", TEXT_CELL)).toEqual({ type: "VARCHAR" });
  });
});
