"""Characters: where they are placed, and their marker; the vessel, which sails as one is placed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engines.core.contract import Choice, Field, IllegalAction, Widget, Words, msg
from engines.corto import events
from engines.corto.board import column_of, square_at, strip_of
from engines.corto.cards import CARDS, Card, Kind
from engines.corto.names import card_and_id
from engines.corto.notation import Word, WordKind
from engines.corto.quests import quest_of
from engines.corto.state import CharacterView, Square
from engines.corto.table import Table
from engines.corto.turn import Progress
from engines.corto.verbs.base import (
    CardVerb,
    Step,
    Verb,
    among,
    choice_field,
    misplaced,
    origin_field,
    refuse,
    square_choice,
)
from engines.corto.verbs.ending import (
    allowed_at_the_end,
    check_single,
    freeing_origins,
    not_single,
    would_end,
)

# --- markers: also for whoever adds one -----------------------------------------------------------


def must_move_marker(table: Table, square: Square) -> bool:
    """Return whether a marker for ``square`` has to come from another character."""
    return not table.stock[table.seat] and bool(table.own_elsewhere(square))


def check_origin(table: Table, square: Square, origin: Square) -> None:
    """Raise unless the marker for ``square`` may come from ``origin`` (``""``: from the stock)."""
    if not origin:
        return
    # A marker is moved only when the stock is empty.
    if table.stock[table.seat]:
        raise refuse("stock_left", square=square, n=table.stock[table.seat])
    legal = table.own_elsewhere(square)
    if origin not in legal:
        raise among("marker_from", "squares", legal, origin=origin)


def has_marker(table: Table) -> bool:
    """Return whether the acting seat has a marker for a new character, in stock or on another one."""
    return table.stock[table.seat] > 0 or bool(table.own_elsewhere())


# --- placing a character --------------------------------------------------------------------------


def places_of(table: Table, card: Card) -> tuple[Square, ...]:
    """Return where a character may be placed, the ending turn's limit counted in."""
    places = table.places_for(card) if has_marker(table) else ()
    return allowed_at_the_end(table, card, places, table.occupied())


def origins_of(table: Table, card: Card, square: Square) -> tuple[Square, ...]:
    """Return where the marker of a character placed on ``square`` may come from, once the stock is empty."""
    if would_end(table, {*table.occupied(), square}):
        return freeing_origins(table, card, square)
    return table.own_elsewhere(square)


class Play(CardVerb):
    """``play A04 a3``: place a character with a marker; ``a3<c2``: the marker comes from c2."""

    word = "play"
    kind = Kind.CHARACTER
    marks = (("place", "place"), ("from", "from"))

    def parse_rest(self, card: Card, rest: Sequence[Word]) -> Step | None:
        """Return the step with a square, which may say where the marker comes from."""
        if not rest:
            return None
        if len(rest) > 1 or rest[0].kind is not WordKind.SQUARE:
            raise misplaced(rest[-1])
        return Step(self, card=card.id, square=rest[0].one, origin=rest[0].other)

    def has_use(self, table: Table, card: Card) -> bool:
        """Return whether the character may be placed somewhere."""
        return bool(places_of(table, card))

    def check_begun(self, table: Table, card: Card, rest: Sequence[Word]) -> None:
        """Raise unless the character may be placed somewhere."""
        if not table.strips_for(card):
            raise among("no_strip_in_play", "strips", card.colours, card=card_and_id(card.id))
        if not has_marker(table):
            raise refuse("no_marker_left", card=card_and_id(card.id))
        if places_of(table, card):
            return
        if not table.places_for(card):
            raise among("no_room", "strips", table.strips_for(card), card=card_and_id(card.id))
        raise not_single(table, card.id)

    def check(self, progress: Progress, step: Step) -> None:
        """Raise unless the character may be placed there, with its marker."""
        table, square = progress.table, step.square
        card = self.check_card(table, step.card)
        if column_of(square) == 0:
            raise self._not_there("deck_square", table, card, square)
        if strip_of(square) not in table.strips_for(card):
            raise self._not_there("colour", table, card, square)
        if not table.is_free(square):
            key = "occupied" if square in table.board else "under_figurine"
            raise self._not_there(key, table, card, square)
        if square not in table.places_for(card):
            raise self._not_there("not_adjacent", table, card, square)
        if not has_marker(table):
            raise refuse("no_marker_left", card=card_and_id(card.id))
        check_origin(table, square, step.origin)
        check_single(table, card, square, step.origin, {*table.occupied(), square})

    def _not_there(self, key: str, table: Table, card: Card, square: Square) -> IllegalAction:
        """Return the refusal of a square; raises if no other one is left either."""
        self.check_begun(table, card, ())
        return refuse(key, card=card_and_id(card.id), square=square, squares=places_of(table, card))

    def asks_origin(self, table: Table, step: Step) -> bool:
        """Return whether the stock is empty, and the step does not say yet whose marker is moved."""
        return not step.origin and must_move_marker(table, step.square)

    def reveals(self, table: Table, step: Step) -> bool:
        """Return whether the character turns something up where it is placed."""
        strip = strip_of(step.square)
        return quest_of(strip).reveals(table, strip, step.square)

    def do(self, progress: Progress, step: Step) -> None:
        """Place a character and its marker, and let the strip's quest know."""
        table, card, square = progress.table, CARDS[step.card], step.square
        border, strip = card.border, strip_of(square)
        assert border is not None
        must_free = would_end(table, {*table.occupied(), square})
        table.leave_hand(card.id)
        table.board[square] = CharacterView(square, card.id, (0,) * len(table.colours))
        table.tell(events.played(table.seat, card.id, square))
        table.turn = replace(table.turn, drop_in=False)  # a drop-in is for one character
        table.put_marker(square, step.origin)
        # The quest's turn comes after the marker and before the action: sailing is a step of its own,
        # what else the placement brings happens at once.
        sail = bool(quest_of(strip).sails(table, strip)) and not must_free
        adds = int(border.adds and not must_free)
        table.take_up(
            card.id, origin=square, adds=adds, hits=int(border.hits), sail=sail, must_free=must_free
        )
        quest_of(strip).placed(table, strip, square)

    def card_fields(self, table: Table, card: Card, rest: Sequence[Word]) -> Iterator[Field]:
        """Yield the squares, or where the marker for the one that is named comes from."""
        if rest:
            step = Step(self, square=rest[0].one)
            sources = origins_of(table, card, step.square)
            yield origin_field(table, sources, reveals=self.reveals(table, step))
        else:
            choices = []
            for square in places_of(table, card):
                # Where a marker has to be moved, only the word that says which one makes the step whole.
                turned = not must_move_marker(table, square) and self.reveals(
                    table, Step(self, square=square)
                )
                choices.append(square_choice(table, square, reveals=turned))
            yield choice_field("place", choices, Widget.GRID)


