import { CsvError, type SchemaIssue } from "../errors.js";

/**
 * A schema of Zod, Valibot, ArkType or another library that follows Standard Schema.
 *
 * @see https://standardschema.dev
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  /** What the specification asks of a schema. */
  readonly "~standard": {
    /** Of the specification. */
    readonly version: 1;
    /** The library that the schema is of. */
    readonly vendor: string;
    /** Gives the value, or issues. */
    readonly validate: (value: unknown) => unknown;
    /** For TypeScript alone: what the schema takes and what it gives. */
    readonly types?:
      | {
          /** What it takes. */
          readonly input: Input;
          /** What it gives. */
          readonly output: Output;
        }
      | undefined;
  };
}

/** What a schema makes of a row. */
export type SchemaVerdict = { row: unknown; issues: null } | { row: null; issues: SchemaIssue[] };

/** Issues of a row that are told. */
const MOST_ISSUES = 20;

/**
 * Has a schema look at a row.
 *
 * @throws CsvError INVALID_OPTION where the schema answers later: rows are made in batches, and none waits.
 */
export function validateRow(schema: StandardSchema, row: unknown): SchemaVerdict {
  const result = schema["~standard"].validate(row) as {
    value?: unknown;
    issues?: readonly { message: string; path?: readonly unknown[] | undefined }[] | undefined;
    then?: unknown;
  };
  if (typeof result.then === "function") {
    // Nobody waits for it, and it may fail.
    Promise.resolve(result).catch(() => {});
    throw new CsvError(
      "INVALID_OPTION",
      "schema answers with a promise; give one that validates at once (Zod's also does so where it throws)",
    );
  }
  if (result.issues === undefined) return { row: result.value, issues: null };
  const issues = result.issues.slice(0, MOST_ISSUES).map(({ message, path = [] }) => ({
    message: String(message),
    // Not by the path's own map: ArkType's are arrays of another kind.
    path: Array.from(path, segmentKey),
  }));
  return { row: null, issues };
}

/** A path's segment is a key, or an object that holds one. */
function segmentKey(segment: unknown): string | number {
  const key = typeof segment === "object" && segment !== null ? (segment as { key: unknown }).key : segment;
  return typeof key === "number" ? key : String(key);
}
