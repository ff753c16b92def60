"""Situations: one seat before its evidence, given as data. docs/notation.md says what one holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engines.core.contract import Seat, Setup
from engines.core.rng import Rng
from engines.core.situation_values import by_colour, choice, items, mapping, number, only, refuse
from engines.doge.components import (
    CARD_SQUARES,
    COLOURS,
    CRAFTS,
    INSTITUTIONS,
    LOCATIONS,
    SQUARES,
    Card,
    Pair,
    Square,
    in_order,
)
from engines.doge.deduction import (
    Deals,
    DealSet,
    Identity,
    Met,
    Refuted,
    SeenFalse,
    SeenTreasure,
    deals_of,
    nth_deal,
)
from engines.doge.deduction import Evidence as Piece
from engines.doge.rules import empty, ghost_cards
from engines.doge.state import State, replace_at
from engines.doge.view import Discard, Gift, Guess, Notes, Phase, Public, Source

KEYS = ("seats", "removed", "seat", "own", "seen", "pawns", "turn")

_SEEN_KEYS = {
    "shown": ("kind", "giver", "institution", "craft", "square"),
    "ghost": ("kind", "giver", "card", "square"),
    "looked": ("kind", "owner", "card", "square"),
    "guess": ("kind", "seat", "institution", "craft", "right"),
    "treasure": ("kind", "institution", "craft"),
}


def load(value: Mapping[str, Any], setup: Setup, rng: Rng) -> State:
    """Return the state that ``value`` describes; what it leaves out is dealt from ``rng`` to fit.

    Raises :class:`InvalidAction` for anything that describes no state, or evidence that fits no deal.
    """
    only("the situation", value, KEYS)
    colours = COLOURS[: setup.seats]
    if items("seats", value.get("seats", list(colours))) != list(colours):
        refuse("seats", "table", value["seats"], colours=colours)
    seat = colours.index(choice("seat", value.get("seat", colours[0]), colours))
    seen = [
        _seen(one, f"seen[{place}]", colours, seat)
        for place, one in enumerate(items("seen", value.get("seen", [])))
    ]
    own = _own(value["own"]) if "own" in value else ()
    laid_out = _laid_out(value, setup.seats, own, seen, rng)
    return _Dealt(colours, seat, own, seen, laid_out, rng).state(setup, value)


@dataclass(frozen=True, slots=True, repr=False)
class _Seen:
    """One piece of evidence as it was read: whose card or guess, which cards, which square."""

    kind: str
    who: Seat
    cards: tuple[Card, ...]
    square: Square | None = None

    def piece(self) -> Piece:
        """Return it as evidence for the deduction."""
        if self.kind == "shown":
            return Met(self.who, Pair(*self.cards))
        if self.kind == "guess":
            return Refuted(self.who, Pair(*self.cards))
        if self.kind == "treasure":
            return SeenTreasure(Pair(*self.cards))
        return SeenFalse(self.who, self.cards[0], by_ghost=self.kind == "ghost")


def _seen(value: Any, where: str, colours: tuple[str, ...], viewer: Seat) -> _Seen:
    data = mapping(where, value)
    kind = choice(f"{where}.kind", data.get("kind"), tuple(_SEEN_KEYS))
    only(where, data, _SEEN_KEYS[kind])
    who = viewer
    for name in ("giver", "owner", "seat"):
        if name in _SEEN_KEYS[kind]:
            others = colours if name != "giver" else tuple(c for c in colours if c != colours[viewer])
            who = colours.index(choice(f"{where}.{name}", data.get(name), others))
    if kind == "guess" and data.get("right", False) is not False:
        refuse(f"{where}.right", "wrong_guess", data["right"])
    names = ("card",) if kind in ("ghost", "looked") else ("institution", "craft")
    cards = tuple(_card(f"{where}.{name}", data.get(name), name) for name in names)
    square = None
    if data.get("square") is not None:
        square = number(f"{where}.square", data["square"], SQUARES[0], SQUARES[-1])
        if square not in CARD_SQUARES:
            refuse(f"{where}.square", "card_square", square)
    return _Seen(kind, who, cards, square)


def _card(where: str, value: Any, kind: str) -> Card:
    cards = {"institution": INSTITUTIONS, "craft": CRAFTS}.get(kind, (*INSTITUTIONS, *CRAFTS))
    return Card(choice(where, value, tuple(card.value for card in cards)))


def _own(value: Any) -> tuple[Card, ...]:
    found = items("own", value)
    if len(found) != 2:
        refuse("own", "pair", found)
    cards = [_card(f"own[{place}]", word, "card") for place, word in enumerate(found)]
    if (cards[0] in CRAFTS) is (cards[1] in CRAFTS):
        refuse("own", "pair", found)
    return tuple(cards)


def _laid_out(
    value: Mapping[str, Any], seats: int, own: tuple[Card, ...], seen: list[_Seen], rng: Rng
) -> tuple[Card, ...]:
    spare, named = len(COLOURS) - seats, {*own, *(card for one in seen for card in one.cards)}
    if "removed" not in value:
        found: set[Card] = set()
        for kind in (INSTITUTIONS, CRAFTS):
            free = [card for card in kind if card not in named]
            if len(free) < spare:
                refuse("seen", "fits", "these cards")
            found.update(rng.stream("removed", kind[0]).shuffled(free)[:spare])
        return in_order(frozenset(found))
    words = items("removed", value["removed"])
    cards = [_card(f"removed[{place}]", word, "card") for place, word in enumerate(words)]
    if len({*cards}) != len(cards) or any(
        sum(c in kind for c in cards) != spare for kind in (INSTITUTIONS, CRAFTS)
    ):
        refuse("removed", "laid_out", words, n=spare)
    for card in cards:
        if card in named:
            refuse("removed", "unnamed", card.value)
    return in_order(frozenset(cards))


@dataclass(slots=True, repr=False)
class _Dealt:
    """Deals what fits the evidence, and lets the match have come there."""

    colours: tuple[str, ...]
    seat: Seat
    own: tuple[Card, ...]
    seen: list[_Seen]
    laid_out: tuple[Card, ...]
    rng: Rng
    gifts: list[Gift] = field(default_factory=list)
    faces: list[Card] = field(default_factory=list)
    discards: list[Discard] = field(default_factory=list)

    def state(self, setup: Setup, value: Mapping[str, Any]) -> State:
        """Return the state: the turn is at its roll."""
        *pairs, treasure = self._deal()
        for one in self.seen:
            if one.kind in ("shown", "ghost"):
                card = next(card for card in one.cards if card not in pairs[one.who].cards)
                self._give(one, card, Source.MEETING if one.kind == "shown" else Source.GHOST, self.seat)
            elif one.kind == "looked":
                self._look(one)
        guesses = self._guesses(treasure)
        ghosts = self.rng.stream("ghosts").shuffled([*LOCATIONS, *LOCATIONS])[: ghost_cards(setup)]
        drawn = sum(gift.source is Source.GHOST for gift in self.gifts)
        public = empty(setup, self.laid_out)
        public = replace(
            public,
            phase=Phase.ROLL,
            step=len(self.gifts) + len(self.discards) + len(guesses) + 1,
            turns=len(self.gifts) + len(self.discards) + 1,
            latest=replace_at(public.latest, self.seat, 0) if self.gifts else public.latest,
            out=tuple(dict.fromkeys(guess.seat for guess in guesses)),
            guesses=tuple(guesses),
            gifts=tuple(self.gifts),
            discards=tuple(self.discards),
            piles=self._piles(),
            deck=max(0, len(ghosts) - drawn),
            drawn=ghosts[:drawn],
            ghost=ghosts[min(drawn, len(ghosts)) - 1] if drawn else None,
        )
        public = replace(public, pawns=self._pawns(public, value), turn=self._turn(public, value))
        none: tuple[None, ...] = (None,) * setup.seats
        return State(
            public, tuple(pairs), treasure, tuple(self.faces), ghosts[drawn:], none, (Notes(),) * setup.seats
        )

    def _deal(self) -> tuple[Pair, ...]:
        table: Deals = deals_of(len(self.colours), frozenset(self.laid_out))
        pieces = [Identity(self.seat, card) for card in self.own] + [one.piece() for one in self.seen]
        deals: DealSet = table.fitting_all(pieces)
        if not deals:
            refuse("seen", "fits", [one.kind for one in self.seen])
        return table.deal(nth_deal(deals, self.rng.stream("deal").below(deals.bit_count())))

    def _give(self, one: _Seen, card: Card, source: Source, receiver: Seat) -> None:
        step, square = len(self.gifts) + len(self.discards) + 1, one.square
        if square is None:
            square = self.rng.stream("square", step).choice(CARD_SQUARES)
        self.gifts.append(Gift(source, one.who, receiver, square, step))
        self.faces.append(card)
        if sum(gift.giver == one.who for gift in self.gifts) > 2 * len(self.colours):
            refuse("seen", "held", self.colours[one.who], n=2 * len(self.colours))

    def _look(self, one: _Seen) -> None:
        """Let the seat look at a card that it was given before; else at one that somebody else was given."""
        gone = {discard.gift for discard in self.discards}
        same = [
            n
            for n, (gift, face) in enumerate(zip(self.gifts, self.faces, strict=True))
            if gift.giver == one.who and face is one.cards[0] and n not in gone
        ]
        if same:
            if one.square is not None:
                self.gifts[same[0]] = replace(self.gifts[same[0]], square=one.square)
        else:
            others = [seat for seat in range(len(self.colours)) if seat not in (one.who, self.seat)]
            # With two seats nobody else could have been given it.
            source = Source.MEETING if others else Source.GHOST
            stream = self.rng.stream("receiver", len(self.gifts))
            self._give(one, one.cards[0], source, stream.choice(others) if others else self.seat)
        number = same[0] if same else len(self.gifts) - 1
        step = len(self.gifts) + len(self.discards) + 1
        self.discards.append(Discard(number, self.seat, self.gifts[number].square, step))

    def _guesses(self, treasure: Pair) -> list[Guess]:
        found = [Guess(one.who, Pair(*one.cards), right=False) for one in self.seen if one.kind == "guess"]
        who = [guess.seat for guess in found]
        if len({*who}) < len(who):
            refuse("seen", "one_guess", self.colours[who[-1]])
        if any(one.kind == "treasure" for one in self.seen) and self.seat not in who:
            # Who has seen the treasure has guessed wrong: which pair it named is left to chance.
            wrong = [
                Pair(i, c)
                for i in INSTITUTIONS
                for c in CRAFTS
                if not {i, c} & {*self.laid_out} and Pair(i, c) != treasure
            ]
            found.append(Guess(self.seat, self.rng.stream("guess").choice(wrong), right=False))
        if len({guess.seat for guess in found}) == len(self.colours):
            refuse("seen", "somebody_in", "guesses of all")
        return found

    def _piles(self) -> tuple[tuple[int, ...], ...]:
        gone = {discard.gift for discard in self.discards}
        return tuple(
            tuple(n for n, gift in enumerate(self.gifts) if gift.square == square and n not in gone)
            for square in SQUARES
        )

    def _pawns(self, public: Public, value: Mapping[str, Any]) -> tuple[Square | None, ...]:
        given = by_colour("pawns", value.get("pawns", {}), self.colours)
        places = {
            self.colours.index(colour): number(f"pawns.{colour}", square, SQUARES[0], SQUARES[-1])
            for colour, square in given.items()
        }
        for seat in places:
            if seat in public.out:
                refuse("pawns", "still_in", self.colours[seat])
        free = [square for square in SQUARES if square not in places.values()]
        dealt = iter(self.rng.stream("pawns").shuffled(free))
        return tuple(
            None if seat in public.out else places[seat] if seat in places else next(dealt)
            for seat in range(public.seats)
        )

    def _turn(self, public: Public, value: Mapping[str, Any]) -> Seat:
        if "turn" in value:
            still_in = tuple(self.colours[seat] for seat in public.still_in)
            return self.colours.index(choice("turn", value["turn"], still_in))
        return self.seat if self.seat in public.still_in else public.still_in[0]
