"""Building blocks of small games: menus word by word, a simultaneous secret choice, hands and a deck.

A piece of the state is a frozen dataclass with a ``view`` for one viewer; its view has an ``imagine``
that returns a piece the viewer could not tell from the real one. What the pieces mean, and who learns
what about them, is up to the game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from types import MappingProxyType
from typing import Generic, TypeVar

from engines.core.contract import (
    Choice,
    FactValue,
    Field,
    IllegalAction,
    InvalidAction,
    Menu,
    Msg,
    Seat,
    SeatName,
    Viewer,
    Words,
    msg,
)
from engines.core.rng import Rng, Stream

C = TypeVar("C")
T = TypeVar("T")

# --- the end --------------------------------------------------------------------------------------


def ranked(worth: Mapping[Seat, int | tuple[int, ...]]) -> tuple[tuple[Seat, ...], ...]:
    """Return the ranks of an outcome: seats by their worth, the highest first; equals share a rank."""
    return tuple(
        tuple(seat for seat in worth if worth[seat] == value)
        for value in sorted(set(worth.values()), reverse=True)
    )


# --- sentences of facts ---------------------------------------------------------------------------


def number_of(value: FactValue) -> int:
    """Return a fact's datum as a number or seat; 0 for anything else."""
    return value if isinstance(value, int) else 0


def texts_of(value: FactValue) -> tuple[str, ...]:
    """Return a fact's datum as texts; an empty tuple for anything else."""
    return tuple(map(str, value)) if isinstance(value, tuple) else ()


# --- sentences, word by word ----------------------------------------------------------------------


def one_word(draft: Words, key: str, prompt: Msg, field: Field, words: Collection[str] = ()) -> Menu:
    """Return the menu of a sentence that is one of the field's words; see :func:`word_by_word`."""
    return word_by_word(draft, key, lambda said: (prompt, None if said else field), words)


def word_by_word(
    draft: Words, key: str, ask: Callable[[Words], tuple[Msg, Field | None]], words: Collection[str] = ()
) -> Menu:
    """Return the menu after ``draft``, for sentences in which each word answers one question.

    ``ask`` is called with the beginnings of the draft, from the empty one on. It returns the prompt and
    the field of the next question, or ``None`` instead of a field if the sentence is complete: a card
    that needs a target asks for it, another card does not. The prompt should say what was said so far.

    ``words`` are all that this game ever accepts, if they are more than the fields offer now.
    Raises :class:`IllegalAction` with the text ``error.not_now`` for one of them that is not offered, and
    :class:`InvalidAction` with the text ``error.word`` for anything else; both have the gap ``word``.
    """
    reveals = False
    for place, word in enumerate(draft):
        _, field = ask(draft[:place])
        choice = next((one for one in field.choices if one.word == word), None) if field else None
        if choice is not None:
            reveals = choice.reveals
        elif field is not None and word in words:
            raise IllegalAction(msg("error.not_now", word=word))
        else:
            raise InvalidAction(msg("error.word", word=" ".join(draft)))
    prompt, field = ask(draft)
    done = field is None
    fields = () if field is None else (field,)
    return Menu(key, prompt, draft, fields, complete=done, closing=done, reveals=reveals)


def seat_choices(seats: Iterable[Seat]) -> tuple[Choice, ...]:
    """Return the choice of a player: each seat by its number, with the text ``choice.seat`` and gap ``seat``.

    The word of seat 0 is ``"1"``, as players count; :func:`seat_of` reads it.
    """
    return tuple(Choice(str(seat + 1), msg("choice.seat", seat=SeatName(seat))) for seat in seats)


def seat_of(word: str) -> Seat:
    """Return the seat that a word of :func:`seat_choices` names."""
    return int(word) - 1


# --- a choice of several seats at once -------------------------------------------------------------


@dataclass(frozen=True, slots=True, repr=False)
class SecretChoice(Generic[T]):
    """The state's part of it. ``asked`` is public; ``made`` holds each choice, in the order of the seats.

    A choice of nobody (``SecretChoice()``) stands for no open choice, also once the match is over.
    """

    asked: frozenset[Seat] = frozenset()
    made: tuple[tuple[Seat, T], ...] = ()

    @classmethod
    def of(cls, seats: Iterable[Seat]) -> SecretChoice[T]:
        """Return a choice that ``seats`` have to make, as in ``SecretChoice[int].of(seats)``."""
        return cls(frozenset(seats))

    @property
    def is_complete(self) -> bool:
        """Return whether everybody asked has chosen; false if nobody is asked."""
        return bool(self.asked) and self.asked == self.values.keys()

    @property
    def values(self) -> Mapping[Seat, T]:
        """Return what each seat has chosen so far, to resolve the choice."""
        return dict(self.made)

    def commit(self, seat: Seat, value: T) -> SecretChoice[T]:
        """Return the choice with that of ``seat`` added; raises ``ValueError`` if the seat is not pending."""
        if seat not in self.asked or seat in self.values:
            raise ValueError("this seat has nothing to choose")
        # In the order of the seats: equal choices are equal states, no matter which came first.
        return replace(self, made=tuple(sorted((*self.made, (seat, value)), key=lambda pair: pair[0])))

    def without(self, seat: Seat) -> SecretChoice[T]:
        """Return the choice without a seat that leaves, its own choice forgotten.

        It may be complete then: a game that goes on must resolve it.
        """
        return SecretChoice(self.asked - {seat}, tuple(pair for pair in self.made if pair[0] != seat))

    def view(self, viewer: Viewer) -> SecretChoiceView[T]:
        """Return what ``viewer`` knows: who is asked, who is ready, its own choice."""
        own = None if viewer is None else self.values.get(viewer)
        return SecretChoiceView(self.asked, frozenset(self.values), own)


