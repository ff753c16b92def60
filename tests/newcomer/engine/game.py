"""The rules behind the contract."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engines.core import setups
from engines.core.contract import (
    EVERYONE,
    Choice,
    Event,
    Fact,
    Field,
    IllegalAction,
    InvalidAction,
    Manifest,
    Menu,
    Msg,
    Option,
    OptionChoice,
    Outcome,
    Seat,
    SeatName,
    Setup,
    Step,
    Viewer,
    Widget,
    Words,
    fact,
    msg,
)
from engines.core.player import walk
from engines.core.rng import Rng
from tests.newcomer.engine.view import FINGERS, Public, State, View, waiting

GOALS = ("3", "5")
WORDS = tuple(str(number) for number in FINGERS)


class Odds:
    """The game. States and views are frozen; every method is a pure function."""

    manifest = Manifest(
        key="odds",
        title="Odds and Evens",
        ruleset="1",
        seats=(2,),
        seat_labels=(msg("side.even"), msg("side.odd")),
        tagline=msg("tagline"),
        options=(
            Option("goal", msg("goal"), tuple(OptionChoice(one, msg(f"goal.{one}")) for one in GOALS), "3"),
        ),
    )

    def start(self, setup: Setup, rng: Rng) -> Step[State]:
        """Begin; raises ``ValueError`` for a set-up that the manifest does not offer."""
        if setups.complete(self.manifest, setup.seats, dict(setup.options)) != setup:
            raise ValueError("no such table")
        goal = int(setup.option("goal"))
        return Step(State(Public(goal)), (Event(fact("opened", goal=goal), EVERYONE),))

    def act(self, state: State, seat: Seat, words: Words, rng: Rng) -> Step[State]:
        """Put fingers behind the back; the second seat's decision shows both."""
        _check(self.view(state, seat), words)
        if not words:
            raise InvalidAction(msg("no_sentence"))
        shown, ready = _put(state.shown, seat, int(words[0])), _put(state.public.ready, seat, True)
        events = [Event(fact("ready", seat=seat), EVERYONE)]
        if not all(ready):
            return Step(State(replace(state.public, ready=ready), shown), tuple(events))
        public = replace(state.public, ready=(False, False), rounds=(*state.public.rounds, shown))
        events.append(Event(fact("round", even=shown[0], odd=shown[1], winner=sum(shown) % 2), EVERYONE))
        if max(public.scores()) == public.goal:
            public = replace(public, ended="goal")
            events.append(_over(public))
        return Step(State(public), tuple(events))

    def withdraw(self, state: State, seat: Seat, rng: Rng) -> Step[State]:
        """End the match: the other seat wins."""
        return self._ended(replace(state.public, left=seat), "left")

    def agree(self, state: State, rng: Rng) -> Step[State]:
        """End the match as a draw."""
        return self._ended(state.public, "agreed")

    def _ended(self, public: Public, why: str) -> Step[State]:
        if public.ended:
            raise IllegalAction(msg("over"))
        public = replace(public, ended=why, ready=(False, False))
        return Step(State(public), (_over(public),))

    def lapse(self, view: View, rng: Rng) -> Words | None:
        """The rules say nothing about deadlines."""
        return None

    def player(self, view: View, menu: Menu, rng: Rng) -> Words:
        """Return what the baseline player says."""
        return walk(self, view, menu, rng)

    def view(self, state: State, viewer: Viewer) -> View:
        """Return what ``viewer`` knows: the public part, and its own fingers."""
        return View(viewer, state.public, 0 if viewer is None else state.shown[viewer])

    def waiting(self, view: View) -> frozenset[Seat]:
        """Return who must decide."""
        return waiting(view.public)

    def menu(self, view: View, draft: Words = ()) -> Menu | None:
        """Ask for a number of fingers."""
        if view.viewer not in waiting(view.public):
            if draft:
                _check(view, draft)
            return None
        _check(view, draft)
        choices = tuple(Choice(word, msg("fingers", n=int(word))) for word in WORDS)
        fields = () if draft else (Field("fingers", msg("how_many"), choices, Widget.BUTTONS),)
        return Menu("show", msg("prompt"), draft, fields, complete=bool(draft), closing=bool(draft))

    def preview(self, view: View, draft: Words) -> View:
        """Return the view with the drafted fingers behind the back."""
        return replace(view, own=int(draft[0])) if draft else view

    def narrate(self, fact: Fact) -> Msg | None:
        """Return one sentence for a fact."""
        if fact.kind == "round":
            winner = SeatName(_n(fact, "winner"))
            return msg("round", even=_n(fact, "even"), odd=_n(fact, "odd"), winner=winner)
        if fact.kind == "ready":
            return msg("ready", seat=SeatName(_n(fact, "seat")))
        return msg("opened", n=_n(fact, "goal")) if fact.kind == "opened" else _reason(str(fact["why"]))

    def outcome(self, view: View) -> Outcome | None:
        """Return the winner, or both as equals after an agreement."""
        public = view.public
        if not public.ended:
            return None
        scores = public.scores()
        winner = 1 - public.left if public.left is not None else scores.index(max(scores))
        ranks = ((0, 1),) if public.ended == "agreed" else ((winner,), (1 - winner,))
        return Outcome(ranks, (_reason(public.ended),), tuple(enumerate(scores)))

    def imagine(self, view: View, rng: Rng) -> State:
        """Return a truth that the viewer cannot tell from the real one."""
        stream = rng.stream("imagine")
        shown = tuple(
            view.own if seat == view.viewer else stream.choice(FINGERS) if view.public.ready[seat] else 0
            for seat in (0, 1)
        )
        return State(view.public, (shown[0], shown[1]))

    def read(self, text: str) -> Words:
        """Return the sentence that ``text`` notes down."""
        words = (text,) if text else ()
        _check_shape(words)
        return words

    def write(self, words: Words) -> str:
        """Return a sentence as text: a number."""
        return "".join(words)

    def describe(self, view: View) -> Mapping[str, Any]:
        """Return the view as plain data."""
        return {"viewer": view.viewer, "own": view.own, **_plain(view.public)}

    def record(self, state: State) -> Mapping[str, Any]:
        """Return the whole truth as plain data."""
        return {"shown": list(state.shown), **_plain(state.public)}


def _check_shape(words: Words) -> None:
    """Raise ``InvalidAction`` for what is no sentence of this game in any position."""
    if len(words) > 1 or (words and words[0] not in WORDS):
        raise InvalidAction(msg("no_sentence"))


def _check(view: View, words: Words) -> None:
    """Raise one of the two errors unless the viewer may say ``words`` now: a function of the view alone."""
    _check_shape(words)
    if view.public.ended:
        raise IllegalAction(msg("over"))
    if view.viewer not in waiting(view.public):
        raise IllegalAction(msg("not_now"))


def _put(pair: tuple[Any, Any], seat: Seat, value: Any) -> tuple[Any, Any]:
    return (value, pair[1]) if seat == 0 else (pair[0], value)


def _over(public: Public) -> Event:
    return Event(fact("over", why=public.ended), EVERYONE)


def _reason(why: str) -> Msg:
    return msg(f"over.{why}")


def _n(fact: Fact, name: str) -> int:
    value = fact[name]
    return value if isinstance(value, int) else 0


def _plain(public: Public) -> dict[str, Any]:
    return {
        "goal": public.goal,
        "rounds": [list(both) for both in public.rounds],
        "ready": list(public.ready),
        "ended": public.ended,
        "left": public.left,
    }


GAME = Odds()
