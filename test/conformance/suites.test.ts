import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import type { Reject } from "../../src/errors.js";
import { readCsv } from "../../src/index.js";
import { type CsvOptions, resolveOptions } from "../../src/options.js";

const require = createRequire(import.meta.url);
type Spectrum = { name: string; csv: Buffer; json: Buffer }[];
const spectrum = await new Promise<Spectrum>((resolve, reject) => {
  require("csv-spectrum")((error: Error | null, items: Spectrum) =>
    error === null ? resolve(items) : reject(error),
  );
});

describe("csv-spectrum", () => {
  it("is all there", () => {
    expect(spectrum).toHaveLength(12);
  });

  for (const { name, csv, json } of spectrum) {
    it(name, async () => {
      // One of them holds its only row without a list around it.
      const wanted = [JSON.parse(String(json))].flat();
      // And says 1234567890 where its own CSV file says otherwise.
      const phone = "Contact Phone Number";
      if (name === "location_coordinates") wanted[0][phone] = /\n(\d{10}),/.exec(String(csv))?.[1];
      expect(await readCsv(csv, { types: false, nullValues: [] }).toArray()).toEqual(wanted);
    });
  }
});

interface PapaCase {
  description: string;
  input: string;
  config?: Record<string, unknown>;
  expected: { data: string[][]; errors: unknown[] };
}

/** PapaParse's own cases: the lists at the top of the file that it ships. */
function papaCases(): PapaCase[] {
  const path = require.resolve("papaparse/tests/test-cases.js");
  const stub: unknown = new Proxy(() => {}, { get: () => stub, apply: () => stub });
  const unused = Object.assign(() => {}, { skip: () => {} });
  const scope = { describe: unused, it: unused, require: () => stub, module: { exports: {} }, console };
  const source = `${readFileSync(path, "utf8")};[CORE_PARSER_TESTS, PARSE_TESTS]`;
  const lists = runInNewContext(source, scope) as PapaCase[][];
  return JSON.parse(
    JSON.stringify(lists.flat(), (_, value) => (typeof value === "function" ? "function" : value)),
  );
}

/** What stands in PapaParse's configurations, as our options; undefined where it is something that we do not have. */
function optionsOf(config: Record<string, unknown>): CsvOptions | undefined {
  const options: Record<string, unknown> = {
    quote: '"',
    escape: '"',
    comment: null,
    header: false,
    skipLines: 0,
    skipEmptyRecords: false,
    skipInitialSpace: false,
    types: false,
    nullValues: [],
    rowShape: "array",
    onError: "reject",
  };
  for (const [name, value] of Object.entries(config)) {
    if (name === "delimiter" || name === "newline") options[name] = value;
    else if (name === "quoteChar") options.quote = options.escape = value;
    else if (name === "escapeChar") options.escape = value;
    else if (name === "comments") options.comment = value === true ? "#" : value === false ? null : value;
    else if (name === "skipEmptyLines" && typeof value === "boolean") options.skipEmptyRecords = value;
    else return undefined;
  }
  try {
    resolveOptions(options as CsvOptions);
    return options as CsvOptions;
  } catch {
    return undefined;
  }
}

/** Cases in which we find something else, and why. */
const OTHERWISE: Readonly<Record<string, string>> = {
  "Input with only a commented line and blank line after":
    "where nothing but blank lines is left there is no table",
  "One column input with empty fields": "nothing stands behind the last line end",
  "Blank lines at end": "nothing stands behind the last line end",
  "Mixed slash n and slash r should choose first as precident":
    "CRLF, LF and CR are one class unless newline is given",
  "Blank line at beginning": "blank lines above the table are left out",
  "Empty lines": "blank lines above the table are left out",
};

/** The records as text, those of another width than the table's among them: PapaParse lets them pass. */
async function recordsOf(input: string, options: CsvOptions): Promise<string[][]> {
  const records: string[][] = [];
  const rejected = new Map<number, string[]>();
  const onReject = ({ record, fields }: Reject) => rejected.set(record, fields);
  const rows = (await readCsv(input, { ...options, onReject }).toArray()) as unknown as string[][];
  for (let record = 1; records.length < rows.length + rejected.size; record++) {
    records.push(
      rejected.get(record) ?? rows[record - 1 - [...rejected.keys()].filter((n) => n < record).length],
    );
  }
  return records;
}

describe("PapaParse's cases", () => {
  const cases = papaCases().flatMap(({ description, input, config = {}, expected }) => {
    const options = optionsOf(config);
    const isWellFormed = expected.errors.length === 0 && typeof input === "string";
    return options === undefined || !isWellFormed
      ? []
      : [{ description, input, options, data: expected.data }];
  });

  it("are many, and those that we read otherwise are few", () => {
    expect(cases.length).toBeGreaterThan(60);
    expect(Object.keys(OTHERWISE).length).toBeLessThan(10);
  });

  for (const { description, input, options, data } of cases) {
    const why = OTHERWISE[description];
    it(`${description}${why === undefined ? "" : `: otherwise, ${why}`}`, async () => {
      const found = await recordsOf(input, options);
      if (why === undefined) expect(found).toEqual(data);
      else expect(found).not.toEqual(data);
    });
  }
});
