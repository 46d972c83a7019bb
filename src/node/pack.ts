type Vector =
  | Float64Array<ArrayBuffer>
  | BigInt64Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>;

/**
 * Moves vectors into one piece of memory: each piece that goes to another thread costs more there than copying all of
 * them. Gives the memory, and replaces each vector by what `put` is called with.
 */
export class Packer {
  readonly #vectors: { vector: Vector; put: (packed: never) => void }[] = [];
  #size = 0;

  add<Kind extends Vector>(vector: Kind, put: (packed: Kind) => void): void {
    this.#vectors.push({ vector, put });
    this.#size += aligned(vector.byteLength);
  }

  pack(): ArrayBuffer {
    const memory = new ArrayBuffer(this.#size);
    let at = 0;
    for (const { vector, put } of this.#vectors) {
      put(copied(vector, memory, at) as never);
      at += aligned(vector.byteLength);
    }
    return memory;
  }
}

function copied(vector: Vector, memory: ArrayBuffer, at: number): Vector {
  const { length } = vector;
  if (vector instanceof BigInt64Array) {
    const packed = new BigInt64Array(memory, at, length);
    packed.set(vector);
    return packed;
  }
  const Kind = vector.constructor as new (
    memory: ArrayBuffer,
    at: number,
    length: number,
  ) => Float64Array<ArrayBuffer>;
  const packed = new Kind(memory, at, length);
  packed.set(vector);
  return packed;
}

function aligned(size: number): number {
  return (size + 7) & ~7;
}
