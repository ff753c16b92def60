"""Components of messages: legacy rows and V2 kinds, validated.

Limits: Discord's documentation, "Component Reference". Each reader returns a component as Discord sends it
back, with all defaults filled in.
"""

import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from sandbox.model import Json
from sandbox.validation.forms import Form

ROW, BUTTON, STRING_SELECT, TEXT_INPUT = 1, 2, 3, 4
USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT = 5, 6, 7, 8
SECTION, TEXT_DISPLAY, THUMBNAIL, GALLERY, FILE, SEPARATOR, CONTAINER = 9, 10, 11, 12, 13, 14, 17
SELECTS = (STRING_SELECT, USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT)
DEFAULT_TYPES = {
    USER_SELECT: ("user",),
    ROLE_SELECT: ("role",),
    MENTIONABLE_SELECT: ("user", "role"),
    CHANNEL_SELECT: ("channel",),
}
"""The types of a select's default values."""
LINK, PREMIUM = 5, 6
IN_CONTAINER = (ROW, SECTION, TEXT_DISPLAY, GALLERY, FILE, SEPARATOR)
TOP_V2 = (*IN_CONTAINER, CONTAINER)
MAX_COMPONENTS, MAX_TEXT_CHARS = 40, 4000


@dataclass(slots=True)
class Tree:
    """The running totals of a tree of components, and the names of the files that it may refer to."""

    files: frozenset[str] = frozenset()
    count: int = 0
    text: int = 0
    custom_ids: set[str] = field(default_factory=set)
    ids: set[int] = field(default_factory=set)

    def open(self, form: Form, kind: int) -> Json:
        """Start a component with its type and its id in the tree (0: none was given)."""
        self.count += 1
        given = form.integer_or("id", 0, 0, (1 << 31) - 1)
        if given in self.ids:
            form.fail("id", "COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated")
        if given:
            self.ids.add(given)
        return {"type": kind, "id": given}

    def number_all(self, node: Any) -> None:
        """Give components without an id the lowest free numbers in order, as Discord does."""
        for item in node if isinstance(node, list) else [node]:
            if item["id"] == 0:
                item["id"] = next(n for n in range(1, 1 << 20) if n not in self.ids)
                self.ids.add(item["id"])
            for key in ("components", "accessory", "component"):
                if key in item:
                    self.number_all(item[key])

    def custom_id(self, form: Form) -> str:
        """Read a custom_id: 1 to 100 characters, unique in a message."""
        found = form.required_text("custom_id", 1, 100)
        if found and found in self.custom_ids:
            form.fail(
                "custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated"
            )
        self.custom_ids.add(found)
        return found


def walk(components: Any) -> Iterator[Json]:
    """Yield all components of a tree in reading order, outer ones first, a section's accessory last."""
    for item in components or ():
        yield item
        yield from walk(item.get("components"))
        for key in ("accessory", "component"):
            if key in item:
                yield from walk([item[key]])


def read_components(form: Form, key: str, *, v2: bool, files: frozenset[str]) -> list[Json]:
    """Read a message's components; `files` are the names that attachment:// may refer to."""
    tree = Tree(files)
    # Discord counts nested components and the characters of all texts; its OpenAPI description does not.
    most, allowed = (MAX_COMPONENTS, TOP_V2) if v2 else (5, (ROW,))
    made = _read_all(form, key, (0, most), allowed, tree)
    if tree.count > MAX_COMPONENTS and v2:
        form.fail(key, "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", "The maximum number of components is 40")
    if tree.text > MAX_TEXT_CHARS:
        form.fail(
            key, "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", "The displayable text exceeds 4000 characters"
        )
    # Only valid trees need numbers: refused ones are not sent back.
    if not form.errors.found:
        tree.number_all(made)
    return made


def _read_all(
    form: Form, key: str, bounds: tuple[int, int], allowed: tuple[int, ...], tree: Tree
) -> list[Json]:
    children = form.children(key, *bounds, required=bounds[0] > 0)
    return [item for child in children if (item := _read(child, allowed, tree)) is not None]


