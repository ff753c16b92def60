"""Reads the journal of a sandbox line by line: presses, responses and messages.

``sandbox/README.md`` lists the lines. None of the sandbox's code is used: the journal is data.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tests.kit.witness.transcript import FOR_EVER, PersonId, Span

Json: TypeAlias = Mapping[str, Any]

COMMAND, COMPONENT, COMPLETION, MODAL = 2, 3, 4, 5
"""Kinds of interactions, as Discord numbers them."""

_LATER = (5, 6)
"""Types of responses that only acknowledge: the message's content is older."""

SETTLED = "settled"
"""The mark of a moment at which the bot was idle."""

SERVER_ERROR = 500

NEXT_TRY_S = 10.0
"""Seconds within which a failed request is retried."""

_BY_FIRST_BUTTON = {
    "join": "table", "rules": "table", "accept": "offer", "decline": "offer", "claim": "question",
    "log": "goodbye", "agree": "motion", "object": "motion", "take_seat": "seat offer", "start": "call",
}  # fmt: skip

_LOOKED_AT = ("board", "panel")


@dataclass(frozen=True, slots=True)
class Standing:
    """A message's state at some moment."""

    id: int
    channel: int
    direct: PersonId | None
    """The recipient, of a direct message."""
    own: bool
    """Whether the bot is the author."""
    private: bool
    """Whether it is ephemeral."""
    text: str
    custom_ids: tuple[str, ...]
    alts: tuple[str, ...]
    posted_at: float
    changed_at: float
    late: bool
    """Whether it arrived, or was changed, while no bot was connected."""
    match: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """A response to an interaction: the message that it created or changed."""

    at: float
    text: str
    match: str = ""
    """Whose buttons the message has, or had."""


@dataclass(slots=True)
class Asked:
    """A person's action: an interaction and its responses."""

    id: int
    at: float
    person: PersonId
    kind: int
    channel: int
    command: str
    data: Json = field(repr=False)
    message: int | None
    answers: list[Answer] = field(default_factory=list)

    @property
    def custom_id(self) -> str:
        """Return the custom id; empty for a command."""
        return str(self.data.get("custom_id", ""))


@dataclass(frozen=True, slots=True)
class Told:
    """A new message, and the people that it notified."""

    message: Standing
    people: frozenset[PersonId]


@dataclass(frozen=True, slots=True)
class Look:
    """The boards and panels at a moment at which the bot was idle."""

    at: float
    messages: tuple[Standing, ...]


@dataclass(slots=True)
class Journal:
    """Everything that a sandbox has seen of a run."""

    bot: int = 0
    begun_at: float = FOR_EVER
    """When the bot was first connected; infinity: never."""
    ended_at: float = 0.0
    """When the bot was last connected."""
    shards: int = 1
    names: dict[PersonId, str] = field(default_factory=dict)
    asked: dict[int, Asked] = field(default_factory=dict)
    told: list[Told] = field(default_factory=list)
    looks: list[Look] = field(default_factory=list)
    last: Look = field(default_factory=lambda: Look(0.0, ()))
    """The messages at the end."""
    outages: list[Span] = field(default_factory=list)
    kills: list[float] = field(default_factory=list)
    leaps: list[Span] = field(default_factory=list)
    troubles: list[Span] = field(default_factory=list)
    errors: int = 0
    """Requests that met a server error."""
    is_one_time: bool = True
    """Whether the bot followed the sandbox's clock whenever that was moved."""
    absences: dict[PersonId, list[Span]] = field(default_factory=dict)
    closed_dms: set[PersonId] = field(default_factory=set)
    moderated: list[Standing] = field(default_factory=list)
    """Messages deleted by moderators."""
    moderated_threads: set[int] = field(default_factory=set)


def read_journal(lines: Iterable[str]) -> Journal:
    """Read the last run in a journal. A line that was cut off by a kill is left out."""
    reader = _Reader()
    for line in _parsed(lines):
        if line["t"] == "begun":
            reader = _Reader()
        reader.take(line)
    return reader.end()


def _parsed(lines: Iterable[str]) -> Iterator[Json]:
    for line in lines:
        try:
            yield json.loads(line)
        except ValueError:
            continue


