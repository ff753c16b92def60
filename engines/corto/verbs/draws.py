"""Verbs beside the cards: the first marker, the end of a turn, discards, draws."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations_with_replacement

from engines.core.contract import Choice, Field, Style, Widget, Words, msg
from engines.corto import events
from engines.corto.board import column_of
from engines.corto.cards import CARDS
from engines.corto.notation import Word, WordKind
from engines.corto.state import HAND, Square
from engines.corto.table import Table
from engines.corto.turn import Duty, Progress
from engines.corto.verbs.base import (
    Step,
    Verb,
    card_choice,
    character_choice,
    choice_field,
    not_in_hand,
    refuse,
)

# --- the first marker -----------------------------------------------------------------------------


def starts(table: Table) -> tuple[Square, ...]:
    """Return the starting characters, from the top."""
    return tuple(square for square in table.squares() if column_of(square) == 1)


class Start(Verb):
    """``start a1``: put the first marker on a starting character; then the hand may be drawn."""

    word = "start"
    said = (WordKind.SQUARE,)
    duties = frozenset({Duty.START})
    closing = True
    marks = (("start", "start"),)

    def write(self, step: Step) -> Words:
        """Return ``start a1``."""
        return (self.word, step.placed)

    def check(self, progress: Progress, step: Step) -> None:
        """Raise unless that is a starting character."""
        table = progress.table
        legal = starts(table)
        if step.square not in legal:
            raise refuse("start_where", square=step.square, squares=legal)
        if step.origin:
            raise refuse("stock_left", square=step.square, n=table.stock[table.seat])

    def do(self, progress: Progress, step: Step) -> None:
        """Put the marker."""
        table = progress.table
        table.change_markers(step.square, table.seat, 1)
        table.stock[table.seat] -= 1
        table.tell(events.started(table.seat, step.square))
        progress.placed = True
        # The hand may be drawn in the same sentence, or at any time before the seat's first turn.
        progress.duty = Duty.HAND if progress.owed and table.filled_decks() else Duty.DONE

    def fields(self, progress: Progress, words: Sequence[Word]) -> Iterator[Field]:
        """Yield the starting characters."""
        table = progress.table
        yield choice_field("start", (character_choice(table, square, "start") for square in starts(table)))


# --- the end of a turn ----------------------------------------------------------------------------


class End(Verb):
    """``end``: end the turn's cards."""

    word = "end"
    closing = True

    def check(self, progress: Progress, step: Step) -> None:
        """Raise unless a card has been played."""
        if not progress.table.turn.played:
            raise refuse("end_nothing")

    def do(self, progress: Progress, step: Step) -> None:
        """End the turn's cards."""
        progress.end_of_cards()


def end_field(progress: Progress) -> Field:
    """Return the field that ends the turn, at once by a draw too, or makes it a discard turn."""
    if not progress.table.turn.played:
        return choice_field("end", (Choice("discard", msg("choice.discard"), msg("choice.discard.detail")),))
    draws = progress.draws_after()
    detail = msg("choice.end.detail", n=draws)
    end = Choice("end", msg("choice.end"), detail, style=Style.PRIMARY)
    return choice_field("end", (end, *(deck_choices(progress.table) if draws else ())))


# --- discards -------------------------------------------------------------------------------------


class Discard(Verb):
    """``discard``: begin a discard turn; the cards follow, then the draws."""

    word = "discard"
    closing = True

    def check_now(self, progress: Progress) -> None:
        """Raise unless a turn begins."""
        if progress.duty is Duty.TOSS and not progress.revealed:
            raise refuse("discard_once")
        super().check_now(progress)

    def check(self, progress: Progress, step: Step) -> None:
        """Raise if a card has been played: then it is no discard turn."""
        if progress.table.turn.played:
            raise refuse("discard_played")

    def do(self, progress: Progress, step: Step) -> None:
        """Begin a discard turn."""
        progress.duty = Duty.TOSS


class Toss(Verb):
    """``A04`` after ``discard``: discard a card, face up."""

    bare = WordKind.CARD
    duties = frozenset({Duty.TOSS})
    closing = True

    def parse(self, words: Sequence[Word]) -> Step:
        """Return the step."""
        return Step(self, card=words[0].one)

    def write(self, step: Step) -> Words:
        """Return the card."""
        return (step.card,)

    def check(self, progress: Progress, step: Step) -> None:
        """Raise unless the card is in hand."""
        if step.card not in progress.table.hand:
            raise not_in_hand(step.card, progress.table.hand)

    def do(self, progress: Progress, step: Step) -> None:
        """Discard the card."""
        table = progress.table
        table.leave_hand(step.card)
        table.discard(step.card)
        table.turn = replace(table.turn, discarded=(*table.turn.discarded, step.card))


def toss_fields(progress: Progress) -> Iterator[Field]:
    """Yield the cards that may be discarded, and the decks once all are named."""
    if progress.table.hand:
        yield choice_field("toss", (card_choice(CARDS[card]) for card in progress.table.hand))
    yield from deck_fields(progress.table, progress.draws_after(), Widget.SELECT)


