import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

/* Compiles the kernel and writes it, in base64, as a module that needs no fetching: src/machine/kernel-binary.ts. */

const root = fileURLToPath(new URL("..", import.meta.url));
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
        "20",
        "--memoryBase",
        "1245440",
      ],
    ],
    { stdout: process.stdout },
  );
  if (error !== null) throw new Error(`the kernel does not compile: ${stderr}`, { cause: error });
  const base64 = readFileSync(binary).toString("base64");
  writeFileSync(
    join(root, "src/machine/kernel-binary.ts"),
    `/** The kernel in base64, compiled from kernel/ by scripts/build-kernel.js. */\nexport const KERNEL_BINARY =\n  "${base64}";\n`,
  );
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
