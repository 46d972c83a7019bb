const TWO_TO_32 = 4_294_967_296;
/** Microseconds of a day, as 20 × 2³² and this. */
const DAY_LOW = 500_654_080;
const DAY_HIGH = 20;

/** 64-bit integers that are written by halves, as making a bigint of each takes longer than all else. */
export class Int64Writer {
  readonly #halves: Int32Array;

  constructor(values: BigInt64Array) {
    this.#halves = new Int32Array(values.buffer, values.byteOffset, values.length * 2);
  }

  /** Stores a whole number of at most 53 bits. */
  setNumber(index: number, value: number): void {
    this.#set(index, Math.floor(value / TWO_TO_32), value);
  }

  /** Stores days and microseconds of the day as microseconds. */
  setMicros(index: number, days: number, micros: number): void {
    const low = days * DAY_LOW + micros;
    this.#set(index, days * DAY_HIGH + Math.floor(low / TWO_TO_32), low);
  }

  #set(index: number, high: number, low: number): void {
    this.#halves[2 * index + LOW] = low;
    this.#halves[2 * index + HIGH] = high;
  }
}

/** Which half comes first is up to the processor. */
const LOW = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 0 : 1;
const HIGH = 1 - LOW;
