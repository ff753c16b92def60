"""Choices and fields as the menus show them: cards, squares, markers, decks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engines.core.contract import Choice, Field, Group, Msg, SeatName, Style, Widget, msg
from engines.corto import advantages, aims
from engines.corto.cards import Card
from engines.corto.course import decks, starts
from engines.corto.files import CARDS
from engines.corto.table import Table
from engines.corto.view import Square

SHOWN = 25
"""Choices that a field shows at once; more are asked in groups."""


def card_choice(card: Card) -> Choice:
    """Return the choice of a card in hand."""
    return Choice(card.id, msg("choice.card", card=card.name, id=card.id), _said_on(card))


def _said_on(card: Card) -> Msg:
    return msg("choice.card.detail", text=card.text)


def action_fields(table: Table) -> Iterator[Field]:
    """Yield what the card in hand may do: adds, hits, moves, sailing, Corto's gold."""
    card = aims.card_in_hand(table)
    if card is None:
        return
    turn = table.turn
    if card.effect == "transfer":
        yield place_field("from", (square_choice(table, at, "choice.move_from") for at in _movable(table)))
        return
    found: list[Choice] = []
    if turn.gold:
        friends = len(aims.friends_earn(table))
        label = msg("choice.gold", n=friends) if friends else msg("choice.gold.none")
        found.append(Choice("gold", label))
    if turn.adds:
        squares = aims.adds_to(table, aims.squares_in_reach(table, card))
        found += (square_choice(table, at, "choice.add", f"+{at}") for at in squares)
    if found:
        yield _grouped(Field("add", msg("field.add"), tuple(found), Widget.BUTTONS))
    aim = aims.aim(table)
    if aim is not None:
        yield from hit_fields(table, aim)
    sides = tuple(
        Choice(word, msg(f"choice.sail.{word}"), msg("choice.sail.detail", column=column))
        for word, column in aims.sides(table).items()
    )
    if sides:
        yield Field("sail", msg("field.sail"), sides, Widget.BUTTONS)


def _movable(table: Table) -> tuple[Square, ...]:
    return advantages.own_squares(table) if len(table.board) > 1 else ()


def hit_fields(table: Table, aim: aims.Aim, short: str = "") -> Iterator[Field]:
    """Yield whom a hit may meet, grouped by square; ``short`` is what single words begin with."""
    found = [
        Choice(
            f"{short}-{square}:{table.colours[owner]}",
            msg("choice.take", square=square, owner=SeatName(owner)),
            msg("choice.take.detail", colour=table.colours[owner], card=name_at(table, square)),
            square,
        )
        for square, owner in aims.takes(table, aim)
    ]
    found += (
        Choice(
            f"{short or 'kill:'}{square}",
            msg("choice.kill", square=square, card=name_at(table, square)),
            group=square,
            style=Style.DANGER,
        )
        for square in aims.kills(table, aim)
    )
    if aims.train_of(table, aim) is not None:
        found.append(Choice("train", msg("choice.train"), msg("choice.reveals"), "train", reveals=True))
    key = "shot" if short else "hit"
    if found:
        yield _grouped(Field(key, msg(f"field.{key}"), tuple(found), Widget.BUTTONS))


def shot_fields(table: Table) -> Iterator[Field]:
    """Yield whom an armed carriage's hit may meet."""
    aim = aims.aim(table, shot=True)
    if aim is not None:
        yield from hit_fields(table, aim, "shot:")


def _grouped(part: Field) -> Field:
    """Return a field with the groups that its choices name, and without groups where they are few."""
    if len(part.choices) <= SHOWN:
        bare = tuple(Choice(c.word, c.label, c.detail, "", c.reveals, c.aside, c.style) for c in part.choices)
        return Field(part.key, part.label, bare, part.widget)
    names = dict.fromkeys(choice.group for choice in part.choices)
    groups = tuple(
        Group(name, msg("group.train") if name == "train" else msg("group", name=name)) for name in names
    )
    return Field(part.key, part.label, part.choices, part.widget, groups)


def place_field(key: str, choices: Iterable[Choice]) -> Field:
    """Return a field of squares, grouped by strip where they are many."""
    return _grouped(Field(key, msg(f"field.{key}"), tuple(choices), Widget.BUTTONS))


def name_at(table: Table, square: Square) -> str:
    """Return the name of the character on a square."""
    return CARDS[table.board[square].card].name


def square_choice(table: Table, square: Square, key: str, word: str = "", *, reveals: bool = False) -> Choice:
    """Return the choice of a square; who stands there is named."""
    who = name_at(table, square) if square in table.board else ""
    detail = msg("choice.reveals") if reveals else msg("choice.who", card=who) if who else None
    return Choice(word or square, msg(key, square=square), detail, square[0].upper(), reveals=reveals)


def start_field(table: Table) -> Field:
    """Return the field of the starting characters."""
    choices = tuple(square_choice(table, square, "choice.start") for square in starts(table))
    return _grouped(Field("start", msg("field.start"), choices, Widget.BUTTONS))


def deck_field(table: Table) -> Field:
    """Return the field of the decks that have cards."""
    choices = tuple(
        Choice(
            deck,
            msg("choice.deck", deck=deck),
            msg("choice.deck.detail", n=table.deck_sizes[deck]),
            reveals=True,
        )
        for deck in decks(table)
    )
    return Field("deck", msg("field.deck"), choices, Widget.BUTTONS)
