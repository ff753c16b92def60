"""VOLTO behind the house's contract."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engines.core.contract import (
    EVERYONE,
    Event,
    Fact,
    IllegalAction,
    Manifest,
    Menu,
    Msg,
    Outcome,
    Seat,
    Setup,
    Step,
    Viewer,
    Words,
    fact,
    msg,
    only,
)
from engines.core.player import walk
from engines.core.rng import Rng
from engines.volto import notation, rules, tell
from engines.volto.board import SEATS, rival
from engines.volto.imagine import imagine
from engines.volto.look import look
from engines.volto.menu import menu_after, preview_of
from engines.volto.record import Phase, Reason, Result
from engines.volto.sentences import Ground, whole
from engines.volto.state import State, position_text, record
from engines.volto.view import View, describe

MANIFEST = Manifest(
    key="volto",
    title="VOLTO",
    ruleset="1",
    seats=(2,),
    seat_labels=(msg("seat.0"), msg("seat.1")),
    tagline=msg("tagline"),
)


class Volto:
    """The game: :class:`~engines.core.contract.Game`, with positions as text and a list of moves."""

    @property
    def manifest(self) -> Manifest:
        """Return what the house knows of the game before a match."""
        return MANIFEST

    def start(self, setup: Setup, rng: Rng) -> Step[State]:  # noqa: ARG002 - nothing is drawn yet
        """Begin a match; raises ``ValueError`` for a set-up not in the manifest."""
        if setup != Setup(MANIFEST.key, MANIFEST.ruleset, len(SEATS)):
            raise ValueError("VOLTO has two seats and no options")
        return Step(rules.NO_MASKS, ())

    def act(self, state: State, seat: Seat, words: Words, rng: Rng) -> Step[State]:
        """Carry out an arrangement or a move; raises :class:`ActionError`."""
        _check_seat(seat)
        sentence = whole(Ground.of_state(state, seat), words)
        if state.public.phase is Phase.SETUP:
            return _arrange(state, seat, sentence[1], rng)
        after, facts = rules.play(state, sentence[0], sentence[1])
        return _told(after, *facts)

    def withdraw(self, state: State, seat: Seat, rng: Rng) -> Step[State]:  # noqa: ARG002
        """End the match: the other seat wins; raises :class:`IllegalAction` once it is over."""
        _check_seat(seat)
        return _stop(state, Result(rival(seat), (Reason.WITHDRAWN,)))

    def agree(self, state: State, rng: Rng) -> Step[State]:  # noqa: ARG002
        """End the match as a draw; raises :class:`IllegalAction` once it is over."""
        return _stop(state, Result(None, (Reason.AGREED,)))

    def lapse(self, view: View, rng: Rng) -> Words | None:  # noqa: ARG002
        """Return ``None``: the rules say nothing of deadlines."""
        return None

    def player(self, view: View, menu: Menu, rng: Rng) -> Words:
        """Return a sentence drawn from the menu."""
        return walk(self, view, menu, rng)

    def view(self, state: State, viewer: Viewer) -> View:
        """Return all that ``viewer`` knows."""
        return look(state, viewer)

    def waiting(self, view: View) -> frozenset[Seat]:
        """Return the seats that have not arranged their masks, then the side to move."""
        if view.phase is Phase.SETUP:
            return frozenset(SEATS) - frozenset(view.arranged)
        return frozenset() if view.turn is None else frozenset({view.turn})

    def menu(self, view: View, draft: Words = ()) -> Menu | None:
        """Return what the viewer's seat may say after ``draft``; raises :class:`ActionError`."""
        return menu_after(view, draft)

    def preview(self, view: View, draft: Words) -> View:
        """Return the view of ``draft``: masks arranged, or moved to an empty square."""
        return preview_of(view, draft)

    def narrate(self, fact: Fact) -> Msg | None:
        """Return one sentence for a fact."""
        return tell.narrate(fact)

    def outcome(self, view: View) -> Outcome | None:
        """Return how the match ended, or ``None`` while it runs."""
        return tell.outcome(view.result)

    def imagine(self, view: View, rng: Rng) -> State:
        """Return a truth that gives this view."""
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
        """Return the whole truth as plain JSON data."""
        return record(state)

    def position(self, text: str) -> State:
        """Return the state that a position text describes; raises :class:`InvalidAction`."""
        return rules.load(text)

    def position_text(self, state: State) -> str:
        """Return the true position on one line."""
        return position_text(state)

    def legal(self, view: View) -> Iterator[Words] | None:
        """Return all moves of the viewer's seat; ``None`` while it arranges its masks."""
        if view.viewer is None:
            return iter(())
        ground = Ground.of_view(view, view.viewer)
        if ground.asked and ground.phase is Phase.SETUP:
            return None
        return iter(ground.moves())


def _check_seat(seat: Seat) -> None:
    if seat not in SEATS:
        raise IllegalAction(msg("error.seat"))


def _arrange(state: State, seat: Seat, letters: str, rng: Rng) -> Step[State]:
    """Set up the masks of ``seat``; with the second side the lot falls and play begins."""
    after = rules.arrange(state, seat, notation.check_arrangement(letters))
    events = [
        Event(fact("arranged", seat=seat), EVERYONE),
        Event(fact("arrangement", letters=letters), only(seat)),
    ]
    if after.public.arranged() == SEATS:
        first = rng.stream(state.public.step, "first").choice(SEATS)
        after = rules.begin(after, first)
        events.append(Event(fact("begins", seat=first), EVERYONE))
    return Step(after, tuple(events))


def _stop(state: State, result: Result) -> Step[State]:
    if state.public.phase is Phase.OVER:
        raise IllegalAction(msg("error.over"))
    after, facts = rules.stop(state, result)
    return _told(after, *facts)


def _told(after: State, *facts: Fact) -> Step[State]:
    return Step(after, tuple(Event(one, EVERYONE) for one in facts))
