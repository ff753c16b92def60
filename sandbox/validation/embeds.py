"""Embeds: lengths as in Discord's documentation, "Embed Limits"."""

from sandbox.model import Json
from sandbox.validation.forms import Form

MAX_EMBEDS, MAX_TEXT = 10, 6000


def read_embeds(form: Form) -> list[Json]:
    """Read a message's embeds: ten at most, 6000 characters in all."""
    total = 0
    made: list[Json] = []
    for child in form.children("embeds", 0, MAX_EMBEDS):
        embed, length = _embed(child)
        total += length
        made.append(embed)
    if total > MAX_TEXT:
        form.fail("embeds", "MAX_EMBED_SIZE_EXCEEDED", f"Embed size exceeds maximum size of {MAX_TEXT}")
    return made


def _embed(form: Form) -> tuple[Json, int]:
    made: Json = {"type": "rich"}
    length = _texts(form, made)
    color = form.integer("color", 0, 0xFFFFFF)
    if color is not None:
        made["color"] = color
    if timestamp := form.text("timestamp", 1, 64):
        made["timestamp"] = timestamp
    for key, name, limit in (("author", "name", 256), ("footer", "text", 2048)):
        child = form.child(key)
        if child is not None:
            made[key] = _signed(child, name, limit)
            length += len(made[key][name])
    for key in ("image", "thumbnail"):
        child = form.child(key)
        if child is not None:
            made[key] = {"url": child.text("url", 1, 2048, required=True) or ""}
    fields = _fields(form)
    if fields:
        made["fields"] = fields
        length += sum(len(field["name"]) + len(field["value"]) for field in fields)
    if len(made) == 1:
        form.fail(None, "BASE_TYPE_REQUIRED", "An embed needs something to show.")
    return made, length


def _fields(form: Form) -> list[Json]:
    return [
        {
            "name": child.text("name", 1, 256, required=True) or "",
            "value": child.text("value", 1, 1024, required=True) or "",
            "inline": bool(child.boolean("inline")),
        }
        for child in form.children("fields", 0, 25)
    ]


def _signed(form: Form, name: str, limit: int) -> Json:
    text = form.text(name, 1, limit, required=True) or ""
    return {name: text} | {key: link for key in ("url", "icon_url") if (link := form.text(key, 1, 2048))}


def _texts(form: Form, made: Json) -> int:
    length = 0
    for key, limit in (("title", 256), ("description", 4096), ("url", 2048)):
        value = form.text(key, 0, limit)
        if value:
            made[key] = value
            length += 0 if key == "url" else len(value)
    return length
