"""The words of sentences, and what a draft holds so far: forms are filled in any order.

A sentence begins with its head (``show``, ``guess`` …). Heads that are asked as a form may be left out,
since the first answer says which form it is. What follows is sorted into the order in which the
sentence is written; an answer that is given again replaces the earlier one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NoReturn, TypeVar

from engines.core.contract import IllegalAction, InvalidAction, Msg, Seat, Words, msg
from engines.doge.components import CARD_SQUARES, COLOURS, CRAFTS, INSTITUTIONS, SQUARES, Card, Pair, Square
from engines.doge.rules import with_true
from engines.doge.view import Mark, PencilMark, View

T = TypeVar("T")

NOTHING = "-"
"""The word that takes back: a pencil mark, a gift left in advance."""

MARKS = {**{mark.value: mark for mark in Mark}, "x": Mark.TRUE}


def illegal(key: str, **args: str | int | Msg) -> NoReturn:
    """Raise :class:`IllegalAction` with one of the game's texts."""
    raise IllegalAction(msg(f"error.{key}", **args))


def unknown(word: str) -> NoReturn:
    """Raise :class:`InvalidAction` for a word that cannot stand there."""
    raise InvalidAction(msg("error.word", word=word[:40]))


def card_of(word: str) -> Card | None:
    """Return the card of a word."""
    return next((card for card in Card if card.value == word), None)


def square_of(word: str) -> Square | None:
    """Return the square of a word."""
    return int(word) if word in tuple(map(str, SQUARES)) else None


def pawn_square(word: str) -> Square:
    """Return the square of a word; raises :class:`InvalidAction`."""
    square = square_of(word)
    if square is None and word.isdecimal():
        raise InvalidAction(msg("error.no_square", word=word[:40]))
    return unknown(word) if square is None else square


def seat_of(word: str) -> Seat | None:
    """Return the seat of a colour's word."""
    return COLOURS.index(word) if word in COLOURS else None


def required(read: Callable[[str], T | None], word: str) -> T:
    """Return what a word means; raises :class:`InvalidAction` where it means nothing of the kind."""
    found = read(word)
    return unknown(word) if found is None else found


def card_name(card: Card) -> Msg:
    """Return a card's name."""
    return msg(f"card.{card}")


# --- a pair of two kinds --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, repr=False)
class Named:
    """An institution and a craft, as far as they are said, and for a gift the square."""

    institution: Card | None = None
    craft: Card | None = None
    square: Square | None = None

    @property
    def pair(self) -> Pair | None:
        """Return the pair once both cards are said."""
        if self.institution is None or self.craft is None:
            return None
        return Pair(self.institution, self.craft)

    def having(self, card: Card) -> Named:
        """Return this with another card of its kind."""
        return replace(self, craft=card) if card in CRAFTS else replace(self, institution=card)

    def words(self, *head: str) -> Words:
        """Return the draft in normal form."""
        square = () if self.square is None else (str(self.square),)
        return (*head, *(card.value for card in (self.institution, self.craft) if card), *square)


def read_guess(view: View, words: Words) -> Named:
    """Return the pair that a guess names so far; raises :class:`ActionError`."""
    cards = [required(card_of, word) for word in words]
    named = Named()
    for card in cards:
        _check_in_play(view, card)
        named = named.having(card)
    return named


def read_gift(view: View, words: Words) -> Named:
    """Return the gift that is said so far: cards and a square; raises :class:`ActionError`.

    A false card brings the true one of the other kind along: there is no other choice. Where both
    are said at once, with the square or without, they are judged as they are.
    """
    cards = [card for word in words if (card := card_of(word))]
    for word in words:
        if card_of(word) is None:
            _pile_square(word)
    for card in cards:
        _check_in_play(view, card)
    own = _own(view)
    # The panel may say the other true card after one of them, which then falls away.
    is_whole = len(cards) == 2 and len(words) in (2, 3) and card_of(words[0]) and card_of(words[1])
    if is_whole and not (len(words) == 2 and _true_cards(own, cards) == 2):
        check_pair(view, cards[0], cards[1])
    named = Named()
    for word in words:
        card = card_of(word)
        if card is None:
            named = replace(named, square=square_of(word))
        elif card in own.cards:
            _check_partner(view, card)
            if named.pair is None or card not in named.pair.cards:
                named = Named(square=named.square).having(card)
        else:
            _check_held(view, card)
            pair = with_true(own, card)
            named = Named(pair.institution, pair.craft, named.square)
    return named


