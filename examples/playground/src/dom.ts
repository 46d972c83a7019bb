type Child = Node | string | null;

/** An element with attributes and children. Text is text, whatever it holds. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | number | boolean | null>> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null) made.setAttribute(name, String(value));
  }
  for (const child of children) if (child !== null) made.append(child);
  return made;
}

/** The element of the page that a selector names. */
export function find<Kind extends Element = HTMLElement>(selector: string): Kind {
  const found = document.querySelector<Kind>(selector);
  if (found === null) throw new Error(`nothing is ${selector}`);
  return found;
}

const MEBIBYTE = 1 << 20;

export function shownBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  if (bytes < MEBIBYTE) return `${(bytes / 1024).toFixed(1)} KiB`;
  return `${(bytes / MEBIBYTE).toFixed(1)} MiB`;
}

export const shownCount = (count: number) => count.toLocaleString("en");

/** A text in which what can't be seen is. */
export function visible(text: string): string {
  return text.replaceAll("\r", "␍").replaceAll("\n", "␊").replaceAll("\t", "⇥").replaceAll("\0", "␀");
}
