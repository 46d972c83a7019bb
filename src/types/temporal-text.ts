import { civilFromDays } from "./calendar.js";
import { MICROS_PER_SECOND } from "./time.js";

const PAIRS = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, "0"));

/** `YYYY-MM-DD` of days since 1970-01-01. */
export function formatDate(days: number): string {
  const { year, month, day } = civilFromDays(days);
  return `${PAIRS[(year / 100) | 0]}${PAIRS[year % 100]}-${PAIRS[month]}-${PAIRS[day]}`;
}

/** `HH:MM:SS` of microseconds of the day, and their fraction where there is one, without trailing zeros. */
export function formatTime(micros: number): string {
  const seconds = Math.floor(micros / MICROS_PER_SECOND);
  const minutes = (seconds / 60) | 0;
  const text = `${PAIRS[(minutes / 60) | 0]}:${PAIRS[minutes % 60]}:${PAIRS[seconds % 60]}`;
  const fraction = micros - seconds * MICROS_PER_SECOND;
  return fraction === 0 ? text : `${text}.${fractionDigits(fraction)}`;
}

/** `YYYY-MM-DDTHH:MM:SS`, the fraction as in {@link formatTime}, and a `Z` where `utc` says that it is an instant. */
export function formatTimestamp(days: number, micros: number, utc = false): string {
  return `${formatDate(days)}T${formatTime(micros)}${utc ? "Z" : ""}`;
}

function fractionDigits(micros: number): string {
  const digits = String(micros).padStart(6, "0");
  let length = digits.length;
  while (digits[length - 1] === "0") length--;
  return digits.slice(0, length);
}
