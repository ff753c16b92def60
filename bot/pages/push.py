"""Notifications as a locked phone shows them: who, which game, what happened, and never a secret.

The notification of a message made only of components has no text. So a message that pings is first sent as
words with buttons, and an edit lays it out at once. If the bot crashes before the edit, it finds the message
by its buttons.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.domain.match import Board, Panel
from bot.domain.tables import PersonId, TableInfo
from bot.pages.texts import TableTexts, Texts, last_lines, match_heading, mention, title_of

NEWS_LIMIT = 300
"""Maximum characters about what happened: phones show two or three lines."""

SENTENCES = 3
"""Maximum sentences of it."""

_EMPHASIS = re.compile(r"(?<!\\)[*_`~|]+")
_ESCAPED = re.compile(r"\\(?=[\\`*_~|\[\]<#\-+>.)])")


def board_words(board: Board, texts: Texts, asked: Sequence[PersonId]) -> str:
    """Return who must act in which match, and its latest news; empty if nobody is asked."""
    if not asked:
        return ""
    facts = (item.fact for item in board.told)
    news = last_lines(TableTexts(texts, board.table).retold(facts)[-SENTENCES:], NEWS_LIMIT)
    names = texts.listing(map(mention, asked))
    turn = texts.house("push.turn", n=len(asked), names=names, match=_plain_name(board.table, texts))
    return "\n".join([turn, *map(unmarked, news)])


def table_words(table: TableInfo, texts: Texts, invited: Sequence[PersonId]) -> str:
    """Return who invites whom to which game; empty if nobody is invited."""
    if not invited:
        return ""
    key = "push.invited" if table.rematch_of is None else "push.rematch"
    host, title = unmarked(texts.name(table.host)), title_of(table.game)
    names = texts.listing(map(mention, invited))
    return texts.house(key, n=len(invited), names=names, host=host, title=title)


def panel_words(panel: Panel, texts: Texts) -> str:
    """Return which match waits, and nothing that only its reader knows: others see the phone too."""
    return texts.house("push.panel", match=_plain_name(panel.table, texts))


def unmarked(line: str) -> str:
    """Strip markup from a line: a notification would show stars and backslashes literally."""
    return _ESCAPED.sub("", _EMPHASIS.sub("", line))


def _plain_name(table: TableInfo, texts: Texts) -> str:
    return unmarked(match_heading(table, texts))
