import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { complaintsOf, launch, StaticServer } from "./chromium.js";

/* The built package in a browser as it is: from a page, a worker and a service worker, without a bundler. */

const root = fileURLToPath(new URL("../../", import.meta.url));
const server = new StaticServer(root);
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
  page = await (await browser.newContext()).newPage();
  complaints = complaintsOf(page);
});

describe("the package in a browser", () => {
  it("reads the body of a fetch in a page", async () => {
    await page.goto(`${base}/examples/browser/page.html`);
    await page.waitForFunction(() => document.title === "4200 orders");
    expect(await page.textContent("#found")).toBe('12 columns between ";"');
    expect(await page.locator("li").count()).toBe(20);
    expect(complaints).toEqual([]);
  });

  it("reads a file in a worker", async () => {
    await page.goto(`${base}/examples/browser/worker.html`);
    await page.setInputFiles("input", `${root}/examples/data/orders.csv`);
    await page.waitForFunction(() => document.title === "4200 rows");
    expect(await page.textContent("pre")).toContain("ordered DATE");
    expect(complaints).toEqual([]);
  });

  it("answers a request in a service worker", async () => {
    await page.goto(`${base}/examples/browser/service-worker.html`);
    await page.waitForFunction(() => document.title === "4200 orders");
    const [first] = (await page.textContent("pre"))?.split("\n") ?? [];
    expect(JSON.parse(first)).toMatchObject({ order: 100000, postcode: "8566" });
    expect(complaints).toEqual([]);
  });

  it("needs no global of Node's, and agrees with itself by either engine", async () => {
    await page.goto(`${base}/examples/browser/page.html`);
    // As text: vitest would rewrite the import.
    const found = await page.evaluate(`(async () => {
      const { readCsv } = await import("${base}/dist/sniffed-csv.min.js");
      const text = "a;b\\n1,5;x\\n2,5;é\\n";
      const read = (engine) => readCsv(text, { engine, decimalSeparator: "," }).toArray();
      return {
        rows: [await read("js"), await read("wasm")],
        // Latin-1 bytes: what browsers know themselves, and what chardet tells.
        latin: await readCsv(Uint8Array.of(0x61, 0x0a, 0xfc, 0x0a), { header: true }).toArray(),
        globals: ["process", "Buffer"].filter((name) => name in globalThis),
      };
    })()`);
    const rows = [
      { a: 1.5, b: "x" },
      { a: 2.5, b: "é" },
    ];
    expect(found).toEqual({ rows: [rows, rows], latin: [{ a: "ü" }], globals: [] });
  });
});
