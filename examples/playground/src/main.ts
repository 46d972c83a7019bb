import type { CsvWarning, Reject, Sniff } from "sniffed-csv";
import { EXPORT_TARGETS, type ExportTarget, exportSniff } from "sniffed-csv/export";
import { profileCard } from "./charts.js";
import { element, find, shownBytes, shownCount, visible } from "./dom.js";
import { findings } from "./findings.js";
import { Grid } from "./grid.js";
import {
  type Answer,
  type Cell,
  DOWNLOADS,
  type DownloadFormat,
  type Order,
  type Source,
} from "./protocol.js";
import { SettingsForm } from "./settings.js";
import { Tabs } from "./tabs.js";

/** Time after the last change of a setting until it takes effect. */
const DEBOUNCE = 250;
const MOST_CARDS = 120;
const EXAMPLE = new URL("../../data/orders.csv", import.meta.url);

const grid = new Grid();
const form = new SettingsForm(() => {
  clearTimeout(timer);
  timer = setTimeout(readAgain, DEBOUNCE);
});
const panels = {
  rows: element("div"),
  columns: element("div"),
  rejects: element("div"),
  warnings: element("div"),
  export: element("div"),
  download: element("div"),
};
const tabs = new Tabs([
  { id: "rows", title: "Rows", panel: panels.rows },
  { id: "columns", title: "Columns", panel: panels.columns },
  { id: "rejects", title: "Rejects", panel: panels.rejects },
  { id: "warnings", title: "Warnings", panel: panels.warnings },
  { id: "export", title: "Export", panel: panels.export },
  { id: "download", title: "Download", panel: panels.download },
]);
const found = element("div", {});
let timer: ReturnType<typeof setTimeout> | undefined;
let worker: Worker | null = null;
let downloader: Worker | null = null;
let source: Source | null = null;
let sniff: Sniff | null = null;
let rows: Cell[][] = [];
let rejects: Reject[] = [];
let target: ExportTarget = "postgresql";

find("#findings").append(found, element("h2", {}, "Settings"), form.view);
find("#tabs").append(tabs.view);
panels.rows.append(grid.view);
panels.download.append(downloads());

function startWorker(heard: (answer: Answer) => void): Worker {
  const started = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  started.addEventListener("message", ({ data }: MessageEvent<Answer>) => heard(data));
  started.addEventListener("error", (event) =>
    heard({ kind: "error", message: event.message || "the worker can't start" }),
  );
  return started;
}

function order(to: Worker, message: Order): void {
  to.postMessage(message);
}

function choose(chosen: Source): void {
  source = chosen;
  form.reset();
  find("#result").hidden = false;
  find("#name").textContent = chosen.name;
  readAgain();
}

function readAgain(): void {
  if (source === null) return;
  // Whoever reads for the settings before is of no use any more.
  worker?.terminate();
  sniff = null;
  rows = [];
  rejects = [];
  tell("");
  fail("");
  find("#progress").hidden = false;
  find("#cancel").hidden = false;
  worker = startWorker(hear);
  order(worker, { kind: "read", source, settings: form.read() });
}

function hear(answer: Answer): void {
  switch (answer.kind) {
    case "sniff":
      sniff = answer.sniff;
      found.replaceChildren(...findings(sniff));
      form.offer(sniff);
      grid.show(sniff.columns, [], []);
      panels.columns.replaceChildren(element("p", { class: "quiet" }, "Reading …"));
      showWarnings(sniff.warnings, sniff.hints);
      showRejects(0);
      showExport();
      break;
    case "rows":
      rows = answer.rows;
      showRows();
      break;
    case "rejects":
      rejects = answer.rejects;
      showRows();
      showRejects(answer.total);
      break;
    case "warnings":
      showWarnings([...(sniff?.warnings ?? []), ...answer.warnings], sniff?.hints ?? []);
      break;
    case "progress":
      showProgress(answer.bytes, answer.size, answer.rows);
      break;
    case "done":
      showProfiles(answer.profiles);
      showProgress(answer.bytes, answer.bytes, answer.rows);
      end(
        `${shownCount(answer.rows)} rows, ${shownBytes(answer.bytes)}, in ${(answer.milliseconds / 1000).toFixed(2)} s.`,
      );
      break;
    case "error":
      fail(answer.message);
      end("");
      break;
    case "file":
      save(answer.blob, answer.name);
  }
}

function showRows(): void {
  if (sniff !== null) grid.show(sniff.columns, rows, rejects);
}

function showProgress(bytes: number, size: number | null, count: number): void {
  const bar = find<HTMLProgressElement>("#progress progress");
  if (size === null || size === 0) bar.removeAttribute("value");
  else bar.value = Math.min(1, bytes / size);
  find("#count").textContent = `${shownCount(count)} rows · ${shownBytes(bytes)}`;
}

function end(said: string): void {
  find("#cancel").hidden = true;
  find<HTMLProgressElement>("#progress progress").value = 1;
  if (said !== "") tell(said);
}

function tell(text: string): void {
  find("#status").textContent = text;
}

function fail(message: string): void {
  const fault = find("#fault");
  fault.hidden = message === "";
  fault.textContent = message;
}

function showProfiles(profiles: Extract<Answer, { kind: "done" }>["profiles"]): void {
  const cards = (sniff?.columns ?? []).slice(0, MOST_CARDS).flatMap((column, index) => {
    const profile = profiles[index];
    return profile === undefined ? [] : [profileCard(column, profile)];
  });
  panels.columns.replaceChildren(
    cards.length > 0 ? element("div", { class: "cards" }, ...cards) : empty("No columns."),
  );
}

