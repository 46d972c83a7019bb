import type { EventFinder } from "./event-finder.js";
import { EVENT_INPUT_CAPACITY, type Kernel, type KernelDialect } from "./kernel.js";

/** The accelerated finder: the kernel runs the same table over a copy of the bytes. */
export class KernelEventFinder implements EventFinder {
  state = 0;
  position = 0;
  positions = new Int32Array(256);
  codes = new Uint16Array(256);
  readonly #kernel: Kernel;
  readonly #dialect: KernelDialect;

  constructor(kernel: Kernel, dialect: KernelDialect) {
    this.#kernel = kernel;
    this.#dialect = dialect;
  }

  find(bytes: Uint8Array, end: number): number {
    const kernel = this.#kernel;
    const { run } = kernel;
    const from = this.position;
    const length = Math.min(end - from, EVENT_INPUT_CAPACITY);
    kernel.setDialect(this.#dialect);
    kernel.eventInput.set(bytes.subarray(from, from + length));
    run.state.value = this.state;
    const count = run.find(length, this.#dialect.plainSpecials, this.#dialect.quotedSpecials);
    this.state = run.state.value;
    this.position = from + run.position.value;
    if (this.positions.length < count) {
      // Doubled, so that not each search that finds a few more makes them anew.
      const size = Math.max(count, this.positions.length * 2);
      this.positions = new Int32Array(size);
      this.codes = new Uint16Array(size);
    }
    const { positions } = this;
    const found = kernel.positions;
    for (let event = 0; event < count; event++) positions[event] = found[event] + from;
    this.codes.set(kernel.codes.subarray(0, count));
    return count;
  }
}
