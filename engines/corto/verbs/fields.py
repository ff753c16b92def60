"""Fields and choices as the menus show them: cards, squares, markers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engines.core.contract import Choice, Field, Group, SeatName, Widget, msg
from engines.corto.cards import CARDS, Card
from engines.corto.state import Square
from engines.corto.table import Table

SHOWN = 25
"""Choices that a field shows at once; more are asked in groups."""


def field(key: str, choices: Iterable[Choice]) -> Field:
    """Return a field, with the groups that its choices name where they are many."""
    found = tuple(choices)
    label = msg(f"field.{key}")
    if len(found) <= SHOWN:
        return Field(
            key,
            label,
            tuple(replace(choice, group="") if choice.group else choice for choice in found),
            Widget.BUTTONS,
        )
    names = dict.fromkeys(choice.group for choice in found)
    groups = (
        Group(name, msg("group.train") if name == "train" else msg("group", name=name)) for name in names
    )
    return Field(key, label, found, Widget.BUTTONS, tuple(groups))


def card_choice(card: Card) -> Choice:
    """Return the choice of a card in hand."""
    label = msg("choice.card", card=card.name, id=card.id)
    return Choice(card.id, label, msg("choice.card.detail", text=card.text))


def name_at(table: Table, square: Square) -> str:
    """Return the name of the character on a square."""
    return CARDS[table.board[square].card].name


def square_choice(table: Table, square: Square, key: str, word: str = "", *, reveals: bool = False) -> Choice:
    """Return the choice of a square, whose label is ``choice.<key>``; who stands there is named."""
    who = name_at(table, square) if square in table.board else ""
    detail = msg("choice.reveals") if reveals else msg("choice.who", card=who) if who else None
    return Choice(
        word or square, msg(f"choice.{key}", square=square), detail, square[0].upper(), reveals=reveals
    )


def origin_field(table: Table, square: Square, *, reveals: bool = False) -> Field:
    """Return the field of the characters from which a marker for ``square`` may come."""
    return field(
        "from",
        (square_choice(table, at, "from", f"<{at}", reveals=reveals) for at in table.own_elsewhere(square)),
    )


def marker_choice(table: Table, square: Square, owner: int, word: str, group: str) -> Choice:
    """Return the choice of somebody's marker on a character."""
    label = msg("choice.take", square=square, owner=SeatName(owner))
    detail = msg("choice.take.detail", colour=table.colours[owner], card=name_at(table, square))
    return Choice(word, label, detail, group)
