import { describe, expect, it } from "vitest";
import type { CsvError, Reject } from "../src/errors.js";
import { readCsv, sniffCsv } from "../src/index.js";
import type { CsvOptions } from "../src/options.js";
import type { SchemaChange, Sniff } from "../src/sniffer/sniff.js";
import { piecesOf } from "./support/cuts.js";
import { abortListeners, settle, unhandledRejectionsOf, WatchedSource } from "./support/watch.js";

const encode = (text: string) => new TextEncoder().encode(text);

/** Array rows of a text. */
async function rowsOf(text: string | Uint8Array, options: CsvOptions = {}): Promise<unknown[]> {
  return (await readCsv(text, { rowShape: "array", ...options }).toArray()) as unknown[];
}

/** Rows, rejects and the fault that ended them. */
async function outcomeOf(text: string, options: CsvOptions = {}) {
  const rejects: Reject[] = [];
  const rows: unknown[] = [];
  let error: CsvError | null = null;
  try {
    const onReject = (reject: Reject) => rejects.push(reject);
    for await (const row of readCsv(text, { rowShape: "array", ...options, onReject })) rows.push(row);
  } catch (fault) {
    error = fault as CsvError;
  }
  return { rows, rejects, error };
}

describe("sources", () => {
  const text = "a,b\n1,x\n2,é\n";
  const bytes = encode(text);
  const wanted = [
    { a: 1, b: "x" },
    { a: 2, b: "é" },
  ];
  async function* slowly() {
    for (const piece of piecesOf(bytes, 3)) {
      await settle();
      yield piece;
    }
  }
  const sources: Record<string, () => Parameters<typeof readCsv>[0]> = {
    text: () => text,
    bytes: () => bytes,
    "a Buffer": () => Buffer.from(bytes),
    "a view with an offset": () => encode(`!!!${text}`).subarray(3),
    "an ArrayBuffer": () => bytes.slice().buffer,
    "a DataView": () => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    "a Blob": () => new Blob([bytes]),
    "a File": () => new File([bytes], "table.csv"),
    "a Response": () => new Response(bytes),
    "a ReadableStream": () => new Blob([bytes]).stream(),
    "a list of chunks": () => [bytes.subarray(0, 5), new Uint8Array(0), text.slice(5)],
    "a generator": () => slowly(),
  };
  for (const [name, open] of Object.entries(sources)) {
    it(`may be ${name}`, async () => {
      expect(await readCsv(open()).toArray()).toEqual(wanted);
      expect((await sniffCsv(open())).columns.map((column) => column.type)).toEqual(["BIGINT", "VARCHAR"]);
    });
  }

  it("may be a Response without a body", async () => {
    expect(await readCsv(new Response(null)).toArray()).toEqual([]);
  });

  it("that are no sources are refused at once", () => {
    for (const source of [null, undefined, 5, {}] as never[]) {
      expect(() => readCsv(source)).toThrow(expect.objectContaining({ code: "INVALID_CHUNK" }));
    }
  });

  it("that are easily taken for sources are refused with what to pass instead", () => {
    const handle = { createReadStream: () => {} };
    const taken: [unknown, string][] = [
      [Promise.resolve("a"), "a Promise. Await the promise"],
      [new URL("https://example.org/a.csv"), "a URL. Fetch the URL"],
      [handle, "an object. Pass the file handle's createReadStream()"],
      [5, "a number. Pass text, bytes"],
    ];
    for (const [source, message] of taken) expect(() => readCsv(source as never)).toThrow(message);
  });

  it("may not give chunks of other kinds", async () => {
    const rows = readCsv([5] as never);
    await expect(rows.next()).rejects.toMatchObject({ code: "INVALID_CHUNK" });
  });

  it("may cut a surrogate pair", async () => {
    expect(await readCsv(["a\n\ud83d", "", "\ude00\n"]).toArray()).toEqual([{ a: "😀" }]);
  });

  it("are read no further than rows are asked for", async () => {
    const source = new WatchedSource(piecesOf(encode(`a,b\n${"1,2\n".repeat(200_000)}`), 1 << 14));
    const rows = readCsv(source.stream, { sampleRows: 100 });
    await rows.next();
    const pulled = source.pulled;
    await settle();
    expect(source.pulled).toBe(pulled);
    expect(pulled).toBeLessThanOrEqual(2);
    await rows.return();
  });

  it("are left as they were", async () => {
    const chunks = piecesOf(encode('a,b\n"x""y",1\n'), 4);
    const before = chunks.map((chunk) => chunk.slice());
    await readCsv(chunks).toArray();
    expect(chunks).toEqual(before);
  });
});

