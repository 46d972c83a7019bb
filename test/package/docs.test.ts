import { execFile } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/* All code of the README and of docs/, run as it stands with the built package, in a folder that has the files it names. */

const root = fileURLToPath(new URL("../../", import.meta.url));
const project = mkdtempSync(join(tmpdir(), "sniffed-csv-docs-"));
const run = promisify(execFile);

/** What the code takes for granted: an address that answers, somewhere to put rows. */
const SURROUNDINGS = `
import { openAsBlob, readFileSync } from "node:fs";
globalThis.fetch = async () => new Response(readFileSync("orders.csv"));
globalThis.stored = 0;
globalThis.store = async (row) => ++globalThis.stored;
`;

/** Handlers are called with an upload. */
const CALLS = `
const name = process.argv[2];
const handlers = await import(name);
const { POST, upload } = handlers;
if (POST ?? upload) {
  const bytes = (await import("node:fs")).readFileSync("orders.csv");
  let count = 0;
  if (POST) {
    const form = new FormData();
    form.set("file", new Blob([bytes]), "orders.csv");
    const body = String(POST).includes("formData()") ? form : bytes;
    const response = await POST(new Request("http://localhost/", { method: "POST", body }));
    if (!response.ok) throw new Error(await response.text());
    count = (await response.json()).count;
  } else if (upload.length === 2) {
    const { Readable } = await import("node:stream");
    let answer = null;
    await upload(Readable.from([bytes]), { json: (body) => { answer = body; } });
    count = answer.count;
  } else count = await upload(new Request("http://localhost/", { method: "POST", body: bytes }));
  if (count !== 4200) throw new Error(count + " rows counted");
}
`;

interface Block {
  place: string;
  language: string;
  code: string;
}

function blocksOf(file: string): Block[] {
  const text = readFileSync(join(root, file), "utf8");
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(({ 1: language, 2: code, index }) => ({
    place: `${file}:${text.slice(0, index).split("\n").length}`,
    language,
    code,
  }));
}

const files = [
  "README.md",
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];
/** Code that needs what the tests of engines install is run by these. */
const blocks = files.flatMap(blocksOf).filter(({ code }) => !code.includes('"better-sqlite3"'));

beforeAll(() => {
  mkdirSync(join(project, "node_modules"));
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (!name.startsWith("."))
      symlinkSync(join(root, "node_modules", name), join(project, "node_modules", name));
  }
  symlinkSync(root, join(project, "node_modules", "sniffed-csv"));
  mkdirSync(join(project, "bin"));
  const command = `#!/bin/sh\nexec '${process.execPath}' '${join(root, "dist/cli/main.js")}' "$@"\n`;
  writeFileSync(join(project, "bin", "sniffed-csv"), command, { mode: 0o755 });
  writeFileSync(join(project, "bin", "npx"), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 });
  const orders = join(root, "examples/data/orders.csv");
  for (const name of ["orders.csv", "export.csv", "trips.csv"]) copyFileSync(orders, join(project, name));
  writeFileSync(join(project, "package.json"), '{ "type": "module" }');
  writeFileSync(join(project, "surroundings.js"), SURROUNDINGS);
  writeFileSync(join(project, "call.js"), CALLS);
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

describe("the code of the docs runs", () => {
  it("is there", () => {
    expect(blocks.filter(({ language }) => language === "js").length).toBeGreaterThan(15);
    // Whatever is neither run nor checked is called so.
    expect([...new Set(blocks.map(({ language }) => language))].sort()).toEqual([
      "console",
      "js",
      "sh",
      "ts",
    ]);
  });

  for (const { place, language, code } of blocks) {
    const name = place.replaceAll(/\W/g, "-");
    if (language === "js") {
      it(place, async () => {
        const path = join(project, `${name}.js`);
        writeFileSync(path, code);
        const words = ["--import", pathToFileURL(join(project, "surroundings.js")).href, "call.js", path];
        await expect(
          run(process.execPath, words, { cwd: project, maxBuffer: 1 << 26 }),
        ).resolves.toBeDefined();
      });
    } else if (language === "sh") {
      it(place, async () => {
        const env = { ...process.env, PATH: `${join(project, "bin")}:${process.env.PATH}` };
        await expect(run("sh", ["-e", "-c", code], { cwd: project, env })).resolves.toBeDefined();
      });
    } else if (language === "ts") {
      it(place, () => {
        const path = join(project, `${name}.ts`);
        writeFileSync(path, code);
        const checked = ts.createProgram([path], {
          strict: true,
          noEmit: true,
          skipLibCheck: true,
          target: ts.ScriptTarget.ES2022,
          module: ts.ModuleKind.NodeNext,
          moduleResolution: ts.ModuleResolutionKind.NodeNext,
          types: ["node"],
        });
        const messages = ts
          .getPreEmitDiagnostics(checked)
          .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
        expect(messages).toEqual([]);
      });
    }
  }
});