def _read(form: Form, allowed: tuple[int, ...], tree: Tree) -> Json | None:
    kind = form.choice("type", allowed, required=True)
    if kind is None:
        return None
    if kind in SELECTS:
        return read_select(form, kind, tree)
    made = tree.open(form, kind)
    _READERS[kind](form, made, tree)
    return made


def _row(form: Form, made: Json, tree: Tree) -> None:
    made["components"] = _read_all(form, "components", (1, 5), (BUTTON, *SELECTS), tree)
    # A select is as wide as five buttons.
    if len(made["components"]) > 1 and any(item["type"] in SELECTS for item in made["components"]):
        form.fail(
            "components", "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "The specified component exceeds the width"
        )


def _button(form: Form, made: Json, tree: Tree) -> None:
    style = made["style"] = form.choice("style", (1, 2, 3, 4, 5, 6), required=True) or 1
    if label := form.text("label", 0, 80):
        made["label"] = label
    if emoji := read_emoji(form):
        made["emoji"] = emoji
    made["disabled"] = form.flag("disabled")
    target, most = {LINK: ("url", 512), PREMIUM: ("sku_id", 20)}.get(style, ("custom_id", 100))
    made[target] = tree.custom_id(form) if target == "custom_id" else form.required_text(target, 1, most)
    for key in {"url", "custom_id"} - {target}:
        if form.has(key):
            form.fail(
                key, "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", f"This style of button has no {key}"
            )
    labelled = str(form.data.get("label") or "").strip()
    if style != PREMIUM and not labelled and not form.has("emoji"):
        form.fail(None, "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED", "A button needs a label or an emoji")


def read_emoji(form: Form) -> Json | None:
    """Read an emoji: a name, and an id for a custom one."""
    child = form.child("emoji")
    if child is None:
        return None
    name = child.required_text("name", 1, 32)
    found: Json = {"name": name}
    number = child.snowflake("id")
    if number is None and name and not is_emoji(name):
        # The same code for options of selects: discord-api-docs, issue #8071.
        child.fail("name", "BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")
    if number is not None:
        found |= {"id": str(number), "animated": child.flag("animated")}
    return found


def is_emoji(text: str) -> bool:
    """Return whether a text is one Unicode emoji; approximate, because there are no emoji tables."""
    base = text.rstrip("\ufe0f\u20e3")
    if text.endswith("\u20e3"):
        return base in tuple("0123456789#*")
    parts = [part.strip("\ufe0f") for part in text.split("\u200d")]
    return all(part and all(_is_pictorial(sign) for sign in part) for part in parts)


def _is_pictorial(sign: str) -> bool:
    # Symbols, arrows and pictures; skin tones are modifiers, and flags have letters of their own.
    pictures = unicodedata.category(sign) in ("So", "Sm", "Sk", "Po", "Pd", "Cn") and ord(sign) > 0x2000
    return pictures or sign in "\u00a9\u00ae\ufe0f" or 0xE0020 <= ord(sign) <= 0xE007F


def read_options(form: Form, low: int, high: int, *, pictured: bool = True) -> list[Json]:
    """Read the options of a select, or of a group of boxes (without emoji: not `pictured`).

    Each option has a label and a unique value.
    """
    made: list[Json] = []
    for child in form.children("options", low, high, required=True):
        option: Json = {
            "label": child.required_text("label", 1, 100),
            "value": child.required_text("value", 1, 100),
            "default": child.flag("default"),
        }
        if description := child.text("description", 0, 100):
            option["description"] = description
        if pictured and (emoji := read_emoji(child)):
            option["emoji"] = emoji
        if option["value"] in [other["value"] for other in made]:
            child.fail(
                "value",
                "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
                "The specified option value is already used",
            )
        made.append(option)
    return made


def read_select(form: Form, kind: int, tree: Tree, *, in_modal: bool = False) -> Json:
    """Read a select menu of any kind."""
    made = tree.open(form, kind) | {"custom_id": tree.custom_id(form)}
    if placeholder := form.text("placeholder", 0, 150):
        made["placeholder"] = placeholder
    made["min_values"] = form.integer_or("min_values", 1, 0, 25)
    made["max_values"] = form.integer_or("max_values", 1, 1, 25)
    disabled = form.flag("disabled")
    if not in_modal:
        made["disabled"] = disabled
    elif disabled:
        form.fail("disabled", "BASE_TYPE_CHOICES", "A modal has no disabled components.")
    if in_modal:
        made["required"] = form.flag("required", default=True)
    if kind == STRING_SELECT:
        made["options"] = read_options(form, 1, 25)
    else:
        made["default_values"] = _read_defaults(form, kind)
    if kind == CHANNEL_SELECT and form.has("channel_types"):
        made["channel_types"] = form.array("channel_types")
    check_bounds(form, made)
    return made