describe("lines left out above the table", () => {
  it("may be more than the sample holds", async () => {
    const text = `${"x\n".repeat(50)}a,b\n1,2\n`;
    expect(await readCsv(text, { skipLines: 50, sampleRows: 5 }).toArray()).toEqual([{ a: 1, b: 2 }]);
    await expect(readCsv(text, { skipLines: 50, sampleBytes: 20 }).toArray()).rejects.toMatchObject({
      code: "EMPTY_SAMPLE",
    });
  });
});

describe("a stray quote", () => {
  const read = (text: string, options = {}) =>
    readCsv(text, {
      header: true,
      types: false,
      rowShape: "array",
      quote: '"',
      delimiter: ",",
      strictness: "lenient",
      ...options,
    });

  it("is text where it would swallow delimiters or line breaks, by wish", async () => {
    const text = 'a,b,c\n1,"x,"y, z, w"\n2,p,"\n3,q,"r"\n4,"s",t\n';
    expect(await read(text).toArray()).toEqual([
      ["1", '"x', "y, z, w"],
      ["2", "p", '"'],
      ["3", "q", "r"],
      ["4", "s", "t"],
    ]);
    await expect(read(text, { strictness: "normal" }).toArray()).rejects.toMatchObject({
      code: "TEXT_AFTER_QUOTE",
    });
  });

  it("is text where it is never closed", async () => {
    const rows = await read('a,b\n1,"x\n2,y\n3,z\n').toArray();
    expect(rows).toEqual([
      ["1", '"x'],
      ["2", "y"],
      ["3", "z"],
    ]);
  });

  it("leaves a record as it is where that gives no table", async () => {
    expect(await read('a,b\n1,"x" y\n').toArray()).toEqual([["1", "x y"]]);
    expect(await read('a,b\n1,"x,y" z\n').toArray()).toEqual([["1", "x,y z"]]);
    expect(await read('a,b\n1,"x\n2,y,z').toArray()).toEqual([["1", "x\n2,y,z"]]);
  });

  it("does not make the numbers of the records behind it wrong", async () => {
    const numbers: number[] = [];
    const rejects = { onError: "reject", onReject: ({ record }: { record: number }) => numbers.push(record) };
    const rows = await read('a,b\n1,"x\n2,"y"\n3,z,z\n4,u\n5\n', rejects).toArray();
    expect(rows).toEqual([
      ["1", '"x'],
      ["2", "y"],
      ["4", "u"],
    ]);
    expect(numbers).toEqual([3, 5]);
  });
});

