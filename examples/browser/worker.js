import { readCsv } from "../../dist/sniffed-csv.min.js";

/* Reads the files that it is sent, as batches: a page that wants the columns gets their memory without a copy. */

addEventListener("message", async ({ data: file }) => {
  try {
    const batches = readCsv(file, { output: "batches" });
    let rows = 0;
    for await (const batch of batches) rows += batch.rowCount;
    const { columns } = await batches.sniffed;
    postMessage({ rows, columns: columns.map(({ name, type }) => `${name} ${type}`) });
  } catch (error) {
    postMessage({ error: error.message });
  }
});
