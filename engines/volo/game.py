"""Volo as a game of the house."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

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
from engines.core.optional_methods import Judgement, Level, Skill
from engines.core.rng import Rng
from engines.volo import events, menu, notation, reasons, rules, thinking
from engines.volo.board import BOARDS
from engines.volo.state import State, describe, record, state_from, text_of, view_of
from engines.volo.view import Ending, VoloView


class Volo(BaseGame[State, VoloView]):
    """The game: :class:`~engines.core.contract.Game`, with positions as text and a list of turns.

    Nothing is secret and nothing is drawn: every viewer sees the same, and no randomness is used.
    """

    manifest = Manifest(
        key="volo",
        title="Volo",
        rulesets=("1",),
        seats=(2,),
        seat_labels=(msg("seat.orange"), msg("seat.blue")),
        tagline=msg("tagline"),
        combinatorial=True,
        options=(
            Option(
                "board",
                msg("option.board"),
                tuple(OptionChoice(key, msg(f"option.board.{key}")) for key in BOARDS),
                default="standard",
            ),
        ),
    )

    level_names: ClassVar[Mapping[Level, Msg]] = {level: msg(f"level.{level.value}") for level in Level}

    menu_for = staticmethod(menu.menu_after)
    view = staticmethod(view_of)
    preview = staticmethod(menu.preview)
    narrate = staticmethod(events.narrate)
    retell = staticmethod(events.retell)
    reason = staticmethod(reasons.reason)
    read = staticmethod(notation.read)
    write = staticmethod(notation.write)
    describe = staticmethod(describe)
    record = staticmethod(record)
    position_text = staticmethod(text_of)

    def on_start(self, setup: Setup, rng: Rng) -> Step[State]:
        """Begin a match on the board that the option names."""
        return rules.begin(setup.option("board"))

    def act(self, state: State, seat: Seat, words: Words, rng: Rng) -> Step[State]:
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
        return rules.close(state, Ending("agreed", None))

    def check_running(self, state: State) -> None:
        """Raise :class:`IllegalAction` once the match is over."""
        # The base class asks the view, which is expensive to build here, and every turn comes this way.
        if state.ending is not None:
            raise IllegalAction(msg("error.over"))

    def waiting(self, view: VoloView) -> frozenset[Seat]:
        """Return the seat to move, or nobody once the match is over."""
        return frozenset() if view.ending is not None else frozenset({view.mover})

    def legal(self, view: VoloView) -> Iterator[Words]:
        """Yield all turns of the viewer's seat: adds by point, then flights, then the pass."""
        if self.may_act(view):
            position = state_from(view).position
            for turn in position.turns():
                yield notation.words_of(position.board, turn)

    def think(self, view: VoloView, menu: Menu, skill: Skill, rng: Rng) -> Words:
        """Return the turn that a search comes to."""
        return thinking.sentence(view, skill, rng)

    def judge(self, view: VoloView, menu: Menu, words: Words, skill: Skill, rng: Rng) -> Judgement:
        """Return how good a turn was; raises :class:`ActionError` for none that could be taken."""
        return thinking.judged(view, words, skill)

    def imagine(self, view: VoloView, rng: Rng) -> State:
        """Return the state: there is no other that looks like this."""
        return state_from(view)

    def can_be_undone(self, facts: Sequence[Fact]) -> bool:
        """Return whether a turn has not ended the match: nothing is secret (rules page, *Your turn*)."""
        return bool(facts) and all(fact.kind in events.UNDOABLE for fact in facts)

    def outcome(self, view: VoloView) -> Outcome | None:
        return events.outcome(view.ending)

    def position(self, text: str, ruleset: str | None = None) -> State:
        """Return the state that a position text describes, over if it is; raises :class:`InvalidAction`."""
        return rules.set_up(text)
