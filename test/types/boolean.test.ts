import { describe, expect, it } from "vitest";
import { BooleanCaster } from "../../src/types/boolean.js";

const encode = (text: string) => new TextEncoder().encode(text);

function cast(caster: BooleanCaster, text: string): unknown {
  const bytes = encode(text);
  caster.begin(1);
  return caster.cast(bytes, 0, bytes.length, 0) ? caster.values(1, Uint8Array.of(1))[0] : undefined;
}

describe("BOOLEAN", () => {
  it("is true and false in any case, and nothing like them", () => {
    const caster = new BooleanCaster([], []);
    expect(["true", "FALSE", "True", "fAlSe"].map((text) => cast(caster, text))).toEqual([
      true,
      false,
      true,
      false,
    ]);
    for (const text of ["t", "f", "yes", "no", "1", "0", "", "truee", "tru", "wahr"]) {
      expect(cast(caster, text), text).toBeUndefined();
    }
  });

  it("is the caller's words alone, in their case, where there are any", () => {
    const caster = new BooleanCaster([encode("ja"), encode("oui")], [encode("nein")]);
    expect(["ja", "oui", "nein"].map((text) => cast(caster, text))).toEqual([true, true, false]);
    for (const text of ["true", "false", "Ja", "non"]) expect(cast(caster, text), text).toBeUndefined();
  });

  it("is null where the cell is missing", () => {
    const caster = new BooleanCaster([], []);
    caster.begin(2);
    caster.cast(encode("true"), 0, 4, 0);
    expect([...(caster.values(2, Uint8Array.of(1, 0)) as unknown[])]).toEqual([true, null]);
  });
});
