"""The seven advantages: each with what it needs, what it asks, and what it does."""

from __future__ import annotations

from dataclasses import replace

from engines.core.contract import Seat, all_but, only
from engines.corto import facts
from engines.corto.board import last_standing
from engines.corto.cards import Card, Kind
from engines.corto.effects import (
    by_place,
    discard,
    draw_card,
    fullest,
    leave_hand,
    listed,
    named,
    own_elsewhere,
    refuse,
    take_up,
    tidy,
)
from engines.corto.files import CARDS
from engines.corto.playing import check_card
from engines.corto.steps import Step
from engines.corto.table import Secrets, Table
from engines.corto.view import CardId, Square

MOVES = 2
"""Markers that a transfer may move."""


# --- what each needs ------------------------------------------------------------------------------


def own_squares(table: Table) -> tuple[Square, ...]:
    """Return the characters that hold a marker of the acting seat."""
    return own_elsewhere(table, "")


def opposing_markers(table: Table) -> tuple[tuple[Square, Seat], ...]:
    """Return the markers of opponents on the board: square and owner."""
    return tuple(
        (square, owner)
        for square in by_place(table)
        for owner, count in enumerate(table.board[square].markers)
        if count and owner != table.seat
    )


def victims(table: Table) -> tuple[Seat, ...]:
    """Return the opponents who have a card."""
    return tuple(
        seat
        for seat, hand in enumerate(table.backs)
        if hand and seat != table.seat and seat not in table.left
    )


def has_need(table: Table, card: Card) -> bool:
    """Return whether an advantage has the target that it needs."""
    match card.effect:
        case "swap":
            return len(table.board) > 1
        case "transfer":
            return len(table.board) > 1 and bool(own_squares(table))
        case "bribe":
            return bool(opposing_markers(table))
        case "pickpocket":
            return bool(victims(table))
        case _:
            return True


# --- checks ---------------------------------------------------------------------------------------


def check_advantage(table: Table, step: Step) -> None:
    """Raise unless the advantage may be played, with what the step says of it."""
    card = check_card(table, step.card, Kind.ADVANTAGE)
    if not has_need(table, card):
        raise refuse(f"need_{card.effect}", card=named(card.id))
    if card.effect == "swap" and step.square:
        check_swap(table, step)
    elif card.effect == "bribe" and step.square:
        _check_bribe(table, step)
    elif card.effect == "pickpocket" and step.colour:
        _check_pickpocket(table, step)


def check_swap(table: Table, step: Step) -> None:
    """Raise unless characters stand on the squares named so far, two different ones."""
    for square in (step.square, step.other):
        if square and square not in table.board:
            raise refuse("nobody", square=square, legal=listed(by_place(table)))
    if step.square == step.other:
        raise refuse("swap_same", square=step.square)


def _check_bribe(table: Table, step: Step) -> None:
    legal = tuple((square, table.colours[owner]) for square, owner in opposing_markers(table))
    if (step.square, step.colour) not in legal:
        words = listed(tuple(f"{square}:{colour}" for square, colour in legal))
        raise refuse("bribe_none", square=step.square, colour=step.colour, legal=words)


def _check_pickpocket(table: Table, step: Step) -> None:
    legal = tuple(table.colours[seat] for seat in victims(table))
    if step.colour not in legal:
        raise refuse("pick_whom", colour=step.colour, legal=listed(legal))


def check_move(table: Table, step: Step) -> None:
    """Raise unless that marker may be moved; ``other`` may be left out."""
    turn = table.turn
    if turn.card is None or CARDS[turn.card].effect != "transfer" or not turn.adds:
        raise refuse("no_moves")
    if step.square not in own_squares(table):
        raise refuse("marker_from", origin=step.square, legal=listed(own_squares(table)))
    if not step.other:
        return
    legal = tuple(square for square in by_place(table) if square != step.square)
    if step.other not in legal:
        raise refuse("move_to", square=step.other, legal=listed(legal))


# --- effects --------------------------------------------------------------------------------------


def do_advantage(table: Table, step: Step) -> None:
    """Play an advantage: its effect, then it is discarded or kept in front."""
    card = CARDS[step.card]
    kept = card.effect == "safe-conduct"
    leave_hand(table, card.id)
    if kept:
        table.kept[table.seat].append(card.id)
    else:
        discard(table, card.id)
    table.tell(facts.advantage(table.seat, card.id, kept=kept))
    take_up(table, card.id, adds=MOVES if card.effect == "transfer" else 0)
    match card.effect:
        case "swap":
            _swap(table, step.square, step.other)
        case "refill":
            table.turn = replace(table.turn, refill=True)
        case "drop-in":
            table.turn = replace(table.turn, drop_in=True)
        case "bribe":
            owner = table.colours.index(step.colour)
            table.board[step.square].markers[owner] -= 1
            table.stock[owner] += 1
            table.tell(facts.bribed(table.seat, step.square, owner))
        case "pickpocket":
            _pick(table, table.hidden(), table.colours.index(step.colour))


def _swap(table: Table, one: Square, other: Square) -> None:
    """Exchange two characters; the origin of this turn's objects goes with its character."""
    board, origin = table.board, table.turn.origin
    carried = origin in (one, other) and board[origin].card == last_standing(table) if origin else False
    board[one], board[other] = board[other], board[one]
    if carried:
        table.turn = replace(table.turn, origin=other if origin == one else one)
    table.tell(facts.swapped(table.seat, one, other))


def do_move(table: Table, step: Step) -> None:
    """Move one of the acting seat's markers."""
    table.board[step.square].markers[table.seat] -= 1
    table.board[step.other].markers[table.seat] += 1
    table.tell(facts.moved(table.seat, step.square, step.other))
    table.turn = replace(table.turn, adds=table.turn.adds - 1)
    tidy(table)


def _pick(table: Table, secrets: Secrets, victim: Seat) -> None:
    """Take a random card of the victim, who draws one from the deck that it came from, or the fullest."""
    thief, hand = table.seat, secrets.hands[victim]
    card = hand.pop(secrets.stream.below(len(hand)))
    deck = CARDS[card].deck
    _lose_sight(table, secrets, victim, deck, card)
    secrets.hands[thief].append(card)
    table.backs[victim].remove(deck)
    table.backs[thief].append(deck)
    table.backs[thief].sort()
    secrets.seen[thief].discard(card)
    secrets.seen[victim].add(card)
    table.tell(facts.picked(thief, victim, deck, card), only(thief, victim))
    table.tell(facts.picked(thief, victim, deck, None), all_but(thief, victim))
    source = deck if table.deck_sizes[deck] else fullest(table)
    if source is not None:
        draw_card(table, victim, source)


def _lose_sight(table: Table, secrets: Secrets, victim: Seat, deck: str, card: CardId) -> None:
    """Let the others forget what they can no longer place: they see only the back of what was taken.

    Who knew the victim's only card of that deck sees where it goes. Called before the backs change.
    """
    if table.backs[victim].count(deck) == 1:
        return
    mine = {other for other in (*secrets.hands[victim], card) if CARDS[other].deck == deck}
    for viewer, seen in enumerate(secrets.seen):
        if viewer != table.seat:
            seen.difference_update(mine)
