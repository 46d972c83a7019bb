import type * as Flechette from "@uwdata/flechette";
import type { BatchColumn, ColumnBatch } from "../output/batches/column-batch.js";
import type { Column } from "../sniffer/sniff.js";
import { TransformStreamClass } from "../streams.js";
import { batchValues, emptyBatch, SchemaGuard, type SinkOptions } from "./batch-values.js";
import { optionalPackage } from "./optional-package.js";

/**
 * Turns column batches into an Arrow IPC stream, a record batch each, with `@uwdata/flechette`. Holds one batch at a time.
 * BIGINT is Int64 (Float64 with `bigint: "never"`), HUGEINT text, DATE Date32, TIME Time64 and TIMESTAMP Timestamp in
 * microseconds, the latter in UTC for TIMESTAMPTZ.
 *
 * @throws CsvError MISSING_PACKAGE, SCHEMA_CHANGED, in the stream.
 * @see https://arrow.apache.org/docs/format/Columnar.html#ipc-streaming-format
 */
export function arrowIpc(options: SinkOptions = {}): TransformStream<ColumnBatch, Uint8Array<ArrayBuffer>> {
  const guard = new SchemaGuard();
  let flechette: typeof Flechette;
  let hasBegun = false;
  const write = (
    batch: ColumnBatch,
    controller: TransformStreamDefaultController<Uint8Array<ArrayBuffer>>,
  ) => {
    const isFirst = guard.isFirst(batch);
    hasBegun = true;
    const table = tableOf(flechette, batch);
    const message = flechette.tableToIPC(table, { format: "stream" }) as Uint8Array<ArrayBuffer>;
    controller.enqueue(message.subarray(isFirst ? 0 : schemaLength(message), message.length - END.length));
  };
  return new TransformStreamClass<ColumnBatch, Uint8Array<ArrayBuffer>>({
    async start() {
      flechette = await optionalPackage("@uwdata/flechette", () => import("@uwdata/flechette"));
    },
    transform(batch, controller) {
      write(batch, controller);
    },
    flush(controller) {
      const empty = hasBegun ? null : emptyBatch(options);
      if (empty !== null) write(empty, controller);
      if (hasBegun) controller.enqueue(END.slice());
    },
  });
}

/** What ends a stream: a message of no length. */
const END = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0);

/** Bytes of the schema, the first message: a mark and a length of four bytes each, and metadata without a body. */
function schemaLength(message: Uint8Array): number {
  return 8 + new DataView(message.buffer, message.byteOffset).getInt32(4, true);
}

function tableOf(flechette: typeof Flechette, { rowCount, columns, schema }: ColumnBatch): Flechette.Table {
  const made = columns.map((column, index) => columnOf(flechette, column, schema[index], rowCount));
  const fields = columns.map(({ name }, index) => flechette.field(name, made[index].type));
  const { Version, Endianness } = flechette;
  return new flechette.Table(
    { version: Version.V5, endianness: Endianness.Little, fields, metadata: null },
    made,
  );
}

function columnOf(
  flechette: typeof Flechette,
  column: BatchColumn,
  { type: logicalType }: Column,
  rowCount: number,
): Flechette.Column<unknown> {
  const { values, offsets, validity, nullCount } = column;
  const type = typeOf(flechette, column, logicalType);
  const options = { length: rowCount, nullCount, type, validity: validity ?? new Uint8Array(0) };
  const BatchOf = flechette.batchType(type, {}) as new (options: object) => Flechette.Batch<unknown>;
  const isText = Array.isArray(values);
  const text = isText ? utf8Of(column, rowCount) : { values, offsets };
  return new flechette.Column([new BatchOf({ ...options, ...text })]);
}

function typeOf(
  flechette: typeof Flechette,
  { values }: BatchColumn,
  type: Column["type"],
): Flechette.DataType {
  switch (type) {
    case "DOUBLE":
      return flechette.float64();
    case "BIGINT":
      return values instanceof Float64Array ? flechette.float64() : flechette.int64();
    case "BOOLEAN":
      return flechette.bool();
    case "DATE":
      return flechette.dateDay();
    case "TIME":
      return flechette.timeMicrosecond();
    case "TIMESTAMP":
      return flechette.timestamp(flechette.TimeUnit.MICROSECOND);
    case "TIMESTAMPTZ":
      return flechette.timestamp(flechette.TimeUnit.MICROSECOND, "UTC");
    default:
      return flechette.utf8();
  }
}

/** A list of texts, or of whole numbers past 64 bits, as UTF-8. */
function utf8Of(column: BatchColumn, rowCount: number): { values: Uint8Array; offsets: Int32Array } {
  const encoder = new TextEncoder();
  const offsets = new Int32Array(rowCount + 1);
  const cells = batchValues(column, rowCount).map((value) =>
    encoder.encode(value === null ? "" : String(value)),
  );
  for (const [row, { length }] of cells.entries()) offsets[row + 1] = offsets[row] + length;
  const values = new Uint8Array(offsets[rowCount]);
  for (const [row, cell] of cells.entries()) values.set(cell, offsets[row]);
  return { values, offsets };
}
