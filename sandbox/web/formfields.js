// The fields of a modal: {control, value(), focus(), problem()}; `problem` says what is wrong, or is null.

import { $, el, fill } from "./dom.js";
import { SELECT_TYPES, Select } from "./select.js";

export const FIELD = { TEXT_INPUT: 4, FILE_UPLOAD: 19, RADIO: 21, CHECKBOXES: 22, CHECKBOX: 23 };
const PARAGRAPH = 2;
const MAX_TEXT_CHARS = 4000;

/** The field for a component, or null if the sandbox does not support it. `note` is the node below it. */
export function fieldOf(component, note, ctx) {
  const { type } = component;
  if (type === FIELD.TEXT_INPUT) return textField(component, note);
  if (SELECT_TYPES.includes(type)) return selectField(component, note, ctx);
  if (type === FIELD.RADIO || type === FIELD.CHECKBOXES) return groupField(component, note);
  return type === FIELD.CHECKBOX ? checkboxField(component) : null;
}

function textField(component, note) {
  const min = component.min_length ?? 0;
  const max = component.max_length ?? MAX_TEXT_CHARS;
  const required = component.required ?? true;
  const tall = component.style === PARAGRAPH;
  const control = el(tall ? "textarea" : "input", {
    ...(tall ? { rows: "5" } : { type: "text" }),
    maxlength: max,
    placeholder: component.placeholder || undefined,
    autocomplete: "off",
    "aria-required": String(required),
    value: component.value ?? "",
  });
  const count = () => {
    fill(note, component.max_length ? `${control.value.length} of at most ${max}` : "");
    control.setAttribute("aria-invalid", "false");
  };
  control.addEventListener("input", count);
  count();
  return {
    control,
    value: () => control.value,
    focus: () => control.focus(),
    problem() {
      const { length } = control.value;
      if (required && length === 0) return "This field is required.";
      return length > 0 && length < min ? `At least ${min} characters, please.` : null;
    },
  };
}

function selectField(component, note, ctx) {
  const select = new Select(component, ctx, () => {
    fill(note);
    select.node.setAttribute("aria-invalid", "false");
  });
  const least = (component.required ?? true) ? Math.max(1, select.min) : 0;
  return {
    control: select.node,
    value: () => select.values(),
    focus: () => select.node.focus(),
    problem: () => (select.values().length < least ? "Make a selection, please." : null),
  };
}

/** Radio buttons (value: a text) or checkboxes (value: a list). */
function groupField(component, note) {
  const radio = component.type === FIELD.RADIO;
  const required = component.required ?? true;
  const boxes = component.options.map((option) =>
    el("input", {
      type: radio ? "radio" : "checkbox",
      name: component.custom_id,
      value: option.value,
      checked: option.default,
    }),
  );
  const control = el(
    "div",
    { class: "choices", role: radio ? "radiogroup" : "group" },
    component.options.map((option, i) => choiceRow(boxes[i], option)),
  );
  control.addEventListener("change", () => fill(note));
  const chosen = () => boxes.filter((box) => box.checked).map((box) => box.value);
  return {
    control,
    grouped: true,
    value: () => (radio ? (chosen()[0] ?? []) : chosen()),
    focus: () => $("input", control).focus(),
    problem() {
      const count = chosen().length;
      if (count === 0) return required ? "Make a selection, please." : null;
      const [low, high] = radio ? [1, 1] : [component.min_values ?? 1, component.max_values ?? boxes.length];
      return count < low || count > high ? `Choose ${low} to ${high}, please.` : null;
    },
  };
}

function choiceRow(box, option) {
  const note = option.description && el("span", { class: "note" }, option.description);
  return el("label", { class: "choice" }, box, el("span", { class: "texts" }, option.label, note));
}

function checkboxField(component) {
  const control = el("input", { type: "checkbox", checked: component.default });
  return { control, value: () => control.checked, focus: () => control.focus(), problem: () => null };
}
