// Modals: forms that the bot opens.

import { $, el, fill } from "./dom.js";
import { TYPE } from "./components.js";
import { FIELD, fieldOf } from "./formfields.js";
import { richText } from "./richtext.js";

let made = 0;

/** Show a modal. `submit(values, onEnd)` sends it; `onEnd(reason | null)` closes it or shows the reason. */
export function openModal({ title, components }, ctx, submit) {
  const fields = [];
  const body = el(
    "div",
    { class: "modal-body" },
    components.map((component) => paint(component, ctx, fields)),
  );
  const problem = el("p", { class: "failed", role: "alert", hidden: true });
  const send = el(
    "button",
    { type: "submit", class: "btn primary" },
    el("span", { class: "face" }, "Submit"),
    el("span", { class: "dots", "aria-hidden": "true" }),
  );
  const cancel = el("button", { type: "button", class: "btn secondary" }, "Cancel");
  const heading = el("h2", { id: nextId("modal") }, title);
  const form = el(
    "form",
    { novalidate: true },
    el("header", {}, heading),
    body,
    problem,
    el("footer", {}, cancel, send),
  );
  const dialog = el("dialog", { class: "modal", "aria-labelledby": heading.id }, form);
  dialog.addEventListener("close", () => dialog.remove());
  cancel.addEventListener("click", () => dialog.close());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (send.hasAttribute("aria-busy") || !check(fields)) return;
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

const nextId = (kind) => `${kind}-${(made += 1)}`;

function check(fields) {
  let first = null;
  for (const field of fields) {
    const problem = field.problem();
    field.control.setAttribute("aria-invalid", String(problem !== null));
    if (problem !== null) fill(field.note, problem);
    first ??= problem !== null ? field : null;
  }
  first?.focus();
  return first === null;
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
      return unknown(component);
  }
}

const unknown = ({ type }) =>
  el("p", { class: "unknown" }, `The sandbox cannot show a component of type ${type}.`);

function labelled(component, { label, description }, ctx, fields) {
  const id = nextId("field");
  const note = el("p", { class: "field-note", id: `${id}-note`, role: "status" });
  const field = fieldOf(component, note, ctx);
  if (!field) return unknown(component);
  Object.assign(field, { key: component.custom_id, note });
  fields.push(field);
  field.control.id = id;
  field.control.setAttribute("aria-describedby", `${id}-note`);
  const required = component.type !== FIELD.CHECKBOX && (component.required ?? true);
  const star = required && el("span", { class: "star", title: "required" }, " *");
  // A group of boxes is named by its heading, because a label belongs to one control only.
  const heading = el(field.grouped ? "p" : "label", { class: "field-name", id: `${id}-name` }, label, star);
  if (field.grouped) field.control.setAttribute("aria-labelledby", `${id}-name`);
  else heading.setAttribute("for", id);
  const wide = component.type !== FIELD.CHECKBOX;
  return el(
    "div",
    { class: wide ? "form-field" : "form-field tick" },
    heading,
    description && el("p", { class: "small" }, description),
    field.control,
    note,
  );
}
