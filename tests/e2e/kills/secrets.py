"""Whether anybody received what only somebody else may know."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import groupby

from bot.domain.match import LogRow, RowKind
from bot.matches.match_log import MatchLog
from bot.pages.custom_ids import PanelId, parse
from bot.pages.texts import TableTexts, Texts
from engines.core.contract import Fact, Viewer
from engines.core.registry import game
from sandbox.model import Json
from sandbox.user_sockets import Received
from tests.e2e.kills.books import Books, Chronicles
from tests.e2e.kills.people import Guest, Record
from tests.e2e.stage import EPHEMERAL, components_of
from tests.kit import components

HOUSE = Texts()
SHORT = 12
"""Characters of the shortest sentence that is looked for: two people may well say the same shorter one."""


FRAME = re.compile(r"^\*\*[^*]+\*\* · |\.$")
"""Whose turn it was, and what ends a sentence."""

EXAMPLE = re.compile(re.escape(HOUSE.house("panel.type_example", example="")) + '[^"]*')
"""What a modal shows as an example: it follows from its reader's view, and others may well say it."""

TOKEN = re.compile(r'"\d{15,20}"|https?://[^"?\s\\]+|b1:[a-z2-7]+:[a-z2-7]+:\d')
"""Ids of messages, addresses of pictures, and what a panel's custom ids begin with."""


@dataclass(frozen=True, slots=True)
class Canary:
    """A text that one person alone may receive, until ``until`` (Unix time).

    ``until`` ``None``: for ever; the text is a token then, which stands alone wherever it stands.
    """

    owner: int
    text: str
    until: float | None
    what: str


def canaries(books: Books, chronicles: Chronicles, guests: Sequence[Guest]) -> list[Canary]:
    """Return all that is one person's own: private messages, pictures, decisions, facts, sentences."""
    found = [canary for guest in guests for canary in _of_window(guest)]
    for match, row in books.tables.items():
        if row.seed is not None:
            found += _of_match(books, match, chronicles.of(books, match))
    return list(dict.fromkeys(found))


def _of_window(guest: Guest) -> Iterator[Canary]:
    for event in guest.window.received:
        if not event.t.startswith("MESSAGE_") or "flags" not in event.d or not _is_private(guest, event.d):
            continue
        yield Canary(guest.id, f'"{event.d["id"]}"', None, "a private message")
        for file in components.files(event.d):
            yield Canary(guest.id, file["url"].partition("?")[0], None, "a private picture")
        for place in (parse(item["custom_id"]) for item in components_of(event.d)):
            if isinstance(place, PanelId):
                yield Canary(
                    guest.id,
                    f"b1:{place.match}:{place.decision}:{str(place.revision)[0]}",
                    None,
                    "a decision's id",
                )


def _is_private(guest: Guest, message: Json) -> bool:
    channel = guest.window.channels.get(message["channel_id"], {})
    return bool(message["flags"] & EPHEMERAL) or channel.get("type") == 1


def _of_match(books: Books, match: str, chronicle: MatchLog) -> Iterator[Canary]:
    """Yield what one seat has learned or said and no other could know."""
    table = books.tables[match]
    people = [(chair.person.id, chair.seat) for chair in table.info.chairs if chair.person is not None]

    texts = TableTexts(HOUSE, table.info)

    def lines(seat: int | None) -> set[str]:
        """Return what a seat was told, as the log has it and as news have it, each act by itself."""
        batches = groupby(chronicle.told(seat), key=lambda item: item[1].batch)
        acts = [[told for _, told in some] for _, some in batches]
        log = (line for act in acts for line in texts.narration(told.fact for told in act))
        return {*log, *(_alone(line) for act in acts for line in texts.retold(told.fact for told in act))}

    until = table.ended_at if table.ended_at is not None else float("inf")
    public = printed(table.info.game)
    written = game(table.info.game).write
    for person, seat in people:
        others = set().union(lines(None), *(lines(other) for _, other in people if other != seat))
        for line in lines(seat) - others:
            yield Canary(person, _as_json(line), until, "a private fact")
        acts = [each for each in chronicle.rows if each.kind is RowKind.ACT and each.seat == seat]
        for row in acts:
            text, alone = (
                written(row.words),
                set(_facts(chronicle, row, seat)) - set(_facts(chronicle, row, None)),
            )
            if alone and len(text) >= SHORT and not any(text in line for line in (public, *others)):
                yield Canary(person, _as_json(text), until, "a secret sentence")


def _alone(line: str) -> str:
    """Return a sentence of the news as it stands in one that tells more of the same turn."""
    return FRAME.sub("", line)


def printed(key: str) -> str:
    """Return a game's rules and texts: an example in them may be what somebody says."""
    package = files(f"engines.{key}")
    return (package / "RULES.md").read_text("utf-8") + (package / "locale" / "en.json").read_text("utf-8")


def without_examples(text: str) -> str:
    """Return what was received, as JSON, without the examples of *Type…*."""
    return EXAMPLE.sub("", text)


def _facts(chronicle: MatchLog, row: LogRow, viewer: Viewer) -> Iterator[Fact]:
    return (told.fact for told in chronicle.told_by(row, viewer))


def _as_json(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


def shown(birds: Sequence[Canary], received: dict[int, list[Received]], record: Record) -> list[str]:
    """Return what of it somebody else received; ``received`` is by person, the public's too."""
    said: dict[int, set[str]] = {}
    for saying in record.sayings:
        said.setdefault(saying.person, set()).add(_as_json(saying.text))
    looks = {person: Look(entries, said.get(person, set())) for person, entries in received.items()}
    # Two people may learn the same of themselves, each in another match.
    own = {(bird.owner, bird.text) for bird in birds}
    return [
        f"{bird.what} of {bird.owner} was shown to {person}: {bird.text}"
        for bird in birds
        for person, look in looks.items()
        if (person, bird.text) not in own and look.has(bird)
    ]


class Look:
    """All that one person received, to search in."""

    def __init__(self, entries: Iterable[Received], said: set[str]) -> None:
        whole = ((each.at, json.dumps(each.d, ensure_ascii=False)) for each in entries)
        self._texts = [(at, without_examples(text)) for at, text in whole]
        self._tokens = {token for _, text in self._texts for token in TOKEN.findall(text)}
        self._whole = "\n".join(text for _, text in self._texts)
        self._said = said

    def has(self, bird: Canary) -> bool:
        """Return whether the text came before it was free; what the person said too tells nothing."""
        if bird.until is None:
            return bird.text in self._tokens
        if bird.text in self._said or bird.text not in self._whole:
            return False
        return any(at < bird.until and bird.text in text for at, text in self._texts)
