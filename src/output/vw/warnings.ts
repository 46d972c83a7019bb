import type { CsvWarning } from "../../errors.js";

/** Warnings that are given once for each column and code. */
export class VwWarnings {
  readonly list: CsvWarning[] = [];
  readonly #given = new Map<string, Set<string | undefined>>();
  readonly #onWarning: ((warning: CsvWarning) => void) | undefined;

  constructor(onWarning?: (warning: CsvWarning) => void) {
    this.#onWarning = onWarning;
  }

  /** Whether that was warned of. */
  given(code: string, column: string | undefined): boolean {
    return this.#given.get(code)?.has(column) === true;
  }

  /** Warns, unless that was done before. */
  warn(code: string, message: string, column?: string): void {
    if (this.given(code, column)) return;
    const columns = this.#given.get(code) ?? new Set();
    this.#given.set(code, columns.add(column));
    const warning: CsvWarning = column === undefined ? { code, message } : { code, message, column };
    this.list.push(warning);
    this.#onWarning?.(warning);
  }
}
