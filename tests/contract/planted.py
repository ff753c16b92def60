"""The vault with faults planted: each must turn one of the checks red."""

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
    Option,
    OptionChoice,
    Outcome,
    Setup,
    Step,
    Viewer,
    Words,
    fact,
    msg,
)
from engines.core.rng import Rng
from tests.kit.vault.game import MANIFEST, Vault
from tests.kit.vault.state import State, View


class SeesAll(Vault):
    """Its views hold the card in the vault."""

    def view(self, state: State, viewer: Viewer) -> View:
        return replace(super().view(state, viewer), vault=state.vault)


class ShowsHalf(Vault):
    """Its views tell half of what lies in the vault."""

    def view(self, state: State, viewer: Viewer) -> View:
        return replace(super().view(state, viewer), vault=state.vault[:4])


@dataclass(frozen=True, slots=True, repr=False)
class SlyView(View):
    """A view with the truth in a field that ``==`` passes over."""

    truth: int = field(default=0, compare=False)


def odd(state: State) -> int:
    """Return something that hangs on what is hidden."""
    return ord(state.vault[0]) % 2


def _sly(state: State, view: View) -> SlyView:
    return SlyView(view.viewer, view.public, view.own, view.all_own, view.vault, truth=odd(state))


class SlyMenu(Vault):
    """Its menus look at the truth behind the view."""

    def view(self, state: State, viewer: Viewer) -> View:
        return _sly(state, super().view(state, viewer))

    def menu(self, view: View, draft: Words = ()) -> Menu | None:
        found = super().menu(view, draft)
        return found if found is None or not isinstance(view, SlyView) else self.ordered(found, view.truth)

    def ordered(self, menu: Menu, truth: int) -> Menu:
        turned = truth == 0
        fields = tuple(replace(f, choices=f.choices[::-1] if turned else f.choices) for f in menu.fields)
        return replace(menu, fields=fields)


class SlyDescription(SlyMenu):
    """Its description of a view looks at the truth behind it."""

    def ordered(self, menu: Menu, truth: int) -> Menu:
        return menu

    def describe(self, view: View) -> Mapping[str, Any]:
        return {**super().describe(view), "hint": view.truth if isinstance(view, SlyView) else 0}


class TellingRefusal(Vault):
    """Its refusals depend on the card in the vault."""

    def act(self, state: State, seat: int, words: Words, rng: Rng) -> Step[State]:
        try:
            return super().act(state, seat, words, rng)
        except InvalidAction:
            raise InvalidAction(msg("no_sentence" if odd(state) else "unfinished")) from None


class LegalByTruth(Vault):
    """It refuses all notes in half of all truths."""

    def act(self, state: State, seat: int, words: Words, rng: Rng) -> Step[State]:
        if words[:1] == ("note",) and odd(state):
            raise IllegalAction(msg("not_now"))
        return super().act(state, seat, words, rng)


class LoudPeek(Vault):
    """What a seat peeks at is told to everybody."""

    def act(self, state: State, seat: int, words: Words, rng: Rng) -> Step[State]:
        step = super().act(state, seat, words, rng)
        if words != ("peek",):
            return step
        return Step(step.state, tuple(replace(event, audience=EVERYONE) for event in step.events))


class LoudCommit(Vault):
    """What a seat commits in secret is told to everybody."""

    def act(self, state: State, seat: int, words: Words, rng: Rng) -> Step[State]:
        step = super().act(state, seat, words, rng)
        told = Event(fact("clue", card=words[-1]), EVERYONE)
        return Step(step.state, (*step.events, told))


class LoudLeave(Vault):
    """Who leaves tells everybody what lies in the vault, while the others play on."""

    def withdraw(self, state: State, seat: int, rng: Rng) -> Step[State]:
        step = super().withdraw(state, seat, rng)
        return Step(step.state, (*step.events, Event(fact("clue", card=state.vault), EVERYONE)))


