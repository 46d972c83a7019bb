import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = new URL("..", import.meta.url);
const sourceFolder = fileURLToPath(new URL("src", root));

/** Source files by their path in src/, without what is only said in comments. */
const sources = readdirSync(sourceFolder, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts") && !path.startsWith("machine/kernel/"))
  .map((path) => {
    const text = readFileSync(`${sourceFolder}/${path}`, "utf8");
    return { path: path.replaceAll("\\", "/"), code: text.replaceAll(/^\s*(?:\/?\*|\/\/).*$/gm, "") };
  });

const placesOf = (pattern: RegExp) =>
  sources.filter(({ code }) => pattern.test(code)).map(({ path }) => path);

/** What SECURITY.md promises of the source, and a reader can see there. */
describe("the source", () => {
  it("is looked at", () => {
    expect(sources.length).toBeGreaterThan(80);
  });

  it("makes code from text in one place", () => {
    expect(placesOf(/\bnew Function\b|\beval\(/)).toEqual(["output/row-builder.ts"]);
  });

  it("opens no connection, but where the command line is given an address", () => {
    const connecting = placesOf(/\bfetch\(|XMLHttpRequest|WebSocket|node:(?:https?|net|tls|dns|dgram)\b/);
    expect(connecting).toEqual(["cli/input.ts"]);
  });

  it("reaches for the system under node/ and cli/ only", () => {
    const reaching = placesOf(/from "node:|\bprocess\.|\bBuffer\b/);
    expect(reaching.filter((path) => !/^(?:node|cli)\//.test(path))).toEqual([]);
    expect(reaching).toContain("node/file.ts");
  });

  it("starts no process", () => {
    expect(placesOf(/child_process/)).toEqual([]);
  });
});

interface Locked {
  dev?: boolean;
  hasInstallScript?: boolean;
  integrity?: string;
  optional?: boolean;
}

describe("the dependencies", () => {
  const read = (name: string) => JSON.parse(readFileSync(new URL(name, root), "utf8"));
  const { packages } = read("package-lock.json") as { packages: Record<string, Locked> };
  const runtime = Object.entries(packages).filter(([path, { dev }]) => path !== "" && dev !== true);

  it("of the runtime are few, pinned by version and by hash, and run nothing when they are installed", () => {
    const { dependencies } = read("package.json") as { dependencies: Record<string, string> };
    for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(runtime.length).toBeGreaterThanOrEqual(Object.keys(dependencies).length);
    expect(runtime.length).toBeLessThan(20);
    for (const [path, { hasInstallScript, integrity }] of runtime) {
      expect([path, hasInstallScript ?? false]).toEqual([path, false]);
      expect(integrity, path).toMatch(/^sha512-/);
    }
  });
});
