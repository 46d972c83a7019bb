import ts from "typescript";
import { describe, expect, it } from "vitest";
import { EXPORT_TARGETS, type ExportTarget, exportSniff } from "../../src/export/index.js";
import { sniffCsv } from "../../src/read.js";
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
