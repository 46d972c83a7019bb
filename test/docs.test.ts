import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { FLAGS, flagName } from "../src/cli/flags.js";
import { ERROR_CODES } from "../src/errors.js";
import { OPTION_NAMES } from "../src/options.js";

const read = (name: string) => readFileSync(new URL(`../docs/${name}`, import.meta.url), "utf8");
const firstCells = (text: string) =>
  text
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .flatMap((line) => [...(line.split(" | ")[0].matchAll(/`([^`]+)`/g) ?? [])].map(([, name]) => name));

describe("the docs", () => {
  it("describe every option, and no other", () => {
    expect(firstCells(read("options.md")).sort()).toEqual([...OPTION_NAMES].sort());
  });

  it("describe every error code", () => {
    const described = firstCells(read("errors.md"));
    for (const code of Object.keys(ERROR_CODES)) expect(described).toContain(code);
  });

  it("describe every warning that the source gives", () => {
    const source = new URL("../src/", import.meta.url);
    const given = readdirSync(source, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .flatMap((name) => [...readFileSync(new URL(name, source), "utf8").matchAll(/\bcode: "([A-Z_]+)"/g)])
      .map(([, code]) => code);
    expect(given).toContain("ENCODING_GUESSED");
    const described = firstCells(read("errors.md"));
    for (const code of given) expect(described).toContain(code);
  });

  it("call the flags of the command line as the options", () => {
    const unflagged = [
      ...["onReject", "onSniff", "onSchema", "onWarning", "signal", "schema"],
      ...["sniffed", "output", "vw", "rowShape", "batchText", "escapeFormulas"],
    ];
    expect([...Object.keys(FLAGS), ...unflagged].sort()).toEqual([...OPTION_NAMES].sort());
    expect(flagName("skipInitialSpace")).toBe("--skip-initial-space");
  });
});
