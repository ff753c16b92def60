"""Finds buttons, selects, texts and pictures in messages and modals: in legacy rows and in V2 trees alike."""

from __future__ import annotations

from urllib.parse import unquote

from sandbox.model import Json
from sandbox.validation.components import BUTTON, SELECTS, walk


def buttons(message: Json) -> list[Json]:
    """Return a message's buttons, links included."""
    return [item for item in walk(message["components"]) if item["type"] == BUTTON]


def selects(message: Json) -> list[Json]:
    """Return a message's select menus."""
    return [item for item in walk(message["components"]) if item["type"] in SELECTS]


def button(message: Json, wanted: str) -> Json:
    """Return the button with a custom_id, a label, or a label that contains the text. LookupError."""
    return _pick(buttons(message), wanted, "label", "button")


def select(message: Json, wanted: str) -> Json:
    """Return the select with a custom_id, else with (or containing) a placeholder. LookupError."""
    return _pick(selects(message), wanted, "placeholder", "select")


def _pick(items: list[Json], wanted: str, shown: str, what: str) -> Json:
    tests = (
        lambda item: item.get("custom_id") == wanted,
        lambda item: item.get(shown) == wanted,
        lambda item: wanted.casefold() in str(item.get(shown, "")).casefold(),
    )
    for test in tests:
        found = [item for item in items if test(item)]
        if found:
            return found[0]
    offered = [item.get(shown) or item.get("custom_id") for item in items]
    msg = f"there is no {what} {wanted!r} among {offered}"
    raise LookupError(msg)


def field(modal: Json, wanted: str) -> Json:
    """Return a modal's field with a custom_id or a label. LookupError."""
    for item in modal["components"]:
        found = item.get("component") or next(iter(item.get("components", [])), None)
        if found is not None and wanted in (found["custom_id"], found.get("label"), item.get("label")):
            return dict(found)
    msg = f"the modal has no field {wanted!r}"
    raise LookupError(msg)


def option_values(menu: Json, wanted: list[str]) -> list[str]:
    """Return the values of a select's options named by value or by label; unknown ones unchanged."""
    by_label = {option["label"]: option["value"] for option in reversed(menu.get("options", []))}
    values = {option["value"] for option in menu.get("options", [])}
    return [text if text in values else by_label.get(text, text) for text in wanted]


def text_of(message: Json) -> str:
    """Return all text of a message, including labels, placeholders, options and alt texts."""
    parts = [message.get("content", "")]
    for embed in message.get("embeds", []):
        parts += [embed.get("title", ""), embed.get("description", "")]
        parts += [f"{field['name']}\n{field['value']}" for field in embed.get("fields", [])]
        parts.append(embed.get("footer", {}).get("text", ""))
    for item in walk(message.get("components")):
        parts += [item.get("content", ""), item.get("label", ""), item.get("placeholder", "")]
        parts += [option["label"] for option in item.get("options", [])]
    parts += [picture["description"] or "" for picture in pictures(message)]
    return "\n".join(part for part in parts if part)


def pictures(message: Json) -> list[Json]:
    """Return the pictures that a message shows: `{"url", "description", "filename"}`, in reading order.

    In a legacy message these are attachments and images of embeds; in a V2 message, galleries and thumbnails.
    """
    if not message.get("flags", 0) & (1 << 15):
        shown = [_picture(file["url"], file.get("description")) for file in message.get("attachments", [])]
        for embed in message.get("embeds", []):
            shown += [_picture(embed[key]["url"], None) for key in ("image", "thumbnail") if key in embed]
        return shown
    return [
        _picture(entry["media"]["url"], entry.get("description"))
        for item in walk(message["components"])
        for entry in ([item] if "media" in item else item.get("items", []))
    ]


def files(message: Json) -> list[Json]:
    """Return all files of a message: `{"url", "filename"}`, those that components show first.

    In a V2 message, `attachments` lists only files that no component refers to.
    """
    shown = [item["file"]["url"] for item in walk(message.get("components")) if "file" in item]
    found = [{"url": url, "filename": _name(url)} for url in shown]
    if message.get("flags", 0) & (1 << 15):
        found = pictures(message) + found
    return found + [dict(file) for file in message.get("attachments", [])]


def _picture(url: str, description: str | None) -> Json:
    return {"url": url, "description": description, "filename": _name(url)}


def _name(url: str) -> str:
    """Return the file name in an address."""
    return unquote(url.partition("?")[0].rpartition("/")[2])