class LoudStart(Vault):
    """What lies in the vault is told at the start."""

    def start(self, setup: Setup, rng: Rng) -> Step[State]:
        step = super().start(setup, rng)
        return Step(step.state, (*step.events, Event(fact("clue", card=step.state.vault), EVERYONE)))


OPENLY = OptionChoice("openly", msg("openly"), (("pledges", "open"),))
"""A choice of another option, which settles how pledges are made."""


class Settling(Vault):
    """A sound game, one option of which settles another."""

    manifest = replace(
        MANIFEST,
        options=(
            *MANIFEST.options,
            Option("mood", msg("mood"), (OptionChoice("any", msg("any")), OPENLY), default="any"),
        ),
    )


class Unheeded(Settling):
    """It begins as if its options settled nothing."""

    def start(self, setup: Setup, rng: Rng) -> Step[State]:
        return self.on_start(setup, rng)


class WrongTwin(Vault):
    """Its imagined truths are not those of the view."""

    def imagine(self, view: View, rng: Rng) -> State:
        state = super().imagine(view, rng)
        return replace(state, public=replace(state.public, gone=(True,) * len(state.own)))


class NoTwin(Vault):
    """Its imagined truth is always the same, so that nobody could be fooled by it."""

    def view(self, state: State, viewer: Viewer) -> View:
        return replace(super().view(state, viewer), all_own=state.own, vault=state.vault)


class Unordered(Vault):
    """Its menus' order is that of a set of texts, which the hash seed decides."""

    def menu(self, view: View, draft: Words = ()) -> Menu | None:
        found = super().menu(view, draft)
        return None if found is None else replace(found, fields=tuple(map(self.unordered, found.fields)))

    def unordered(self, part: Field) -> Field:
        words = list({choice.word for choice in part.choices})
        return replace(part, choices=tuple(sorted(part.choices, key=lambda choice: words.index(choice.word))))


