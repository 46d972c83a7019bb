import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/*
 * The package as a stranger has it: packed, unpacked into a project's node_modules, and used by its name. It has to be
 * built before.
 */

const root = fileURLToPath(new URL("../../", import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  version: string;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
  exports: Record<string, string | { types: string; default: string }>;
  bin: Record<string, string>;
  files: string[];
};
const project = mkdtempSync(join(tmpdir(), "sniffed-csv-package-"));
const installed = join(project, "node_modules", "sniffed-csv");

const npm = process.platform === "win32" ? "npm.cmd" : "npm";

beforeAll(() => {
  execFileSync(npm, ["pack", "--ignore-scripts", "--pack-destination", project], {
    cwd: root,
    stdio: "pipe",
  });
  const archive = readdirSync(project).find((name) => name.endsWith(".tgz"));
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", ["-xzf", join(project, String(archive)), "-C", installed, "--strip-components", "1"]);
  for (const name of [...Object.keys(manifest.dependencies), "@types"]) {
    symlinkSync(join(root, "node_modules", name), join(project, "node_modules", name), "junction");
  }
  writeFileSync(join(project, "package.json"), '{ "type": "module" }');
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

/** What a program prints, run in the project. */
function run(name: string, program: string, flags: string[] = []): string {
  writeFileSync(join(project, name), program);
  return execFileSync(process.execPath, [...flags, name], { cwd: project, encoding: "utf8", stdio: "pipe" });
}

describe("the package", () => {
  it("holds its files, and no sources or tests", () => {
    const top = readdirSync(installed).sort();
    // npm adds these three by itself.
    expect(top).toEqual(["LICENSE", "README.md", "package.json", ...manifest.files].sort());
    for (const folder of ["src", "test", "bench", "examples", "scripts"]) expect(top).not.toContain(folder);
    for (const entry of Object.values(manifest.exports)) {
      const paths = typeof entry === "string" ? [entry] : Object.values(entry);
      for (const path of paths) expect(readFileSync(join(installed, path), "utf8")).not.toBe("");
    }
  });

  it("is imported by its name", () => {
    const printed = run(
      "main.mjs",
      `import * as main from "sniffed-csv";
       import { readCsvFile, sniffedCsv } from "sniffed-csv/node";
       import { writeFileSync } from "node:fs";
       writeFileSync("table.csv", "a;b\\n1;x\\n2;y\\n");
       const rows = [await main.readCsv("a,b\\n1,x\\n").toArray(), await readCsvFile("table.csv").toArray()];
       console.log(JSON.stringify([Object.keys(main).sort(), rows, typeof sniffedCsv]));`,
    );
    expect(JSON.parse(printed)).toEqual([
      ["CsvError", "ERROR_CODES", "readCsv", "readVw", "sniffCsv", "sniffedCsv", "transferables"],
      [
        [{ a: 1, b: "x" }],
        [
          { a: 1, b: "x" },
          { a: 2, b: "y" },
        ],
      ],
      "function",
    ]);
  });

  it("defines pipeThrough on request only", () => {
    const program = (request: string) =>
      `${request}
       import "sniffed-csv/node";
       import { sniffedCsv } from "sniffed-csv";
       import { Readable } from "node:stream";
       const given = Readable.from([Buffer.from("a\\n1\\n")]);
       const rows = [];
       if (given.pipeThrough !== undefined) for await (const row of given.pipeThrough(sniffedCsv())) rows.push(row);
       console.log(JSON.stringify([typeof given.pipeThrough, rows]));`;
    expect(JSON.parse(run("without.mjs", program("")))).toEqual(["undefined", []]);
    expect(JSON.parse(run("with.mjs", program('import "sniffed-csv/pipe-through";')))).toEqual([
      "function",
      [{ a: 1 }],
    ]);
  });

  it("is required by CommonJS too", () => {
    const printed = run(
      "main.cjs",
      `const { readCsv } = require("sniffed-csv");
       const { sniffedCsv } = require("sniffed-csv/node");
       readCsv("a\\n1\\n").toArray().then((rows) => console.log(JSON.stringify([rows, typeof sniffedCsv])));`,
    );
    expect(JSON.parse(printed)).toEqual([[{ a: 1 }], "function"]);
  });

  it("works where code may not be made from text", () => {
    const printed = run(
      "strict.mjs",
      `import { readCsv } from "sniffed-csv";
       let refused = false;
       try { new Function("return 1")(); } catch { refused = true; }
       console.log(JSON.stringify([refused, await readCsv('a"];x//,__proto__\\n1,2\\n').toArray()]));`,
      ["--disallow-code-generation-from-strings"],
    );
    expect(printed.trim()).toBe('[true,[{"a\\"];x//":1,"__proto__":2}]]');
  });

  it("works where there is no WebAssembly", () => {
    const printed = run(
      "js.mjs",
      `delete globalThis.WebAssembly;
       const { readCsv } = await import("sniffed-csv");
       console.log(JSON.stringify(await readCsv("a,b\\n1,x\\n").toArray()));`,
    );
    expect(JSON.parse(printed)).toEqual([{ a: 1, b: "x" }]);
  });

  it("reads a file in several threads, and ends them", () => {
    const printed = run(
      "threads.mjs",
      `import { readCsvFile } from "sniffed-csv/node";
       import { writeFileSync } from "node:fs";
       import { setTimeout } from "node:timers/promises";
       const record = '1234567,"a ""quoted""\\nline",2024-01-31,true,0.25\\n';
       writeFileSync("big.csv", "n,t,d,b,x\\n" + record.repeat(300_000));
       const seen = [];
       for (const threads of [1, 2]) {
         let rows = 0, sum = 0;
         for await (const row of readCsvFile("big.csv", { threads })) {
           rows++;
           sum += row.n + row.t.length + row.x + row.d.getUTCDate() + Number(row.b);
         }
         seen.push([rows, sum]);
       }
       let rows = 0;
       for await (const batch of readCsvFile("big.csv", { threads: 2, output: "batches" })) rows += batch.rowCount;
       seen.push(rows);
       // Left early, and aborted.
       for await (const row of readCsvFile("big.csv", { threads: 2 })) break;
       const controller = new AbortController();
       const aborted = readCsvFile("big.csv", { threads: 2, signal: controller.signal });
       await aborted.next();
       controller.abort("why");
       seen.push(await aborted.next().catch((reason) => reason));
       const ours = (name) => !["Immediate", "TTYWrap", "PipeWrap", "Timeout"].includes(name);
       let left = [];
       for (let tries = 0; tries < 100 && (tries === 0 || left.length > 0); tries++) {
         await setTimeout(50);
         left = process.getActiveResourcesInfo().filter(ours);
       }
       seen.push(left);
       console.log(JSON.stringify(seen));`,
    );
    const [one, two, batched, reason, left] = JSON.parse(printed);
    expect(one).toEqual([300_000, 300_000 * (1_234_567 + 15 + 0.25 + 31 + 1)]);
    expect(two).toEqual(one);
    expect(batched).toBe(300_000);
    expect(reason).toBe("why");
    expect(left).toEqual([]);
  });

  it("has a command", () => {
    const command = join(installed, manifest.bin["sniffed-csv"]);
    const printed = execFileSync(process.execPath, [command, "--version"], { encoding: "utf8" });
    expect(printed.trim()).toBe(manifest.version);
  });
});

describe("packing", () => {
  it("builds what is packed, where nothing has been built", () => {
    const clone = join(project, "clone");
    const left = new Set(["node_modules", "dist", ".git", "reference", "test", "bench", "examples"]);
    mkdirSync(clone);
    for (const name of readdirSync(root)) {
      if (!left.has(name)) cpSync(join(root, name), join(clone, name), { recursive: true });
    }
    symlinkSync(join(root, "node_modules"), join(clone, "node_modules"), "junction");
    const printed = execFileSync(npm, ["pack", "--json"], { cwd: clone, encoding: "utf8", stdio: "pipe" });
    const [{ files }] = JSON.parse(printed) as [{ files: { path: string }[] }];
    const packed = files.map(({ path }) => path).sort();
    expect(packed).toContain("dist/index.js");
    expect(packed).toContain("dist/cli/main.js");
    expect(packed.filter((path) => path.startsWith("dist/"))).toEqual(filesUnder("dist"));
  });

  it("asks for peers in versions that there are", () => {
    const wanted = Object.keys(manifest.peerDependencies);
    const peers = join(project, "peers");
    mkdirSync(peers);
    writeFileSync(join(peers, "package.json"), "{}");
    const archive = readdirSync(project).find((name) => name.endsWith(".tgz"));
    // What is here for the tests has to be what the package allows.
    const engines = JSON.parse(readFileSync(join(root, "test/engines/package.json"), "utf8"));
    const tested: Record<string, string> = { ...engines.dependencies, ...manifest.devDependencies };
    const versions = wanted.map((name) => `${name}@${tested[name]}`);
    execFileSync(
      npm,
      [
        "install",
        "--dry-run",
        "--prefer-offline",
        "--no-audit",
        "--no-fund",
        join(project, String(archive)),
        ...versions,
      ],
      { cwd: peers, stdio: "pipe" },
    );
  });
});

/** Paths of the files under a folder of the checkout, from its root. */
function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .sort();
}

describe("the main entry", () => {
  it("reaches no module of Node, and no dependency but those for browsers too", () => {
    const { modules, packages } = reachableFrom(join(installed, "dist", "index.js"));
    expect(modules.length).toBeGreaterThan(20);
    expect([...packages].sort()).toEqual(["chardet", "iconv-lite", "web-streams-polyfill"]);
    for (const module of modules) {
      expect(module).not.toMatch(/dist[\\/](node|cli)[\\/]/);
      expect(readFileSync(module, "utf8"), module).not.toMatch(
        /\b(process|Buffer|require|__dirname)\b\s*[.(]/,
      );
    }
  });
});

/** Every module of the package that a module imports, by whatever way, and the packages that those import. */
function reachableFrom(entry: string): { modules: string[]; packages: Set<string> } {
  const modules = new Set<string>([entry]);
  const packages = new Set<string>();
  for (const module of modules) {
    const source = readFileSync(module, "utf8");
    const imports = source.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)"([^"]+)"/g);
    for (const [, name] of imports) {
      if (name.startsWith(".")) modules.add(join(dirname(module), name));
      else packages.add(name);
    }
  }
  return { modules: [...modules], packages };
}

