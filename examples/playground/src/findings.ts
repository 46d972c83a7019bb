import type { Sniff } from "sniffed-csv";
import { element, shownCount, visible } from "./dom.js";

const NAMES: Record<string, string> = {
  ",": "comma",
  ";": "semicolon",
  "\t": "tab",
  "|": "pipe",
  " ": "space",
  '"': "double",
  "'": "single",
  "\n": "LF",
  "\r\n": "CRLF",
  "\r": "CR",
};

/** What was found, and the evidence for it. */
export function findings({
  dialect,
  candidates,
  confidence,
  headerConfidence,
  preamble,
  sample,
  ambiguous,
}: Sniff): Node[] {
  const facts: [string, string, string][] = [
    ["Delimiter", shown(dialect.delimiter), ""],
    [
      "Quote",
      shown(dialect.quote),
      dialect.escape !== null && dialect.escape !== dialect.quote ? `escaped by ${dialect.escape}` : "",
    ],
    [
      "Header",
      dialect.header ? (dialect.headerLines > 1 ? `${dialect.headerLines} lines` : "yes") : "none",
      headerConfidence,
    ],
    ["Encoding", dialect.encoding, dialect.bom ? "with a mark" : ""],
    ["Line ends", shown(dialect.newline), ""],
    ["Comments", shown(dialect.comment), ""],
    [
      "Skipped above",
      dialect.skipLines === 0
        ? "nothing"
        : `${dialect.skipLines} ${dialect.skipLines === 1 ? "line" : "lines"}`,
      "",
    ],
    ["Confidence", `${Math.round(confidence * 100)} %`, ""],
  ];
  const list = element(
    "dl",
    { class: "facts" },
    ...facts.map(([name, value, more]) =>
      element(
        "div",
        {},
        element("dt", {}, name),
        element("dd", {}, value, more === "" ? null : element("small", {}, ` ${more}`)),
      ),
    ),
  );
  const best = candidates[0]?.score || 1;
  const bars = candidates.map(({ dialect: tried, score, columns, verdict }, index) => {
    const label = labelOf(tried);
    const meter = element("span", { class: index === 0 ? "fill winner" : "fill" });
    meter.style.width = `${Math.max(1, (score / best) * 100)}%`;
    return element(
      "li",
      {},
      element("span", { class: "reading" }, label),
      element("span", { class: "track", "aria-hidden": "true" }, meter),
      element("span", { class: "number" }, score.toFixed(2)),
      element(
        "span",
        { class: "verdict" },
        `${shownCount(columns)} ${columns === 1 ? "column" : "columns"}; ${verdict}`,
      ),
    );
  });
  const parts: Node[] = [
    element("h2", {}, "What was found"),
    list,
    element("h3", {}, "The readings that were tried"),
    element("ol", { class: "candidates" }, ...bars),
    element(
      "p",
      { class: "quiet" },
      `By ${shownCount(sample.records)} records${sample.complete ? ", which is all of them" : " at the start"}.`,
    ),
  ];
  if (preamble.length > 0) {
    const lines = preamble
      .slice(0, 20)
      .map((line) => visible(line))
      .join("\n");
    parts.push(
      element("h3", {}, "Above the table"),
      element("pre", { class: "preamble", tabindex: 0, "aria-label": "Lines above the table" }, lines),
    );
  }
  if (ambiguous.length > 0) {
    parts.push(
      element("h3", {}, "Dates that fit several formats"),
      element(
        "ul",
        {},
        ...ambiguous.map(({ column, formats }) =>
          element("li", {}, `${visible(column)}: ${formats.join(" or ")}`),
        ),
      ),
    );
  }
  return parts;
}

/** What sets one reading apart from the others. */
function labelOf({
  delimiter,
  quote,
  escape,
  comment,
  skipInitialSpace,
}: Sniff["candidates"][number]["dialect"]): string {
  const parts = [shown(delimiter)];
  if (quote !== '"') parts.push(`quote ${shown(quote)}`);
  if (quote !== null && escape !== quote) parts.push(escape === null ? "no escape" : `escape ${escape}`);
  if (comment !== null) parts.push(`comments ${comment}`);
  if (skipInitialSpace) parts.push("spaces are layout");
  return parts.join(", ");
}

function shown(character: string | null): string {
  if (character === null || character === "") return "none";
  const name = NAMES[character];
  if (name === undefined) return visible(character);
  return /\s/.test(character) ? name : `${character} ${name}`;
}
