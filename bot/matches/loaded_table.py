"""A table as it lies in memory: its row, its match, its drafts; and what one seat can do there."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from bot.domain.drafts import Draft, DraftRow
from bot.domain.people import Person, PersonId
from bot.domain.refusals import Refusal
from bot.domain.tables import Chair, Status, TableInfo, TableRow
from bot.matches.match_log import MatchLog
from engines.core.canonical_json import canonical
from engines.core.contract import ActionError, Menu, Msg, Seat, SeatName, Words, msg
from engines.core.rng import Rng, Stream

NOTHING = Draft()

TRAIL = 40
"""How many changes of a draft can be taken back."""

DECISION_BYTES = 5
"""Bytes of a decision id: eight characters of base 32."""


def no(key: str, **args: str | int) -> Refusal:
    """Return the refusal whose text is ``no.<key>`` in the house's catalogue."""
    return Refusal(msg(f"no.{key}", **args))


class SeatView:
    """What one seat sees and may say: all of it follows from the seat's view."""

    def __init__(self, chronicle: MatchLog, seat: Seat) -> None:
        self._chronicle = chronicle
        self.game = chronicle.match.game
        self.seat = seat

    @cached_property
    def view(self) -> Any:
        """Return the seat's view."""
        return self._chronicle.match.view(self.seat)

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
        key = Rng(self._chronicle.match.seed).secret("decision")
        question = {
            "seat": self.seat,
            "said": self._chronicle.sentences(self.seat),
            "menu": None if self.root is None else _plain_menu(self.root),
        }
        digest = hmac.digest(key, canonical(question).encode(), hashlib.sha256)
        return base64.b32encode(digest[:DECISION_BYTES]).decode().lower()

    def chance(self, field: str, number: int) -> Stream:
        """Return randomness to suggest something with: the same while the seat decides the same.

        It comes from the match's seed, under a key of its own, so nobody foresees it before the end.
        """
        seed = Rng(self._chronicle.match.seed)
        return seed.child("suggestion").stream(self.decision, field, number)

    def menu(self, words: Words) -> Menu | None:
        """Return what may follow ``words``; raises ``ActionError``."""
        return self.game.menu(self.view, words) if words else self.root

    def is_aside(self, words: Words) -> bool:
        """Return whether a draft begins a sentence that is open to the seat at any time."""
        choice = self.root.find(words[0]) if words and self.root is not None else None
        return choice is not None and choice.aside

    def fit(self, words: Words) -> Words:
        """Return the longest beginning of ``words`` that the seat may still say, in normal form."""
        for length in range(len(words), 0, -1):
            try:
                menu = self.menu(words[:length])
            except ActionError:
                continue
            if menu is not None:
                return menu.draft
        return ()


@dataclass(frozen=True, slots=True)
class Drafts:
    """The two drafts of a seat: its own, and the one for asides, which is shown while it has words."""

    main: Draft = NOTHING
    aside: Draft = NOTHING

    @property
    def shown(self) -> Draft:
        """Return the draft that the panel shows."""
        return self.aside if self.aside.words else self.main

    @property
    def revision(self) -> int:
        """Return the one number that grows with every change of either."""
        return max(self.main.revision, self.aside.revision)

    @property
    def cut(self) -> int:
        """Return how many words fell away when the match moved on."""
        return max(self.main.cut, self.aside.cut)

    def put(self, words: Words, *, aside: bool, trail: tuple[Words, ...] | None = None) -> Drafts:
        """Return the drafts with new words in one of them; the other one's cut is taken as read.

        Words in the seat's own draft put the aside away, so that what was put is what is shown.
        ``trail`` ``None``: it goes on with what the draft was.
        """
        if trail is None:
            old = self.aside if aside else self.main
            trail = (*old.trail, old.words)[-TRAIL:]
        new = Draft(words, self.revision + 1, trail=trail)
        if aside:
            return Drafts(replace(self.main, cut=0), new)
        return Drafts(new, Draft((), self.aside.revision))

    def said(self, *, aside: bool) -> Drafts:
        """Return the drafts after a sentence was committed: it leaves the draft that it came from."""
        revision = self.revision + 1
        if aside:
            return replace(self, aside=Draft((), revision))
        return replace(self, main=Draft((), revision))

    def fitted(self, desk: SeatView) -> Drafts:
        """Return the drafts as far as they may still be said."""
        main = self._fit(self.main, desk)
        aside = self._fit(self.aside, desk)
        return self if main is self.main and aside is self.aside else Drafts(main, aside)

    def _fit(self, draft: Draft, desk: SeatView) -> Draft:
        words = desk.fit(draft.words)
        if words == draft.words:
            return draft
        return Draft(words, self.revision + 1, max(0, len(draft.words) - len(words)))

    def rows(self, seat: Seat) -> tuple[DraftRow, DraftRow]:
        """Return the drafts as they are stored."""
        return DraftRow(seat, aside=False, draft=self.main), DraftRow(seat, aside=True, draft=self.aside)


