import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";

/** The built command: `npm test` builds before it tests. */
const CLI = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "sniffed-csv-cli-"));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fileOf(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function start(...words: string[]): ChildProcess {
  return spawn(process.execPath, [CLI, ...words]);
}

async function run(words: string[], input = ""): Promise<{ code: number | null; out: string; err: string }> {
  const child = start(...words);
  let out = "";
  let err = "";
  child.stdout?.setEncoding("utf8").on("data", (text) => {
    out += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text) => {
    err += text;
  });
  child.stdin?.on("error", () => {});
  child.stdin?.end(input);
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, out, err };
}

const ORDERS = fileURLToPath(new URL("../../examples/data/orders.csv", import.meta.url));

describe("sniffed-csv sniff", () => {
  it("reports a file for people", async () => {
    const { code, out, err } = await run(["sniff", ORDERS]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("delimiter:   ;");
    expect(out).toContain("Orders export");
    expect(out).toMatch(/ordered +DATE +%d\/%m\/%Y/);
    expect(out).toMatch(/wins/);
  });

  it("prints JSON that --sniffed reads", async () => {
    const { out } = await run(["sniff", ORDERS, "--json"]);
    const sniffed = fileOf("sniffed.json", out);
    expect(JSON.parse(out).dialect).toMatchObject({ delimiter: ";", skipLines: 3, header: true });
    const again = await run(["convert", ORDERS, "--sniffed", sniffed, "--limit", "1"]);
    expect(JSON.parse(again.out)).toMatchObject({ order: 100_000, paid: true });
  });

  it("reads standard input", async () => {
    const { code, out } = await run(["sniff", "-", "--json"], "a|b\n1|x\n2|y\n");
    expect(code).toBe(0);
    expect(JSON.parse(out).columns).toMatchObject([{ type: "BIGINT" }, { type: "VARCHAR" }]);
  });
});

describe("sniffed-csv head", () => {
  it("shows as many rows as asked for", async () => {
    const { code, out } = await run(["head", ORDERS, "-n", "3"]);
    expect(code).toBe(0);
    expect(out.trimEnd().split("\n")).toHaveLength(5);
  });

  it("lets no control character of the data through", async () => {
    const { out } = await run(["head", "-"], 'a\u001b[31m,b\n"x\u001b]0;title\u0007",\u202e1\n');
    expect(out).toContain("\\u001b[31m");
    expect(out).toContain("\\u202e");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: their absence is what is tested
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  });

  it("shows the rows before a fault, then the fault", async () => {
    const { code, out, err } = await run(["head", "-", "--delimiter", ","], "a,b\n1,2\n3\n");
    expect(code).toBe(1);
    expect(out).toContain("1  2");
    expect(err).toMatch(/^sniffed-csv: the record has 1 of 2 fields \(line 3, record 2, byte 8\)\. .+\n$/);
  });
});

describe("sniffed-csv convert", () => {
  const csv = 'id;name;day\n1;"x; y";01/02/2024\n2;;25/02/2024\n';

  it("writes NDJSON, JSON and clean CSV", async () => {
    const ndjson = await run(["convert", "-"], csv);
    expect(ndjson.out).toBe(
      '{"id":1,"name":"x; y","day":"2024-02-01"}\n{"id":2,"name":null,"day":"2024-02-25"}\n',
    );
    const json = await run(["convert", "-", "--to", "json"], csv);
    expect(JSON.parse(json.out)).toHaveLength(2);
    const clean = await run(["convert", "-", "--to", "csv"], csv);
    expect(clean.out).toBe("id,name,day\n1,x; y,2024-02-01\n2,,2024-02-25\n");
  });

  it("writes an empty array for an empty input", async () => {
    expect((await run(["convert", "-", "--to", "json"])).out).toBe("[]\n");
  });

  it("guards formulas when asked to", async () => {
    const { out } = await run(["convert", "-", "--to", "csv", "--escape-formulas"], "a,n\n=1+1,-2\nx,-3\n");
    expect(out).toBe("a,n\n'=1+1,-2\nx,-3\n");
  });

  it("writes a file whole", async () => {
    const path = join(folder, "whole.ndjson");
    expect((await run(["convert", "-", "-o", path], csv)).code).toBe(0);
    expect(readFileSync(path, "utf8").split("\n")).toHaveLength(3);
  });

  it("leaves an earlier file alone, and nothing beside it, when the data is bad", async () => {
    const path = fileOf("kept.ndjson", "earlier\n");
    const { code } = await run(["convert", "-", "-o", path, "--delimiter", ","], "a,b\n1,2\n3\n");
    expect(code).toBe(1);
    expect(readFileSync(path, "utf8")).toBe("earlier\n");
    expect(readdirSync(folder).filter((name) => name.includes(".part"))).toEqual([]);
  });

  it("writes rejects beside, and counts them", async () => {
    const path = join(folder, "rejects.ndjson");
    const words = ["convert", "-", "--delimiter", ",", "--on-error", "reject", "--rejects", path];
    const { code, out, err } = await run(words, "a,b\n1,2\n3\n4,5\n");
    expect(code).toBe(0);
    expect(out).toBe('{"a":1,"b":2}\n{"a":4,"b":5}\n');
    expect(err).toBe("sniffed-csv: 1 records rejected: 1 TOO_FEW_FIELDS\n");
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({
      code: "TOO_FEW_FIELDS",
      line: 3,
      raw: "3",
    });
  });

  it("takes the API's options as flags", async () => {
    const words = [
      "convert",
      "-",
      "--no-header",
      "--names",
      "x,y",
      "--types",
      "x=VARCHAR",
      "--null-values",
      ",NA",
    ];
    expect((await run(words, "1,NA\n2,3\n")).out).toBe('{"x":"1","y":null}\n{"x":"2","y":3}\n');
  });
});

describe("sniffed-csv vw", () => {
  it("writes lines, takes VW's options and reports labels", async () => {
    const first = fileOf("first.csv", "kind;f|x\nred;1\nblue;2\n");
    const second = fileOf("second.csv", "f|x,kind\n3,green\n4,red\n");
    const words = [
      "vw",
      first,
      second,
      "--csv_label",
      "kind",
      "--label_kind",
      "multiclass",
      "--csv_ns_value",
      "f:0.5",
    ];
    const { code, out, err } = await run(words);
    expect(code).toBe(0);
    expect(out).toBe("1 |f x:0.5\n2 |f x:1\n3 |f x:1.5\n1 |f x:2\n");
    expect(err).toBe("sniffed-csv: labels: 1=red 2=blue 3=green\n");
  });

  it("names the option that is wrong", async () => {
    const { code, err } = await run(["vw", "-", "--csv_separator", "|"], "a\n1\n");
    expect(code).toBe(2);
    expect(err).toContain("csvSeparator");
  });
});

describe("the process", () => {
  it("ends with 2 for wrong usage", async () => {
    expect((await run(["convert", ORDERS, "--to", "xml"])).code).toBe(2);
    expect((await run(["sniff"])).code).toBe(2);
    expect((await run(["sniff", ORDERS, "--sample-rows", "0"])).code).toBe(2);
    expect((await run(["sniff", ORDERS, "--encoding", "no-such-thing"])).code).toBe(2);
  });

  it("ends with 0 for help and version", async () => {
    const help = await run(["--help"]);
    expect(help.code).toBe(0);
    expect(help.out).toContain("Examples:");
    expect((await run(["--version"])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("ends with 3 where the file system refuses", async () => {
    expect((await run(["sniff", join(folder, "missing.csv")])).code).toBe(3);
    expect((await run(["convert", ORDERS, "-o", join(folder, "no", "such", "folder")])).code).toBe(3);
  });

  it.runIf(existsSync("/dev/full"))("ends with 3 when the disk is full", async () => {
    const child = spawn("sh", ["-c", `exec "${process.execPath}" "${CLI}" convert "${ORDERS}" > /dev/full`]);
    expect(await new Promise((resolve) => child.on("close", resolve))).toBe(3);
  });

  it("ends quietly when its reader goes away", async () => {
    const large = fileOf(
      "large.csv",
      `id,text\n${Array.from({ length: 60_000 }, (_, i) => `${i},some text`).join("\n")}\n`,
    );
    const child = spawn("sh", [
      "-c",
      `"${process.execPath}" "${CLI}" convert "${large}" | head -n 1; echo "$?" >&2`,
    ]);
    let err = "";
    child.stderr.setEncoding("utf8").on("data", (text) => {
      err += text;
    });
    await new Promise((resolve) => child.on("close", resolve));
    expect(err).toBe("0\n");
  });

  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    it(`ends with ${code} on ${signal}, and leaves no file`, async () => {
      const path = join(folder, `${signal}.ndjson`);
      const child = start("convert", "-", "-o", path);
      child.stdin?.on("error", () => {});
      child.stdin?.write(`a,b\n${"1,2\n".repeat(200_000)}`);
      // Once the partial file is there, the command is in the midst of its work.
      while (!readdirSync(folder).some((name) => name.startsWith(`${signal}.ndjson`))) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      child.kill(signal);
      expect(await new Promise((resolve) => child.on("close", resolve))).toBe(code);
      expect(readdirSync(folder).filter((name) => name.startsWith(signal))).toEqual([]);
    });
  }
});
