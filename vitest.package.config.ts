import { defineConfig } from "vitest/config";

/** Tests of the package as it is built, imported by its name. */
export default defineConfig({
  test: { include: ["test/package/**/*.test.ts"], testTimeout: 60_000 },
});