@dataclass(frozen=True, slots=True, repr=False)
class LoadedTable:
    """A table in memory, equal to what is committed. Never changed in place."""

    row: TableRow
    chronicle: MatchLog | None = None
    """``None`` before the match begins, and where it cannot be replayed."""
    drafts: Mapping[Seat, Drafts] = field(default_factory=dict)
    desks: dict[Seat, SeatView] = field(default_factory=dict, compare=False)

    def __repr__(self) -> str:
        return f"<LoadedTable {self.info.id}>"

    @property
    def info(self) -> TableInfo:
        """Return what everybody may know."""
        return self.row.info

    @property
    def id(self) -> str:
        """Return the table's id."""
        return self.row.info.id

    @property
    def rows(self) -> int:
        """Return how many rows its log has: what it costs to keep."""
        return 0 if self.chronicle is None else len(self.chronicle.rows)

    @property
    def play(self) -> MatchLog:
        """Return the match; raises ``Refusal`` where there is none to look at."""
        if self.chronicle is not None:
            return self.chronicle
        status = self.info.status
        if status is Status.OPEN:
            raise no("not_started")
        raise no("closed") if status is Status.CLOSED else no("frozen")

    def running(self) -> MatchLog:
        """Return the match; raises ``Refusal`` unless it is on."""
        chronicle = self.play
        if self.info.status is not Status.RUNNING:
            raise no("over")
        return chronicle

    def desk(self, seat: Seat) -> SeatView:
        """Return what a seat sees and may say."""
        if seat not in self.desks:
            self.desks[seat] = SeatView(self.play, seat)
        return self.desks[seat]

    def drafts_of(self, seat: Seat) -> Drafts:
        """Return a seat's drafts."""
        return self.drafts.get(seat, Drafts())

    def with_drafts(self, seat: Seat, drafts: Drafts) -> LoadedTable:
        """Return the table with one seat's drafts changed."""
        return replace(self, drafts={**self.drafts, seat: drafts})

    def with_info(self, **changes: Any) -> LoadedTable:
        """Return the table with what everybody may know changed."""
        return replace(self, row=replace(self.row, info=replace(self.info, **changes)))

    def chair_of(self, person: PersonId) -> Chair | None:
        """Return a person's chair, before the match too."""
        return next((c for c in self.info.chairs if c.person is not None and c.person.id == person), None)

    def seat_of(self, person: PersonId) -> Seat:
        """Return a person's seat; raises ``Refusal``."""
        self.play  # noqa: B018 - raises where there are no seats yet
        seat = self.info.seat_of(person)
        if seat is None:
            raise no("not_seated")
        return seat

    def people(self) -> tuple[Person, ...]:
        """Return the persons at the table, in the order of their chairs."""
        return tuple(chair.person for chair in self.info.chairs if chair.person is not None)

    def playing(self) -> tuple[Chair, ...]:
        """Return the chairs whose seats are still in the match, by seat."""
        chairs = (self.info.chair_at(seat) for seat in range(len(self.info.chairs)))
        return tuple(chair for chair in chairs if not chair.withdrawn)


def _plain_menu(menu: Menu) -> dict[str, Any]:
    """Return what makes a menu this question and no other, as JSON data."""
    return {
        "key": menu.key,
        "prompt": _plain_text(menu.prompt),
        "fields": [
            {
                "key": part.key,
                "words": [[choice.word, choice.aside, choice.reveals] for choice in part.choices],
                "shuffle": list(part.shuffle),
            }
            for part in menu.fields
        ],
    }


def _plain_text(text: Msg) -> list[Any]:
    return [text.key, [[name, _plain_argument(value)] for name, value in text.args]]


def _plain_argument(value: str | int | SeatName | Msg) -> Any:
    if isinstance(value, Msg):
        return _plain_text(value)
    return {"seat": value.seat} if isinstance(value, SeatName) else value
