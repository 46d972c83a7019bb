import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

/** The built package: `npm test` builds before it tests. */
const SCRIPT = fileURLToPath(new URL("../../scripts/load.js", import.meta.url));

interface Result {
  failed?: string;
}

it("is borne: many streams, a slow consumer, single bytes, the longest record, 100,000 columns, many files", async () => {
  const results = await new Promise<Record<string, Result>>((resolve, reject) => {
    execFile(
      process.execPath,
      ["--expose-gc", SCRIPT, "--short", "--json"],
      { timeout: 300_000 },
      (error, out) => {
        // A scene that fails is in the results.
        if (out === "") reject(error);
        else resolve(JSON.parse(out));
      },
    );
  });
  expect(Object.keys(results)).toHaveLength(6);
  expect(Object.values(results).flatMap(({ failed }) => failed ?? [])).toEqual([]);
}, 300_000);
