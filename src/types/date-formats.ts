import { compileFormat, type TemporalFormat } from "./format.js";

const ISO_DATE = "%Y-%m-%d";
const SEPARATORS = ["-", "/", ".", " "];
const TIMES = ["%H:%M:%S", "%H:%M", "%I:%M:%S %p", "%I:%M %p"];
/** The ISO timestamp takes times of a 24-hour clock with and without seconds. */
const TIMES_BESIDE_ISO = TIMES.filter((time) => time.includes("%p"));

/** Layouts of numbers, with `-` for every separator; the year in full before the year in two digits. */
const NUMERIC_LAYOUTS = ["%d-%m-%Y", "%m-%d-%Y", "%Y-%m-%d", "%d-%m-%y", "%m-%d-%y"];
/** The rarest reading of three numbers; DuckDB prefers it, and so takes the day for the year. */
const LAST_LAYOUT = "%y-%m-%d";

const NAMED_LAYOUTS = ["%d-%b-%Y", "%d-%B-%Y", "%d-%b-%y", "%b-%d-%Y", "%B-%d-%Y", "%Y-%b-%d"];
const PROSE_DATES = [
  "%d%b%Y",
  "%b %d, %Y",
  "%B %d, %Y",
  "%a, %d %b %Y",
  "%a %d %b %Y",
  "%a, %b %d, %Y",
  "%a %b %d %Y",
  "%A, %d %B %Y",
  "%A, %B %d, %Y",
];

const DATE_TEXTS = [
  ISO_DATE,
  ...separated(NUMERIC_LAYOUTS).filter((text) => text !== ISO_DATE),
  ...separated(NAMED_LAYOUTS),
  ...PROSE_DATES,
  ...separated([LAST_LAYOUT]),
];

/** What a DATE column may look like, in order of preference: of two readings, the day-first one comes first. */
export const DATE_FORMATS: readonly TemporalFormat[] = DATE_TEXTS.map(compileFormat);

/**
 * What a TIMESTAMP column may look like, in order of preference: the formats of {@link DATE_FORMATS} with a time
 * behind. Each also takes a fraction of a second, and a date alone.
 */
export const TIMESTAMP_FORMATS: readonly TemporalFormat[] = [
  compileFormat(`${ISO_DATE} %H:%M:%S`),
  ...DATE_TEXTS.flatMap((date) =>
    (date === ISO_DATE ? TIMES_BESIDE_ISO : TIMES).map((time) => compileFormat(`${date} ${time}`)),
  ),
];

/** What a TIMESTAMPTZ column may look like: ISO 8601 with an offset. */
export const TIMESTAMPTZ_FORMATS: readonly TemporalFormat[] = [compileFormat(`${ISO_DATE} %H:%M:%S%z`)];

/** Every layout with every separator in place of its own. */
function separated(layouts: readonly string[]): string[] {
  return layouts.flatMap((layout) => SEPARATORS.map((separator) => layout.replaceAll("-", separator)));
}
