"""The state of a match, which never leaves the engine; and each viewer's view, built field by field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engines.core.base import fields_of
from engines.core.contract import Fact, Seat, Viewer, Words
from engines.volt.arena import arena
from engines.volt.modules import deck_of, in_order
from engines.volt.notation import program_of
from engines.volt.view import (
    DECKS,
    CardView,
    ModulesView,
    Phase,
    ProgramView,
    Public,
    Space,
    View,
    facts_data,
    program_data,
    public_data,
)

Deck = tuple[str, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Own:
    """A seat's part: its modules, what it has said in this phase, and its whole last program."""

    active: Deck = ()
    spare: Deck = ()
    answer: Words = ()
    program: ProgramView | None = None

    @property
    def names(self) -> frozenset[str]:
        """Return all modules that the seat owns."""
        return frozenset(self.active + self.spare)


@dataclass(frozen=True, slots=True, repr=False)
class State:
    """A match: the public part, each seat's, and the decks in the order of :data:`DECKS`, top first."""

    public: Public
    own: tuple[Own, ...]
    decks: tuple[Deck, Deck, Deck]


def look(state: State, viewer: Viewer) -> View:
    """Return all that ``viewer`` knows of ``state``."""
    public = state.public
    own = None if viewer is None else state.own[viewer]
    red, blue, yellow = (len(cards) for cards in state.decks)
    # A committed program is known to its own seat alone until the reveal.
    committed = own is not None and public.phase is Phase.PROGRAM and bool(own.answer)
    return View(
        **fields_of(Public, public),
        viewer=viewer,
        modules=tuple(_modules(public, seat, state.own[seat], viewer) for seat in public.seats),
        decks=(red, blue, yellow),
        own=program_of(own.answer) if own is not None and committed else None,
        answer=() if own is None else own.answer,
        choices=() if viewer is None else _choices(public, viewer),
        last=None if own is None else own.program,
    )


def _modules(public: Public, seat: Seat, own: Own, viewer: Viewer) -> ModulesView:
    face_up = public.face_up[seat]
    known = viewer == seat or public.phase is Phase.OVER
    down = in_order(frozenset(own.active) - frozenset(face_up))
    active = [CardView(deck_of(name), name, face_up=True) for name in face_up]
    active += _cards(down, known=known)
    return ModulesView(
        active=tuple(sorted(active, key=lambda c: (DECKS.index(c.deck), not c.face_up, c.name or ""))),
        spare=tuple(_cards(own.spare, known=known)),
    )


def _cards(names: tuple[str, ...], *, known: bool) -> list[CardView]:
    if known:
        return [CardView(deck_of(name), name, face_up=False) for name in names]
    # Backs go by deck, never in the order of the names: that would tell something of them.
    return [CardView(deck, None, face_up=False) for deck in DECKS for name in names if deck_of(name) == deck]


def _choices(public: Public, seat: Seat) -> tuple[Space, ...]:
    if seat not in public.asked or seat in public.done:
        return ()
    if public.phase is Phase.START and public.ruleset.space_first:
        return arena(public.arena).start[public.robots[seat].side]
    if public.phase is not Phase.REBOOT:
        return ()
    free = public.free_starts(seat)
    return free if len(free) > 1 else ()  # an only space is taken unasked


def record(state: State) -> dict[str, Any]:
    """Return the whole state as plain JSON data, for digests."""
    public = state.public
    return {
        **public_data(public),
        "gone": [robot.seat for robot in public.robots if robot.gone],
        "left": list(public.left),
        "mines_left": list(public.mines_left),
        "face_up": [list(names) for names in public.face_up],
        "listed": [list(names) for names in public.listed],
        "recap": _recorded(public.recap),
        "news": _recorded(public.news),
        "own": [
            {
                "active": list(own.active),
                "spare": list(own.spare),
                "answer": list(own.answer),
                "program": program_data(own.program),
            }
            for own in state.own
        ],
        "decks": {deck: list(cards) for deck, cards in zip(DECKS, state.decks, strict=True)},
    }


_UNRECORDED = {"blocked": {"why", "who"}}
"""What facts tell besides. Digests of stored matches know nothing of it, and all else implies it."""


def _recorded(facts: tuple[Fact, ...]) -> list[dict[str, Any]]:
    return [
        {name: value for name, value in data.items() if name not in _UNRECORDED.get(fact.kind, ())}
        for fact, data in zip(facts, facts_data(facts), strict=True)
    ]
