"""Questions that players answer: a draw offer, a seat whose time is up, a motion, the offer of a seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord

from bot.domain.match import Board, Motion, MotionKind
from bot.domain.tables import PersonId
from bot.pages.custom_ids import Button, ButtonId
from bot.pages.page import Page, button, page, rows, text
from bot.pages.push import unmarked
from bot.pages.texts import TableTexts, Texts, match_heading, mention
from engines.core.contract import Seat

DRAW_MARKER, OVERDUE_MARKER, MOTION_MARKER, SEAT_OFFER_MARKER = 960, 980, 985, 986
"""The component ids that mark the questions."""

SAID = {
    MotionKind.PAUSE: "motion.pause",
    MotionKind.UNDO: "motion.undo",
    MotionKind.ABANDON: "motion.abandon",
    MotionKind.REPLACE: "motion.replace",
}


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
        offering=texts.listing(map(table_texts.seat_name, board.draw_offers)),
        match=match_heading(board.table),
    )
    match = board.table.id
    return page(
        [text(f"🤝 {words}"), *rows(draw_buttons(match, texts))],
        marker=DRAW_MARKER,
        words=unmarked(words),
        buttons=draw_buttons(match, texts),
    )


def draw_settled_page(texts: Texts) -> Page:
    """Return the page that replaces the offer once there is nothing to answer."""
    return page([text(f"-# 🤝 {texts.house('offer.settled')}")], marker=DRAW_MARKER)


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
        match=match_heading(board.table),
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


def overdue_settled_page(texts: Texts) -> Page:
    """Return the page that replaces the question once there is nothing to answer."""
    return page([text(f"-# ⌛ {texts.house('overdue.settled')}")], marker=OVERDUE_MARKER)


# --- a motion -----------------------------------------------------------------------------------------


def people_to_agree(board: Board) -> list[PersonId]:
    """Return the people who have yet to answer a motion."""
    found = map(board.table.person_at, board.asked_to_agree)
    return [person for person in found if person is not None]


def motion_page(board: Board, texts: Texts) -> Page:
    """Return the page of a motion; it mentions who must answer."""
    table_texts, motion = TableTexts(texts, board.table), board.motion
    assert motion is not None  # there is something to answer
    words = texts.house(
        "push.motion",
        names=texts.listing(map(mention, people_to_agree(board))),
        by=table_texts.seat_name(motion.by),
        what=_what(board, motion, texts, table_texts),
        match=match_heading(board.table),
    )
    agreed = texts.listing(map(table_texts.seat_name, motion.agreed))
    return page(
        [
            text(f"🗳️ {words}", f"-# {texts.house('motion.agreed', names=agreed)}" if agreed else ""),
            *rows(_motion_buttons(board, texts)),
        ],
        marker=MOTION_MARKER,
        words=unmarked(words),
        buttons=_motion_buttons(board, texts),
    )


def motion_settled_page(texts: Texts) -> Page:
    """Return the page that replaces the question once there is nothing to answer."""
    return page([text(f"-# 🗳️ {texts.house('motion.settled')}")], marker=MOTION_MARKER)


def _what(board: Board, motion: Motion, texts: Texts, table_texts: TableTexts) -> str:
    offer = board.offer
    late = "" if motion.about is None else table_texts.seat_name(motion.about)
    name = "" if offer is None else table_texts.outsider_name(offer.person.name)
    return texts.house(SAID[motion.kind], late=late, name=name)


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
            new=table_texts.seat_name(each.seat),
            old=table_texts.outsider_name(each.person.name, each.seat),
        )
        for each in board.table.former
    ]
    if board.motion is not None and board.outcome is None:
        what = _what(board, board.motion, texts, table_texts)
        lines.append(texts.house("motion.stands", by=table_texts.seat_name(board.motion.by), what=what))
    return lines


def undone_lines(seats: Sequence[Seat], texts: Texts, table_texts: TableTexts) -> list[str]:
    """Return a line for each seat that has taken back its last turn."""
    return [texts.house("undo.undone", name=table_texts.seat_name(seat)) for seat in seats]


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
        name=mention(offer.person.id),
        holder=TableTexts(texts, board.table).seat_name(offer.seat),
        match=match_heading(board.table),
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


def seat_offer_settled_page(texts: Texts) -> Page:
    """Return the page that replaces the question once there is nothing to answer."""
    return page([text(f"-# 🔁 {texts.house('motion.seat_settled')}")], marker=SEAT_OFFER_MARKER)
