import { tableFromIPC } from "@uwdata/flechette";
import { describe, expect, it } from "vitest";
import { readCsv } from "../../src/index.js";
import { arrowIpc } from "../../src/sinks/index.js";
import { told } from "../support/awkward.js";
import { failing, gathered, readSunk, SUNK, streamOf } from "../support/sunk.js";

const DAY = 86_400_000;

/** A value of flechette's as ours are told: it gives numbers of milliseconds for dates. */
function plain(value: unknown, type: string): unknown {
  if (value === null) return null;
  if (type === "DATE") return new Date(Number(value)).toISOString().slice(0, 10);
  if (type === "TIME") return new Date(Number(value) / 1000).toISOString().slice(11, 23);
  if (type === "TIMESTAMP") return new Date(Number(value)).toISOString().replace("Z", "");
  if (type === "TIMESTAMPTZ") return `${new Date(Number(value)).toISOString().slice(0, 19)}Z`;
  return value;
}

describe("arrowIpc", () => {
  for (const sunk of SUNK) {
    for (const batchText of ["strings", "utf8"] as const) {
      it(`writes a stream that is read as the library's own rows: ${sunk.name}, ${batchText}`, async () => {
        const { sniff, values, batches } = await readSunk(sunk, batchText);
        const { bytes } = await gathered(batches.pipeThrough(arrowIpc()));
        if (values.length === 0) {
          expect(bytes).toHaveLength(0);
          return;
        }
        const table = tableFromIPC(bytes, { useBigInt: true });
        expect(table.names).toEqual(sniff.columns.map(({ name }) => name));
        const columns = table.children.map((column, index) =>
          [...column].map((value) => told(plain(value, sniff.columns[index].type), sniff.columns[index])),
        );
        expect(values.map((_, row) => columns.map((column) => column[row]))).toEqual(values);
        const size = sunk.options.batchRows ?? 2_048;
        expect(table.children[0].data).toHaveLength(Math.ceil(values.length / size));
      });
    }
  }

  it("writes the schema of a table without rows where it is told", async () => {
    const { sniff, batches } = await readSunk(SUNK[1], "strings");
    const { bytes } = await gathered(batches.pipeThrough(arrowIpc({ columns: () => sniff.columns })));
    const table = tableFromIPC(bytes);
    expect(table.names).toEqual(["a", "b"]);
    expect(table.numRows).toBe(0);
  });

  it("counts days before 1970 and after", async () => {
    const text = "d\n1969-12-31\n1970-01-01\n2400-02-29\n";
    const stream = streamOf(readCsv(text, { output: "batches" })).pipeThrough(arrowIpc());
    const [column] = tableFromIPC((await gathered(stream)).bytes).children;
    expect([...column].map(Number)).toEqual([-DAY, 0, Date.UTC(2400, 1, 29)]);
  });

  it("refuses a column that was widened on the way, and passes the source's failure on", async () => {
    const options = { output: "batches", onTypeMismatch: "widen", sampleRows: 2, batchRows: 2 } as const;
    const widened = streamOf(readCsv("a\n1\n2\n3\nx\n", options)).pipeThrough(arrowIpc());
    await expect(gathered(widened)).rejects.toMatchObject({ code: "SCHEMA_CHANGED", column: "a" });
    await expect(gathered(failing(SUNK[0]).pipeThrough(arrowIpc()))).rejects.toThrow("the source is gone");
  });
});
