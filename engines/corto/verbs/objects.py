"""Objects, and whom the card in hand reaches: what its adds and its hits may meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engines.core.contract import Seat
from engines.corto import events
from engines.corto.board import area, fills_two, neighbours, reach
from engines.corto.cards import CARDS, Card, Kind
from engines.corto.names import card_and_id
from engines.corto.notation import Word
from engines.corto.quests import quest_of
from engines.corto.state import CardId, Square
from engines.corto.table import Table
from engines.corto.turn import Progress
from engines.corto.verbs.base import CardVerb, Step, misplaced, refuse

FIGURINES = (Kind.CORTO, Kind.RASPUTIN)


def squares_in_reach(table: Table, card: Card) -> tuple[Square, ...]:
    """Return the squares on which ``card`` acts from where this turn's last character or figurine stands."""
    origin = table.turn.origin
    if origin is None:
        return ()
    if card.kind in FIGURINES:
        # An object that comes with a figurine has its four neighbours; this area is the figurine's own.
        return area(table.strips, origin)
    squares = reach(table.strips, origin, card)
    if card.kind is Kind.OBJECT and table.public.ruleset.under_figurines and _comes_with_figurine(table):
        return (origin, *squares)
    return squares


def _comes_with_figurine(table: Table) -> bool:
    user = table.last_standing()
    return user is not None and CARDS[user].kind in FIGURINES


def adds_to(table: Table, squares: tuple[Square, ...]) -> tuple[Square, ...]:
    """Return the characters on ``squares`` to which the acting seat may add a marker."""
    found = characters_on(table, squares)
    if table.stock[table.seat]:
        return found
    return tuple(square for square in found if table.own_elsewhere(square))


def characters_on(table: Table, squares: tuple[Square, ...]) -> tuple[Square, ...]:
    """Return those of ``squares`` on which a character stands, by strip and column."""
    return tuple(square for square in table.squares() if square in squares)


def markers_on(table: Table, squares: tuple[Square, ...], *, own: bool) -> tuple[tuple[Square, Seat], ...]:
    """Return the markers on ``squares``, square and owner; those of the acting seat only with ``own``."""
    return tuple(
        (square, owner)
        for square in characters_on(table, squares)
        for owner, count in enumerate(table.board[square].markers)
        if count and (own or owner != table.seat)
    )


def bare_on(table: Table, squares: tuple[Square, ...]) -> tuple[Square, ...]:
    """Return the characters on ``squares`` without a marker."""
    return tuple(square for square in characters_on(table, squares) if not any(table.board[square].markers))


def train_in(table: Table, origin: Square, squares: tuple[Square, ...]) -> str | None:
    """Return the strip whose train a hit may target, the origin's own square included."""
    for strip in table.strips:
        target = quest_of(strip).target(table, strip)
        if target is not None and target in (origin, *squares):
            return strip
    return None


@dataclass(frozen=True, slots=True)
class Aim:
    """Whom hits may meet: ``squares``, from the square ``acting``; ``by``: the card, ``None``: a carriage.

    ``own``: the acting seat's own markers may be hit too; ``kills_only``: neither markers nor trains may be.
    """

    squares: tuple[Square, ...]
    acting: Square
    by: CardId | None
    own: bool
    kills_only: bool = False

    @property
    def eliminates(self) -> bool:
        """Return whether it is Rasputin's: he takes characters whole, and nothing else."""
        return self.by is not None and CARDS[self.by].kind is Kind.RASPUTIN

    def markers(self, table: Table) -> tuple[tuple[Square, Seat], ...]:
        """Return the markers that may be hit: square and owner."""
        return () if self.eliminates or self.kills_only else markers_on(table, self.squares, own=self.own)

    def kills(self, table: Table) -> tuple[Square, ...]:
        """Return the characters that may be killed; Rasputin minds no markers."""
        return characters_on(table, self.squares) if self.eliminates else bare_on(table, self.squares)

    def train(self, table: Table) -> str | None:
        """Return the strip whose train may be hit; neither Rasputin nor an armed carriage hits one."""
        if self.eliminates or self.kills_only or self.by is None:
            return None
        return train_in(table, self.acting, self.squares)


def aim(table: Table, *, shot: bool = False) -> Aim | None:
    """Return what the card in hand, or with ``shot`` an armed carriage, may hit; ``None``: nothing now."""
    turn = table.turn
    if shot:
        if turn.shot is None:
            return None
        # As of a black 1 object, from the square on which the train was hit, that one included.
        return Aim((turn.shot, *neighbours(table.strips, turn.shot)), turn.shot, None, own=True)
    card = table.card_in_hand()
    if card is None or not turn.hits or turn.origin is None:
        return None
    if turn.must_free:
        return Aim(freed_by(table, card), turn.origin, card.id, own=False, kills_only=True)
    # A border hits opponents only. Ruling: an object hits anybody, its player too.
    return Aim(squares_in_reach(table, card), turn.origin, card.id, own=card.kind is not Kind.CHARACTER)


def freed_by(table: Table, card: Card) -> tuple[Square, ...]:
    """Return whom a character or figurine may kill so that a square is free and two strips are not full.

    ``card``: the one from whose square this turn acts. What a safe-conduct would be spent on frees nothing.
    """
    origin = table.turn.origin
    if origin is None or not (card.kind is Kind.RASPUTIN or (card.border is not None and card.border.hits)):
        return ()
    victims = Aim(squares_in_reach(table, card), origin, card.id, own=False).kills(table)
    return tuple(at for at in victims if table.guard(at) is None and _would_be_free(table, at))


def _would_be_free(table: Table, square: Square) -> bool:
    """Return whether a square is free, and two strips are not full, once its character is gone."""
    if square in table.figurines.values():  # a figurine stays when the character under it goes
        return False
    return not fills_two(table.strips, table.occupied() - {square})


# --- using an object ------------------------------------------------------------------------------


class Use(CardVerb):
    """``use A15``: discard an object, and have its adds or hits in hand."""

    word = "use"
    kind = Kind.OBJECT

    def parse_rest(self, card: Card, rest: Sequence[Word]) -> Step:
        """Return the step; no word follows."""
        if rest:
            raise misplaced(rest[0])
        return Step(self, card=card.id)

    def has_use(self, table: Table, card: Card) -> bool:
        """Return whether an object played now has anything to add to or to hit."""
        # It acts from the last character or figurine of this turn: without one there is no origin.
        origin = table.turn.origin
        if card.border is None or origin is None:
            return False
        squares = squares_in_reach(table, card)
        if card.border.adds:
            return bool(adds_to(table, squares))
        return bool(
            markers_on(table, squares, own=True)
            or bare_on(table, squares)
            or train_in(table, origin, squares) is not None
        )

    def check(self, progress: Progress, step: Step) -> None:
        """Raise unless the object may be used, and has a target."""
        table = progress.table
        card = self.check_card(table, step.card)
        origin = table.turn.origin
        if origin is None:
            raise refuse("object_first", card=card_and_id(card.id))
        if not self.has_use(table, card):
            raise refuse("object_target", card=card_and_id(card.id), square=origin)

    def do(self, progress: Progress, step: Step) -> None:
        """Discard the object; its first add or hit must follow."""
        table, card = progress.table, CARDS[step.card]
        origin = table.turn.origin
        assert card.border is not None
        assert origin is not None
        table.leave_hand(card.id)
        table.discard(card.id)
        table.tell(events.used(table.seat, card.id, origin))
        adds = card.power if card.border.adds else 0
        table.take_up(card.id, adds=adds, hits=card.power - adds)
        progress.half = True


USE = Use()
