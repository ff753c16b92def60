"""The toy game with faults planted: each must turn one of the checks red."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engines.core.contract import (
    EVERYONE,
    Choice,
    Event,
    Fact,
    Field,
    IllegalAction,
    InvalidAction,
    Menu,
    Msg,
    Outcome,
    Setup,
    Step,
    Viewer,
    Words,
    fact,
    msg,
)
from engines.core.rng import Rng
from tests.core.toy.game import Toy
from tests.core.toy.state import State, View


class SeesAll(Toy):
    """Its views hold the hidden number."""

    def view(self, state: State, viewer: Viewer) -> View:
        return replace(super().view(state, viewer), hidden=state.hidden)


class ShowsParity(Toy):
    """Its views hold the number's parity, peeked or not, and its twins respect that."""

    def view(self, state: State, viewer: Viewer) -> View:
        return replace(super().view(state, viewer), parity=state.hidden % 2)


@dataclass(frozen=True, slots=True, repr=False)
class SlyView(View):
    """A view with the truth in a field that ``==`` passes over."""

    truth: int = field(default=0, compare=False)


def _sly(state: State, view: View) -> SlyView:
    return SlyView(
        view.seat, view.public, view.own, view.parity, view.all_own, view.hidden, truth=state.hidden
    )


class SlyMenu(Toy):
    """Its menus look at the truth behind the view."""

    def view(self, state: State, viewer: Viewer) -> View:
        return _sly(state, super().view(state, viewer))

    def menu(self, view: View, draft: Words = ()) -> Menu | None:
        found = super().menu(view, draft)
        return found if found is None or not isinstance(view, SlyView) else self.ordered(found, view.truth)

    def ordered(self, menu: Menu, truth: int) -> Menu:
        turned = truth % 2 == 0
        fields = tuple(replace(f, choices=f.choices[::-1] if turned else f.choices) for f in menu.fields)
        return replace(menu, fields=fields)


class SlyDescription(SlyMenu):
    """Its description of a view looks at the truth behind it."""

    def ordered(self, menu: Menu, truth: int) -> Menu:
        return menu

    def describe(self, view: View) -> Mapping[str, Any]:
        return {**super().describe(view), "hint": view.truth % 2 if isinstance(view, SlyView) else 0}


class TellingRefusal(Toy):
    """Its refusals depend on the hidden number."""

    def act(self, state: State, seat: int, words: Words, rng: Rng) -> Step[State]:
        try:
            return super().act(state, seat, words, rng)
        except InvalidAction:
            raise InvalidAction(msg("no_sentence" if state.hidden % 2 else "unfinished")) from None


class LegalByTruth(Toy):
    """It refuses all guesses at an odd number."""

    def act(self, state: State, seat: int, words: Words, rng: Rng) -> Step[State]:
        if state.public.turn and words[:1] == ("guess",) and state.hidden % 2:
            raise IllegalAction(msg("not_now"))
        return super().act(state, seat, words, rng)


class LoudPeek(Toy):
    """What a seat peeks at is told to everybody."""

    def peek(self, state: State, seat: int) -> Step[State]:
        step = super().peek(state, seat)
        return Step(step.state, tuple(replace(event, audience=EVERYONE) for event in step.events))


class LoudCommit(Toy):
    """What a seat commits in secret is told to everybody."""

    def act(self, state: State, seat: int, words: Words, rng: Rng) -> Step[State]:
        step = super().act(state, seat, words, rng)
        told = Event(fact("opened", top=len(words[-1]) + ord(words[-1][0])), EVERYONE)
        return Step(step.state, (*step.events, told))


class LoudLeave(Toy):
    """Who leaves tells everybody the hidden number's parity, while the others play on."""

    def withdraw(self, state: State, seat: int, rng: Rng) -> Step[State]:
        step = super().withdraw(state, seat, rng)
        return Step(step.state, (*step.events, Event(fact("parity", odd=state.hidden % 2), EVERYONE)))


class LoudStart(Toy):
    """The hidden number is told at the start."""

    def start(self, setup: Setup, rng: Rng) -> Step[State]:
        step = super().start(setup, rng)
        return Step(step.state, (*step.events, Event(fact("opened", top=step.state.hidden), EVERYONE)))


class WrongTwin(Toy):
    """Its imagined truths are not those of the view."""

    def imagine(self, view: View, rng: Rng) -> State:
        state = super().imagine(view, rng)
        return replace(state, public=replace(state.public, die=6))


class NoTwin(Toy):
    """Its imagined truth is always the same, so that nobody could be fooled by it."""

    def view(self, state: State, viewer: Viewer) -> View:
        return replace(super().view(state, viewer), all_own=state.own, hidden=state.hidden)


class Unordered(Toy):
    """Its menus' order is that of a set of texts, which the hash seed decides."""

    def menu(self, view: View, draft: Words = ()) -> Menu | None:
        found = super().menu(view, draft)
        return None if found is None else replace(found, fields=tuple(map(self.unordered, found.fields)))

    def unordered(self, part: Field) -> Field:
        words = list({choice.word for choice in part.choices})
        return replace(part, choices=tuple(sorted(part.choices, key=lambda choice: words.index(choice.word))))


