import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { tableFromIPC } from "@uwdata/flechette";
import { parquetReadObjects } from "hyparquet";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { EXPORT_TARGETS } from "../../src/export/index.js";
import { readCsv } from "../../src/index.js";
import { complaintsOf, launch, StaticServer } from "./chromium.js";

/* The playground as it is built, in Chromium, under a policy that allows neither eval nor WebAssembly. */

const root = fileURLToPath(new URL("../../", import.meta.url));
const POLICY =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src *; worker-src 'self'; img-src 'self' data:; object-src 'none'";
const server = new StaticServer(`${root}/examples/playground/dist`, { "content-security-policy": POLICY });
const ORDERS = `${root}/examples/data/orders.csv`;
let base: string;
let browser: Browser;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  base = await server.listen();
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  server.close();
});
beforeEach(async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  page = await context.newPage();
  complaints = complaintsOf(page);
  await page.goto(base);
});
afterEach(async () => {
  expect(complaints).toEqual([]);
  await page.context().close();
});

async function give(name: string, content: string | Buffer): Promise<void> {
  const buffer = typeof content === "string" ? Buffer.from(content) : content;
  await page.setInputFiles("#file", { name, mimeType: "text/csv", buffer });
}

async function isRead(rows: number): Promise<void> {
  const said = `${rows.toLocaleString("en")} rows,`;
  await page.waitForFunction(
    (text) => document.querySelector("#status")?.textContent?.startsWith(text),
    said,
  );
}

const fact = (name: string) =>
  page.locator("#findings .facts div", { hasText: name }).first().locator("dd").textContent();
const cells = () => page.locator(".grid-row").first().locator('[role="gridcell"]').allTextContents();