describe("sniffing a source", () => {
  it("reads the sample alone, and releases the source", async () => {
    const source = new WatchedSource(piecesOf(encode(`a,b\n${"1,2\n".repeat(100_000)}`), 1_000), false);
    const sniff = await sniffCsv(source.stream, { sampleRows: 50 });
    expect(sniff.sample).toMatchObject({ records: 50, complete: false });
    expect(source.pulled).toBe(1);
    expect(source.cancelled).toBe(true);
    expect(source.stream.locked).toBe(false);
  });

  it("takes what has come when its time is over", async () => {
    const source = new WatchedSource([encode("a,b\n1,2\n")], false);
    const sniff = await sniffCsv(source.stream, { sampleTimeout: 20 });
    expect(sniff.sample).toMatchObject({ records: 1, complete: false });
    expect(source.cancelled).toBe(true);
  });

  it("gives what is itself an option and leads to the same rows", async () => {
    const text = "x;y;z\n1,5;01/02/2020;a\n2,5;21/02/2020;b\n";
    const options = { decimalSeparator: "," };
    const sniff = await sniffCsv(text, options);
    const again = readCsv(text, { ...options, sniffed: JSON.parse(JSON.stringify(sniff)) });
    expect(await again.toArray()).toEqual(await readCsv(text, options).toArray());
    expect(await again.sniffed).toEqual(sniff);
  });

  it("says how cells are read, so that it leads to the same rows without the options", async () => {
    const text = 'n;ok;when;s\n1.234,5;ja;n/a;""\n-;nein;01/02/2020;x\n';
    const options: CsvOptions = {
      nullValues: ["n/a", "-"],
      trueValues: ["ja"],
      falseValues: ["nein"],
      decimalSeparator: ",",
      thousandsSeparator: ".",
      quotedEmpty: "string",
    };
    const expected = await readCsv(text, options).toArray();
    expect(expected[0]).toEqual({ n: 1234.5, ok: true, when: null, s: "" });
    const sniffed = JSON.parse(JSON.stringify(await sniffCsv(text, options)));
    expect(sniffed.cells).toEqual({ ...options, quotedAsText: false });
    expect(await readCsv(text, { sniffed }).toArray()).toEqual(expected);
    expect(await readCsv(text, { onSniff: () => ({ sniffed }) }).toArray()).toEqual(expected);
    // What is said beside it goes before, and the result tells so.
    const otherwise = readCsv(text, { sniffed, nullValues: ["n/a"], onTypeMismatch: "null" });
    expect(await otherwise.toArray()).toEqual(expected);
    expect((await otherwise.sniffed).cells).toEqual({ ...sniffed.cells, nullValues: ["n/a"] });
    // A sniff of an earlier version says nothing of them.
    const { cells: _, ...older } = sniffed;
    await expect(readCsv(text, { sniffed: older }).toArray()).rejects.toMatchObject({
      code: "TYPE_MISMATCH",
    });
    expect(await readCsv(text, { ...options, sniffed: older }).toArray()).toEqual(expected);
  });

  it("refuses what is no reading of cells in a sniff that is given, and says where", async () => {
    const sniff = await sniffCsv("a\n1\n");
    const given = (cells: unknown) => () => readCsv("a\n1\n", { sniffed: { ...sniff, cells } as Sniff });
    expect(given(3)).toThrow(/sniffed\.cells /);
    expect(given({ ...sniff.cells, nullValues: "x" })).toThrow(/sniffed\.cells\.nullValues/);
    expect(given({ ...sniff.cells, decimalSeparator: ",,," })).toThrow(/sniffed\.cells\.decimalSeparator/);
  });

  it("is skipped where an earlier sniff is given", async () => {
    const sniff = await sniffCsv("a,b\n1,2\n");
    const source = new WatchedSource([encode("a,b\n1,"), encode("2\nx"), encode(",4\n")]);
    const rows = readCsv(source.stream, { sniffed: sniff });
    // Sniffed anew, the column would be text; and no more than the first chunk is needed to begin.
    await rows.sniffed;
    expect(source.pulled).toBe(1);
    expect(await rows.next()).toEqual({ value: { a: 1, b: 2 }, done: false });
    await expect(rows.next()).rejects.toMatchObject({ code: "TYPE_MISMATCH", value: "x", line: 3 });
  });

  it("is sniffed again by what onSniff returns", async () => {
    const text = "zip;city\n01234;Oslo\n5678;Bergen\n";
    const seen: string[] = [];
    const rows = readCsv(text, {
      onSniff: ({ columns }) => {
        seen.push(columns.map(({ type }) => type).join());
        return { types: { zip: "VARCHAR" }, names: ["plz", "city"], header: true };
      },
    });
    await expect(rows.toArray()).rejects.toMatchObject({ code: "UNKNOWN_COLUMN" });
    const good = readCsv(text, { onSniff: () => ({ types: { plz: "VARCHAR" }, names: ["plz", "city"] }) });
    expect((await good.sniffed).columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
      "plz VARCHAR",
      "city VARCHAR",
    ]);
    expect(await good.toArray()).toEqual([
      { plz: "01234", city: "Oslo" },
      { plz: "5678", city: "Bergen" },
    ]);
    const piped = readCsv("a|b;c\n1|2;3\n", { onSniff: () => ({ delimiter: "|", nullValues: ["2;3"] }) });
    expect(await piped.toArray()).toEqual([{ a: 1, "b;c": null }]);
    const sniffed = await sniffCsv("a;b\n1;2\n");
    const other = readCsv("a,b\n1,2\n", { onSniff: () => ({ sniffed }) });
    await expect(other.toArray()).rejects.toMatchObject({ code: "TOO_FEW_FIELDS" });
    expect(seen).toEqual(["VARCHAR,VARCHAR"]);
  });

  it("refuses what onSniff may not return, and ignores what nobody meant", async () => {
    const returns = (value: unknown, options = {}) =>
      readCsv("a\n1\n", { ...options, onSniff: () => value as never }).toArray();
    for (const ignored of [undefined, null, 3, "delimiter", Promise.resolve({ delimiter: "|" }), {}]) {
      expect(await returns(ignored)).toEqual([{ a: 1 }]);
    }
    for (const refused of [{ limit: 1 }, { encoding: "utf-8" }, { delimeter: "," }, { header: 1 }]) {
      await expect(returns(refused)).rejects.toMatchObject({ code: "INVALID_OPTION" });
    }
    const sniffed = await sniffCsv("a\n1\n");
    await expect(returns({ types: false }, { sniffed })).rejects.toMatchObject({ code: "INVALID_OPTION" });
  });

  it("gives its result once, before the first row", async () => {
    const order: string[] = [];
    const rows = readCsv("a\n1\n2\n", {
      onSniff: (sniff) => {
        order.push(sniff.columns[0].name);
      },
    });
    for await (const row of rows) order.push(String(row.a));
    expect(order).toEqual(["a", "1", "2"]);
  });
});

