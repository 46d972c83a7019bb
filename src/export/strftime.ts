/** A strftime format in pieces, from which other tools' patterns are made. */
export type FormatPiece = { directive: string } | { literal: string };

/** Cuts a format at its directives; `%-d` is one, `%%` is the literal `%`. */
export function formatPieces(format: string): FormatPiece[] {
  const pieces: FormatPiece[] = [];
  let literal = "";
  const flush = () => {
    if (literal !== "") pieces.push({ literal });
    literal = "";
  };
  for (let at = 0; at < format.length; at++) {
    if (format[at] !== "%" || at + 1 === format.length) {
      literal += format[at];
      continue;
    }
    const length = format[at + 1] === "-" ? 3 : 2;
    const directive = format.slice(at, at + length);
    at += length - 1;
    if (directive === "%%") literal += "%";
    else {
      flush();
      pieces.push({ directive });
    }
  }
  flush();
  return pieces;
}

/**
 * A format in another tool's words; null where it has none for one of the directives.
 *
 * @param words The other tool's words by directive.
 * @param quoted How a literal is written there.
 */
export function translateFormat(
  format: string,
  words: Readonly<Record<string, string>>,
  quoted: (literal: string) => string = (literal) => literal,
): string | null {
  let translated = "";
  for (const piece of formatPieces(format)) {
    if ("literal" in piece) translated += quoted(piece.literal);
    else if (Object.hasOwn(words, piece.directive)) translated += words[piece.directive];
    else return null;
  }
  return translated;
}

/**
 * The words of tools whose formats are strftime's own: BigQuery, readr, Polars and, with other words for a few, MySQL and
 * ClickHouse. They read one digit or two by `%m`, `%d`, `%H` and `%I`.
 */
export const STRFTIME_WORDS = {
  "%Y": "%Y",
  "%y": "%y",
  "%m": "%m",
  "%-m": "%m",
  "%b": "%b",
  "%B": "%B",
  "%d": "%d",
  "%-d": "%d",
  "%a": "%a",
  "%A": "%A",
  "%H": "%H",
  "%-H": "%H",
  "%I": "%I",
  "%-I": "%I",
  "%p": "%p",
  "%M": "%M",
  "%S": "%S",
} as const;

/** A literal among strftime's words. */
export function percentLiteral(literal: string): string {
  return literal.replaceAll("%", "%%");
}

/** Letters of Unicode's UTS #35, as Java, Spark and CSVW have them. */
export const UNICODE_WORDS = {
  "%Y": "yyyy",
  "%y": "yy",
  "%m": "M",
  "%-m": "M",
  "%b": "MMM",
  "%B": "MMMM",
  "%d": "d",
  "%-d": "d",
  "%a": "EEE",
  "%A": "EEEE",
  "%H": "H",
  "%-H": "H",
  "%I": "h",
  "%-I": "h",
  "%p": "a",
  "%M": "mm",
  "%S": "ss",
  "%f": "SSSSSS",
  // An offset with a colon, or `Z`.
  "%z": "XXX",
} as const;

/** A literal among UTS #35's letters. */
export function unicodeLiteral(literal: string): string {
  return /[A-Za-z']/.test(literal) ? `'${literal.replaceAll("'", "''")}'` : literal;
}
