/** How a CSV file is written: all that the state machine needs to know, in plain JSON. */
export interface Dialect {
  /** Between fields: one to four bytes of UTF-8. */
  delimiter: string;
  /** Around fields that hold special characters: one ASCII character, or null for none. */
  quote: string | null;
  /** Before a quote that is data, one ASCII character: the quote itself (doubled quotes), a backslash, or null. */
  escape: string | null;
  /** The line end, or the most frequent one where the file mixes them. */
  newline: "\n" | "\r\n" | "\r";
  /** True when only `newline` ends a record; otherwise CRLF, LF and CR are one class. */
  strictNewline: boolean;
  /** The character that makes a line a comment when it comes first, or null. */
  comment: string | null;
  /** Whether spaces after a delimiter are layout and not data; where that is a space, a run of them is one. */
  skipInitialSpace: boolean;
}
