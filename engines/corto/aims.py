"""What the card in hand may do: what is in reach, whom its adds and hits may meet."""

from __future__ import annotations

from dataclasses import dataclass

from engines.corto.board import area, neighbours, reach, strip_of
from engines.corto.cards import Card, Kind
from engines.corto.effects import by_place, is_rasputin, own_elsewhere
from engines.corto.files import CARDS
from engines.corto.quests import quest_of
from engines.corto.table import Table
from engines.corto.view import CardId, Square

_FIGURINES = (Kind.CORTO, Kind.RASPUTIN)


def card_in_hand(table: Table) -> Card | None:
    """Return the card that is not finished."""
    return None if table.turn.card is None else CARDS[table.turn.card]


def squares_in_reach(table: Table, card: Card) -> tuple[Square, ...]:
    """Return the squares on which ``card`` acts from where this turn's last character or figurine stands."""
    origin = table.turn.origin
    if origin is None:
        return ()
    return area(table.strips, origin) if card.kind in _FIGURINES else reach(table.strips, origin, card)


@dataclass(frozen=True, slots=True)
class Aim:
    """Whom hits may meet: ``squares``, from the square ``acting``; ``by``: the card, ``None``: a carriage.

    ``own``: the acting seat's own markers may be hit too.
    """

    squares: tuple[Square, ...]
    acting: Square
    by: CardId | None
    own: bool


def aim(table: Table, *, shot: bool = False) -> Aim | None:
    """Return what the card in hand, or an armed carriage, may hit; ``None`` where it may not."""
    turn = table.turn
    if shot:
        if turn.shot is None:
            return None
        return Aim((turn.shot, *neighbours(table.strips, turn.shot)), turn.shot, None, own=True)
    card = card_in_hand(table)
    if card is None or not turn.hits or turn.origin is None:
        return None
    own = card.kind is not Kind.CHARACTER
    return Aim(squares_in_reach(table, card), turn.origin, card.id, own=own)


def adds_to(table: Table, squares: tuple[Square, ...]) -> tuple[Square, ...]:
    """Return the characters on ``squares`` to which the acting seat may add a marker."""
    stocked = table.stock[table.seat] > 0
    found = tuple(square for square in by_place(table) if square in squares)
    return found if stocked else tuple(square for square in found if own_elsewhere(table, square))


def takes_from(table: Table, squares: tuple[Square, ...], *, own: bool) -> tuple[tuple[Square, int], ...]:
    """Return the markers that hits on ``squares`` may take: square and owner."""
    return tuple(
        (square, owner)
        for square in by_place(table)
        if square in squares
        for owner, count in enumerate(table.board[square].markers)
        if count and (own or owner != table.seat)
    )


def kills_on(table: Table, squares: tuple[Square, ...], *, guarded: bool = False) -> tuple[Square, ...]:
    """Return the characters on ``squares`` without a marker; with ``guarded`` all of them."""
    return tuple(
        square
        for square in by_place(table)
        if square in squares and (guarded or not any(table.board[square].markers))
    )


def target_of(table: Table, strip: str) -> Square | None:
    """Return where a strip's train is."""
    return quest_of(strip).target(table, strip)


def train_in(table: Table, origin: Square, squares: tuple[Square, ...]) -> str | None:
    """Return the strip whose train a hit may target, the origin's own square included."""
    for strip in table.strips:
        target = quest_of(strip).target(table, strip)
        if target is not None and target in (origin, *squares):
            return strip
    return None


def takes(table: Table, found: Aim) -> tuple[tuple[Square, int], ...]:
    """Return the markers that such a hit may take: square and owner; Rasputin takes none."""
    return () if is_rasputin(found.by) else takes_from(table, found.squares, own=found.own)


def kills(table: Table, found: Aim) -> tuple[Square, ...]:
    """Return the characters that such a hit may kill; Rasputin minds no markers."""
    return kills_on(table, found.squares, guarded=is_rasputin(found.by))


def train_of(table: Table, found: Aim) -> str | None:
    """Return the strip whose train such a hit may target; Rasputin and armed carriages hit none."""
    if is_rasputin(found.by) or found.by is None:
        return None
    return train_in(table, found.acting, found.squares)


def has_target(table: Table, card: Card) -> bool:
    """Return whether an object played now has anything to add to or to hit."""
    squares, origin = squares_in_reach(table, card), table.turn.origin
    if card.border is None or origin is None:
        return False
    if card.border.adds:
        return bool(adds_to(table, squares))
    return bool(
        takes_from(table, squares, own=True)
        or kills_on(table, squares)
        or train_in(table, origin, squares) is not None
    )


def sides(table: Table) -> dict[str, int]:
    """Return where the vessel may sail, by the word that says it; empty where it may not."""
    turn = table.turn
    if not turn.sail or turn.origin is None:
        return {}
    strip = strip_of(turn.origin)
    before = _vessel(table, strip)
    return {"left" if to < before else "right": to for to in quest_of(strip).sails(table, strip)}


def _vessel(table: Table, strip: str) -> int:
    """Return the middle of the columns between which a vessel may choose: where it is now."""
    return next(piece.column for piece in table.pieces[strip] if piece.column is not None)


def friends_earn(table: Table) -> tuple[tuple[Square, int], ...]:
    """Return Corto's friends around him that somebody controls: square and who earns."""
    if table.turn.origin is None:
        return ()
    around = area(table.strips, table.turn.origin)
    found = ((square, table.controller(square)) for square in by_place(table) if square in around)
    return tuple(
        (square, seat)
        for square, seat in found
        if seat is not None and CARDS[table.board[square].card].friend
    )
