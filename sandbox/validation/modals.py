"""Modals: their components, and what a person fills in."""

from typing import Any

from sandbox.model import Json
from sandbox.validation.components import (
    ROW,
    SELECTS,
    TEXT_DISPLAY,
    TEXT_INPUT,
    Tally,
    read_options,
    read_select,
)
from sandbox.validation.forms import Form

LABEL, FILE_UPLOAD, RADIO, CHECKBOXES, CHECKBOX = 18, 19, 21, 22, 23
IN_LABEL = (TEXT_INPUT, *SELECTS, FILE_UPLOAD, RADIO, CHECKBOXES, CHECKBOX)
MAX_ROWS = 5


def read_modal(form: Form) -> Json:
    """Read a modal: title to 45 characters, custom_id to 100, one to five fields (texts do not count)."""
    tally = Tally()
    made: Json = {
        "custom_id": form.text("custom_id", 1, 100, required=True),
        "title": form.text("title", 1, 45, required=True),
    }
    made["components"] = [
        item
        for child in form.children("components", 1, 40, required=True)
        if (item := _read(child, tally)) is not None
    ]
    if sum(item["type"] != TEXT_DISPLAY for item in made["components"]) > MAX_ROWS:
        form.fail("components", "BASE_TYPE_BAD_LENGTH", f"Must be between 1 and {MAX_ROWS} in length.")
    if not form.errors.found:
        tally.number_all(made["components"])
    return made


def _read(form: Form, tally: Tally) -> Json | None:
    kind = form.choice("type", (ROW, TEXT_DISPLAY, LABEL), required=True)
    if kind is None:
        return None
    made = tally.open(form, kind)
    if kind == TEXT_DISPLAY:
        made["content"] = form.text("content", 1, 4000, required=True)
    elif kind == ROW:
        inputs = form.children("components", 1, 1, required=True)
        made["components"] = [_text_input(child, tally, label=True) for child in inputs]
    else:
        made["label"] = form.text("label", 1, 45, required=True)
        made["description"] = form.text("description", 1, 100)
        child = form.child("component", required=True)
        field = None if child is None else _field(child, tally)
        if field is not None:
            made["component"] = field
    return made


def _field(form: Form, tally: Tally) -> Json | None:
    kind = form.choice("type", IN_LABEL, required=True)
    if kind is None:
        return None
    if kind == TEXT_INPUT:
        return _text_input(form, tally, label=False)
    if kind in SELECTS:
        return read_select(form, kind, tally, in_modal=True)
    made = tally.open(form, kind)
    made["custom_id"] = tally.custom_id(form)
    if kind == CHECKBOX:
        return made | {"default": bool(form.boolean("default"))}
    required = form.boolean("required")
    made["required"] = True if required is None else required
    if kind != FILE_UPLOAD:
        made["options"] = read_options(form, 2 if kind == RADIO else 1, 10)
    if kind != RADIO:
        low, high = form.integer("min_values", 0, 10), form.integer("max_values", 1, 10)
        made["min_values"] = 1 if low is None else low
        made["max_values"] = (1 if kind == FILE_UPLOAD else len(made["options"])) if high is None else high
    return made


def _text_input(form: Form, tally: Tally, *, label: bool) -> Json:
    form.choice("type", (TEXT_INPUT,), required=True)
    made = tally.open(form, TEXT_INPUT)
    required = form.boolean("required")
    made |= {
        "custom_id": tally.custom_id(form),
        "style": form.choice("style", (1, 2), required=True) or 1,
        "label": form.text("label", 1, 45, required=label),
        "value": form.text("value", 0, 4000) or "",
        "placeholder": form.text("placeholder", 0, 100) or "",
        "required": True if required is None else required,
        "min_length": form.integer("min_length", 0, 4000),
        "max_length": form.integer("max_length", 1, 4000),
    }
    if (made["min_length"] or 0) > (made["max_length"] or 4000):
        form.fail("min_length", "BASE_TYPE_BAD_LENGTH", "Must be at most max_length.")
    return made


def fields(components: list[Json]) -> list[Json]:
    """Return a modal's fields in order, out of rows and labels."""
    found: list[Json] = []
    for item in components:
        if item["type"] == LABEL and "component" in item:
            found.append(item["component"])
        elif item["type"] == ROW:
            found.extend(item["components"])
    return found


def filled(field: Json, value: Any) -> tuple[Any, str | None]:
    """Return a field's value as Discord sends it, or the sentence that says why it cannot be sent.

    `value` None: the person left it as it was.
    """
    kind = field["type"]
    if kind == TEXT_INPUT:
        return _text(field, field["value"] if value is None else value)
    if kind == CHECKBOX:
        return bool(field["default"] if value is None else value), None
    chosen = _defaults(field) if value is None else value
    chosen = [chosen] if isinstance(chosen, str) else chosen
    if not isinstance(chosen, list) or not all(isinstance(item, str) for item in chosen):
        return None, f"{field['custom_id']} takes a list of values."
    problem = _chosen(field, chosen)
    if kind == RADIO:
        return (chosen[0] if chosen else None), problem
    return chosen, problem


def _text(field: Json, value: Any) -> tuple[Any, str | None]:
    if not isinstance(value, str):
        return None, f"{field['custom_id']} takes a text."
    low, high = field["min_length"] or 0, field["max_length"] or 4000
    if field["required"] and not value:
        return None, f"{field['custom_id']} is required."
    if len(value) > high or (value and len(value) < low):
        return None, f"{field['custom_id']} takes {low} to {high} characters."
    return value, None


def _defaults(field: Json) -> list[str]:
    if "options" in field:
        return [option["value"] for option in field["options"] if option["default"]]
    return [str(item["id"]) for item in field.get("default_values", [])]


def _chosen(field: Json, chosen: list[str]) -> str | None:
    known = {option["value"] for option in field["options"]} if "options" in field else set(chosen)
    low, high = field.get("min_values", 1), field.get("max_values", 1)
    if not chosen and not field.get("required", True):
        return None
    if len(set(chosen)) != len(chosen) or not set(chosen) <= known:
        return f"{field['custom_id']} does not offer that."
    if not low <= len(chosen) <= high:
        return f"{field['custom_id']} takes {low} to {high} values."
    return None
