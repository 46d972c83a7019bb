import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** A project of its own with the package installed as npm packs it, and nothing of the checkout in reach. */
let project: string;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "sniffed-csv-package-"));
  const [{ filename }] = JSON.parse(
    execFileSync("npm", ["pack", "--json", "--pack-destination", project], { cwd: ROOT, encoding: "utf8" }),
  );
  writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }');
  const options = ["--no-audit", "--no-fund", "--prefer-offline"];
  execFileSync("npm", ["install", ...options, join(project, filename)], { cwd: project, stdio: "pipe" });
}, 120_000);

afterAll(() => rmSync(project, { recursive: true, force: true }));

function run(name: string, code: string, ...flags: string[]): string {
  writeFileSync(join(project, name), code);
  return execFileSync(process.execPath, [...flags, name], { cwd: project, encoding: "utf8" });
}

describe("the installed package", () => {
  it("is imported by its name", () => {
    const code = `
      import { CsvError, readCsv, readVw, sniffCsv, sniffedCsv } from "sniffed-csv";
      const stream = new Blob(["a;b\\n1;x\\n"]).stream().pipeThrough(sniffedCsv());
      for await (const row of stream) console.log(JSON.stringify(row), row instanceof CsvError);
      console.log((await sniffCsv("a|b\\n1|2\\n")).dialect.delimiter, typeof readVw, typeof readCsv);`;
    expect(run("main.js", code)).toBe('{"a":1,"b":"x"} false\n| function function\n');
  });

  it("has a face for Node, and pipeThrough by opting in", () => {
    writeFileSync(join(project, "data.csv"), "a,b\n1,2\n");
    const code = `
      import { createReadStream } from "node:fs";
      import { sniffedCsv } from "sniffed-csv";
      import { readCsvFile, sniffedCsv as duplex } from "sniffed-csv/node";
      console.log(typeof createReadStream("data.csv").on("error", () => {}).pipeThrough);
      await import("sniffed-csv/pipe-through");
      for await (const row of createReadStream("data.csv").pipeThrough(sniffedCsv())) console.log(row.a);
      for await (const row of createReadStream("data.csv").pipe(duplex())) console.log(row.b);
      console.log(await readCsvFile("data.csv", { rowShape: "array" }).toArray());`;
    expect(run("node.js", code)).toBe("undefined\n1\n2\n[ [ 1, 2 ] ]\n");
  });

  it("is required from CommonJS", () => {
    const code = `
      const { readCsv } = require("sniffed-csv");
      readCsv("a\\n1\\n2\\n").toArray().then((rows) => console.log(rows.length));`;
    expect(run("main.cjs", code, "--no-warnings")).toBe("2\n");
  });

  it("works where code may not be generated", () => {
    const code = `
      import { readCsv } from "sniffed-csv";
      console.log(JSON.stringify(await readCsv("a,__proto__\\n1,2\\n").toArray()));`;
    const flag = "--disallow-code-generation-from-strings";
    expect(run("csp.js", code, flag)).toBe('[{"a":1,"__proto__":2}]\n');
  });

  it("brings its command", () => {
    const command = join(project, "node_modules/.bin/sniffed-csv");
    const out = execFileSync(command, ["convert", "-"], { input: "a;b\n1;2\n", encoding: "utf8" });
    expect(out).toBe('{"a":1,"b":2}\n');
  });

  it("types rows by options given as literals", () => {
    const code = `
      import { readCsv, sniffedCsv, type Sniff } from "sniffed-csv";
      import { sniffedCsv as duplex } from "sniffed-csv/node";
      import "sniffed-csv/pipe-through";
      import { createReadStream } from "node:fs";
      import { pipeline } from "node:stream/promises";

      for await (const row of readCsv("", { types: { id: "BIGINT", name: "VARCHAR", day: "DATE" } })) {
        const id: number | bigint | null = row.id;
        const name: string | null = row.name;
        const day: Date | null = row.day;
        // @ts-expect-error a name is no number
        const wrong: number = row.name;
        console.log(id, name, day, wrong);
      }
      for await (const [id, ok] of readCsv("", { rowShape: "array", types: ["DOUBLE", "BOOLEAN"] })) {
        const n: number | null = id;
        const b: boolean | null = ok;
        console.log(n, b);
      }
      for await (const line of readCsv("", { output: "ndjson" })) line.toUpperCase();
      for await (const row of createReadStream("x").pipeThrough(sniffedCsv({ names: ["a", "b"] }))) console.log(row.a);
      const rows = duplex();
      rows.on("sniff", (sniff: Sniff) => sniff.columns.length).on("reject", ({ raw }) => raw.length);
      await pipeline(createReadStream("x"), rows, async (source) => {
        for await (const row of source) console.log(row);
      });
      // @ts-expect-error there is no such option
      readCsv("", { delimeter: ";" });`;
    writeFileSync(join(project, "types.ts"), code);
    const compilerOptions = {
      ...{ module: "NodeNext", target: "ES2022", strict: true, noEmit: true, skipLibCheck: false },
      ...{ lib: ["ES2022", "DOM", "DOM.Iterable", "DOM.AsyncIterable"], types: ["node"] },
      typeRoots: [join(ROOT, "node_modules/@types")],
    };
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["types.ts"] }));
    const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
    let out = "";
    try {
      execFileSync(process.execPath, [tsc, "-p", project], { encoding: "utf8" });
    } catch (error) {
      out = String((error as { stdout: string }).stdout);
    }
    expect(out).toBe("");
  });
});

describe("the core", () => {
  it("reaches no module of Node, and neither process nor Buffer", () => {
    const seen = new Set<string>();
    const walk = (file: string) => {
      if (seen.has(file)) return;
      seen.add(file);
      const code = readFileSync(file, "utf8");
      for (const [, specifier] of code.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)) {
        if (specifier.startsWith(".")) walk(resolve(dirname(file), specifier));
        else expect(specifier, file).toMatch(/^(iconv-lite|chardet|web-streams-polyfill)$/);
      }
      expect(code.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, ""), file).not.toMatch(/\b(process|Buffer)\./);
    };
    walk(join(ROOT, "dist/index.js"));
    expect(seen.size).toBeGreaterThan(30);
  });

  it("ships no source, test or data", () => {
    const files = readdirSync(join(project, "node_modules/sniffed-csv")).sort();
    expect(files).toEqual(["LICENSE", "README.md", "dist", "package.json"]);
  });
});
