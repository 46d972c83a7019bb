/** A text as a span that digits and letters surround, so that a parser which reads past either end gives itself away. */
export function spanOf(text: string): [bytes: Uint8Array, start: number, end: number] {
  const bytes = new TextEncoder().encode(`1A${text}0Z5:1-`);
  return [bytes, 2, bytes.length - "0Z5:1-".length];
}
