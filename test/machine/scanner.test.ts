import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Dialect } from "../../src/machine/dialect.js";
import { Scanner, UNBOUNDED } from "../../src/machine/scanner.js";
import { cutAt, piecesOf } from "../support/cuts.js";
import { PLAIN_DIALECT, scenes } from "./dialects.js";
import { NaiveParser } from "./naive-parser.js";
import { type Drive, NO_LIMITS, scanAll } from "./scan-all.js";

const encode = (text: string) => new TextEncoder().encode(text);

/** The records of a text as lists of texts, with a mark before what is quoted (Q) or misplaced (M). */
function read(text: string, dialect: Partial<Dialect> = {}, drive: Partial<Drive> = {}): string[][] {
  const scanned = scanAll({ ...PLAIN_DIALECT, ...dialect }, { pieces: [encode(text)], ...drive });
  const marks = { plain: "", quoted: "Q:", misplaced: "M:" };
  return scanned.records.map((record) =>
    record.fields.map((field) => marks[field.form] + new TextDecoder().decode(Uint8Array.from(field.text))),
  );
}

describe("the scanner against the naive parser", () => {
  for (const engine of ["js", "wasm"] as const) {
    it(`agrees in any dialect, input and cuts (${engine})`, () => {
      fc.assert(
        fc.property(scenes, fc.boolean(), ({ dialect, input, cuts, blankRecords }, compact) => {
          const drive = { pieces: cutAt(input, cuts), engine, blankRecords, compact };
          const { faults, ...scanned } = scanAll(dialect, drive);
          expect(faults).toEqual([]);
          expect(scanned).toEqual(new NaiveParser(dialect, input).read(blankRecords));
        }),
        { numRuns: 3_000 },
      );
    });
  }

  it("agrees however few records or fields are asked for at a time", () => {
    const bound = fc.integer({ min: 1, max: 3 });
    fc.assert(
      fc.property(scenes, bound, bound, ({ dialect, input, cuts, blankRecords }, maxRecords, maxFields) => {
        const pieces = cutAt(input, cuts);
        const drive: Drive = { pieces, blankRecords, maxRecords, maxFields, compact: true };
        const { faults, ...scanned } = scanAll(dialect, drive);
        expect(faults).toEqual([]);
        expect(scanned).toEqual(new NaiveParser(dialect, input).read(blankRecords));
      }),
      { numRuns: 2_000 },
    );
  });

  it("finds the same records and faults in any cuts where records pass a limit", () => {
    const limits = fc.record({
      maxRecordSize: fc.integer({ min: 1, max: 8 }),
      maxColumns: fc.integer({ min: 1, max: 4 }),
    });
    fc.assert(
      fc.property(scenes, limits, ({ dialect, input, cuts, blankRecords }, bounds) => {
        const drive = { blankRecords, limits: bounds, compact: true };
        const whole = scanAll(dialect, { ...drive, pieces: [input] });
        expect(scanAll(dialect, { ...drive, pieces: cutAt(input, cuts) })).toEqual(whole);
        expect(scanAll(dialect, { ...drive, pieces: piecesOf(input, 1) })).toEqual(
          input.length === 0 ? scanAll(dialect, { ...drive, pieces: [] }) : whole,
        );
        for (const record of whole.records) {
          expect(record.end - record.start).toBeLessThanOrEqual(bounds.maxRecordSize);
          expect(record.fields.length).toBeLessThanOrEqual(bounds.maxColumns);
        }
        const all = new NaiveParser(dialect, input).read(blankRecords).records;
        const fits = all.filter(
          (record) =>
            record.end - record.start <= bounds.maxRecordSize && record.fields.length <= bounds.maxColumns,
        );
        expect(whole.records).toEqual(fits);
        const broken = all.filter((record) => !fits.includes(record));
        expect(whole.faults.map((fault) => [fault.recordStart, fault.line])).toEqual(
          broken.map((record) => [record.start, record.line]),
        );
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("work", () => {
  it("does not grow with the fields of the open record when bytes come one by one", () => {
    const scanner = new Scanner(PLAIN_DIALECT, NO_LIMITS, false, "js");
    let writes = 0;
    scanner.spans.starts = new Proxy(new Int32Array(256), {
      set(target, key, value) {
        writes++;
        return Reflect.set(target, key, value);
      },
      get: (target, key) => Reflect.get(target, key),
    });
    const bytes = encode("1,".repeat(200));
    for (let end = 1; end <= bytes.length; end++) {
      scanner.rebase(0);
      scanner.scan(bytes, end, false, UNBOUNDED, UNBOUNDED);
    }
    expect(scanner.openFields).toBe(200);
    expect(writes).toBe(200);
  });

  it("looks at no byte twice however the input is cut", () => {
    const bytes = encode('a,"b\nc",d\n'.repeat(100));
    let reads = 0;
    const counted = new Proxy(bytes, {
      get(target, key) {
        if (typeof key === "string" && /^\d+$/.test(key)) reads++;
        return Reflect.get(target, key);
      },
    });
    const scanner = new Scanner(PLAIN_DIALECT, NO_LIMITS, false, "js");
    for (let end = 1; end <= bytes.length; end++) {
      scanner.scan(counted, end, end === bytes.length, UNBOUNDED, UNBOUNDED);
    }
    // The table's read, and a second look at quotes and line ends.
    expect(reads).toBeLessThan(2 * bytes.length);
  });
});

describe("limits", () => {
  it("count no part of a delimiter, so that a cut inside one changes nothing", () => {
    const dialect = { ...PLAIN_DIALECT, delimiter: "aaaa" };
    const limits = { maxRecordSize: 4, maxColumns: 1 };
    for (const size of [1, 8]) {
      const { faults } = scanAll(dialect, { pieces: piecesOf(encode("aaaaaaaa"), size), limits });
      expect(faults).toEqual([{ code: "TOO_MANY_COLUMNS", line: 0, recordStart: 0, mixedLine: -1 }]);
    }
  });

  it("are passed after the odd line end before them has been told, wherever the input is cut", () => {
    const limits = { maxRecordSize: 5, maxColumns: 2 };
    for (const text of ["a\nb\rlong,long\n", "a\nb\r1,2,3\n", "a\nb\rlonglong"]) {
      for (const size of [1, 2, 3, text.length]) {
        const { faults } = scanAll(PLAIN_DIALECT, { pieces: piecesOf(encode(text), size), limits });
        expect(faults, `${text} by ${size}`).toMatchObject([{ mixedLine: 1, line: 2 }]);
      }
    }
  });

  it("are passed by the record they name, and the next one is whole again", () => {
    const limits = { maxRecordSize: 5, maxColumns: 2 };
    const { faults, records } = scanAll(PLAIN_DIALECT, {
      pieces: [encode('a,b\n"long\nlong",x\n1,2,3\nc,d\n')],
      limits,
    });
    expect(faults).toEqual([
      { code: "RECORD_TOO_LARGE", line: 1, recordStart: 4, mixedLine: -1 },
      { code: "TOO_MANY_COLUMNS", line: 3, recordStart: 18, mixedLine: -1 },
    ]);
    expect(records.map(({ line, start }) => [line, start])).toEqual([
      [0, 0],
      [4, 24],
    ]);
  });
});

describe("fields", () => {
  it("end at delimiters and line ends", () => {
    expect(read("a,b\n,\n1,\n")).toEqual([
      ["a", "b"],
      ["", ""],
      ["1", ""],
    ]);
  });

  it("need no line end after the last record", () => {
    expect(read("a,b")).toEqual([["a", "b"]]);
    expect(read("a,")).toEqual([["a", ""]]);
  });

  it("are none in an empty input, nor behind the last line end", () => {
    expect(read("")).toEqual([]);
    expect(read("\n")).toEqual([]);
    expect(read("a\n")).toEqual([["a"]]);
  });

  it("may have delimiters of up to four bytes", () => {
    expect(read("a||b|c||", { delimiter: "||" })).toEqual([["a", "b|c", ""]]);
    expect(read("a😈b", { delimiter: "😈" })).toEqual([["a", "b"]]);
  });

  it("end at the leftmost delimiter where it overlaps with itself", () => {
    expect(read("xaaaby", { delimiter: "aab" })).toEqual([["xa", "y"]]);
    expect(read("abaabab", { delimiter: "abab" })).toEqual([["aba", ""]]);
    expect(read("|||", { delimiter: "||" })).toEqual([["", "|"]]);
  });
});

describe("quotes", () => {
  it("count only where a field begins", () => {
    expect(read('a"b,c""\n5\'10",x\n')).toEqual([
      ['a"b', 'c""'],
      ["5'10\"", "x"],
    ]);
  });

  it("hold delimiters, line ends and doubled quotes", () => {
    expect(read('"a,b","c\r\nd","e""f"\n')).toEqual([["Q:a,b", "Q:c\r\nd", 'Q:e"f']]);
  });

  it("may be followed by spaces", () => {
    expect(read('"a"  ,"b" \n')).toEqual([["Q:a", "Q:b"]]);
  });

  it("are misplaced where text follows, which is kept as it stands", () => {
    expect(read('"a"b,"c""d" "e"\n')).toEqual([["M:ab", 'M:c"d "e"']]);
  });

  it("that never close run to the end", () => {
    const scanned = scanAll(PLAIN_DIALECT, { pieces: [encode('a\n"b,c\nd')] });
    expect(scanned.records[1]).toMatchObject({ unterminated: true, line: 1, start: 2, end: 8 });
    expect(read('a\n"b,c\nd')).toEqual([["a"], ["Q:b,c\nd"]]);
  });

  it("mean nothing in a dialect without them", () => {
    expect(read('"a,b"\n', { quote: null, escape: null })).toEqual([['"a', 'b"']]);
  });

  it("are layout behind spaces only where those are layout", () => {
    expect(read('a, "b, c"\n')).toEqual([["a", ' "b', ' c"']]);
    expect(read('a, "b, c"\n', { skipInitialSpace: true })).toEqual([["a", "Q:b, c"]]);
  });
});

describe("the backslash", () => {
  const backslash = { escape: "\\" };

  it("escapes quotes, itself and delimiters, inside quotes and outside", () => {
    expect(read('"a\\"b\\\\",c\\,d\n', backslash)).toEqual([['Q:a"b\\', "c,d"]]);
  });

  it("is text before anything else", () => {
    expect(read('C:\\temp,"\\n"\n', backslash)).toEqual([["C:\\temp", "Q:\\n"]]);
  });

  it("ends a field at the input's end", () => {
    expect(read("a\\", backslash)).toEqual([["a\\"]]);
    expect(read('"a\\', backslash)).toEqual([["Q:a\\"]]);
  });
});

describe("line ends", () => {
  it("are one class unless one is given", () => {
    expect(read("a\r\nb\nc\rd")).toEqual([["a"], ["b"], ["c"], ["d"]]);
  });

  it("given are obeyed exactly", () => {
    expect(read("a\rb\r\nc\nd\r\n", { newline: "\r\n", strictNewline: true })).toEqual([["a\rb"], ["c\nd"]]);
    expect(read("a\r\nb\n", { newline: "\n", strictNewline: true })).toEqual([["a\r"], ["b"]]);
    expect(read("a\nb\r\nc", { newline: "\r", strictNewline: true })).toEqual([["a\nb"], ["\nc"]]);
  });

  it("cut between CR and LF are one", () => {
    const pieces = [encode("a\r"), encode("\nb\r"), encode("\n")];
    const scanned = scanAll(PLAIN_DIALECT, { pieces });
    expect(scanned.records.map((record) => record.line)).toEqual([0, 1]);
    expect(scanned).toMatchObject({ newlines: { lf: 0, crlf: 2, cr: 0 }, mixedLine: -1 });
  });

  it("that differ are told with their line", () => {
    const scanned = scanAll(PLAIN_DIALECT, { pieces: [encode("a\r\nb\r\nc\nd\n")] });
    expect(scanned).toMatchObject({ newlines: { lf: 2, crlf: 2, cr: 0 }, mixedLine: 2 });
  });

  it("of blank lines are records only in a table of one column", () => {
    expect(read("a\n\n\nb\n")).toEqual([["a"], ["b"]]);
    expect(read("a\n\nb\n", {}, { blankRecords: true })).toEqual([["a"], [""], ["b"]]);
  });

  it("count as physical lines in quotes, comments and blanks", () => {
    const text = '"a\nb\r\nc\rd"\n\n#x\ne\n';
    const scanned = scanAll({ ...PLAIN_DIALECT, comment: "#" }, { pieces: [encode(text)] });
    expect(scanned.records.map((record) => record.line)).toEqual([0, 6]);
  });
});

describe("comments", () => {
  it("begin at the start of a line only", () => {
    expect(read('#a,b\na,#b\n "#c\n', { comment: "#" })).toEqual([["a", "#b"], [' "#c']]);
  });

  it("do not open quotes, and may end the input", () => {
    expect(read('a\n#"\nb\n#c', { comment: "#" })).toEqual([["a"], ["b"]]);
  });

  it("are as long as they like, wherever they are cut", () => {
    const dialect: Dialect = { ...PLAIN_DIALECT, comment: "#", newline: "\r\n", strictNewline: true };
    const pieces = ["#long long long", " long long\r", "\na\r\n"].map(encode);
    const scanned = scanAll(dialect, { pieces, compact: true, limits: { maxRecordSize: 4, maxColumns: 9 } });
    expect(scanned.faults).toEqual([]);
    expect(scanned.records).toMatchObject([{ line: 1 }]);
  });
});

describe("a CR that ends a line", () => {
  it("is counted as soon as the next byte shows that no LF belongs to it", () => {
    for (const engine of ["js", "wasm"] as const) {
      const scanner = new Scanner(PLAIN_DIALECT, NO_LIMITS, false, engine);
      const bytes = new TextEncoder().encode("a,b\rc");
      scanner.scan(bytes, 4, false, UNBOUNDED, UNBOUNDED);
      expect(scanner.newlines).toEqual({ lf: 0, crlf: 0, cr: 0 });
      scanner.scan(bytes, 5, false, UNBOUNDED, UNBOUNDED);
      expect(scanner.newlines).toEqual({ lf: 0, crlf: 0, cr: 1 });
    }
  });
});
