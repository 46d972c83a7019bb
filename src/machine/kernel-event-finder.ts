import { EVENT_CAPACITY, type EventFinder } from "./event-finder.js";
import { KERNEL_BINARY } from "./kernel-binary.js";
import { QUOTED, STATE_COUNT, UNQUOTED } from "./table.js";

/** Where the kernel expects its input and leaves its events; see kernel/find-events.ts. */
const INPUT = 8192;
const INPUT_CAPACITY = 1 << 16;
const POSITIONS = INPUT + INPUT_CAPACITY + 64;
const CODES = POSITIONS + EVENT_CAPACITY * 4;

/** What the kernel exports. */
interface Kernel {
  memory: WebAssembly.Memory;
  state: WebAssembly.Global<"i32">;
  position: WebAssembly.Global<"i32">;
  find(length: number, plainSpecials: number, quotedSpecials: number): number;
}

/** Undefined until the first use; null where the runtime refuses WebAssembly or its SIMD instructions. */
let kernelModule: WebAssembly.Module | null | undefined;

/** Kernels whose scanner is done, for the next one: an instance costs more than a small file. */
const idle: Kernel[] = [];
const MOST_IDLE = 8;

/** The accelerated finder: the kernel runs the same table over a copy of the bytes. */
export class KernelEventFinder implements EventFinder {
  position = 0;
  readonly positions: Int32Array;
  readonly codes: Uint16Array;
  readonly #kernel: Kernel;
  readonly #input: Uint8Array;

  readonly #plainSpecials: number;
  readonly #quotedSpecials: number;

  private constructor(kernel: Kernel, table: Uint8Array, plainSpecials: number, quotedSpecials: number) {
    this.#kernel = kernel;
    this.#plainSpecials = plainSpecials;
    this.#quotedSpecials = quotedSpecials;
    const { buffer } = kernel.memory;
    new Uint8Array(buffer, 0, STATE_COUNT << 8).set(table);
    this.#input = new Uint8Array(buffer, INPUT, INPUT_CAPACITY);
    this.positions = new Int32Array(buffer, POSITIONS, EVENT_CAPACITY);
    this.codes = new Uint16Array(buffer, CODES, EVENT_CAPACITY);
    kernel.state.value = 0;
  }

  /** A finder for a table; null where the runtime refuses the kernel, or the kernel can't tell the dialect. */
  static create(table: Uint8Array): KernelEventFinder | null {
    const plain = specialsOf(table, UNQUOTED);
    const quoted = specialsOf(table, QUOTED);
    if (plain === null || quoted === null) return null;
    const kernel = idle.pop() ?? instantiate();
    return kernel === null ? null : new KernelEventFinder(kernel, table, plain, quoted);
  }

  get state(): number {
    return this.#kernel.state.value;
  }

  set state(state: number) {
    this.#kernel.state.value = state;
  }

  find(bytes: Uint8Array, end: number): number {
    const from = this.position;
    const length = Math.min(end - from, INPUT_CAPACITY);
    this.#input.set(bytes.subarray(from, from + length));
    const count = this.#kernel.find(length, this.#plainSpecials, this.#quotedSpecials);
    const { positions } = this;
    for (let event = 0; event < count; event++) positions[event] += from;
    this.position = from + this.#kernel.position.value;
    return count;
  }

  /** Hands the kernel on; the finder must not be used any more. */
  release(): void {
    if (idle.length < MOST_IDLE) idle.push(this.#kernel);
  }
}

function instantiate(): Kernel | null {
  try {
    kernelModule ??= new WebAssembly.Module(decodeBase64(KERNEL_BINARY));
    return new WebAssembly.Instance(kernelModule).exports as unknown as Kernel;
  } catch {
    kernelModule = null;
    return null;
  }
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

/**
 * The bytes that change a state, packed into 32 bits, one of them repeated where there are fewer than four. Null where
 * there are more.
 */
function specialsOf(table: Uint8Array, state: number): number | null {
  const specials: number[] = [];
  for (let byte = 0; byte < 256; byte++) if (table[(state << 8) | byte] !== state) specials.push(byte);
  if (specials.length === 0 || specials.length > 4) return null;
  let packed = 0;
  for (let i = 0; i < 4; i++) packed |= (specials[i] ?? specials[0]) << (8 * i);
  return packed;
}
