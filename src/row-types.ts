import type { ColumnBatch } from "./output/batches/column-batch.js";
import type { StandardSchema } from "./output/row-schema.js";
import type { VwExample } from "./output/vw/examples.js";
/** The values of a logical type in rows, by default options. */
export type ValueOf<Type> =
  Uppercase<Type & string> extends "BOOLEAN" | "BOOL"
    ? boolean
    : Uppercase<Type & string> extends "BIGINT" | "INTEGER" | "INT" | "LONG" | "INT8"
      ? number | bigint
      : Uppercase<Type & string> extends "DOUBLE" | "NUMBER" | "FLOAT8"
        ? number
        : Uppercase<Type & string> extends "HUGEINT"
          ? bigint
          : Uppercase<Type & string> extends "DATE" | "TIMESTAMP" | "TIMESTAMPTZ" | "DATETIME"
            ? Date
            : Uppercase<Type & string> extends "VARCHAR" | "TEXT" | "STRING" | "TIME"
              ? string
              : CsvValue;

/** Any value of a row. */
export type CsvValue = string | number | bigint | boolean | Date | null;

type IntegerOf<Options> = Options extends { bigint: "never" }
  ? number
  : Options extends { bigint: "always" }
    ? bigint
    : number | bigint;

type DateOf<Options> = Options extends { dates: "string" }
  ? string
  : Options extends { dates: "temporal" }
    ? object
    : Date;

/** A type's values under the options that change them. */
type CellOf<Type, Options> =
  ValueOf<Type> extends Date
    ? DateOf<Options> | null
    : Uppercase<Type & string> extends "BIGINT" | "INTEGER" | "INT" | "LONG" | "INT8"
      ? IntegerOf<Options> | null
      : ValueOf<Type> | null;

/**
 * What a row is, as far as the options tell: `types` given as literals name and type the columns, `names` and
 * `types` as lists make tuples of array rows; every value may be missing. With a `schema` it is what that makes of it.
 */
export type RowOf<Options> = Options extends { schema: StandardSchema<infer _Input, infer Output> }
  ? Output
  : PlainRowOf<Options>;

type PlainRowOf<Options> = Options extends { output: "ndjson" | "csv" | "vw" }
  ? string
  : Options extends { output: "batches" }
    ? ColumnBatch
    : Options extends { output: "vw-examples" }
      ? VwExample
      : Options extends { rowShape: "array" }
        ? Options extends { types: infer Types extends readonly unknown[] }
          ? { -readonly [Index in keyof Types]: CellOf<Types[Index], Options> }
          : CsvValue[]
        : Options extends { types: infer Types extends Readonly<Record<string, string>> }
          ? string extends keyof Types
            ? Record<string, CsvValue>
            : { -readonly [Name in keyof Types]: CellOf<Types[Name], Options> } & (Options extends {
                names: readonly (infer Names extends string)[];
              }
                ? { [Name in Exclude<Names, keyof Types>]: CsvValue }
                : Record<string, CsvValue | object>)
          : Options extends { names: readonly (infer Names extends string)[] }
            ? string extends Names
              ? Record<string, CsvValue>
              : Record<Names, Options extends { types: false } ? string | null : CsvValue>
            : Options extends { types: false }
              ? Record<string, string | null>
              : Record<string, CsvValue>;
