import { describe, expect, it } from "vitest";
import { sniffCsv } from "../../src/index.js";

async function found(text: string, options = {}) {
  const { dialect, columns } = await sniffCsv(text, options);
  return [dialect.delimiter, columns.length];
}

describe("rare delimiters that win", () => {
  it.each([
    ["||", "name||city||n\nann||rome||1\nbo||oslo||2\n", 3],
    ["^", "id^name^n\n1^ann^2.5\n2^bo^3.5\n", 3],
    ["~", "id~name~n\n1~ann, of rome~2.5\n2~bo~3.5\n", 3],
    ["\x1f", "a\x1fb\nx\x1fy\nz\x1fw\n", 2],
    ["#", "id#name#n\n1#ann#2.5\n2#bo#3.5\n", 3],
    [":", "root:x:0:0:root:/root:/bin/sh\nbin:x:1:1:bin:/bin:/sbin/nologin\n", 7],
    [":", '"at":"who":"what"\n"10:15":"ann":"x"\n"11:20":"bo":"y"\n', 3],
    [" ", "x y z\n1.5 2.25 3.0\n4.5 5.25 6.0\n", 3],
    [" ", '"first name" "last name"\n"ann lee" "of rome"\n"bo" "of oslo"\n', 2],
    [", ", "a, b\n1,5, 2,5\n3,5, 4,25\n", 2],
  ])("%j", async (delimiter, text, columns) => {
    expect(await found(text)).toEqual([delimiter, columns]);
  });
});

describe("rare delimiters that do not", () => {
  it.each([
    ["words", "full name\nann of rome\nbo of oslo\ncy of bonn\n"],
    ["times of day", "at\n10:15:30\n11:20:45\n12:25:50\n"],
    ["timestamps", "at\n2024-01-01 10:15:30.5\n2024-01-02 11:20:45.5\n"],
    ["log lines", "2024-01-01 10:15:30 INFO up\n2024-01-01 10:15:31 INFO down\n"],
    ["names and values", "host: alpha\nport: beta\nuser: gamma\n"],
    ["telephone numbers", "phone\n020 7946 0958\n020 7946 0123\n"],
    ["card numbers", "card\n4111 1111 1111 1111\n5500 0000 0000 0004\n"],
    ["hardware addresses", "00:1a:2b:3c:4d:5e\n00:1a:2b:3c:4d:5f\n"],
    ["hash tags", "tag\n#one\n#two\n"],
  ])("%s stay one column", async (_, text) => {
    expect(await found(text)).toEqual([",", 1]);
  });

  it("are left alone where the caller lists the delimiters", async () => {
    expect(await found("id^name^n\n1^ann^2.5\n2^bo^3.5\n", { delimiters: [",", ";"] })).toEqual([",", 1]);
  });

  it("lose against a comma that reads well", async () => {
    expect(await found("a,b\nx y,1.5 2.5\nz w,3.5 4.5\n")).toEqual([",", 2]);
    expect(await found("a|b|c\n1||2\n3||4\n")).toEqual(["|", 3]);
  });
});
