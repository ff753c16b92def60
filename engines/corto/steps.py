"""The steps that may come next in a turn: what computer players choose from.

Each is whole but for where a marker comes from once the stock is empty: :func:`origins` says that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from engines.corto.cards import CARDS, Card, Kind
from engines.corto.state import Square
from engines.corto.table import Table
from engines.corto.verbs import ADD, ADV, CORTO, GOLD, KILL, MOVE, PLAY, RASPUTIN, SAIL, TAKE, TRAIN, USE
from engines.corto.verbs.advantages import opposing_markers, victims
from engines.corto.verbs.base import Step
from engines.corto.verbs.characters import origins_of, places_of, sides
from engines.corto.verbs.figurines import destinations
from engines.corto.verbs.objects import Aim, adds_to, aim, squares_in_reach


def origins(table: Table, step: Step) -> tuple[Square, ...]:
    """Return where the marker of a character that a step places may come from; none while one is in stock."""
    if step.verb is not PLAY or table.stock[table.seat]:
        return ()
    return origins_of(table, CARDS[step.card], step.square)


def actions(table: Table) -> Iterator[Step]:
    """Yield what the card in hand, or an armed carriage, may do next."""
    shot, open_hit = aim(table, shot=True), aim(table)
    if shot is not None:
        yield from (replace(step, shot=True) for step in _hits(table, shot))
    card = table.card_in_hand()
    if card is None:
        return
    turn = table.turn
    if card.effect == "transfer":
        pairs = product(table.own_elsewhere(), table.squares())
        yield from (Step(MOVE, square=one, other=other) for one, other in pairs if one != other)
    elif turn.gold:
        yield Step(GOLD)
    elif turn.adds:
        stocked = table.stock[table.seat] > 0
        for square in adds_to(table, squares_in_reach(table, card)):
            found = ("",) if stocked else table.own_elsewhere(square)
            yield from (Step(ADD, square=square, origin=at) for at in found)
    if open_hit is not None:
        yield from _hits(table, open_hit)
    yield from (Step(SAIL, word=side) for side in sides(table))


def _hits(table: Table, found: Aim) -> Iterator[Step]:
    takes = [Step(TAKE, square=at, colour=table.colours[owner]) for at, owner in found.markers(table)]
    others = [step for step in takes if step.colour != table.colours[table.seat]]
    others += (Step(KILL, square=square) for square in found.kills(table))
    if found.train(table) is not None:
        others.append(Step(TRAIN))
    # One's own markers are hit only where an object in hand must hit and finds nothing else.
    yield from others or takes


def plays(table: Table, card: Card) -> Iterator[Step]:
    """Yield the ways to play a card of the hand that may be played now."""
    match card.kind:
        case Kind.CHARACTER:
            yield from (Step(PLAY, card=card.id, square=square) for square in places_of(table, card))
        case Kind.OBJECT:
            yield Step(USE, card=card.id)
        case Kind.ADVANTAGE:
            yield from _advantages(table, card)
        case kind:
            verb = CORTO if kind is Kind.CORTO else RASPUTIN
            yield from (Step(verb, card=card.id, square=square) for square in destinations(table, card))


def _advantages(table: Table, card: Card) -> Iterator[Step]:
    step = Step(ADV, card=card.id)
    match card.effect:
        case "swap":
            squares = table.squares()
            for number, square in enumerate(squares):
                yield from (replace(step, square=square, other=other) for other in squares[:number])
        case "bribe":
            for square, owner in opposing_markers(table):
                yield replace(step, square=square, colour=table.colours[owner])
        case "pickpocket":
            yield from (replace(step, colour=table.colours[seat]) for seat in victims(table))
        case _:
            yield step
