"""The message that asks for answers to a draw offer."""

from __future__ import annotations

from bot.domain.match import Board
from bot.domain.tables import PersonId
from bot.pages.board import draw_buttons
from bot.pages.page import Page, page, rows, text
from bot.pages.push import unmarked
from bot.pages.texts import TableTexts, Texts, match_heading, mention

MARKER = 960
"""The component id that marks an offer."""


def people_to_answer(board: Board) -> list[PersonId]:
    """Return the people still playing who have not joined an open draw offer; empty if there is none."""
    if not board.draw_offers:
        return []
    return [
        chair.person.id
        for chair in board.table.chairs
        if chair.person is not None and not chair.withdrawn and chair.seat not in board.draw_offers
    ]


def offer_page(board: Board, texts: Texts) -> Page:
    """Return the page of an open offer; it mentions those who must answer."""
    table_texts = TableTexts(texts, board.table)
    words = texts.house(
        "push.offer",
        n=len(board.draw_offers),
        names=texts.listing(map(mention, people_to_answer(board))),
        offering=texts.listing(map(table_texts.seat_name, board.draw_offers)),
        match=match_heading(board.table),
    )
    match = board.table.id
    return page(
        [text(f"🤝 {words}"), *rows(draw_buttons(match, texts))],
        marker=MARKER,
        words=unmarked(words),
        buttons=draw_buttons(match, texts),
    )


def offer_settled_page(texts: Texts) -> Page:
    """Return the page that replaces the offer once there is nothing to answer."""
    return page([text(f"-# 🤝 {texts.house('offer.settled')}")], marker=MARKER)
