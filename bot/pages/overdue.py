"""The message that asks the waiting player what to do about a seat whose time is up."""

from __future__ import annotations

from typing import Any

import discord

from bot.domain.match import Board
from bot.domain.tables import PersonId
from bot.pages.custom_ids import Button, ButtonId
from bot.pages.page import Page, button, page, rows, text
from bot.pages.push import unmarked
from bot.pages.texts import TableTexts, Texts, match_heading, mention

MARKER = 980
"""The component id that marks the question."""


def people_to_answer(board: Board) -> list[PersonId]:
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
        names=texts.listing(map(mention, people_to_answer(board))),
        late=texts.listing(map(table_texts.seat_name, board.overdue)),
        match=match_heading(board.table),
    )
    match = board.table.id
    return page(
        [text(f"⌛ {words}"), *rows(overdue_buttons(match, texts))],
        marker=MARKER,
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


def settled_page(texts: Texts) -> Page:
    """Return the page that replaces the question once there is nothing to answer."""
    return page([text(f"-# ⌛ {texts.house('overdue.settled')}")], marker=MARKER)