describe("values that break their column's type", () => {
  const text = `a,b\n${"1,x\n".repeat(3)}oops,y\n2,z\n`;
  const options = { sampleRows: 2, header: true };

  it("stop the rows, by default, once those before them are given", async () => {
    const { rows, error } = await outcomeOf(text, options);
    expect(rows).toEqual(Array.from({ length: 3 }, () => [1, "x"]));
    expect(error).toMatchObject({
      code: "TYPE_MISMATCH",
      record: 4,
      line: 5,
      byteOffset: 16,
      column: "a",
      expected: "BIGINT",
      value: "oops",
    });
    expect(error?.message).toContain(
      '"oops" is no BIGINT (line 5, record 4, column "a", byte 16). Give the column\'s type',
    );
    for (const types of [["BIGINT"] as const, { a: "BIGINT" } as const]) {
      const given = await outcomeOf(text, { ...options, types });
      expect(given.error?.hint).toMatch(/^Give the column another type, or choose onTypeMismatch/);
    }
    expect(error?.message).toContain("onTypeMismatch: 'reject', 'null' or 'widen'");
  });

  it('are set aside with "reject"', async () => {
    const { rows, rejects } = await outcomeOf(text, { ...options, onTypeMismatch: "reject" });
    expect(rows).toEqual([...Array.from({ length: 3 }, () => [1, "x"]), [2, "z"]]);
    expect(rejects).toEqual([
      {
        code: "TYPE_MISMATCH",
        message: expect.stringContaining("oops"),
        record: 4,
        line: 5,
        byteOffset: 16,
        column: "a",
        expected: "BIGINT",
        value: "oops",
        raw: "oops,y",
        fields: ["oops", "y"],
      },
    ]);
  });

  it('are missing with "null", with one warning a column', async () => {
    const warnings: unknown[] = [];
    const more = `${text}again,x\n`;
    const rows = await rowsOf(more, {
      ...options,
      onTypeMismatch: "null",
      onWarning: (warning) => warnings.push(warning),
    });
    expect(rows.slice(3)).toEqual([
      [null, "y"],
      [2, "z"],
      [null, "x"],
    ]);
    expect(warnings).toEqual([
      { code: "TYPE_MISMATCH", message: expect.stringContaining("read as null"), line: 5, column: "a" },
    ]);
  });

  it('widen their column with "widen", and the rows before keep their values', async () => {
    const order: unknown[] = [];
    const onSchema = ({ row, column, from, to }: SchemaChange) => order.push({ row, column, from, to });
    for await (const row of readCsv("a\n1\n2\n2.5\nx\n3\n", {
      sampleRows: 1,
      header: true,
      onTypeMismatch: "widen",
      onSchema,
    })) {
      order.push(row.a);
    }
    expect(order).toEqual([
      1,
      2,
      { row: 3, column: "a", from: "BIGINT", to: "DOUBLE" },
      2.5,
      { row: 4, column: "a", from: "DOUBLE", to: "VARCHAR" },
      "x",
      "3",
    ]);
  });

  it("widen a date to a timestamp, and a column that was empty to its first value's type", async () => {
    const rows = await rowsOf("d,e\n2020-01-01,\n2020-01-02 03:04:05,7\n2020-01-03 00:00:00,8\n", {
      sampleRows: 1,
      header: true,
      onTypeMismatch: "widen",
    });
    expect(rows).toEqual([
      [new Date(Date.UTC(2020, 0, 1)), null],
      [new Date(Date.UTC(2020, 0, 2, 3, 4, 5)), 7],
      [new Date(Date.UTC(2020, 0, 3)), 8],
    ]);
  });

  it("follow onError where nothing else is said", async () => {
    const { rows, rejects } = await outcomeOf(text, { ...options, onError: "reject" });
    expect([rows.length, rejects.length]).toEqual([4, 1]);
  });
});

