import assert from "node:assert/strict";
import { test } from "node:test";

import { inline, parse, plainText } from "../../sandbox/web/markdown.js";

const one = (source) => {
  const blocks = parse(source);
  assert.equal(blocks.length, 1, JSON.stringify(blocks));
  return blocks[0];
};
const T = (v) => ({ t: "text", v });

test("emphasis nests as on Discord", () => {
  assert.deepEqual(inline("a **b** c"), [T("a "), { t: "b", c: [T("b")] }, T(" c")]);
  assert.deepEqual(inline("*i* _i_"), [{ t: "i", c: [T("i")] }, T(" "), { t: "i", c: [T("i")] }]);
  assert.deepEqual(inline("__u__ ~~s~~"), [{ t: "u", c: [T("u")] }, T(" "), { t: "s", c: [T("s")] }]);
  assert.deepEqual(inline("***x***"), [{ t: "b", c: [{ t: "i", c: [T("x")] }] }]);
  assert.deepEqual(inline("||s **b**||"), [{ t: "spoiler", c: [T("s "), { t: "b", c: [T("b")] }] }]);
});

test("underscores within words stay", () => {
  assert.deepEqual(inline("snake_case_name"), [T("snake_case_name")]);
  assert.deepEqual(inline("2 * 3 * 4"), [T("2 * 3 * 4")]);
});

test("escapes and code keep what they hold", () => {
  assert.deepEqual(inline("\\*no\\*"), [T("*no*")]);
  assert.deepEqual(inline("`**no**`"), [{ t: "code", v: "**no**" }]);
  assert.deepEqual(inline("``a ` b``"), [{ t: "code", v: "a ` b" }]);
  assert.deepEqual(one("```py\nx = 1\n```"), { t: "code", lang: "py", v: "x = 1" });
  assert.deepEqual(one("```x```"), { t: "code", lang: "", v: "x" });
});

test("text around a code block stays around it", () => {
  assert.deepEqual(
    parse("before\n```\ncode\n```\nafter").map((b) => b.t),
    ["text", "code", "text"],
  );
  assert.deepEqual(
    parse("in ```a``` line").map((b) => b.t),
    ["text", "code", "text"],
  );
});

test("headings, small text, quotes", () => {
  assert.deepEqual(one("## Turn 3"), { t: "heading", level: 2, c: [T("Turn 3")] });
  assert.deepEqual(one("-# small"), { t: "small", c: [T("small")] });
  assert.deepEqual(one("#nothing"), { t: "text", c: [T("#nothing")] });
  const quote = one("> a\n> **b**");
  assert.equal(quote.t, "quote");
  assert.deepEqual(quote.c, [{ t: "text", c: [T("a\n"), { t: "b", c: [T("b")] }] }]);
  assert.deepEqual(one(">>> a\nb").c, [{ t: "text", c: [T("a\nb")] }]);
});

test("lists nest by their indentation", () => {
  const list = one("- a\n  - b\n  - c\n- d");
  assert.equal(list.ordered, false);
  assert.equal(list.items.length, 2);
  assert.equal(list.items[0][1].t, "list");
  assert.equal(list.items[0][1].items.length, 2);
  assert.deepEqual(
    parse("- a\n1. b\n2. c\nd").map((b) => [b.t, b.ordered]),
    [
      ["list", false],
      ["list", true],
      ["text", undefined],
    ],
  );
  const numbered = one("3. x\n4. y");
  assert.deepEqual([numbered.ordered, numbered.start, numbered.items.length], [true, 3, 2]);
});

test("mentions, times, commands and emoji", () => {
  assert.deepEqual(inline("<@12><@!12><#34><@&5>"), [
    { t: "user", id: "12" },
    { t: "user", id: "12" },
    { t: "channel", id: "34" },
    { t: "role", id: "5" },
  ]);
  assert.deepEqual(inline("</play volo:99>"), [{ t: "command", name: "play volo", id: "99" }]);
  assert.deepEqual(inline("<t:1700000000:R>"), [{ t: "time", unix: 1700000000, style: "R" }]);
  assert.deepEqual(inline("<t:1>")[0].style, "f");
  assert.deepEqual(inline("<:dove:123>"), [{ t: "emoji", name: "dove" }]);
  assert.deepEqual(inline("<@abc>"), [T("<@abc>")]);
});

test("links go to the web only", () => {
  assert.deepEqual(inline("[rules](https://example.org/a_(b))")[0].href, "https://example.org/a_(b)");
  assert.deepEqual(inline("[**r**](http://example.org)")[0].c, [{ t: "b", c: [T("r")] }]);
  assert.deepEqual(inline("see https://example.org/x.")[1].href, "https://example.org/x");
  assert.deepEqual(inline("https://example.org/a_(b).")[0].href, "https://example.org/a_(b)");
  for (const scheme of [
    "javascript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "file:///etc/passwd",
    " javascript:x",
  ]) {
    const source = `[click](${scheme})`;
    assert.deepEqual(
      inline(source).filter((n) => n.t === "link"),
      [],
      source,
    );
    assert.equal(plainText(source), source.replace(/\s+/g, " "));
  }
  assert.deepEqual(inline("<javascript:alert(1)>"), [T("<javascript:alert(1)>")]);
});

test("a link's text reads no escapes, and what Discord does not link stays text", () => {
  const shown = (source) => inline(source).map((n) => (n.t === "link" ? { a: plainText(source) } : n.v));
  assert.deepEqual(shown("[\\*a\\* b\\_c](https://x.org)"), [{ a: "\\*a\\* b\\_c" }]);
  assert.deepEqual(shown("[a\\\\b](https://x.org)"), [{ a: "a\\\\b" }]);
  assert.equal(inline("[a\\](https://x.org)")[0].t, "link");
  assert.equal(inline("[a\\](https://evil.org) b](https://x.org)")[0].href, "https://evil.org");
  for (const words of ["a 🦊", "1\ufe0f\u20e3", "🇮🇹", "<:fox:12>", "a <@12>", "<#12>", "see https://y.org"]) {
    const source = `[${words}](https://x.org)`;
    assert.deepEqual(inline(source).filter((n) => n.t === "link" && n.c[0].v !== n.href), [], source);
  }
});

test("markup stays text", () => {
  for (const source of [
    "<script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    "&lt;b&gt; &amp;",
    "<b>x</b>",
  ]) {
    assert.deepEqual(inline(source), [T(source)]);
  }
});

test("every letter of an unfinished mark is kept", () => {
  for (const source of ["**a", "||a", "`a", "[a](", "<@", "<t:", "```", "~~", "> ", "\\", "_", "- ", "#"]) {
    assert.equal(flat(parse(source)), source, JSON.stringify(parse(source)));
  }
});

test("long hostile texts are parsed in time", () => {
  const began = Date.now();
  for (const piece of ["*", "_", "|", "[", "<", "`", "> ", "**a", "[a](", "~~", "- a\n  ", "__*"])
    parse(piece.repeat(4000 / piece.length));
  assert.ok(Date.now() - began < 4000, `${Date.now() - began} ms`);
});

test("a preview has no marks and hides spoilers", () => {
  const names = { user: () => "Alba", channel: () => "games" };
  assert.equal(
    plainText("# Hi <@1>\n**in** <#2> ||secret|| </turn:3>", names),
    "Hi @Alba in #games ▒▒▒ /turn",
  );
});

function flat(blocks) {
  const text = (nodes) => nodes.map((n) => n.v ?? text(n.c)).join("");
  return blocks.map((b) => (b.t === "quote" ? `> ${flat(b.c)}` : (b.v ?? text(b.c)))).join("");
}
