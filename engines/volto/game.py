"""VOLTO as a game of the house."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

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
    Viewer,
    Words,
    msg,
)
from engines.core.rng import Rng
from engines.core.skill import Level, Skill
from engines.volto import events, notation, reasons, rules, sentences, thinking
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

    def on_start(self, setup: Setup, rng: Rng) -> Step[State]:
        """Begin with an empty mat."""
        return Step(rules.no_masks(RULESETS[setup.ruleset]), ())

    def act(self, state: State, seat: Seat, words: Words, rng: Rng) -> Step[State]:
        """Carry out an arrangement or a move; raises :class:`ActionError`."""
        self.check_seat(state, seat)
        # From the state, not from the view: a view deduces what every mask may be, which no act needs.
        sentence = sentences.whole(Basis.of_state(state, seat), words)
        if state.public.phase is Phase.SETUP:
            return rules.set_up(state, seat, sentence[1], rng)
        return rules.play(state, sentence[0], sentence[1])

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
        return None if view.phase is Phase.SETUP else iter(Basis.of_view(view).moves())

    level_names: ClassVar[Mapping[Level, Msg]] = {level: msg(f"level.{level.value}") for level in Level}

    def think(self, view: View, menu: Menu, skill: Skill, rng: Rng) -> Words:
        """Return the arrangement or the move that a search comes to."""
        return thinking.sentence(view, skill, rng)

    def reason(self, view: View, words: Words) -> Msg:
        """Return what speaks for an arrangement or a move."""
        return reasons.reason(view, words)

    def narrate(self, fact: Fact) -> Msg | None:
        """Return one sentence for a fact."""
        return events.narrate(fact)

    def retell(self, facts: Sequence[Fact]) -> tuple[Msg, ...]:
        """Return a sentence for each fact but for the end."""
        return events.retell(facts)

    def can_be_undone(self, facts: Sequence[Fact]) -> bool:
        """Return whether a move was made to an empty square (rules page, *Your turn*).

        An arrangement is its side's secret, what is taken is shown (*Your turn*), and *The end* shows all.
        """
        return bool(facts) and all(fact.kind in events.UNDOABLE for fact in facts)

    def outcome(self, view: View) -> Outcome | None:
        """Return how the match ended, or ``None`` while it runs."""
        return events.outcome(view.result)

    def view(self, state: State, viewer: Viewer) -> View:
        """Return all that ``viewer`` knows."""
        return look(state, viewer)

    def preview(self, view: View, draft: Words) -> View:
        """Return the view of ``draft``: masks arranged, or moved to an empty square."""
        return sentences.preview(view, draft)

    def imagine(self, view: View, rng: Rng) -> State:
        """Return a state consistent with this view."""
        return imagine(view, rng)

    def read(self, text: str) -> Words:
        """Return the words of ``text``; raises :class:`InvalidAction`."""
        return notation.read(text)

    def write(self, words: Words) -> str:
        """Return ``words`` as text: ``b2b3``, ``setup NALANCSNLA``."""
        return notation.write(words)

    def describe(self, view: View) -> Mapping[str, Any]:
        """Return the view as plain JSON data."""
        return describe(view)

    def record(self, state: State) -> Mapping[str, Any]:
        """Return the whole state as plain JSON data."""
        return record(state)

    def position(self, text: str, ruleset: str | None = None) -> State:
        """Return the state that a position text describes; raises :class:`InvalidAction`."""
        return rules.load(text, NEWEST if ruleset is None else RULESETS[ruleset])

    def position_text(self, state: State) -> str:
        """Return the true position on one line."""
        return position_text(state)
