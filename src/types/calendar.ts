/** A day of the proleptic Gregorian calendar. */
export interface CivilDate {
  year: number;
  /** 1 to 12. */
  month: number;
  /** 1 to 31. */
  day: number;
}

/** 0001-01-01, in days since 1970-01-01. */
export const FIRST_DAY = -719162;
/** 9999-12-31, in days since 1970-01-01. */
export const LAST_DAY = 2932896;

/** 1970-01-01, in days since 0000-03-01. */
const EPOCH = 719468;
const DAYS_IN_400_YEARS = 146097;
const DAYS_IN_100_YEARS = 36524;
const DAYS_IN_4_YEARS = 1461;
const DAYS_IN_YEAR = 365;

/** The number of days of a month (1 to 12). */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return 30 + ((month + (month >> 3)) & 1);
}

/** Whether a day exists; years are 1 to 9999. */
export function isValidDate(year: number, month: number, day: number): boolean {
  if (year < 1 || year > 9999 || month < 1 || month > 12 || day < 1) return false;
  return day <= 28 || day <= daysInMonth(year, month);
}

/** Days since 1970-01-01 of a day that {@link isValidDate} holds valid. */
export function daysFromCivil(year: number, month: number, day: number): number {
  // Counted from March, the leap day is the last of its year and months follow one pattern of 153 days in five.
  const marchYear = month > 2 ? year : year - 1;
  const marchMonth = month > 2 ? month - 3 : month + 9;
  const leapDays = ((marchYear / 4) | 0) - ((marchYear / 100) | 0) + ((marchYear / 400) | 0);
  return marchYear * DAYS_IN_YEAR + leapDays + (((153 * marchMonth + 2) / 5) | 0) + day - 1 - EPOCH;
}

/** The day that lies `days` after 1970-01-01, between {@link FIRST_DAY} and {@link LAST_DAY}. */
export function civilFromDays(days: number): CivilDate {
  let rest = days + EPOCH;
  const cycles = (rest / DAYS_IN_400_YEARS) | 0;
  rest -= cycles * DAYS_IN_400_YEARS;
  // The last century of a cycle and the last year of four are a day longer than the division allows for.
  const centuries = Math.min(3, (rest / DAYS_IN_100_YEARS) | 0);
  rest -= centuries * DAYS_IN_100_YEARS;
  const fours = (rest / DAYS_IN_4_YEARS) | 0;
  rest -= fours * DAYS_IN_4_YEARS;
  const years = Math.min(3, (rest / DAYS_IN_YEAR) | 0);
  rest -= years * DAYS_IN_YEAR;
  const marchMonth = ((5 * rest + 2) / 153) | 0;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return {
    year: cycles * 400 + centuries * 100 + fours * 4 + years + (month <= 2 ? 1 : 0),
    month,
    day: rest - (((153 * marchMonth + 2) / 5) | 0) + 1,
  };
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}
