"""Modals: their components, and the values that people fill in.

Limits: Discord's documentation, "Component Reference" (label, text input, file upload, groups of boxes).
"""

import re
from typing import Any

from sandbox.model import Json
from sandbox.validation.components import (
    ROW,
    SELECTS,
    TEXT_DISPLAY,
    TEXT_INPUT,
    Tree,
    check_bounds,
    read_options,
    read_select,
)
from sandbox.validation.forms import Form

LABEL, FILE_UPLOAD, RADIO, CHECKBOXES, CHECKBOX = 18, 19, 21, 22, 23
IN_LABEL = (TEXT_INPUT, *SELECTS, FILE_UPLOAD, RADIO, CHECKBOXES, CHECKBOX)
MAX_FIELDS = 5
FILE_KINDS = ("image", "video", "audio")


def read_modal(form: Form) -> Json:
    """Read a modal: a title of up to 45 characters, a custom_id of up to 100, one to five fields."""
    tree = Tree()
    made: Json = {
        "custom_id": form.required_text("custom_id", 1, 100),
        "title": form.required_text("title", 1, 45),
        "components": [],
    }
    for child in form.children("components", 1, 40, required=True):
        kind = child.choice("type", (ROW, TEXT_DISPLAY, LABEL), required=True)
        if kind is not None:
            made["components"].append(_read_block(child, kind, tree))
    # The description allows 40 components; at most five of them may be fields, texts do not count.
    if sum(item["type"] != TEXT_DISPLAY for item in made["components"]) > MAX_FIELDS:
        form.fail("components", "BASE_TYPE_BAD_LENGTH", f"Must be between 1 and {MAX_FIELDS} in length.")
    if not form.errors.found:
        tree.number_all(made["components"])
    return made


def _read_block(form: Form, kind: int, tree: Tree) -> Json:
    made = tree.open(form, kind)
    if kind == TEXT_DISPLAY:
        made["content"] = form.required_text("content", 1, 4000)
    elif kind == ROW:
        inputs = form.children("components", 1, 1, required=True)
        made["components"] = [_read_text_input(child, tree, labelled=True) for child in inputs]
    else:
        made["label"] = form.required_text("label", 1, 45)
        made["description"] = form.text("description", 1, 100)
        child = form.child("component", required=True)
        if child is not None and (field := _read_field(child, tree)):
            made["component"] = field
    return made


def _read_field(form: Form, tree: Tree) -> Json | None:
    kind = form.choice("type", IN_LABEL, required=True)
    if kind is None:
        return None
    if kind == TEXT_INPUT:
        return _read_text_input(form, tree, labelled=False)
    if kind in SELECTS:
        return read_select(form, kind, tree, in_modal=True)
    made = tree.open(form, kind) | {"custom_id": tree.custom_id(form)}
    if kind == CHECKBOX:
        return made | {"default": form.flag("default")}
    made["required"] = form.flag("required", default=True)
    if kind == FILE_UPLOAD:
        _check_file_types(form)
    else:
        made["options"] = read_options(form, 2 if kind == RADIO else 1, 10, pictured=False)
    if kind == RADIO:
        check_bounds(form, made | {"min_values": 1, "max_values": 1})
        return made
    made["min_values"] = form.integer_or("min_values", 1, 0, 10)
    usual = len(made["options"]) if kind == CHECKBOXES else 1
    made["max_values"] = form.integer_or("max_values", usual, 1, 10)
    check_bounds(form, made)
    return made


def _check_file_types(form: Form) -> None:
    for number, each in enumerate(form.array("file_types", 0, 10)):
        if each not in FILE_KINDS and not re.fullmatch(r"\.\w+", str(each)):
            form.fail("file_types", "BASE_TYPE_CHOICES", f"{number}: neither a kind of files nor .extension")


def _read_text_input(form: Form, tree: Tree, *, labelled: bool) -> Json:
    form.choice("type", (TEXT_INPUT,), required=True)
    made = tree.open(form, TEXT_INPUT) | {
        "custom_id": tree.custom_id(form),
        "style": form.choice("style", (1, 2), required=True) or 1,
        "label": form.text("label", 1, 45, required=True) if labelled else None,
        "value": form.text("value", 0, 4000) or "",
        "placeholder": form.text("placeholder", 0, 100) or "",
        "required": form.flag("required", default=True),
        "min_length": form.integer("min_length", 0, 4000),
        "max_length": form.integer("max_length", 1, 4000),
    }
    if (made["min_length"] or 0) > (made["max_length"] or 4000):
        form.fail("min_length", "BASE_TYPE_BAD_LENGTH", "Must be at most max_length.")
    if form.has("label") and not labelled:
        form.fail("label", "BASE_TYPE_CHOICES", "Within a Label, a text input has no label of its own.")
    return made


def list_fields(components: list[Json]) -> list[Json]:
    """Return the fields in a modal's rows and labels, in order."""
    found: list[Json] = []
    for item in components:
        if item["type"] == LABEL and "component" in item:
            found.append(item["component"])
        elif item["type"] == ROW:
            found.extend(item["components"])
    return found


def read_value(field: Json, value: Any) -> tuple[Any, str | None]:
    """Return a field's value as Discord sends it, and why it is invalid (None: it is valid).

    `value` None: the person did not change the field.
    """
    kind = field["type"]
    if kind == TEXT_INPUT:
        text = field["value"] if value is None else value
        return text, _text_problem(field, text)
    if kind == CHECKBOX:
        return bool(field["default"] if value is None else value), None
    if value is None:
        defaults = [option["value"] for option in field.get("options", []) if option["default"]]
        value = defaults + [str(item["id"]) for item in field.get("default_values", [])]
    chosen = [value] if isinstance(value, str) else value
    if not isinstance(chosen, list) or not all(isinstance(item, str) for item in chosen):
        return None, f"{field['custom_id']} takes a list of values."
    sent = (chosen[0] if chosen else None) if kind == RADIO else chosen
    return sent, _choice_problem(field, chosen)


def _text_problem(field: Json, text: Any) -> str | None:
    if not isinstance(text, str):
        return f"{field['custom_id']} takes a text."
    if field["required"] and not text:
        return f"{field['custom_id']} is required."
    low, high = field["min_length"] or 0, field["max_length"] or 4000
    if len(text) > high or 0 < len(text) < low:
        return f"{field['custom_id']} takes {low} to {high} characters."
    return None


def _choice_problem(field: Json, chosen: list[str]) -> str | None:
    if not chosen and not field.get("required", True):
        return None
    offered = {option["value"] for option in field["options"]} if "options" in field else set(chosen)
    if len(set(chosen)) != len(chosen) or not set(chosen) <= offered:
        return f"{field['custom_id']} does not offer that."
    low, high = field.get("min_values", 1), field.get("max_values", 1)
    return None if low <= len(chosen) <= high else f"{field['custom_id']} takes {low} to {high} values."
