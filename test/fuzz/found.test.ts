import { describe, expect, it } from "vitest";
import { readCsv, sniffCsv } from "../../src/index.js";
import { Scanner } from "../../src/machine/scanner.js";
import type { CsvOptions } from "../../src/options.js";
import { piecesOf } from "../support/cuts.js";
import { readFace, webFace } from "../support/faces.js";

/** What fuzzing has found, each by its smallest input. */
describe("what fuzzing has found", () => {
  it("a hint line names no delimiter that can't be one", async () => {
    const { dialect } = await sniffCsv('sep=345"\nx\n1\n');
    expect(dialect.delimiter).toBe(",");
    const again = await readCsv("x\n1\n", {
      sniffed: await sniffCsv("sep=;\nx;y\n1;2\n"),
      limit: 0,
    }).toArray();
    expect(again).toEqual([]);
  });

  it("a name that begins with a byte order mark keeps it when it is written", async () => {
    const written = await readCsv("\ufeff\ufeffa,b\n1,2\n", { output: "csv" }).toArray();
    expect(written).toEqual(['"\ufeffa",b', "1,2"]);
    expect((await sniffCsv(written.join("\n"))).columns[0].name).toBe("\ufeffa");
  });

  it("a record that begins with # is quoted where it may be taken for a comment", async () => {
    expect(await readCsv('a,b\n"#x",1\n', { output: "csv", comment: null }).toArray()).toEqual([
      "a,b",
      '"#x",1',
    ]);
  });

  it("a first record over the limit is a fault, not a table without columns", async () => {
    const options: CsvOptions = { maxRecordSize: 5, onError: "reject", extraFields: "drop" };
    await expect(readCsv("# comment\na,b,c\n", options).toArray()).rejects.toMatchObject({
      code: "RECORD_TOO_LARGE",
      line: 1,
      limit: 5,
    });
  });

  it("a sample without a record is a fault where more follows", async () => {
    const blank: CsvOptions = { sampleBytes: 1, skipLines: 0, extraFields: "drop" };
    await expect(readCsv("\n1e5\n-7", blank).toArray()).rejects.toMatchObject({ code: "EMPTY_SAMPLE" });
    const skipping: CsvOptions = { skipRecords: 1, sampleBytes: 1, extraFields: "drop" };
    await expect(readCsv("1\n1\n", skipping).toArray()).rejects.toMatchObject({ code: "EMPTY_SAMPLE" });
  });

  it("both engines judge as many records of a long sample", async () => {
    const text = `${"1,2\n".repeat(120)}1",2\n${"1,2\n".repeat(3_000)}`;
    const [plain, kernel] = await Promise.all([
      sniffCsv(text, { engine: "js", skipInitialSpace: true }),
      sniffCsv(text, { engine: "wasm", skipInitialSpace: true }),
    ]);
    expect(kernel).toEqual(plain);
  });

  it("both engines count the same steps where a record passes a limit", async () => {
    const text = `"${"x".repeat(500)}",1\n`.repeat(20);
    const codeOf = (engine: "js" | "wasm", maxSniffSteps: number) =>
      sniffCsv(text, {
        engine,
        delimiter: ",",
        quote: '"',
        skipInitialSpace: true,
        maxColumns: 1,
        maxSniffSteps,
      }).then(
        () => "none",
        (error) => error.code,
      );
    for (let steps = 65_536; steps < 70_000; steps += 250) {
      expect(await codeOf("wasm", steps)).toBe(await codeOf("js", steps));
    }
  });

  it("of two faults the one that stands first is told, in any cuts", async () => {
    const text = "a,b\r\n1,2\n3,4\r\n";
    const options: CsvOptions = { strictness: "strict", header: true, skipLines: 0, maxRecords: 1 };
    for (const source of [[text], [...text]]) {
      await expect(readCsv(source, options).toArray()).rejects.toMatchObject({
        code: "MIXED_NEWLINES",
        line: 2,
      });
    }
  });

  it("each byte is scanned once or twice, though every other record is an unusual one", async () => {
    const tables: [string, CsvOptions][] = [
      ["id\n#\n x\n".repeat(4_000), { comment: "#", header: true }],
      ["d\n01/02/2000\n".repeat(4_000), { onError: "reject", maxRecordSize: 4, header: true }],
      ["a,b\nk,v_2.5,\n".repeat(4_000), { onError: "reject", maxColumns: 2, header: true }],
      ['a,b\n1"x,"2"y\n'.repeat(4_000), { onError: "reject", header: true }],
    ];
    const { scan } = Scanner.prototype;
    let scanned = 0;
    Scanner.prototype.scan = function (this: Scanner, ...call: Parameters<typeof scan>) {
      const before = this.position;
      Reflect.apply(scan, this, call);
      scanned += this.position - before;
    };
    try {
      for (const [text, options] of tables) {
        const sniffed = await sniffCsv(text, options);
        for (const engine of ["js", "wasm"] as const) {
          scanned = 0;
          await readCsv(text, { ...options, engine, sniffed }).toArray();
          expect(scanned / text.length).toBeLessThan(2);
        }
      }
    } finally {
      Scanner.prototype.scan = scan;
    }
  });

  it("a blank line under a header that is not there is an example to VW, not a row", async () => {
    const options = { skipLines: 0, headerLines: 1 } as const;
    expect(await readCsv("\n", { ...options, output: "vw" }).toArray()).toEqual([""]);
    expect(await readCsv("\n", { ...options, output: "vw-examples" }).toArray()).toMatchObject([
      { namespaces: [], newline: true },
    ]);
  });

  it("the first two bytes of gzip are gzip, to every reader", async () => {
    const bytes = Uint8Array.of(0x1f, 0x8b);
    await expect(readCsv(bytes).toArray()).rejects.toMatchObject({ code: "DAMAGED_COMPRESSION" });
    const { rows, error } = await webFace.read([bytes], {});
    expect(rows).toEqual([]);
    expect(error).toMatchObject({ code: "COMPRESSED_INPUT" });
  });

  it("a column is not widened by a row behind the reject that is one too many", async () => {
    const text = "1\nx,2\ny,3\n";
    const options = { header: false, names: ["a", "b"], types: ["BOOLEAN", "BIGINT"] } as const;
    const limits = { sampleBytes: 1, onError: "reject", onTypeMismatch: "widen", maxRejects: 0 } as const;
    for (const size of [1, text.length]) {
      const { rows, rejects, schema, error } = await readFace.read(
        piecesOf(new TextEncoder().encode(text), size),
        {
          ...options,
          ...limits,
        },
      );
      expect({ rows, rejects, schema }).toEqual({ rows: [], rejects: [], schema: [] });
      expect(error).toMatchObject({ code: "TOO_MANY_REJECTS", record: 1, line: 1 });
    }
  });
});
