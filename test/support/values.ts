/** A value of a row in the notation of the cases; a Date says neither day nor zone, so its type has to. */
export function notated(value: unknown, type: string): unknown {
  if (typeof value === "bigint") return { $bigint: String(value) };
  if (typeof value === "number" && !Number.isFinite(value)) return { $special: String(value) };
  if (Object.is(value, -0)) return { $special: "-0" };
  if (value instanceof Date) {
    const text = value.toISOString();
    if (type === "DATE")
      return text.endsWith("T00:00:00.000Z") ? { $date: text.slice(0, -14) } : { $date: text };
    return type === "TIMESTAMPTZ" ? { $instant: text } : { $wall: text };
  }
  if (type === "TIME" && typeof value === "string") return { $time: value };
  if (Array.isArray(value)) return value.map((item) => notated(item, type));
  return value;
}

/** What a case expects, as `notated` writes it: Dates hold milliseconds only. */
export function expectedValue(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if ("$timestamp" in value) return { $wall: milliseconds(`${value.$timestamp}Z`) };
  if ("$timestamptz" in value) return { $instant: milliseconds(String(value.$timestamptz)) };
  return value;
}

function milliseconds(text: string): string {
  return new Date(text.replace(/(\.\d{3})\d+/, "$1")).toISOString();
}
