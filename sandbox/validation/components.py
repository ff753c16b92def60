"""Components of messages: legacy rows and the V2 kinds, checked and written in full.

Limits: Discord's documentation, "Component Reference".
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from sandbox.model import Json
from sandbox.validation.forms import Form

ROW, BUTTON, STRING_SELECT, TEXT_INPUT = 1, 2, 3, 4
USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT = 5, 6, 7, 8
SECTION, TEXT_DISPLAY, THUMBNAIL, GALLERY, FILE, SEPARATOR, CONTAINER = 9, 10, 11, 12, 13, 14, 17
SELECTS = (STRING_SELECT, USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT)
LINK, PREMIUM = 5, 6
TOP_V2 = (ROW, SECTION, TEXT_DISPLAY, GALLERY, FILE, SEPARATOR, CONTAINER)
IN_CONTAINER = (ROW, SECTION, TEXT_DISPLAY, GALLERY, FILE, SEPARATOR)
MAX_COMPONENTS, MAX_TEXT = 40, 4000


@dataclass(slots=True)
class Tally:
    """What a whole tree may have only so much of, and the names of the files it may refer to."""

    files: frozenset[str] = frozenset()
    number: int = 0
    text: int = 0
    custom_ids: set[str] = field(default_factory=set)
    ids: set[int] = field(default_factory=set)

    def open(self, form: Form, kind: int) -> Json:
        """Begin to write a component: its type and its number in the tree."""
        self.number += 1
        given = form.integer("id", 0, (1 << 31) - 1)
        if given:
            if given in self.ids:
                form.fail("id", "COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated")
            self.ids.add(given)
        return {"type": kind, "id": given or 0}

    def number_all(self, node: Any) -> None:
        """Return the components without an id the lowest free numbers, in order."""
        for item in node if isinstance(node, list) else [node]:
            if item["id"] == 0:
                item["id"] = next(n for n in range(1, 1 << 20) if n not in self.ids)
                self.ids.add(item["id"])
            for key in ("components", "accessory", "component"):
                if key in item:
                    self.number_all(item[key])

    def custom_id(self, form: Form) -> str | None:
        """Read a custom_id: 1 to 100 characters, once in a message."""
        found = form.text("custom_id", 1, 100, required=True)
        if found is not None and found in self.custom_ids:
            form.fail(
                "custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated"
            )
        self.custom_ids.add(found or "")
        return found


def read_components(form: Form, key: str, *, v2: bool, files: frozenset[str]) -> list[Json]:
    """Read a message's components; `files` are the names that attachment:// may refer to."""
    tally = Tally(files)
    top = TOP_V2 if v2 else (ROW,)
    made = [
        item
        for child in form.children(key, 0, MAX_COMPONENTS if v2 else 5)
        if (item := _read(child, top, tally)) is not None
    ]
    if tally.number > MAX_COMPONENTS and v2:
        form.fail(key, "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", "The maximum number of components is 40")
    if tally.text > MAX_TEXT:
        form.fail(
            key, "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", "The displayable text exceeds 4000 characters"
        )
    if not form.errors.found:
        tally.number_all(made)
    return made


def _read(form: Form, allowed: tuple[int, ...], tally: Tally) -> Json | None:
    kind = form.choice("type", allowed, required=True)
    if kind is None:
        return None
    if kind in SELECTS:
        return read_select(form, kind, tally)
    return _READERS[kind](form, tally)


def _row(form: Form, tally: Tally) -> Json:
    made = tally.open(form, ROW)
    made["components"] = [
        item
        for child in form.children("components", 1, 5, required=True)
        if (item := _read(child, (BUTTON, *SELECTS), tally)) is not None
    ]
    kinds = [item["type"] for item in made["components"]]
    if len(kinds) > 1 and any(kind in SELECTS for kind in kinds):
        form.fail(
            "components", "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "The specified component exceeds the width"
        )
    return made


def _button(form: Form, tally: Tally) -> Json:
    made = tally.open(form, BUTTON)
    style = form.choice("style", (1, 2, 3, 4, 5, 6), required=True)
    label = form.text("label", 0, 80)
    made |= {"style": style or 1}
    if label:
        made["label"] = label
    emoji = read_emoji(form)
    if emoji is not None:
        made["emoji"] = emoji
    made["disabled"] = bool(form.boolean("disabled"))
    if style == LINK:
        made["url"] = form.text("url", 1, 512, required=True)
        if form.has("custom_id"):
            form.fail("custom_id", "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", "A link has no id")
    elif style == PREMIUM:
        made["sku_id"] = form.text("sku_id", 1, 20, required=True)
    else:
        made["custom_id"] = tally.custom_id(form)
        if form.has("url"):
            form.fail("url", "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", "Only a link has a url")
    if style != PREMIUM and not label and emoji is None:
        form.fail(None, "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED", "A button needs a label or an emoji")
    return made


def read_emoji(form: Form) -> Json | None:
    """Read an emoji: a name, and an id for a custom one."""
    child = form.child("emoji")
    if child is None:
        return None
    name = child.text("name", 1, 32, required=True)
    number = child.snowflake("id")
    found: Json = {"name": name or ""}
    if number is not None:
        found |= {"id": str(number), "animated": bool(child.boolean("animated"))}
    return found