describe("the playground", () => {
  it("shows what is in the example, with the evidence, its rows and its columns", async () => {
    await page.click("#example");
    await isRead(4_200);
    expect(await fact("Delimiter")).toBe("; semicolon");
    expect(await fact("Skipped above")).toBe("3 lines");
    expect(await page.locator(".candidates li").first().textContent()).toContain("wins");
    expect((await cells()).slice(0, 3)).toEqual(["100000", "8566", 'Bäckerei "Zum Korn"']);
    expect(await page.getAttribute(".grid", "aria-rowcount")).toBe("1001");
    // Of a thousand rows those alone that are seen are in the page.
    expect(await page.locator(".grid-row").count()).toBeLessThan(60);
    await page.locator(".grid").evaluate((grid) => grid.scrollTo(0, 1e6));
    await page.waitForFunction(() => document.querySelector('.grid-row[aria-rowindex="1001"]') !== null);
    await page.click("#tab-columns");
    expect(await page.locator(".card").count()).toBe(12);
    expect(await page.locator(".card svg").count()).toBeGreaterThan(4);
    expect(await page.locator(".card").first().textContent()).toContain("104199");
  });

  it("reads UTF-16, decimal commas once it is told, and a type that is chosen", async () => {
    await give("zahlen.csv", Buffer.from("\ufeffname;x\ngrün;1,5\n日本;2,5\n", "utf16le"));
    await isRead(2);
    expect(await fact("Encoding")).toBe("utf-16le with a mark");
    expect(await page.locator('[role="columnheader"] .type').allTextContents()).toEqual([
      "varchar",
      "varchar",
    ]);
    await page.selectOption('select[name="decimalSeparator"]', ",");
    await page.waitForFunction(
      () => document.querySelectorAll('[role="columnheader"] .type')[1]?.textContent === "double",
    );
    await isRead(2);
    expect(await cells()).toEqual(["grün", "1.5"]);
    await page.click("text=A type for each column");
    await page.locator(".settings details select").nth(1).selectOption("VARCHAR");
    await page.waitForFunction(
      () => document.querySelectorAll('[role="columnheader"] .type')[1]?.textContent === "varchar",
    );
    await page.click("text=Back to what was sniffed");
    await isRead(2);
  });

  it("reads an encoding that browsers lack", async () => {
    // "grün" and "Öl" in cp850.
    await give("dos.csv", Buffer.from("name;x\ngr\x81n;1\n\x99l;2\n", "latin1"));
    await isRead(2);
    await page.fill('input[name="encoding"]', "cp850");
    await page.locator('input[name="encoding"]').dispatchEvent("change");
    await page.waitForFunction(() => document.querySelector('[role="gridcell"]')?.textContent === "grün");
    expect(await fact("Encoding")).toBe("cp850");
  });

  it("marks what was set aside among the rows, and lists it with its line and raw text", async () => {
    await give("ragged.csv", `id,n\n${"1,2\n".repeat(30)}3\n4,5\n`);
    await isRead(31);
    expect(await page.textContent("#tab-rejects")).toBe("Rejects 1");
    await page.locator(".grid").evaluate((grid) => grid.scrollTo(0, 1e6));
    expect(await page.locator(".rejected").getAttribute("aria-rowindex")).toBe("32");
    await page.click("#tab-rejects");
    expect(await page.locator("#panel-rejects tbody td").allTextContents()).toEqual([
      "32",
      "TOO_FEW_FIELDS",
      "",
      "3",
    ]);
  });

  it("shows hostile text as text", async () => {
    await give(
      "<img src=x onerror=alert(1)>.csv",
      '"<script>alert(1)</script>",b\n"<img src=x onerror=alert(2)>",1\n"</div>",2\n',
    );
    await isRead(2);
    expect((await cells())[0]).toBe("<img src=x onerror=alert(2)>");
    expect(await page.locator("main img, main script").count()).toBe(0);
    await page.click("#tab-columns");
    await page.click("#tab-export");
    expect(await page.locator("main img, main script").count()).toBe(0);
  });

  it("says what is wrong with an empty file, and with a compressed one that is damaged", async () => {
    await give("empty.csv", "");
    await page.waitForFunction(() => document.querySelector("#status")?.textContent?.startsWith("0 rows"));
    await give("x.csv.gz", Buffer.from([0x1f, 0x8b, 8, 0, 0]));
    await page.waitForFunction(() => document.querySelector("#fault")?.textContent?.includes("gzip"));
  });

  it("writes the sniff for each target, to be copied", async () => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.click("#example");
    await isRead(4_200);
    await page.click("#tab-export");
    const select = page.locator("#panel-export select");
    expect(await select.locator("option").allTextContents()).toEqual([...EXPORT_TARGETS]);
    await select.selectOption("duckdb");
    expect(await page.textContent("#panel-export code")).toContain("strptime");
    await page.click("#panel-export button");
    await page.waitForFunction(() => document.querySelector("#status")?.textContent === "Copied.");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      await page.textContent("#panel-export code"),
    );
  });

  it("downloads the whole file in each format, as readCsv reads it", async () => {
    await page.setInputFiles("#file", ORDERS);
    await isRead(4_200);
    await page.click("#tab-download");
    const ours = await readCsv(readFileSync(ORDERS)).toArray();
    const saved = async (format: string) => {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.click(`[data-format="${format}"]`),
      ]);
      expect(download.suggestedFilename()).toBe(`orders.${format}`);
      return readFileSync(await download.path());
    };
    const ndjson = (await saved("ndjson")).toString().trimEnd().split("\n");
    expect(ndjson.map((line) => JSON.parse(line).order)).toEqual(ours.map(({ order }) => order));
    const parquet = await saved("parquet");
    const file = parquet.buffer.slice(parquet.byteOffset, parquet.byteOffset + parquet.length) as ArrayBuffer;
    const rows = await parquetReadObjects({ file });
    expect(rows.map(({ customer }) => customer)).toEqual(ours.map(({ customer }) => customer));
    const arrow = tableFromIPC(await saved("arrow"));
    expect([...arrow.getChild("unit_price")].map(Number)).toEqual(ours.map(({ unit_price }) => unit_price));
    expect(await readCsv(await saved("csv")).toArray()).toHaveLength(ours.length);
    expect((await saved("vw")).toString().split("\n")).toHaveLength(ours.length + 1);
  });

  it("stays smooth while it reads much, and stops when it is told", async () => {
    await page.evaluate(() => {
      const block = new Blob(["1,some text,2.5,2024-02-29\n".repeat(40_000)]);
      const file = new File(["id,text,x,day\n", ...Array.from({ length: 200 }, () => block)], "large.csv");
      const transfer = new DataTransfer();
      transfer.items.add(file);
      const input = document.querySelector("#file") as HTMLInputElement;
      input.files = transfer.files;
      Object.assign(window, { ticks: 0 });
      setInterval(
        () => Object.assign(window, { ticks: (window as unknown as { ticks: number }).ticks + 1 }),
        20,
      );
      input.dispatchEvent(new Event("change"));
    });
    await page.waitForFunction(() =>
      /[1-9]\d,\d{3} rows/.test(document.querySelector("#count")?.textContent ?? ""),
    );
    const ticks = () => page.evaluate(() => (window as unknown as { ticks: number }).ticks);
    const before = await ticks();
    await page.waitForTimeout(1_000);
    // Fifty in a second on a page that does nothing.
    expect((await ticks()) - before).toBeGreaterThan(15);
    await page.click("#cancel");
    await page.waitForFunction(() => document.querySelector("#status")?.textContent?.startsWith("Cancelled"));
    const count = await page.textContent("#count");
    await page.waitForTimeout(300);
    expect(await page.textContent("#count")).toBe(count);
    expect(await page.locator(".grid-row").count()).toBeGreaterThan(10);
  });

  it("is used by keyboard: tabs by arrows, the grid by itself", async () => {
    await page.focus("#example");
    await page.keyboard.press("Enter");
    await isRead(4_200);
    await page.focus("#tab-rows");
    await page.keyboard.press("ArrowRight");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("tab-columns");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.className)).toBe("grid");
    await page.keyboard.press("PageDown");
    await page.waitForFunction(() => (document.querySelector(".grid")?.scrollTop ?? 0) > 0);
  });

  it("has nothing that axe finds wrong, in light and dark, wide and narrow", async () => {
    const axe = readFileSync(`${root}/node_modules/axe-core/axe.min.js`, "utf8");
    for (const [colorScheme, width] of [
      ["light", 1280],
      ["dark", 390],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.click("#example");
      await isRead(4_200);
      for (const tab of ["rows", "columns", "rejects", "warnings", "export", "download"]) {
        await page.click(`#tab-${tab}`);
        // By the debugger, which no policy of the page forbids.
        await page.evaluate(axe);
        const found = await page.evaluate(
          "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))",
        );
        expect(found, `${tab}, ${colorScheme}`).toEqual([]);
      }
    }
  });
});
