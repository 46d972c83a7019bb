import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

/*
 * Compiles the kernel and writes it, in base64, as a module that needs no fetching: src/machine/kernel-binary.ts. What
 * kernel/layout.ts says of its memory is written there too, so that it is said once.
 */

const root = fileURLToPath(new URL("..", import.meta.url));
const PAGE = 65_536;
/** Memory for what the compiler lays down itself: constants. */
const CONSTANTS = 8_192;

/** The constants of kernel/layout.ts, which is AssemblyScript: each is a number, or a sum of those before it. */
function readLayout() {
  const source = readFileSync(join(root, "src/machine/kernel/layout.ts"), "utf8");
  const layout = {};
  for (const [, name, expression] of source.matchAll(/^export const (\w+): i32 = ([^;]+);/gm)) {
    layout[name] = new Function(...Object.keys(layout), `return ${expression};`)(...Object.values(layout));
  }
  return layout;
}

const layout = readLayout();
const memoryBase = (layout.END + 15) & ~15;
const pages = Math.ceil((memoryBase + CONSTANTS) / PAGE);
const scratch = mkdtempSync(join(tmpdir(), "sniffed-csv-kernel-"));
try {
  const binary = join(scratch, "kernel.wasm");
  const { error, stderr } = await asc.main(
    [
      join(root, "src/machine/kernel/index.ts"),
      "--outFile",
      binary,
      "--baseDir",
      root,
      ...[
        "--runtime",
        "stub",
        "--enable",
        "simd",
        "-O3",
        "--noAssert",
        "--initialMemory",
        String(pages),
        "--memoryBase",
        String(memoryBase),
      ],
    ],
    { stdout: process.stdout },
  );
  if (error !== null) throw new Error(`the kernel does not compile: ${stderr}`, { cause: error });
  const base64 = readFileSync(binary).toString("base64");
  writeFileSync(
    join(root, "src/machine/kernel-binary.ts"),
    `/** The kernel in base64, compiled from kernel/ by scripts/build-kernel.js. */\nexport const KERNEL_BINARY =\n  "${base64}";\n
/** What kernel/layout.ts says of the kernel's memory. */\nexport const LAYOUT = ${JSON.stringify(layout)};\n`,
  );
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
