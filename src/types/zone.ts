import { FIRST_DAY, LAST_DAY } from "./calendar.js";
import { shortNumber, twoDigits } from "./digits.js";
import { MICROS_PER_DAY, MICROS_PER_MINUTE, type TemporalFields } from "./time.js";

const PLUS = 0x2b;
const MINUS = 0x2d;
const COLON = 0x3a;
const Z = 0x5a;

/** Offsets in use end at +14:00; this is the bound that databases set. */
const MAX_OFFSET_HOURS = 15;

/** The length of the UTC offset at `start`: `Z`, `±hh`, `±hhmm` or `±hh:mm`. 0 where there is none. */
export function offsetLength(bytes: Uint8Array, start: number, end: number): number {
  if (start >= end) return 0;
  const sign = bytes[start];
  if (sign === Z) return 1;
  if (sign !== PLUS && sign !== MINUS) return 0;
  const hours = twoDigits(bytes, start + 1, end);
  if (hours < 0 || hours > MAX_OFFSET_HOURS) return 0;
  const colon = start + 3 < end && bytes[start + 3] === COLON ? 1 : 0;
  const minutes = twoDigits(bytes, start + 3 + colon, end);
  if (minutes < 0) return colon === 0 ? 3 : 0;
  return minutes > 59 ? 0 : 5 + colon;
}

/** The minutes east of UTC of an offset whose length is known. */
export function offsetMinutes(bytes: Uint8Array, start: number, length: number): number {
  if (length === 1) return 0;
  const hours = shortNumber(bytes, start + 1, 2);
  const minutes = hours * 60 + (length === 3 ? 0 : shortNumber(bytes, start + length - 2, 2));
  return bytes[start] === MINUS ? -minutes : minutes;
}

/** Turns local time into UTC. False where that leaves the years 1 to 9999. */
export function toUtc(fields: TemporalFields, minutesEast: number): boolean {
  fields.micros -= minutesEast * MICROS_PER_MINUTE;
  if (fields.micros < 0) {
    fields.micros += MICROS_PER_DAY;
    fields.days--;
  } else if (fields.micros >= MICROS_PER_DAY) {
    fields.micros -= MICROS_PER_DAY;
    fields.days++;
  }
  return fields.days >= FIRST_DAY && fields.days <= LAST_DAY;
}
