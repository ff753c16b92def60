"""Which cards could be the first of a turn: who has none when all decks are empty is skipped."""

from __future__ import annotations

from collections.abc import Callable

from engines.corto.board import places_for
from engines.corto.cards import Kind
from engines.corto.files import CARDS
from engines.corto.table import Table
from engines.corto.view import CardId


def could_begin(table: Table, card: CardId) -> bool:
    """Return whether the acting seat could begin a turn with the card, were it in its hand.

    It depends on public things alone: never an object; a character needs a square and a marker; an
    advantage needs its target.
    """
    face = CARDS[card]
    if face.kind is Kind.OBJECT:
        return False
    if face.kind is Kind.CHARACTER:
        return bool(places_for(table, face)) and (table.stock[table.seat] > 0 or _in_play(table))
    if face.kind is Kind.ADVANTAGE:
        return _HAS_TARGET.get(face.effect, _always)(table)
    return True


def unplayable(table: Table) -> tuple[CardId, ...]:
    """Return all cards of the decks in play with which the acting seat could not begin, sorted.

    A skip shows that its hand holds nothing else (:attr:`Public.limited`).
    """
    return tuple(sorted(card for card in CARDS if card[0] in table.strips and not could_begin(table, card)))


def _always(table: Table) -> bool:  # noqa: ARG001
    return True


def _in_play(table: Table) -> bool:
    return any(standing.markers[table.seat] for standing in table.board.values())


def _two_characters(table: Table) -> bool:
    return len(table.board) > 1


def _marker_to_move(table: Table) -> bool:
    return _two_characters(table) and _in_play(table)


def _marker_to_bribe(table: Table) -> bool:
    return any(
        count and owner != table.seat
        for standing in table.board.values()
        for owner, count in enumerate(standing.markers)
    )


def _pocket_to_pick(table: Table) -> bool:
    return any(backs and seat != table.seat for seat, backs in enumerate(table.backs))


_HAS_TARGET: dict[str, Callable[[Table], bool]] = {
    "swap": _two_characters,
    "transfer": _marker_to_move,
    "bribe": _marker_to_bribe,
    "pickpocket": _pocket_to_pick,
}
"""The advantages that need a target; the others may always be played."""
