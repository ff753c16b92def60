// The form of a slash command: a field per option, with help, choices and autocompletion.

import { displayName, el, fill } from "./dom.js";
import { MAX_CHOICES, OPTION, fixedChoices, narrowed, valueOf } from "./commands.js";
import { Listbox } from "./listbox.js";
import { isDm } from "./store.js";

const DEBOUNCE_MS = 140;

/** `onSend(path, values)`, `onLeave()`; `help` is the node above the composer for lists. */
export class OptionForm {
  constructor({ entry, texts = new Map(), store, help, complete, onSend, onLeave }) {
    Object.assign(this, { entry, store, help, complete, onSend, onLeave });
    this.fields = [];
    this.asked = 0;
    this.list = new Listbox({ label: "Choices", onPick: (item) => this.pick(item) });
    this.slots = el("span", { class: "slots" });
    this.extras = el("span", { class: "extras" });
    this.finder = this.makeFinder();
    this.name = el("span", { class: "pill", tabindex: "-1" }, `/${entry.label}`);
    this.node = el(
      "div",
      { class: "filling", role: "group", "aria-label": `Command ${entry.label}` },
      this.name,
      this.slots,
      this.finder,
      this.extras,
    );
    this.node.addEventListener("keydown", (event) => this.formKey(event));
    for (const option of entry.options)
      if (option.required || texts.has(option.name)) this.addField(option, texts.get(option.name));
    this.paintExtras();
  }

  /** Focus the first required empty field, else the last field, else the input for naming an option. */
  focus() {
    const empty = this.fields.find((field) => !field.input.value && field.option.required);
    const field = empty ?? this.fields[this.fields.length - 1];
    if (field) field.input.focus();
    else if (this.missing().length) this.finder.focus();
    else this.name.focus();
    if (!field) this.describe(this.entry.description, this.entry.options.length ? "" : "Enter sends it");
  }

  addField(option, text = "") {
    const id = `option-${option.name}`;
    const input = el("input", {
      id,
      type: "text",
      role: "combobox",
      autocomplete: "off",
      spellcheck: "false",
      "aria-expanded": "false",
      "aria-autocomplete": "list",
      "aria-required": option.required ? "true" : null,
      value: text,
      inputmode: [OPTION.INTEGER, OPTION.NUMBER].includes(option.type) ? "decimal" : null,
      dataset: { option: option.name },
    });
    const field = { option, input, picked: null, choices: [], items: [] };
    field.node = el(
      "span",
      { class: "slot" },
      el(
        "label",
        { for: id },
        option.label,
        option.required && el("span", { class: "star", title: "required" }, "*"),
      ),
      input,
    );
    input.addEventListener("focus", () => this.enter(field));
    input.addEventListener("blur", () => this.leave(field));
    input.addEventListener("input", () => this.changed(field));
    input.addEventListener("keydown", (event) => this.key(event, field));
    this.fields.push(field);
    this.slots.append(field.node);
    return field;
  }

  removeField(field) {
    this.fields.splice(this.fields.indexOf(field), 1);
    field.node.remove();
    this.paintExtras();
  }

  /** The options without a field. */
  missing() {
    const shown = new Set(this.fields.map((field) => field.option.name));
    return this.entry.options.filter((o) => !shown.has(o.name));
  }

  paintExtras() {
    this.finder.hidden = this.missing().length === 0;
    fill(
      this.extras,
      this.missing().map((option) =>
          el(
            "button",
            {
              type: "button",
              class: "extra",
              title: option.description,
              "aria-label": `Add the option ${option.label}: ${option.description}`,
              on: { click: () => this.extend(option) },
            },
            `+ ${option.label}`,
          ),
        ),
    );
  }

  extend(option, text = "") {
    const field = this.addField(option, text);
    this.finder.value = "";
    field.input.focus();
    this.paintExtras();
  }

  // Naming an option by keyboard: `name:` or its first letters

