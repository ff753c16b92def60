"""Embeds: lengths as in Discord's documentation, "Embed Limits"."""

from sandbox.model import Json
from sandbox.validation.forms import Form

MAX_EMBEDS, MAX_TEXT = 10, 6000
_TEXTS = (("title", 0, 256), ("description", 0, 4096), ("url", 0, 2048), ("timestamp", 1, 64))
_NAMED = (("author", "name", 256), ("footer", "text", 2048))


def read_embeds(form: Form) -> list[Json]:
    """Read a message's embeds: ten at most, 6000 characters in all."""
    made = [_read_embed(child) for child in form.children("embeds", 0, MAX_EMBEDS)]
    # What counts is what people read: addresses do not.
    texts = [embed.get(key) for embed in made for key in ("title", "description")]
    texts += [embed.get(key, {}).get(name) for embed in made for key, name, _ in _NAMED]
    texts += [each[key] for embed in made for each in embed.get("fields", []) for key in ("name", "value")]
    if sum(len(text) for text in texts if text) > MAX_TEXT:
        form.fail("embeds", "MAX_EMBED_SIZE_EXCEEDED", f"Embed size exceeds maximum size of {MAX_TEXT}")
    return made


def _read_embed(form: Form) -> Json:
    made: Json = {"type": "rich"}
    for key, low, high in _TEXTS:
        if value := form.text(key, low, high):
            made[key] = value
    if (color := form.integer("color", 0, 0xFFFFFF)) is not None:
        made["color"] = color
    for key, name, most in _NAMED:
        if (child := form.child(key)) is not None:
            made[key] = {name: child.required_text(name, 1, most)}
            made[key] |= {link: url for link in ("url", "icon_url") if (url := child.text(link, 1, 2048))}
    for key in ("image", "thumbnail"):
        if (child := form.child(key)) is not None:
            made[key] = {"url": child.required_text("url", 1, 2048)}
    if fields := _read_fields(form):
        made["fields"] = fields
    if len(made) == 1:
        form.fail(None, "BASE_TYPE_REQUIRED", "An embed needs something to show.")
    return made


def _read_fields(form: Form) -> list[Json]:
    return [
        {
            "name": child.required_text("name", 1, 256),
            "value": child.required_text("value", 1, 1024),
            "inline": child.flag("inline"),
        }
        for child in form.children("fields", 0, 25)
    ]
