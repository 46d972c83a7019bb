import type { Spans } from "../../machine/spans.js";
import { ByteWriter } from "./byte-writer.js";
import type { CellText } from "./cell.js";
import { hashName } from "./hash.js";
import type { FeatureColumn, Namespace, VwColumns } from "./header.js";
import { splitLabel } from "./label.js";
import type { LabelReader } from "./label-reader.js";
import { readFloat32 } from "./number.js";
import type { ResolvedVwOptions } from "./options.js";
import { scaledValue } from "./scaled.js";
import type { VwWarnings } from "./warnings.js";

/** A feature as VW has it in memory. */
export interface VwFeature {
  /** The column's feature name; empty for an anonymous feature. */
  name: string;
  /** The cell, where it is no number. */
  stringValue?: string;
  /** A float32: the cell's number times the namespace's ratio, 1 for a string. */
  value: number;
  /** 32 bits, unsigned. */
  hash: number;
  /** The hash's lowest `bits` bits, where that option is given. */
  index?: number;
}

/** The features of one namespace. */
export interface VwNamespace {
  /** Empty for the default one. */
  name: string;
  /** 32 bits, unsigned: what the features' hashes are seeded with. */
  hash: number;
  /** The ratio by `csvNsValue`, 1 otherwise; the features' values have been multiplied by it. */
  value: number;
  /** In the order of the columns. */
  features: VwFeature[];
}

/** One record as VW reads it. */
export interface VwExample {
  /** The label's text as VW's label parsers read it, without weight; null for an unlabelled example. */
  label: string | null;
  /** 1 where the label gives none. */
  weight: number;
  /** The initial prediction, where a simple label gives one. */
  initial?: number;
  /** Null where the example has none. */
  tag: string | null;
  /** The namespaces that have a feature. */
  namespaces: VwNamespace[];
  /** Whether the record has no features at all and ends an example of several lines: an empty line of text. */
  newline: boolean;
}

const TICK = 0x27;

/** Makes structured examples out of records. */
export class VwExampleReader {
  readonly #columns: VwColumns;
  readonly #cell: CellText;
  readonly #labels: LabelReader;
  readonly #options: ResolvedVwOptions;
  readonly #warnings: VwWarnings;
  readonly #scratch = new ByteWriter();

  constructor(
    columns: VwColumns,
    cell: CellText,
    labels: LabelReader,
    options: ResolvedVwOptions,
    warnings: VwWarnings,
  ) {
    this.#columns = columns;
    this.#cell = cell;
    this.#labels = labels;
    this.#options = options;
    this.#warnings = warnings;
  }

  /** The example of a record whose fields are as many as the columns, and not all empty. */
  read(spans: Spans, record: number): VwExample {
    const first = spans.firstField[record];
    const label = splitLabel(this.#labels.text(spans, first, this.#scratch));
    const namespaces: VwNamespace[] = [];
    for (const namespace of this.#columns.namespaces) {
      const features = this.#features(namespace, spans, first);
      if (features.length === 0) continue;
      namespaces.push({ name: namespace.name, hash: namespace.hash, value: namespace.ratio, features });
    }
    return { ...label, tag: this.#tag(spans, first), namespaces, newline: false };
  }

  #features(namespace: Namespace, spans: Spans, first: number): VwFeature[] {
    const features: VwFeature[] = [];
    const cell = this.#cell;
    let anonymous = 0;
    for (const column of namespace.columns) {
      cell.read(spans, first + column.index);
      if (cell.absent) continue;
      const number = cell.quoted ? Number.NaN : readFloat32(cell.bytes, cell.start, cell.end);
      if (Number.isNaN(number)) {
        features.push(this.#stringFeature(column));
        continue;
      }
      const hash = column.bytes.length === 0 ? (namespace.hash + anonymous++) >>> 0 : column.hash;
      const value = scaledValue(
        number,
        namespace.ratio,
        cell.bytes,
        cell.start,
        cell.end,
        column.column,
        this.#warnings,
      );
      if (value !== 0) features.push(this.#indexed({ name: column.name, value, hash }));
    }
    return features;
  }

  #stringFeature(column: FeatureColumn): VwFeature {
    const cell = this.#cell;
    const hash = hashName(cell.bytes, cell.start, cell.end, column.hash, this.#options.hash);
    return this.#indexed({ name: column.name, stringValue: cell.text(), value: 1, hash });
  }

  #indexed(feature: VwFeature): VwFeature {
    const { bits } = this.#options;
    if (bits !== undefined) feature.index = bits === 32 ? feature.hash : feature.hash & ((1 << bits) - 1);
    return feature;
  }

  #tag(spans: Spans, first: number): string | null {
    const { tag } = this.#columns;
    if (tag < 0) return null;
    const cell = this.#cell;
    cell.read(spans, first + tag);
    if (cell.start < cell.end && cell.bytes[cell.start] === TICK) cell.start++;
    return cell.start === cell.end ? null : cell.text();
  }
}