describe("records that do not fit", () => {
  it("are told with their place, a mark at the start and lines above counted", async () => {
    const text = '\ufeff# note\nReport\n\nname,size\n"a\nb",1\n\nc\nd,2\n';
    const { rejects, rows } = await outcomeOf(text, {
      skipLines: 3,
      comment: "#",
      delimiter: ",",
      header: true,
      onError: "reject",
    });
    expect(rows).toEqual([
      ["a\nb", 1],
      ["d", 2],
    ]);
    expect(rejects).toMatchObject([
      { code: "TOO_FEW_FIELDS", record: 2, line: 8, byteOffset: 37, raw: "c", expected: 2, found: 1 },
    ]);
    const at = encode(text).subarray(37, 38);
    expect(new TextDecoder().decode(at)).toBe("c");
  });

  it("come in the input's order, whatever is wrong with them", async () => {
    const text = 'a,b\n1,2\nx,3\n4\n5,6,7\n8,"9"z\n10,11\n';
    const { rejects, rows } = await outcomeOf(text, {
      types: ["BIGINT", "BIGINT"],
      quote: '"',
      onError: "reject",
    });
    expect(rows).toEqual([
      [1, 2],
      [10, 11],
    ]);
    expect(rejects.map(({ code, record, line, raw }) => [code, record, line, raw])).toEqual([
      ["TYPE_MISMATCH", 2, 3, "x,3"],
      ["TOO_FEW_FIELDS", 3, 4, "4"],
      ["TOO_MANY_FIELDS", 4, 5, "5,6,7"],
      ["TEXT_AFTER_QUOTE", 5, 6, '8,"9"z'],
    ]);
  });

  it("are rejected before the fault that no option lets pass", async () => {
    const text = "a,b\n1\n1,2\r\n";
    const options: CsvOptions = { delimiter: ",", header: true, strictness: "strict", onError: "reject" };
    const { rejects, error, rows } = await outcomeOf(text, { ...options, batchRows: 1 });
    expect(error).toMatchObject({ code: "MIXED_NEWLINES", line: 3 });
    expect(rows).toEqual([[1, 2]]);
    expect(rejects).toMatchObject([{ code: "TOO_FEW_FIELDS", record: 1 }]);
    const lone = await outcomeOf("a,b\n1\r\n", options);
    expect(lone.error).toMatchObject({ code: "MIXED_NEWLINES", line: 2 });
    expect(lone.rejects).toMatchObject([{ code: "TOO_FEW_FIELDS", record: 1 }]);
  });

  it("may be padded, or cut", async () => {
    const text = "a,b,c\n1,2,3\n4\n5,6,7,8\n9,10,11\n";
    const options = { header: true, delimiter: "," } as const;
    expect(await rowsOf(text, { ...options, nullPadding: true, extraFields: "drop" })).toEqual([
      [1, 2, 3],
      [4, null, null],
      [5, 6, 7],
      [9, 10, 11],
    ]);
    expect((await outcomeOf(text, { ...options, nullPadding: true })).error).toMatchObject({
      code: "TOO_MANY_FIELDS",
      record: 3,
    });
    expect((await outcomeOf(text, { ...options, extraFields: "drop" })).error).toMatchObject({
      code: "TOO_FEW_FIELDS",
      record: 2,
    });
  });

  it("may end in one delimiter too many where that is layout", async () => {
    expect(await rowsOf("a,b\n1,2,\n3,4,\n", { header: true })).toEqual([
      [1, 2],
      [3, 4],
    ]);
    const { error } = await outcomeOf("a,b\n1,2\n3,4,\n5,6\n", { header: true });
    expect(error).toMatchObject({ code: "TOO_MANY_FIELDS", record: 2 });
    expect(
      await rowsOf("a,b\n1,2\n3,4,\n5,6\n", { header: true, ignoreTrailingDelimiter: true }),
    ).toHaveLength(3);
  });

  it("larger than allowed leave the next one whole", async () => {
    const text = `a,b\n1,x\n2,${"y".repeat(50)}\n3,z\n`;
    const { rows, rejects } = await outcomeOf(text, { maxRecordSize: 20, onError: "reject", header: true });
    expect(rows).toEqual([
      [1, "x"],
      [3, "z"],
    ]);
    expect(rejects).toMatchObject([
      { code: "RECORD_TOO_LARGE", record: 2, line: 3, byteOffset: 8, limit: 20, raw: `2,${"y".repeat(18)}` },
    ]);
  });

  it("that no encoding explains are told where they are", async () => {
    const bytes = Uint8Array.of(...encode('a,b\nx,1\n"p\nq'), 0xff, ...encode('",2\ny,3\n'));
    const rejects: Reject[] = [];
    const rows = await rowsOf(bytes, {
      encoding: "utf-8",
      onError: "reject",
      onReject: (reject) => rejects.push(reject),
    });
    expect(rows).toEqual([
      ["x", 1],
      ["y", 3],
    ]);
    expect(rejects).toMatchObject([
      { code: "INVALID_ENCODING", record: 2, line: 4, byteOffset: 8, column: "a" },
    ]);
    const options: CsvOptions = { encoding: "utf-8", rowShape: "array" };
    await expect(readCsv(bytes, options).toArray()).rejects.toMatchObject({ line: 4, byteOffset: 12 });
    expect(await rowsOf(bytes, { encoding: "utf-8", fatal: false })).toContainEqual(["p\nq\ufffd", 2]);
  });
});

