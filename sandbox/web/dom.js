// Building elements. Text is always inserted as text nodes, and never parsed as markup.

const SVG = "http://www.w3.org/2000/svg";

/** Create an element; `props`: class, dataset, on (listeners), style (custom properties), attributes. */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "class") node.className = value;
    else if (name === "dataset") Object.assign(node.dataset, value);
    else if (name === "on") for (const [type, fn] of Object.entries(value)) node.addEventListener(type, fn);
    else if (name === "style") for (const [key, v] of Object.entries(value)) node.style.setProperty(key, v);
    else if (name === "value") node.value = value;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  add(node, children);
  return node;
}

/** Append children: nodes as they are, lists flattened, everything else as text. */
export function add(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

export const $ = (selector, root = document) => root.querySelector(selector);

/** Replace all children of a node. */
export function fill(node, ...children) {
  node.replaceChildren();
  add(node, children);
}

const ICONS = {
  hash: "M9 3 7 21M17 3l-2 18M4 8.5h17M3 15.5h17",
  thread: "M5 4v9a4 4 0 0 0 4 4h10M15 13l4 4-4 4",
  at: "M16 12a4 4 0 1 0-8 0 4 4 0 0 0 8 0Zm0 0v1.5a2.5 2.5 0 0 0 5 0V12a9 9 0 1 0-3.5 7.1",
  menu: "M3 6h18M3 12h18M3 18h18",
  close: "M5 5l14 14M19 5 5 19",
  down: "M6 9l6 6 6-6",
  up: "M6 15l6-6 6 6",
  check: "M4 12.5l5.5 5.5L20 6.5",
  window: "M14 4h6v6M20 4l-9 9M18 14v5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1h5",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12Zm10 3a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z",
  plus: "M12 4v16M4 12h16",
  file: "M6 2h8l5 5v15H6zM14 2v6h5",
  send: "M3 12 21 4l-5 17-4-7zM12 14l9-10",
  slash: "M15 4 9 20",
  lock: "M6 11h12v10H6zM8.5 11V7.5a3.5 3.5 0 0 1 7 0V11",
  phone: "M7 2h10v20H7zM11 18.5h2",
  bubble: "M4 4h16v12h-9l-5 4v-4H4z",
  reply: "M5 20v-6a5 5 0 0 1 5-5h10",
};

/** A line icon by name, hidden from assistive technology. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

/** The letters of a generated avatar. */
export function initials(name) {
  const words = name.trim().split(/\s+/u).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words[words.length - 1]] : words;
  return (
    letters
      .map((word) => [...word][0] ?? "")
      .join("")
      .toUpperCase() || "?"
  );
}

/** A hue between 0 and 359, spread over neighbouring ids. */
export function hueOf(id) {
  let sum = 7;
  for (const char of String(id)) sum = (sum * 33 + char.charCodeAt(0)) % 100003;
  return (sum * 137) % 360;
}

/** A round avatar with initials, coloured by the id. */
export function avatar(user, size = "") {
  const name = displayName(user);
  return el(
    "span",
    {
      class: `avatar ${size}${user.bot ? " bot" : ""}`,
      style: { "--hue": String(hueOf(user.id)) },
      "aria-hidden": "true",
    },
    initials(name),
  );
}

/** A user's name as the page shows it. */
export function displayName(user) {
  return user?.global_name || user?.username || user?.name || "somebody";
}
