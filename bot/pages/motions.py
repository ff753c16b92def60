"""Questions that players answer: a motion, and the offer of a seat."""

from __future__ import annotations

from typing import Any

import discord

from bot.domain.match import Board, Motion, MotionKind
from bot.domain.tables import PersonId
from bot.pages.custom_ids import Button, ButtonId
from bot.pages.page import Page, button, page, rows, text
from bot.pages.push import unmarked
from bot.pages.texts import TableTexts, Texts, match_heading, mention

MOTION_MARKER, OFFER_MARKER = 985, 986
"""The component ids that mark the two questions."""

SAID = {
    MotionKind.PAUSE: "motion.pause",
    MotionKind.UNDO: "motion.undo",
    MotionKind.ABANDON: "motion.abandon",
    MotionKind.REPLACE: "motion.replace",
}


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
        [text(f"🔁 {words}"), *rows(_offer_buttons(board, texts))],
        marker=OFFER_MARKER,
        words=unmarked(words),
        buttons=_offer_buttons(board, texts),
    )


def _offer_buttons(board: Board, texts: Texts) -> list[discord.ui.Button[Any]]:
    match = board.table.id
    take = ButtonId(match, Button.TAKE_SEAT)
    return [
        button(texts.house("motion.take"), take, discord.ButtonStyle.success),
        button(texts.house("motion.refuse"), ButtonId(match, Button.REFUSE_SEAT)),
    ]


def seat_offer_settled_page(texts: Texts) -> Page:
    """Return the page that replaces the question once there is nothing to answer."""
    return page([text(f"-# 🔁 {texts.house('motion.seat_settled')}")], marker=OFFER_MARKER)
