import type { Column, Reject } from "sniffed-csv";
import { element, shownCount, visible } from "./dom.js";
import { isMeasured } from "./profile.js";
import type { Cell } from "./protocol.js";

const ROW_HEIGHT = 30;
/** Rows that are there beyond those that are seen. */
const OVERSCAN = 8;
/** Columns that are shown, and characters of a cell. */
const MOST_COLUMNS = 200;
const MOST_CHARACTERS = 160;
const WIDEST = 36;

/** A row of the grid: values of a record, or what was set aside. */
type Line = { cells: readonly Cell[]; reject: null } | { cells: readonly string[]; reject: Reject };

/** Rows in a grid, of which only those that are seen are in the page. */
export class Grid {
  readonly view: HTMLElement;
  readonly #body: HTMLElement;
  #columns: readonly Column[] = [];
  #lines: Line[] = [];
  #widths = "";

  constructor() {
    this.#body = element("div", { class: "grid-body", role: "rowgroup" });
    this.view = element("div", {
      class: "grid",
      role: "grid",
      tabindex: 0,
      "aria-label": "Rows",
      "aria-readonly": "true",
    });
    this.view.addEventListener("scroll", () => this.#draw(), { passive: true });
    new ResizeObserver(() => this.#draw()).observe(this.view);
  }

  /** Shows rows, with the records that were set aside where they stood among them. */
  show(columns: readonly Column[], rows: readonly Cell[][], rejects: readonly Reject[]): void {
    this.#columns = columns.slice(0, MOST_COLUMNS);
    this.#lines = merged(rows, rejects);
    this.#widths = this.#columns.map((column, index) => widthOf(column, index, this.#lines)).join(" ");
    this.view.setAttribute("aria-rowcount", String(this.#lines.length + 1));
    this.view.setAttribute("aria-colcount", String(columns.length));
    this.#body.style.height = `${this.#lines.length * ROW_HEIGHT}px`;
    this.view.replaceChildren(this.#head(columns.length), this.#body);
    this.#draw();
  }

  #head(total: number): HTMLElement {
    const cells = this.#columns.map((column, index) =>
      element(
        "div",
        {
          role: "columnheader",
          class: isMeasured(column.type) ? "measured" : "",
          "aria-colindex": index + 1,
        },
        element("span", { class: "name", title: column.originalName }, visible(column.name)),
        element("span", { class: "type", title: column.format ?? "" }, column.type.toLowerCase()),
      ),
    );
    const row = element("div", { role: "row", class: "grid-head", "aria-rowindex": 1 }, ...cells);
    row.style.gridTemplateColumns = this.#widths;
    if (total > MOST_COLUMNS)
      row.append(element("div", { class: "more" }, `and ${shownCount(total - MOST_COLUMNS)} more columns`));
    return element("div", { role: "rowgroup", class: "grid-top" }, row);
  }

  #draw(): void {
    const from = Math.max(0, Math.floor(this.view.scrollTop / ROW_HEIGHT) - OVERSCAN);
    const seen = Math.ceil(this.view.clientHeight / ROW_HEIGHT) + 2 * OVERSCAN;
    const rows = this.#lines.slice(from, from + seen).map((line, index) => this.#row(line, from + index));
    this.#body.replaceChildren(...rows);
  }

  #row({ cells, reject }: Line, index: number): HTMLElement {
    const shown = this.#columns.map((column, place) => {
      const value = cells[place] ?? null;
      const isOffending = reject !== null && (reject.column === column.name || reject.column === place + 1);
      const kinds = [
        isMeasured(column.type) ? "measured" : "",
        value === null ? "null" : "",
        isOffending ? "offending" : "",
      ];
      const text =
        value === null ? (reject === null ? "null" : "") : visible(value.slice(0, MOST_CHARACTERS));
      return element(
        "div",
        { role: "gridcell", class: kinds.join(" ").trim(), title: value ?? "", "aria-colindex": place + 1 },
        text,
      );
    });
    const row = element(
      "div",
      {
        role: "row",
        class: reject === null ? "grid-row" : "grid-row rejected",
        "aria-rowindex": index + 2,
        title: reject?.message ?? null,
      },
      ...shown,
    );
    row.style.top = `${index * ROW_HEIGHT}px`;
    row.style.gridTemplateColumns = this.#widths;
    return row;
  }
}

/** Rows and rejects in the order of the records. */
function merged(rows: readonly Cell[][], rejects: readonly Reject[]): Line[] {
  const lines: Line[] = [];
  let next = 0;
  const aside = () => {
    while (next < rejects.length && rejects[next].record <= lines.length + 1) {
      const reject = rejects[next++];
      lines.push({
        cells: reject.fields.length > 0 ? reject.fields : [reject.raw.slice(0, MOST_CHARACTERS)],
        reject,
      });
    }
  };
  for (const cells of rows) {
    aside();
    lines.push({ cells, reject: null });
  }
  aside();
  return lines;
}

function widthOf({ name, type }: Column, index: number, lines: readonly Line[]): string {
  let widest = Math.max(name.length, type.length);
  for (const { cells } of lines.slice(0, 100)) widest = Math.max(widest, cells[index]?.length ?? 4);
  return `${Math.min(widest, WIDEST) + 3}ch`;
}