class Remembers(Vault):
    """It answers by how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def lapse(self, view: View, rng: Rng) -> Words | None:
        self.asked += 1
        return ("lay", str(self.asked))


class Meddles(Vault):
    """Looking at its views changes the state."""

    def view(self, state: State, viewer: Viewer) -> View:
        seen = super().view(state, viewer)
        object.__setattr__(state, "vault", state.vault[1:] + state.vault[:1])
        return seen


@dataclass(frozen=True, slots=True)
class OpenView(View):
    """A view whose repr prints it."""


class OpenRepr(Vault):
    """Its views print what they hold."""

    def view(self, state: State, viewer: Viewer) -> View:
        view = super().view(state, viewer)
        return OpenView(view.viewer, view.public, view.own, view.all_own, view.vault)


class Unpicklable(Vault):
    """Its views cannot be sent anywhere."""

    def view(self, state: State, viewer: Viewer) -> View:
        view = super().view(state, viewer)

        @dataclass(frozen=True, slots=True, repr=False)
        class Local(View):
            pass

        return Local(view.viewer, view.public, view.own, view.all_own, view.vault)


class DeadEnd(Vault):
    """It offers a word that it does not take."""

    def menu(self, view: View, draft: Words = ()) -> Menu | None:
        found = super().menu(view, draft)
        if found is None or draft != ("lay",):
            return found
        more = Choice("z" * 9, msg("lay"))
        return replace(found, fields=(replace(found.fields[0], choices=(*found.fields[0].choices, more)),))


class Unconfirmed(Vault):
    """Its menus call complete what it does not take."""

    def menu(self, view: View, draft: Words = ()) -> Menu | None:
        found = super().menu(view, draft)
        return None if found is None else replace(found, complete=True)


class TakesMore(Vault):
    """It takes a sentence that no menu leads to."""

    def act(self, state: State, seat: int, words: Words, rng: Rng) -> Step[State]:
        return super().act(state, seat, words[:2] if words[:1] == ("lay",) else words, rng)


class Breaks(Vault):
    """It raises an error of its own at words that it does not know."""

    def act(self, state: State, seat: int, words: Words, rng: Rng) -> Step[State]:
        try:
            return super().act(state, seat, words, rng)
        except InvalidAction as error:
            raise KeyError("words") from error


class LongWords(Vault):
    """Its words are too long for a button."""

    def menu(self, view: View, draft: Words = ()) -> Menu | None:
        found = super().menu(view, draft)
        return None if found is None else replace(found, fields=tuple(map(self.long, found.fields)))

    def long(self, part: Field) -> Field:
        return replace(part, choices=tuple(replace(c, word=c.word + "x" * 60) for c in part.choices))


class NoLabel(Vault):
    """A label of its menus stands in no catalogue."""

    def menu(self, view: View, draft: Words = ()) -> Menu | None:
        found = super().menu(view, draft)
        return None if found is None else replace(found, prompt=msg("nowhere"))


class NoSentence(Vault):
    """A fact of it stands in no catalogue."""

    def narrate(self, fact: Fact) -> Msg | None:
        return msg("nowhere") if fact.kind == "shown" else super().narrate(fact)


class TellingPreview(Vault):
    """Its preview shows what a word would reveal."""

    def preview(self, view: View, draft: Words) -> View:
        shown = super().preview(view, draft)
        if draft != ("peek",) or shown.own is None:
            return shown
        return replace(shown, own=replace(shown.own, clue="seen"))


class WrongNotation(Vault):
    """What it writes is not what it reads."""

    def write(self, words: Words) -> str:
        return " ".join(words[::-1])


class GoesOn(Vault):
    """It takes acts after the end."""

    def act(self, state: State, seat: int, words: Words, rng: Rng) -> Step[State]:
        return Step(state, ()) if state.public.ended else super().act(state, seat, words, rng)


class NeverEnds(Vault):
    """Its last round is never over."""

    def outcome(self, view: View) -> Outcome | None:
        return None


class HidesEnd(Vault):
    """It reveals nothing after the end."""

    def view(self, state: State, viewer: Viewer) -> View:
        return replace(super().view(state, viewer), all_own=None, vault=None)


class KeepsWaiting(Vault):
    """It waits for who has left."""

    def withdraw(self, state: State, seat: int, rng: Rng) -> Step[State]:
        step = super().withdraw(state, seat, rng)
        return Step(replace(state, public=replace(step.state.public, gone=state.public.gone)), step.events)


class LateLapse(Vault):
    """At a deadline it brings a sentence that it refuses."""

    def lapse(self, view: View, rng: Rng) -> Words | None:
        return ("lay", "z" * 9) if view.viewer in self.waiting(view) else None


class DrawnByLot(Vault):
    """An agreed draw is won by the first seat."""

    def outcome(self, view: View) -> Outcome | None:
        found = super().outcome(view)
        if found is None or view.public.ended != "agreed":
            return found
        return replace(found, ranks=tuple((seat,) for rank in found.ranks for seat in rank))


class Together(Vault):
    """A sound game in which all play together: they win if nobody leaves."""

    manifest = replace(Vault.manifest, cooperative=True)

    def outcome(self, view: View) -> Outcome | None:
        found = super().outcome(view)
        if found is None:
            return None
        won = None if view.public.ended == "agreed" else not any(view.public.gone)
        return replace(found, ranks=(tuple(range(len(view.public.gone))),), won=won)


class WonAlone(Vault):
    """All win together, in a game in which everybody plays for oneself."""

    def outcome(self, view: View) -> Outcome | None:
        return Together.outcome(Together(), view)


class Unsettled(Together):
    """All play together, and nobody says whether they have won."""

    def outcome(self, view: View) -> Outcome | None:
        found = super().outcome(view)
        return None if found is None else replace(found, won=None)


class RankedTogether(Together):
    """All play together, and one of them is better than the others."""

    def outcome(self, view: View) -> Outcome | None:
        found = super().outcome(view)
        return None if found is None else replace(found, ranks=((0,), found.ranks[0][1:]))


class WonByLeaving(Together):
    """All win together, whoever has left."""

    def outcome(self, view: View) -> Outcome | None:
        found = super().outcome(view)
        return found if found is None or found.won is None else replace(found, won=True)


UNORDERED = Unordered()
