"""VOLTO as a game of the house."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from engines.core.base import BaseGame
from engines.core.contract import (
    Fact,
    Manifest,
    Menu,
    Msg,
    Outcome,
    Seat,
    Setup,
    Step,
    Words,
    msg,
)
from engines.core.optional_methods import Level, Skill
from engines.core.rng import Rng
from engines.volto import events, menu, notation, reasons, rules, thinking
from engines.volto.board import SEATS, rival
from engines.volto.imagine import imagine
from engines.volto.moves import Basis
from engines.volto.rulesets import NEWEST, RULESETS
from engines.volto.state import State, look, position_text, record
from engines.volto.view import Phase, Reason, Result, View, describe


class Volto(BaseGame[State, View]):
    """The game: :class:`~engines.core.contract.Game`, with positions as text and a list of moves."""

    manifest = Manifest(
        key="volto",
        title="VOLTO",
        rulesets=tuple(RULESETS),
        seats=(len(SEATS),),
        seat_labels=(msg("seat.0"), msg("seat.1")),
        tagline=msg("tagline"),
    )

    level_names: ClassVar[Mapping[Level, Msg]] = {level: msg(f"level.{level.value}") for level in Level}

    menu_for = staticmethod(menu.menu_after)
    view = staticmethod(look)
    preview = staticmethod(menu.preview)
    imagine = staticmethod(imagine)
    narrate = staticmethod(events.narrate)
    retell = staticmethod(events.retell)
    reason = staticmethod(reasons.reason)
    read = staticmethod(notation.read)
    write = staticmethod(notation.write)
    describe = staticmethod(describe)
    record = staticmethod(record)
    position_text = staticmethod(position_text)

    def on_start(self, setup: Setup, rng: Rng) -> Step[State]:
        """Begin with an empty mat."""
        return Step(rules.no_masks(RULESETS[setup.ruleset]), ())

    def act(self, state: State, seat: Seat, words: Words, rng: Rng) -> Step[State]:
        self.check_seat(state, seat)
        # From the state, not from the view: a view deduces what every mask may be, which no act needs.
        sentence = menu.whole(Basis.of_state(state, seat), words)
        if state.public.phase is Phase.SETUP:
            return rules.set_up(state, seat, sentence[1], rng)
        return rules.play(state, sentence[0], sentence[1])

    def on_withdraw(self, state: State, seat: Seat, rng: Rng) -> Step[State]:
        """End the match: the other seat wins."""
        return rules.stop(state, Result(rival(seat), (Reason.WITHDRAWN,)))

    def on_agree(self, state: State, rng: Rng) -> Step[State]:
        return rules.stop(state, Result(None, (Reason.AGREED,)))

    def waiting(self, view: View) -> frozenset[Seat]:
        """Return the seats that have not arranged their masks, then the side to move."""
        if view.phase is Phase.SETUP:
            return frozenset(SEATS) - frozenset(view.arranged)
        return frozenset() if view.turn is None else frozenset({view.turn})

    def legal(self, view: View) -> Iterator[Words] | None:
        """Return all moves of the viewer's seat; ``None`` while it arranges its masks."""
        if not self.may_act(view):
            return iter(())
        return None if view.phase is Phase.SETUP else iter(Basis.of_view(view).moves())

    def think(self, view: View, menu: Menu, skill: Skill, rng: Rng) -> Words:
        """Return the arrangement or the move that a search comes to."""
        return thinking.sentence(view, skill, rng)

    def can_be_undone(self, facts: Sequence[Fact]) -> bool:
        """Return whether a move was made to an empty square (rules page, *Your turn*).

        An arrangement is its side's secret, what is taken is shown (*Your turn*), and *The end* shows all.
        """
        return bool(facts) and all(fact.kind in events.UNDOABLE for fact in facts)

    def outcome(self, view: View) -> Outcome | None:
        return events.outcome(view.result)

    def position(self, text: str, ruleset: str | None = None) -> State:
        """Return the state that a position text describes; raises :class:`InvalidAction`."""
        return rules.load(text, NEWEST if ruleset is None else RULESETS[ruleset])
