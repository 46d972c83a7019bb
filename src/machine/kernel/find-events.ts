/*
 * The accelerated event finder, in AssemblyScript: compiled by scripts/build-kernel.js, not by tsc. It runs the same
 * transition table as TableEventFinder, but in the two states where long runs of bytes change nothing, plain text and
 * text in quotes, it looks at sixteen bytes at a time for one of the four that do. Everything else goes through the
 * table, so it is exact for every dialect.
 *
 * Memory is laid out in layout.ts.
 */

import {
  CODES,
  EVENT_CAPACITY,
  EVENT_INPUT,
  NO_ACTION,
  POSITIONS,
  QUOTED_STATE,
  STATE_MASK,
  UNQUOTED,
} from "./layout";

/** The machine's state, before and after a call. */
export let state: i32 = 0;
/** Where the last call stopped: a number of bytes from EVENT_INPUT. */
export let position: i32 = 0;
/**
 * Finds events in the first `length` bytes of the input and returns how many.
 *
 * @param plainSpecials The four bytes that change plain text, packed.
 * @param quotedSpecials The four bytes that change text in quotes, packed.
 */
export function find(length: i32, plainSpecials: u32, quotedSpecials: u32): i32 {
  const p0 = i8x16.splat(<i8>plainSpecials);
  const p1 = i8x16.splat(<i8>(plainSpecials >> 8));
  const p2 = i8x16.splat(<i8>(plainSpecials >> 16));
  const p3 = i8x16.splat(<i8>(plainSpecials >> 24));
  const q0 = i8x16.splat(<i8>quotedSpecials);
  const q1 = i8x16.splat(<i8>(quotedSpecials >> 8));
  const q2 = i8x16.splat(<i8>(quotedSpecials >> 16));
  const q3 = i8x16.splat(<i8>(quotedSpecials >> 24));
  const end = EVENT_INPUT + length;
  const lastVector = end - 16;
  let at = EVENT_INPUT;
  let current = state;
  let count = 0;
  while (at < end) {
    if (current === UNQUOTED) {
      while (at <= lastVector) {
        const bytes = v128.load(at);
        const hits = i8x16.bitmask(
          v128.or(
            v128.or(i8x16.eq(bytes, p0), i8x16.eq(bytes, p1)),
            v128.or(i8x16.eq(bytes, p2), i8x16.eq(bytes, p3)),
          ),
        );
        if (hits !== 0) {
          at += ctz(hits);
          break;
        }
        at += 16;
      }
    } else if (current === QUOTED_STATE) {
      while (at <= lastVector) {
        const bytes = v128.load(at);
        const hits = i8x16.bitmask(
          v128.or(
            v128.or(i8x16.eq(bytes, q0), i8x16.eq(bytes, q1)),
            v128.or(i8x16.eq(bytes, q2), i8x16.eq(bytes, q3)),
          ),
        );
        if (hits !== 0) {
          at += ctz(hits);
          break;
        }
        at += 16;
      }
    }
    if (at >= end) break;
    const cell = <i32>load<u8>((current << 8) | <i32>load<u8>(at));
    at++;
    if (cell < NO_ACTION) {
      current = cell;
      continue;
    }
    store<i32>(POSITIONS + (count << 2), at - EVENT_INPUT);
    store<u16>(CODES + (count << 1), <u16>((current << 8) | cell));
    count++;
    current = cell & STATE_MASK;
    if (count === EVENT_CAPACITY) break;
  }
  state = current;
  position = at - EVENT_INPUT;
  return count;
}