describe("halves of a character in neighbouring records", () => {
  const bytes = Uint8Array.of(...encode("a,b\nx"), 0xc3, ...encode(",1\n"), 0xa9, ...encode("y,2\n"));

  it("are two faults, and not put together", async () => {
    const rejects: Reject[] = [];
    const options: CsvOptions = { encoding: "utf-8", header: true, onError: "reject" };
    expect(await rowsOf(bytes, { ...options, onReject: (reject) => rejects.push(reject) })).toEqual([]);
    expect(rejects.map(({ code, record }) => [code, record])).toEqual([
      ["INVALID_ENCODING", 1],
      ["INVALID_ENCODING", 2],
    ]);
    expect(await rowsOf(bytes, { ...options, fatal: false })).toEqual([
      ["x\ufffd", 1],
      ["\ufffdy", 2],
    ]);
  });
});

describe("what a cell is", () => {
  it("is missing where it is empty, quoted or not", async () => {
    expect(await rowsOf('a,b\n,x\n"",y\nz,\n')).toEqual([
      [null, "x"],
      [null, "y"],
      ["z", null],
    ]);
  });

  it("is the empty text in quotes by wish", async () => {
    expect(await rowsOf('a,b\n,x\n"",y\n', { quotedEmpty: "string" })).toEqual([
      [null, "x"],
      ["", "y"],
    ]);
  });

  it("is missing where the caller's texts say so, and empty is then text", async () => {
    const text = "a,b\n1,NULL\nn/a,x\n2,\n";
    const rows = await rowsOf(text, { nullValues: ["NULL", "n/a"] });
    expect(rows).toEqual([
      [1, null],
      [null, "x"],
      [2, ""],
    ]);
  });

  it("is text in quotes by wish", async () => {
    expect(await rowsOf('a,b\n"1",2\n"3",4\n', { quotedAsText: true })).toEqual([
      ["1", 2],
      ["3", 4],
    ]);
  });

  it("is true and false in the caller's words alone", async () => {
    const rows = await rowsOf("a,b\nyes,true\nno,false\n", { trueValues: ["yes"], falseValues: ["no"] });
    expect(rows).toEqual([
      [true, "true"],
      [false, "false"],
    ]);
  });

  it("is a whole number of one JavaScript type", async () => {
    const small = "a\n1\n2\n";
    const large = "a\n9007199254740993\n2\n";
    expect(await rowsOf(small)).toEqual([[1], [2]]);
    expect(await rowsOf(small, { bigint: "always" })).toEqual([[1n], [2n]]);
    expect(await rowsOf(large)).toEqual([[9007199254740993n], [2n]]);
    expect(await rowsOf(large, { bigint: "never" })).toEqual([["9007199254740993"], ["2"]]);
    const late = await outcomeOf(`a\n${"1\n".repeat(9)}9007199254740993\n`, { sampleRows: 3 });
    expect(late.error).toMatchObject({ code: "TYPE_MISMATCH", record: 10, value: "9007199254740993" });
  });

  it("is a date in UTC, or ISO text with every digit", async () => {
    const text = "d,t,z\n2024-01-31,2024-01-31 10:11:12.123456,2024-01-31T10:00:00+02:00\n";
    expect(await rowsOf(text)).toEqual([
      [
        new Date(Date.UTC(2024, 0, 31)),
        new Date(Date.UTC(2024, 0, 31, 10, 11, 12, 123)),
        new Date(Date.UTC(2024, 0, 31, 8)),
      ],
    ]);
    expect(await rowsOf(text, { dates: "string" })).toEqual([
      ["2024-01-31", "2024-01-31T10:11:12.123456", "2024-01-31T08:00:00Z"],
    ]);
  });

  it("keeps the spaces of text, and not those around numbers", async () => {
    expect(await rowsOf("a,b\n 1 , x \n2,y\n", { skipInitialSpace: false })).toEqual([
      [1, " x "],
      [2, "y"],
    ]);
  });
});

