// Pictures and files: shown in the row, described, enlarged on a click.

import { el, icon } from "./dom.js";
import { spoiler } from "./richtext.js";

const PICTURE = /\.(png|jpe?g|gif|webp|avif)(\?|$)/i;

/** Whether an attachment or media item is a picture. */
export function isPicture(item) {
  if (item.content_type) return item.content_type.startsWith("image/");
  return PICTURE.test(item.filename ?? item.url ?? "");
}

/** A picture with its alt text, large on a click. `item` is {url, width, height, description, spoiler}. */
export function picture(item, ctx, kind = "") {
  const alt = item.description ?? "";
  const img = el("img", {
    src: item.url,
    alt,
    title: alt || undefined,
    loading: "lazy",
    decoding: "async",
    width: item.width || undefined,
    height: item.height || undefined,
    on: { error: (event) => event.target.closest(".picture")?.classList.add("broken") },
  });
  const open = el(
    "button",
    {
      type: "button",
      class: "open",
      "aria-label": `Enlarge the picture${alt ? `: ${alt}` : ""}`,
      on: { click: () => ctx.enlarge({ ...item, alt }) },
    },
    img,
  );
  const badge =
    alt &&
    el(
      "span",
      { class: "alt", tabindex: "0", role: "note", "aria-label": alt },
      "ALT",
      el("span", { class: "alt-text", "aria-hidden": "true" }, alt),
    );
  const frame = el("span", { class: `picture ${kind}` }, open, badge);
  return item.spoiler ? spoiler(frame) : frame;
}

/** A file that is no picture: name, size, a link. */
export function fileCard(item) {
  const name =
    item.filename ?? item.name ?? decodeURIComponent((item.url ?? "").split("/").pop().split("?")[0]);
  const link = el(
    "a",
    { class: "file", href: item.url, download: name, target: "_blank", rel: "noopener noreferrer" },
    icon("file"),
    el("span", { class: "file-name" }, name),
    item.size && el("span", { class: "file-size" }, sized(item.size)),
  );
  return item.spoiler ? spoiler(link) : link;
}

/** A size in bytes as people read it. */
export function sized(bytes) {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1048576 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1048576).toFixed(1)} MB`;
}

/** A grid of pictures; one alone is shown whole. */
export function gallery(items, ctx) {
  const count = Math.min(items.length, 10);
  return el(
    "div",
    { class: `gallery n${count}` },
    items.map((item) => (isPicture(item) ? picture(item, ctx) : fileCard(item))),
  );
}

/** Show a picture in a dialog: fitted to the window, a click shows its own size. */
export function enlarge({ url, alt }) {
  const img = el("img", { src: url, alt });
  const stage = el(
    "button",
    {
      type: "button",
      class: "stage",
      "aria-label": "Change between fitted and full size",
      on: { click: () => dialog.classList.toggle("full") },
    },
    img,
  );
  const dialog = el(
    "dialog",
    { class: "lightbox", "aria-label": "Picture", on: { close: () => dialog.remove() } },
    stage,
    el(
      "div",
      { class: "lightbox-foot" },
      alt && el("p", {}, alt),
      el("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, "Open in a tab"),
      el("button", { type: "button", class: "btn secondary", on: { click: () => dialog.close() } }, "Close"),
    ),
  );
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
}
