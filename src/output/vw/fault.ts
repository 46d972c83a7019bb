import { CsvError, type CsvPlace } from "../../errors.js";

/** What is wrong with a cell, before its record's place is known. */
export class VwFault extends Error {
  readonly code: "VW_LABEL" | "VW_INEXPRESSIBLE";
  readonly column: string | undefined;
  readonly value: string | undefined;

  constructor(code: "VW_LABEL" | "VW_INEXPRESSIBLE", message: string, column?: string, value?: string) {
    super(message);
    this.code = code;
    this.column = column;
    this.value = value;
  }

  /** The error to throw. */
  at(place: CsvPlace): CsvError {
    return new CsvError(this.code, this.message, { ...place, column: this.column, value: this.value });
  }
}