# --- draws ----------------------------------------------------------------------------------------

PAIR = 2
"""Cards that are drawn at once."""


def deck_fields(table: Table, number: int, pairs: Widget = Widget.BUTTONS) -> Iterator[Field]:
    """Yield how ``number`` cards may be drawn: one and a look at it, two at once, or all, as chance has it.

    ``pairs``: how two at once are asked for.
    """
    decks = table.filled_decks()
    number = min(number, sum(table.deck_sizes.values()))
    if number:
        # A whole hand is drawn by twos or at once: buttons for one would push the board off a phone's screen.
        one = Widget.BUTTONS if number <= PAIR else Widget.SELECT
        yield choice_field("deck", deck_choices(table), one)
    if number > 1:
        yield choice_field("pair", _pair_choices(table), pairs)
        parts = tuple(deck for deck in decks for _ in range(min(number, table.deck_sizes[deck])))
        yield Field("deal", msg("field.deal", n=number), (), Widget.SHUFFLE, shuffle=parts, take=number)


def deck_choices(table: Table) -> Iterator[Choice]:
    """Yield the decks that have cards."""
    for deck in table.filled_decks():
        detail = msg("choice.deck.detail", n=table.deck_sizes[deck])
        yield Choice(deck, msg("choice.deck", deck=deck), detail, reveals=True)


def _pair_choices(table: Table) -> Iterator[Choice]:
    for one, other in combinations_with_replacement(table.filled_decks(), 2):
        if one != other or table.deck_sizes[one] > 1:
            yield Choice(one + other, msg("choice.pair", deck=one, other_deck=other), reveals=True)


class Draw(Verb):
    """``draw A``, and ``C`` after it: draw a card."""

    word = "draw"
    bare = WordKind.DECK
    said = (WordKind.DECK,)
    duties = frozenset({Duty.HAND, Duty.TOSS, Duty.DRAWS})
    closing = True

    def parse(self, words: Sequence[Word]) -> Step | None:
        """Return the step that words are, ``None`` while they only begin it; raises InvalidAction."""
        return self.step_of(words[0]) if words[0].kind is WordKind.DECK else super().parse(words)

    def step_of(self, word: Word) -> Step:
        """Return the draw from a deck."""
        return Step(self, word=word.one)

    def write(self, step: Step) -> Words:
        """Return the deck alone."""
        return (step.word,)

    def check_now(self, progress: Progress) -> None:
        """Raise unless cards may be drawn."""
        if progress.duty is Duty.DONE:
            raise refuse("draws_spent", n=HAND)
        super().check_now(progress)

    def check_open(self, progress: Progress, words: Sequence[Word]) -> None:
        """Raise unless a deck has a card, and one may be drawn."""
        if not progress.table.filled_decks() or (progress.duty is Duty.TOSS and not progress.draws_after()):
            raise refuse("no_draws")

    def check(self, progress: Progress, step: Step) -> None:
        """Raise unless the deck has a card, and one may be drawn."""
        self.check_open(progress, ())
        decks = tuple(progress.table.filled_decks())
        if step.word not in decks:
            key = "deck_empty" if step.word in progress.table.strips else "no_deck"
            raise refuse(key, deck=step.word, decks=decks)

    def reveals(self, table: Table, step: Step) -> bool:
        """Return true: its player sees the card."""
        return True

    def do(self, progress: Progress, step: Step) -> None:
        """Draw a card; the draws are over when none is left to be drawn."""
        progress.close()  # in a discard turn the first draw ends the naming of cards
        table = progress.table
        table.draw(table.seat, step.word)
        if progress.duty is Duty.HAND:
            left = progress.owed = progress.owed - 1 if table.filled_decks() else 0
        else:
            left = table.turn.draws - 1 if table.filled_decks() else 0
            table.turn = replace(table.turn, draws=left)
        if not left:
            progress.duty = Duty.DONE

    def fields(self, progress: Progress, words: Sequence[Word]) -> Iterator[Field]:
        """Yield the decks."""
        yield choice_field("deck", deck_choices(progress.table))


class Enough(Verb):
    """``enough``: draw no more."""

    word = "enough"
    duties = frozenset({Duty.DRAWS})
    closing = True

    def check(self, progress: Progress, step: Step) -> None:
        """Raise in a discard turn: its draws are not optional."""
        if not progress.table.turn.played:
            raise refuse("draw_all", n=progress.table.turn.draws)

    def do(self, progress: Progress, step: Step) -> None:
        """Draw no more."""
        progress.duty = Duty.DONE


def draw_fields(progress: Progress) -> Iterator[Field]:
    """Yield the decks, and the end of the draws where they are optional."""
    yield from deck_fields(
        progress.table, progress.owed if progress.duty is Duty.HAND else progress.table.turn.draws
    )
    if progress.duty is Duty.DRAWS and progress.table.turn.played:
        yield choice_field("enough", (Choice("enough", msg("choice.enough")),))


START, END, DISCARD, TOSS, DRAW, ENOUGH = Start(), End(), Discard(), Toss(), Draw(), Enough()