@dataclass(frozen=True, slots=True, repr=False)
class SecretChoiceView(Generic[T]):
    """The view's part of it. ``own`` is ``None`` for the public and for a seat that has not chosen."""

    asked: frozenset[Seat] = frozenset()
    ready: frozenset[Seat] = frozenset()
    own: T | None = None

    @property
    def waiting(self) -> frozenset[Seat]:
        """Return the seats that must still choose."""
        return self.asked - self.ready

    def imagine(self, viewer: Viewer, options: Callable[[Seat], Sequence[T]], rng: Rng) -> SecretChoice[T]:
        """Return a choice that ``viewer`` could not tell from the real one.

        ``options`` are all that a seat may have chosen, as far as the viewer can tell; never none.
        """
        made = tuple(
            (seat, self.own)
            if seat == viewer and self.own is not None
            else (seat, rng.stream("secret choice", seat).choice(options(seat)))
            for seat in sorted(self.ready)
        )
        return SecretChoice(self.asked, made)


# --- cards ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, repr=False)
class Cards(Generic[C]):
    """The state's part: the deck from the top, and the hands by seat; a game may have no hands."""

    deck: tuple[C, ...]
    hands: tuple[tuple[C, ...], ...]

    @classmethod
    def deal(cls, pack: Sequence[C], seats: int, each: int, stream: Stream) -> Cards[C]:
        """Return the pack shuffled and dealt; raises ``ValueError`` if it is too small."""
        if seats * each > len(pack):
            raise ValueError("there are not enough cards")
        cards = stream.shuffled(pack)
        hands = tuple(cards[seat * each : (seat + 1) * each] for seat in range(seats))
        return cls(cards[seats * each :], hands)

    def draw(self, seat: Seat, number: int = 1) -> tuple[Cards[C], tuple[C, ...]]:
        """Return the cards after ``seat`` has drawn, and what it drew: fewer if the deck runs out."""
        drawn = self.deck[:number]
        return replace(self._with_hand(seat, (*self.hands[seat], *drawn)), deck=self.deck[number:]), drawn

    def turn_up(self) -> tuple[Cards[C], C]:
        """Return the cards without the deck's top one, and that card; raises ``IndexError`` if empty."""
        return replace(self, deck=self.deck[1:]), self.deck[0]

    def play(self, seat: Seat, *cards: C) -> Cards[C]:
        """Return the cards with some removed from a hand; raises ``ValueError`` for one that is not there."""
        hand = list(self.hands[seat])
        for card in cards:
            hand.remove(card)
        return self._with_hand(seat, tuple(hand))

    def _with_hand(self, seat: Seat, hand: tuple[C, ...]) -> Cards[C]:
        return replace(self, hands=(*self.hands[:seat], hand, *self.hands[seat + 1 :]))

    def view(self, viewer: Viewer, *, over: bool = False) -> CardsView[C]:
        """Return what ``viewer`` knows: its hand, the numbers; everything once the match is over."""
        hand = () if viewer is None or not self.hands else self.hands[viewer]
        return CardsView(len(self.deck), tuple(map(len, self.hands)), hand, self if over else None)


@dataclass(frozen=True, slots=True, repr=False)
class CardsView(Generic[C]):
    """The view's part: how many cards are in the deck and in each hand, and the viewer's own hand.

    ``revealed``: all cards, once the match is over; ``None`` before.
    """

    deck: int
    counts: tuple[int, ...]
    hand: tuple[C, ...]
    revealed: Cards[C] | None = None

    def imagine(
        self,
        viewer: Viewer,
        pack: Iterable[C],
        open_cards: Iterable[C],
        rng: Rng,
        seen: Mapping[Seat, Sequence[C]] = MappingProxyType({}),
    ) -> Cards[C]:
        """Return cards that ``viewer`` could not tell from the real ones, with unseen cards dealt at random.

        ``pack`` are all cards of the game, ``open_cards`` those that lie face up, in neither hand nor deck,
        and ``seen`` those that the viewer knows to be in another hand, by seat: they stay there.
        Raises ``ValueError`` if the numbers do not fit: a card is forgotten, or counted twice.
        """
        if self.revealed is not None:
            return self.revealed
        kept = [() if seat == viewer else tuple(seen.get(seat, ())) for seat in range(len(self.counts))]
        # Counted, not subtracted as a set: a pack may have equal cards.
        known = Counter((*open_cards, *self.hand, *chain.from_iterable(kept)))
        unknown = list((Counter(pack) - known).elements())
        missing = [0 if seat == viewer else count - len(kept[seat]) for seat, count in enumerate(self.counts)]
        if len(unknown) != sum(missing) + self.deck or min(missing, default=0) < 0:
            raise ValueError(f"{len(unknown)} cards are unseen, not {sum(missing) + self.deck}")
        cards = rng.stream("unseen cards").shuffled(unknown)
        hands = [
            self.hand if seat == viewer else (*kept[seat], *cards[sum(missing[:seat]) :][:count])
            for seat, count in enumerate(missing)
        ]
        return Cards(cards[sum(missing) :], tuple(hands))
