import * as Plot from "@observablehq/plot";
import type { Column } from "sniffed-csv";
import { element, shownCount, visible } from "./dom.js";
import type { Profile } from "./protocol.js";

const WIDTH = 260;
const HEIGHT = 84;
const TEMPORAL = new Set(["DATE", "TIMESTAMP", "TIMESTAMPTZ"]);

/** A card a column: what it holds, and a picture of it. */
export function profileCard({ name, type, format }: Column, profile: Profile): HTMLElement {
  const { values, nulls, distinct, distinctIsMore, min, max, sample, top } = profile;
  const facts: [string, string][] = [
    ["values", shownCount(values)],
    [
      "nulls",
      nulls === 0 ? "none" : `${shownCount(nulls)} (${((100 * nulls) / (values + nulls)).toFixed(1)} %)`,
    ],
    ["distinct", `${distinctIsMore ? "> " : ""}${shownCount(distinct)}`],
    ...(min === null
      ? []
      : ([
          ["least", visible(min.slice(0, 40))],
          ["most", visible((max ?? "").slice(0, 40))],
        ] as [string, string][])),
  ];
  return element(
    "article",
    { class: "card" },
    element(
      "h3",
      {},
      visible(name),
      element("span", { class: "type" }, ` ${type.toLowerCase()}${format === undefined ? "" : ` ${format}`}`),
    ),
    sample.length > 1 ? histogram(sample, TEMPORAL.has(type)) : bars(top, values),
    element(
      "dl",
      { class: "facts small" },
      ...facts.map(([term, value]) =>
        element("div", {}, element("dt", {}, term), element("dd", { class: "number" }, value)),
      ),
    ),
  );
}

function histogram(sample: number[], isTemporal: boolean): Element {
  const data = isTemporal ? sample.map((time) => new Date(time)) : sample;
  const svg = Plot.plot({
    width: WIDTH,
    height: HEIGHT,
    marginTop: 4,
    marginLeft: 18,
    marginRight: 18,
    marginBottom: 20,
    className: "plot",
    x: { ticks: 3, label: null, tickSize: 0, ...(isTemporal && { type: "utc" }) },
    y: { axis: null },
    marks: [
      Plot.rectY(data, {
        ...Plot.binX<Plot.RectYOptions>({ y: "count" }, { x: (value: number | Date) => value }),
        fill: "currentColor",
        inset: 0.5,
      }),
    ],
  });
  svg.setAttribute("aria-hidden", "true");
  return svg;
}

function bars(top: Profile["top"], values: number): Element {
  const most = top[0]?.[1] ?? 1;
  return element(
    "ol",
    { class: "top" },
    ...top.map(([value, count]) => {
      const fill = element("span", { class: "fill" });
      fill.style.width = `${(100 * count) / most}%`;
      return element(
        "li",
        {},
        element("span", { class: "value", title: value }, visible(value.slice(0, 40))),
        element("span", { class: "track", "aria-hidden": "true" }, fill),
        element("span", { class: "number" }, `${((100 * count) / values).toFixed(values < 1_000 ? 0 : 1)} %`),
      );
    }),
  );
}
