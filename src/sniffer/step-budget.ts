import { CsvError } from "../errors.js";

/**
 * Counts the sniffer's work, in bytes of the sample that it looks at. Time would differ from machine to machine and from
 * run to run; steps are the same wherever the same bytes are sniffed.
 */
export class StepBudget {
  readonly #limit: number;
  #spent = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Counts steps that have been made.
   *
   * @throws CsvError SNIFF_TOO_COSTLY once they are more than the limit.
   */
  spend(steps: number): void {
    this.#spent += steps;
    if (this.#spent <= this.#limit) return;
    throw new CsvError("SNIFF_TOO_COSTLY", `sniffing takes more than ${this.#limit} steps`, {
      limit: this.#limit,
    });
  }
}