function showRejects(total: number): void {
  tabs.count("rejects", "Rejects", total);
  if (rejects.length === 0) {
    panels.rejects.replaceChildren(empty("Every record fits."));
    return;
  }
  const body = rejects.map(({ line, code, column, message, raw }) =>
    element(
      "tr",
      {},
      element("td", { class: "number" }, shownCount(line)),
      element("td", {}, element("code", {}, code)),
      element("td", {}, visible(String(column ?? ""))),
      element("td", { title: message }, element("code", { class: "raw" }, visible(raw.slice(0, 300)))),
    ),
  );
  const heads = ["line", "code", "column", "raw text"].map((name) => element("th", { scope: "col" }, name));
  panels.rejects.replaceChildren(
    total > rejects.length
      ? element("p", { class: "quiet" }, `The first ${shownCount(rejects.length)} of ${shownCount(total)}.`)
      : "",
    scrolled(
      "Rejects",
      element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...body)),
    ),
  );
}

function showWarnings(warnings: readonly CsvWarning[], hints: readonly string[]): void {
  tabs.count("warnings", "Warnings", warnings.length + hints.length);
  const items = [
    ...warnings.map(({ code, message, line }) =>
      element(
        "li",
        {},
        element("code", {}, code),
        ` ${visible(message)}`,
        line === undefined ? null : element("span", { class: "quiet" }, ` line ${shownCount(line)}`),
      ),
    ),
    ...hints.map((hint) => element("li", {}, element("code", {}, "HINT"), ` ${visible(hint)}`)),
  ];
  panels.warnings.replaceChildren(
    items.length > 0 ? element("ul", { class: "warnings" }, ...items) : empty("Nothing to warn of."),
  );
}

function showExport(): void {
  if (sniff === null || source === null) return;
  const select = element(
    "select",
    {},
    ...EXPORT_TARGETS.map((each) => element("option", { value: each, selected: each === target }, each)),
  );
  const copy = element("button", { type: "button" }, "Copy");
  const code = element("code", {});
  const write = () => {
    target = select.value as ExportTarget;
    const table = (source?.name ?? "data").replace(/\.[^.]*$/, "") || "data";
    code.textContent = exportSniff(sniff as Sniff, target, { path: source?.name ?? "data.csv", table });
  };
  select.addEventListener("input", write);
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(code.textContent ?? "");
    tell("Copied.");
  });
  write();
  panels.export.replaceChildren(
    element(
      "div",
      { class: "ways" },
      element("label", {}, element("span", {}, "As the options of "), select),
      copy,
    ),
    element("pre", { class: "code", tabindex: 0, "aria-label": "Exported code" }, code),
  );
}

function downloads(): HTMLElement {
  const buttons = Object.entries(DOWNLOADS).map(([format, title]) => {
    const button = element("button", { type: "button", "data-format": format }, title);
    button.addEventListener("click", () => {
      if (source === null || sniff === null) return;
      downloader?.terminate();
      fail("");
      tell(`Making ${title} …`);
      downloader = startWorker((answer) => {
        if (answer.kind === "file") tell(`${answer.name}, ${shownBytes(answer.blob.size)}.`);
        hear(answer);
        downloader?.terminate();
      });
      order(downloader, {
        kind: "download",
        source,
        settings: form.read(),
        sniff,
        format: format as DownloadFormat,
      });
    });
    return button;
  });
  return element(
    "div",
    {},
    element("p", {}, "The whole file, as it is read with these settings. It is made here; nothing is sent."),
    element("div", { class: "ways" }, ...buttons),
  );
}

function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  element("a", { href: url, download: name }).click();
  // The browser has begun by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

function empty(text: string): HTMLElement {
  return element("p", { class: "empty" }, text);
}

function scrolled(label: string, child: HTMLElement): HTMLElement {
  return element("div", { class: "scrolled", tabindex: 0, role: "region", "aria-label": label }, child);
}

function chooseFile(file: File | null | undefined): void {
  if (file) choose({ name: file.name, file });
}

find<HTMLInputElement>("#file").addEventListener("change", ({ target: input }) =>
  chooseFile((input as HTMLInputElement).files?.[0]),
);
find("#example").addEventListener("click", () => choose({ name: "orders.csv", url: EXAMPLE.href }));
find<HTMLFormElement>("#address").addEventListener("submit", (event) => {
  event.preventDefault();
  const url = String(new FormData(event.target as HTMLFormElement).get("url"));
  choose({ name: new URL(url).pathname.split("/").at(-1) || "data.csv", url });
});
find<HTMLFormElement>("#pasted").addEventListener("submit", (event) => {
  event.preventDefault();
  choose({ name: "pasted.csv", text: String(new FormData(event.target as HTMLFormElement).get("text")) });
});
find("#cancel").addEventListener("click", () => {
  worker?.terminate();
  worker = null;
  end("Cancelled: what had been read is shown.");
});

const drop = find("#drop");
for (const kind of ["dragover", "dragleave", "drop"] as const) {
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    drop.classList.toggle("over", kind === "dragover");
    if (kind === "drop") chooseFile(event.dataTransfer?.files[0]);
  });
}

const theme = find<HTMLButtonElement>("#theme");
const dark = matchMedia("(prefers-color-scheme: dark)");
function show(isDark: boolean): void {
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  theme.setAttribute("aria-pressed", String(isDark));
}
show(dark.matches);
dark.addEventListener("change", () => show(dark.matches));
theme.addEventListener("click", () => show(document.documentElement.dataset.theme !== "dark"));
