import type { CsvPlace, CsvWarning } from "../../../src/errors.js";
import { Scanner } from "../../../src/machine/scanner.js";
import { readHeaderCells, VwEmitter } from "../../../src/output/vw/emitter.js";
import type { VwExample } from "../../../src/output/vw/examples.js";
import { resolveVwOptions, type VwOptions } from "../../../src/output/vw/options.js";

/** What a CSV makes, as lines and as examples, one of each a record. */
export interface VwReading {
  lines: string[];
  examples: VwExample[];
  warnings: readonly CsvWarning[];
  labels: Readonly<Record<string, number>>;
}

/** Reads a whole CSV in VW's own dialect: what the stream does, without a stream. */
export function readVw(csv: string | Uint8Array, given: VwOptions = {}, chunk = 0): VwReading {
  const options = resolveVwOptions(given);
  const bytes = typeof csv === "string" ? new TextEncoder().encode(csv) : csv;
  const scanner = new Scanner(
    {
      delimiter: options.separator ?? ",",
      quote: '"',
      escape: '"',
      newline: "\n",
      strictNewline: options.separator === "\r",
      comment: null,
      skipInitialSpace: false,
    },
    { maxRecordSize: 1 << 20, maxColumns: 1 << 16 },
    true,
  );
  const lines: string[] = [];
  const examples: VwExample[] = [];
  let emitter: VwEmitter | null = null;
  const newEmitter = (header: Uint8Array[] | null) =>
    new VwEmitter(header, options, {
      machine: scanner.machine,
      placeOf: (record): CsvPlace => ({ line: scanner.spans.recordLines[record] + 1 }),
    });
  if (options.noFileHeader) emitter = newEmitter(null);
  const step = chunk === 0 ? bytes.length : chunk;
  for (let end = Math.min(step, bytes.length); ; end = Math.min(end + step, bytes.length)) {
    const last = end === bytes.length;
    for (;;) {
      scanner.scan(bytes, end, last, emitter === null ? 1 : 64, 1 << 16);
      const { spans } = scanner;
      if (spans.recordCount === 0) break;
      let record = 0;
      if (emitter === null) {
        record = 1;
        if (spans.recordStarts[0] === spans.recordEnds[0]) continue;
        emitter = newEmitter(readHeaderCells(spans, 0, options, scanner.machine));
        const fault = options.header === undefined ? null : emitter.structureFault(spans, 0);
        if (fault !== null) throw fault;
      }
      for (let r = record; r < spans.recordCount; r++) {
        const fault = emitter.structureFault(spans, r);
        if (fault !== null) throw fault;
        examples.push(emitter.example(spans, r));
      }
      lines.push(...emitter.lines(spans, record, spans.recordCount));
    }
    if (last) break;
  }
  return { lines, examples, warnings: emitter?.warnings ?? [], labels: emitter?.labels ?? {} };
}
