import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { readCsv, sniffCsv } from "../../src/index.js";

const TEXTS: [encoding: string, text: string][] = [
  [
    "windows-1250",
    "město;kraj\nŽďár nad Sázavou;Vysočina\nČeské Budějovice;Jihočeský\nKroměříž;Zlínský\nÚstí;Ústecký\n",
  ],
  [
    "windows-1251",
    "город,население\nМосква,двенадцать миллионов человек\nНовосибирск,полтора миллиона жителей\n",
  ],
  [
    "koi8-r",
    "город,население\nМосква,двенадцать миллионов человек\nСанкт-Петербург,пять миллионов\nНовосибирск,полтора миллиона жителей\n",
  ],
  ["iso-8859-7", "πόλη,πληθυσμός\nΑθήνα,τρία εκατομμύρια κάτοικοι\nΘεσσαλονίκη,ένα εκατομμύριο\n"],
  [
    "windows-1252",
    "nom,ville\nÉlise,Orléans et la région\nFrançois,Besançon près du château\nJérôme,Béziers à côté\n",
  ],
  ["shift_jis", "名前,説明\n山田,これはテストのファイルです。\n鈴木,よろしくお願いします。\n"],
  ["euc-kr", "이름,주소\n김철수,서울특별시 강남구\n이영희,부산광역시 해운대구 이것은 시험입니다\n"],
  ["gb18030", "姓名,地址\n王小明,北京市海淀区中关村大街\n李四,上海市浦东新区\n张三,我们的国家是一个大国\n"],
];

describe("a legacy code page", () => {
  it.each(TEXTS)("%s is guessed, with a warning", async (encoding, text) => {
    const bytes = new Uint8Array(iconv.encode(text, encoding));
    const sniff = await sniffCsv(bytes);
    expect(sniff.dialect.encoding).toBe(encoding);
    expect(sniff.columns.map((column) => column.name).join()).toBe(text.split("\n")[0].replace(";", ","));
    expect(sniff.warnings.map((warning) => warning.code)).toEqual(["ENCODING_GUESSED"]);
  });

  it("is guessed alike however the bytes are cut", async () => {
    const [encoding, text] = TEXTS[0];
    const bytes = new Uint8Array(iconv.encode(text, encoding));
    const whole = await readCsv(bytes, { rowShape: "array" }).toArray();
    for (const size of [1, 2, 7, 50]) {
      const pieces: Uint8Array[] = [];
      for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
      expect(await readCsv(pieces, { rowShape: "array" }).toArray()).toEqual(whole);
    }
    expect(whole[0]).toEqual(["Žďár nad Sázavou", "Vysočina"]);
  });

  it("is windows-1252 where there is too little to count", async () => {
    const { dialect } = await sniffCsv(new Uint8Array(iconv.encode("město\nŽďár\n", "windows-1250")));
    expect(dialect.encoding).toBe("windows-1252");
  });

  it("is the caller's, if named", async () => {
    const bytes = new Uint8Array(iconv.encode(TEXTS[1][1], "windows-1251"));
    const { dialect, warnings } = await sniffCsv(bytes, { encoding: "koi8-r" });
    expect(dialect.encoding).toBe("koi8-r");
    expect(warnings).toEqual([]);
  });
});
