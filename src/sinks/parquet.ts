import type { SchemaElement } from "hyparquet";
import type { ByteWriter, ParquetWriter } from "hyparquet-writer";
import type { ColumnBatch } from "../output/batches/column-batch.js";
import type { Column } from "../sniffer/sniff.js";
import { TransformStreamClass } from "../streams.js";
import { type BatchValue, batchValues, emptyBatch, SchemaGuard, type SinkOptions } from "./batch-values.js";
import { optionalPackage } from "./optional-package.js";

/** How a Parquet file is written. */
export interface ParquetOptions extends SinkOptions {
  /** Rows of a row group, which is what is held in memory. Default: 100,000. */
  rowGroupSize?: number;
}

/**
 * Turns column batches into a Parquet file with `hyparquet-writer`, compressed by Snappy. Every column may hold nulls.
 * HUGEINT is text; TIME, TIMESTAMP and TIMESTAMPTZ are in microseconds.
 *
 * @throws CsvError MISSING_PACKAGE, SCHEMA_CHANGED, in the stream.
 * @see https://parquet.apache.org/docs/file-format/types/logicaltypes/
 */
export function parquet(options: ParquetOptions = {}): TransformStream<ColumnBatch, Uint8Array<ArrayBuffer>> {
  const { rowGroupSize = 100_000 } = options;
  const guard = new SchemaGuard();
  let library: typeof import("hyparquet-writer");
  let bytes: ByteWriter;
  let writer: ParquetWriter | null = null;
  let group: RowGroup = new RowGroup([]);
  const begin = (batch: ColumnBatch) => {
    const isFloat = batch.columns.map(({ values }) => values instanceof Float64Array);
    writer = new library.ParquetWriter({ writer: bytes, schema: schemaOf(batch.schema, isFloat) });
    group = new RowGroup(batch.schema.map(({ name }) => name));
  };
  const flush = (controller: TransformStreamDefaultController<Uint8Array<ArrayBuffer>>) => {
    if (bytes.index === 0) return;
    controller.enqueue(bytes.getBytes().slice() as Uint8Array<ArrayBuffer>);
    // The places in the file go on; the memory begins anew.
    bytes.index = 0;
  };
  return new TransformStreamClass<ColumnBatch, Uint8Array<ArrayBuffer>>({
    async start() {
      library = await optionalPackage("hyparquet-writer", () => import("hyparquet-writer"));
      bytes = new library.ByteWriter();
    },
    transform(batch, controller) {
      if (guard.isFirst(batch)) begin(batch);
      group.add(batch);
      if (group.rowCount < rowGroupSize) return;
      group.write(writer as ParquetWriter);
      flush(controller);
    },
    flush(controller) {
      const empty = writer === null ? emptyBatch(options) : null;
      if (empty !== null) begin(empty);
      if (writer === null) return;
      if (group.rowCount > 0) group.write(writer);
      writer.finish();
      flush(controller);
    },
  });
}

/** Rows that are gathered until they make a row group. */
class RowGroup {
  rowCount = 0;
  readonly #names: readonly string[];
  #columns: BatchValue[][];

  constructor(names: readonly string[]) {
    this.#names = names;
    this.#columns = names.map(() => []);
  }

  add(batch: ColumnBatch): void {
    for (const [index, column] of batch.columns.entries()) {
      const gathered = this.#columns[index];
      for (const value of batchValues(column, batch.rowCount)) {
        gathered.push(column.type === "HUGEINT" && value !== null ? String(value) : value);
      }
    }
    this.rowCount += batch.rowCount;
  }

  write(writer: ParquetWriter): void {
    const columnData = this.#names.map((name, index) => ({ name, data: this.#columns[index] }));
    writer.write({ columnData, rowGroupSize: this.rowCount });
    this.#columns = this.#names.map(() => []);
    this.rowCount = 0;
  }
}

function schemaOf(columns: readonly Column[], isFloat: readonly boolean[]): SchemaElement[] {
  return [
    { name: "root", num_children: columns.length },
    ...columns.map(
      ({ name, type }, index): SchemaElement => ({
        name,
        repetition_type: "OPTIONAL",
        ...(type === "BIGINT" && isFloat[index] ? TYPES.DOUBLE : TYPES[type]),
      }),
    ),
  ];
}

const TEXT: Partial<SchemaElement> = { type: "BYTE_ARRAY", converted_type: "UTF8" };

const TYPES: Record<Column["type"], Partial<SchemaElement>> = {
  SQLNULL: TEXT,
  BOOLEAN: { type: "BOOLEAN" },
  BIGINT: { type: "INT64" },
  HUGEINT: TEXT,
  DOUBLE: { type: "DOUBLE" },
  TIME: { type: "INT64", converted_type: "TIME_MICROS" },
  DATE: { type: "INT32", converted_type: "DATE" },
  TIMESTAMP: { type: "INT64", logical_type: { type: "TIMESTAMP", isAdjustedToUTC: false, unit: "MICROS" } },
  TIMESTAMPTZ: { type: "INT64", logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MICROS" } },
  VARCHAR: TEXT,
};