  makeFinder() {
    return el("input", {
      type: "text",
      class: "finder",
      role: "combobox",
      autocomplete: "off",
      spellcheck: "false",
      "aria-expanded": "false",
      "aria-autocomplete": "list",
      "aria-label": "Name an option",
      on: {
        input: () => this.find(),
        keydown: (event) => this.finderKey(event),
        blur: () => {
          this.finder.setAttribute("aria-expanded", "false");
          this.hide();
        },
      },
    });
  }

  find() {
    const [name, ...rest] = this.finder.value.trimStart().split(":");
    const named = this.missing().find((o) => [o.name, o.label].includes(name.trim()));
    if (named && rest.length) {
      this.extend(named, rest.join(":"));
      return;
    }
    const fitting = this.missing().filter((o) => o.label.startsWith(name.trim()));
    this.describe(this.entry.description, fitting.length ? "" : "No such option");
    this.help.append(this.list.node);
    this.list.own(this.finder);
    this.list.show(fitting.map((o) => ({ label: o.label, value: o, note: o.description })));
    this.list.node.hidden = !this.finder.value || fitting.length === 0;
    this.finder.setAttribute("aria-expanded", this.list.node.hidden ? "false" : "true");
  }

  finderKey(event) {
    const open = this.finder.getAttribute("aria-expanded") === "true";
    if (open && this.list.move(event)) return;
    if (event.key === "Enter" || (event.key === "Tab" && !event.shiftKey && open)) {
      event.preventDefault();
      if (open) this.list.pick();
      else if (!this.finder.value.trim()) this.send();
      else this.describe(this.entry.description, "No such option");
    } else if (event.key === "Backspace" && this.finder.value === "") {
      event.preventDefault();
      const last = this.fields[this.fields.length - 1];
      if (last) last.input.focus();
      else this.onLeave();
    }
  }

  // Choices

  choicesOf(option) {
    const members = [...this.store.members.values()].map((user) => ({
      name: displayName(user),
      value: user.id,
      note: user.bot ? "bot" : undefined,
    }));
    const channels = [...this.store.channels.values()]
      .filter((c) => !isDm(c))
      .map((c) => ({ name: c.name, value: c.id }));
    return fixedChoices(option, { members, channels });
  }

  enter(field) {
    this.active = field;
    field.node.classList.remove("wrong");
    this.changed(field, { picking: false });
  }

  leave(field) {
    field.input.setAttribute("aria-expanded", "false");
    if (this.active !== field) return;
    this.active = null;
    this.hide();
  }

  async changed(field, { picking = true } = {}) {
    if (picking) field.picked = null;
    field.node.classList.remove("wrong");
    const query = field.picked ? "" : field.input.value;
    const fixed = this.choicesOf(field.option);
    if (fixed) {
      this.offer(field, narrowed(fixed, query));
    } else if (field.option.autocomplete) {
      await this.fetch(field, picking);
    } else {
      this.offer(field, []);
    }
  }

  async fetch(field, wait) {
    const turn = (this.asked += 1);
    // Until the response, show only those of the last one that still match: Enter must not pick a stale one.
    this.offer(field, wait ? narrowed(field.choices, field.input.value) : [], wait ? "" : "Looking…");
    if (wait) await new Promise((done) => setTimeout(done, DEBOUNCE_MS));
    if (turn !== this.asked || this.active !== field) return;
    let choices;
    let trouble = "";
    try {
      choices = (await this.complete(this.entry.path, this.written(), field.option.name)).choices;
    } catch (error) {
      choices = [];
      trouble = error.message;
    }
    if (turn !== this.asked || this.active !== field) return;
    this.offer(
      field,
      choices.slice(0, MAX_CHOICES),
      trouble || (choices.length ? "" : "Nothing to suggest"),
    );
  }