# --- sailing --------------------------------------------------------------------------------------


def sides(table: Table) -> dict[str, int]:
    """Return the columns to which the vessel may sail, by the word that says it; empty where it may not."""
    turn = table.turn
    if not turn.sail or turn.origin is None:
        return {}
    strip = strip_of(turn.origin)
    now = next(piece.column for piece in table.pieces[strip] if piece.column is not None)
    return {"left" if to < now else "right": to for to in quest_of(strip).sails(table, strip)}


def sail_fields(table: Table) -> Iterator[Field]:
    """Yield where the vessel may sail."""
    choices = tuple(
        Choice(word, msg(f"choice.sail.{word}"), msg("choice.sail.detail", column=column))
        for word, column in sides(table).items()
    )
    if choices:
        yield choice_field("sail", choices)


class Sail(Verb):
    """``sail left``: the vessel of the strip on which a character was just placed sails a column."""

    word = "sail"
    said = (WordKind.SIDE,)
    short = (WordKind.SIDE,)
    marks = ((WordKind.SIDE, "sail"),)

    def step_of(self, word: Word) -> Step:
        """Return the step to a side."""
        return Step(self, word=word.one)

    def write(self, step: Step) -> Words:
        """Return ``sail left``."""
        return (self.word, step.word)

    def check_open(self, progress: Progress, words: Sequence[Word]) -> None:
        """Raise unless the vessel may sail somewhere."""
        self.check(progress, Step(self, word=next(iter(sides(progress.table)), "")))

    def check(self, progress: Progress, step: Step) -> None:
        """Raise unless the vessel may sail there."""
        if not progress.table.turn.sail:
            raise refuse("no_sail")
        legal = sides(progress.table)
        if step.word not in legal:
            raise refuse("sail_off", words=tuple(legal))

    def do(self, progress: Progress, step: Step) -> None:
        """Sail the vessel, and it is done for this card."""
        table, turn = progress.table, progress.table.turn
        assert turn.origin is not None
        strip, column = strip_of(turn.origin), sides(table)[step.word]
        table.turn = replace(turn, sail=False, shot=None)
        quest_of(strip).sail(table, strip, column)
        table.tidy()

    def fields(self, progress: Progress, words: Sequence[Word]) -> Iterator[Field]:
        """Yield the sides."""
        yield from sail_fields(progress.table)

    def square_of(self, table: Table, word: Word) -> Square:
        """Return the square to which the vessel would sail."""
        return square_at(strip_of(table.turn.origin or ""), sides(table)[word.one])


PLAY, SAIL = Play(), Sail()
