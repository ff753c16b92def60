// Components of messages: legacy rows and V2 layouts.

import { el, icon } from "./dom.js";
import { fileCard, gallery, picture } from "./media.js";
import { inPage, linkTo, richText, spoiler } from "./richtext.js";
import { Select, emojiOf } from "./select.js";
import { webAddress } from "./markdown.js";

export const TYPE = {
  ROW: 1,
  BUTTON: 2,
  STRING_SELECT: 3,
  TEXT_INPUT: 4,
  USER_SELECT: 5,
  ROLE_SELECT: 6,
  MENTIONABLE_SELECT: 7,
  CHANNEL_SELECT: 8,
  SECTION: 9,
  TEXT: 10,
  THUMBNAIL: 11,
  GALLERY: 12,
  FILE: 13,
  SEPARATOR: 14,
  CONTAINER: 17,
  LABEL: 18,
};
const STYLE = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link" };
const LINK = 5;

/** All components of a message. */
export function paintComponents(message, ctx) {
  return (message.components ?? []).map((component) => paint(component, message, ctx));
}

function paint(component, message, ctx) {
  const painter = PAINTERS[component.type];
  return painter
    ? painter(component, message, ctx)
    : el("p", { class: "unknown" }, `Component of type ${component.type}`);
}

const PAINTERS = {
  [TYPE.ROW]: (c, message, ctx) =>
    el(
      "div",
      { class: "row", role: "group" },
      c.components.map((inner) => paint(inner, message, ctx)),
    ),
  [TYPE.BUTTON]: (c, message, ctx) => (c.style === LINK ? linkButton(c, ctx) : button(c, message, ctx)),
  [TYPE.STRING_SELECT]: selectOf,
  [TYPE.USER_SELECT]: selectOf,
  [TYPE.ROLE_SELECT]: selectOf,
  [TYPE.MENTIONABLE_SELECT]: selectOf,
  [TYPE.CHANNEL_SELECT]: selectOf,
  [TYPE.SECTION]: (c, message, ctx) =>
    el(
      "div",
      { class: "section" },
      el(
        "div",
        { class: "section-text" },
        c.components.map((inner) => paint(inner, message, ctx)),
      ),
      c.accessory && paint(c.accessory, message, ctx),
    ),
  [TYPE.TEXT]: (c, _message, ctx) => richText(c.content, ctx),
  [TYPE.THUMBNAIL]: (c, _message, ctx) => picture(mediaItem(c), ctx, "thumbnail"),
  [TYPE.GALLERY]: (c, _message, ctx) => gallery(c.items.map(mediaItem), ctx),
  [TYPE.FILE]: (c) => fileCard({ ...c.file, name: c.name, size: c.size, spoiler: c.spoiler }),
  [TYPE.SEPARATOR]: (c) =>
    el("div", {
      class: `separator ${c.spacing === 2 ? "wide" : ""} ${c.divider === false ? "bare" : ""}`,
      role: "separator",
    }),
  [TYPE.CONTAINER](c, message, ctx) {
    const box = el(
      "div",
      { class: "container" },
      c.components.map((inner) => paint(inner, message, ctx)),
    );
    if (Number.isInteger(c.accent_color)) box.style.setProperty("--accent", colour(c.accent_color));
    return c.spoiler ? spoiler(box) : box;
  },
};

/** Convert Discord's number for a colour to CSS. */
export function colour(number) {
  return `#${number.toString(16).padStart(6, "0")}`;
}

function mediaItem({ media, description, spoiler: hidden }) {
  return { ...media, description, spoiler: hidden };
}

function button(c, message, ctx) {
  const node = el(
    "button",
    {
      type: "button",
      class: `btn ${STYLE[c.style] ?? "secondary"}`,
      disabled: c.disabled,
      "aria-label": c.label ? undefined : (c.emoji?.name ?? "Button"),
      dataset: { key: c.custom_id },
      on: { click: () => ctx.press(message, c.custom_id) },
    },
    el("span", { class: "face" }, emojiOf(c.emoji), c.label),
    el("span", { class: "dots", "aria-hidden": "true" }),
  );
  return busy(node, message, c.custom_id, ctx);
}

function linkButton(c, ctx) {
  if (!webAddress(c.url)) return el("span", { class: "btn secondary", "aria-disabled": "true" }, c.label);
  const face = [emojiOf(c.emoji), c.label, inPage(c.url, ctx) ? null : icon("window")];
  return linkTo(c.url, el("span", { class: "face" }, face), ctx, { class: "btn secondary" });
}

function selectOf(c, message, ctx) {
  const commit = (values) => ctx.choose(message, c.custom_id, values);
  const select = new Select(c, ctx, commit, ctx.chosenIn(message, c.custom_id));
  return busy(select.node, message, c.custom_id, ctx);
}

function busy(node, message, key, ctx) {
  if (ctx.isBusy(message.id, key)) node.setAttribute("aria-busy", "true");
  return node;
}

/** An embed, the legacy layout of a message. */
export function paintEmbed(embed, ctx) {
  const box = el("article", { class: "embed" });
  if (Number.isInteger(embed.color)) box.style.setProperty("--accent", colour(embed.color));
  const body = el("div", { class: "embed-body" });
  if (embed.author?.name)
    body.append(el("p", { class: "embed-author" }, named(embed.author.name, embed.author.url, ctx)));
  if (embed.title) {
    body.append(
      el(
        "p",
        { class: "embed-title" },
        embed.url ? named(embed.title, embed.url, ctx) : richText(embed.title, ctx),
      ),
    );
  }
  if (embed.description) body.append(richText(embed.description, ctx));
  if (embed.fields?.length)
    body.append(
      el(
        "dl",
        { class: "fields" },
        embed.fields.map((field) => fieldOf(field, ctx)),
      ),
    );
  const description = embed.description ? "" : (embed.title ?? "");
  if (embed.image?.url) body.append(picture({ description, ...embed.image }, ctx));
  if (embed.footer?.text || embed.timestamp) body.append(footerOf(embed));
  box.append(body);
  if (embed.thumbnail?.url) box.append(picture(embed.thumbnail, ctx, "thumbnail"));
  return box;
}

function named(label, url, ctx) {
  return url && webAddress(url) ? linkTo(url, label, ctx) : label;
}

function fieldOf(field, ctx) {
  return el(
    "div",
    { class: field.inline ? "field inline" : "field" },
    el("dt", {}, richText(field.name, ctx)),
    el("dd", {}, richText(field.value, ctx)),
  );
}

function footerOf(embed) {
  const when = embed.timestamp ? new Date(embed.timestamp).toLocaleString() : null;
  return el("p", { class: "embed-footer" }, [embed.footer?.text, when].filter(Boolean).join(" · "));
}
