import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";

/** Debian's, or what CHROMIUM names. */
const EXECUTABLE = process.env.CHROMIUM ?? "/usr/bin/chromium";

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".csv": "text/csv",
  ".svg": "image/svg+xml",
};

export function launch(): Promise<Browser> {
  const background = ["--disable-background-networking", "--disable-component-update", "--disable-sync"];
  return chromium.launch({
    executablePath: EXECUTABLE,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", ...background],
  });
}

/** Serves a folder on this machine alone. */
export class StaticServer {
  readonly #server: Server;

  constructor(folder: string, headers: Readonly<Record<string, string>> = {}) {
    this.#server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? "/", "http://localhost");
      const path = join(
        folder,
        normalize(decodeURIComponent(pathname.endsWith("/") ? `${pathname}index.html` : pathname)),
      );
      if (pathname === "/favicon.ico") {
        response.writeHead(204).end();
        return;
      }
      if (!existsSync(path) || !statSync(path).isFile()) {
        response.writeHead(404).end();
        return;
      }
      response.writeHead(200, {
        "content-type": TYPES[extname(path)] ?? "application/octet-stream",
        ...headers,
      });
      createReadStream(path).pipe(response);
    });
  }

  /** Its address, without a slash at the end. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    // A service worker wants a place that browsers trust.
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** What a page complains of. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  return complaints;
}
