"""What panels say in a game's own words, held against its catalogue: drafts and receipts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import permutations
from typing import Any

from engines.core.contract import ActionError, Event, Field, Menu, Msg, Seat, Words, facts_for
from engines.core.match import AnyGame
from engines.core.texts import drafted, load, story
from tests.kit.witness.reading import bare, read, says

DRAFT, RECEIPT = "✏️", "✅"
"""The signs before a line that tells a draft, and before the line that confirms an act."""

_NAME = "\u2068\u2069"
"""What stands for the name of a player, which may be any."""

_DONE = frozenset(("panel.done",))
"""The first line of a receipt that cannot begin with its story."""

_SHUFFLED = 5
"""The most parts of a word that is drawn for which all orders are tried."""

_DRAFTS = 2_000
"""The most drafts that are tried."""

_SENTENCES = 3
"""The most sentences that a receipt tells."""


def tells(line: str, rules: AnyGame, message: Msg) -> bool:
    """Return whether a line is this text of a game, whatever its players are called."""
    text = load(f"engines.{rules.manifest.key}").render(message, lambda _: _NAME)
    return _pattern(bare(text)).fullmatch(bare(line)) is not None


@lru_cache(maxsize=4_096)
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(".+?".join(map(re.escape, text.split(_NAME))))


# --- drafts -----------------------------------------------------------------------------------------------


def draft_lines(text: str, key: str) -> tuple[str, ...]:
    """Return the lines of a panel that depend on its draft: the draft itself, and what is asked after it."""
    texts = load(f"engines.{key}").languages["en"]
    prompts = [each for name, each in texts.items() if name.partition(".")[0] == "prompt"]
    return tuple(
        bare(line)
        for line in text.split("\n")
        if line.startswith(DRAFT) or (line.startswith("**") and any(says(line, each) for each in prompts))
    )


def drafts_in(text: str, rules: AnyGame, view: Any) -> Iterator[Words]:
    """Yield the drafts of a view's seat that a panel may show: it tells them, and asks what follows."""
    lines = text.split("\n")
    found, tried = [Words()], set[Words]()
    while found and len(tried) < _DRAFTS:
        draft = found.pop(0)
        with suppress(ActionError):
            menu = rules.menu(view, draft)
            if menu is None or menu.draft in tried:
                continue
            tried.add(menu.draft)
            if _shows(lines, rules, view, menu):
                yield menu.draft
            found += [(*menu.draft, word) for part in menu.fields for word in _words(part)]


def _words(part: Field) -> Iterator[str]:
    yield from (choice.word for choice in part.choices)
    if part.shuffle and not part.take and len(part.shuffle) <= _SHUFFLED:
        yield from map("".join, permutations(part.shuffle))


def _shows(lines: Sequence[str], rules: AnyGame, view: Any, menu: Menu) -> bool:
    wanted = drafted(rules, rules.preview(view, menu.draft)) if menu.closing else ()
    told = [line for line in lines if line.startswith(DRAFT)]
    return (
        len(told) == len(wanted)
        and all(tells(line, rules, each) for line, each in zip(told, wanted, strict=True))
        and any(tells(line, rules, menu.prompt) for line in lines)
    )


# --- receipts ---------------------------------------------------------------------------------------------


def receipt_in(text: str) -> tuple[str, ...]:
    """Return the lines of a panel from the one on that confirms an act; empty: it confirms none."""
    lines = text.split("\n")
    places = (place for place, line in enumerate(lines) if line.startswith(RECEIPT))
    return tuple(lines[next(places, len(lines)) :])


def confirms(lines: Sequence[str], rules: AnyGame, events: Sequence[Event], seat: Seat) -> bool:
    """Return whether a receipt tells what came of a seat's act, but for what this seat alone learned.

    That is told above it until the seat's next act. Of many sentences, only the last ones are told.
    """
    public, learned = facts_for(events, None), facts_for(events, seat)
    shared = tuple(each for each in learned if each in public)
    return any(_begins(lines, rules, story(rules, facts)) for facts in (shared, learned))


def _begins(lines: Sequence[str], rules: AnyGame, wanted: Sequence[Msg]) -> bool:
    if not wanted:
        return read(lines[0], _DONE) is not None
    if len(wanted) > _SENTENCES:  # it says that they are some of many
        return read(lines[0], _DONE) is not None and _begins(lines[2:], rules, wanted[-_SENTENCES:])
    shown = lines[: len(wanted)]
    return len(shown) == len(wanted) and all(
        tells(line, rules, each) for line, each in zip(shown, wanted, strict=True)
    )
