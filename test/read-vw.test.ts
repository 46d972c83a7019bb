import { describe, expect, it } from "vitest";
import type { CsvError } from "../src/errors.js";
import { readCsv } from "../src/read.js";
import { readVw } from "../src/read-vw.js";
import { sniffedCsv } from "../src/stream.js";
import { csvOf, goldenCases, optionsOf } from "./output/vw/golden.js";
import { readVw as readDirectly } from "./output/vw/read-csv.js";

const outcome = (run: () => string[]): string[] | string => {
  try {
    return run();
  } catch (error) {
    return (error as CsvError).code;
  }
};

async function throughReader(bytes: Uint8Array, size: number, options: object): Promise<string[] | string> {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
  try {
    return await readCsv(pieces, { output: "vw", encoding: "utf-8", fatal: false, vw: options }).toArray();
  } catch (error) {
    return (error as CsvError).code;
  }
}

describe("VW output through the reader", () => {
  for (const golden of goldenCases()) {
    // A byte that is no UTF-8 has no place in text: the namespace is read as U+FFFD.
    if (golden.id.startsWith("vw-161")) continue;
    it(`makes the lines of ${golden.id}, in any cuts`, async () => {
      const csv = csvOf(golden);
      const bytes = typeof csv === "string" ? new TextEncoder().encode(csv) : csv;
      const options = { csvSeparator: ",", ...optionsOf(golden) };
      const expected = outcome(() => readDirectly(bytes, optionsOf(golden)).lines);
      for (const size of [1, 2, 3, 7, bytes.length + 1]) {
        expect(await throughReader(bytes, size, options)).toEqual(expected);
      }
    });
  }
});

describe("VW output where the caller fixes nothing", () => {
  it("sniffs what VW can't: the delimiter and lines above the table", async () => {
    const csv = "exported today\n\n_label;f|width;f|height\n1;2,5;3\n-1;4;5\n2;1;1\n";
    const rows = readCsv(csv, { output: "vw" });
    expect(await rows.toArray()).toEqual([
      "1 |f width:\t2,5 height:3",
      "-1 |f width:4 height:5",
      "2 |f width:1 height:1",
    ]);
    expect((await rows.sniffed).dialect).toMatchObject({ delimiter: ";", skipLines: 2 });
  });

  it("never takes the bar of a namespace for a delimiter", async () => {
    expect(await readCsv("_label,a|x,a|y\n1,2,3\n", { output: "vw" }).toArray()).toEqual(["1 |a x:2 y:3"]);
  });

  it("names the columns of a file without a header", async () => {
    const lines = await readCsv("1,2\n3,4\n5,6\n", { output: "vw" }).toArray();
    expect(lines).toEqual(["| column0:1 column1:2", "| column0:3 column1:4", "| column0:5 column1:6"]);
  });

  it("rejects records and goes on", async () => {
    const rejects: unknown[] = [];
    const options = {
      output: "vw",
      onError: "reject",
      onReject: (reject: unknown) => rejects.push(reject),
    } as const;
    expect(await readCsv("_label,x\n1,2\n3\n4,5\n6,7\n", options).toArray()).toEqual([
      "1 | x:2",
      "4 | x:5",
      "6 | x:7",
    ]);
    expect(rejects).toMatchObject([{ code: "TOO_FEW_FIELDS", record: 2, line: 3, byteOffset: 13, raw: "3" }]);
  });

  it("gives what came before a fault, and says where it lies", async () => {
    const rows = readCsv("_label,x\n1,2\n3\n", { output: "vw", header: true, delimiter: "," });
    expect((await rows.next()).value).toBe("1 | x:2");
    await expect(rows.next()).rejects.toMatchObject({ code: "TOO_FEW_FIELDS", record: 2, line: 3 });
  });

  it("keeps a record with a line break in a cell on one line", async () => {
    const lines = await readCsv('_label,x\n1,"a\nb"\n2,c\n', { output: "vw" }).toArray();
    expect(lines).toEqual(["1 | x:a_b", "2 | x:c"]);
  });

  it("goes through the web stream, with a limit", async () => {
    const stream = sniffedCsv({ output: "vw-examples", limit: 1 });
    const writer = stream.writable.getWriter();
    writer.write("_label,x\n1,2\n3,4\n").catch(() => {});
    writer.close().catch(() => {});
    const examples = [];
    for await (const example of stream.readable) examples.push(example);
    expect(examples).toMatchObject([{ label: "1", namespaces: [{ features: [{ name: "x", value: 2 }] }] }]);
  });
});

describe("several inputs", () => {
  it("have headers of their own, and number their classes together", async () => {
    const sources = ["kind,x\nred,1\nblue,2\n", "y;kind\n3;green\n4;red\n"];
    const label = { column: "kind", kind: "multiclass" } as const;
    const examples = readVw(sources, { output: "vw", vw: { label } });
    const lines: string[] = [];
    for await (const line of examples) {
      lines.push(line);
      // While an input is read, too.
      expect(examples.labels).toMatchObject({ red: 1 });
    }
    expect(lines).toEqual(["1 | x:1", "2 | x:2", "3 | y:3", "1 | y:4"]);
    expect(examples.labels).toEqual({ red: 1, blue: 2, green: 3 });
  });
});
