import { writeFileSync } from "node:fs";

/* Writes examples/data/orders.csv anew: the same bytes at every run, all of it made up. */

function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const next = random(42);
const pick = (list) => list[Math.floor(next() * list.length)];
const pad = (value) => String(value).padStart(2, "0");

const CUSTOMERS = [
  "Café Zürich; Filiale 2",
  'Bäckerei "Zum Korn"',
  "O'Hara & Sons",
  "Müller GmbH",
  "Nordlys ApS",
  "Żabka Handel",
  "Atelier Lumière",
  "Taverna Ελιά",
  "東京商店",
  "Quinta do Vale, Lda.",
];
const CITIES = ["Zürich", "Köln", "Århus", "Łódź", "Genève", "Porto", "Αθήνα", "Dublin"];
const PRODUCTS = ["A-100", "A-205", "B-010", "B-330", "C-007", "C-415", "D-002"];
const NOTES = ["", "", "", "", "urgent", 'label "fragile"', "2 boxes; 1 crate", "call first\r\nthen deliver"];

const quoted = (text) => (/[";\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const lines = ["Orders export", "Period: 01/01/2024 - 31/12/2025; all branches", ""];
lines.push("order;postcode;customer;city;ordered;shipped_at;product;quantity;unit_price;discount;paid;note");
const start = Date.UTC(2024, 0, 1);
for (let i = 0; i < 4_200; i++) {
  const ordered = new Date(start + Math.floor(next() * 730) * 86_400_000);
  const shipped = new Date(ordered.getTime() + Math.floor(next() * 6 * 86_400) * 1000);
  const date = `${pad(ordered.getUTCDate())}/${pad(ordered.getUTCMonth() + 1)}/${ordered.getUTCFullYear()}`;
  const time = shipped.toISOString().slice(0, 19).replace("T", " ");
  lines.push(
    [
      100_000 + i,
      pad(Math.floor(next() * 100)) + pad(Math.floor(next() * 100)),
      quoted(pick(CUSTOMERS)),
      pick(CITIES),
      date,
      next() < 0.08 ? "" : time,
      pick(PRODUCTS),
      1 + Math.floor(next() * 40),
      (1 + next() * 250).toFixed(2),
      next() < 0.6 ? "" : (Math.floor(next() * 30) / 100).toFixed(2),
      next() < 0.9,
      quoted(pick(NOTES)),
    ].join(";"),
  );
}
writeFileSync(new URL("../examples/data/orders.csv", import.meta.url), `${lines.join("\r\n")}\r\n`);
