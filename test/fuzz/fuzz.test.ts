import { describe, expect, it } from "vitest";
import { fuzz, INVARIANTS } from "./invariants.js";

/** A short form of `npm run fuzz`: other scenes each time. */
const RUNS = 250;

describe("whatever is read, and however", () => {
  for (const name of Object.keys(INVARIANTS)) {
    it(`holds: ${name}`, async () => {
      await expect(fuzz(name, Date.now() & 0x7fffffff, RUNS)).resolves.toBeUndefined();
    });
  }
});
