from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engines.core.contract import (
    EVERYONE,
    Event,
    Fact,
    IllegalAction,
    InvalidAction,
    Manifest,
    Menu,
    Msg,
    Option,
    OptionChoice,
    Outcome,
    SeatName,
    Setup,
    Step,
    Viewer,
    Words,
    all_but,
    fact,
    msg,
    only,
)
from engines.core.player import walk
from engines.core.rng import Rng, Stream
from tests.core.toy import menus, sentences
from tests.core.toy.state import LETTERS, ROUNDS, Own, Public, State, View, waiting

MANIFEST = Manifest(
    key="toy",
    title="Toy",
    ruleset="1",
    seats=(2, 3),
    seat_labels=(msg("red"), msg("green"), msg("blue")),
    tagline=msg("tagline"),
    options=(
        Option("top", msg("top"), tuple(OptionChoice(k, msg("top_" + k)) for k in ("6", "30")), default="6"),
    ),
)


class Toy:
    """The toy game; tests plant faults in subclasses of it."""

    manifest = MANIFEST

    def start(self, setup: Setup, rng: Rng) -> Step[State]:
        if setup.seats not in MANIFEST.seats or setup.option("top") not in ("6", "30"):
            raise ValueError("no such table")
        top, none = int(setup.option("top")), (False,) * setup.seats
        public = Public(top, none, none, none)
        state = State(public, (Own(),) * setup.seats, rng.stream("hidden").below(top) + 1)
        return Step(state, (Event(fact("opened", top=top), EVERYONE),))

    def act(self, state: State, seat: int, words: Words, rng: Rng) -> Step[State]:
        sentences.check_shape(words)
        sentences.check_legal(self.view(state, seat), words)
        if not sentences.complete(words):
            raise InvalidAction(msg("unfinished"))
        if words == ("peek",):
            return self.peek(state, seat)
        own = list(state.own)
        own[seat] = sentences.applied(own[seat], words)
        state = replace(state, own=tuple(own))
        if words[0] == "mark":
            return Step(state, (Event(fact("marked", number=int(words[1])), only(seat)),))
        ready = tuple(done or who == seat for who, done in enumerate(state.public.ready))
        state = replace(state, public=replace(state.public, ready=ready))
        events = (Event(fact("ready", seat=seat), EVERYONE),)
        return self.resolved(state, events, rng)

    def peek(self, state: State, seat: int) -> Step[State]:
        peeked = tuple(done or who == seat for who, done in enumerate(state.public.peeked))
        state = replace(state, public=replace(state.public, peeked=peeked))
        events = (
            Event(fact("parity", odd=state.hidden % 2), only(seat)),
            Event(fact("peeked", seat=seat), all_but(seat)),
        )
        return Step(state, events)

    def resolved(self, state: State, events: tuple[Event, ...], rng: Rng) -> Step[State]:
        """Go on to the next round once nobody is waited for."""
        public = state.public
        if waiting(public) or public.ended:
            return Step(state, events)
        none = (False,) * len(state.own)
        if not public.turn:
            return Step(replace(state, public=replace(public, ready=none, turn=1)), events)
        guesses = tuple(own.guess for own in state.own)
        ended = "found" if state.hidden in guesses else "rounds" if public.turn == ROUNDS else ""
        die = rng.stream("die", public.turn).below(6) + 1
        said = Event(fact("said", guesses=guesses, die=die), EVERYONE)
        own = tuple(replace(part, guess=0) for part in state.own)
        public = replace(public, ready=none, turn=public.turn + 1, die=die, said=(*public.said, guesses))
        state = replace(state, own=own, public=replace(public, ended=ended))
        return Step(state, (*events, said, *self.ending(state)))

    def ending(self, state: State) -> tuple[Event, ...]:
        return (Event(fact("ended", why=state.public.ended), EVERYONE),) if state.public.ended else ()

    def withdraw(self, state: State, seat: int, rng: Rng) -> Step[State]:
        if state.public.ended:
            raise IllegalAction(msg("over"))
        gone = tuple(left or who == seat for who, left in enumerate(state.public.gone))
        ended = "left" if gone.count(False) == 1 else ""
        state = replace(state, public=replace(state.public, gone=gone, ended=ended))
        events = (Event(fact("left", seat=seat), EVERYONE),)
        return Step(state, (*events, *self.ending(state))) if ended else self.resolved(state, events, rng)

    def agree(self, state: State, rng: Rng) -> Step[State]:
        if state.public.ended:
            raise IllegalAction(msg("over"))
        state = replace(state, public=replace(state.public, ended="agreed"))
        return Step(state, self.ending(state))

    def lapse(self, view: View, rng: Rng) -> Words | None:
        if view.seat not in waiting(view.public) or not view.public.turn:
            return None
        return ("guess", str(rng.stream("lapse").below(view.public.top) + 1))

    def player(self, view: View, menu: Menu, rng: Rng) -> Words:
        return walk(self, view, menu, rng)

    def view(self, state: State, viewer: Viewer) -> View:
        public, own = state.public, None if viewer is None else state.own[viewer]
        parity = state.hidden % 2 if viewer is not None and public.peeked[viewer] else None
        if public.ended:
            return View(viewer, public, own, parity, state.own, state.hidden)
        return View(viewer, public, own, parity, None, None)

    def waiting(self, view: View) -> frozenset[int]:
        return waiting(view.public)

    def menu(self, view: View, draft: Words = ()) -> Menu | None:
        return menus.menu(view, draft)

    def preview(self, view: View, draft: Words) -> View:
        if view.own is None or draft == ("peek",):
            return view
        return replace(view, own=sentences.applied(view.own, draft))

    def narrate(self, fact: Fact) -> Msg | None:
        match fact.kind:
            case "marked":
                return None
            case "said":
                return msg("said", guesses=" ".join(map(str, _numbers(fact["guesses"]))))
            case "ended":
                return msg(f"ended_{fact['why']}")
            case "ready" | "peeked" | "left":
                return msg(fact.kind, seat=SeatName(int(str(fact["seat"]))))
        return msg(fact.kind, **{name: value for name, value in fact.data if isinstance(value, int)})

    def outcome(self, view: View) -> Outcome | None:
        public = view.public
        if not public.ended:
            return None
        reasons = (msg(f"ended_{public.ended}"),)
        staying = tuple(seat for seat, left in enumerate(public.gone) if not left)
        left = tuple(seat for seat, gone in enumerate(public.gone) if gone)
        winners = staying
        if public.ended == "found" and view.hidden is not None:
            winners = tuple(seat for seat in staying if public.said[-1][seat] == view.hidden) or staying
        rest = tuple(seat for seat in staying if seat not in winners)
        ranks = tuple(rank for rank in (winners, rest, left) if rank)
        return Outcome(
            ranks, reasons, tuple((seat, int(seat in winners)) for seat in range(len(public.gone)))
        )

    def imagine(self, view: View, rng: Rng) -> State:
        if view.hidden is not None and view.all_own is not None:
            return State(view.public, view.all_own, view.hidden)
        public, stream = view.public, rng.stream("imagine")
        tried = {guess for guesses in public.said for guess in guesses}
        numbers = [n for n in range(1, public.top + 1) if n not in tried and view.parity in (None, n % 2)]
        hidden = stream.choice(numbers)
        own = tuple(
            view.own if seat == view.seat and view.own is not None else self.dreamt(public, seat, stream)
            for seat in range(len(public.gone))
        )
        return State(public, own, hidden)

    def dreamt(self, public: Public, seat: int, stream: Stream) -> Own:
        """Return a private part that another seat may have."""
        order = "".join(stream.shuffled(LETTERS)) if public.turn or public.ready[seat] else ""
        guess = stream.below(public.top) + 1 if public.turn and public.ready[seat] else 0
        marks = (stream.below(public.top) + 1,) if public.turn and stream.chance(1, 4) else ()
        return Own(order, guess, marks)

    def read(self, text: str) -> Words:
        words = tuple(text.split(" ")) if text else ()
        sentences.check_shape(words)
        return words

    def write(self, words: Words) -> str:
        return " ".join(words)

    def describe(self, view: View) -> Mapping[str, Any]:
        own = None if view.own is None else _own(view.own)
        everything = None if view.all_own is None else [_own(part) for part in view.all_own]
        return {
            "seat": view.seat,
            "public": _public(view.public),
            "own": own,
            "parity": view.parity,
            "all": everything,
            "hidden": view.hidden,
        }

    def record(self, state: State) -> Mapping[str, Any]:
        return {
            "public": _public(state.public),
            "own": [_own(part) for part in state.own],
            "hidden": state.hidden,
        }

    def position(self, text: str) -> State:
        found = re.fullmatch(r"([23]) (6|30) ([1-9][0-9]?)", text)
        if not found or int(found[3]) > int(found[2]):
            raise InvalidAction(msg("no_position"))
        seats, top, hidden = map(int, found.groups())
        none = (False,) * seats
        return State(Public(top, none, none, none, turn=1), (Own("abc"),) * seats, hidden)

    def position_text(self, state: State) -> str:
        return f"{len(state.own)} {state.public.top} {state.hidden}"

    def situation(self, value: Mapping[str, Any], setup: Setup, rng: Rng) -> State:
        top = int(setup.option("top"))
        hidden = value.get("hidden", rng.stream("hidden").below(top) + 1)
        return self.position(f"{setup.seats} {top} {hidden}")


def _numbers(value: object) -> tuple[int, ...]:
    return value if isinstance(value, tuple) else ()


def _own(own: Own) -> dict[str, Any]:
    return {"order": own.order, "guess": own.guess, "marks": list(own.marks)}


def _public(public: Public) -> dict[str, Any]:
    return {
        "top": public.top,
        "ready": list(public.ready),
        "peeked": list(public.peeked),
        "gone": list(public.gone),
        "turn": public.turn,
        "die": public.die,
        "said": [list(guesses) for guesses in public.said],
        "ended": public.ended,
    }
