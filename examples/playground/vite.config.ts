import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const source = (path: string) => fileURLToPath(new URL(`../../src/${path}`, import.meta.url));

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  // The page may lie in any folder.
  base: "./",
  build: { target: "es2022", modulePreload: { polyfill: false } },
  worker: { format: "es" },
  resolve: {
    alias: [
      { find: /^sniffed-csv$/, replacement: source("index.ts") },
      // What iconv-lite wants of Node, for the encodings that browsers lack.
      { find: /^buffer$/, replacement: "buffer/" },
      { find: /^string_decoder$/, replacement: "string_decoder/" },
      { find: /^sniffed-csv\/(export|sinks)$/, replacement: source("$1/index.ts") },
    ],
  },
});