describe("records without values", () => {
  const text = "a,b\n1,2\n\n,\n3,4\n";

  it("are skipped where the line is blank", async () => {
    expect(await rowsOf(text)).toEqual([
      [1, 2],
      [null, null],
      [3, 4],
    ]);
  });

  it("are skipped, all of them, by wish", async () => {
    expect(await rowsOf(text, { skipEmptyRecords: "all-null" })).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it("are records, by wish", async () => {
    const { rejects, rows } = await outcomeOf(text, { skipEmptyRecords: false, onError: "reject" });
    expect(rows).toHaveLength(3);
    expect(rejects).toMatchObject([{ code: "TOO_FEW_FIELDS", record: 2, line: 3, raw: "", byteOffset: 8 }]);
  });

  it("are values in a table of one column", async () => {
    expect(await rowsOf("a\n1\n\n2\n")).toEqual([[1], [null], [2]]);
  });
});

describe("a limit", () => {
  it("ends the rows, and releases the source", async () => {
    const source = new WatchedSource([encode("a,b\n1,2\n3,4\n"), encode("5,6\n")], false);
    expect(await readCsv(source.stream, { limit: 2, sampleRows: 1 }).toArray()).toHaveLength(2);
    expect(source.cancelled).toBe(true);
  });

  it("of none gives none, but the sniff", async () => {
    const rows = readCsv("a\n1\n", { limit: 0 });
    expect((await rows.sniffed).columns).toHaveLength(1);
    expect(await rows.toArray()).toEqual([]);
  });

  it("does not look at what follows it", async () => {
    const { rows, error, rejects } = await outcomeOf("a,b\n1,2\n3\n", {
      limit: 1,
      header: true,
      delimiter: ",",
    });
    expect({ rows, error, rejects }).toEqual({ rows: [[1, 2]], error: null, rejects: [] });
    const changes: SchemaChange[] = [];
    const options = { limit: 1, sampleRows: 1, header: true } as const;
    const widening = readCsv("a\n1\nx\n", {
      ...options,
      onTypeMismatch: "widen",
      onSchema: (change) => changes.push(change),
    });
    expect(await widening.toArray()).toEqual([{ a: 1 }]);
    expect(changes).toEqual([]);
  });

  it("warns of no value that it keeps from the rows", async () => {
    const warnings: unknown[] = [];
    const options: CsvOptions = { limit: 1, sampleRows: 1, header: true, onTypeMismatch: "null" };
    const onWarning = (warning: object) => warnings.push(warning);
    expect(await rowsOf("a\n1\nx\n", { ...options, onWarning })).toEqual([[1]]);
    expect(warnings).toEqual([]);
  });

  it("counts rows, not rejects", async () => {
    const options: CsvOptions = { limit: 2, onError: "reject", header: true, delimiter: "," };
    const { rows, rejects } = await outcomeOf("a,b\n1\n1,2\n3\n3,4\n5\n", options);
    expect(rows).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(rejects.map((reject) => reject.record)).toEqual([1, 3]);
  });
});

describe("leaving", () => {
  const many = encode(`a,b\n${"1,2\n".repeat(30_000)}`);

  it("releases the source by break, with nobody left to reject", async () => {
    const unhandled = await unhandledRejectionsOf(async () => {
      const source = new WatchedSource([many], false);
      for await (const _ of readCsv(source.stream)) break;
      expect(source.cancelled).toBe(true);
    });
    expect(unhandled).toEqual([]);
  });

  it("runs a generator's finally", async () => {
    let released = false;
    async function* chunks() {
      try {
        for (;;) yield many;
      } finally {
        released = true;
      }
    }
    for await (const _ of readCsv(chunks())) break;
    expect(released).toBe(true);
  });

  it("releases the source on a fault", async () => {
    const source = new WatchedSource([encode("a,b\n1,2\n3\n4,5\n")], false);
    await expect(
      readCsv(source.stream, { sampleBytes: 4, header: true, delimiter: "," }).toArray(),
    ).rejects.toMatchObject({
      code: "TOO_FEW_FIELDS",
    });
    expect(source.cancelled).toBe(true);
    expect(source.cancelReason).toMatchObject({ code: "TOO_FEW_FIELDS" });
  });

  it("ends what is under way", async () => {
    const unhandled = await unhandledRejectionsOf(async () => {
      const rows = readCsv(new WatchedSource([], false).stream);
      const waiting = rows.next();
      await settle();
      await rows.return();
      await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
      expect(await rows.next()).toEqual({ value: undefined, done: true });
    });
    expect(unhandled).toEqual([]);
  });

  it("waits for no source that is stuck", async () => {
    let isReleased = false;
    async function* stuck() {
      try {
        yield "a\n1\n";
        await new Promise(() => {});
      } finally {
        isReleased = true;
      }
    }
    const rows = readCsv(stuck());
    const waiting = rows.next();
    await settle();
    expect(await rows.return()).toEqual({ value: undefined, done: true });
    await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
    // It can't be released before it answers.
    expect(isReleased).toBe(false);
  });

  it("passes on what the source fails with", async () => {
    async function* failing() {
      yield encode("a\n1\n");
      throw new RangeError("the disk is gone");
    }
    const rows = readCsv(failing());
    await expect(rows.toArray()).rejects.toThrow(new RangeError("the disk is gone"));
    await expect(readCsv(failing()).sniffed).rejects.toThrow("the disk is gone");
  });

  it("gives the rows before the source's failure", async () => {
    async function* failing() {
      yield encode("a\n1\n2\n3\n");
      throw new RangeError("the disk is gone");
    }
    const rows = readCsv(failing(), { sampleRows: 1, header: true });
    expect((await rows.next()).value).toEqual({ a: 1 });
    expect((await rows.next()).value).toEqual({ a: 2 });
    expect((await rows.next()).value).toEqual({ a: 3 });
    await expect(rows.next()).rejects.toThrow("the disk is gone");
  });
});

describe("a signal", () => {
  const many = encode(`a,b\n${"1,2\n".repeat(30_000)}`);

  it("that has aborted before refuses everything with its reason", async () => {
    const unhandled = await unhandledRejectionsOf(async () => {
      const reason = new Error("too late");
      const source = new WatchedSource([many], false);
      const rows = readCsv(source.stream, { signal: AbortSignal.abort(reason) });
      await expect(rows.next()).rejects.toBe(reason);
      await expect(rows.sniffed).rejects.toBe(reason);
      expect(source.cancelled).toBe(true);
      expect(source.pulled).toBe(0);
    });
    expect(unhandled).toEqual([]);
  });

  it("gives no row after it has aborted, though rows lie ready", async () => {
    const controller = new AbortController();
    const rows = readCsv(many, { signal: controller.signal });
    await rows.next();
    controller.abort("why");
    await expect(rows.next()).rejects.toBe("why");
    await expect(rows.next()).rejects.toBe("why");
    expect(rows.rowsEmitted).toBe(1);
  });

  it("may abort between a call and its answer", async () => {
    const controller = new AbortController();
    const rows = readCsv(many, { signal: controller.signal });
    const first = rows.next();
    controller.abort("why");
    await expect(first).rejects.toBe("why");
  });

  it("is not listened to any more after the end, a fault, a break or an abort", async () => {
    const scenes: ((signal: AbortSignal) => Promise<unknown>)[] = [
      (signal) => readCsv("a\n1\n", { signal }).toArray(),
      (signal) => readCsv("a\n1\n", { signal, limit: 0 }).toArray(),
      (signal) =>
        readCsv("a,b\n1,2\n3\n", { signal, header: true, delimiter: "," })
          .toArray()
          .catch(() => {}),
      (signal) => sniffCsv("a\n1\n", { signal }),
      async (signal) => {
        for await (const _ of readCsv(many, { signal })) break;
      },
    ];
    for (const scene of scenes) {
      const { signal } = new AbortController();
      await scene(signal);
      expect(abortListeners(signal)).toBe(0);
    }
  });
});

describe("text outputs", () => {
  it("are lines", async () => {
    const text = 'a,b\n1,"x, ""y"""\n,\n';
    expect(await rowsOf(text, { output: "ndjson" })).toEqual([
      '{"a":1,"b":"x, \\"y\\""}',
      '{"a":null,"b":null}',
    ]);
    expect(await rowsOf(text, { output: "csv" })).toEqual(["a,b", '1,"x, ""y"""', ","]);
  });

  it("of a table without rows are its header alone", async () => {
    expect(await rowsOf("a,b\n", { output: "csv", header: true })).toEqual(["a,b"]);
    expect(await rowsOf("", { output: "csv" })).toEqual([]);
  });
});

describe("what has been read", () => {
  it("is counted", async () => {
    const rows = readCsv("a\n1\n2\n");
    expect([rows.bytesRead, rows.rowsEmitted]).toEqual([0, 0]);
    await rows.next();
    expect([rows.bytesRead, rows.rowsEmitted]).toEqual([6, 1]);
  });

  it("comes in order when several calls are made at once", async () => {
    const rows = readCsv(piecesOf(encode("a\n1\n2\n3\n"), 1));
    const answers = await Promise.all([rows.next(), rows.next(), rows.next(), rows.next(), rows.sniffed]);
    expect(answers.slice(0, 4).map((answer) => (answer as IteratorResult<{ a: number }>).value?.a)).toEqual([
      1,
      2,
      3,
      undefined,
    ]);
  });
});
