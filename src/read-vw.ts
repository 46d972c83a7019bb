import { type CsvSource, chunksOf } from "./input/chunks.js";
import { decompressed } from "./input/decompression.js";
import { type CsvOptions, resolveOptions } from "./options.js";
import type { VwEmitter } from "./output/vw/emitter.js";
import type { VwExample } from "./output/vw/examples.js";
import { chunkInput, SourceRows } from "./read.js";

/** Options of {@link readVw}: those of reading, with VW output. */
export interface VwReadOptions extends CsvOptions {
  /** Lines of text, or structured examples. */
  output: "vw" | "vw-examples";
}

/** VW examples of several inputs: iterate once. */
export interface VwExamples<Example> extends AsyncIterable<Example> {
  /** The number of each class that has a name, over all inputs so far. */
  readonly labels: Readonly<Record<string, number>>;
}

/**
 * Reads VW examples from several inputs, one after the other. As with VW, the header and the dialect are each
 * input's own; the numbers of named classes go on.
 *
 * @throws CsvError as `readCsv` does.
 */
export function readVw<const Options extends VwReadOptions>(
  sources: Iterable<CsvSource> | AsyncIterable<CsvSource>,
  options: Options,
): VwExamples<Options extends { output: "vw" } ? string : VwExample> {
  const resolved = resolveOptions(options);
  let emitter: VwEmitter | null = null;
  let current: SourceRows | null = null;
  async function* examples(): AsyncGenerator<unknown> {
    for await (const source of sources) {
      const rows: SourceRows = new SourceRows(
        decompressed(chunksOf(source), resolved),
        resolved,
        chunkInput(resolved, emitter),
      );
      current = rows;
      try {
        yield* rows;
      } finally {
        emitter = rows.vw ?? emitter;
        await rows.return();
      }
    }
  }
  const iterator = examples();
  return {
    get labels() {
      return (current?.vw ?? emitter)?.labels ?? {};
    },
    [Symbol.asyncIterator]: () => iterator,
  } as VwExamples<Options extends { output: "vw" } ? string : VwExample>;
}
