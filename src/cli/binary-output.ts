import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { CsvError } from "../errors.js";
import type { ColumnBatch } from "../output/batches/column-batch.js";
import { arrowIpc } from "../sinks/arrow-ipc.js";
import { duckdbTable } from "../sinks/duckdb-table.js";
import { optionalPackage } from "../sinks/optional-package.js";
import { parquet } from "../sinks/parquet.js";
import { type SqliteDatabase, sqliteTable } from "../sinks/sqlite-table.js";
import type { Column } from "../sniffer/sniff.js";
import { ReadableStreamClass } from "../streams.js";
import { DatabaseFile, isStandardOutput, type LineSink, type Output, openSink } from "./output-file.js";

/** What `convert` writes that is no text. */
export const BINARY_FORMATS = ["arrow", "parquet", "sqlite", "duckdb"] as const;

export type BinaryFormat = (typeof BINARY_FORMATS)[number];

export function isBinaryFormat(format: unknown): format is BinaryFormat {
  return (BINARY_FORMATS as readonly unknown[]).includes(format);
}

/**
 * Opens what a format is written to.
 *
 * @throws CsvError INVALID_OPTION for a database without a file, or bytes that would go to a terminal.
 */
export function openBinary(format: BinaryFormat, path: string | undefined): Output {
  const isDatabase = format === "sqlite" || format === "duckdb";
  if (!isStandardOutput(path)) return isDatabase ? new DatabaseFile(path as string) : openSink(path);
  if (isDatabase) throw new CsvError("INVALID_OPTION", `--to ${format} needs a file: --output`);
  if (process.stdout.isTTY)
    throw new CsvError("INVALID_OPTION", `--to ${format} does not go to a terminal: --output`);
  return openSink();
}

/** Writes batches to what {@link openBinary} has opened. */
export async function writeBinary(
  batches: AsyncGenerator<ColumnBatch>,
  { format, columns, table }: { format: BinaryFormat; columns: readonly Column[]; table: string },
  output: Output,
): Promise<void> {
  const source = streamOf(batches);
  if (format === "sqlite") {
    const Database = await sqliteLibrary();
    const database = new Database((output as DatabaseFile).partial);
    try {
      await source.pipeTo(sqliteTable(database, table, { columns }));
    } finally {
      database.close();
    }
  } else if (format === "duckdb") {
    const { DuckDBInstance } = await optionalPackage("@duckdb/node-api", () => import("@duckdb/node-api"));
    const instance = await DuckDBInstance.create((output as DatabaseFile).partial);
    const connection = await instance.connect();
    try {
      await source.pipeTo(duckdbTable(connection, table, { columns }));
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
  } else {
    const sink = output as LineSink;
    const bytes = source.pipeThrough(format === "arrow" ? arrowIpc({ columns }) : parquet({ columns }));
    for await (const piece of bytes as unknown as AsyncIterable<Uint8Array>) await sink.writeBytes(piece);
  }
}

type SqliteLibrary = new (path: string) => SqliteDatabase & { close(): void };

/** better-sqlite3 from beside this package, or else from where the command runs: it has to be built for the machine. */
async function sqliteLibrary(): Promise<SqliteLibrary> {
  const name = "better-sqlite3";
  return optionalPackage(name, async () => {
    const here = createRequire(import.meta.url);
    const there = createRequire(pathToFileURL(resolve("package.json")));
    try {
      return here(name) as SqliteLibrary;
    } catch {
      return there(name) as SqliteLibrary;
    }
  });
}

function streamOf(batches: AsyncGenerator<ColumnBatch>): ReadableStream<ColumnBatch> {
  return new ReadableStreamClass<ColumnBatch>(
    {
      async pull(controller) {
        const { value, done } = await batches.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await batches.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
