import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ACTION_SHIFT,
  AFTER_TEXT,
  BLANK_LINE,
  buildTable,
  COMMENT,
  COMMENT_END,
  CRLF,
  ESCAPE_SEEN,
  FIELD_END,
  FIELD_START,
  isEscapable,
  LINE_BREAK,
  machineBytes,
  QUOTE_END,
  QUOTE_SPACE,
  QUOTED,
  QUOTED_CR,
  QUOTED_ESCAPE,
  RECORD_CR,
  RECORD_END,
  RECORD_START,
  STATE_COUNT,
  STATE_MASK,
  SWALLOW_LF,
  tableOf,
  UNQUOTED,
  UNQUOTED_CRLF,
  UNQUOTED_ESCAPE,
} from "../../src/machine/table.js";
import { dialects, PLAIN_DIALECT } from "./dialects.js";

/** The state and the action that a byte leads to. */
function stepper(dialect: Partial<typeof PLAIN_DIALECT> = {}) {
  const table = buildTable(machineBytes({ ...PLAIN_DIALECT, ...dialect }));
  return (state: number, character: string): [state: number, action: number] => {
    const cell = table[(state << 8) | character.charCodeAt(0)];
    return [cell & STATE_MASK, cell >> ACTION_SHIFT];
  };
}

describe("the bytes of a dialect", () => {
  it("are -1 for what it lacks", () => {
    const bytes = machineBytes({ ...PLAIN_DIALECT, quote: null, escape: null });
    expect(bytes).toMatchObject({ quote: -1, escape: -1, comment: -1, newline: 0 });
  });

  it("have no doubled quote where there is no quote, but a backslash", () => {
    expect(machineBytes({ ...PLAIN_DIALECT, quote: null, escape: '"' }).escape).toBe(-1);
    expect(machineBytes({ ...PLAIN_DIALECT, quote: null, escape: "\\" }).escape).toBe(0x5c);
  });

  it("name one line end only where it is strict", () => {
    const newlines = (["\n", "\r", "\r\n"] as const).map(
      (newline) => machineBytes({ ...PLAIN_DIALECT, newline, strictNewline: true }).newline,
    );
    expect(newlines).toEqual([0x0a, 0x0d, CRLF]);
  });
});