class _Reader:
    """The state after each line."""

    def __init__(self) -> None:
        self.found = Journal()
        self._at = 0.0
        self._stands: dict[int, Standing] = {}
        self._looked_at: set[int] = set()
        self._gone: dict[int, tuple[float, int | None]] = {}
        """By shard: when it was disconnected, and the close code."""
        self._online: set[int] = set()
        self._lines = {
            "begun": self._begun,
            "interaction": self._interaction,
            "answer": self._answer,
            "message": self._message,
            "edit": self._message,
            "deletion": self._deletion,
            "clock": self._clock,
            "connected": self._connected,
            "disconnected": self._disconnected,
            "trouble": self._trouble,
            "member": self._member,
            "timeout": self._timeout,
            "dms": self._dms,
            "moderated": self._moderated,
            "mark": self._mark,
        }

    def take(self, line: Json) -> None:
        """Handle the next line; of unknown kinds, only the time counts."""
        self._at = float(line["at"])
        handle = self._lines.get(line["t"])
        if handle is not None:
            handle(line)

    def end(self) -> Journal:
        """Return the journal."""
        found = self.found
        found.ended_at = self._at if self._online else min((at for at, _ in self._gone.values()), default=0.0)
        found.last = self._look(found.ended_at)
        return found

    # --- the bot ------------------------------------------------------------------------------------

    def _begun(self, line: Json) -> None:
        self.found.bot = line["bot"]

    def _connected(self, line: Json) -> None:
        shard, found = line["shard"], self.found
        found.begun_at = min(found.begun_at, self._at)
        found.shards = max(found.shards, line["shards"])
        self._online.add(shard)
        since, code = self._gone.pop(shard, (None, None))
        if since is not None:
            found.outages.append((since, self._at))
            if code is None and not line["resumes"]:
                found.kills.append(since)

    def _disconnected(self, line: Json) -> None:
        self._online.discard(line["shard"])
        self._gone[line["shard"]] = (self._at, line["code"])

    def _clock(self, line: Json) -> None:
        self.found.leaps.append((self._at - line["seconds"], self._at))
        self.found.is_one_time &= line["told"]

    def _trouble(self, line: Json) -> None:
        self.found.troubles.append((line["begun"], self._at + NEXT_TRY_S))
        self.found.errors += line["status"] >= SERVER_ERROR

    def _mark(self, line: Json) -> None:
        if line["name"] == SETTLED:
            self.found.looks.append(self._look(self._at))

    def _look(self, at: float) -> Look:
        return Look(at, tuple(self._stands[each] for each in sorted(self._looked_at)))

    # --- people -------------------------------------------------------------------------------------

    def _interaction(self, line: Json) -> None:
        found = self.found
        found.names[line["person"]] = line["name"]
        found.asked[line["id"]] = Asked(
            line["id"], self._at, line["person"], line["kind"], line["channel"], line["command"] or "",
            line["data"], line["message"],
        )  # fmt: skip

    def _answer(self, line: Json) -> None:
        asked, message = self.found.asked.get(line["id"]), self._stands.get(line["message"] or 0)
        is_words = line["how"] != "delete" and not (line["how"] == "response" and line["type"] in _LATER)
        if asked is not None and message is not None and is_words:
            asked.answers.append(Answer(self._at, message.text, message.match))

    def _member(self, line: Json) -> None:
        spans = self.found.absences.setdefault(line["person"], [])
        if not line["there"]:
            spans.append((self._at, FOR_EVER))
        elif spans and spans[-1][1] == FOR_EVER:
            spans[-1] = (spans[-1][0], self._at)

    def _timeout(self, line: Json) -> None:
        self._member({**line, "there": True})
        if line["until"] is not None:
            self.found.absences[line["person"]].append((self._at, line["until"]))

    def _dms(self, line: Json) -> None:
        if not line["open"]:
            self.found.closed_dms.add(line["person"])

    # --- messages -----------------------------------------------------------------------------------

    def _message(self, line: Json) -> None:
        before = self._stands.get(line["id"])
        ids = tuple(str(item["custom_id"]) for item in _walk(line["components"]) if "custom_id" in item)
        match, kind = recognized(ids, before)
        message = Standing(
            id=line["id"],
            channel=line["channel"],
            direct=line["direct"],
            own=line["author"] == self.found.bot,
            private=line["only_for"] is not None,
            text=_text(line),
            custom_ids=ids,
            alts=tuple(each["alt"] or "" for each in line["files"]),
            posted_at=self._at if before is None else before.posted_at,
            changed_at=self._at,
            late=not self._online,
            match=match,
            kind=kind,
        )
        self._stands[message.id] = message
        if message.own and not message.private:
            if message.kind in _LOOKED_AT:
                self._looked_at.add(message.id)
            if "notified" in line:
                self.found.told.append(Told(message, frozenset(line["notified"])))

    def _deletion(self, line: Json) -> None:
        self._looked_at.discard(line["message"])
        self._stands.pop(line["message"], None)

    def _moderated(self, line: Json) -> None:
        message = self._stands.get(line.get("message", 0))
        if message is not None:
            self.found.moderated.append(message)
        channel = line.get("channel") or line.get("thread")
        if channel is not None:
            self.found.moderated_threads.add(channel)
        if "channel" in line:
            self._looked_at -= {each.id for each in self._stands.values() if each.channel == channel}


def recognized(custom_ids: Iterable[str], before: Standing | None) -> tuple[str, str]:
    """Return match and kind of a message by its present or former buttons."""
    match, kind = ("", "") if before is None else (before.match, before.kind)
    for custom_id in custom_ids:
        version, _, rest = custom_id.partition(":")
        name, *parts = rest.split(":")
        if version != "b1" or not parts or parts == ["how"] or name == "house":
            continue
        match = name
        if parts[0] == "mute":
            kind = "reminder"
        elif len(parts) > 2:
            kind = "panel"
        elif parts == ["turn"]:
            kind = "board"
        elif kind == "":
            kind = _BY_FIRST_BUTTON.get(parts[0], "")
    return match, kind


def _text(line: Json) -> str:
    texts = [str(item["content"]) for item in _walk(line["components"]) if "content" in item]
    return "\n".join([line["content"], *texts])


def _walk(components: Iterable[Json]) -> Iterator[Json]:
    """Yield all components, nested ones too."""
    for item in components:
        yield item
        yield from _walk(item.get("components", ()))
        if "accessory" in item:
            yield from _walk((item["accessory"],))
