"""CORTO as a game of the house."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engines.core.contract import (
    Fact,
    IllegalAction,
    InvalidAction,
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
from engines.core.setups import check
from engines.corto import lapsing, notation, player, record, rules, story, tell
from engines.corto.draft import Draft, fold
from engines.corto.files import HASHES
from engines.corto.imagine import imagine
from engines.corto.look import look
from engines.corto.menu import is_asked, menu_after
from engines.corto.preview import preview_of
from engines.corto.setting import OPTIONS
from engines.corto.situation import load
from engines.corto.state import State
from engines.corto.view import Phase, View

MANIFEST = Manifest(
    key="corto",
    title="CORTO",
    ruleset="1",
    seats=(2, 3, 4),
    seat_labels=tuple(msg(f"seat.{seat}") for seat in range(4)),
    tagline=msg("tagline"),
    options=OPTIONS,
    data_hashes=HASHES,
)


class Corto:
    """The game: :class:`~engines.core.contract.Game`, with situations as data."""

    @property
    def manifest(self) -> Manifest:
        """Return what the house knows of the game before a match."""
        return MANIFEST

    def start(self, setup: Setup, rng: Rng) -> Step[State]:
        """Begin a match; raises ``ValueError`` for a set-up not in the manifest."""
        check(MANIFEST, setup)
        return rules.begin(setup, rng)

    def act(self, state: State, seat: Seat, words: Words, rng: Rng) -> Step[State]:
        """Carry out a seat's steps, up to what they turn up or to the end; raises :class:`ActionError`."""
        _check_seat(state, seat)
        if not words:
            raise InvalidAction(msg("error.empty"))
        for word in words:
            notation.parse(word)
        view = look(state, seat)
        _check_asked(view)
        draft = fold(view, words)
        if not draft.complete:
            raise _unfinished(draft)
        return rules.carry_out(state, seat, draft.steps, rng)

    def withdraw(self, state: State, seat: Seat, rng: Rng) -> Step[State]:  # noqa: ARG002
        """Take a seat out of the match; raises :class:`IllegalAction` once it is over, or if it is gone."""
        _check_seat(state, seat)
        _check_running(state)
        if seat in state.public.left:
            raise IllegalAction(msg("error.gone"))
        return rules.withdraw(state, seat)

    def agree(self, state: State, rng: Rng) -> Step[State]:  # noqa: ARG002
        """End the match as a draw; raises :class:`IllegalAction` once it is over."""
        _check_running(state)
        return rules.agree(state)

    def lapse(self, view: View, rng: Rng) -> Words | None:  # noqa: ARG002
        """Return what the rules let happen: a start, no card, draws from the fullest decks."""
        return lapsing.sentence(view)

    def player(self, view: View, menu: Menu, rng: Rng) -> Words:  # noqa: ARG002
        """Return the best of a few dozen turns by present gold, as the viewer's seat can tell."""
        return player.sentence(view, rng)

    def view(self, state: State, viewer: Viewer) -> View:
        """Return all that ``viewer`` knows."""
        return look(state, viewer)

    def waiting(self, view: View) -> frozenset[Seat]:
        """Return the seats that must or may decide."""
        return frozenset(view.asked)

    def menu(self, view: View, draft: Words = ()) -> Menu | None:
        """Return what the viewer's seat may say after ``draft``; raises :class:`ActionError`."""
        return menu_after(view, draft)

    def preview(self, view: View, draft: Words) -> View:
        """Return the view of ``draft``, up to the first word that reveals."""
        return preview_of(view, draft)

    def narrate(self, fact: Fact) -> Msg | None:
        """Return one sentence for a fact."""
        return tell.narrate(fact)

    def retell(self, facts: Sequence[Fact]) -> tuple[Msg, ...]:
        """Return few sentences for facts in a row."""
        return story.retell(facts)

    def outcome(self, view: View) -> Outcome | None:
        """Return how the match ended, or ``None`` while it runs."""
        return tell.outcome(view)

    def imagine(self, view: View, rng: Rng) -> State:
        """Return a truth that gives this view."""
        return imagine(view, rng)

    def read(self, text: str) -> Words:
        """Return the words of ``text``; raises :class:`InvalidAction`."""
        return notation.read(text)

    def write(self, words: Words) -> str:
        """Return ``words`` as text: ``play A04 a3 +a2 end``."""
        return notation.write(words)

    def describe(self, view: View) -> Mapping[str, Any]:
        """Return the view as plain JSON data."""
        return record.describe(view)

    def record(self, state: State) -> Mapping[str, Any]:
        """Return the whole truth as plain JSON data."""
        return record.record(state)

    def situation(self, value: Mapping[str, Any], setup: Setup, rng: Rng) -> State:
        """Return the state that ``value`` describes; raises :class:`InvalidAction`."""
        return load(value, setup, rng)


def _check_seat(state: State, seat: Seat) -> None:
    if seat not in state.public.seats:
        raise IllegalAction(msg("error.seat"))


def _check_running(state: State) -> None:
    if state.public.phase is Phase.OVER:
        raise IllegalAction(msg("error.over"))


def _check_asked(view: View) -> None:
    """Raise :class:`IllegalAction` unless the viewer's seat may decide."""
    if is_asked(view):
        return
    if view.phase is Phase.OVER:
        raise IllegalAction(msg("error.over"))
    raise IllegalAction(msg("error.gone" if view.viewer in view.left else "error.not_asked"))


def _unfinished(draft: Draft) -> InvalidAction:
    """Return the refusal of words that are not whole."""
    if draft.course.half:
        return InvalidAction(msg("error.unfinished_card"))
    return InvalidAction(msg("error.unfinished", words=notation.write(draft.words())))
