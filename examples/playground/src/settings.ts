import type { Sniff } from "sniffed-csv";
import { element } from "./dom.js";
import type { Settings } from "./protocol.js";

const TYPES = [
  "BOOLEAN",
  "BIGINT",
  "HUGEINT",
  "DOUBLE",
  "TIME",
  "DATE",
  "TIMESTAMP",
  "TIMESTAMPTZ",
  "VARCHAR",
];
/** Types of columns that can be chosen one by one. */
const MOST_TYPED = 60;

interface Field {
  name: string;
  label: string;
  /** Choices by value; absent for free text. */
  choices?: Readonly<Record<string, string>>;
  hint?: string;
  read(value: string): Settings;
}

const FIELDS: readonly Field[] = [
  {
    name: "delimiter",
    label: "Delimiter",
    hint: "found",
    read: (value) => ({ delimiter: value === "\\t" ? "\t" : value }),
  },
  {
    name: "quote",
    label: "Quote",
    choices: { "": "found", '"': '" double', "'": "' single", none: "none" },
    read: (value) => ({ quote: value === "none" ? null : value }),
  },
  {
    name: "escape",
    label: "Escape",
    choices: { "": "found", '"': "doubled quote", "\\": "backslash", none: "none" },
    read: (value) => ({ escape: value === "none" ? null : value }),
  },
  {
    name: "comment",
    label: "Comment",
    hint: "found",
    read: (value) => ({ comment: value === "none" ? null : value }),
  },
  {
    name: "header",
    label: "Header",
    choices: { "": "found", true: "yes", false: "no" },
    read: (value) => ({ header: value === "true" }),
  },
  { name: "skipLines", label: "Skip lines", hint: "found", read: (value) => ({ skipLines: Number(value) }) },
  { name: "encoding", label: "Encoding", hint: "found", read: (value) => ({ encoding: value }) },
  {
    name: "nullValues",
    label: "Null markers",
    hint: "empty cells",
    read: (value) => ({ nullValues: ["", ...value.split(",").map((text) => text.trim())] }),
  },
  {
    name: "decimalSeparator",
    label: "Decimal",
    choices: { "": ". point", ",": ", comma" },
    read: (value) => ({ decimalSeparator: value }),
  },
  {
    name: "thousandsSeparator",
    label: "Thousands",
    choices: { "": "none", ".": ". point", ",": ", comma", " ": "space", "'": "' apostrophe" },
    read: (value) => ({ thousandsSeparator: value }),
  },
  {
    name: "dateFormat",
    label: "Date format",
    hint: "found, as %d/%m/%Y",
    read: (value) => ({ dateFormat: value }),
  },
  {
    name: "onError",
    label: "Bad records",
    choices: { "": "are set aside", error: "end the reading" },
    read: (value) => ({ onError: value as "error" }),
  },
  {
    name: "onTypeMismatch",
    label: "Bad values",
    choices: { "": "as bad records", null: "become null", widen: "widen the column" },
    read: (value) => ({ onTypeMismatch: value as "null" }),
  },
];

/** The form of all settings; what is left empty is sniffed. */
export class SettingsForm {
  readonly view: HTMLFormElement;
  readonly #columns: HTMLElement;
  #types: Record<string, string> = {};

  /** @param changed Called once a setting differs. */
  constructor(changed: () => void) {
    this.#columns = element("div", { class: "fields" });
    const reset = element("button", { type: "button" }, "Back to what was sniffed");
    reset.addEventListener("click", () => {
      this.reset();
      changed();
    });
    this.view = element(
      "form",
      { class: "settings", "aria-label": "Settings" },
      element("div", { class: "fields" }, ...FIELDS.map(control)),
      element("details", {}, element("summary", {}, "A type for each column"), this.#columns),
      reset,
    );
    this.view.addEventListener("input", changed);
    this.view.addEventListener("submit", (event) => event.preventDefault());
  }

  reset(): void {
    this.view.reset();
    this.#types = {};
  }

  /** Offers the columns that were found. */
  offer({ columns }: Sniff): void {
    // Whoever chooses a type keeps the focus.
    if (this.#columns.contains(document.activeElement)) return;
    this.#columns.replaceChildren(
      ...columns.slice(0, MOST_TYPED).map(({ name, type }) => {
        const options = TYPES.map((each) =>
          element("option", { value: each, selected: each === this.#types[name] }, each.toLowerCase()),
        );
        const select = element(
          "select",
          {},
          element("option", { value: "" }, `found (${type.toLowerCase()})`),
          ...options,
        );
        select.addEventListener("input", () => {
          if (select.value === "") delete this.#types[name];
          else this.#types[name] = select.value;
        });
        return element("label", {}, element("span", {}, name), select);
      }),
    );
  }

  read(): Settings {
    const data = new FormData(this.view);
    const settings: Settings = { onError: "reject" };
    for (const { name, read } of FIELDS) {
      const value = data.get(name);
      if (typeof value === "string" && value !== "") Object.assign(settings, read(value));
    }
    if (Object.keys(this.#types).length > 0) settings.types = this.#types as Settings["types"];
    return settings;
  }
}

function control({ name, label, choices, hint }: Field): HTMLElement {
  const input =
    choices === undefined
      ? element("input", { name, placeholder: hint ?? "", autocomplete: "off", spellcheck: "false" })
      : element(
          "select",
          { name },
          ...Object.entries(choices).map(([value, text]) => element("option", { value }, text)),
        );
  return element("label", {}, element("span", {}, label), input);
}