class Remembers(Toy):
    """It answers by how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def lapse(self, view: View, rng: Rng) -> Words | None:
        self.asked += 1
        return ("guess", str(self.asked % 6 + 1)) if super().lapse(view, rng) else None


class Meddles(Toy):
    """Looking at its views changes the state."""

    def view(self, state: State, viewer: Viewer) -> View:
        seen = super().view(state, viewer)
        object.__setattr__(state, "hidden", state.hidden % state.public.top + 1)
        return seen


@dataclass(frozen=True, slots=True)
class OpenView(View):
    """A view whose repr prints it."""


class OpenRepr(Toy):
    """Its views print what they hold."""

    def view(self, state: State, viewer: Viewer) -> View:
        view = super().view(state, viewer)
        return OpenView(view.seat, view.public, view.own, view.parity, view.all_own, view.hidden)


class Unpicklable(Toy):
    """Its views cannot be sent anywhere."""

    def view(self, state: State, viewer: Viewer) -> View:
        view = super().view(state, viewer)

        @dataclass(frozen=True, slots=True, repr=False)
        class Local(View):
            pass

        return Local(view.seat, view.public, view.own, view.parity, view.all_own, view.hidden)


class DeadEnd(Toy):
    """It offers a word that it does not take."""

    def menu(self, view: View, draft: Words = ()) -> Menu | None:
        found = super().menu(view, draft)
        if found is None or draft != ("guess",):
            return found
        more = Choice(str(view.public.top + 1), msg("guess"), group="high")
        return replace(found, fields=(replace(found.fields[0], choices=(*found.fields[0].choices, more)),))


class Unconfirmed(Toy):
    """Its menus call complete what it does not take."""

    def menu(self, view: View, draft: Words = ()) -> Menu | None:
        found = super().menu(view, draft)
        return None if found is None else replace(found, complete=True)


class TakesMore(Toy):
    """It takes a sentence that no menu leads to."""

    def act(self, state: State, seat: int, words: Words, rng: Rng) -> Step[State]:
        return super().act(state, seat, words[:2] if words[:1] == ("guess",) else words, rng)


class Breaks(Toy):
    """It raises an error of its own at words that it does not know."""

    def act(self, state: State, seat: int, words: Words, rng: Rng) -> Step[State]:
        try:
            return super().act(state, seat, words, rng)
        except InvalidAction as error:
            raise KeyError("words") from error


class LongWords(Toy):
    """Its words are too long for a button."""

    def menu(self, view: View, draft: Words = ()) -> Menu | None:
        found = super().menu(view, draft)
        return None if found is None else replace(found, fields=tuple(map(self.long, found.fields)))

    def long(self, part: Field) -> Field:
        return replace(part, choices=tuple(replace(c, word=c.word + "x" * 60) for c in part.choices))


class NoLabel(Toy):
    """A label of its menus stands in no catalogue."""

    def menu(self, view: View, draft: Words = ()) -> Menu | None:
        found = super().menu(view, draft)
        return None if found is None else replace(found, prompt=msg("nowhere"))


class NoSentence(Toy):
    """A fact of it stands in no catalogue."""

    def narrate(self, fact: Fact) -> Msg | None:
        return msg("nowhere") if fact.kind == "said" else super().narrate(fact)


class TellingPreview(Toy):
    """Its preview shows what a word would reveal."""

    def preview(self, view: View, draft: Words) -> View:
        shown = super().preview(view, draft)
        return replace(shown, parity=1) if draft == ("peek",) else shown


class WrongNotation(Toy):
    """What it writes is not what it reads."""

    def write(self, words: Words) -> str:
        return " ".join(words[::-1])


class GoesOn(Toy):
    """It takes acts after the end."""

    def act(self, state: State, seat: int, words: Words, rng: Rng) -> Step[State]:
        return Step(state, ()) if state.public.ended else super().act(state, seat, words, rng)


class NeverEnds(Toy):
    """Its last round is never over."""

    def outcome(self, view: View) -> Outcome | None:
        return None


class HidesEnd(Toy):
    """It reveals nothing after the end."""

    def view(self, state: State, viewer: Viewer) -> View:
        return replace(super().view(state, viewer), all_own=None, hidden=None)


class KeepsWaiting(Toy):
    """It waits for who has left."""

    def withdraw(self, state: State, seat: int, rng: Rng) -> Step[State]:
        step = super().withdraw(state, seat, rng)
        return Step(replace(state, public=replace(step.state.public, gone=state.public.gone)), step.events)


class LateLapse(Toy):
    """At a deadline it brings a sentence that it refuses."""

    def lapse(self, view: View, rng: Rng) -> Words | None:
        return super().lapse(view, rng) and ("guess", str(view.public.top + 1))


class DrawnByLot(Toy):
    """An agreed draw is won by the first seat."""

    def outcome(self, view: View) -> Outcome | None:
        found = super().outcome(view)
        if found is None or view.public.ended != "agreed":
            return found
        return replace(found, ranks=tuple((seat,) for rank in found.ranks for seat in rank))


UNORDERED = Unordered()
