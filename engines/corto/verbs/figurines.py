"""Corto and Rasputin: where they go, and the gold that Corto's friends earn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engines.core.contract import Choice, Field, Seat, Widget, msg
from engines.corto import events
from engines.corto.board import all_places, area, column_of, distance, square_at, strip_of
from engines.corto.cards import CARDS, Card, Kind
from engines.corto.names import card_and_id
from engines.corto.notation import Word
from engines.corto.state import Figurine, Square
from engines.corto.table import Table
from engines.corto.turn import Progress
from engines.corto.verbs.base import (
    CardVerb,
    Step,
    Verb,
    choice_field,
    refuse,
    square_choice,
)
from engines.corto.verbs.ending import allowed_at_the_end, check_single, not_single, would_end

CORTO_ADDS = 2


def destinations(table: Table, card: Card) -> tuple[Square, ...]:
    """Return where a figurine may end its move, the ending turn's limit counted in."""
    return allowed_at_the_end(table, card, _within(table, card), _occupied_without(table, card))


def _figurine(card: Card) -> Figurine:
    return Figurine(card.kind.value)


def _within(table: Table, card: Card) -> tuple[Square, ...]:
    at, places = table.figurines[_figurine(card)], all_places(table.strips)
    if at is None:
        # It appears on a deck of choice, so that its column is the number of steps that it needs.
        return tuple(square for square in places if column_of(square) <= card.steps)
    # It may pass over and end on any squares, decks and the other figurine's too; 0 steps are legal.
    return tuple(square for square in places if distance(table.strips, at, square) <= card.steps)


def _occupied_without(table: Table, card: Card) -> set[Square]:
    mine = _figurine(card)
    others = (at for figurine, at in table.figurines.items() if figurine is not mine and at is not None)
    return {*table.board, *others}


class Travel(CardVerb):
    """``corto C19 c2``, ``rasputin D20 b3``: discard the card and move its figurine to the square."""

    marks = (("go", "go"),)

    def has_use(self, table: Table, card: Card) -> bool:
        """Return whether the figurine may go somewhere, its own square included."""
        return bool(destinations(table, card))

    def check_begun(self, table: Table, card: Card, rest: Sequence[Word]) -> None:
        """Raise unless the figurine may go somewhere."""
        if not destinations(table, card):
            raise not_single(table, card.id)

    def check(self, progress: Progress, step: Step) -> None:
        """Raise unless the figurine may go there."""
        table = progress.table
        card = self.check_card(table, step.card)
        if strip_of(step.square) not in table.strips:
            raise refuse("off_board", square=step.square, strips=table.strips)
        if step.square not in _within(table, card):
            self.check_begun(table, card, ())
            key = "too_far_entry" if table.figurines[_figurine(card)] is None else "too_far"
            raise refuse(
                key,
                card=card_and_id(card.id),
                square=step.square,
                steps=card.steps,
                squares=destinations(table, card),
            )
        check_single(table, card, step.square, "", {*_occupied_without(table, card), step.square})

    def do(self, progress: Progress, step: Step) -> None:
        """Discard the card and move its figurine; what it may do there is in hand."""
        table, card, square = progress.table, CARDS[step.card], step.square
        figurine = _figurine(card)
        origin = table.figurines[figurine]
        must_free = would_end(table, {*_occupied_without(table, card), square})
        table.leave_hand(card.id)
        table.discard(card.id)
        table.figurines[figurine] = square
        # Only the end square is named: the deck of its own strip is the nearest.
        deck = square_at(strip_of(square), 0) if origin is None else None
        table.tell(events.travelled(table.seat, card.id, figurine.value, origin, square, deck))
        if figurine is Figurine.CORTO:
            table.take_up(card.id, origin=square, adds=CORTO_ADDS, gold=True)
        else:
            table.take_up(card.id, origin=square, hits=1, must_free=must_free)

    def card_fields(self, table: Table, card: Card, rest: Sequence[Word]) -> Iterator[Field]:
        """Yield the squares to which the figurine may go."""
        squares = destinations(table, card)
        yield choice_field("go", (square_choice(table, square) for square in squares), Widget.GRID)


class Corto(Travel):
    """``corto C19 c2``."""

    word = "corto"
    kind = Kind.CORTO


class Rasputin(Travel):
    """``rasputin D20 b3``."""

    word = "rasputin"
    kind = Kind.RASPUTIN


# --- Corto's gold ---------------------------------------------------------------------------------


def friends_earn(table: Table) -> tuple[tuple[Square, Seat], ...]:
    """Return Corto's friends around him that somebody controls: square and who earns."""
    if table.turn.origin is None:
        return ()
    around = area(table.strips, table.turn.origin)
    found = ((square, table.controller(square)) for square in table.squares() if square in around)
    return tuple(
        (square, seat)
        for square, seat in found
        if seat is not None and CARDS[table.board[square].card].friend
    )


def gold_choices(table: Table) -> Iterator[Choice]:
    """Yield the choice that Corto acts for his friends, while it is open."""
    if table.turn.gold:
        friends = len(friends_earn(table))
        yield Choice("gold", msg("choice.gold", n=friends) if friends else msg("choice.gold.none"))


class Gold(Verb):
    """``gold``: each friend around Corto earns 1 gold for who controls it, for every player."""

    word = "gold"

    def check(self, progress: Progress, step: Step) -> None:
        """Raise unless Corto may act for his friends."""
        if not progress.table.turn.gold:
            raise refuse("no_gold")

    def do(self, progress: Progress, step: Step) -> None:
        """Let the friends earn."""
        table = progress.table
        for square, earner in friends_earn(table):
            table.corto_gold[earner] += 1
            table.tell(events.earned(table.seat, earner, square))
        table.turn = replace(table.turn, gold=False, shot=None)
        table.tidy()


CORTO, RASPUTIN, GOLD = Corto(), Rasputin(), Gold()
