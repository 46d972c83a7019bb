import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exportSniff } from "../../src/export/index.js";
import { sniffCsv } from "../../src/index.js";
import { AWKWARD, readAwkward, SPOILT, spoil, told } from "../support/awkward.js";

/* A server of its own: as it refuses to run as root, it runs as the user that Debian's package makes. */

const SERVER = "/usr/lib/postgresql";
const isRoot = userInfo().uid === 0;
const folder = mkdtempSync("/tmp/sniffed-csv-postgresql-");
const data = join(folder, "data");
const connection = ["-h", folder, "-U", "postgres", "-d", "postgres"];
const bin = join(SERVER, readdirSync(SERVER).sort().at(-1) as string, "bin");

function serve(command: string, ...args: string[]): void {
  const whole = [join(bin, command), ...args];
  if (isRoot) execFileSync("runuser", ["-u", "postgres", "--", ...whole], { stdio: "pipe" });
  else execFileSync(whole[0], args, { stdio: "pipe" });
}

function psql(script: string): string {
  return execFileSync("psql", ["-X", "-q", "-A", "-t", ...connection, "-f", "-"], {
    input: script,
    encoding: "utf8",
    stdio: ["pipe", "pipe", "pipe"],
  });
}

beforeAll(() => {
  if (isRoot) {
    const [uid, gid] = ["-u", "-g"].map((what) =>
      Number(execFileSync("id", [what, "postgres"], { encoding: "utf8" })),
    );
    chownSync(folder, uid, gid);
  }
  chmodSync(folder, 0o755);
  serve("initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale", "C.UTF-8");
  serve(
    "pg_ctl",
    "-D",
    data,
    "-w",
    "-l",
    join(folder, "log"),
    "-o",
    `-k ${folder} -c listen_addresses=`,
    "start",
  );
}, 60_000);

afterAll(() => {
  serve("pg_ctl", "-D", data, "-m", "immediate", "stop");
  rmSync(folder, { recursive: true, force: true });
});

describe("a sniff exported to PostgreSQL loads the library's own rows", () => {
  for (const [index, awkward] of AWKWARD.entries()) {
    it(awkward.name, async () => {
      const path = join(folder, `${index} 'x' $y.csv`);
      writeFileSync(path, awkward.file);
      const { sniff, values } = await readAwkward(awkward);
      expect(values.length).toBeGreaterThan(1);
      const table = `t${index}'"; drop`;
      psql(exportSniff(sniff, "postgresql", { path, table }));
      const named = `'t${index}''"; drop'`;
      const names: string[] = JSON.parse(
        psql(
          `SELECT json_agg(quote_ident(column_name) ORDER BY ordinal_position) FROM information_schema.columns WHERE table_name = ${named}`,
        ),
      );
      const cells = names.map((name) => `${name}::text`).join(", ");
      const lines = psql(`SELECT to_json(ARRAY[${cells}]) FROM "t${index}'""; drop"`).trimEnd().split("\n");
      const theirs = lines.map((line) =>
        (JSON.parse(line) as unknown[]).map((value, column) => told(value, sniff.columns[column])),
      );
      expect(theirs).toEqual(values);
    });
  }
});

it("is made in halves, in a schema, of a compressed file", async () => {
  const path = join(folder, "packed 'x'.csv");
  writeFileSync(path, gzipSync("about\n\nid;when\n1;24/12/2025\n2;31/12/2025\n"));
  const sniff = await sniffCsv("about\n\nid;when\n1;24/12/2025\n2;31/12/2025\n");
  const place = { path, table: "t", schema: 's"', compression: "gzip" } as const;
  psql('CREATE SCHEMA "s""";');
  psql(exportSniff(sniff, "postgresql", { ...place, only: "table" }));
  for (let times = 0; times < 2; times++) psql(exportSniff(sniff, "postgresql", { ...place, only: "load" }));
  expect(psql('SELECT count(*), max("when") FROM "s""".t').trim()).toBe("4|2025-12-31");
});

it("loads what stands behind a line of \\. alone, quoted or not, and names by UTF-8 whatever the client's encoding", async () => {
  const script = async (text: string, table: string) => {
    const path = join(folder, `${table} a=b.csv`);
    writeFileSync(path, text);
    return exportSniff(await sniffCsv(text), "postgresql", { path, table });
  };
  const rows = (table: string, column: string) =>
    psql(`SELECT json_agg(replace("${column}", E'\\r', '')) FROM ${table}`).trim();
  for (const [table, newline] of [
    ["lf", "\n"],
    ["crlf", "\r\n"],
  ]) {
    psql(await script(["größe", "a", "b", "\\.", "c", ""].join(newline), table));
    expect(JSON.parse(rows(table, "größe"))).toEqual(["a", "b", "\\.", "c"]);
  }
  psql(await script('t,n\n"p\n\\.\nq",1\n"x, y",2\n', "quoted"));
  expect(JSON.parse(rows("quoted", "t"))).toEqual(["p\n\\.\nq", "x, y"]);
  const ragged = await script("a,b\n1,2\n3,4\n", "ragged");
  writeFileSync(join(folder, "ragged a=b.csv"), "a,b\n1,2\n\\.\n3,4\n");
  expect(() => psql(ragged)).toThrow("missing data");
  const other = execFileSync("psql", ["-X", "-q", ...connection, "-f", "-"], {
    input: await script("größe,n\nä,1\n", "latin"),
    env: { ...process.env, PGCLIENTENCODING: "LATIN1" },
    stdio: ["pipe", "pipe", "pipe"],
  });
  expect(String(other)).toBe("");
  expect(JSON.parse(rows("latin", "größe"))).toEqual(["ä"]);
});

describe("a script for PostgreSQL stops at", () => {
  for (const spoilt of SPOILT) {
    it(spoilt.name, async () => {
      const path = join(folder, "spoilt.csv");
      const { sniff } = await readAwkward(spoilt);
      const script = exportSniff(sniff, "postgresql", { path, table: "spoilt" });
      writeFileSync(path, spoilt.file);
      psql(`${script}DROP TABLE spoilt;`);
      for (const bad of spoilt.bad) {
        writeFileSync(path, spoil(spoilt, bad));
        expect(() => psql(script), bad).toThrow(bad.slice(-2));
        expect(psql("SELECT count(*) FROM pg_tables WHERE tablename = 'spoilt'").trim()).toBe("0");
      }
    });
  }
});
