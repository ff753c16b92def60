"""States that a viewer could not tell from the real one: other modules, other decks, other programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from engines.core.base import fields_of
from engines.core.contract import Seat, Words
from engines.core.rng import Rng, Stream
from engines.volt.answers import Question, sentences
from engines.volt.arena import arena
from engines.volt.draft import Basis
from engines.volt.modules import MODULES, Use, cards, choices, deck_of, in_order, worded
from engines.volt.player import random_draft
from engines.volt.state import Own, State, look
from engines.volt.view import DECKS, UNITS, CardView, DieView, Phase, ProgramView, Public, View

Names = tuple[str, ...]


def imagine(view: View, rng: Rng) -> State:
    """Return a state consistent with this view.

    Hidden modules are drawn from those that nobody has shown, names once face up stay with their
    owners; answers that wait for others are drawn anew; of last round's words, those may differ that
    had no occasion to turn up.
    """
    stream = rng.stream("imagine")
    public = Public(**fields_of(Public, view))
    held = {seat: _known(view, seat) for seat in public.seats}
    if not public.training and public.phase is not Phase.OVER:
        for deck in DECKS:
            for seat, names in _Guess(view, deck, stream).names.items():
                active, spare = held[seat]
                count = sum(card.deck == deck and card.name is None for card in view.modules[seat].active)
                mixed = stream.shuffled(names)
                held[seat] = ((*active, *mixed[:count]), (*spare, *mixed[count:]))
    own = tuple(
        Own(in_order(held[seat][0]), in_order(held[seat][1]), (), view.revealed[seat])
        for seat in public.seats
    )
    state = State(public, own, _decks(view, own, stream))
    programs = (_whole(state, view, seat, stream) for seat in public.seats)
    own = tuple(replace(part, program=program) for part, program in zip(own, programs, strict=True))
    state = replace(state, own=own)
    answers = (_answer(state, view, seat, stream) for seat in public.seats)
    return replace(
        state, own=tuple(replace(part, answer=words) for part, words in zip(own, answers, strict=True))
    )


# --- modules --------------------------------------------------------------------------------------


def _names(found: tuple[CardView, ...]) -> Names:
    return in_order(tuple(card.name for card in found if card.name))


def _known(view: View, seat: Seat) -> tuple[Names, Names]:
    modules = view.modules[seat]
    return _names(modules.active), _names(modules.spare)


class _Guess:
    """Draws the hidden modules of one deck for all seats whose backs the viewer sees."""

    def __init__(self, view: View, deck: str, stream: Stream) -> None:
        self._stream = stream
        left = Counter(cards(deck))
        self._owned: dict[Seat, set[str]] = {}
        self.names: dict[Seat, Names] = {}
        slots: list[Seat] = []
        for seat, modules in enumerate(view.modules):
            shown = {card.name for card in (*modules.active, *modules.spare) if card.name}
            owned = {name for name in {*shown, *view.listed[seat]} if deck_of(name) == deck}
            backs = sum(c.deck == deck and c.name is None for c in (*modules.active, *modules.spare))
            self.names[seat] = in_order(owned - shown)
            slots += [seat] * (backs - len(self.names[seat]))
            self._owned[seat] = owned
            left.subtract(owned)
        self._fill(stream.shuffled(slots), left)

    def _fill(self, slots: tuple[Seat, ...], left: Counter[str]) -> bool:
        # Backtracking, since a seat owns no name twice; the real names fit, so that there is a way.
        if not slots:
            return True
        seat = slots[0]
        pool = [name for name in sorted(left.elements()) if name not in self._owned[seat]]
        for name in dict.fromkeys(self._stream.shuffled(pool)):
            self._owned[seat].add(name)
            left[name] -= 1
            before = self.names[seat]
            self.names[seat] = (*before, name)
            if self._fill(slots[1:], left):
                return True
            self._owned[seat].discard(name)
            left[name] += 1
            self.names[seat] = before
        return False


def _decks(view: View, own: tuple[Own, ...], stream: Stream) -> tuple[Names, Names, Names]:
    found: list[Names] = []
    for deck in DECKS:
        left = Counter(() if view.training else cards(deck))
        left.subtract(name for part in own for name in part.names if deck_of(name) == deck)
        names = tuple(sorted(left.elements()))
        found.append(names if view.phase is Phase.OVER else stream.shuffled(names))
    return found[0], found[1], found[2]


# --- what was said --------------------------------------------------------------------------------


def _answer(state: State, view: View, seat: Seat, stream: Stream) -> Words:
    public = state.public
    if seat == view.viewer:
        return view.answer
    if seat not in public.done:
        return ()
    # What the seat was asked when it answered: its view with that answer taken back.
    asked = replace(public, done=tuple(other for other in public.done if other != seat))
    seen = look(replace(state, public=asked), seat)
    if public.phase is not Phase.PROGRAM:
        return stream.choice(tuple(sentences(Question.of(seen))))
    draft = random_draft(Basis.of(seen), stream)
    return replace(draft, tile=public.taken[seat]).words()


def _whole(state: State, view: View, seat: Seat, stream: Stream) -> ProgramView | None:
    seen = view.revealed[seat]
    if seat == view.viewer:
        return view.last
    if seen is None or view.phase is Phase.OVER:
        return seen
    active = state.own[seat].active
    void = {str(fact["unit"]) for fact in view.recap if fact.kind == "skipped" and fact["seat"] == seat}
    side = view.robots[seat].side
    dice = tuple(
        _with_words(die, active, view.arena, side, stream) if UNITS[die.unit] in void else die
        for die in seen.dice
    )
    quiet = (name for name in _quiet(view, seat) if name in active and stream.chance(1, 2))
    # Swaps are left out: they were carried out at the reveal, and nothing reads them again before the end.
    return replace(seen, dice=dice, orders=in_order({*seen.orders, *quiet}))


def _with_words(die: DieView, active: Names, key: str, side: str, stream: Stream) -> DieView:
    # Nobody has seen which modules went with a void die.
    fitting = [
        worded(name, choice)
        for name in active
        if MODULES[name].fits(die.colour, die.number) and MODULES[name].use is not Use.ARROW
        for choice in choices(name, die.number, arena(key), side)
    ]
    if not fitting or not stream.chance(1, 2):
        return die
    return replace(die, modules=(stream.choice(fitting),))


def _quiet(view: View, seat: Seat) -> Iterator[str]:
    # Orders for which there was no occasion in the last round: whether they were on has not turned up.
    told = [fact for fact in view.recap if fact.get("seat") == seat]
    if all(fact.kind != "damaged" for fact in told):
        yield "shield"
    if all(fact.kind != "destroyed" or fact["cause"] != "damage" for fact in told):
        yield "explosive"
    if all(fact.kind != "blocked" for fact in view.recap) and all(
        fact.kind not in ("pushed", "pulled") for fact in told
    ):
        yield "anchor"
    if all(fact.kind != "destroyed" or fact["cause"] != "fall" for fact in told):
        yield "pit"
    if not any(fact.kind == "shot" and fact["hit"] == seat for fact in view.recap):
        yield "reflector"
