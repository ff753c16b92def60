// Renders the tree of markdown.js as elements and text nodes, never as markup.

import { el, displayName } from "./dom.js";
import { full, stamped } from "./clock.js";
import { parse } from "./markdown.js";

/** A message's text as an element. `ctx` has members, channels, and the handler of commands. */
export function richText(source, ctx) {
  return el(
    "div",
    { class: "rich" },
    parse(source).map((block) => paintBlock(block, ctx)),
  );
}

const BLOCKS = {
  text: (b, ctx) => el("p", {}, paint(b.c, ctx)),
  heading: (b, ctx) => el(`h${b.level + 3}`, { class: `h${b.level}` }, paint(b.c, ctx)),
  small: (b, ctx) => el("p", { class: "small" }, paint(b.c, ctx)),
  quote: (b, ctx) =>
    el(
      "blockquote",
      {},
      b.c.map((inner) => paintBlock(inner, ctx)),
    ),
  code: (b) => el("pre", { tabindex: "0" }, el("code", { dataset: { lang: b.lang } }, b.v)),
  list(b, ctx) {
    const items = b.items.map((item) =>
      el(
        "li",
        {},
        item.map((inner) => paintBlock(inner, ctx)),
      ),
    );
    return b.ordered ? el("ol", { start: b.start }, items) : el("ul", {}, items);
  },
};

const paintBlock = (block, ctx) => BLOCKS[block.t](block, ctx);

const INLINE = {
  text: (n) => n.v,
  b: (n, ctx) => el("strong", {}, paint(n.c, ctx)),
  i: (n, ctx) => el("em", {}, paint(n.c, ctx)),
  u: (n, ctx) => el("u", {}, paint(n.c, ctx)),
  s: (n, ctx) => el("s", {}, paint(n.c, ctx)),
  spoiler: (n, ctx) => spoiler(el("span", {}, paint(n.c, ctx))),
  code: (n) => el("code", {}, n.v),
  link: (n, ctx) => placeLink(n, ctx) ?? linkTo(n.href, paint(n.c, ctx), ctx),
  user: (n, ctx) => mentionOf(n.id, ctx),
  role: (n) => el("span", { class: "mention" }, `@role ${n.id}`),
  channel: (n, ctx) => channelLink(n.id, ctx),
  command: (n, ctx) =>
    el(
      "button",
      { class: "mention command", type: "button", on: { click: () => ctx.useCommand(n.name) } },
      `/${n.name}`,
    ),
  time: (n) => timeOf(n),
  emoji: (n) => el("span", { class: "emoji-name" }, `:${n.name}:`),
  everyone: (n) => el("span", { class: "mention" }, n.v),
};

const paint = (nodes, ctx) => nodes.map((node) => INLINE[node.t](node, ctx));

function mentionOf(id, ctx) {
  const user = ctx.store.members.get(id);
  const mine = id === ctx.store.me?.id ? " mine" : "";
  return el("span", { class: `mention${mine}`, title: user?.username }, `@${user ? displayName(user) : id}`);
}

function channelLink(id, ctx) {
  const channel = ctx.store.channels.get(id);
  if (!channel) return el("span", { class: "mention" }, "#unknown");
  return el("a", { class: "mention", href: `#${id}` }, `#${ctx.store.channelName(channel)}`);
}

function timeOf({ unix, style }) {
  const date = new Date(unix * 1000);
  if (Number.isNaN(date.getTime())) return `<t:${unix}>`;
  const relative = style === "R" ? { relative: String(unix) } : {};
  return el(
    "time",
    { datetime: date.toISOString(), title: full(date), dataset: relative },
    stamped(unix, style),
  );
}

const JUMP = /^https?:\/\/(?:\w+\.)?discord(?:app)?\.com\/channels\/(?:\d+|@me)\/(\d+)(?:\/(\d+))?\/?$/;

/** The page's address for a link to a known channel or message, else null. */
export function inPage(href, ctx) {
  const jump = JUMP.exec(href);
  if (!jump || !ctx.store.channels.has(jump[1])) return null;
  return jump[2] ? `#${jump[1]}/${jump[2]}` : `#${jump[1]}`;
}

/** A link with the channel's name for a bare address of a place on the page, else null. */
function placeLink({ href, c }, ctx) {
  const here = inPage(href, ctx);
  if (!here || c.length !== 1 || c[0].v !== href) return null;
  const [channel, message] = here.slice(1).split("/");
  const name = ctx.store.channelName(ctx.store.channels.get(channel));
  return el("a", { class: "mention", href: here }, `#${name}${message ? " › message" : ""}`);
}

/** A link to a place on the page, or to the web in a new tab without opener and referrer. */
export function linkTo(href, children, ctx, props = {}) {
  const here = inPage(href, ctx);
  if (here) return el("a", { ...props, href: here }, children);
  return el("a", { ...props, href, target: "_blank", rel: "noopener noreferrer" }, children);
}

/** Hide content until a click. */
export function spoiler(content) {
  const cover = el("span", {
    class: "spoiler",
    role: "button",
    tabindex: "0",
    "aria-label": "Spoiler: press to show",
  });
  const inner = el("span", { class: "spoiler-content", "aria-hidden": "true" }, content);
  const show = (event) => {
    if (event.type === "keydown" && event.key !== "Enter" && event.key !== " ") return;
    if (cover.classList.contains("shown")) return;
    event.preventDefault();
    event.stopPropagation();
    cover.classList.add("shown");
    for (const name of ["role", "tabindex", "aria-label"]) cover.removeAttribute(name);
    inner.removeAttribute("aria-hidden");
  };
  cover.addEventListener("click", show, true);
  cover.addEventListener("keydown", show);
  cover.append(inner);
  return cover;
}
