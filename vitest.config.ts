import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/package/**", "test/engines/**", "test/browser/**"],
    testTimeout: 60_000,
  },
});
