"""VOLTO as a game of the house."""

from __future__ import annotations

from collections.abc import Iterator

from engines.core.base import BaseGame
from engines.core.contract import (
    EVERYONE,
    Event,
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
from engines.core.rng import Rng
from engines.volto import events, imagine, notation, rules, sentences, state
from engines.volto.board import SEATS, rival
from engines.volto.moves import Ground
from engines.volto.state import State
from engines.volto.view import Phase, Reason, Result, View, describe


class Volto(BaseGame[State, View]):
    """The game: :class:`~engines.core.contract.Game`, with positions as text and a list of moves."""

    manifest = Manifest(
        key="volto",
        title="VOLTO",
        ruleset="1",
        seats=(len(SEATS),),
        seat_labels=(msg("seat.0"), msg("seat.1")),
        tagline=msg("tagline"),
    )

    def on_start(self, setup: Setup, rng: Rng) -> Step[State]:
        """Begin with an empty mat."""
        return Step(rules.NO_MASKS, ())

    def act(self, state: State, seat: Seat, words: Words, rng: Rng) -> Step[State]:
        """Carry out an arrangement or a move; raises :class:`ActionError`."""
        self.check_seat(state, seat)
        sentence = sentences.whole(Ground.of_state(state, seat), words)
        if state.public.phase is Phase.SETUP:
            return rules.set_up(state, seat, sentence[1], rng)
        after, facts = rules.play(state, sentence[0], sentence[1])
        return Step(after, tuple(Event(one, EVERYONE) for one in facts))

    def on_withdraw(self, state: State, seat: Seat, rng: Rng) -> Step[State]:
        """End the match: the other seat wins."""
        return rules.stop(state, Result(rival(seat), (Reason.WITHDRAWN,)))

    def on_agree(self, state: State, rng: Rng) -> Step[State]:
        """End the match as a draw."""
        return rules.stop(state, Result(None, (Reason.AGREED,)))

    def waiting(self, view: View) -> frozenset[Seat]:
        """Return the seats that have not arranged their masks, then the side to move."""
        if view.phase is Phase.SETUP:
            return frozenset(SEATS) - frozenset(view.arranged)
        return frozenset() if view.turn is None else frozenset({view.turn})

    def menu_for(self, view: View, draft: Words) -> Menu:
        """Return the menu of a seat that is asked; raises :class:`ActionError`."""
        return sentences.menu_after(view, draft)

    def legal(self, view: View) -> Iterator[Words] | None:
        """Return all moves of the viewer's seat; ``None`` while it arranges its masks."""
        if not self.may_act(view):
            return iter(())
        return None if view.phase is Phase.SETUP else iter(Ground.of_view(view).moves())

    def narrate(self, fact: Fact) -> Msg | None:
        """Return one sentence for a fact."""
        return events.narrate(fact)

    def outcome(self, view: View) -> Outcome | None:
        """Return how the match ended, or ``None`` while it runs."""
        return events.outcome(view.result)

    view = staticmethod(state.look)
    preview = staticmethod(sentences.preview)
    imagine = staticmethod(imagine.imagine)
    read = staticmethod(notation.read)
    write = staticmethod(notation.write)
    describe = staticmethod(describe)
    record = staticmethod(state.record)
    position = staticmethod(rules.load)
    position_text = staticmethod(state.position_text)
