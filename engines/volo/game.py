"""Volo as a game of the house."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

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
    Viewer,
    Words,
    msg,
)
from engines.core.player import walk
from engines.core.rng import Rng
from engines.volo import notation, rules, tell
from engines.volo.board import BOARDS
from engines.volo.menu import menu as menu_after
from engines.volo.preview import preview
from engines.volo.state import State, describe, record, state_from, text_of, view_of
from engines.volo.view import Ending, VoloView

_SEATS = 2

MANIFEST = Manifest(
    key="volo",
    title="Volo",
    ruleset="1",
    seats=(_SEATS,),
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


class Volo:
    """The game: :class:`~engines.core.contract.Game`, with positions as text and a list of turns.

    Nothing is secret and nothing is drawn: every viewer sees the same, and no randomness is used.
    """

    @property
    def manifest(self) -> Manifest:
        """Return what the house knows of the game before a match."""
        return MANIFEST

    def start(self, setup: Setup, rng: Rng) -> Step[State]:  # noqa: ARG002 - there is no chance in it
        """Begin a match; raises ``ValueError`` for a set-up not in the manifest."""
        known = dict(setup.options)
        if setup != Setup("volo", MANIFEST.ruleset, _SEATS, (("board", known.get("board", "")),)):
            raise ValueError("Volo has two seats and the option board")
        if known["board"] not in BOARDS:
            raise ValueError(f"Volo has no board {known['board']!r}")
        return rules.begin(known["board"])

    def act(self, state: State, seat: Seat, words: Words, rng: Rng) -> Step[State]:  # noqa: ARG002
        """Carry out a turn; raises :class:`InvalidAction` or :class:`IllegalAction`."""
        _check_seat(seat)
        if not words:
            raise InvalidAction(msg("error.empty"))
        notation.parse(state.board, words)
        _check_running(state)
        if seat != state.mover:
            raise IllegalAction(msg("error.not_your_turn"))
        return rules.play(state, words)

    def withdraw(self, state: State, seat: Seat, rng: Rng) -> Step[State]:  # noqa: ARG002
        """End the match: the other seat wins; raises :class:`IllegalAction` once it is over."""
        _check_seat(seat)
        _check_running(state)
        return rules.close(state, Ending("withdrawn", 1 - seat))

    def agree(self, state: State, rng: Rng) -> Step[State]:  # noqa: ARG002
        """End the match as a draw; raises :class:`IllegalAction` once it is over."""
        _check_running(state)
        return rules.close(state, Ending("agreed", None))

    def lapse(self, view: VoloView, rng: Rng) -> Words | None:  # noqa: ARG002
        """Return ``None``: the rules say nothing of deadlines."""
        return None

    def player(self, view: VoloView, menu: Menu, rng: Rng) -> Words:
        """Return a sentence drawn from the menu."""
        return walk(self, view, menu, rng)

    def view(self, state: State, viewer: Viewer) -> VoloView:
        """Return what ``viewer`` knows: everything."""
        return view_of(state, viewer)

    def waiting(self, view: VoloView) -> frozenset[Seat]:
        """Return the seat to move, or nobody once the match is over."""
        return frozenset() if view.ending is not None else frozenset({view.mover})

    def menu(self, view: VoloView, draft: Words = ()) -> Menu | None:
        """Return what the viewer's seat may say after ``draft``; raises :class:`ActionError`."""
        return menu_after(view, draft)

    def preview(self, view: VoloView, draft: Words) -> VoloView:
        """Return the view with the drafted turn carried out; raises :class:`ActionError`."""
        return preview(view, draft)

    def narrate(self, fact: Fact) -> Msg | None:
        """Return one sentence for a fact."""
        return tell.narrate(fact)

    def outcome(self, view: VoloView) -> Outcome | None:
        """Return how the match ended, or ``None`` while it runs."""
        return tell.outcome(view.ending)

    def imagine(self, view: VoloView, rng: Rng) -> State:  # noqa: ARG002
        """Return the state: there is no other that looks like this."""
        return state_from(view)

    def read(self, text: str) -> Words:
        """Return the words of ``text``; raises :class:`InvalidAction`."""
        return notation.read(text)

    def write(self, words: Words) -> str:
        """Return ``words`` on one line: ``c4``, ``d1:d4-NE2/b3``, ``pass``."""
        return notation.write(words)

    def describe(self, view: VoloView) -> Mapping[str, Any]:
        """Return the view as plain JSON data."""
        return describe(view)

    def record(self, state: State) -> Mapping[str, Any]:
        """Return the whole truth as plain JSON data."""
        return record(state)

    def position(self, text: str) -> State:
        """Return the state that a position text describes, over if it is; raises :class:`InvalidAction`."""
        return rules.set_up(text)

    def position_text(self, state: State) -> str:
        """Return the position on one line."""
        return text_of(state)

    def legal(self, view: VoloView) -> Iterator[Words]:
        """Yield all turns of the viewer's seat: adds by point, then flights, then the pass."""
        if view.ending is None and view.viewer == view.mover:
            position = state_from(view).position
            for turn in position.turns():
                yield notation.words_of(position.board, turn)


def _check_seat(seat: Seat) -> None:
    if seat not in range(_SEATS):
        raise InvalidAction(msg("error.seat"))


def _check_running(state: State) -> None:
    if state.ending is not None:
        raise IllegalAction(msg("error.over"))
