import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/*
 * The library in one file, for pages and workers without a bundler. Import maps reach no worker, so no bare import is left but
 * that of iconv-lite, which is loaded for encodings that browsers lack; whatever has WebAssembly has streams.
 */

const path = (name) => fileURLToPath(new URL(`../dist/${name}`, import.meta.url));

await build({
  entryPoints: [path("index.js")],
  outfile: path("sniffed-csv.min.js"),
  bundle: true,
  minify: true,
  format: "esm",
  platform: "browser",
  target: "es2022",
  external: ["iconv-lite"],
  plugins: [
    {
      name: "native-streams",
      setup({ onResolve, onLoad }) {
        onResolve({ filter: /^web-streams-polyfill$/ }, ({ path }) => ({ path, namespace: "none" }));
        onLoad({ filter: /.*/, namespace: "none" }, () => ({
          contents:
            "export const ReadableStream = undefined, WritableStream = undefined, TransformStream = undefined;",
        }));
      },
    },
  ],
});
writeFileSync(path("sniffed-csv.min.d.ts"), 'export * from "./index.js";\n');
