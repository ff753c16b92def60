// A list with keyboard control, for completion, choices of options, and select menus.

import { el, fill, icon } from "./dom.js";

let made = 0;

/** A listbox. Items are {label, note, hint, value, chosen}; focus stays in the field that owns the list. */
export class Listbox {
  constructor({ label, multiple = false, onPick }) {
    made += 1;
    this.id = `list-${made}`;
    this.onPick = onPick;
    this.items = [];
    this.active = -1;
    this.node = el("ul", {
      class: "listbox",
      role: "listbox",
      id: this.id,
      "aria-label": label,
      "aria-multiselectable": multiple || null,
    });
  }

  /** Show these items; `active` is the one that Enter picks, -1 for none. */
  show(items, active = 0) {
    this.items = items;
    fill(
      this.node,
      items.map((item, i) => this.row(item, i)),
    );
    this.activate(Math.min(active, items.length - 1));
  }

  row(item, i) {
    const texts = el(
      "span",
      { class: "texts" },
      el("span", { class: "label" }, item.label),
      item.note && el("span", { class: "note" }, item.note),
    );
    return el(
      "li",
      {
        role: "option",
        id: `${this.id}-${i}`,
        class: item.disabled ? "disabled" : "",
        "aria-selected": item.chosen ? "true" : "false",
        "aria-disabled": item.disabled ? "true" : null,
        dataset: { value: String(item.value ?? "") },
        on: {
          // Keep the focus in the field.
          mousedown: (event) => event.preventDefault(),
          click: () => this.pick(i),
          mousemove: () => this.active === i || this.activate(i, false),
        },
      },
      item.art,
      texts,
      item.hint && el("span", { class: "hint" }, item.hint),
      item.chosen && icon("check"),
    );
  }

  activate(i, scroll = true) {
    this.node.children[this.active]?.classList.remove("active");
    this.active = i;
    const row = this.node.children[i];
    row?.classList.add("active");
    if (scroll) row?.scrollIntoView({ block: "nearest" });
    this.owner?.setAttribute("aria-activedescendant", row ? row.id : "");
  }

  /** Attach the list to the field that handles its keys. */
  own(field) {
    this.owner = field;
    field.setAttribute("aria-controls", this.id);
    field.setAttribute("aria-activedescendant", this.active >= 0 ? `${this.id}-${this.active}` : "");
  }

  pick(i = this.active) {
    const item = this.items[i];
    if (!item || item.disabled) return false;
    this.onPick(item, i);
    return true;
  }

  /** Handle arrow and page keys; returns whether the key was one. */
  move(event) {
    const last = this.items.length - 1;
    if (last < 0) return false;
    const to = {
      ArrowDown: this.active >= last ? 0 : this.active + 1,
      ArrowUp: this.active <= 0 ? last : this.active - 1,
      PageDown: Math.min(last, this.active + 6),
      PageUp: Math.max(0, this.active - 6),
    }[event.key];
    if (to === undefined) return false;
    event.preventDefault();
    this.activate(to);
    return true;
  }
}

/** Position a floating node below (or above) its anchor, inside the window. */
export function place(node, anchor) {
  const box = anchor.getBoundingClientRect();
  const margin = 8;
  const below = window.innerHeight - box.bottom - margin;
  const above = box.top - margin;
  const under = below >= Math.min(260, node.scrollHeight) || below >= above;
  const width = Math.min(Math.max(box.width, 220), window.innerWidth - 2 * margin);
  node.style.width = `${width}px`;
  node.style.left = `${Math.max(margin, Math.min(box.left, window.innerWidth - width - margin))}px`;
  node.style.maxHeight = `${Math.max(120, Math.min(360, under ? below : above))}px`;
  node.style.top = under ? `${box.bottom + 4}px` : "auto";
  node.style.bottom = under ? "auto" : `${window.innerHeight - box.top + 4}px`;
}
