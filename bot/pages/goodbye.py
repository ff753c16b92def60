"""The direct message that says how a match ended."""

from __future__ import annotations

from bot.domain.match import Board
from bot.pages.custom_ids import Button, ButtonId
from bot.pages.page import Page, button, page, rows, text
from bot.pages.push import unmarked
from bot.pages.texts import TableTexts, Texts, match_heading

MARKER = 970
"""The component id that marks it."""


def goodbye_page(board: Board, texts: Texts) -> Page:
    """Return the last message of a match that is over; it links to the thread, which shows everything."""
    table = board.table
    result = [] if board.outcome is None else TableTexts(texts, table).result(board.outcome)
    place = table.thread_id or table.place.channel_id
    over = texts.house("goodbye.over", match=match_heading(table))
    # The button also serves to find the message again.
    log = button(texts.house("board.log"), ButtonId(table.id, Button.LOG))
    return page(
        [text(f"### {over}", *result, texts.house("goodbye.thread", thread=f"<#{place}>")), *rows([log])],
        marker=MARKER,
        words="\n".join(map(unmarked, [over, *result])),
        buttons=[button(texts.house("board.log"), ButtonId(table.id, Button.LOG))],
    )
