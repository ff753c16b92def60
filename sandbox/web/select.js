// Select menus: a button that opens a list. A single choice is sent at once, several when the list closes.

import { avatar, displayName, el, fill, icon } from "./dom.js";
import { Listbox, place } from "./listbox.js";
import { isDm } from "./store.js";

export const KIND = { STRING: 3, USER: 5, ROLE: 6, MENTIONABLE: 7, CHANNEL: 8 };
export const SELECT_TYPES = Object.values(KIND);
const MIN_SEARCHABLE = 9;

/** The choices of a select: [{label, value, note, art}]. */
export function offered(component, ctx) {
  if (component.type === KIND.STRING) {
    return (component.options ?? []).map((o) => ({
      label: o.label,
      value: o.value,
      note: o.description,
      art: emojiOf(o.emoji),
    }));
  }
  if (component.type === KIND.CHANNEL) {
    const wanted = component.channel_types ?? [];
    return [...ctx.store.channels.values()]
      .filter((c) => !isDm(c) && (wanted.length === 0 || wanted.includes(c.type)))
      .map((c) => ({ label: `#${ctx.store.channelName(c)}`, value: c.id }));
  }
  if (component.type === KIND.ROLE) return [];
  return [...ctx.store.members.values()].map((user) => ({
    label: displayName(user),
    value: user.id,
    note: user.bot ? "bot" : undefined,
    art: avatar(user, "small"),
  }));
}

/** The emoji of a button or an option: itself, or the name of a custom emoji. */
export function emojiOf(emoji) {
  if (!emoji?.name) return null;
  return el("span", { class: "emoji", "aria-hidden": "true" }, emoji.id ? `:${emoji.name}:` : emoji.name);
}

function defaultsOf(component) {
  if (component.type === KIND.STRING)
    return (component.options ?? []).filter((o) => o.default).map((o) => o.value);
  return (component.default_values ?? []).map((value) => value.id);
}

/**
 * A select menu. `onCommit(values)` is called with each changed choice; forms read `values()`.
 * `remembered` is the earlier choice, which is shown if the select has no defaults.
 */
export class Select {
  constructor(component, ctx, onCommit = () => {}, remembered = []) {
    this.component = component;
    this.ctx = ctx;
    this.onCommit = onCommit;
    this.min = component.min_values ?? 1;
    this.max = component.max_values ?? 1;
    this.chosen = defaultsOf(component);
    if (this.chosen.length === 0) this.chosen = [...remembered];
    this.popup = null;
    this.button = el("button", {
      type: "button",
      class: "select",
      "aria-haspopup": "listbox",
      "aria-expanded": "false",
      disabled: component.disabled,
      dataset: { key: component.custom_id },
      on: { click: () => this.toggle(), keydown: (event) => this.key(event) },
    });
    this.paint();
  }

  get node() {
    return this.button;
  }

  values() {
    return [...this.chosen];
  }

  paint() {
    const items = offered(this.component, this.ctx).filter((item) => this.chosen.includes(item.value));
    const placeholder = this.component.placeholder || "Make a selection";
    const shown = items.length
      ? items.map((item) =>
          el("span", { class: this.max > 1 ? "picked" : "one" }, item.art?.cloneNode(true), item.label),
        )
      : el("span", { class: "placeholder" }, placeholder);
    fill(
      this.button,
      el("span", { class: "value" }, shown),
      el("span", { class: "dots", "aria-hidden": "true" }),
      icon("down"),
    );
    this.button.setAttribute(
      "aria-label",
      `${placeholder}: ${items.map((i) => i.label).join(", ") || "nothing chosen"}`,
    );
  }

  key(event) {
    if (["ArrowDown", "ArrowUp"].includes(event.key) && !this.popup) {
      event.preventDefault();
      this.open();
    }
  }

  toggle() {
    if (this.popup) this.close(true);
    else this.open();
  }

