import { defineConfig } from "vitest/config";

/** What `export` writes, run by the engines themselves: they have to be installed. */
export default defineConfig({
  test: { include: ["test/engines/**/*.test.ts"], testTimeout: 60_000, fileParallelism: false },
});