def _read_defaults(form: Form, kind: int) -> list[Json]:
    types = DEFAULT_TYPES[kind]
    return [
        {"id": str(child.snowflake("id", required=True)), "type": child.choice("type", types, required=True)}
        for child in form.children("default_values", 0, 25)
    ]


def check_bounds(form: Form, made: Json) -> None:
    """Check the bounds for the number of values of a select, boxes or files against its options."""
    low, high = made["min_values"], made["max_values"]
    options, given = made.get("options"), made.get("default_values", [])
    if low > high:
        form.fail("min_values", "BASE_TYPE_BAD_LENGTH", "Must be at most max_values.")
    if made.get("required") and low == 0:
        form.fail("min_values", "NUMBER_TYPE_MIN", "What is required takes at least one value.")
    if options and high > len(options):
        form.fail("max_values", "BASE_TYPE_BAD_LENGTH", "Must be at most the number of options.")
    if options and sum(option["default"] for option in options) > high:
        form.fail("options", "SELECT_COMPONENT_TOO_MANY_DEFAULTS", "More defaults than max_values")
    if given and not low <= len(given) <= high:
        form.fail("default_values", "BASE_TYPE_BAD_LENGTH", f"Must be between {low} and {high} in length.")


def _text_display(form: Form, made: Json, tree: Tree) -> None:
    made["content"] = form.required_text("content", 1, MAX_TEXT_CHARS)
    tree.text += len(made["content"])


def _read_url(form: Form, key: str, tree: Tree, *, attached_only: bool = False) -> Json:
    child = form.child(key, required=True)
    url = "" if child is None else child.required_text("url", 1, 2048)
    if child is None or not url:
        return {"url": url}
    name = url.removeprefix("attachment://")
    if url == name and (attached_only or not url.startswith(("http://", "https://"))):
        child.fail("url", "URL_TYPE_INVALID_SCHEME", "Scheme must be one of ('http', 'https', 'attachment').")
    elif url != name and name not in tree.files:
        child.fail(
            "url",
            "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
            f"The referenced attachment {name!r} was not found",
        )
    return {"url": url}


def _thumbnail(form: Form, made: Json, tree: Tree) -> None:
    made["media"] = _read_url(form, "media", tree)
    made["description"] = form.text("description", 1, 1024)
    made["spoiler"] = form.flag("spoiler")


def _gallery(form: Form, made: Json, tree: Tree) -> None:
    made["items"] = []
    for child in form.children("items", 1, 10, required=True):
        item: Json = {}
        _thumbnail(child, item, tree)
        made["items"].append(item)


def _file(form: Form, made: Json, tree: Tree) -> None:
    made["file"] = _read_url(form, "file", tree, attached_only=True)
    made["spoiler"] = form.flag("spoiler")


def _separator(form: Form, made: Json, _tree: Tree) -> None:
    made["divider"] = form.flag("divider", default=True)
    made["spacing"] = form.choice("spacing", (1, 2)) or 1


def _section(form: Form, made: Json, tree: Tree) -> None:
    made["components"] = _read_all(form, "components", (1, 3), (TEXT_DISPLAY,), tree)
    child = form.child("accessory", required=True)
    if child is not None and (accessory := _read(child, (BUTTON, THUMBNAIL), tree)):
        made["accessory"] = accessory


def _container(form: Form, made: Json, tree: Tree) -> None:
    made["accent_color"] = form.integer("accent_color", 0, 0xFFFFFF)
    made["spoiler"] = form.flag("spoiler")
    made["components"] = _read_all(form, "components", (1, MAX_COMPONENTS), IN_CONTAINER, tree)


_READERS: dict[int, Callable[[Form, Json, Tree], None]] = {
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
