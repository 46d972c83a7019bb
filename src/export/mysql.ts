import type { Column, Sniff } from "../sniffer/sniff.js";
import {
  cellsOf,
  columnPlans,
  commentLines,
  dialectNotes,
  isQuoteDoubled,
  linesAboveData,
} from "./column-plan.js";
import type { ExportPlace } from "./export-sniff.js";
import { caseInsensitiveNames, renamedNotes, tableName } from "./names.js";
import { backslashString, backtickIdentifier } from "./quoting.js";
import { type SqlEngine, sqlExpression, untypedNotes } from "./sql-expression.js";
import { percentLiteral, STRFTIME_WORDS, translateFormat } from "./strftime.js";

/** An identifier's characters that MySQL takes; bytes are never more. */
const NAME_BYTES = 64;

const TYPES: Record<Column["type"], string> = {
  SQLNULL: "TEXT",
  BOOLEAN: "BOOLEAN",
  BIGINT: "BIGINT",
  HUGEINT: "DECIMAL(39, 0)",
  DOUBLE: "DOUBLE",
  TIME: "TIME(6)",
  DATE: "DATE",
  TIMESTAMP: "DATETIME(6)",
  TIMESTAMPTZ: "DATETIME(6)",
  VARCHAR: "LONGTEXT",
};

/** Specifiers of `STR_TO_DATE`. @see https://dev.mysql.com/doc/refman/8.4/en/date-and-time-functions.html */
const WORDS = {
  ...STRFTIME_WORDS,
  "%B": "%M",
  "%A": "%W",
  "%I": "%h",
  "%-I": "%h",
  "%M": "%i",
  "%S": "%s",
  "%f": "%f",
};

const ENGINE: SqlEngine = {
  string: backslashString,
  type: ({ type }) => TYPES[type],
  // An assignment to the column casts, and strict mode refuses what does not fit.
  cast: (source) => source,
  matches: (source, pattern) => `${source} REGEXP ${backslashString(pattern)}`,
  fault: (source, message) => `CONCAT(${source}, ${backslashString(message)})`,
  parse(source, { format = "" }) {
    const template = translateFormat(format, WORDS, percentLiteral);
    return template === null ? null : `STR_TO_DATE(${source}, ${backslashString(template)})`;
  },
};

const CHARSETS: Record<string, string> = {
  "utf-8": "utf8mb4",
  "windows-1250": "cp1250",
  "windows-1251": "cp1251",
  "windows-1252": "latin1",
  "windows-1256": "cp1256",
  "windows-1257": "cp1257",
  "iso-8859-2": "latin2",
  "iso-8859-7": "greek",
  "iso-8859-8": "hebrew",
  "koi8-r": "koi8r",
  "koi8-u": "koi8u",
  shift_jis: "cp932",
  "euc-jp": "ujis",
  "euc-kr": "euckr",
  gbk: "gbk",
  gb18030: "gb18030",
  big5: "big5",
  cp850: "cp850",
  cp852: "cp852",
  macintosh: "macroman",
};

/**
 * `CREATE TABLE` and `LOAD DATA LOCAL INFILE`, which makes the values of user variables as it reads.
 *
 * @see https://dev.mysql.com/doc/refman/8.4/en/load-data.html
 */
export function mysql(sniff: Sniff, place: ExportPlace): string {
  const { path, table, schema, only, compression } = place;
  const { dialect, columns } = sniff;
  const cells = cellsOf(sniff);
  const names = columns.map(({ name }) => name);
  const given = caseInsensitiveNames(
    // No name of MySQL's ends in a space.
    names.map((name) => name.trimEnd()),
    NAME_BYTES,
  );
  const plans = columnPlans(sniff, given);
  const expressions = plans.map((plan) => {
    const source = `@c${plan.index}`;
    if (plan.column.type !== "BOOLEAN" || !plan.isPlain)
      return sqlExpression(plan, source, cells, ENGINE, false);
    const nulls = cells.nullValues.map(backslashString).join(", ");
    return {
      text: `CASE WHEN ${source} IN (${nulls || "NULL"}) THEN NULL ELSE lower(${source}) = 'true' END`,
      isTyped: true,
    };
  });
  const into = tableName({ table: table.trimEnd(), schema }, backtickIdentifier, NAME_BYTES);
  const charset = CHARSETS[dialect.encoding];
  const escape = dialect.escape !== null && !isQuoteDoubled(dialect) ? dialect.escape : "";
  const quote = dialect.quote === null ? "" : ` OPTIONALLY ENCLOSED BY ${backslashString(dialect.quote)}`;
  const notes = [
    ...renamedNotes(names, given),
    ...dialectNotes(sniff),
    ...(compression === undefined ? [] : ["LOAD DATA decompresses nothing: decompress the file first"]),
    ...(charset === undefined
      ? [`LOAD DATA does not read ${dialect.encoding}: make UTF-8 of the file first`]
      : []),
    ...(columns.some(({ type }) => type === "TIMESTAMPTZ")
      ? ["DATETIME has no zone: MySQL turns an offset into the session's time"]
      : []),
    "LOAD DATA LOCAL warns where a cell is no value of its type, and goes on: look at what SHOW WARNINGS says",
    ...untypedNotes(plans, expressions, "STR_TO_DATE"),
  ];
  const made = plans.map(
    ({ column, name }, index) =>
      `${backtickIdentifier(name)} ${expressions[index].isTyped ? TYPES[column.type] : "LONGTEXT"}`,
  );
  const create = `CREATE TABLE ${into} (
  ${made.join(",\n  ")}
) CHARACTER SET utf8mb4;
`;
  if (only === "table") return `${commentLines(renamedNotes(names, given), "--")}${create}`;
  return `${commentLines(notes, "--")}${only === "load" ? "" : create}LOAD DATA LOCAL INFILE ${backslashString(path)} INTO TABLE ${into}
CHARACTER SET ${charset ?? "utf8mb4"}
FIELDS TERMINATED BY ${backslashString(dialect.delimiter)}${quote} ESCAPED BY ${backslashString(escape)}
LINES TERMINATED BY ${backslashString(dialect.newline)}
IGNORE ${linesAboveData(sniff)} LINES
(${plans.map(({ index }) => `@c${index}`).join(", ")})
SET
  ${plans.map(({ name }, index) => `${backtickIdentifier(name)} = ${expressions[index].text}`).join(",\n  ")};
SHOW WARNINGS;
`;
}
