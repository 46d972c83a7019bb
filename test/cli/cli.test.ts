import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { inFlags } from "../../src/cli/flags.js";
import { ERROR_CODES } from "../../src/errors.js";

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

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

function run(words: string[], input = ""): Promise<Ended> {
  return ended(start(...words), input);
}

/** Runs the command with streams that say they are terminals, 60 characters wide. */
function runOnTerminal(words: string[], input = ""): Promise<Ended> {
  const claim = "process.stdout.isTTY = process.stderr.isTTY = true; process.stdout.columns = 60;";
  const preload = `data:text/javascript,${encodeURIComponent(claim)}`;
  return ended(spawn(process.execPath, ["--import", preload, CLI, ...words]), input);
}

async function ended(child: ChildProcess, input: string): Promise<Ended> {
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

describe("hints", () => {
  it("name options as the command line does", () => {
    expect(inFlags(ERROR_CODES.TEXT_AFTER_QUOTE)).toBe(
      "Pass --strictness lenient to keep the text, --quote none if quotes mean nothing here, or --on-error reject.",
    );
    expect(inFlags(ERROR_CODES.INVALID_ENCODING)).toContain("pass --no-fatal to read");
    expect(inFlags(ERROR_CODES.RECORD_TOO_LARGE)).toContain("raise --max-record-size.");
    expect(inFlags(ERROR_CODES.MIXED_NEWLINES)).toBe(
      "Leave --strictness at normal to take CRLF, LF and CR as one class.",
    );
    expect(inFlags('x parses with decimalSeparator "," and nullValues: ["", "n/a"]')).toBe(
      "x parses with --decimal-separator ',' and --null-values ',n/a'",
    );
    expect(inFlags('with types: {"v":"DOUBLE"} it is')).toBe(`with --types '{"v":"DOUBLE"}' it is`);
    expect(inFlags('onError: "reject" sets them aside')).toBe("--on-error reject sets them aside");
    expect(inFlags('with nullValues: ["it\'s", "a,b"]')).toBe(`with --null-values '["it'\\''s", "a,b"]'`);
    expect(inFlags(ERROR_CODES.DUPLICATE_HEADERS)).toContain("or give the names yourself.");
  });

  it("are said so", async () => {
    const { code, err } = await run(["convert", "-"], "a,b\n1,2\n3\n");
    expect(code).toBe(1);
    expect(err).toContain("(line 3, record 2, byte 8). Pass --null-padding to read missing fields as null");
  });
});

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

describe("sniffed-csv export", () => {
  it("writes the sniff for the target", async () => {
    const path = fileOf("when.csv", "id;when\n1;24/12/2025\n2;31/12/2025\n");
    const { code, out, err } = await run(["export", path, "--to", "duckdb", "--table", "orders"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain('CREATE TABLE "orders" AS');
    expect(out).toContain("'%d/%m/%Y'");
  });

  it("asks for a target that it knows", async () => {
    for (const words of [[], ["--to", "lotus"]]) {
      const { code, err } = await run(["export", ORDERS, ...words]);
      expect(code).toBe(2);
      expect(err).toContain("--to");
    }
  });

  it("says what it noticed, and what to try", async () => {
    const path = fileOf("comma.csv", "id;x\n1;2,5\n2;3,75\n");
    const { out, err } = await run(["export", path, "--to", "postgresql"]);
    expect(out).toContain("CREATE TABLE");
    expect(err).toContain("hint: column x parses as DOUBLE with --decimal-separator ','");
  });

  it("asks where the file lies for a tool that has to read it again", async () => {
    const input = "a,b\n1,2\n";
    const refused = await run(["export", "-", "--to", "postgresql"], input);
    expect(refused).toMatchObject({ code: 2, out: "" });
    expect(refused.err).toContain("--path FILE");
    const told = await run(["export", "-", "--to", "postgresql", "--path", "/srv/in.csv"], input);
    expect(told.out).toContain("/srv/in.csv");
    expect((await run(["export", "-", "--to", "zod"], input)).code).toBe(0);
    expect((await run(["export", "-", "--to", "postgresql", "--only", "table"], input)).code).toBe(0);
  });

  it("has a compressed file decompressed by the tool", async () => {
    const path = fileOf("packed.csv.gz", gzipSync("a,b\n1,2\n"));
    const { out } = await run(["export", path, "--to", "postgresql"]);
    expect(out).toContain("gzip -dc");
    expect((await run(["export", path, "--to", "duckdb"])).out).toContain("compression = 'gzip'");
  });

  it("writes into a file", async () => {
    const path = fileOf("table.csv", "a,b\n1,2\n");
    const output = fileOf("table.sql", "");
    expect(await run(["export", path, "--to", "duckdb", "-o", output])).toMatchObject({ code: 0, out: "" });
    expect(readFileSync(output, "utf8")).toContain("CREATE TABLE");
  });

  it("shows an example in its help", async () => {
    expect((await run(["export", "--help"])).out).toContain("--to duckdb --table orders");
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
    const [warning, fault, ...rest] = err.split("\n");
    expect(warning).toMatch(/^sniffed-csv: warning FOOTNOTES \(line 3\): /);
    expect(fault).toMatch(/^sniffed-csv: the record has 1 of 2 fields \(line 3, record 2, byte 8\)\. ./);
    expect(rest).toEqual([""]);
  });

  it("keeps every digit of a timestamp", async () => {
    const { out } = await run(["head", "-"], "at,n\n2024-01-02 03:04:05.123456,1\n");
    expect(out).toContain("2024-01-02T03:04:05.123456");
  });

  it("leaves out columns that a terminal has no room for, and says which", async () => {
    const { out } = await runOnTerminal(["head", ORDERS, "-n", "2"]);
    const lines = out.trimEnd().split("\n");
    for (const line of lines) expect([...line].length).toBeLessThanOrEqual(60);
    expect(lines.at(-1)).toMatch(/^… and 7 more columns: shipped_at, product, /);
  });

  it("warns of what was guessed", async () => {
    const { code, err } = await run(["head", "-"], "day,n\n01/02/2024,1\n03/04/2024,2\n");
    expect(code).toBe(0);
    expect(err).toMatch(/^sniffed-csv: warning AMBIGUOUS_DATES: .+\n$/);
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

  it("writes the header of clean CSV where there is no record", async () => {
    expect((await run(["convert", "-", "--to", "csv", "--header"], "a,b\n")).out).toBe("a,b\n");
  });

  it("writes no control character to a terminal, and shows no progress beside the rows", async () => {
    const data = 'a,b\n"x\u001b[31m\u009b",2\n';
    const ndjson = await runOnTerminal(["convert", fileOf("escapes.csv", data)]);
    expect(ndjson).toEqual({ code: 0, out: '{"a":"x\\u001b[31m\\u009b","b":2}\n', err: "" });
    const csv = await runOnTerminal(["convert", "-", "--to", "csv"], data);
    expect(csv.out).toBe("a,b\nx\\u001b[31m\\u009b,2\n");
    const piped = await run(["convert", "-", "--to", "csv"], data);
    expect(piped.out).toBe("a,b\nx\u001b[31m\u009b,2\n");
  });

  it("shows progress on a terminal when the rows go to a file, and gives the cursor back", async () => {
    const { code, out, err } = await runOnTerminal(["convert", ORDERS, "-o", join(folder, "bar.ndjson")]);
    expect({ code, out }).toEqual({ code: 0, out: "" });
    expect(err).toContain("100% │ 0.4/0.4 MiB │ 4,200 rows │ 0 s left");
    expect(err.lastIndexOf("\u001b[?25h")).toBeGreaterThan(err.lastIndexOf("\u001b[?25l"));
    const off = await run(["convert", ORDERS, "-o", join(folder, "no-bar.ndjson")]);
    expect(off.err).toBe("");
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

  it("keeps the mode of the file it replaces, and the link to it", async () => {
    const path = fileOf("mode.ndjson", "earlier\n");
    const link = join(folder, "link.ndjson");
    chmodSync(path, 0o600);
    symlinkSync("mode.ndjson", link);
    expect((await run(["convert", "-", "-o", link], csv)).code).toBe(0);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, "utf8").split("\n")).toHaveLength(3);
  });

  it("replaces the file that it reads", async () => {
    const path = fileOf("itself.csv", csv);
    expect((await run(["convert", path, "--to", "csv", "-o", path])).code).toBe(0);
    expect(readFileSync(path, "utf8")).toBe("id,name,day\n1,x; y,2024-02-01\n2,,2024-02-25\n");
  });

  it.runIf(existsSync("/dev/full"))("writes to a device as it is", async () => {
    expect((await run(["convert", "-", "-o", "/dev/full"], csv)).code).toBe(3);
    expect(statSync("/dev/full").isCharacterDevice()).toBe(true);
  });

  it("writes to standard output under its names", async () => {
    for (const name of ["-", "/dev/stdout"]) {
      expect((await run(["convert", "-", "-o", name], csv)).out.split("\n")).toHaveLength(3);
    }
  });

  it("writes rejects beside, and counts them", async () => {
    const path = join(folder, "rejects.ndjson");
    const words = ["convert", "-", "--delimiter", ",", "--rejects", path];
    const { code, out, err } = await run(words, "a,b\n1,2\n3\n4,5\n");
    expect(code).toBe(0);
    expect(out).toBe('{"a":1,"b":2}\n{"a":4,"b":5}\n');
    const [warning, ...rest] = err.split("\n");
    expect(warning).toMatch(/^sniffed-csv: warning RAGGED_RECORDS \(line 3\): /);
    expect(rest).toEqual(["sniffed-csv: 1 record rejected: 1 TOO_FEW_FIELDS", ""]);
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({
      code: "TOO_FEW_FIELDS",
      line: 3,
      raw: "3",
    });
  });

  it("refuses to write rows and rejects to one file", async () => {
    const path = join(folder, "one.ndjson");
    const { code } = await run(
      ["convert", "-", "-o", path, "--rejects", join(folder, ".", "one.ndjson")],
      csv,
    );
    expect(code).toBe(2);
    expect(existsSync(path)).toBe(false);
  });

  it("leaves no rows where the rejects can't be written", async () => {
    const path = join(folder, "rows.ndjson");
    const rejects = join(folder, "no", "rejects.ndjson");
    expect((await run(["convert", "-", "-o", path, "--rejects", rejects], csv)).code).toBe(3);
    expect(readdirSync(folder).filter((name) => name.startsWith("rows.ndjson"))).toEqual([]);
  });

  it("says on standard error what changes along the way", async () => {
    const words = ["convert", "-", "--sample-rows", "2", "--on-type-mismatch", "widen"];
    const { code, out, err } = await run(words, "n,s\n1,x\n2,y\n3,z\n4.5,z\n");
    expect(code).toBe(0);
    expect(out.trimEnd().split("\n").at(-1)).toBe('{"n":4.5,"s":"z"}');
    expect(err).toBe('sniffed-csv: column "n", BIGINT, is DOUBLE from row 4 on\n');
  });

  it("takes JSON where a name or a format holds a comma", async () => {
    const words = ["convert", "-", "--no-header", "--names", '["a,b","day"]'];
    const format = ["--date-format", '{"day":"%b %d, %Y"}'];
    const { out } = await run([...words, ...format], '1,"Feb 03, 2024"\n');
    expect(out).toBe('{"a,b":1,"day":"2024-02-03"}\n');
    expect((await run([...words, "--date-format", "day=%b %d, %Y"], "")).code).toBe(2);
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
    mkdirSync(join(folder, "folder"));
    expect((await run(["convert", ORDERS, "-o", join(folder, "folder")])).code).toBe(3);
    expect((await run(["sniff", join(folder, "folder")])).code).toBe(3);
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

  it("lets go of an endless input once it has what it wants", async () => {
    for (const words of ["head - -n 2", "sniff - --sample-rows 50", "convert - --limit 2"]) {
      const pipe = `(echo a,b; yes 1,2) | "${process.execPath}" "${CLI}" ${words} > /dev/null`;
      const { code, err } = await ended(spawn("sh", ["-c", pipe]), "");
      expect({ words, code, err }).toEqual({ words, code: 0, err: "" });
    }
  });

  it("shows no control character of its arguments", async () => {
    for (const words of [
      ["head", "a\u001b[31m"],
      ["head", "-", "--strictness", "a\u001b[31m"],
      ["a\u001b[31m"],
    ]) {
      const { err } = await run(words);
      expect(err).toContain("\\u001b[31m");
      expect(err).not.toContain("\u001b");
    }
  });

  for (const [signal, code] of [
    ["SIGHUP", 129],
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
