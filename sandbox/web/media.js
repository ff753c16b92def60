// Pictures with alt text and enlargement, and files.

import { el, icon } from "./dom.js";
import { spoiler } from "./richtext.js";

const PICTURE = /\.(png|jpe?g|gif|webp|avif)(\?|$)/i;

/** Whether an attachment or media item is a picture. */
export function isPicture(item) {
  if (item.content_type) return item.content_type.startsWith("image/");
  return PICTURE.test(item.filename ?? item.url ?? "");
}

const MAX_WIDTH_PX = 550;
const MAX_HEIGHT_PX = 350;

/** The width of a single picture: fitted into 550 × 350, never enlarged. Null: unknown size. */
export function fittedWidth({ width, height }) {
  if (!width || !height) return null;
  return Math.round(width * Math.min(1, MAX_WIDTH_PX / width, MAX_HEIGHT_PX / height));
}

/** A picture with its alt text, enlarged by a click. `item` is {url, width, height, description, spoiler}. */
export function picture(item, ctx, kind = "") {
  const alt = item.description ?? "";
  const fitted = kind === "" && fittedWidth(item);
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
  const frame = el("span", { class: `picture ${fitted ? "fitted" : kind}` }, open, alt && altMark(alt));
  if (fitted) {
    frame.style.setProperty("--fit", `${fitted}px`);
    frame.style.setProperty("--ratio", `${item.width} / ${item.height}`);
  }
  return item.spoiler ? spoiler(frame) : frame;
}

/** The mark of a picture with alt text, which it shows while focused; a second click hides it. */
function altMark(alt) {
  let shown = false;
  const mark = el(
    "span",
    {
      class: "alt",
      tabindex: "0",
      role: "note",
      "aria-label": alt,
      on: {
        pointerdown: () => (shown = document.activeElement === mark),
        click: () => shown && mark.blur(),
        keydown: (event) => event.key === "Escape" && mark.blur(),
      },
    },
    "ALT",
    el("span", { class: "alt-text", "aria-hidden": "true" }, alt),
  );
  return mark;
}

/** A file that is not a picture: name, size, link. */
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

/** Format a size in bytes. */
export function sized(bytes) {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1048576 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1048576).toFixed(1)} MB`;
}

/** A single picture in full, or a mosaic that crops several. */
export function gallery(items, ctx) {
  const kind = items.length > 1 ? "tile" : "";
  return el(
    "div",
    { class: kind ? `mosaic n${Math.min(items.length, 10)}` : "single" },
    items.map((item) => (isPicture(item) ? picture(item, ctx, kind) : fileCard(item))),
  );
}

/** Show a picture in a dialog: fitted to the window, or in its own size after a click. */
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
