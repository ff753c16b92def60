"""Verbs that play a card from the hand: what they have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from engines.core.contract import Field, IllegalAction, Words
from engines.corto.board import fills_two
from engines.corto.cards import CARDS, Card, Kind
from engines.corto.notation import Kind as WordKind
from engines.corto.notation import Word
from engines.corto.state import CardId, Square
from engines.corto.table import Table
from engines.corto.turn import Duty, Progress
from engines.corto.verbs.base import Step, Verb, card_choice, field, listed, misplaced, named, refuse

MOST_CARDS = 4
"""Cards that a seat may play in a turn."""

WORDS: Mapping[Kind, str] = {
    Kind.CHARACTER: "play",
    Kind.OBJECT: "use",
    Kind.ADVANTAGE: "adv",
    Kind.CORTO: "corto",
    Kind.RASPUTIN: "rasputin",
}
"""The word that plays a card of each kind."""


class CardVerb(Verb, ABC):
    """Plays a card of one kind: ``word``, the card, and what :meth:`parse_rest` makes of the rest."""

    kind: ClassVar[Kind]

    # --- words ------------------------------------------------------------------------------------

    def parse(self, words: Sequence[Word]) -> Step | None:
        """Return the step that words are, ``None`` while they only begin it; raises InvalidAction."""
        if len(words) == 1:
            return None
        if words[1].kind is not WordKind.CARD:
            raise misplaced(words[1])
        return self.parse_rest(CARDS[words[1].one], words[2:])

    def parse_rest(self, card: Card, rest: Sequence[Word]) -> Step | None:
        """Return the step with a card and the words after it: here one square."""
        if not rest:
            return None
        place = rest[0]
        if len(rest) > 1 or place.kind is not WordKind.SQUARE or place.other:
            raise misplaced(rest[-1])
        return Step(self, card=card.id, square=place.one)

    def write(self, step: Step) -> Words:
        """Return the word, the card, and what is said of it."""
        if step.square and step.colour:
            return (self.word, step.card, f"{step.square}:{step.colour}")
        return tuple(word for word in (self.word, step.card, step.placed, step.other, step.colour) if word)

    # --- rules ------------------------------------------------------------------------------------

    def check_card(self, table: Table, card: CardId) -> Card:
        """Return the face of a card that may be played now with this verb; raises for the others."""
        face = CARDS[card]
        if card not in table.hand:
            raise refuse("not_in_hand", card=card, legal=listed(table.hand))
        if face.kind is not self.kind:
            raise refuse("wrong_verb", card=named(card), legal=f"{WORDS[face.kind]} {card}")
        if len(table.turn.played) >= MOST_CARDS:
            raise refuse("four_cards", n=MOST_CARDS)
        return face

    @abstractmethod
    def has_use(self, table: Table, card: Card) -> bool:
        """Return whether a card of this verb's kind can do what it must, were it in hand."""

    def check_begun(self, table: Table, card: Card, rest: Sequence[Word]) -> None:
        """Raise unless the card, with the words after it, has somewhere to go."""

    # --- what is asked ----------------------------------------------------------------------------

    def check_open(self, progress: Progress, words: Sequence[Word]) -> None:
        """Raise where no card, or not this one, can be played."""
        if len(words) > 1:
            card = self.check_card(progress.table, words[1].one)
            self.check_begun(progress.table, card, words[2:])
        elif not self._cards(progress):
            raise refuse(f"none_to_{self.word}")

    def fields(self, progress: Progress, words: Sequence[Word]) -> Iterator[Field]:
        """Yield the cards of this kind, or what is asked of the one that is taken up."""
        if len(words) == 1:
            yield field("hand", map(card_choice, self._cards(progress)))
        else:
            yield from self.card_fields(progress.table, CARDS[words[1].text], words[2:])

    def card_fields(self, table: Table, card: Card, rest: Sequence[Word]) -> Iterator[Field]:
        """Yield what is asked of a card that is taken up."""
        yield from ()

    def _cards(self, progress: Progress) -> list[Card]:
        return [
            card
            for card in may_be_next(progress)
            if card.kind is self.kind and self.has_use(progress.table, card)
        ]


def may_be_next(progress: Progress) -> list[Card]:
    """Return the cards of the hand while another may be played at all."""
    turn = progress.table.turn
    if progress.duty is not Duty.TURN or progress.revealed or progress.half or len(turn.played) >= MOST_CARDS:
        return []
    return [CARDS[card] for card in progress.table.hand]


# --- the turn that ends the match -----------------------------------------------------------------


def has_played_one(table: Table) -> bool:
    """Return whether a character or figurine has been played in this turn."""
    return any(CARDS[card].stands for card in table.turn.played)


def allowed_at_the_end(table: Table, places: Sequence[Square], others: set[Square]) -> tuple[Square, ...]:
    """Return the places that are left to one more character or figurine; ``others`` are taken beside it.

    In the turn that ends the match only a single one may be played.
    """
    if not has_played_one(table):  # a single one may end the match
        return tuple(places)
    if table.two_are_full():
        return ()
    return tuple(square for square in places if not fills_two(table.strips, {*others, square}))


def check_single(table: Table, card: CardId, taken: set[Square]) -> None:
    """Raise if a second character or figurine would stand in the turn that ends the match."""
    if has_played_one(table) and (table.two_are_full() or fills_two(table.strips, taken)):
        raise not_single(table, card)


def not_single(table: Table, card: CardId) -> IllegalAction:
    """Return the refusal of one more character or figurine in the turn that ends the match."""
    return refuse("single_full" if table.two_are_full() else "single_fills", card=named(card))
