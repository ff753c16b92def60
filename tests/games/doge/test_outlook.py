"""What the next round promises all seats, as the computer players count it."""

from __future__ import annotations

from engines.doge.outlook import EMPTY_DECK, LAST_SUMMONINGS, LOOK, MEETING, SUMMONING, Board, is_near
from tests.games.doge.support import at, public


def promise(pawns: str, **told: object) -> float:
    return round(6 * Board.of(public(at(pawns, **told))).promise(), 9)  # type: ignore[arg-type]


def test_meetings_are_counted_for_both() -> None:
    """Two squares apart, two of six faces lead from each to the other."""
    # From 1 and from 3 the faces 1, 3 and 3 lead to main locations alone, and 4 to empty card squares.
    ghost = SUMMONING + LAST_SUMMONINGS / 4
    assert promise("13", ghosts="marina marina comune comune") == round(4 * MEETING - 6 * ghost, 9)


def test_the_ghost_costs_more_the_fewer_cards_it_has_left() -> None:
    worth = [promise("13", ghosts=" ".join(["comune", "comune", "marina"][:left])) for left in (3, 2, 1, 0)]
    assert worth == sorted(worth, reverse=True)
    assert worth[-1] == round(4 * MEETING - 6 * EMPTY_DECK, 9)


def test_who_has_nothing_to_show_promises_no_meeting_but_keeps_the_ghost_away() -> None:
    board = Board.of(public(at("12", ghosts="")))
    spent = Board(board.pawns, (0,), board.piles, board.deck)
    assert spent.promise() < board.promise()
    alone = Board((board.pawns[0], None), (0,), board.piles, board.deck)
    assert alone.promise() == -3 * EMPTY_DECK / 6
    assert spent.promise() > alone.promise() - 3 * EMPTY_DECK / 6


def test_a_pile_is_worth_a_look_where_nobody_can_be_met() -> None:
    board = Board.of(public(at("13", ghosts="")))
    # The face 4 leads from 1 to 5 and 7, and from 3 to 7 and 9. With a 2 either would rather meet the other.
    found = {square: board.with_pile(square).promise() - board.promise() for square in (1, 9, 5, 7)}
    looks = {square: round(6 * more / LOOK, 9) for square, more in found.items()}
    assert looks == {1: 0, 9: 1, 5: 1, 7: 2}


def test_who_is_near() -> None:
    assert [square for square in range(10) if is_near(0, square)] == [1, 2, 3, 4, 6, 7, 8, 9]
