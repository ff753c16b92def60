"""Messages, channels and clicks of the simulated Discord, as visible to people."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from bot.pages.shuffle import HASH_MARKER

Json: TypeAlias = dict[str, Any]

V2 = 1 << 15
EPHEMERAL = 1 << 6

COMMANDS: list[Json] = [{"id": "71", "name": "games"}, {"id": "72", "name": "turn"}]
"""The commands that texts can mention: not all, so that they also name some in plain words."""

RESPONSE_TIMEOUT_S = 3.0
"""Seconds for which Discord waits for the response to a click."""


class Refused(Exception):  # noqa: N818 - an answer
    """Discord refuses a request."""

    def __init__(self, status: int, code: int, message: str = "no", **more: Any) -> None:
        super().__init__(f"{status} {code}")
        self.status = status
        self.body: Json = {"code": code, "message": message, **more}


@dataclass(eq=False)
class Message:
    """A message as shown."""

    id: int
    channel: int
    flags: int
    content: str
    components: list[Json]
    files: dict[int, tuple[str, str]]
    """By attachment id: name and content."""
    pinged: frozenset[int]
    """The people that it notified."""
    edits: int = 0
    late: bool = False
    """Whether its content came from a bot that had been killed by then."""
    came_late: bool = False
    """Whether its sender had been killed or had given up by then, even if it was edited since."""
    match: str = ""
    """The match whose buttons it has, or had; for a message with a hash, the hash."""
    kind: str = ""
    """By its buttons, or those it had: ``table``, ``board``, ``panel``, ``offer``, ``question``, ``motion``,
    ``seat offer``, ``call`` (of the host), ``reminder`` or ``goodbye``; ``hash``; empty for a notice."""
    number: int = 0
    """Of a reminder: its identity."""

    def parts(self, components: list[Json] | None = None) -> Iterator[Json]:
        """Yield all components, nested ones too."""
        for item in self.components if components is None else components:
            yield item
            yield from self.parts(item.get("components", []))

    @property
    def custom_ids(self) -> list[str]:
        """Return the custom ids of all buttons and selects."""
        return [item["custom_id"] for item in self.parts() if "custom_id" in item]

    def text(self) -> str:
        """Return all its text."""
        return "\n".join(
            [self.content, *(str(item["content"]) for item in self.parts() if "content" in item)]
        )

    def alts(self) -> tuple[str, ...]:
        """Return the alt texts of its pictures."""
        pictures = (one for item in self.parts() for one in item.get("items", ()))
        return tuple(str(one.get("description") or "") for one in pictures)

    def shown(self) -> Json:
        """Return the visible content for comparison: see :func:`seen`."""
        return seen(self.content, self.components, dict(self.files.values()))


def seen(content: str, components: list[Json], files: Mapping[str, str]) -> Json:
    """Return the visible content of components and files, without ids for programs."""

    def clean(item: Any) -> Any:
        if isinstance(item, list):
            return [clean(one) for one in item]
        if not isinstance(item, dict):
            return item
        if "url" in item and "custom_id" not in item and "label" not in item:
            name = item["url"].partition("?")[0].rpartition("/")[2]
            return {"picture": name, "data": files.get(name, "missing")}
        # Discord fills in defaults: both forms mean the same.
        return {
            key: clean(one) for key, one in item.items() if key not in _UNSEEN and one not in (None, False)
        }

    return {"content": content, "components": clean(components)}


_UNSEEN = ("id", "flags", "required", "min_values", "max_values")


_BY_FIRST_BUTTON = {
    "join": "table", "rules": "table", "accept": "offer", "decline": "offer", "claim": "question",
    "log": "goodbye", "agree": "motion", "object": "motion", "take_seat": "seat offer", "start": "call",
}  # fmt: skip


def recognize(message: Message) -> None:
    """Set a message's kind by its first buttons, or by its hash."""
    if not message.custom_ids and any(item.get("id") == HASH_MARKER for item in message.components):
        texts = " ".join(str(item.get("content")) for item in message.parts())
        message.kind, message.match = "hash", texts.split("`")[1]
    for custom_id in message.custom_ids:
        _, match, *rest = custom_id.split(":")
        if rest == ["how"]:
            continue  # it names a game
        message.match = match
        if rest[0] == "mute":
            message.kind, message.number = "reminder", int(rest[1])
        elif len(rest) > 2:
            message.kind = "panel"
        elif rest == ["turn"]:
            message.kind = "board"
        elif message.kind == "":
            message.kind = _BY_FIRST_BUTTON.get(rest[0], "")


@dataclass(eq=False)
class Channel:
    """A channel, a thread, or a DM channel with a person."""

    id: int
    parent: int | None = None
    person: int | None = None
    archived: bool = False
    archived_after: int = 10_080
    """Minutes without messages before archiving."""
    messages: dict[int, Message] = field(default_factory=dict)


def nested(components: list[Json]) -> Iterator[Json]:
    """Yield all components, nested ones too."""
    for item in components:
        yield item
        yield from nested(item.get("components", []))


@dataclass(eq=False)
class Click:
    """An interaction: a pressed button."""

    id: int
    token: str
    message: Message
    at: float
    """The Unix time of the press."""
    event: Json = field(default_factory=dict)
    acknowledged: bool = False
    answered: bool = False
    answer: Message | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """Discord's response to a request."""

    status: int
    body: Any

    @property
    def code(self) -> int | None:
        """Return Discord's error code."""
        return self.body.get("code") if self.status >= 400 and isinstance(self.body, dict) else None

    @property
    def headers(self) -> dict[str, str]:
        """Return the headers that discord.py reads."""
        return {"content-type": "application/json", "Via": "1.1 simulated"}

    @property
    def reason(self) -> str:
        """Return the HTTP reason phrase."""
        return "simulated"

    async def text(self, encoding: str = "utf-8") -> str:
        """Return the body."""
        return json.dumps(self.body)
