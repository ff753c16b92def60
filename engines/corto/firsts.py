"""Which cards could be the first of a turn: who has none when all decks are empty is skipped."""

from __future__ import annotations

from engines.corto.advantages import has_need
from engines.corto.board import places_for
from engines.corto.cards import Kind
from engines.corto.files import CARDS
from engines.corto.playing import has_marker
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
        return bool(places_for(table, face)) and has_marker(table)
    if face.kind is Kind.ADVANTAGE:
        return has_need(table, face)
    return True


def unplayable(table: Table) -> tuple[CardId, ...]:
    """Return all cards of the decks in play with which the acting seat could not begin, sorted.

    A skip shows that its hand holds nothing else (:attr:`Public.limited`).
    """
    return tuple(sorted(card for card in CARDS if card[0] in table.strips and not could_begin(table, card)))
