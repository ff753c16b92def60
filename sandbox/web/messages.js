// The row of a message in the list.

import { avatar, displayName, el, icon } from "./dom.js";
import { full, headed, hour } from "./clock.js";
import { paintComponents, paintEmbed } from "./components.js";
import { fileCard, gallery, isPicture } from "./media.js";
import { plainText } from "./markdown.js";
import { richText } from "./richtext.js";
import { FLAG, idTime, isArchived, isEphemeral, isThread } from "./store.js";

const KIND = {
  PIN: 6,
  JOIN: 7,
  THREAD_CREATED: 18,
  REPLY: 19,
  COMMAND: 20,
  THREAD_STARTER: 21,
  CONTEXT_COMMAND: 23,
};
const CONTENT_TYPES = [0, KIND.REPLY, KIND.COMMAND, KIND.CONTEXT_COMMAND, KIND.THREAD_STARTER];
const GROUP_WINDOW_MS = 7 * 60 * 1000;

export const timeOf = (message) => (message.timestamp ? Date.parse(message.timestamp) : idTime(message.id));

/** Whether a message is grouped with the one above: same author, soon after, without a header. */
export function continues(message, above) {
  if (!above || message.local || above.local) return false;
  if (![0].includes(message.type ?? 0) || !CONTENT_TYPES.includes(above.type ?? 0)) return false;
  if (message.interaction_metadata?.type === 2 || isEphemeral(message) !== isEphemeral(above)) return false;
  return message.author.id === above.author.id && timeOf(message) - timeOf(above) < GROUP_WINDOW_MS;
}

/** The row of a message. */
export function paintMessage(message, { grouped, ctx }) {
  const type = message.type ?? 0;
  if (!CONTENT_TYPES.includes(type)) return systemRow(message, ctx);
  const classes = ["message"];
  if (grouped) classes.push("grouped");
  if (isEphemeral(message)) classes.push("ephemeral");
  if (ctx.store.mentionsMe(message)) classes.push("mentioned");
  const when = new Date(timeOf(message));
  return el(
    "li",
    { class: classes.join(" "), dataset: { id: message.id }, "aria-label": labelOf(message, ctx) },
    headerOf(message, ctx),
    el(
      "div",
      { class: "columns" },
      grouped
        ? el("time", { class: "margin-time", datetime: when.toISOString(), title: full(when) }, hour(when))
        : avatar(message.author),
      el("div", { class: "content" }, !grouped && byline(message, when), bodyOf(message, ctx)),
    ),
  );
}

function labelOf(message, ctx) {
  return `${displayName(message.author)}: ${preview(message, ctx)}`.slice(0, 200);
}

function byline(message, when) {
  return el(
    "div",
    { class: "byline" },
    el("span", { class: "author" }, displayName(message.author)),
    message.author.bot && el("span", { class: "tag" }, "APP"),
    el("time", { datetime: when.toISOString(), title: full(when) }, headed(when)),
  );
}

/** The line above a message: the command it answers, or the message it replies to. */
function headerOf(message, ctx) {
  const meta = message.interaction_metadata;
  if (message.interaction?.name || (meta?.type === 2 && message.type === KIND.COMMAND)) {
    const user = meta?.user ?? message.interaction.user;
    const name = `/${message.interaction?.name ?? meta.name ?? "command"}`;
    return el(
      "div",
      { class: "above" },
      icon("reply"),
      el("span", {}, el("strong", {}, displayName(user)), " used ", el("span", { class: "mention" }, name)),
    );
  }
  if (message.type !== KIND.REPLY) return null;
  const other = message.referenced_message;
  if (!other)
    return el("div", { class: "above" }, icon("reply"), el("em", {}, "The original message cannot be seen"));
  const target = `#${other.channel_id ?? message.channel_id}/${other.id}`;
  return el(
    "a",
    { class: "above", href: target },
    icon("reply"),
    el("strong", {}, displayName(other.author)),
    el("span", { class: "preview" }, preview(other, ctx)),
  );
}

/** A one-line preview of a message: its text, or what it contains. */
export function preview(message, ctx) {
  const names = {
    user: (id) => displayName(ctx.store.members.get(id)),
    channel: (id) => ctx.store.channels.get(id)?.name,
  };
  const text = plainText(message.content ?? "", names);
  if (text) return text.slice(0, 160);
  const inner =
    firstText(message.components ?? []) ?? message.embeds?.[0]?.title ?? message.embeds?.[0]?.description;
  if (inner) return plainText(inner, names).slice(0, 160);
  return message.attachments?.length ? "an attachment" : "a message";
}

function firstText(components) {
  for (const component of components) {
    const found = component.content ?? firstText(component.components ?? []);
    if (found) return found;
  }
  return null;
}

