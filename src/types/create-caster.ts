import { BigintCaster } from "./bigint.js";
import { BooleanCaster } from "./boolean.js";
import { type Caster, ValueCaster } from "./caster.js";
import type { ColumnTyping, DateOutput } from "./column-typing.js";
import type { NumberSyntax } from "./number.js";
import { DoubleCaster, IntegerCaster } from "./number-caster.js";
import { DateCaster, TimeCaster } from "./temporal-caster.js";
import { VarcharCaster } from "./varchar.js";

/** Refuses every value: a column without one so far, where its first value is to settle its type. */
class NullCaster extends ValueCaster<never> {
  cast(): boolean {
    return false;
  }
}

/** What the casters of a table share. */
export interface CastSettings {
  numbers: NumberSyntax;
  trueValues: readonly Uint8Array[];
  falseValues: readonly Uint8Array[];
  dates: DateOutput;
  /** When a column of whole numbers is `bigint`. */
  bigint: "auto" | "always" | "never";
  detach: boolean;
}

/** The caster of a column. */
export function createCaster(column: ColumnTyping, settings: CastSettings): Caster {
  switch (column.type) {
    case "BOOLEAN":
      return new BooleanCaster(settings.trueValues, settings.falseValues);
    case "BIGINT":
      return column.bigint ? new BigintCaster(settings.numbers, true) : new IntegerCaster(settings.numbers);
    case "HUGEINT":
      return new BigintCaster(settings.numbers, false);
    case "DOUBLE":
      return new DoubleCaster(settings.numbers);
    case "TIME":
      return new TimeCaster(settings.dates);
    case "DATE":
    case "TIMESTAMP":
    case "TIMESTAMPTZ":
      return new DateCaster(column, settings.dates);
    case "SQLNULL":
      return new NullCaster();
    default:
      return new VarcharCaster(settings.detach);
  }
}