  /** Show the choices of a field. A text that equals a choice counts as picked. */
  offer(field, choices, status = "") {
    field.choices = choices;
    field.items = choices.map((c) => ({ label: c.name, value: c.value, note: c.note }));
    const written = field.input.value.trim();
    const exact = field.items.find((item) => item.label === written || String(item.value) === written);
    if (exact && !field.picked) field.picked = { label: written, value: exact.value };
    const { option } = field;
    this.describe(option.description, status, option);
    this.help.append(this.list.node);
    this.list.own(field.input);
    this.list.show(
      field.items,
      field.picked ? field.items.findIndex((i) => i.value === field.picked.value) : 0,
    );
    this.list.node.hidden = field.items.length === 0;
    field.input.setAttribute("aria-expanded", field.items.length ? "true" : "false");
  }

  describe(description, status = "", option = null) {
    const limits = option ? limitsOf(option) : "";
    fill(
      this.help,
      el(
        "p",
        { class: "help-line" },
        el("strong", {}, option ? option.label : `/${this.entry.label}`),
        option?.required && el("span", { class: "required" }, "required"),
        " ",
        description,
        limits && el("span", { class: "note" }, ` ${limits}`),
        status && el("span", { class: "status", role: "status" }, status),
      ),
    );
    this.help.hidden = false;
  }

  hide() {
    this.help.hidden = true;
    this.list.node.hidden = true;
  }

  pick(item) {
    const field = this.active;
    if (!field) {
      this.extend(item.value);
      return;
    }
    field.picked = { label: item.label, value: item.value };
    field.input.value = item.label;
    this.list.node.hidden = true;
    field.input.setAttribute("aria-expanded", "false");
    const next = this.fields.find((other) => other.option.required && !other.input.value);
    if (next) next.input.focus();
    else this.describe(field.option.description, "Enter sends the command", field.option);
  }

  // Keys

  key(event, field) {
    const open = !this.list.node.hidden;
    if (open && this.list.move(event)) return;
    const choosable = open && this.list.active >= 0 && !field.picked;
    const empty = !field.input.value && !field.option.required;
    if (event.key === "Tab" && !event.shiftKey && choosable && !empty) {
      event.preventDefault();
      this.list.pick();
    } else if (event.key === "Enter") {
      event.preventDefault();
      event.stopPropagation();
      const moved = open && field.picked && field.items[this.list.active]?.value !== field.picked.value;
      if ((choosable && !empty) || moved) this.list.pick();
      else this.send();
    } else if (event.key === "Escape" && open) {
      event.stopPropagation();
      this.list.node.hidden = true;
    } else if (event.key === "Backspace" && field.input.value === "") {
      event.preventDefault();
      this.back(field);
    }
  }

  formKey(event) {
    if (event.key === "Escape") {
      event.preventDefault();
      this.onLeave();
    } else if (event.target === this.name && ["Enter", "Backspace"].includes(event.key)) {
      event.preventDefault();
      if (event.key === "Enter") this.send();
      else this.onLeave();
    }
  }

  back(field) {
    const at = this.fields.indexOf(field);
    if (!field.option.required) this.removeField(field);
    const before = this.fields[at - 1];
    if (before) before.input.focus();
    else this.onLeave();
  }

  // Values

  resolve(field) {
    const raw = field.input.value;
    if (field.picked && field.picked.label === raw.trim()) return { value: field.picked.value };
    return valueOf(field.option, raw, this.choicesOf(field.option));
  }

  /** The current values of the fields, complete or not. */
  written() {
    const values = {};
    for (const field of this.fields) {
      const { value } = field === this.active ? { value: field.input.value } : this.resolve(field);
      if (value !== undefined) values[field.option.name] = value;
    }
    return values;
  }

  send() {
    const values = {};
    for (const field of this.fields) {
      const { value, error } = this.resolve(field);
      if (error) {
        field.input.focus();
        field.node.classList.add("wrong");
        this.describe(field.option.description, error, field.option);
        return;
      }
      if (value !== undefined) values[field.option.name] = value;
    }
    this.onSend(this.entry.path, values);
  }
}

function limitsOf({ type, min_value: min, max_value: max }) {
  if (type !== OPTION.INTEGER && type !== OPTION.NUMBER) return "";
  if (min != null && max != null) return `(${min} to ${max})`;
  if (min != null) return `(at least ${min})`;
  return max != null ? `(at most ${max})` : "";
}
