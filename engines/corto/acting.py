"""What the card in hand does: adds, hits, eliminations, sailing, Corto's gold, an armed carriage's hit."""

from __future__ import annotations

from dataclasses import replace

from engines.corto import facts
from engines.corto.aims import (
    Aim,
    adds_to,
    aim,
    card_in_hand,
    friends_earn,
    kills_on,
    sides,
    squares_in_reach,
    takes_from,
    train_in,
)
from engines.corto.board import strip_of
from engines.corto.cards import Card, Kind
from engines.corto.effects import (
    check_origin,
    is_rasputin,
    kill,
    listed,
    named,
    put_marker,
    refuse,
    take_marker,
    tidy,
)
from engines.corto.quests import quest_of
from engines.corto.steps import Step, Verb
from engines.corto.table import Table
from engines.corto.view import Square

# --- checks: what a refusal says ------------------------------------------------------------------


def check_add(table: Table, step: Step) -> None:
    """Raise unless a marker may be added there."""
    card = card_in_hand(table)
    if card is None or card.kind is Kind.ADVANTAGE or not table.turn.adds:
        raise refuse("no_adds" if card is None else "adds_spent", square=step.square, card=_card(card))
    squares = squares_in_reach(table, card)
    legal = kills_on(table, squares, guarded=True)
    _check_reach(table, step.square, legal)
    check_origin(table, step.square, step.origin)
    if step.square not in adds_to(table, squares):
        raise refuse("no_markers", square=step.square)


def check_take(table: Table, step: Step) -> None:
    """Raise unless that marker may be hit."""
    found = check_aim(table, shot=step.shot)
    if is_rasputin(found.by):
        raise refuse("rasputin_kills", legal=listed(kills_on(table, found.squares, guarded=True)))
    markers = takes_from(table, found.squares, own=found.own)
    _check_reach(table, step.square, kills_on(table, found.squares, guarded=True))
    owner = _owner(table, step.colour)
    if owner == table.seat and not found.own:
        legal = tuple(f"-{square}:{table.colours[seat]}" for square, seat in markers)
        raise refuse("own_marker", square=step.square, legal=listed(legal))
    if (step.square, owner) not in markers:
        there = tuple(table.colours[seat] for square, seat in markers if square == step.square)
        raise refuse("no_such_marker", square=step.square, colour=step.colour, legal=listed(there))


def check_kill(table: Table, step: Step) -> None:
    """Raise unless that character may be killed, or eliminated by Rasputin."""
    found = check_aim(table, shot=step.shot)
    guarded = is_rasputin(found.by)
    _check_reach(table, step.square, kills_on(table, found.squares, guarded=True))
    if not guarded and any(table.board[step.square].markers):
        raise refuse("guarded", square=step.square, legal=listed(kills_on(table, found.squares)))


def check_train(table: Table, step: Step) -> None:
    """Raise unless the train may be hit."""
    found = check_aim(table, shot=step.shot)
    if is_rasputin(found.by):
        raise refuse("rasputin_kills", legal=listed(kills_on(table, found.squares, guarded=True)))
    if train_in(table, found.acting, found.squares) is None:
        trains = tuple(
            target for strip in table.strips if (target := quest_of(strip).target(table, strip)) is not None
        )
        raise refuse("train_far" if trains else "no_train", square=found.acting, legal=listed(trains))


def check_sail(table: Table, step: Step) -> None:
    """Raise unless the vessel may sail there."""
    if not table.turn.sail:
        raise refuse("no_sail")
    if step.word not in sides(table):
        raise refuse("sail_off", legal=listed(tuple(sides(table))))


def check_gold(table: Table, step: Step) -> None:  # noqa: ARG001
    """Raise unless Corto may act for his friends."""
    if not table.turn.gold:
        raise refuse("no_gold")


def _card(card: Card | None) -> str:
    return "" if card is None else named(card.id)


def _owner(table: Table, colour: str) -> int:
    if colour not in table.colours:
        raise refuse("no_colour", colour=colour, legal=listed(table.colours))
    return table.colours.index(colour)


def check_aim(table: Table, *, shot: bool) -> Aim:
    """Return whom a hit may meet; raises where no hit is left."""
    found = aim(table, shot=shot)
    if found is not None:
        return found
    card = card_in_hand(table)
    if shot:
        raise refuse("no_shot")
    raise refuse("no_hits") if card is None else refuse("hits_spent", card=named(card.id))


def _check_reach(table: Table, square: Square, legal: tuple[Square, ...]) -> None:
    """Raise unless a character stands there, in reach."""
    if square not in table.board:
        raise refuse("nobody", square=square, legal=listed(legal))
    if square not in legal:
        raise refuse("reach", square=square, legal=listed(legal))


# --- and what is done -----------------------------------------------------------------------------


def do_add(table: Table, step: Step) -> None:
    """Add a marker; of a black-and-white border the hit is gone with it."""
    turn, card = table.turn, card_in_hand(table)
    put_marker(table, step.square, step.origin)
    hits = 0 if card is not None and card.kind is Kind.CHARACTER else turn.hits
    table.turn = replace(turn, adds=turn.adds - 1, hits=hits, sail=False, gold=False, shot=None)
    tidy(table)


def do_hit(table: Table, step: Step) -> None:
    """Hit a marker, a character or the train."""
    found = check_aim(table, shot=step.shot)
    _spend(table, shot=step.shot)
    if step.verb is Verb.TAKE:
        take_marker(table, step.square, table.colours.index(step.colour), found.by)
    elif step.verb is Verb.KILL:
        kill(table, step.square, found.by, found.acting)
    else:
        strip = train_in(table, found.acting, found.squares)
        assert strip is not None
        square = quest_of(strip).target(table, strip)
        if quest_of(strip).struck(table, strip):
            table.turn = replace(table.turn, shot=square)
    tidy(table)


def _spend(table: Table, *, shot: bool) -> None:
    """Count a hit; any but an armed carriage's waives that one."""
    turn = table.turn
    if shot:
        table.turn = replace(turn, shot=None)
        return
    card = card_in_hand(table)
    adds = 0 if card is not None and card.kind is Kind.CHARACTER else turn.adds
    table.turn = replace(turn, adds=adds, hits=turn.hits - 1, sail=False, shot=None)


def do_sail(table: Table, step: Step) -> None:
    """Sail the vessel, and it is done for this card."""
    turn = table.turn
    assert turn.origin is not None
    strip = strip_of(turn.origin)
    column = sides(table)[step.word]
    table.turn = replace(turn, sail=False, shot=None)
    quest_of(strip).sail(table, strip, column)
    tidy(table)


def do_gold(table: Table, step: Step) -> None:  # noqa: ARG001
    """Let each friend around Corto earn 1 gold for who controls it, for every player."""
    for square, earner in friends_earn(table):
        table.corto_gold[earner] += 1
        table.tell(facts.earned(table.seat, earner, square))
    table.turn = replace(table.turn, gold=False, shot=None)
    tidy(table)
