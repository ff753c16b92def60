"""Questions as they are asked and closed: whole sentences, with who asks, who answered, and what follows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.domain.match import Board, ClosedQuestion, Closing, Motion, MotionKind
from bot.domain.tables import Person, SeatOffer
from bot.pages.board import board_page
from bot.pages.page import Page
from bot.pages.questions import (
    draw_closed_page,
    motion_closed_page,
    motion_page,
    overdue_closed_page,
    seat_offer_closed_page,
)
from bot.pages.texts import TableTexts, Texts
from tests.kit.reading import without_isolates
from tests.ui.limits import check, sent, walk
from tests.ui.positions import begun, board_of

ENGLISH = Texts()
MOTIONS = tuple(MotionKind)


def read(page: Page) -> str:
    check(sent(page))
    return without_isolates("\n".join(item.get("content", "") for item in walk(sent(page))))


def asking(kind: MotionKind) -> Board:
    """Return the board of a match of three in which seat 0 asks, about seat 2 if about anybody."""
    about = 2 if kind is MotionKind.REPLACE else None
    offer = SeatOffer(2, Person(55, "Eve"), agreed=False) if about is not None else None
    board = board_of(begun("volt", 0, 3))
    return replace(board, motion=Motion(kind, 0, about=about), asked_to_agree=(1,), offer=offer)


def names(board: Board) -> list[str]:
    texts = TableTexts(ENGLISH, board.table)
    return [without_isolates(texts.seat_name(seat)) for seat in range(3)]


@pytest.mark.parametrize(
    ("kind", "asks"),
    [
        (MotionKind.PAUSE, "{0} asks to pause "),
        (MotionKind.UNDO, "{0} asks to take back their last turn in "),
        (MotionKind.ABANDON, "{0} asks to call off "),
        (MotionKind.REPLACE, "{0} would like Eve to take over from {2} in "),
    ],
)
def test_a_motion_is_asked_in_one_sentence(kind: MotionKind, asks: str) -> None:
    board = asking(kind)
    page = motion_page(board, ENGLISH)
    assert asks.format(*names(board)) in read(page)
    assert "<@101>" in read(page)
    assert "Everyone must agree." in read(board_page(board, ENGLISH))


def test_a_board_no_longer_asks_for_agreement_once_the_seat_is_on_offer() -> None:
    said = read(board_page(replace(asking(MotionKind.REPLACE), asked_to_agree=()), ENGLISH))
    assert "Everyone agreed: Eve can take over for " in said
    assert "has to agree" not in said


@pytest.mark.parametrize("how", Closing)
@pytest.mark.parametrize("kind", MOTIONS)
def test_a_closed_motion_tells_how(kind: MotionKind, how: Closing) -> None:
    if how in (Closing.PLAYED, Closing.CLAIMED, Closing.COMPUTER, Closing.MORE_TIME, Closing.TAKEN):
        return
    board = asking(kind)
    said = read(motion_closed_page(board, ClosedQuestion(how, 1, about=0, motion=kind), ENGLISH))
    by_player = how in (Closing.DECLINED, Closing.WITHDRAWN, Closing.RESIGNED, Closing.STAND_IN)
    assert (names(board)[1] in said) is by_player
    asker = how is Closing.AGREED and kind is MotionKind.UNDO
    assert (names(board)[0] in said) is asker


def test_each_closed_question_has_a_text_of_its_own() -> None:
    board = asking(MotionKind.PAUSE)
    motions = [Closing.AGREED, Closing.DECLINED, Closing.WITHDRAWN, Closing.RESIGNED, Closing.STAND_IN,
               Closing.MOVED_ON]  # fmt: skip
    said = [
        read(motion_closed_page(board, ClosedQuestion(how, 1, about=0, motion=MotionKind.PAUSE), ENGLISH))
        for how in motions
    ]
    draws = [Closing.AGREED, Closing.DECLINED, Closing.WITHDRAWN, Closing.PLAYED, Closing.MOVED_ON]
    said += [read(draw_closed_page(board, ClosedQuestion(how, 1), ENGLISH)) for how in draws]
    lates = [Closing.CLAIMED, Closing.COMPUTER, Closing.MORE_TIME, Closing.PLAYED, Closing.MOVED_ON]
    said += [read(overdue_closed_page(board, ClosedQuestion(how, 1, about=0), ENGLISH)) for how in lates]
    seats = [Closing.TAKEN, Closing.MOVED_ON]
    said += [read(seat_offer_closed_page(board, ClosedQuestion(how, 1), ENGLISH)) for how in seats]
    assert len({*said}) == len(said)
    assert not any("settled" in each for each in said)
    ended = ClosedQuestion(Closing.ENDED)
    pages = (motion_closed_page, draw_closed_page, overdue_closed_page)
    assert all("The match ended" in read(page(board, ended, ENGLISH)) for page in pages)
