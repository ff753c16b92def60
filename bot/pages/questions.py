"""Questions that players answer: a draw offer, a seat whose time is up, a motion, the offer of a seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import discord

from bot.domain.match import Board, ClosedQuestion, Closing, Motion, MotionKind
from bot.domain.tables import PersonId
from bot.pages.custom_ids import Button, ButtonId
from bot.pages.page import Page, button, page, rows, text
from bot.pages.push import unmarked
from bot.pages.texts import TableTexts, Texts, match_heading, mention
from engines.core.contract import Seat

DRAW_MARKER, OVERDUE_MARKER, MOTION_MARKER, SEAT_OFFER_MARKER = 960, 980, 985, 986
"""The component ids that mark the questions."""

_ASKS = {
    MotionKind.PAUSE: "motion.ask.pause",
    MotionKind.UNDO: "motion.ask.undo",
    MotionKind.ABANDON: "motion.ask.abandon",
    MotionKind.REPLACE: "motion.ask.replace",
}
"""What the message of a motion asks the other players."""

_OPEN = {
    MotionKind.PAUSE: "motion.open.pause",
    MotionKind.UNDO: "motion.open.undo",
    MotionKind.ABANDON: "motion.open.abandon",
    MotionKind.REPLACE: "motion.open.replace",
}
"""What the board tells of an open motion."""

_DRAW_CLOSED = {
    Closing.AGREED: "offer.closed.agreed",
    Closing.DECLINED: "offer.closed.declined",
    Closing.WITHDRAWN: "offer.closed.withdrawn",
    Closing.PLAYED: "offer.closed.played",
    Closing.ENDED: "offer.closed.ended",
    Closing.MOVED_ON: "offer.closed.moved_on",
}

_OVERDUE_CLOSED = {
    Closing.CLAIMED: "overdue.closed.claimed",
    Closing.COMPUTER: "overdue.closed.computer",
    Closing.MORE_TIME: "overdue.closed.more_time",
    Closing.PLAYED: "overdue.closed.played",
    Closing.TAKEN: "seat.closed.taken",
    Closing.ENDED: "overdue.closed.ended",
    Closing.MOVED_ON: "overdue.closed.moved_on",
}

_MOTION_CLOSED = {
    Closing.WITHDRAWN: "motion.closed.withdrawn",
    Closing.RESIGNED: "motion.closed.resigned",
    Closing.STAND_IN: "motion.closed.stand_in",
    Closing.ENDED: "motion.closed.ended",
    Closing.MOVED_ON: "motion.closed.moved_on",
}

_MOTION_AGREED = {
    MotionKind.PAUSE: "motion.closed.agreed.pause",
    MotionKind.UNDO: "motion.closed.agreed.undo",
    MotionKind.ABANDON: "motion.closed.agreed.abandon",
    MotionKind.REPLACE: "motion.closed.agreed.replace",
}

_MOTION_DECLINED = {
    MotionKind.PAUSE: "motion.closed.declined.pause",
    MotionKind.UNDO: "motion.closed.declined.undo",
    MotionKind.ABANDON: "motion.closed.declined.abandon",
    MotionKind.REPLACE: "motion.closed.declined.replace",
}

_SEAT_OFFER_CLOSED = {
    Closing.TAKEN: "seat.closed.taken",
    Closing.MOVED_ON: "seat.closed.moved_on",
}


def _closed_page(
    board: Board, closed: ClosedQuestion, texts: Texts, keys: Mapping[Closing, str], sign: str, marker: int
) -> Page:
    """Return the page that replaces a question once it is closed: by whom, and what follows."""
    table_texts = TableTexts(texts, board.table)
    player, about = (
        "" if seat is None else table_texts.seat_name(seat) for seat in (closed.seat, closed.about)
    )
    said = texts.house(keys[closed.how], player=player, asker=about, late=about)
    return page([text(f"-# {sign} {said}")], marker=marker)


# --- a draw offer --------------------------------------------------------------------------------------


def people_to_answer_draw(board: Board) -> list[PersonId]:
    """Return the people still playing who have not joined an open draw offer; empty if there is none."""
    if not board.draw_offers:
        return []
    return [
        chair.person.id
        for chair in board.table.chairs
        if chair.person is not None and not chair.withdrawn and chair.seat not in board.draw_offers
    ]


def draw_page(board: Board, texts: Texts) -> Page:
    """Return the page of an open offer; it mentions those who must answer."""
    table_texts = TableTexts(texts, board.table)
    words = texts.house(
        "push.offer",
        n=len(board.draw_offers),
        names=texts.listing(map(mention, people_to_answer_draw(board))),
        players=texts.listing(map(table_texts.seat_name, board.draw_offers)),
        match=match_heading(board.table, texts),
    )
    match = board.table.id
    return page(
        [text(f"🤝 {words}"), *rows(draw_buttons(match, texts))],
        marker=DRAW_MARKER,
        words=unmarked(words),
        buttons=draw_buttons(match, texts),
    )


def draw_closed_page(board: Board, closed: ClosedQuestion, texts: Texts) -> Page:
    """Return the page that replaces the offer once there is nothing to answer."""
    return _closed_page(board, closed, texts, _DRAW_CLOSED, "🤝", DRAW_MARKER)


def draw_buttons(match: str, texts: Texts) -> list[discord.ui.Button[Any]]:
    """Return the buttons that answer a draw offer."""
    return [
        button(texts.house("board.accept"), ButtonId(match, Button.ACCEPT), discord.ButtonStyle.success),
        button(texts.house("board.decline"), ButtonId(match, Button.DECLINE)),
    ]


# --- a seat whose time is up ----------------------------------------------------------------------------


def people_to_answer_overdue(board: Board) -> list[PersonId]:
    """Return the people who wait for a seat whose time is up; empty if there is no such seat."""
    if not board.overdue:
        return []
    people = (board.table.person_at(chair.seat) for chair in board.table.chairs
              if chair.seat is not None and chair.seat not in board.overdue)  # fmt: skip
    return [person for person in people if person is not None]


def overdue_page(board: Board, texts: Texts) -> Page:
    """Return the page of the question; it mentions who must answer."""
    table_texts = TableTexts(texts, board.table)
    words = texts.house(
        "push.overdue",
        names=texts.listing(map(mention, people_to_answer_overdue(board))),
        late=texts.listing(map(table_texts.seat_name, board.overdue)),
        match=match_heading(board.table, texts),
    )
    match = board.table.id
    return page(
        [text(f"⌛ {words}"), *rows(overdue_buttons(match, texts))],
        marker=OVERDUE_MARKER,
        words=unmarked(words),
        buttons=overdue_buttons(match, texts),
    )


def overdue_buttons(match: str, texts: Texts) -> list[discord.ui.Button[Any]]:
    """Return the buttons that answer the question."""
    return [
        button(texts.house("overdue.claim"), ButtonId(match, Button.CLAIM), discord.ButtonStyle.danger),
        button(texts.house("overdue.computer"), ButtonId(match, Button.LET_COMPUTER_PLAY)),
        button(texts.house("overdue.wait"), ButtonId(match, Button.WAIT), discord.ButtonStyle.success),
    ]


def overdue_closed_page(board: Board, closed: ClosedQuestion, texts: Texts) -> Page:
    """Return the page that replaces the question once there is nothing to answer."""
    return _closed_page(board, closed, texts, _OVERDUE_CLOSED, "⌛", OVERDUE_MARKER)


# --- a motion -----------------------------------------------------------------------------------------


def people_to_agree(board: Board) -> list[PersonId]:
    """Return the people who have yet to answer a motion."""
    found = map(board.table.person_at, board.asked_to_agree)
    return [person for person in found if person is not None]


def motion_page(board: Board, texts: Texts) -> Page:
    """Return the page of a motion; it mentions who must answer."""
    table_texts, motion = TableTexts(texts, board.table), board.motion
    assert motion is not None  # there is something to answer
    people = people_to_agree(board)
    words = texts.house(
        _ASKS[motion.kind],
        n=len(people),
        names=texts.listing(map(mention, people)),
        match=match_heading(board.table, texts),
        **_named(board, motion, table_texts),
    )
    names = texts.listing(map(table_texts.seat_name, motion.agreed))
    agreed = f"-# {texts.house('motion.agreed', n=len(motion.agreed), names=names)}" if names else ""
    return page(
        [text(f"🗳️ {words}", agreed), *rows(_motion_buttons(board, texts))],
        marker=MOTION_MARKER,
        words=unmarked(words),
        buttons=_motion_buttons(board, texts),
    )


def motion_closed_page(board: Board, closed: ClosedQuestion, texts: Texts) -> Page:
    """Return the page that replaces the question once there is nothing to answer."""
    keys = {**_MOTION_CLOSED}
    if closed.motion is not None:
        agreed, declined = _MOTION_AGREED[closed.motion], _MOTION_DECLINED[closed.motion]
        keys |= {Closing.AGREED: agreed, Closing.DECLINED: declined}
    return _closed_page(board, closed, texts, keys, "🗳️", MOTION_MARKER)


def _named(board: Board, motion: Motion, table_texts: TableTexts) -> dict[str, str]:
    """Return the names in a motion: who asks, who holds the seat, and who would take over."""
    holder = "" if motion.about is None else table_texts.seat_name(motion.about)
    newcomer = "" if board.offer is None else table_texts.outsider_name(board.offer.person)
    return {"player": table_texts.seat_name(motion.by), "holder": holder, "newcomer": newcomer}


def _motion_buttons(board: Board, texts: Texts) -> list[discord.ui.Button[Any]]:
    match = board.table.id
    return [
        button(texts.house("motion.agree"), ButtonId(match, Button.AGREE), discord.ButtonStyle.success),
        button(texts.house("motion.object"), ButtonId(match, Button.OBJECT)),
    ]


def motion_lines(board: Board, texts: Texts, table_texts: TableTexts) -> list[str]:
    """Return the lines of a board about the open motion, and about seats that changed hands."""
    lines = [
        texts.house(
            "motion.former",
            player=table_texts.seat_name(each.seat),
            former=table_texts.outsider_name(each.person, each.seat),
        )
        for each in board.table.former
    ]
    if board.motion is not None and board.outcome is None:
        motion = board.motion
        is_agreed = motion.kind is MotionKind.REPLACE and not board.asked_to_agree
        key = "motion.open.offered" if is_agreed else _OPEN[motion.kind]
        lines.append(texts.house(key, **_named(board, motion, table_texts)))
    return lines


def undone_lines(seats: Sequence[Seat], texts: Texts, table_texts: TableTexts) -> list[str]:
    """Return a line for each seat that has taken back its last turn."""
    return [texts.house("undo.undone", player=table_texts.seat_name(seat)) for seat in seats]


# --- a seat that is offered -----------------------------------------------------------------------------


def person_to_sit(board: Board) -> list[PersonId]:
    """Return the person who is offered a seat, once all have agreed; else an empty list."""
    return [board.offer.person.id] if board.offer is not None and board.offer.agreed else []


def seat_offer_page(board: Board, texts: Texts) -> Page:
    """Return the page that offers a seat; it mentions the person."""
    offer = board.offer
    assert offer is not None  # there is somebody to ask
    words = texts.house(
        "push.seat_offer",
        player=mention(offer.person.id),
        holder=TableTexts(texts, board.table).seat_name(offer.seat),
        match=match_heading(board.table, texts),
    )
    return page(
        [text(f"🔁 {words}"), *rows(_seat_offer_buttons(board, texts))],
        marker=SEAT_OFFER_MARKER,
        words=unmarked(words),
        buttons=_seat_offer_buttons(board, texts),
    )


def _seat_offer_buttons(board: Board, texts: Texts) -> list[discord.ui.Button[Any]]:
    match = board.table.id
    take = ButtonId(match, Button.TAKE_SEAT)
    return [
        button(texts.house("motion.take"), take, discord.ButtonStyle.success),
        button(texts.house("motion.refuse"), ButtonId(match, Button.REFUSE_SEAT)),
    ]


def seat_offer_closed_page(board: Board, closed: ClosedQuestion, texts: Texts) -> Page:
    """Return the page that replaces the question once there is nothing to answer."""
    return _closed_page(board, closed, texts, _SEAT_OFFER_CLOSED, "🔁", SEAT_OFFER_MARKER)
