import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createRowBuilder, templateBuilder } from "../../src/output/row-builder.js";
import { uniqueNames } from "../../src/sniffer/column-names.js";
import type { Column } from "../../src/sniffer/sniff.js";

const columnsOf = (names: readonly string[]): Column[] => {
  const unique = uniqueNames([...names]);
  return names.map((originalName, i) => ({ name: unique[i], originalName, type: "BIGINT" }));
};

/** Names of all kinds, and those that mean something to JavaScript. */
const names = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom(
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "0",
    "10",
    "-1",
    "",
    "\u2028",
    "\ud800",
  ),
  fc.constantFrom('"]', '"};throw 1//', "`$1`", "\\", "\n", "a.b", "*/", "get", "columns", "row"),
);

afterEach(() => vi.unstubAllGlobals());

describe("object rows", () => {
  it("have every name as an own property, whatever it is, by generated code and without", () => {
    fc.assert(
      fc.property(fc.array(names, { minLength: 1, maxLength: 8 }), (originals) => {
        const columns = columnsOf(originals);
        const data = columns.map((_, column) => [column, column + 100]);
        const generated = createRowBuilder(columns, "object", "rename");
        const filled = templateBuilder(columns.map(({ name }, column) => ({ name, columns: [column] })));
        for (const build of [generated, filled]) {
          const row = build(data, 1, 2)[0] as Record<string, unknown>;
          expect(new Set(Object.keys(row))).toEqual(new Set(columns.map((column) => column.name)));
          expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
          columns.forEach(({ name }, column) => {
            expect(Object.getOwnPropertyDescriptor(row, name)).toEqual({
              value: column + 100,
              writable: true,
              enumerable: true,
              configurable: true,
            });
          });
        }
        expect(Object.keys(generated(data, 0, 1)[0] as object)).toEqual(
          Object.keys(filled(data, 0, 1)[0] as object),
        );
      }),
      { numRuns: 1_000 },
    );
  });

  it("gather equal names in a list by wish, the same by either way", () => {
    const few = fc.constantFrom("a", "b", "__proto__", "c_1");
    fc.assert(
      fc.property(fc.array(few, { minLength: 1, maxLength: 6 }), (originals) => {
        const data = originals.map((_, column) => [column]);
        const expected = new Map<string, number[]>();
        for (const [column, name] of originals.entries()) {
          expected.set(name, [...(expected.get(name) ?? []), column]);
        }
        const groups = [...expected].map(([name, columns]) => ({ name, columns }));
        for (const build of [
          createRowBuilder(columnsOf(originals), "object", "group"),
          templateBuilder(groups),
        ]) {
          const [row] = build(data, 0, 1) as object[];
          expect(Object.entries(row)).toEqual(
            groups.map(({ name, columns }) => [name, columns.length === 1 ? columns[0] : columns]),
          );
        }
      }),
      { numRuns: 300 },
    );
  });

  it("need no generated code where it is forbidden", () => {
    class ForbiddenFunction {
      constructor() {
        throw new EvalError("forbidden");
      }
    }
    vi.stubGlobal("Function", ForbiddenFunction);
    expect(
      createRowBuilder(columnsOf(["a", "b"]), "object", "rename")(
        [
          [1, 3],
          [2, 4],
        ],
        0,
        2,
      ),
    ).toEqual([
      { a: 1, b: 2 },
      { a: 3, b: 4 },
    ]);
    expect(
      createRowBuilder(columnsOf(["a", "b"]), "array", "rename")(
        [
          [1, 3],
          [2, 4],
        ],
        0,
        2,
      ),
    ).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it("are each their own object, also in tables too wide for generated code", () => {
    const columns = columnsOf(Array.from({ length: 1_000 }, (_, column) => `c${column}`));
    const build = createRowBuilder(columns, "object", "rename");
    const data = columns.map((_, column) => [column, -column]);
    const [first, second] = build(data, 0, 2) as Record<string, number>[];
    expect(first).not.toBe(second);
    expect([first.c999, second.c999]).toEqual([999, -999]);
  });
});

describe("array rows", () => {
  it("have the columns' order", () => {
    const build = createRowBuilder(columnsOf(["b", "a"]), "array", "rename");
    expect(
      build(
        [
          [1, 2],
          ["x", null],
        ],
        0,
        2,
      ),
    ).toEqual([
      [1, "x"],
      [2, null],
    ]);
  });
});
