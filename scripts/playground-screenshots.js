import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

/* The playground's pictures under docs/: its example, on a desk, on a phone, and in the dark. */

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const folder = path("examples/playground/dist");
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, "http://localhost");
  const file = join(folder, pathname === "/" ? "index.html" : pathname);
  if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
  response.setHeader("content-type", TYPES[extname(file)] ?? "application/octet-stream");
  createReadStream(file).pipe(response);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});

const PICTURES = [
  { name: "playground-desktop", viewport: { width: 1280, height: 900 }, colorScheme: "light" },
  {
    name: "playground-columns",
    viewport: { width: 1280, height: 900 },
    colorScheme: "light",
    tab: "columns",
  },
  { name: "playground-phone", viewport: { width: 390, height: 844 }, colorScheme: "light" },
  { name: "playground-dark", viewport: { width: 1280, height: 900 }, colorScheme: "dark" },
];

for (const { name, tab, ...context } of PICTURES) {
  const page = await (await browser.newContext(context)).newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.click("#example");
  await page.waitForFunction(() => document.querySelector("#status").textContent.includes("rows,"));
  if (tab !== undefined) await page.click(`#tab-${tab}`);
  await page.screenshot({ path: path(`docs/${name}.png`) });
}
await browser.close();
server.close();
