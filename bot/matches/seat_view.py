"""What one seat sees and may say at one moment: all of it is a function of the seat's view."""

from __future__ import annotations

import base64
import hashlib
import hmac
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from bot.matches.match_log import MatchLog
from engines.core.canonical_json import canonical
from engines.core.contract import ActionError, Menu, Msg, Seat, SeatName, Words
from engines.core.match import AnyGame
from engines.core.rng import Rng, Stream

DECISION_BYTES = 5
"""Bytes of a decision id: eight characters of base 32."""

MOST_FOLDED = 16
"""Folded drafts that a seat's view remembers: what is shown, what is tried next, and the way back."""


@dataclass(frozen=True)
class FoldedDraft:
    """A draft as its game reads it. It is folded once, and travels to whoever needs a part of it."""

    words: Words = field(repr=False)
    """The draft in the game's normal form."""
    menu: Menu | None = field(repr=False)
    """What may follow; ``None``: nothing is asked of the seat and nothing is open to it."""
    aside: bool
    """Whether it begins a sentence that is open to the seat at any time."""
    seat_view: SeatView = field(repr=False)

    @cached_property
    def view(self) -> Any:
        """Return the seat's view with the draft tried out on it."""
        if not self.words:
            return self.seat_view.view
        return self.seat_view.game.preview(self.seat_view.view, self.words)


class SeatView:
    """One seat of a match at one moment. What is worked out is kept: the next moment has a new one."""

    def __init__(self, log: MatchLog, seat: Seat) -> None:
        self.log = log
        self._folded: dict[Words, FoldedDraft] = {}
        self.game: AnyGame = log.match.game
        self.seat = seat

    @cached_property
    def view(self) -> Any:
        """Return the seat's view."""
        return self.log.match.view(self.seat)

    @cached_property
    def root(self) -> Menu | None:
        """Return what the seat may begin with."""
        return self.game.menu(self.view)

    @cached_property
    def waiting(self) -> tuple[Seat, ...]:
        """Return the seats that must decide, as far as this one can tell."""
        return tuple(sorted(self.game.waiting(self.view)))

    @cached_property
    def decision(self) -> str:
        """Return the id of what the seat decides: see ``docs/adr/0003-decision-ids.md``."""
        # Keyed, or whoever saw an id could find the menu by trying all that are possible.
        key = Rng(self.log.match.seed).secret("decision")
        question = {
            "seat": self.seat,
            "said": self.log.sentences(self.seat),
            "menu": None if self.root is None else _menu_json(self.root),
        }
        digest = hmac.digest(key, canonical(question).encode(), hashlib.sha256)
        return base64.b32encode(digest[:DECISION_BYTES]).decode().lower()

    def chance(self, field_key: str, number: int) -> Stream:
        """Return randomness to suggest something with: the same while the seat decides the same.

        It comes from the match's seed, under a key of its own, so nobody foresees it before the end.
        """
        seed = Rng(self.log.match.seed)
        return seed.child("suggestion").stream(self.decision, field_key, number)

    def menu(self, words: Words) -> Menu | None:
        """Return what may follow ``words``; raises ``ActionError``. Nothing is kept of it."""
        return self.game.menu(self.view, words) if words else self.root

    def fold(self, words: Words) -> FoldedDraft:
        """Return ``words`` folded, and keep them so; raises ``ActionError`` where they begin no sentence."""
        found = self._folded.get(words)
        if found is None:
            menu = self.menu(words)
            normal = () if menu is None else menu.draft
            found = FoldedDraft(normal, menu, self.is_aside(normal), self)
            # Somebody who tries word after word must not fill the memory.
            if len(self._folded) >= MOST_FOLDED:
                self._folded.clear()
            self._folded[words] = self._folded[normal] = found
        return found

    def longest_valid(self, words: Words) -> FoldedDraft:
        """Return the longest beginning of ``words`` that the seat may still say, folded."""
        for length in range(len(words), 0, -1):
            try:
                folded = self.fold(words[:length])
            except ActionError:
                continue
            if folded.menu is not None:
                return folded
        return self.fold(())

    def is_aside(self, words: Words) -> bool:
        """Return whether ``words`` begin a sentence that is open to the seat at any time."""
        choice = self.root.find(words[0]) if words and self.root is not None else None
        return choice is not None and choice.aside


def _menu_json(menu: Menu) -> dict[str, Any]:
    return {
        "key": menu.key,
        "prompt": _text_json(menu.prompt),
        "fields": [
            {
                "key": part.key,
                "words": [[choice.word, choice.aside, choice.reveals] for choice in part.choices],
                "shuffle": list(part.shuffle),
            }
            for part in menu.fields
        ],
    }


def _text_json(text: Msg) -> list[Any]:
    def plain(value: str | int | SeatName | Msg) -> Any:
        if isinstance(value, Msg):
            return _text_json(value)
        return {"seat": value.seat} if isinstance(value, SeatName) else value

    return [text.key, [[name, plain(value)] for name, value in text.args]]
