import type { EventFinder } from "./event-finder.js";
import { INPUT_CAPACITY, type Kernel } from "./kernel.js";

/** The accelerated finder: the kernel runs the same table over a copy of the bytes. */
export class KernelEventFinder implements EventFinder {
  position = 0;
  readonly positions: Int32Array;
  readonly codes: Uint16Array;
  readonly #kernel: Kernel;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
    this.positions = kernel.positions;
    this.codes = kernel.codes;
  }

  get state(): number {
    return this.#kernel.run.state.value;
  }

  set state(state: number) {
    this.#kernel.run.state.value = state;
  }

  find(bytes: Uint8Array, end: number): number {
    const { run, input, plainSpecials, quotedSpecials } = this.#kernel;
    const from = this.position;
    const length = Math.min(end - from, INPUT_CAPACITY);
    input.set(bytes.subarray(from, from + length));
    const count = run.find(length, plainSpecials, quotedSpecials);
    const { positions } = this;
    for (let event = 0; event < count; event++) positions[event] += from;
    this.position = from + run.position.value;
    return count;
  }
}
