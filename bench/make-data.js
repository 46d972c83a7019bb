import { closeSync, existsSync, mkdirSync, openSync, renameSync, statSync, writeSync } from "node:fs";

/*
 * The benchmark's files: seeded, so that every run reads the same bytes. `numbers` is all numbers, `mixed` what
 * exports look like, `quotes` text whose every cell is quoted, many with doubled quotes, delimiters and line breaks; `wide` has 200 columns, a quarter
 * of them empty, `text` cells of a thousand characters, `nonascii` letters of many scripts.
 */

const DATA = new URL("./data/", import.meta.url);
const WORDS =
  "amber basin cedar delta ember fjord grove harbor island juniper kettle lagoon meadow north orchard prairie".split(
    " ",
  );

/** A small generator of reproducible numbers from 0 to 1 (mulberry32). */
export function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const KINDS = {
  numbers: {
    header: "id,count,price,ratio,x,y,z,total",
    record(next, i) {
      const price = (next() * 1000).toFixed(2);
      const count = Math.floor(next() * 500);
      const ratio = next().toFixed(6);
      const xyz = [next(), next(), next()].map((value) => ((value - 0.5) * 1e5).toFixed(3)).join(",");
      return `${i},${count},${price},${ratio},${xyz},${(count * Number(price)).toFixed(2)}`;
    },
  },
  mixed: {
    header: "id,name,email,city,active,amount,quantity,ratio,created,updated_at,code,note",
    record(next, i) {
      const word = () => WORDS[Math.floor(next() * WORDS.length)];
      const day = String(1 + Math.floor(next() * 28)).padStart(2, "0");
      const month = String(1 + Math.floor(next() * 12)).padStart(2, "0");
      const year = 2000 + Math.floor(next() * 25);
      const clock = [24, 60, 60].map((most) => String(Math.floor(next() * most)).padStart(2, "0")).join(":");
      const note = next() < 0.2 ? `"${word()}, ${word()} and ${word()}"` : `${word()} ${word()} ${word()}`;
      const amount = (next() * 10000).toFixed(2);
      const active = next() < 0.5;
      return [
        `${i},${word()} ${word()},${word()}${i}@${word()}.example,${word()},${active},${amount}`,
        `${Math.floor(next() * 100)},${next().toFixed(5)},${year}-${month}-${day}`,
        `${year}-${month}-${day} ${clock},${word().slice(0, 2).toUpperCase()}-${Math.floor(next() * 99999)},${note}`,
      ].join(",");
    },
  },
  quotes: {
    header: '"id","title","text","tags"',
    record(next, i) {
      const word = () => WORDS[Math.floor(next() * WORDS.length)];
      const said = next() < 0.5 ? `${word()} said ""${word()}"", then ${word()}` : `${word()}, ${word()}`;
      const breaks = next() < 0.1 ? `${word()}\n${word()}` : word();
      return `"${i}","${word()} ${word()}","${said} ${breaks} ${word()}","${word()};${word()}"`;
    },
  },
};

KINDS.wide = {
  header: ["id", ...Array.from({ length: 199 }, (_, i) => `c${i + 1}`)].join(","),
  record(next, i) {
    const cells = [i];
    for (let column = 1; column < 200; column++) {
      if (column % 4 === 0) cells.push(WORDS[Math.floor(next() * WORDS.length)]);
      else if (column % 4 === 1) cells.push(Math.floor(next() * 1000));
      else if (column % 4 === 2) cells.push((next() * 100).toFixed(2));
      else cells.push("");
    }
    return cells.join(",");
  },
};

KINDS.text = {
  header: "id,title,body",
  record(next, i) {
    const words = (count) =>
      Array.from({ length: count }, () => WORDS[Math.floor(next() * WORDS.length)]).join(" ");
    return `${i},${words(4)},"${words(60)}, ""${words(3)}"".\n${words(60)}"`;
  },
};

KINDS.nonascii = {
  header: "id,straße,città,日付,備考",
  record(next, i) {
    const pick = (list) => list[Math.floor(next() * list.length)];
    const street = pick(["Königsallee", "Große Bleichen", "Weißdornweg", "Ährenkamp"]);
    const city = pick(["Forlì", "Cantù", "Łódź", "Malmö", "Århus"]);
    const note = pick(["東京から", "大阪まで", "名古屋経由", "速達 😀"]);
    const day = String(1 + Math.floor(next() * 28)).padStart(2, "0");
    return `${i},${street} ${Math.floor(next() * 200)},${city},2024-05-${day},${note}${note}`;
  },
};

/** The column whose sum is compared, by kind of file. */
export const CHECKED = {
  numbers: { name: "total", index: 7 },
  mixed: { name: "amount", index: 5 },
  quotes: { name: "id", index: 0 },
  wide: { name: "c2", index: 2 },
  text: { name: "id", index: 0 },
  nonascii: { name: "id", index: 0 },
};

/** The kinds of files there are. */
export const kinds = Object.keys(KINDS);

/** Makes a file of about `megabytes` unless it is there, and returns its path. */
export function makeFile(kind, megabytes) {
  mkdirSync(DATA, { recursive: true });
  const path = new URL(`${kind}-${megabytes}mb.csv`, DATA).pathname;
  if (existsSync(path) && statSync(path).size > 0) return path;
  const { header, record } = KINDS[kind];
  const next = random(20260101);
  const partial = `${path}.part`;
  const file = openSync(partial, "w");
  let written = writeSync(file, `${header}\n`);
  let lines = [];
  for (let i = 1; written < megabytes * 1e6; i++) {
    lines.push(record(next, i));
    if (lines.length === 5000) {
      written += writeSync(file, `${lines.join("\n")}\n`);
      lines = [];
    }
  }
  if (lines.length > 0) writeSync(file, `${lines.join("\n")}\n`);
  closeSync(file);
  renameSync(partial, path);
  return path;
}
