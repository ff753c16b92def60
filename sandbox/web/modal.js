// Dialogs that the bot asks to fill in.

import { $, el, fill } from "./dom.js";
import { richText } from "./richtext.js";
import { Select } from "./select.js";
import { TYPE } from "./components.js";

const PARAGRAPH = 2;
const LONGEST = 4000;
let made = 0;

/** Show a modal. `submit(values, onEnd)` sends it; `onEnd(reason | null)` closes it or says what went wrong. */
export function openModal({ title, components }, ctx, submit) {
  const fields = [];
  const body = el(
    "div",
    { class: "modal-body" },
    components.map((c) => paint(c, ctx, fields)),
  );
  const problem = el("p", { class: "failed", role: "alert", hidden: true });
  const send = el(
    "button",
    { type: "submit", class: "btn primary" },
    el("span", { class: "face" }, "Submit"),
    el("span", { class: "dots", "aria-hidden": "true" }),
  );
  const cancel = el(
    "button",
    { type: "button", class: "btn secondary", on: { click: () => dialog.close() } },
    "Cancel",
  );
  const form = el(
    "form",
    { novalidate: true },
    el("header", {}, el("h2", { id: `modal-${(made += 1)}` }, title)),
    body,
    problem,
    el("footer", {}, cancel, send),
  );
  const dialog = el(
    "dialog",
    { class: "modal", "aria-labelledby": `modal-${made}`, on: { close: () => dialog.remove() } },
    form,
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!check(fields)) return;
    send.setAttribute("aria-busy", "true");
    problem.hidden = true;
    submit(Object.fromEntries(fields.map((field) => [field.key, field.value()])), (reason) => {
      send.removeAttribute("aria-busy");
      if (reason === null) dialog.close();
      problem.hidden = false;
      problem.textContent = reason ?? "";
    });
  });
  document.body.append(dialog);
  dialog.showModal();
  $("input, textarea, button.select", body)?.focus();
  return dialog;
}

function check(fields) {
  const wrong = fields.filter((field) => !field.check());
  wrong[0]?.focus();
  return wrong.length === 0;
}

function paint(component, ctx, fields) {
  switch (component.type) {
    case TYPE.ROW:
      return component.components.map((inner) => labelled(inner, { label: inner.label }, ctx, fields));
    case TYPE.LABEL:
      return labelled(component.component, component, ctx, fields);
    case TYPE.TEXT:
      return richText(component.content, ctx);
    default:
      return el("p", { class: "unknown" }, `Component of type ${component.type}`);
  }
}

function labelled(component, { label, description }, ctx, fields) {
  const id = `field-${(made += 1)}`;
  const note = el("p", { class: "field-note", id: `${id}-note`, role: "status" });
  const field =
    component.type === TYPE.TEXT_INPUT ? textField(component, note) : selectField(component, note, ctx);
  field.key = component.custom_id;
  fields.push(field);
  field.control.id = id;
  field.control.setAttribute("aria-describedby", `${id}-note`);
  const required = component.required ?? true;
  if (field.select) field.control.setAttribute("aria-label", label ?? "Choice");
  return el(
    "div",
    { class: "form-field" },
    el("label", { for: id }, label, required && el("span", { class: "star", title: "required" }, " *")),
    description && el("p", { class: "small" }, description),
    field.control,
    note,
  );
}

function textField(component, note) {
  const { min_length: min = 0, max_length: max = LONGEST } = component;
  const required = component.required ?? true;
  const tall = component.style === PARAGRAPH;
  const control = el(tall ? "textarea" : "input", {
    ...(tall ? { rows: "5" } : { type: "text" }),
    maxlength: max,
    placeholder: component.placeholder,
    autocomplete: "off",
    "aria-required": required ? "true" : "false",
    value: component.value ?? "",
  });
  const say = (text, bad = false) => {
    fill(note, text);
    control.setAttribute("aria-invalid", bad ? "true" : "false");
  };
  const count = () => say(component.max_length ? `${control.value.length} of at most ${max}` : "");
  control.addEventListener("input", count);
  count();
  return {
    control,
    value: () => control.value,
    focus: () => control.focus(),
    check() {
      const length = control.value.length;
      const missing = required && length === 0;
      const short = length < min && (required || length > 0);
      if (missing) say("This field is required.", true);
      else if (short) say(`At least ${min} characters, please.`, true);
      return !missing && !short;
    },
  };
}

function selectField(component, note, ctx) {
  const select = new Select(component, ctx, () => fill(note));
  const required = component.required ?? true;
  return {
    control: select.node,
    select: true,
    value: () => select.values(),
    focus: () => select.node.focus(),
    check() {
      const enough = select.values().length >= (required ? Math.max(1, select.min) : 0);
      if (!enough) fill(note, "Make a selection, please.");
      return enough;
    },
  };
}