def read_options(form: Form, low: int, high: int) -> list[Json]:
    """Read the options of a select or of a group of boxes: labels and values, each value once."""
    made: list[Json] = []
    values: set[str] = set()
    for child in form.children("options", low, high, required=True):
        option: Json = {
            "label": child.text("label", 1, 100, required=True) or "",
            "value": child.text("value", 1, 100, required=True) or "",
            "default": bool(child.boolean("default")),
        }
        description = child.text("description", 0, 100)
        if description:
            option["description"] = description
        emoji = read_emoji(child)
        if emoji is not None:
            option["emoji"] = emoji
        if option["value"] in values:
            child.fail(
                "value",
                "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
                "The specified option value is already used",
            )
        values.add(option["value"])
        made.append(option)
    return made


def read_select(form: Form, kind: int, tally: Tally, *, in_modal: bool = False) -> Json:
    """Read a select menu of any kind."""
    made = tally.open(form, kind)
    made["custom_id"] = tally.custom_id(form)
    placeholder = form.text("placeholder", 0, 150)
    if placeholder:
        made["placeholder"] = placeholder
    low, high = form.integer("min_values", 0, 25), form.integer("max_values", 1, 25)
    made["min_values"] = 1 if low is None else low
    made["max_values"] = 1 if high is None else high
    if in_modal:
        required = form.boolean("required")
        made["required"] = True if required is None else required
    else:
        made["disabled"] = bool(form.boolean("disabled"))
    if kind == STRING_SELECT:
        made["options"] = read_options(form, 1, 25)
        defaults = sum(option["default"] for option in made["options"])
        if made["options"] and made["max_values"] > len(made["options"]):
            form.fail("max_values", "BASE_TYPE_BAD_LENGTH", "Must be at most the number of options.")
        if defaults > made["max_values"]:
            form.fail("options", "SELECT_COMPONENT_TOO_MANY_DEFAULTS", "More defaults than max_values")
    else:
        made["default_values"] = [
            {
                "id": str(child.snowflake("id", required=True)),
                "type": child.text("type", 1, 10, required=True),
            }
            for child in form.children("default_values", 0, 25)
        ]
        if kind == CHANNEL_SELECT and form.has("channel_types"):
            made["channel_types"] = form.array("channel_types")
    if made["min_values"] > made["max_values"]:
        form.fail("min_values", "BASE_TYPE_BAD_LENGTH", "Must be at most max_values.")
    return made


def _text_display(form: Form, tally: Tally) -> Json:
    made = tally.open(form, TEXT_DISPLAY)
    made["content"] = form.text("content", 1, MAX_TEXT, required=True) or ""
    tally.text += len(made["content"])
    return made


def _media(form: Form, key: str, tally: Tally, *, attached_only: bool = False) -> Json:
    child = form.child(key, required=True)
    url = None if child is None else child.text("url", 1, 2048, required=True)
    if child is None or url is None:
        return {"url": ""}
    name = url.removeprefix("attachment://")
    if url.startswith("attachment://"):
        if name not in tally.files:
            child.fail(
                "url",
                "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
                f"The referenced attachment {name!r} was not found",
            )
    elif attached_only or not url.startswith(("http://", "https://")):
        child.fail("url", "URL_TYPE_INVALID_SCHEME", "Scheme must be one of ('http', 'https', 'attachment').")
    return {"url": url}


def _described(form: Form, made: Json, tally: Tally) -> Json:
    made["media"] = _media(form, "media", tally)
    made["description"] = form.text("description", 1, 1024)
    made["spoiler"] = bool(form.boolean("spoiler"))
    return made


def _thumbnail(form: Form, tally: Tally) -> Json:
    return _described(form, tally.open(form, THUMBNAIL), tally)


def _gallery(form: Form, tally: Tally) -> Json:
    made = tally.open(form, GALLERY)
    made["items"] = [_described(child, {}, tally) for child in form.children("items", 1, 10, required=True)]
    return made


def _file(form: Form, tally: Tally) -> Json:
    made = tally.open(form, FILE)
    made["file"] = _media(form, "file", tally, attached_only=True)
    made["spoiler"] = bool(form.boolean("spoiler"))
    return made


def _separator(form: Form, tally: Tally) -> Json:
    made = tally.open(form, SEPARATOR)
    divider = form.boolean("divider")
    made["divider"] = True if divider is None else divider
    made["spacing"] = form.choice("spacing", (1, 2)) or 1
    return made


def _section(form: Form, tally: Tally) -> Json:
    made = tally.open(form, SECTION)
    made["components"] = [
        item
        for child in form.children("components", 1, 3, required=True)
        if (item := _read(child, (TEXT_DISPLAY,), tally)) is not None
    ]
    accessory = form.child("accessory", required=True)
    found = None if accessory is None else _read(accessory, (BUTTON, THUMBNAIL), tally)
    if found is not None:
        made["accessory"] = found
    return made


def _container(form: Form, tally: Tally) -> Json:
    made = tally.open(form, CONTAINER)
    made["accent_color"] = form.integer("accent_color", 0, 0xFFFFFF)
    made["spoiler"] = bool(form.boolean("spoiler"))
    made["components"] = [
        item
        for child in form.children("components", 1, MAX_COMPONENTS, required=True)
        if (item := _read(child, IN_CONTAINER, tally)) is not None
    ]
    return made


_READERS: dict[int, Callable[[Form, Tally], Json]] = {
    ROW: _row,
    BUTTON: _button,
    SECTION: _section,
    TEXT_DISPLAY: _text_display,
    THUMBNAIL: _thumbnail,
    GALLERY: _gallery,
    FILE: _file,
    SEPARATOR: _separator,
    CONTAINER: _container,
}
