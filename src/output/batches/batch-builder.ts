import type { Column } from "../../sniffer/sniff.js";
import type { Caster } from "../../types/caster.js";
import type { ColumnBatch } from "./column-batch.js";
import { type BatchLayout, ColumnBuilder } from "./column-builder.js";

/** The columns as a batch tells them: where no value has given one a type, it is text. */
export function schemaOf(columns: readonly Column[]): readonly Column[] {
  const known = schemas.get(columns);
  if (known !== undefined) return known;
  const schema = columns.map(
    (column): Column => (column.type === "SQLNULL" ? { ...column, type: "VARCHAR" } : { ...column }),
  );
  schemas.set(columns, schema);
  return schema;
}

/** Whether columns are told alike: one whose type is not known yet is text, as one that has turned out to be text. */
function areAlike(columns: readonly Column[], others: readonly Column[]): boolean {
  const typeOf = ({ type }: Column) => (type === "SQLNULL" ? "VARCHAR" : type);
  return (
    columns.length === others.length &&
    columns.every((column, index) => {
      const other = others[index];
      const isSameType = typeOf(column) === typeOf(other) && column.bigint === other.bigint;
      return isSameType && column.format === other.format && column.name === other.name;
    })
  );
}

/** So that the schema stays the same object as long as the columns do. */
const schemas = new WeakMap<readonly Column[], readonly Column[]>();

/**
 * Gathers rows into batches of one size, however they come: the same input in any cuts gives the same batches. Only the
 * last one, and one before a column changes its type, is smaller.
 */
export class BatchBuilder {
  rowCount = 0;
  readonly #layout: BatchLayout;
  readonly #isLent: boolean;
  #columns: readonly Column[] = [];
  #schema: readonly Column[] = [];
  #builders: ColumnBuilder[] = [];

  /** @param isLent Whether a batch is valid until the next one is begun; otherwise it is the caller's. */
  constructor(layout: BatchLayout, isLent = false) {
    this.#layout = layout;
    this.#isLent = isLent;
  }

  /** Rows that still fit. */
  get room(): number {
    return this.#layout.batchRows - this.rowCount;
  }

  /** Whether rows of these columns may join those that are here. */
  fits(columns: readonly Column[]): boolean {
    return this.rowCount === 0 || columns === this.#columns || areAlike(columns, this.#columns);
  }

  /** Takes rows `from` to `to` of the casters' batch; there is room for them, and they fit. */
  append(
    columns: readonly Column[],
    casters: readonly Caster[],
    valid: readonly Uint8Array[],
    from: number,
    to: number,
  ): void {
    if (columns !== this.#columns) {
      const isSame = areAlike(columns, this.#columns);
      this.#columns = columns;
      if (!isSame) this.#schema = schemaOf(columns);
      if (this.rowCount === 0) this.#builders = [];
    }
    if (this.rowCount === 0) {
      if (this.#builders.length === 0) {
        this.#builders = columns.map((column) => new ColumnBuilder(column, this.#layout, this.#isLent));
      }
      for (const builder of this.#builders) builder.begin();
    }
    for (const [column, builder] of this.#builders.entries()) {
      builder.append(casters[column], valid[column], from, to, this.rowCount);
    }
    this.rowCount += to - from;
  }

  /** The batch of the rows that are here; there is at least one. */
  take(): ColumnBatch {
    const { rowCount } = this;
    const columns = this.#builders.map((builder) => builder.finish(rowCount));
    this.rowCount = 0;
    return { rowCount, schema: this.#schema, columns };
  }
}
