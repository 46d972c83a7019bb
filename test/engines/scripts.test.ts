import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { type ExportTarget, exportSniff } from "../../src/export/index.js";
import { AWKWARD, readAwkward } from "../support/awkward.js";

/* Scripts for tools that are not here: their languages at least take them, whatever the names. */

const PARSE = "import ast, sys; ast.parse(sys.stdin.read())";

const PARSERS: Partial<Record<ExportTarget, (script: string) => void>> = {
  polars: (script) => void execFileSync("/usr/bin/python3", ["-c", PARSE], { input: script, stdio: "pipe" }),
  pyspark: (script) => void execFileSync("/usr/bin/python3", ["-c", PARSE], { input: script, stdio: "pipe" }),
  bigquery: (script) => void execFileSync("sh", ["-n"], { input: script, stdio: "pipe" }),
};

describe("an exported script is one of its language", () => {
  for (const [target, parse] of Object.entries(PARSERS)) {
    it(target, async () => {
      for (const awkward of AWKWARD) {
        const { sniff } = await readAwkward(awkward);
        const place = { path: `a'b"c\\d\n$(e).csv`, table: `t'"\n;` };
        expect(() => parse(exportSniff(sniff, target as ExportTarget, place)), awkward.name).not.toThrow();
      }
      expect(() => parse("f('")).toThrow();
    });
  }
});
