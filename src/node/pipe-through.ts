/**
 * An opt-in side effect: after this import a Node Readable has `pipeThrough`, as a WHATWG ReadableStream has. It is
 * defined only where it is absent, and is not enumerable.
 *
 * @module sniffed-csv/pipe-through
 */
import { Readable } from "node:stream";

declare module "node:stream" {
  interface Readable {
    /** Pipes this stream through a WHATWG transform; errors and cancellation are passed on both ways. */
    pipeThrough<Out>(
      transform: { readable: ReadableStream<Out>; writable: WritableStream },
      options?: {
        preventClose?: boolean;
        preventAbort?: boolean;
        preventCancel?: boolean;
        signal?: AbortSignal;
      },
    ): ReadableStream<Out>;
  }
}

function pipeThrough<Out>(
  this: Readable,
  transform: { readable: ReadableStream<Out>; writable: WritableStream },
  options?: StreamPipeOptions,
): ReadableStream<Out> {
  const fits = typeof transform?.readable === "object" && typeof transform?.writable === "object";
  if (!fits) {
    throw new TypeError(
      "pipeThrough needs a WHATWG transform; a Node Duplex, as sniffed-csv/node makes it, goes with pipe or pipeline",
    );
  }
  return (Readable.toWeb(this) as ReadableStream).pipeThrough(transform, options);
}

if (!("pipeThrough" in Readable.prototype)) {
  Object.defineProperty(Readable.prototype, "pipeThrough", {
    value: pipeThrough,
    writable: true,
    configurable: true,
    enumerable: false,
  });
}