  open() {
    this.before = this.values();
    this.list = new Listbox({
      label: this.component.placeholder || "Choices",
      multiple: this.max > 1,
      onPick: (item) => this.pick(item),
    });
    this.search = el("input", {
      class: "search",
      type: "text",
      role: "combobox",
      "aria-expanded": "true",
      autocomplete: "off",
      "aria-label": "Search the choices",
      placeholder: "Search",
      on: { input: () => this.fillList(), keydown: (event) => this.popupKey(event) },
    });
    const many = offered(this.component, this.ctx).length >= MIN_SEARCHABLE;
    if (!many) this.search.classList.add("quiet");
    this.popup = el("div", { class: "popup" }, this.search, this.list.node, this.footer());
    // While a dialog is open, the rest of the page is inert, so the popup must be inside the dialog.
    (this.button.closest("dialog") ?? document.body).append(this.popup);
    this.list.own(this.search);
    this.fillList();
    this.button.setAttribute("aria-expanded", "true");
    place(this.popup, this.button);
    this.search.focus({ preventScroll: true });
    this.outside = (event) => {
      if (!this.popup.contains(event.target) && !this.button.contains(event.target)) this.close(true, false);
    };
    this.resized = () => this.close(true);
    document.addEventListener("pointerdown", this.outside, true);
    window.addEventListener("resize", this.resized);
  }

  footer() {
    if (this.max <= 1) return null;
    const most = Math.min(this.max, offered(this.component, this.ctx).length);
    const range = this.min === most ? `Choose ${most}` : `Choose ${this.min} to ${most}`;
    return el(
      "div",
      { class: "popup-foot" },
      el("span", {}, range),
      el(
        "button",
        { type: "button", class: "btn primary tiny", on: { click: () => this.close(true) } },
        "Done",
      ),
    );
  }

  fillList() {
    const query = this.search.value.trim().toLowerCase();
    const fitting = offered(this.component, this.ctx).filter(
      (item) => item.label.toLowerCase().includes(query) || item.note?.toLowerCase().includes(query),
    );
    const full = this.max > 1 && this.chosen.length >= this.max;
    const items = fitting.map((item) => {
      const chosen = this.chosen.includes(item.value);
      return { ...item, chosen, disabled: full && !chosen };
    });
    if (this.min === 0 && this.max === 1 && this.chosen.length && !query) {
      items.unshift({ label: "Clear the selection", value: null });
    }
    const at = this.list.active >= 0 ? this.list.active : items.findIndex((item) => item.chosen);
    this.list.show(items, Math.max(0, at));
  }

  popupKey(event) {
    if (this.list.move(event)) return;
    if (event.key === "Enter" || (event.key === " " && !this.search.value)) {
      event.preventDefault();
      this.list.pick();
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      this.chosen = this.before;
      this.close(false);
    } else if (event.key === "Tab") {
      this.close(true);
    }
  }

  pick(item) {
    if (this.max > 1) {
      const at = this.chosen.indexOf(item.value);
      if (at >= 0) this.chosen.splice(at, 1);
      else this.chosen.push(item.value);
      this.paint();
      this.fillList();
      return;
    }
    this.chosen = item.value === null ? [] : [item.value];
    const changed = this.chosen[0] !== this.before[0];
    this.close(false);
    if (changed) this.onCommit(this.values());
  }

  /** Close the list; with `commit`, send several choices if they have changed and are enough. */
  close(commit, refocus = true) {
    if (!this.popup) return;
    document.removeEventListener("pointerdown", this.outside, true);
    window.removeEventListener("resize", this.resized);
    this.popup.remove();
    this.popup = null;
    // The order of choices does not matter.
    const kept = this.before.filter((value) => this.chosen.includes(value));
    const changed = kept.length !== this.before.length || kept.length !== this.chosen.length;
    if (commit && changed && this.chosen.length < this.min) this.chosen = this.before;
    else if (commit && changed && this.max > 1) this.onCommit(this.values());
    this.button.setAttribute("aria-expanded", "false");
    this.paint();
    if (refocus) this.button.focus({ preventScroll: true });
  }
}
