"""Steps beside the cards: the first marker, the end of a turn, discards, draws."""

from __future__ import annotations

from dataclasses import replace

from engines.corto import facts
from engines.corto.course import Course, Duty, decks, starts
from engines.corto.effects import discard, draw_card, leave_hand, listed, refuse
from engines.corto.steps import Step


def check_start(course: Course, step: Step) -> None:
    """Raise unless that is a starting character."""
    legal = starts(course.table)
    if step.square not in legal:
        raise refuse("start_where", square=step.square, legal=listed(legal))
    if step.origin:
        raise refuse("stock_left", square=step.square, n=course.table.stock[course.table.seat])


def do_start(course: Course, step: Step) -> None:
    """Put the first marker; then the hand may be drawn."""
    table = course.table
    table.board[step.square].markers[table.seat] += 1
    table.stock[table.seat] -= 1
    table.tell(facts.started(table.seat, step.square))
    course.placed = True
    course.duty = Duty.HAND if course.owed and any(table.deck_sizes.values()) else Duty.DONE


def check_end(course: Course, step: Step) -> None:  # noqa: ARG001
    """Raise unless a card has been played."""
    if not course.table.turn.played:
        raise refuse("end_nothing")


def do_end(course: Course, step: Step) -> None:  # noqa: ARG001
    """End the turn's cards."""
    course.end_of_cards(Duty.TURN)


def check_discard(course: Course, step: Step) -> None:  # noqa: ARG001
    """Raise if a card has been played: then it is no discard turn."""
    if course.table.turn.played:
        raise refuse("discard_played")


def do_discard(course: Course, step: Step) -> None:  # noqa: ARG001
    """Begin a discard turn."""
    course.duty = Duty.TOSS


def check_toss(course: Course, step: Step) -> None:
    """Raise unless the card is in hand."""
    if step.card not in course.table.hand:
        raise refuse("not_in_hand", card=step.card, legal=listed(tuple(course.table.hand)))


def do_toss(course: Course, step: Step) -> None:
    """Discard a card, face up."""
    table = course.table
    leave_hand(table, step.card)
    discard(table, step.card)
    table.turn = replace(table.turn, discarded=(*table.turn.discarded, step.card))


def check_draw(course: Course, step: Step) -> None:
    """Raise unless the deck has a card, and one may be drawn."""
    table = course.table
    if course.duty is Duty.TOSS and not course.draws_after():
        raise refuse("no_draws")
    if step.word not in table.strips:
        raise refuse("no_deck", deck=step.word, legal=listed(decks(table)))
    if not table.deck_sizes[step.word]:
        raise refuse("deck_empty", deck=step.word, legal=listed(decks(table)))


def do_draw(course: Course, step: Step) -> None:
    """Draw a card."""
    if course.duty is Duty.TOSS:
        course.end_of_cards(Duty.TOSS)
    table = course.table
    draw_card(table, table.seat, step.word)
    if course.duty is Duty.HAND:
        course.owed = course.owed - 1 if decks(table) else 0
        left = course.owed
    else:
        left = table.turn.draws - 1 if decks(table) else 0
        table.turn = replace(table.turn, draws=left)
    if not left:
        course.duty = Duty.DONE


def check_enough(course: Course, step: Step) -> None:  # noqa: ARG001
    """Raise in a discard turn: its draws are not optional."""
    if not course.table.turn.played:
        raise refuse("draw_all", n=course.table.turn.draws)


def do_enough(course: Course, step: Step) -> None:  # noqa: ARG001
    """Draw no more."""
    course.duty = Duty.DONE
