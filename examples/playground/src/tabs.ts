import { element } from "./dom.js";

/** Panels of which one is seen, by the ARIA pattern: arrows go from tab to tab. */
export class Tabs {
  readonly view: HTMLElement;
  readonly #tabs: HTMLButtonElement[] = [];
  readonly #panels: HTMLElement[] = [];

  constructor(panels: readonly { id: string; title: string; panel: HTMLElement }[]) {
    const list = element("div", { role: "tablist", "aria-label": "Views of the file" });
    this.view = element("div", { class: "tabs" }, list);
    for (const { id, title, panel } of panels) {
      const tab = element(
        "button",
        { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}` },
        title,
      );
      tab.addEventListener("click", () => this.select(tab));
      for (const [name, value] of Object.entries({
        role: "tabpanel",
        id: `panel-${id}`,
        "aria-labelledby": `tab-${id}`,
        tabindex: "-1",
      })) {
        panel.setAttribute(name, value);
      }
      this.#tabs.push(tab);
      this.#panels.push(panel);
      list.append(tab);
      this.view.append(panel);
    }
    list.addEventListener("keydown", (event) => this.#move(event));
    this.select(this.#tabs[0]);
  }

  select(chosen: HTMLButtonElement): void {
    for (const [index, tab] of this.#tabs.entries()) {
      const isChosen = tab === chosen;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      this.#panels[index].hidden = !isChosen;
    }
  }

  /** Writes a number beside a tab's title. */
  count(id: string, title: string, count: number): void {
    const tab = this.#tabs.find((each) => each.id === `tab-${id}`);
    if (tab !== undefined) tab.textContent = count > 0 ? `${title} ${count.toLocaleString("en")}` : title;
  }

  #move(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const from = this.#tabs.indexOf(document.activeElement as HTMLButtonElement);
    if (step === undefined || from < 0) return;
    const next = this.#tabs[(from + step + this.#tabs.length) % this.#tabs.length];
    event.preventDefault();
    this.select(next);
    next.focus();
  }
}
