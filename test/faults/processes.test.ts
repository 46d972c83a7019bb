import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";

/** The built package: `npm test` builds before it tests. */
const CLI = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const NODE = new URL("../../dist/node/index.js", import.meta.url).href;
const folder = mkdtempSync(join(tmpdir(), "sniffed-csv-faults-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const table = join(folder, "table.csv");
const ROWS = 400_000;
/** So large that it is read by several threads. */
const text = "some text, ".repeat(16);
writeFileSync(table, `n,t\n${Array.from({ length: ROWS }, (_, n) => `${n},"${text}${n}"`).join("\n")}\n`);

/** Runs a module in a process of its own, which must end by itself; gives what it writes as JSON. */
function run(source: string): Promise<Record<string, unknown>> {
  const path = join(folder, "scene.mjs");
  writeFileSync(path, source);
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [path], { timeout: 60_000 }, (error, out, err) => {
      if (error === null) resolve(JSON.parse(out));
      else reject(new Error(`${error.message}\n${err}`));
    });
  });
}

const SUM = `
  let rows = 0, sum = 0, last = -1, inOrder = true;
  for await (const { n } of readCsvFile(${JSON.stringify(table)}, options)) {
    inOrder &&= n === last + 1;
    last = n; rows++; sum += n;
  }
  console.log(JSON.stringify({ rows, sum, inOrder, started, left: process.getActiveResourcesInfo() }));`;

describe("threads that die", () => {
  it("take no row with them, whenever they do", async () => {
    for (const after of [0, 30, 120]) {
      const outcome = await run(`
        import { readCsvFile } from ${JSON.stringify(NODE)};
        const options = { threads: 3 };
        let started = 0;
        process.on("worker", (worker) => {
          started++;
          setTimeout(() => worker.terminate(), ${after}).unref();
        });
        ${SUM}`);
      const { rows, sum, inOrder, started, left } = outcome as {
        rows: number;
        sum: number;
        inOrder: boolean;
        started: number;
        left: string[];
      };
      expect([rows, sum, inOrder, started]).toEqual([ROWS, (ROWS * (ROWS - 1)) / 2, true, 2]);
      expect(left.filter((resource) => /Worker|Timeout|FS/.test(resource))).toEqual([]);
    }
  });

  it("leave nothing running behind a reading that is given up", async () => {
    const { left, fds } = await run(`
      import { readdirSync } from "node:fs";
      import { readCsvFile } from ${JSON.stringify(NODE)};
      const open = () => readdirSync("/proc/self/fd").length;
      // The first one opens what the process keeps.
      for await (const _ of readCsvFile(${JSON.stringify(table)}, { threads: 2 }));
      const left = () => process.getActiveResourcesInfo().filter((resource) => /Worker|Timeout|FS/.test(resource));
      // A busy machine takes its time to end them; what never closes is still there at the last look.
      const settle = async (isSettled) => {
        for (let tries = 0; tries < 100 && !(isSettled() && left().length === 0); tries++) {
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      };
      let seen = -1;
      await settle(() => seen === (seen = open()));
      const before = open();
      for (let round = 0; round < 8; round++) {
        // Before a thread is started, while they start, and while they read.
        const last = [0, 2_048, 3_000, 200_000][round % 4];
        for await (const { n } of readCsvFile(${JSON.stringify(table)}, { threads: 2 })) if (n === last) break;
        const controller = new AbortController();
        const rows = readCsvFile(${JSON.stringify(table)}, { threads: 2, signal: controller.signal });
        setTimeout(() => controller.abort(), round * 10);
        try { for await (const _ of rows); } catch {}
      }
      await settle(() => open() === before);
      console.log(JSON.stringify({ left: left(), fds: open() - before }));`);
    expect(left).toEqual([]);
    expect(fds).toBe(0);
  });
});

describe("a file that changes while threads read it", () => {
  const moving = join(folder, "moving.csv");
  const scene = (change: string) => `
    import { appendFileSync, copyFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
    import { readCsvFile } from ${JSON.stringify(NODE)};
    const [table, moving] = ${JSON.stringify([table, moving])};
    copyFileSync(table, moving);
    writeFileSync(moving + ".new", readFileSync(table, "latin1").replaceAll("some", "more"), "latin1");
    let rows = 0, old = 0;
    for await (const { n, t } of readCsvFile(moving, { threads: 3 })) {
      rows++;
      if (t.startsWith("some")) old++;
      if (n === 5) { ${change} }
    }
    console.log(JSON.stringify({ rows, old }));`;

  it("is read to its end where another takes its name", async () => {
    expect(await run(scene(`renameSync(moving + ".new", moving);`))).toEqual({ rows: ROWS, old: ROWS });
  });

  it("is read with all that is appended", async () => {
    const more = 60_000;
    expect(await run(scene(`appendFileSync(moving, '1,"${text}"\\n'.repeat(${more}));`))).toEqual({
      rows: ROWS + more,
      old: ROWS + more,
    });
  });

  it("is read by one where it is a pipe", async () => {
    const pipe = join(folder, "pipe");
    const { code } = await shell(`mkfifo ${pipe}`);
    expect(code).toBe(0);
    const [{ rows }] = await Promise.all([
      run(`
        import { readCsvFile } from ${JSON.stringify(NODE)};
        const rows = (await readCsvFile(${JSON.stringify(pipe)}, { threads: 2 }).toArray()).length;
        console.log(JSON.stringify({ rows }));`),
      shell(`printf 'a,b\\n1,2\\n3,4\\n' > ${pipe}`),
    ]);
    expect(rows).toBe(2);
  });
});

/** Runs a shell command and says how it ended. */
function shell(command: string): Promise<{ code: number | null; err: string }> {
  return new Promise((resolve) => {
    const child = spawn("bash", ["-c", command], { stdio: ["ignore", "ignore", "pipe"] });
    let err = "";
    child.stderr.on("data", (text) => {
      err += text;
    });
    child.on("close", (code) => resolve({ code, err }));
  });
}

describe("a file system that is full", () => {
  const convert = `${JSON.stringify(process.execPath)} ${JSON.stringify(CLI)} convert ${JSON.stringify(table)}`;

  it("ends the command with 3, and no partial file stands under any name", async () => {
    const output = join(folder, "limited");
    // No file may grow past 100 blocks: writing fails half way, as on a disk without room.
    const { code, err } = await shell(
      `mkdir ${output} && cd ${output} && trap '' XFSZ && ulimit -f 100 && ${convert} -o out.ndjson`,
    );
    expect(code).toBe(3);
    expect(err).toMatch(/EFBIG|ENOSPC/);
    expect(readdirSync(output)).toEqual([]);
  });

  it("of the rejects does so too", async () => {
    const bad = join(folder, "bad.csv");
    writeFileSync(bad, `a,b\n${"1,2\n".repeat(10)}${"only one field of some length\n".repeat(20_000)}`);
    const output = join(folder, "rejects");
    const command = `${JSON.stringify(process.execPath)} ${JSON.stringify(CLI)} convert ${JSON.stringify(bad)}`;
    const { code, err } = await shell(
      `mkdir ${output} && cd ${output} && trap '' XFSZ && ulimit -f 100 && ${command} -o out.ndjson --rejects bad.ndjson`,
    );
    expect(code).toBe(3);
    expect(err).toMatch(/EFBIG|ENOSPC/);
    expect(readdirSync(output)).toEqual([]);
  });
});