describe("the transition table", () => {
  it("leads from states to states, and acts as it should know how to", () => {
    fc.assert(
      fc.property(dialects, (dialect) => {
        const table = buildTable(machineBytes(dialect));
        expect(table.length).toBe(STATE_COUNT << 8);
        expect(table.every((cell) => (cell & STATE_MASK) < STATE_COUNT)).toBe(true);
        expect(table.every((cell) => cell >> ACTION_SHIFT <= SWALLOW_LF)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it("is built once for a dialect", () => {
    const bytes = machineBytes(PLAIN_DIALECT);
    expect(tableOf({ ...bytes })).toBe(tableOf(bytes));
    expect(tableOf({ ...bytes, comment: 0x23 })).not.toBe(tableOf(bytes));
    expect(tableOf(bytes)).toEqual(buildTable(bytes));
  });

  it("takes quotes where a field begins only", () => {
    const step = stepper();
    expect(step(RECORD_START, '"')).toEqual([QUOTED, 0]);
    expect(step(FIELD_START, '"')).toEqual([QUOTED, 0]);
    expect(step(UNQUOTED, '"')).toEqual([UNQUOTED, 0]);
  });

  it("ends fields and records", () => {
    const step = stepper();
    for (const state of [RECORD_START, FIELD_START, UNQUOTED, QUOTE_END, QUOTE_SPACE, AFTER_TEXT]) {
      expect(step(state, ",")).toEqual([FIELD_START, FIELD_END]);
    }
    for (const state of [FIELD_START, UNQUOTED, QUOTE_END, QUOTE_SPACE, AFTER_TEXT]) {
      expect(step(state, "\n")).toEqual([RECORD_START, RECORD_END]);
      expect(step(state, "\r")).toEqual([RECORD_CR, RECORD_END]);
    }
  });

  it("reads a doubled quote as data and a single one as the end", () => {
    const step = stepper();
    expect(step(QUOTED, '"')).toEqual([QUOTE_END, 0]);
    expect(step(QUOTE_END, '"')).toEqual([QUOTED, ESCAPE_SEEN]);
    expect(step(QUOTE_END, " ")).toEqual([QUOTE_SPACE, 0]);
    expect(step(QUOTE_SPACE, '"')).toEqual([AFTER_TEXT, 0]);
  });

  it("reads an escape before what it escapes only", () => {
    const step = stepper({ escape: "\\" });
    expect(step(QUOTED, "\\")).toEqual([QUOTED_ESCAPE, 0]);
    expect(step(QUOTED_ESCAPE, '"')).toEqual([QUOTED, ESCAPE_SEEN]);
    expect(step(QUOTED_ESCAPE, "\n")).toEqual([QUOTED, LINE_BREAK]);
    expect(step(UNQUOTED, "\\")).toEqual([UNQUOTED_ESCAPE, 0]);
    expect(step(UNQUOTED_ESCAPE, ",")).toEqual([UNQUOTED, ESCAPE_SEEN]);
    expect(step(UNQUOTED_ESCAPE, "n")).toEqual([UNQUOTED, 0]);
    expect(step(AFTER_TEXT, "\\")).toEqual([AFTER_TEXT, 0]);
  });

  it("counts line breaks inside quotes, CR and LF as one", () => {
    const step = stepper();
    expect(step(QUOTED, "\n")).toEqual([QUOTED, LINE_BREAK]);
    expect(step(QUOTED, "\r")).toEqual([QUOTED_CR, LINE_BREAK]);
    expect(step(QUOTED_CR, "\n")).toEqual([QUOTED, 0]);
    expect(step(QUOTED_CR, "\r")).toEqual([QUOTED_CR, LINE_BREAK]);
    expect(step(QUOTED_CR, '"')).toEqual([QUOTE_END, 0]);
  });

  it("swallows the LF after a CR that has ended a line", () => {
    const step = stepper();
    expect(step(RECORD_CR, "\n")).toEqual([RECORD_START, SWALLOW_LF]);
    expect(step(RECORD_CR, "\r")).toEqual([RECORD_CR, BLANK_LINE]);
    expect(step(RECORD_CR, '"')).toEqual([QUOTED, 0]);
  });

  it("waits for the LF where only CRLF ends a record", () => {
    const step = stepper({ newline: "\r\n", strictNewline: true });
    expect(step(UNQUOTED, "\r")).toEqual([UNQUOTED_CRLF, 0]);
    expect(step(UNQUOTED_CRLF, "\n")).toEqual([RECORD_START, RECORD_END]);
    expect(step(UNQUOTED_CRLF, "x")).toEqual([UNQUOTED, 0]);
    expect(step(UNQUOTED, "\n")).toEqual([UNQUOTED, 0]);
  });

  it("sees comments at the start of a line only", () => {
    const step = stepper({ comment: "#" });
    expect(step(RECORD_START, "#")).toEqual([COMMENT, 0]);
    expect(step(RECORD_CR, "#")).toEqual([COMMENT, 0]);
    expect(step(FIELD_START, "#")).toEqual([UNQUOTED, 0]);
    expect(step(COMMENT, '"')).toEqual([COMMENT, 0]);
    expect(step(COMMENT, "\n")).toEqual([RECORD_START, COMMENT_END]);
  });

  it("skips spaces at a field's start where they are layout", () => {
    expect(stepper({ skipInitialSpace: true })(FIELD_START, " ")).toEqual([FIELD_START, 0]);
    // A run of spaces is one delimiter then, and otherwise as many.
    expect(stepper({ skipInitialSpace: true, delimiter: " " })(FIELD_START, " ")).toEqual([FIELD_START, 0]);
    expect(stepper({ delimiter: " " })(FIELD_START, " ")).toEqual([FIELD_START, FIELD_END]);
    expect(stepper()(FIELD_START, " ")).toEqual([UNQUOTED, 0]);
  });
});

describe("what an escape escapes", () => {
  const escapables = (escape: string, delimiter = ",") => {
    const bytes = machineBytes({ ...PLAIN_DIALECT, escape, delimiter });
    const found: string[] = [];
    for (let byte = 0; byte < 256; byte++) {
      if (isEscapable(bytes, byte)) found.push(String.fromCharCode(byte));
    }
    return found;
  };

  it("is the quote alone where quotes are doubled", () => {
    expect(escapables('"')).toEqual(['"']);
  });

  it("is the quote, the backslash and the delimiter's first byte otherwise", () => {
    expect(escapables("\\", "||")).toEqual(['"', "\\", "|"]);
  });
});
