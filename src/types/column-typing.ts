import type { LogicalType } from "./logical-type.js";

/** How a column's cells become values. */
export interface ColumnTyping {
  /** What its values are. */
  type: LogicalType;
  /** The strftime format of a DATE, TIMESTAMP or TIMESTAMPTZ column; ISO 8601 where absent. */
  format?: string;
  /** True for a BIGINT column whose values are `bigint`: a sampled one was past 2^53 − 1. */
  bigint?: boolean;
}

/** How dates and times appear in rows. */
export type DateOutput = "date" | "string" | "temporal";
