import type { Column, Sniff } from "../sniffer/sniff.js";
import type { ExportPlace } from "./export-sniff.js";

type ArrowType = { name: string } & Record<string, unknown>;

const TYPES: Record<Column["type"], ArrowType> = {
  SQLNULL: { name: "null" },
  BOOLEAN: { name: "bool" },
  BIGINT: { name: "int", bitWidth: 64, isSigned: true },
  HUGEINT: { name: "decimal", precision: 38, scale: 0, bitWidth: 128 },
  DOUBLE: { name: "floatingpoint", precision: "DOUBLE" },
  TIME: { name: "time", unit: "MICROSECOND", bitWidth: 64 },
  DATE: { name: "date", unit: "DAY" },
  TIMESTAMP: { name: "timestamp", unit: "MICROSECOND" },
  TIMESTAMPTZ: { name: "timestamp", unit: "MICROSECOND", timezone: "UTC" },
  VARCHAR: { name: "utf8" },
};

/**
 * The Arrow schema of the column batches, in Arrow's JSON for integration tests, which all its implementations read.
 *
 * @see https://arrow.apache.org/docs/format/Integration.html#json-test-data-format
 */
export function arrow({ columns }: Sniff, { path, table }: ExportPlace): string {
  const schema = {
    fields: columns.map(({ name, type, format }) => ({
      name,
      nullable: true,
      type: TYPES[type],
      children: [],
      ...(format !== undefined && { metadata: [{ key: "csv:format", value: format }] }),
    })),
    metadata: [
      { key: "csv:path", value: path },
      { key: "csv:table", value: table },
    ],
  };
  return `${JSON.stringify({ schema }, null, 2)}\n`;
}
