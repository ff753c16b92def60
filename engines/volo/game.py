"""Volo as a game of the house."""

from __future__ import annotations

from collections.abc import Iterator

from engines.core.base import BaseGame
from engines.core.contract import (
    Fact,
    IllegalAction,
    InvalidAction,
    Manifest,
    Menu,
    Msg,
    Option,
    OptionChoice,
    Outcome,
    Seat,
    Setup,
    Step,
    Words,
    msg,
)
from engines.core.rng import Rng
from engines.volo import events, menu, notation, rules, state
from engines.volo.board import BOARDS
from engines.volo.state import State
from engines.volo.view import Ending, VoloView


class Volo(BaseGame[State, VoloView]):
    """The game: :class:`~engines.core.contract.Game`, with positions as text and a list of turns.

    Nothing is secret and nothing is drawn: every viewer sees the same, and no randomness is used.
    """

    manifest = Manifest(
        key="volo",
        title="Volo",
        ruleset="1",
        seats=(2,),
        seat_labels=(msg("seat.orange"), msg("seat.blue")),
        tagline=msg("tagline"),
        options=(
            Option(
                "board",
                msg("option.board"),
                tuple(OptionChoice(key, msg(f"option.board.{key}")) for key in BOARDS),
                default="standard",
            ),
        ),
    )

    def on_start(self, setup: Setup, rng: Rng) -> Step[State]:
        """Begin a match on the board that the option names."""
        return rules.begin(setup.option("board"))

    def act(self, state: State, seat: Seat, words: Words, rng: Rng) -> Step[State]:
        """Carry out a turn; raises :class:`InvalidAction` or :class:`IllegalAction`."""
        self.check_seat(state, seat)
        if not words:
            raise InvalidAction(msg("error.empty"))
        notation.parse(state.board, words)
        self.check_running(state)
        if seat != state.mover:
            raise IllegalAction(msg("error.not_your_turn"))
        return rules.play(state, words)

    def on_withdraw(self, state: State, seat: Seat, rng: Rng) -> Step[State]:
        """End the match: the other seat wins."""
        return rules.close(state, Ending("withdrawn", 1 - seat))

    def on_agree(self, state: State, rng: Rng) -> Step[State]:
        """End the match as a draw."""
        return rules.close(state, Ending("agreed", None))

    def check_running(self, state: State) -> None:
        """Raise :class:`IllegalAction` once the match is over."""
        # The base class asks the view, which is dear to build here; every turn comes this way.
        if state.ending is not None:
            raise IllegalAction(msg("error.over"))

    def waiting(self, view: VoloView) -> frozenset[Seat]:
        """Return the seat to move, or nobody once the match is over."""
        return frozenset() if view.ending is not None else frozenset({view.mover})

    def menu_for(self, view: VoloView, draft: Words) -> Menu:
        """Return the menu of the seat to move; raises :class:`ActionError`."""
        return menu.menu_after(view, draft)

    def legal(self, view: VoloView) -> Iterator[Words]:
        """Yield all turns of the viewer's seat: adds by point, then flights, then the pass."""
        if self.may_act(view):
            position = state.state_from(view).position
            for turn in position.turns():
                yield notation.words_of(position.board, turn)

    def imagine(self, view: VoloView, rng: Rng) -> State:
        """Return the state: there is no other that looks like this."""
        return state.state_from(view)

    def narrate(self, fact: Fact) -> Msg:
        """Return one sentence for a fact."""
        return events.narrate(fact)

    def outcome(self, view: VoloView) -> Outcome | None:
        """Return how the match ended, or ``None`` while it runs."""
        return events.outcome(view.ending)

    view = staticmethod(state.view_of)
    preview = staticmethod(menu.preview)
    read = staticmethod(notation.read)
    write = staticmethod(notation.write)
    describe = staticmethod(state.describe)
    record = staticmethod(state.record)
    position = staticmethod(rules.set_up)
    position_text = staticmethod(state.text_of)
