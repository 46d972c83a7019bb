import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Dialect } from "../../src/machine/dialect.js";
import { EVENT_CAPACITY, type EventFinder, TableEventFinder } from "../../src/machine/event-finder.js";
import { Kernel, kernelDialect } from "../../src/machine/kernel.js";
import { KernelEventFinder } from "../../src/machine/kernel-event-finder.js";
import { machineBytes, tableOf } from "../../src/machine/table.js";

const dialects = fc.record<Dialect>({
  delimiter: fc.constantFrom(",", ";", "\t", "||", "aab", ", ", "é", "::::"),
  quote: fc.constantFrom('"', "'", null),
  escape: fc.constantFrom('"', "'", "\\", null),
  newline: fc.constantFrom("\n", "\r\n", "\r"),
  strictNewline: fc.boolean(),
  comment: fc.constantFrom("#", null),
  skipInitialSpace: fc.boolean(),
});

/** Long runs of plain bytes between special ones, so that the sixteen-byte steps start and stop everywhere. */
const inputs = fc
  .array(
    fc.oneof(
      fc.constantFrom(..."\"',;\t|ab:#\\\r\n é".split("")),
      fc.integer({ min: 0, max: 40 }).map((length) => "x".repeat(length)),
      fc.constantFrom("\u0000", "\ud800", "日本", "😈"),
    ),
    { maxLength: 120 },
  )
  .map((parts) => new TextEncoder().encode(parts.join("")));

const bytes = fc.oneof(inputs, fc.uint8Array({ maxLength: 300 }));

function finderOf(dialect: Dialect): KernelEventFinder {
  const machine = machineBytes(dialect);
  const kernel = Kernel.get();
  const known = kernelDialect(tableOf(machine), machine, false, false);
  if (kernel === null || known === null) throw new Error("this runtime should take the kernel");
  return new KernelEventFinder(kernel, known);
}

function eventsOf(finder: EventFinder, input: Uint8Array, cuts: readonly number[]): string[] {
  const events: string[] = [];
  for (const end of [...cuts, input.length]) {
    while (finder.position < end) {
      const count = finder.find(input, end);
      for (let event = 0; event < count; event++) {
        events.push(`${finder.positions[event]}:${finder.codes[event]}`);
      }
    }
  }
  events.push(`state ${finder.state}`);
  return events;
}

describe("the kernel", () => {
  it("finds the reference's events in any dialect, input and cuts", () => {
    fc.assert(
      fc.property(dialects, bytes, fc.array(fc.nat(300), { maxLength: 4 }), (dialect, input, places) => {
        const table = tableOf(machineBytes(dialect));
        const cuts = places.filter((place) => place <= input.length).sort((a, b) => a - b);
        const reference = eventsOf(new TableEventFinder(table), input, []);
        expect(eventsOf(finderOf(dialect), input, cuts)).toEqual(reference);
      }),
      { numRuns: 3_000 },
    );
  });

  it("goes on where its input or its list of events is full", () => {
    const dialect: Dialect = {
      delimiter: ",",
      quote: '"',
      escape: '"',
      newline: "\n",
      strictNewline: false,
      comment: null,
      skipInitialSpace: false,
    };
    const table = tableOf(machineBytes(dialect));
    const crowded = new TextEncoder().encode(",".repeat(3 * EVENT_CAPACITY + 5));
    const long = new TextEncoder().encode(`"${"x".repeat(200_000)}",y\n`.repeat(3));
    for (const input of [crowded, long]) {
      const reference = eventsOf(new TableEventFinder(table), input, []);
      expect(eventsOf(finderOf(dialect), input, [])).toEqual(reference);
    }
  });

  it("serves several dialects in turn, and keeps no state of one for another", () => {
    const scene = fc.record({ dialect: dialects, input: bytes });
    fc.assert(
      fc.property(
        fc.array(scene, { minLength: 2, maxLength: 4 }),
        fc.integer({ min: 1, max: 40 }),
        (scenes, step) => {
          const open = scenes.map(({ dialect, input }) => ({
            finder: finderOf(dialect),
            input,
            events: [] as string[],
          }));
          for (
            let end = step;
            open.some(({ finder, input }) => finder.position < input.length);
            end += step
          ) {
            const counts = open.map(({ finder, input }) => finder.find(input, Math.min(end, input.length)));
            for (const [i, { finder, events }] of open.entries()) {
              for (let event = 0; event < counts[i]; event++) {
                events.push(`${finder.positions[event]}:${finder.codes[event]}`);
              }
            }
          }
          for (const [i, { finder, events }] of open.entries()) {
            const { dialect, input } = scenes[i];
            const reference = eventsOf(new TableEventFinder(tableOf(machineBytes(dialect))), input, []);
            expect([...events, `state ${finder.state}`]).toEqual(reference);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
