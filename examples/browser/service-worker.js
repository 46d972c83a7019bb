import { sniffedCsv } from "../../dist/sniffed-csv.min.js";

/* Answers for orders.ndjson with what it makes of orders.csv, line by line as it comes. */

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  if (event.request.url.endsWith("/orders.ndjson")) event.respondWith(ndjson());
});

async function ndjson() {
  const { body } = await fetch("../data/orders.csv");
  const encoder = new TextEncoder();
  const lines = new TransformStream({
    transform: (line, controller) => controller.enqueue(encoder.encode(`${line}\n`)),
  });
  const headers = { "content-type": "application/x-ndjson" };
  return new Response(body.pipeThrough(sniffedCsv({ output: "ndjson" })).pipeThrough(lines), { headers });
}
