"""The turn that ends the match: one character or figurine may be played in it, and when another one may.

It is judged after each such card, so that nobody comes to where nothing may be said any more (a ruling).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engines.core.contract import IllegalAction
from engines.corto.board import fills_two
from engines.corto.cards import CARDS, Card, Kind
from engines.corto.names import card_and_id
from engines.corto.state import CardId, CharacterView, Figurine, Square
from engines.corto.table import Table
from engines.corto.verbs.base import refuse
from engines.corto.verbs.objects import freed_by


def has_played_one(table: Table) -> bool:
    """Return whether a character or figurine has been played in this turn."""
    return any(CARDS[card].stands for card in table.turn.played)


def would_end(table: Table, taken: set[Square]) -> bool:
    """Return whether the turn would end the match with one character or figurine too many.

    ``taken``: the squares that are occupied once it stands.
    """
    return has_played_one(table) and (table.two_are_full() or fills_two(table.strips, taken))


def allowed_at_the_end(
    table: Table, card: Card, places: Sequence[Square], others: set[Square]
) -> tuple[Square, ...]:
    """Return the places that are left to a character or figurine; ``others`` are taken beside it."""
    if not has_played_one(table):  # a single one may end the match
        return tuple(places)
    full = table.two_are_full()
    return tuple(
        square
        for square in places
        if not (full or fills_two(table.strips, {*others, square})) or may_free(table, card, square)
    )


def check_single(table: Table, card: Card, square: Square, origin: Square, taken: set[Square]) -> None:
    """Raise if a second character or figurine would stand in the turn that ends the match, and stay there.

    ``origin``: where its marker comes from, as a step says it.
    """
    if not would_end(table, taken):
        return
    if not may_free(table, card, square):
        raise not_single(table, card.id)
    sources = freeing_origins(table, card, square)
    if origin and origin not in sources:
        raise refuse("single_from", card=card_and_id(card.id), origin=origin, squares=sources)


def not_single(table: Table, card: CardId) -> IllegalAction:
    """Return the refusal of one more character or figurine in the turn that ends the match."""
    if table.public.ruleset.action_may_free:
        key = "none_freed_full" if table.two_are_full() else "none_freed_fills"
    else:
        key = "single_full" if table.two_are_full() else "single_fills"
    return refuse(key, card=card_and_id(card))


# --- its own action -------------------------------------------------------------------------------


def may_free(table: Table, card: Card, square: Square) -> bool:
    """Return whether a card's own action may free a square once it stands on ``square``.

    A character may need a marker from elsewhere: it is enough that one of them makes it possible.
    """
    if not table.public.ruleset.action_may_free:
        return False
    if card.kind is Kind.CHARACTER and not table.stock[table.seat]:
        return bool(freeing_origins(table, card, square))
    return _frees(table, card, square)


def freeing_origins(table: Table, card: Card, square: Square) -> tuple[Square, ...]:
    """Return where a character's marker may come from so that its own action may free a square.

    None while there is a marker in stock.
    """
    if table.stock[table.seat]:
        return ()
    return tuple(at for at in table.own_elsewhere(square) if _frees(table, card, square, at))


def _frees(table: Table, card: Card, square: Square, origin: Square = "") -> bool:
    after = table.copy()
    if card.kind is Kind.CHARACTER:
        after.board[square] = CharacterView(square, card.id, (0,) * len(table.colours))
        after.put_marker(square, origin)
    else:
        after.figurines[Figurine(card.kind.value)] = square
    after.turn = replace(after.turn, origin=square)
    return bool(freed_by(after, card))
