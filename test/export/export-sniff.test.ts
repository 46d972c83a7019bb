import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import ts from "typescript";
import { afterAll, describe, expect, it } from "vitest";
import { EXPORT_TARGETS, type ExportTarget, exportSniff } from "../../src/export/index.js";
import { readCsv, sniffCsv } from "../../src/read.js";

const folder = mkdtempSync(join(tmpdir(), "sniffed-csv-export-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const HOSTILE = ["a'b", 'a""b', "a\\b", "*/", "$x", "__proto__", "a\u2028b", "-- x", "x".repeat(10_000)];
const hostileHeader = HOSTILE.map((name) => `"${name}"`).join(",");

const FILES: Record<string, string | Uint8Array> = {
  "semicolons, days first": "id;when;t\n1;24/12/2025;a\n2;31/12/2025;b\n3;;c\n",
  "single quotes": "id,t\n1,'a,b'\n2,'it''s'\n3,'c,d'\n",
  "a preamble": "A report\nmade today\n\nid,x,ok\n1,1.5,true\n2,2.25,false\n",
  "months first, with times": "id,at\n1,12/24/2025 10:11:12\n2,12/31/2025 23:59:01\n",
  "UTF-16": utf16("id;t\n1;grün\n2;日本\n"),
  "hostile names": `${hostileHeader}\n${HOSTILE.map((_, index) => index).join(",")}\n9,8,7,6,5,4,3,2,1\n`,
  "names equal but for case": "a,A\n1,x\n2,y\n",
};

describe("a sniff exported to DuckDB loads the library's own rows", () => {
  for (const [name, file] of Object.entries(FILES)) {
    it(name, async () => {
      const path = join(folder, `${name} 'x'.csv`);
      writeFileSync(path, file);
      const sniff = await sniffCsv(file);
      const ours = await readCsv(file, { sniffed: sniff, rowShape: "array", dates: "string" }).toArray();
      expect(ours.length).toBeGreaterThan(1);
      const connection = await (await DuckDBInstance.create()).connect();
      try {
        await connection.run(exportSniff(sniff, "duckdb", { path, table: 't"; drop' }));
        const theirs = await connection.runAndReadAll('SELECT * FROM "t""; drop"');
        expect(theirs.getRowsJson().map((row) => row.map(plain))).toEqual(
          (ours as unknown[][]).map((row) => row.map(plain)),
        );
      } finally {
        connection.closeSync();
      }
    });
  }
});

describe("exportSniff", () => {
  it("writes an interface that compiles, with every hostile name", async () => {
    const sniff = await sniffCsv(FILES["hostile names"]);
    const text = exportSniff(sniff, "typescript", { path: "a\u2028b*/\n", table: "1 class" });
    const source = ts.createSourceFile("row.ts", text, ts.ScriptTarget.ES2022, true);
    expect(ts.transpileModule(text, { reportDiagnostics: true }).diagnostics).toEqual([]);
    const [row] = source.statements.filter(ts.isInterfaceDeclaration);
    expect(row.members.map(({ name }) => name && ts.isStringLiteral(name) && name.text)).toEqual(
      namesOf(sniff),
    );
  });

  it("keeps every hostile name in JSON", async () => {
    const sniff = await sniffCsv(FILES["hostile names"]);
    const schema = JSON.parse(exportSniff(sniff, "json-schema"));
    expect(Object.keys(schema.properties).sort()).toEqual(namesOf(sniff).sort());
    const resource = JSON.parse(exportSniff(sniff, "frictionless"));
    expect(resource.schema.fields.map(({ name }: { name: string }) => name)).toEqual(namesOf(sniff));
  });

  it("says in a Frictionless resource what that can't express", async () => {
    const sniff = await sniffCsv(FILES["a preamble"]);
    expect(JSON.parse(exportSniff(sniff, "frictionless")).description).toContain("above the table");
  });

  it("refuses an unknown target, those of Object.prototype included", async () => {
    const sniff = await sniffCsv("a,b\n1,2\n");
    for (const target of ["lotus", "toString", "__proto__"]) {
      expect(() => exportSniff(sniff, target as ExportTarget)).toThrow(EXPORT_TARGETS.join(", "));
    }
  });
});

function namesOf(sniff: { columns: { name: string }[] }): string[] {
  return sniff.columns.map(({ name }) => name);
}

/** A value as both sides can write it: DuckDB's JSON has 64-bit numbers and dates as text. */
function plain(value: unknown): unknown {
  return value === null ? null : String(value).replace("T", " ");
}

function utf16(text: string): Uint8Array {
  return Buffer.from(`\ufeff${text}`, "utf16le");
}