function bodyOf(message, ctx) {
  const flags = message.flags ?? 0;
  const parts = [];
  if (message.pending) parts.push(waiting(message.pending));
  else if (flags & FLAG.LOADING) parts.push(waiting(`${displayName(message.author)} is thinking…`));
  else if (message.type === KIND.THREAD_STARTER) parts.push(starter(message, ctx));
  else parts.push(...contentOf(message, flags, ctx));
  if (message.failed) parts.push(el("p", { class: "failed" }, message.failed));
  parts.push(threadCard(message, ctx));
  const failure = ctx.failureOf(message.id);
  if (failure) parts.push(el("p", { class: "failed", role: "alert" }, failure));
  if (isEphemeral(message)) parts.push(onlyYou(message, ctx));
  return parts;
}

function contentOf(message, flags, ctx) {
  if (flags & FLAG.COMPONENTS_V2) {
    return [el("div", { class: "v2" }, paintComponents(message, ctx)), edited(message)];
  }
  const embeds = flags & FLAG.SUPPRESS_EMBEDS ? [] : (message.embeds ?? []);
  const text = message.content ? richText(message.content, ctx) : null;
  const mark = edited(message);
  if (text && mark) (text.lastElementChild?.tagName === "P" ? text.lastElementChild : text).append(" ", mark);
  return [
    text ?? mark,
    attachmentsOf(message, embeds, ctx),
    embeds.map((embed) => paintEmbed(embed, ctx)),
    paintComponents(message, ctx),
  ];
}

function edited(message) {
  if (!message.edited_timestamp || isEphemeral(message)) return null;
  return el("span", { class: "edited", title: full(new Date(message.edited_timestamp)) }, "(edited)");
}

/** The attachments that no embed shows. */
function attachmentsOf(message, embeds, ctx) {
  const shown = new Set(embeds.flatMap((e) => [e.image?.url, e.thumbnail?.url]).filter(Boolean));
  const own = (message.attachments ?? [])
    .filter((a) => !shown.has(a.url))
    .map((a) => ({ ...a, spoiler: (a.filename ?? "").startsWith("SPOILER_") }));
  const pictures = own.filter(isPicture);
  return [pictures.length ? gallery(pictures, ctx) : null, own.filter((a) => !isPicture(a)).map(fileCard)];
}

function waiting(text) {
  return el("p", { class: "thinking" }, el("span", { class: "dots", "aria-hidden": "true" }), text);
}

function starter(message, ctx) {
  const original = message.referenced_message;
  if (!original) return el("p", { class: "small" }, "The message that opened this thread is gone.");
  const text = preview(original, ctx);
  return el(
    "a",
    { class: "starter", href: `#${original.channel_id}/${original.id}` },
    el("strong", {}, displayName(original.author)),
    el("span", { class: "preview" }, text),
  );
}

/** The card of the thread that was started from a message: both have the same id. */
function threadCard(message, ctx) {
  const thread = ctx.store.channels.get(message.id);
  if (!isThread(thread)) return null;
  const count = thread.total_message_sent ?? thread.message_count;
  const counted = count ? `${count} ${count === 1 ? "message" : "messages"} ›` : "See thread ›";
  return el(
    "a",
    { class: "thread-card", href: `#${thread.id}` },
    icon("thread"),
    el("strong", {}, thread.name),
    el("span", { class: "more" }, isArchived(thread) ? "archived ›" : counted),
  );
}

function onlyYou(message, ctx) {
  return el(
    "p",
    { class: "only-you" },
    icon("eye"),
    "Only you can see this · ",
    el(
      "button",
      { type: "button", class: "link", on: { click: () => ctx.dismiss(message) } },
      "Dismiss message",
    ),
  );
}

const SYSTEM_TEXTS = {
  [KIND.PIN]: () => "pinned a message to this channel.",
  [KIND.JOIN]: () => "joined.",
  [KIND.THREAD_CREATED]: (message) => ["started a thread: ", threadName(message)],
  1: (message) => `added ${displayName(message.mentions?.[0])}.`,
  2: (message) => `removed ${displayName(message.mentions?.[0])}.`,
  4: (message) => ["changed the name to ", el("strong", {}, message.content)],
};

function threadName(message) {
  const id = message.message_reference?.channel_id;
  const name = el("strong", {}, message.content);
  return id ? el("a", { href: `#${id}` }, name) : name;
}

function systemRow(message, ctx) {
  const text = SYSTEM_TEXTS[message.type]?.(message) ?? message.content ?? "";
  const when = new Date(timeOf(message));
  return el(
    "li",
    { class: "message system", dataset: { id: message.id } },
    el(
      "div",
      { class: "columns" },
      el("span", { class: "margin-icon" }, icon(message.type === KIND.THREAD_CREATED ? "thread" : "reply")),
      el(
        "p",
        { class: "content" },
        el("strong", {}, displayName(message.author)),
        " ",
        text,
        " ",
        el("time", { datetime: when.toISOString(), title: full(when) }, headed(when)),
        threadCard(message, ctx),
      ),
    ),
  );
}
