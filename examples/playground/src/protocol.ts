import type { CsvOptions, CsvWarning, Reject, Sniff } from "sniffed-csv";

/** Where bytes come from: a file, text that was pasted, or an address. */
export type Source = { name: string } & ({ file: Blob } | { text: string } | { url: string });

/** Options that go to a worker: no functions. */
export type Settings = Omit<
  CsvOptions,
  "onReject" | "onSniff" | "onSchema" | "onWarning" | "signal" | "schema"
>;

export const DOWNLOADS = {
  ndjson: "NDJSON",
  csv: "Clean CSV",
  parquet: "Parquet",
  arrow: "Arrow",
  vw: "Vowpal Wabbit",
} as const;

export type DownloadFormat = keyof typeof DOWNLOADS;

/** To the worker. */
export type Order =
  | { kind: "read"; source: Source; settings: Settings }
  | { kind: "download"; source: Source; settings: Settings; sniff: Sniff; format: DownloadFormat };

/** A cell of the grid: null where the value is missing. */
export type Cell = string | null;

/** What is known of a column's values once all are read. */
export interface Profile {
  values: number;
  nulls: number;
  distinct: number;
  /** Whether there are more than are counted. */
  distinctIsMore: boolean;
  min: string | null;
  max: string | null;
  /** Numbers, or milliseconds, to draw: a sample of them. Empty for text. */
  sample: number[];
  /** The most frequent values and their numbers; empty for numbers and dates. */
  top: [value: string, count: number][];
}

/** From the worker. */
export type Answer =
  | { kind: "sniff"; sniff: Sniff }
  | { kind: "rows"; rows: Cell[][] }
  | { kind: "progress"; bytes: number; size: number | null; rows: number }
  | { kind: "rejects"; rejects: Reject[]; total: number }
  | { kind: "warnings"; warnings: CsvWarning[] }
  | { kind: "done"; rows: number; bytes: number; milliseconds: number; profiles: Profile[] }
  | { kind: "file"; blob: Blob; name: string }
  | { kind: "error"; message: string };
