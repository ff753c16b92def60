"""VOLT as a game of the house."""

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
from engines.core.rng import Rng
from engines.core.setups import check
from engines.volt import answers, folding, notation, player, program_errors, rules, tell
from engines.volt.arena import arenas
from engines.volt.files import HASHES
from engines.volt.imagine import imagine
from engines.volt.look import look
from engines.volt.menu import is_asked, menu_after, preview_of
from engines.volt.situation import load
from engines.volt.state import State, record
from engines.volt.view import Phase, View, describe


def _option(key: str, *choices: str) -> Option:
    """Return an option whose first choice is the default."""
    found = tuple(OptionChoice(choice, msg(f"option.{key}.{choice}")) for choice in choices)
    return Option(key, msg(f"option.{key}"), found, choices[0])


MANIFEST = Manifest(
    key="volt",
    title="VOLT",
    ruleset="1",
    seats=(2, 3, 4),
    seat_labels=tuple(msg(f"seat.{seat}") for seat in range(4)),
    tagline=msg("tagline"),
    options=(
        _option("arena", "random", *arenas()),
        _option("training", "off", "on"),
        _option("tiles", "race", "draw"),
    ),
    data_hashes=HASHES,
)


class Volt:
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
        """Take a seat's answer; the last one carries all out. Raises :class:`ActionError`."""
        _check_seat(state, seat)
        if not words:
            raise InvalidAction(msg("error.unreadable", word=""))
        for word in words:
            notation.parse(word)
        view = look(state, seat)
        _check_asked(view)
        return rules.answer(state, seat, _whole(view, words), rng)

    def withdraw(self, state: State, seat: Seat, rng: Rng) -> Step[State]:
        """Take a seat out of the match; raises :class:`IllegalAction` once it is over, or if it is gone."""
        _check_seat(state, seat)
        _check_running(state)
        if state.public.robots[seat].gone:
            raise IllegalAction(msg("error.gone"))
        return rules.withdraw(state, seat, rng)

    def agree(self, state: State, rng: Rng) -> Step[State]:
        """End the match as a draw; raises :class:`IllegalAction` once it is over."""
        _check_running(state)
        return rules.agree(state, rng)

    def lapse(self, view: View, rng: Rng) -> Words | None:  # noqa: ARG002
        """Return ``None``: the rules say nothing of deadlines."""
        return None

    def player(self, view: View, menu: Menu, rng: Rng) -> Words:  # noqa: ARG002
        """Return the best of some dozen sentences, as the viewer's seat can tell."""
        return player.sentence(view, rng)

    def view(self, state: State, viewer: Viewer) -> View:
        """Return all that ``viewer`` knows."""
        return look(state, viewer)

    def waiting(self, view: View) -> frozenset[Seat]:
        """Return the seats that are asked and have not answered."""
        return frozenset(view.asked) - frozenset(view.done)

    def menu(self, view: View, draft: Words = ()) -> Menu | None:
        """Return what the viewer's seat may say after ``draft``; raises :class:`ActionError`."""
        return menu_after(view, draft)

    def preview(self, view: View, draft: Words) -> View:
        """Return the view of ``draft``: its program, and where that leads if nobody else moves."""
        return preview_of(view, draft)

    def narrate(self, fact: Fact) -> Msg | None:
        """Return one sentence for a fact."""
        return tell.narrate(fact)

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
        """Return ``words`` as text: ``program I:b3E II:r4NW III:b2N tile:1``."""
        return notation.write(words)

    def describe(self, view: View) -> Mapping[str, Any]:
        """Return the view as plain JSON data."""
        return describe(view)

    def record(self, state: State) -> Mapping[str, Any]:
        """Return the whole truth as plain JSON data."""
        return record(state)

    def situation(self, value: Mapping[str, Any], setup: Setup, rng: Rng) -> State:
        """Return the state that ``value`` describes, at programming; raises :class:`InvalidAction`."""
        return load(value, setup, rng)

    def legal(self, view: View) -> Iterator[Words] | None:
        """Return all answers of the viewer's seat; ``None``: programs are too many to list."""
        if not is_asked(view):
            return iter(())
        return None if view.phase is Phase.PROGRAM else answers.sentences(answers.Ask.of(view))


def _check_seat(state: State, seat: Seat) -> None:
    if seat not in state.public.seats:
        raise IllegalAction(msg("error.seat"))


def _check_running(state: State) -> None:
    if state.public.phase is Phase.OVER:
        raise IllegalAction(msg("error.over"))


def _check_asked(view: View) -> None:
    """Raise :class:`IllegalAction` unless the viewer's seat is waited for."""
    if is_asked(view):
        return
    if view.phase is Phase.OVER:
        raise IllegalAction(msg("error.over"))
    if view.viewer in view.left:
        raise IllegalAction(msg("error.gone"))
    raise IllegalAction(msg("error.done" if view.viewer in view.done else "error.not_asked"))


def _whole(view: View, words: Words) -> Words:
    """Return a whole sentence in normal form; raises :class:`ActionError`."""
    if view.phase is Phase.PROGRAM:
        program = folding.fold(view, words)
        if not program.complete:
            raise InvalidAction(program_errors.unfinished(program))
        return program.words()
    answer = answers.fold(view, words)
    if not answer.complete:
        raise InvalidAction(answers.unfinished(answer))
    return answer.words()