def read_false(view: View, words: Words) -> tuple[Card | None, Square | None]:
    """Return the false card for the ghost and its square, as far as they are said; raises ``ActionError``."""
    card: Card | None = None
    square: Square | None = None
    for word in words:
        named = card_of(word)
        if named is None:
            square = _pile_square(word)
            continue
        card = named
        _check_in_play(view, card)
        if card in _own(view).cards:
            illegal("true_card", card=card_name(card))
        _check_held(view, card)
    return card, square


def check_pair(view: View, one: Card, other: Card) -> None:
    """Raise :class:`IllegalAction` unless two cards can be shown: of two kinds, one true and one false."""
    if (one in CRAFTS) is (other in CRAFTS):
        illegal("two_of_a_kind")
    true = _true_cards(_own(view), [one, other])
    if true == 2:
        illegal("both_true")
    for card in (one, other):
        if card not in _own(view).cards:
            _check_held(view, card)
    if true == 0:
        illegal("both_false")


def _pile_square(word: str) -> Square:
    square = square_of(word)
    if square is None and not word.isdecimal():
        unknown(word)
    if square not in CARD_SQUARES:
        illegal("no_card_square", square=word[:40])
    return square


def _check_partner(view: View, true: Card) -> None:
    if not any((card in CRAFTS) is not (true in CRAFTS) for card in view.false_hand):
        illegal("no_partner", card=card_name(true))


def _own(view: View) -> Pair:
    if view.own is None:
        raise ValueError("the public has no cards")
    return view.own


def _true_cards(own: Pair, cards: list[Card]) -> int:
    return sum(card in own.cards for card in cards)


def _check_in_play(view: View, card: Card) -> None:
    if card in view.laid_out:
        illegal("laid_out", card=card_name(card))


def _check_held(view: View, card: Card) -> None:
    if card not in view.hand:
        illegal("given_away", card=card_name(card))


def proposed_square(view: View) -> Square:
    """Return a square for a false card: of those with the lowest pile, the next one clockwise of the pawn."""
    piles, place = view.piles, view.pawns[view.viewer or 0] or 0
    return min(CARD_SQUARES, key=lambda square: (len(piles[square]), (square - place) % len(SQUARES)))


# --- pencil marks ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, repr=False)
class Pencilled:
    """Pencil marks of one sentence, and the one that is being said: whose section, and which card.

    ``None`` as a mark rubs out what stands there.
    """

    marks: tuple[tuple[Seat, Card, Mark | None], ...] = ()
    seat: Seat | None = None
    card: Card | None = None

    def words(self) -> Words:
        """Return the draft in normal form."""
        found = ["mark"]
        for seat, card, mark in self.marks:
            found += [COLOURS[seat], card.value, NOTHING if mark is None else mark.value]
        # The section of the last mark stays open, but is said again only with a card.
        if self.seat is not None and (self.card is not None or not self.is_open):
            found.append(COLOURS[self.seat])
        return (*found, self.card.value) if self.card is not None else tuple(found)

    @property
    def is_open(self) -> bool:
        """Return whether the section is that of the last mark, with no card said yet."""
        return self.card is None and bool(self.marks) and self.marks[-1][0] == self.seat

    @property
    def is_whole(self) -> bool:
        """Return whether the sentence may end here."""
        return bool(self.marks) and (self.seat is None or self.is_open)

    def on(self, notes: tuple[PencilMark, ...]) -> tuple[PencilMark, ...]:
        """Return a sheet's pencil marks with these on it, by section and card."""
        found = {(one.seat, one.card): one.mark for one in notes}
        for seat, card, mark in self.marks:
            found.pop((seat, card), None)
            if mark is not None:
                found[seat, card] = mark
        order = {card: place for place, card in enumerate((*CRAFTS, *INSTITUTIONS))}
        places = sorted(found, key=lambda place: (place[0], order[place[1]]))
        return tuple(PencilMark(seat, card, found[seat, card]) for seat, card in places)


def read_marks(view: View, words: Words) -> Pencilled:
    """Return the pencil marks that are said so far; raises :class:`ActionError`."""
    said = Pencilled()
    for word in words:
        said = _with_mark_word(view, said, word)
    return said


def _with_mark_word(view: View, said: Pencilled, word: str) -> Pencilled:
    seat, card = seat_of(word), card_of(word)
    if seat is not None:
        if seat >= view.seats:
            illegal("no_such_seat", colour=msg(f"colour.{word}"))
        if seat == view.viewer:
            illegal("own_section")
        return replace(said, seat=seat)
    if said.seat is None:
        unknown(word)
    if card is not None:
        _check_in_play(view, card)
        return replace(said, card=card)
    if word not in (*MARKS, NOTHING):
        raise InvalidAction(msg("error.mark", word=word[:40]))
    if said.card is None:
        raise InvalidAction(msg("error.mark_nothing"))
    return Pencilled((*said.marks, (said.seat, said.card, MARKS.get(word))), said.seat)
