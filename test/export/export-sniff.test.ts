import ts from "typescript";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { EXPORT_TARGETS, type ExportTarget, exportSniff } from "../../src/export/index.js";
import { readCsv, sniffCsv } from "../../src/read.js";
import { AWKWARD } from "../support/awkward.js";

const FILES = Object.fromEntries(AWKWARD.map(({ name, file }) => [name, file]));

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

  it("writes a Zod schema that takes the library's own rows and no others", async () => {
    for (const awkward of AWKWARD) {
      const sniff = await sniffCsv(awkward.file, awkward.options);
      const text = exportSniff(sniff, "zod", { path: "a\u2028b*/\n", table: "1 class" });
      const { outputText, diagnostics } = ts.transpileModule(text, {
        reportDiagnostics: true,
        compilerOptions: { module: ts.ModuleKind.CommonJS },
      });
      expect(diagnostics).toEqual([]);
      const exports: Record<string, z.ZodType> = {};
      new Function("require", "exports", outputText)(() => ({ z }), exports);
      const schema = exports.T1ClassRow;
      for await (const row of readCsv(awkward.file, { sniffed: sniff })) {
        expect(schema.safeParse(row).success, awkward.name).toBe(true);
        expect(schema.safeParse({ ...row, [sniff.columns[0].name]: Symbol.iterator }).success).toBe(false);
      }
    }
  });

  it("keeps every name in Arrow's and CSVW's JSON, and the types", async () => {
    for (const { file, options } of AWKWARD) {
      const sniff = await sniffCsv(file, options);
      const { schema } = JSON.parse(exportSniff(sniff, "arrow"));
      expect(schema.fields.map(({ name }: { name: string }) => name)).toEqual(namesOf(sniff));
      const { tableSchema } = JSON.parse(exportSniff(sniff, "csvw"));
      expect(tableSchema.columns.map(({ titles }: { titles: string }) => titles)).toEqual(
        sniff.columns.map(({ originalName, name }) => originalName || name),
      );
    }
    const sniff = await sniffCsv("id;when;x\n1;24/12/2025;1,5\n2;31/12/2025;2,5\n", {
      decimalSeparator: ",",
    });
    const { schema } = JSON.parse(exportSniff(sniff, "arrow"));
    expect(schema.fields.map(({ type }: { type: { name: string } }) => type.name)).toEqual([
      "int",
      "date",
      "floatingpoint",
    ]);
    const { tableSchema } = JSON.parse(exportSniff(sniff, "csvw"));
    expect(tableSchema.columns.map(({ datatype }: { datatype: unknown }) => datatype)).toEqual([
      "integer",
      { base: "date", format: "d/M/yyyy" },
      { base: "double", format: { decimalChar: "," } },
    ]);
  });

  it("says in every script what the tool can't do", async () => {
    const odd = await sniffCsv("about\n\nid||when\n1||24/12/2025\n2||31/12/2025\n", { delimiter: "||" });
    expect(exportSniff(odd, "postgresql")).toContain("-- COPY takes delimiters of one byte only\n");
    expect(exportSniff(odd, "clickhouse")).toContain("-- the format CSV takes delimiters of one byte only\n");
    expect(exportSniff(odd, "polars")).toContain("# Polars takes delimiters of one byte only\n");
    expect(exportSniff(odd, "pyspark")).toContain("# Spark can't leave out the 2 lines above the table");
    // A name with a line break does not end the comment that tells of it.
    const columns = odd.columns.map((column) => ({ ...column, name: "a\n; drop" }));
    const script = exportSniff({ ...odd, columns }, "pandas");
    expect(script).toContain('# column "a\\n; drop" is called "a\\n; drop_1"\n');
    expect(() => exportSniff(odd, "postgresql", { path: "a\nb" })).toThrow("line break");
  });

  it("says in a Frictionless resource what that can't express", async () => {
    const sniff = await sniffCsv(FILES["a preamble"]);
    expect(JSON.parse(exportSniff(sniff, "frictionless")).description).toContain("above the table");
  });

  it("refuses an option that the target has no use for", async () => {
    const sniff = await sniffCsv("a,b\n1,2\n");
    expect(() => exportSniff(sniff, "zod", { only: "table" })).toThrow("only is for the targets clickhouse");
    expect(() => exportSniff(sniff, "sqlite", { schema: "s" })).toThrow("schema is for the targets");
    expect(() => exportSniff(sniff, "duckdb", { only: "half" as "load" })).toThrow(
      'only is "table" or "load"',
    );
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
