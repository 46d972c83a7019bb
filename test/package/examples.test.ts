import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

/*
 * What lies in examples/ runs as a reader would run it, on the built package. The pages of examples/browser and
 * examples/playground run in a browser: test/browser.
 */

const run = (script: string) => spawnSync(process.execPath, [script], { encoding: "utf8", timeout: 60_000 });

const elsewhere = new Set(["browser", "data", "playground"]);
const scripts = readdirSync("examples")
  .filter((name) => !elsewhere.has(name) && statSync(join("examples", name)).isDirectory())
  .flatMap((folder) =>
    readdirSync(join("examples", folder))
      .filter((name) => name.endsWith(".js"))
      .map((name) => join("examples", folder, name)),
  );

describe("the examples", () => {
  it.each(scripts)("%s ends well and says something", (script) => {
    const { status, stdout, stderr } = run(script);
    expect(stderr).toBe("");
    expect(stdout).not.toBe("");
    expect(status).toBe(0);
  });

  it("the training example compares every feature, and none differs", () => {
    const { stdout } = run("examples/vw-training/train.js");
    const verdicts = stdout.match(/vw here: .*|vw --csv and ours: .*/g) ?? [];
    expect(verdicts).toHaveLength(2);
    for (const verdict of verdicts) expect(verdict).toMatch(/; 0 lines differ$|: the same features$/);
  });

  it("what npm start shows counts every row of its file", () => {
    const { status, stdout } = run("scripts/start.js");
    expect(status).toBe(0);
    const bytes = statSync("examples/data/orders.csv").size.toLocaleString("en-US");
    expect(stdout).toContain(`4,200 rows, ${bytes} bytes`);
  });
});
