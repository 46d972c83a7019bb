import { ACTION_SHIFT, STATE_MASK } from "./table.js";

/** Most events of one search. */
export const EVENT_CAPACITY = 1 << 14;

/**
 * Runs the transition table over bytes and lists the places where the scanner has something to do: where a cell of
 * the table holds an action. All that a scanner knows of its input it knows from these, so two finders that list the
 * same events make the same spans.
 */
export interface EventFinder {
  /** The machine's state after the bytes read so far. */
  state: number;
  /** The next byte to read. */
  position: number;
  /** By event: the place after the byte that caused it. */
  positions: Int32Array;
  /** By event: the state before it in the high byte, the table's cell in the low one. */
  codes: Uint16Array;
  /** Reads bytes from `position` to `end`, or until there are EVENT_CAPACITY events; returns how many there are. */
  find(bytes: Uint8Array, end: number): number;
}

/** The reference: one byte after the other. */
export class TableEventFinder implements EventFinder {
  state = 0;
  position = 0;
  readonly positions = new Int32Array(EVENT_CAPACITY);
  readonly codes = new Uint16Array(EVENT_CAPACITY);
  readonly #table: Uint8Array;

  constructor(table: Uint8Array) {
    this.#table = table;
  }

  find(bytes: Uint8Array, end: number): number {
    const table = this.#table;
    const { positions, codes } = this;
    let state = this.state;
    let i = this.position;
    let count = 0;
    while (i < end) {
      const row = state << 8;
      let cell = table[row | bytes[i]];
      // Most bytes leave the state as it is: this loop is the reference's speed.
      while (cell === state && ++i < end) cell = table[row | bytes[i]];
      if (i === end) break;
      i++;
      if (cell >> ACTION_SHIFT !== 0) {
        positions[count] = i;
        codes[count] = row | cell;
        count++;
      }
      state = cell & STATE_MASK;
      if (count === EVENT_CAPACITY) break;
    }
    this.state = state;
    this.position = i;
    return count;
  }
}
