import type { Column } from "../sniffer/sniff.js";

/** How SQLite holds our types: BOOLEAN as 0 or 1, what it has no type for as text. */
export const SQLITE_TYPES: Readonly<Record<Column["type"], string>> = {
  SQLNULL: "TEXT",
  BOOLEAN: "INTEGER",
  BIGINT: "INTEGER",
  HUGEINT: "TEXT",
  DOUBLE: "REAL",
  TIME: "TEXT",
  DATE: "TEXT",
  TIMESTAMP: "TEXT",
  TIMESTAMPTZ: "TEXT",
  VARCHAR: "TEXT",
};
