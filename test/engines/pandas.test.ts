import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { exportSniff } from "../../src/export/index.js";
import { AWKWARD, readAwkward, SPOILT, spoil, told } from "../support/awkward.js";

const folder = mkdtempSync(join(tmpdir(), "sniffed-csv-pandas-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Prints what a script has read: a line of JSON a row, values as text that loses nothing. */
const PRINT = `
import json
def told(value):
    if value is None or value is pd.NA or value is pd.NaT or value != value:
        return None
    return value.isoformat() if hasattr(value, "isoformat") else repr(value) if isinstance(value, float) else str(value)
print(json.dumps(list(df.columns)))
for row in zip(*[df.iloc[:, index].tolist() for index in range(df.shape[1])]):
    print(json.dumps([told(value) for value in row]))
`;

describe("a sniff exported to pandas reads the library's own rows", () => {
  for (const [index, awkward] of AWKWARD.entries()) {
    it(awkward.name, async () => {
      const path = join(folder, `${index} 'x' $y.csv`);
      writeFileSync(path, awkward.file);
      const { sniff, values } = await readAwkward(awkward);
      expect(values.length).toBeGreaterThan(1);
      const script = exportSniff(sniff, "pandas", { path, table: "orders" });
      // Debian's own, whatever other Python stands before it.
      const printed = execFileSync("/usr/bin/python3", ["-"], { input: script + PRINT, encoding: "utf8" });
      const [names, ...rows] = printed
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown[]);
      expect(names).toEqual(sniff.columns.map(({ name }) => name));
      expect(rows.map((row) => row.map((value, column) => told(value, sniff.columns[column])))).toEqual(
        values,
      );
    });
  }
});

describe("a script for pandas stops at", () => {
  for (const spoilt of SPOILT) {
    it(spoilt.name, async () => {
      const path = join(folder, "spoilt.csv");
      const { sniff } = await readAwkward(spoilt);
      const script = exportSniff(sniff, "pandas", { path });
      const run = () => execFileSync("/usr/bin/python3", ["-"], { input: script, stdio: "pipe" });
      writeFileSync(path, spoilt.file);
      run();
      for (const bad of spoilt.bad) {
        writeFileSync(path, spoil(spoilt, bad));
        expect(run, bad).toThrow("ValueError");
      }
    });
  }
});
