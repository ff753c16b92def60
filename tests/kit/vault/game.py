"""The vault game: see the package."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engines.core.base import BaseGame
from engines.core.contract import (
    EVERYONE,
    Event,
    Fact,
    InvalidAction,
    Manifest,
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
    only,
)
from engines.core.rng import Rng
from tests.kit.vault import menus
from tests.kit.vault.state import CARDS, ROUNDS, Own, Public, State, View, waiting, word

CHOICES = tuple(OptionChoice(key, msg(f"pledges_{key}")) for key in ("secret", "open"))

MANIFEST = Manifest(
    key="vault",
    title="Vault",
    rulesets=("1",),
    seats=(2, 3),
    seat_labels=(msg("red"), msg("green"), msg("blue")),
    tagline=msg("tagline"),
    options=(Option("pledges", msg("pledges"), CHOICES, default="secret"),),
)


class Vault(BaseGame[State, View]):
    """The game; faults are planted around it, not in it."""

    manifest = MANIFEST

    def on_start(self, setup: Setup, rng: Rng) -> Step[State]:
        none = (False,) * setup.seats
        hands = [tuple(word(rng, seat, n) for n in range(CARDS)) for seat in range(setup.seats)]
        state = State(
            Public(setup.option("pledges") == "open", none, none), tuple(map(Own, hands)), word(rng, "vault")
        )
        held = [Event(fact("held", cards=hand), only(seat)) for seat, hand in enumerate(hands)]
        return Step(state, (Event(fact("dealt"), EVERYONE), *held))

    def act(self, state: State, seat: int, words: Words, rng: Rng) -> Step[State]:
        menus.check(self.view(state, seat), words)
        own = state.own[seat]
        match words:
            case ("lay", card):
                return self._laid(_with(state, seat, replace(own, laid=card)), seat, card)
            case ("peek",):
                seen = Event(fact("clue", card=state.vault), only(seat))
                return Step(_with(state, seat, replace(own, clue=state.vault)), (seen,))
            case ("return", other):
                return self._returned(_with(state, seat, replace(own, sent=int(other))), int(other))
            case ("note", card):
                notes = tuple(sorted({*own.notes} ^ {card}))
                return Step(_with(state, seat, replace(own, notes=notes)), ())
            case ("sort", order):
                return Step(_with(state, seat, replace(own, hand=menus.cut(order))), ())
        raise InvalidAction(msg("unfinished"))

    def _laid(self, state: State, seat: int, card: str) -> Step[State]:
        events = [Event(fact("laid", card=card), only(seat))]
        if state.public.pledged:
            state = _ready(state, seat, ready=True)
            events.append(Event(fact("ready", seat=seat), EVERYONE))
        return self._turned(state, tuple(events))

    def _returned(self, state: State, other: int) -> Step[State]:
        if not state.own[other].laid:
            return Step(state, ())
        state = _with(state, other, replace(state.own[other], laid=""))
        events = [Event(fact("returned"), only(other))]
        if state.public.pledged:
            state = _ready(state, other, ready=False)
            events.append(Event(fact("unready", seat=other), EVERYONE))
        return Step(state, tuple(events))

    def _turned(self, state: State, events: tuple[Event, ...]) -> Step[State]:
        """Turn the cards once all remaining seats have laid."""
        public = state.public
        if public.ended or not all(
            own.laid or gone for own, gone in zip(state.own, public.gone, strict=True)
        ):
            return Step(state, events)
        cards = tuple(own.laid for own in state.own)
        own = tuple(
            replace(o, hand=tuple(card for card in o.hand if card != o.laid), laid="", sent=None)
            for o in state.own
        )
        shown = (*public.shown, cards)
        ended = "high" if len(shown) == ROUNDS else ""
        none = (False,) * len(cards)
        state = replace(state, own=own, public=replace(public, ready=none, shown=shown, ended=ended))
        return Step(state, (*events, Event(fact("shown", cards=cards), EVERYONE), *_ending(state)))

    def seats(self, state: State) -> range:
        return range(len(state.own))

    def gone(self, view: View) -> tuple[int, ...]:
        return tuple(seat for seat, gone in enumerate(view.public.gone) if gone)

    def on_withdraw(self, state: State, seat: int, rng: Rng) -> Step[State]:
        gone = tuple(left or who == seat for who, left in enumerate(state.public.gone))
        ended = "left" if gone.count(False) == 1 else ""
        state = replace(state, public=replace(state.public, gone=gone, ended=ended))
        events = (Event(fact("left", seat=seat), EVERYONE), *_ending(state))
        return self._turned(state, events)

    def on_agree(self, state: State, rng: Rng) -> Step[State]:
        state = replace(state, public=replace(state.public, ended="agreed"))
        return Step(state, _ending(state))

    def view(self, state: State, viewer: Viewer) -> View:
        own = None if viewer is None else state.own[viewer]
        if state.public.ended:
            # Notes stay private, even at the end.
            all_own = tuple(replace(part, notes=()) for part in state.own)
            return View(viewer, state.public, own, all_own, state.vault)
        return View(viewer, state.public, own, None, None)

    def waiting(self, view: View) -> frozenset[int]:
        return waiting(view)

    def may_act(self, view: View) -> bool:
        return view.viewer is not None and not view.public.ended and not view.public.gone[view.viewer]

    def menu_for(self, view: View, draft: Words) -> Menu:
        return menus.menu(view, draft)

    def preview(self, view: View, draft: Words) -> View:
        if view.own is None or len(draft) < 2:
            return view
        match draft:
            case ("lay", card):
                return replace(view, own=replace(view.own, laid=card))
            case ("note", card):
                return replace(view, own=replace(view.own, notes=(card,)))
            case ("sort", order):
                return replace(view, own=replace(view.own, hand=menus.cut(order)))
        return view

    def narrate(self, fact: Fact) -> Msg | None:
        if fact.kind == "ended":
            return msg(f"ended_{fact['why']}")
        cards = fact.get("cards")
        if isinstance(cards, tuple):
            return msg(fact.kind, cards=" ".join(map(str, cards)))
        return super().narrate(fact)

    def outcome(self, view: View) -> Outcome | None:
        public = view.public
        if not public.ended:
            return None
        staying = [seat for seat, gone in enumerate(public.gone) if not gone]
        left = self.gone(view)
        winners = tuple(staying)
        if public.ended == "agreed":
            winners, left = tuple(range(len(public.gone))), ()
        elif public.ended == "high":
            winners = (max(staying, key=lambda seat: public.shown[-1][seat]),)
        rest = tuple(seat for seat in staying if seat not in winners)
        ranks = tuple(rank for rank in (winners, rest, left) if rank)
        return Outcome(ranks, (msg(f"ended_{public.ended}"),))

    def imagine(self, view: View, rng: Rng) -> State:
        if view.all_own is not None and view.vault is not None:
            own = [
                view.own if seat == view.viewer and view.own is not None else self._noted(part, seat, rng)
                for seat, part in enumerate(view.all_own)
            ]
            return State(view.public, tuple(own), view.vault)
        own = [
            view.own if seat == view.viewer and view.own is not None else self._dreamt(view, seat, rng)
            for seat in range(len(view.public.gone))
        ]
        asked = sorted(waiting(view))
        if asked and not view.public.pledged and all(own[seat].laid for seat in asked):
            who = rng.stream("asked").choice(asked)
            own[who] = replace(own[who], laid="")
        clue = view.own.clue if view.own is not None else ""
        vault = clue or word(rng, "vault")
        peeked = rng.stream("peeked")
        own = [
            replace(part, clue=vault) if seat != view.viewer and peeked.chance(1, 3) else part
            for seat, part in enumerate(own)
        ]
        return State(view.public, tuple(own), vault)

    def _dreamt(self, view: View, seat: int, rng: Rng) -> Own:
        """Return a possible private part of another seat."""
        public, stream = view.public, rng.stream("dreamt", seat)
        hand = tuple(word(rng, seat, n) for n in range(CARDS - len(public.shown)))
        laid = public.ready[seat] if public.pledged else stream.chance(1, 2)
        if public.gone[seat] and not public.pledged:
            laid = False
        others = [other for other in range(len(public.gone)) if other != seat]
        sent = stream.choice(others) if stream.chance(1, 3) else None
        own = Own(hand, hand[0] if laid else "", sent=sent)
        return self._noted(own, seat, rng)

    def _noted(self, own: Own, seat: int, rng: Rng) -> Own:
        return replace(own, notes=own.hand[:1] if rng.stream("noted", seat).chance(1, 3) else ())

    def is_note(self, words: Words) -> bool:
        return words[:1] == ("note",)

    def record(self, state: State) -> Mapping[str, Any]:
        own = tuple(replace(part, notes=()) for part in state.own)
        return super().record(replace(state, own=own))

    def read(self, text: str) -> Words:
        return tuple(text.lower().split())


def _with(state: State, seat: int, own: Own) -> State:
    return replace(state, own=(*state.own[:seat], own, *state.own[seat + 1 :]))


def _ready(state: State, seat: int, *, ready: bool) -> State:
    flags = tuple(ready if who == seat else flag for who, flag in enumerate(state.public.ready))
    return replace(state, public=replace(state.public, ready=flags))


def _ending(state: State) -> tuple[Event, ...]:
    return (Event(fact("ended", why=state.public.ended), EVERYONE),) if state.public.ended else ()
