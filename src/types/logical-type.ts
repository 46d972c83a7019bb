/**
 * The logical types, under DuckDB's names. SQLNULL is where the sniffer starts; a column that stays there is
 * reported as VARCHAR and undecided.
 */
export type LogicalType =
  | "SQLNULL"
  | "BOOLEAN"
  | "BIGINT"
  | "HUGEINT"
  | "DOUBLE"
  | "TIME"
  | "DATE"
  | "TIMESTAMP"
  | "TIMESTAMPTZ"
  | "VARCHAR";

/** The order in which the sniffer prefers types: the first one that holds every value of the column. */
export const TYPE_ORDER: readonly LogicalType[] = [
  "SQLNULL",
  "BOOLEAN",
  "BIGINT",
  "HUGEINT",
  "DOUBLE",
  "TIME",
  "DATE",
  "TIMESTAMP",
  "TIMESTAMPTZ",
  "VARCHAR",
];

/** The types the sniffer tries unless told otherwise: HUGEINT only on request. */
export const DEFAULT_TYPE_CANDIDATES: readonly LogicalType[] = TYPE_ORDER.filter(
  (type) => type !== "HUGEINT",
);

/** Types of fixed meaning, under the other names people know them by. */
const ALIASES: Record<string, LogicalType> = {
  BOOL: "BOOLEAN",
  INTEGER: "BIGINT",
  INT: "BIGINT",
  INT8: "BIGINT",
  LONG: "BIGINT",
  FLOAT8: "DOUBLE",
  NUMBER: "DOUBLE",
  TEXT: "VARCHAR",
  STRING: "VARCHAR",
  DATETIME: "TIMESTAMP",
  "TIMESTAMP WITH TIME ZONE": "TIMESTAMPTZ",
};

/** The type of a name in any case, or undefined. */
export function logicalType(name: string): LogicalType | undefined {
  const upper = name.toUpperCase();
  return TYPE_ORDER.find((type) => type === upper) ?? ALIASES[upper];
}