describe("the types", () => {
  const compile = (source: string, options: object): void => {
    writeFileSync(join(project, "consumer.ts"), source);
    const compilerOptions = { target: "ES2022", strict: true, noEmit: true, ...options };
    writeFileSync(
      join(project, "tsconfig.json"),
      JSON.stringify({ compilerOptions, files: ["consumer.ts"] }),
    );
    const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
    try {
      execFileSync(process.execPath, [tsc, "-p", project], { encoding: "utf8", stdio: "pipe" });
    } catch (error) {
      throw new Error(String((error as { stdout: unknown }).stdout));
    }
  };

  const nodeConsumer = `
    import { createReadStream, createWriteStream } from "node:fs";
    import { pipeline } from "node:stream/promises";
    import { CsvError, type CsvOptions, readCsv, sniffCsv, sniffedCsv, type Sniff } from "sniffed-csv";
    import { readCsvFile, sniffedCsv as sniffedDuplex } from "sniffed-csv/node";
    import "sniffed-csv/pipe-through";

    const options: CsvOptions = { delimiter: ";", onReject: ({ line, raw }) => console.log(line.toFixed(), raw.trim()) };
    export async function use(): Promise<void> {
      const sniff: Sniff = await sniffCsv("a,b\\n1,2\\n", options);
      console.log(sniff.columns[0].name.length, sniff.dialect.delimiter.length);
      for await (const row of readCsv(createReadStream("x"), { types: { a: "BIGINT" } })) console.log(row.a);
      for await (const row of readCsvFile("x", { sniffed: sniff })) console.log(row.b);
      for await (const row of createReadStream("x").pipeThrough(sniffedCsv())) console.log(row.b);
      await pipeline(createReadStream("x"), sniffedDuplex({ output: "ndjson" }), createWriteStream("y"));
      await pipeline(createReadStream("x"), sniffedDuplex(), async (rows) => {
        for await (const row of rows) console.log(row);
      });
      sniffedDuplex().on("sniff", ({ confidence }) => console.log(confidence.toFixed()));
      const error: unknown = undefined;
      if (error instanceof CsvError) console.log(error.code, error.line?.toFixed(), error.hint.length);
      // @ts-expect-error there is no such option
      readCsv("", { delimeter: "," });
      // @ts-expect-error and no such value
      readCsv("", { onError: "ignore" });
    }`;

  it("compile in a project for Node", () => {
    compile(nodeConsumer, { module: "NodeNext", types: ["node"], lib: ["ES2022"] });
  });

  it("compile in a project for browsers, without Node's types", () => {
    const source = `
      import { readCsv, sniffedCsv } from "sniffed-csv";
      export async function use(response: Response, file: File): Promise<void> {
        const stream = sniffedCsv({ types: { a: "DOUBLE" } });
        if (response.body === null) return;
        const reader = response.body.pipeThrough(stream).getReader();
        const { value } = await reader.read();
        console.log(value?.a?.toFixed(), (await stream.sniffed).columns.length);
        for await (const row of readCsv(file)) console.log(row.b);
      }`;
    compile(source, { module: "ESNext", moduleResolution: "bundler", types: [], lib: ["ES2022", "DOM"] });
  });
});
