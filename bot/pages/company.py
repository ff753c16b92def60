"""Computer players at a table: the names of their levels, and the private page that seats one."""

from __future__ import annotations

from bot.domain.tables import TableInfo
from bot.pages.custom_ids import Button, ButtonId
from bot.pages.page import Page, button, page, rows, text
from bot.pages.texts import Texts
from engines.core.match import AnyGame
from engines.core.optional_methods import Level, Thinking
from engines.core.registry import game

LEVELS = {Level.FIRST: "level.first", Level.MIDDLE: "level.middle", Level.BEST: "level.best"}
"""The text about the difficulty of each level."""

DETAILS = {
    Level.FIRST: "level.first.detail",
    Level.MIDDLE: "level.middle.detail",
    Level.BEST: "level.best.detail",
}
"""The text about how each level plays."""

BY_NUMBER = tuple(Level)
"""Levels by the number of :attr:`Button.SEAT_COMPUTER`."""


def has_levels(found: AnyGame) -> bool:
    """Return whether a game's computer players have levels to choose from."""
    return isinstance(found, Thinking)


def level_name(key: str, level: Level, texts: Texts) -> str:
    """Return the name of a level in a game's world; raises ``KeyError`` if the game has no levels."""
    found = game(key)
    if not isinstance(found, Thinking):
        raise KeyError(key)
    return texts.game(key, found.level_names[level])


def company_page(table: TableInfo, texts: Texts, notice: str = "") -> Page:
    """Return the page on which the host chooses a computer player, while chairs are free."""
    lines = [
        f"**{level_name(table.game, level, texts)}** · {texts.house(key)}: {texts.house(DETAILS[level])}"
        for level, key in LEVELS.items()
    ]
    heading = texts.house("company.title")
    if table.full:
        return page([text(f"### {heading}", notice)])
    seats = texts.house("lobby.seats", taken=len(table.chairs), seats=table.setup.seats)
    buttons = [
        button(level_name(table.game, level, texts), ButtonId(table.id, Button.SEAT_COMPUTER, number))
        for number, level in enumerate(BY_NUMBER)
    ]
    return page([text(f"### {heading}", notice, *lines, seats), *rows(buttons)])
