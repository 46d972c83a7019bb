import { describe, expect, it } from "vitest";
import { EVENT_CAPACITY } from "../../src/machine/event-finder.js";
import { LAYOUT } from "../../src/machine/kernel-binary.js";
import { ESCAPED, MISPLACED, QUOTED } from "../../src/machine/spans.js";
import {
  ACTION_SHIFT,
  BLANK_LINE,
  ESCAPE_SEEN,
  FIELD_END,
  LINE_BREAK,
  PLAIN_FORM,
  QUOTE_END,
  QUOTED_FORM,
  QUOTED as QUOTED_STATE,
  RECORD_END,
  STATE_COUNT,
  STATE_MASK,
  UNQUOTED,
} from "../../src/machine/table.js";

describe("the kernel's layout", () => {
  it("has the reference's states, actions, forms and flags", () => {
    expect(LAYOUT).toMatchObject({
      EVENT_CAPACITY,
      NO_ACTION: 1 << ACTION_SHIFT,
      QUOTED_STATE,
      ESCAPED,
      MISPLACED,
      QUOTED,
      ACTION_SHIFT,
      BLANK_LINE,
      ESCAPE_SEEN,
      FIELD_END,
      LINE_BREAK,
      PLAIN_FORM,
      QUOTE_END,
      QUOTED_FORM,
      RECORD_END,
      STATE_MASK,
      UNQUOTED,
    });
  });

  it("has room for the table, and aligned vectors", () => {
    expect(LAYOUT.FIELD_FORMS).toBeGreaterThanOrEqual(STATE_COUNT << 8);
    expect(LAYOUT.RECORD_FORMS - LAYOUT.FIELD_FORMS).toBeGreaterThanOrEqual(STATE_COUNT);
    expect(LAYOUT.NULL_TEXTS - LAYOUT.RECORD_FORMS).toBeGreaterThanOrEqual(STATE_COUNT);
    expect(LAYOUT.VALUES % 8).toBe(0);
    for (const name of ["STARTS", "ENDS", "FIRST_FIELD", "DAYS", "OFFSETS", "UNITS", "ROW_FIRST"] as const) {
      expect(LAYOUT[name] % 4, name).toBe(0);
    }
  });
});
