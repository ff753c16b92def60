"""Which pictures go into which page, and the words that stand in for one that cannot be painted."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Any

from bot.domain.match import Board
from bot.domain.panels import Panel
from bot.domain.tables import TableInfo
from bot.pages import board as boards
from bot.pages import panel as panels
from bot.pages.controls import NO_FOCUS, Focus
from bot.pages.page import Page, Upload, upload
from bot.pages.texts import Texts
from bot.rendering.pool import PaintRequest, ReelRequest, RenderPool, Wanted, always
from engines.core.contract import Menu, Words
from renderers.core.caches import MIB, Bounded
from renderers.core.contract import Picture, Table
from renderers.core.optional_methods import animator
from renderers.core.registry import AnyRenderer, renderer
from renderers.core.theme import DEFAULT

log = logging.getLogger(__name__)

FILMS = 16 * MIB
"""Bytes of films that are kept in memory."""

GALLERY = 10
"""Pictures in one gallery."""


class Pictures:
    """Turns boards and panels into pages."""

    def __init__(self, painter: RenderPool) -> None:
        self._painter = painter
        self._films: Bounded[Picture] = Bounded(FILMS, lambda film: len(film.data))

    async def board(
        self, board: Board, texts: Texts, *, current: bool = True, theme: str | None = None
    ) -> Page:
        """Return the page of a public board; with its round as a moving picture, and the film of its match.

        The film is there if it has been made already; the round is painted along with the board.

        ``theme``: the asker's, where only the asker sees the page; ``None``: the table's.
        """
        table = _table(board.table, texts, board.table.theme if theme is None else theme)
        main = self._main(board.table, board.view, table)
        if theme is not None:
            picture, words = await main
            reel = None
        else:
            (picture, words), reel = await asyncio.gather(main, self._reel(board, table))
        film = self.film_of(board.table) if board.outcome is not None else None
        moving = {boards.REEL: reel, boards.FILM: film}
        return boards.board_page(board, texts, picture=picture, words=words, current=current, moving=moving)

    async def _reel(self, board: Board, table: Table) -> Picture | None:
        """Return what has just happened as a moving picture, for games that have such a thing."""
        painter = _painter_of(board.table)
        if painter is None or animator(painter) is None or board.before is None:
            return None
        return await self._painter.reel(ReelRequest(board.table.game, table, board.before, board.opening))

    def film_of(self, table: TableInfo) -> Picture | None:
        """Return the film of a match if it has been made, from memory."""
        return self._films.find(table.id)

    async def film(self, table: TableInfo, replay: Mapping[str, Any], texts: Texts) -> Picture | None:
        """Return the film of a match that is over, made if need be; ``None``: there can be none.

        It takes seconds: nothing that people wait for may wait for it.
        """
        found = self.film_of(table)
        if found is None and _painter_of(table) is not None:
            found = await self._painter.film(replay, _table(table, texts, table.theme))
            if found is not None:
                self._films.put(table.id, found)
        return found

    async def panel(
        self,
        panel: Panel,
        texts: Texts,
        theme: str,
        *,
        focus: Focus = NO_FOCUS,
        notice: str = "",
        wanted: Wanted | None = None,
    ) -> Page:
        """Return the page of a panel, painted in its reader's theme.

        With ``wanted``: in words rather than late, and bare if overtaken.
        """
        table = _table(panel.table, texts, theme)
        picture, words = await self._main(
            panel.table, panel.view, table, panel.draft, panel.menu, wanted=wanted
        )
        return panels.panel_page(panel, texts, picture=picture, words=words, focus=focus, notice=notice)

    async def all_of(self, table: TableInfo, view: Any, texts: Texts, theme: str) -> list[tuple[str, Upload]]:
        """Return every picture that the viewer of ``view`` can look at, each with its label's text."""
        painter = _painter_of(table)
        if painter is None:
            return []
        found: list[tuple[str, Upload]] = []
        for key, label in painter.pictures(view)[:GALLERY]:
            picture = await self._paint(table.game, view, key, _table(table, texts, theme), wanted=always)
            if picture is not None:
                title = texts.picture(table.game, label)
                found.append((title, upload(f"{panels.STEM}{len(found) + 1}", picture)))
        return found

    def text(self, table: TableInfo, view: Any, texts: Texts) -> str:
        """Return the board in words; empty where the painter has none."""
        painter = _painter_of(table)
        return painter.text(view, _table(table, texts, DEFAULT)) if painter is not None else ""

    async def _main(
        self,
        info: TableInfo,
        view: Any,
        table: Table,
        draft: Words = (),
        menu: Menu | None = None,
        *,
        wanted: Wanted | None = None,
    ) -> tuple[Picture | None, str]:
        painter = _painter_of(info)
        if painter is None:
            return None, ""
        key = painter.pictures(view)[0][0]
        picture = await self._paint(info.game, view, key, table, draft, menu, wanted=wanted)
        overtaken = wanted is not None and not wanted()
        return picture, "" if picture is not None or overtaken else painter.text(view, table)

    async def _paint(
        self,
        game: str,
        view: Any,
        key: str,
        table: Table,
        draft: Words = (),
        menu: Menu | None = None,
        *,
        wanted: Wanted | None = None,
    ) -> Picture | None:
        return await self._painter.paint(PaintRequest(game, key, table, view, draft, menu), wanted)


def _painter_of(table: TableInfo) -> AnyRenderer | None:
    try:
        return renderer(table.game)
    except KeyError:
        return None


def _table(table: TableInfo, texts: Texts, theme: str) -> Table:
    """Return how a table is painted; in the default theme where its game does not have the wanted one."""
    painter = _painter_of(table)
    known = painter is not None and theme in painter.themes
    return Table(names=table.names(), language=texts.language, theme=theme if known else DEFAULT)
