/*
 * Where things lie in the kernel's memory. scripts/build-kernel.js hands these numbers on to kernel.ts, which is compiled
 * by tsc and can't import them.
 */

/** The transition table. */
export const TABLE: i32 = 0;
/** By state: the form of a field that a delimiter ends there; see FIELD_END_FORM. */
export const FIELD_FORMS: i32 = 7424;
/** By state: the form of a field that a line end ends there; see RECORD_END_FORM. */
export const RECORD_FORMS: i32 = 7456;
/** Texts that stand for a missing value: a byte for the length, the text, and so on up to a length of 255. */
export const NULL_TEXTS: i32 = 7488;
export const NULL_TEXTS_SIZE: i32 = 512;
/** The steps of a date format. */
export const PATTERN: i32 = NULL_TEXTS + NULL_TEXTS_SIZE;
export const PATTERN_SIZE: i32 = 192;

export const INPUT: i32 = PATTERN + PATTERN_SIZE;
export const INPUT_CAPACITY: i32 = 131072;
/** Vectors may be read and written past the end of what they hold. */
export const SLACK: i32 = 64;

export const EVENT_CAPACITY: i32 = 16384;
export const FIELD_CAPACITY: i32 = 65536;
export const RECORD_CAPACITY: i32 = 4096;

export const POSITIONS: i32 = INPUT + INPUT_CAPACITY + SLACK;
export const CODES: i32 = POSITIONS + EVENT_CAPACITY * 4;

export const STARTS: i32 = CODES + EVENT_CAPACITY * 2;
export const ENDS: i32 = STARTS + FIELD_CAPACITY * 4;
export const FIRST_FIELD: i32 = ENDS + FIELD_CAPACITY * 4;
export const RECORD_STARTS: i32 = FIRST_FIELD + (RECORD_CAPACITY + 2) * 4;
export const RECORD_ENDS: i32 = RECORD_STARTS + RECORD_CAPACITY * 4;
export const RECORD_LINES: i32 = RECORD_ENDS + RECORD_CAPACITY * 4;
export const FLAGS: i32 = RECORD_LINES + RECORD_CAPACITY * 4;
export const RECORD_FLAGS: i32 = FLAGS + FIELD_CAPACITY;

/** By row of a batch: its first field, and how many it has. */
export const ROW_FIRST: i32 = RECORD_FLAGS + RECORD_CAPACITY;
export const ROW_WIDTH: i32 = ROW_FIRST + RECORD_CAPACITY * 4;
/** By row: what became of a column's cell. */
export const OUTCOMES: i32 = ROW_WIDTH + RECORD_CAPACITY * 4;
/** By row, eight bytes each: a column's values. */
export const VALUES: i32 = OUTCOMES + RECORD_CAPACITY;
/** By row, four bytes each: the days of a date, beside the microseconds among the values. */
export const DAYS: i32 = VALUES + RECORD_CAPACITY * 8;
/** By row, and one more: where a cell's text ends, in bytes and in UTF-16 units. */
export const OFFSETS: i32 = DAYS + RECORD_CAPACITY * 4;
export const UNITS: i32 = OFFSETS + (RECORD_CAPACITY + 2) * 4;
/** The text of a column, cell after cell. */
export const TEXT: i32 = UNITS + (RECORD_CAPACITY + 2) * 4;
/** What is searched for events: the input of the last scan is still to be cast then. */
export const EVENT_INPUT: i32 = TEXT + INPUT_CAPACITY + SLACK;
export const EVENT_INPUT_CAPACITY: i32 = 65536;
export const END: i32 = EVENT_INPUT + EVENT_INPUT_CAPACITY + SLACK;

/* States, actions, forms and flags: as in table.ts and spans.ts, which a test compares. */
export const UNQUOTED: i32 = 2;
export const QUOTED_STATE: i32 = 3;
export const QUOTE_END: i32 = 4;
export const STATE_MASK: i32 = 31;
export const ACTION_SHIFT: i32 = 5;
export const NO_ACTION: i32 = 32;
export const FIELD_END: i32 = 1;
export const RECORD_END: i32 = 2;
export const ESCAPE_SEEN: i32 = 3;
export const LINE_BREAK: i32 = 4;
export const BLANK_LINE: i32 = 5;
export const PLAIN_FORM: i32 = 0;
export const QUOTED_FORM: i32 = 1;
export const QUOTED: i32 = 1;
export const ESCAPED: i32 = 2;
export const MISPLACED: i32 = 4;
