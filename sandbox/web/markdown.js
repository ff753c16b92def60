// Discord's markdown as a tree of plain objects, without the document: richtext.js renders the tree.
//
// Blocks: {t: "code", lang, v} | {t: "heading", level, c} | {t: "small", c} | {t: "quote", c: blocks}
//         | {t: "list", ordered, start, items: [blocks]} | {t: "text", c}
// Inline: {t: "text", v} | {t: "b" | "i" | "u" | "s" | "spoiler", c} | {t: "code", v} | {t: "link", href, c}
//         | {t: "user" | "role" | "channel", id} | {t: "command", name, id} | {t: "time", unix, style}
//         | {t: "emoji", name} | {t: "everyone", v}

const MAX_DEPTH = 12;
const FENCE = /```(?:([\w+#.-]+)\n)?\n*([\s\S]+?)\n*```\n?/y;
const HEADING = /(#{1,3}) +([^\n]+)(?:\n|$)/y;
const SMALL = /-# +([^\n]+)(?:\n|$)/y;
const QUOTE_REST = />>> ([\s\S]*)/y;
const QUOTE = /(?:> ?[^\n]*(?:\n|$))+/y;
const LIST = /(?: *(?:[-*]|\d{1,9}\.) +[^\n]+(?:\n|$)(?: +[^\n]+(?:\n|$))*)+/y;
const ITEM = /^( *)([-*]|\d{1,9}\.) +(.*)$/;

/** The blocks of a message's text. */
export function parse(text, depth = 0) {
  const source = text.replace(/\r\n?/g, "\n");
  const blocks = [];
  let plain = "";
  const flush = () => {
    const trimmed = plain.replace(/\n$/, "");
    if (trimmed) blocks.push({ t: "text", c: inline(trimmed) });
    plain = "";
  };
  let at = 0;
  while (at < source.length) {
    const lineStart = at === 0 || source[at - 1] === "\n";
    const found = blockAt(source, at, lineStart, depth);
    if (found) {
      flush();
      blocks.push(found.block);
      at = found.end;
    } else {
      const end = plainEnd(source, at);
      plain += source.slice(at, end);
      at = end;
    }
  }
  flush();
  return blocks;
}

/** The end of the plain text that starts here: after its line, or before a fence. */
function plainEnd(source, at) {
  const newline = source.indexOf("\n", at);
  const stop = newline < 0 ? source.length : newline + 1;
  const fence = source.indexOf("```", at + 1);
  return fence > at && fence < stop ? fence : stop;
}

function sticky(pattern, source, at) {
  pattern.lastIndex = at;
  return pattern.exec(source);
}

function blockAt(source, at, lineStart, depth) {
  const fence = sticky(FENCE, source, at);
  if (fence) return made(fence, at, { t: "code", lang: fence[1] ?? "", v: fence[2] });
  if (!lineStart || depth >= MAX_DEPTH) return null;
  const heading = sticky(HEADING, source, at);
  if (heading) return made(heading, at, { t: "heading", level: heading[1].length, c: inline(heading[2]) });
  const small = sticky(SMALL, source, at);
  if (small) return made(small, at, { t: "small", c: inline(small[1]) });
  const rest = sticky(QUOTE_REST, source, at);
  if (rest) return made(rest, at, { t: "quote", c: parse(rest[1], depth + 1) });
  const quote = sticky(QUOTE, source, at);
  if (quote) {
    const inner = quote[0].replace(/^> ?/gm, "").replace(/\n$/, "");
    return made(quote, at, { t: "quote", c: parse(inner, depth + 1) });
  }
  const list = sticky(LIST, source, at);
  return list ? listAt(list[0], at, depth) : null;
}

/** The list that starts here, up to items of the other kind at the same depth. */
function listAt(found, at, depth) {
  const lines = found.replace(/\n$/, "").split("\n");
  const [, indent, marker] = ITEM.exec(lines[0]);
  const other = lines.findIndex((line) => {
    const item = ITEM.exec(line);
    return item && item[1].length <= indent.length && ordered(item[2]) !== ordered(marker);
  });
  const own = other < 0 ? lines : lines.slice(0, other);
  const length = other < 0 ? found.length : own.join("\n").length + 1;
  return { block: listOf(own, depth), end: at + length };
}

const ordered = (marker) => !/[-*]/.test(marker);

const made = (match, at, block) => ({ block, end: at + match[0].length });

/** Build a list from its lines: deeper items and continuation lines belong to the item above. */
function listOf(lines, depth) {
  const [, indent, marker] = ITEM.exec(lines[0]);
  const items = [];
  for (const line of lines) {
    const item = ITEM.exec(line);
    if (item && item[1].length <= indent.length) items.push([item[3]]);
    else items[items.length - 1].push(line);
  }
  return {
    t: "list",
    ordered: ordered(marker),
    start: ordered(marker) ? Number.parseInt(marker, 10) : 1,
    items: items.map((own) => itemBlocks(own, depth)),
  };
}

function itemBlocks([first, ...deeper], depth) {
  const blocks = [{ t: "text", c: inline(first) }];
  if (deeper.length === 0) return blocks;
  const shift = Math.min(...deeper.map((line) => /^ */.exec(line)[0].length));
  return blocks.concat(parse(deeper.map((line) => line.slice(shift)).join("\n"), depth + 1));
}

/** Discord makes no link if its text contains an emoji, a mention or an address. */
const UNLINKED = /\p{Emoji_Presentation}|[\ufe0f\u20e3]|<(?:a?:\w+:|@[!&]?|#)\d+>|https?:\/\/[^\s/]/u;

const ESCAPE = [/\\([^\p{L}\p{N}\s])/uy, (m) => text(m[1])];
const RULES = [
  [/(`+)([\s\S]*?[^`])\1(?!`)/y, (m) => ({ t: "code", v: m[2].replace(/^ (?=`)|(?<=`) $/g, "") })],
  [/<@!?(\d+)>/y, (m) => ({ t: "user", id: m[1] })],
  [/<@&(\d+)>/y, (m) => ({ t: "role", id: m[1] })],
  [/<#(\d+)>/y, (m) => ({ t: "channel", id: m[1] })],
  [/<\/([^:<>\n]{1,100}):(\d+)>/y, (m) => ({ t: "command", name: m[1], id: m[2] })],
  [/<t:(-?\d{1,13})(?::([tTdDfFR]))?>/y, (m) => ({ t: "time", unix: Number(m[1]), style: m[2] ?? "f" })],
  [/<a?:(\w+):\d+>/y, (m) => ({ t: "emoji", name: m[1] })],
  [/<(https?:\/\/[^\s<>]+)>/y, (m) => link(m[1], [text(m[1])])],
  [
    /\[([^[\]\n]+)\]\(<?((?:[^\s()<>]|\([^\s()<>]*\))+)>?(?: +"[^"\n]*")?\)/y,
    (m, depth) => (UNLINKED.test(m[1]) ? null : link(m[2], inline(m[1], depth + 1, true))),
  ],
  [/https?:\/\/(?:[^\s<>()]|\([^\s<>()]*\))*(?:[^\s<>().,:;"'!?\]*_~|]|\([^\s<>()]*\))/y, (m) => link(m[0], [text(m[0])])],
  [/@(?:everyone|here)\b/y, (m) => ({ t: "everyone", v: m[0] })],
  [/\*\*((?:\\[\s\S]|[^\\])+?)\*\*(?!\*)/y, wrap("b")],
  [/__((?:\\[\s\S]|[^\\])+?)__(?!_)/y, wrap("u")],
  [/\*(?![\s*])((?:\*\*|\\[\s\S]|[^*\\])+?)\*(?!\*)/y, wrap("i")],
  [/(?<![\p{L}\p{N}])_((?:__|\\[\s\S]|[^_\\])+?)_(?![\p{L}\p{N}_])/uy, wrap("i")],
  [/~~([\s\S]+?)~~/y, wrap("s")],
  [/\|\|([\s\S]+?)\|\|/y, wrap("spoiler")],
];
const WITH_ESCAPES = [ESCAPE, ...RULES];
const PLAIN = /[^\\`<[h@*_~|]+|[\s\S]/y;

function wrap(kind) {
  return (m, depth, linked) => ({ t: kind, c: inline(m[1], depth + 1, linked) });
}

const text = (value) => ({ t: "text", v: value });

/** A link to a web address; null for all other schemes, which are never clickable. */
function link(href, children) {
  return webAddress(href) ? { t: "link", href, c: children } : null;
}

/** Whether an address is http or https. */
export function webAddress(href) {
  try {
    return ["http:", "https:"].includes(new URL(href).protocol);
  } catch {
    return false;
  }
}

/** The inline nodes of a text; in the text of a link, backslashes do not escape. */
export function inline(source, depth = 0, linked = false) {
  if (depth > MAX_DEPTH) return [text(source)];
  const nodes = [];
  let at = 0;
  while (at < source.length) {
    const [node, end] = inlineAt(source, at, depth, linked);
    const last = nodes[nodes.length - 1];
    if (node.t === "text" && last?.t === "text") last.v += node.v;
    else nodes.push(node);
    at = end;
  }
  return nodes;
}

function inlineAt(source, at, depth, linked) {
  for (const [pattern, make] of linked ? RULES : WITH_ESCAPES) {
    const match = sticky(pattern, source, at);
    const node = match && make(match, depth, linked);
    if (node) return [node, at + match[0].length];
  }
  const run = sticky(PLAIN, source, at);
  return [text(run[0]), at + run[0].length];
}

/** The text without markup, for previews and labels. */
export function plainText(source, names = {}) {
  return blocksText(parse(source), names).replace(/\s+/g, " ").trim();
}

function blocksText(blocks, names) {
  return blocks
    .map((block) => {
      if (block.t === "code") return block.v;
      if (block.t === "list") return block.items.map((item) => blocksText(item, names)).join(" ");
      return block.t === "quote" ? blocksText(block.c, names) : inlineText(block.c, names);
    })
    .join(" ");
}

function inlineText(nodes, names) {
  return nodes
    .map((node) => {
      if (node.t === "spoiler") return "▒▒▒";
      if (node.c) return inlineText(node.c, names);
      if (node.t === "user") return `@${names.user?.(node.id) ?? node.id}`;
      if (node.t === "channel") return `#${names.channel?.(node.id) ?? node.id}`;
      if (node.t === "command") return `/${node.name}`;
      if (node.t === "emoji") return `:${node.name}:`;
      return node.v ?? "";
    })
    .join("");
}
