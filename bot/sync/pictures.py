"""Which pictures are painted for whom, and the words that replace one that cannot be painted."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from bot.domain.match import Board, Moment, Panel, TurningPoint
from bot.domain.tables import TableInfo
from bot.pages.board import BoardPictures
from bot.pages.page import Painting, Upload, upload
from bot.pages.panel import STEM
from bot.pages.texts import Texts, painted_names
from bot.workers.painter import DEMONSTRATED, DemonstrationRequest, PaintRequest, ReelRequest
from bot.workers.painting_pool import PaintingPool, Wanted, always
from engines.core.contract import Menu, Seat, Words
from engines.core.registry import game
from engines.core.setups import usual_seats
from renderers.core.caches import MIB, Bounded
from renderers.core.contract import Picture, Table
from renderers.core.registry import AnyRenderer, animator, renderers_by_game
from renderers.core.theme import DEFAULT

FILM_CACHE_BYTES = 4 * MIB
"""Maximum bytes of films kept in memory."""

FILES = 10
"""Maximum pictures in one message."""


class Pictures:
    """Has views painted."""

    def __init__(self, painter: PaintingPool) -> None:
        self.painter = painter
        self._films: Bounded[Picture] = Bounded(FILM_CACHE_BYTES, lambda film: len(film.data))

    def forget(self) -> None:
        """Drop all cached pictures and films: they may show a name that must no longer appear."""
        self.painter.finished.clear()
        self._films.clear()

    async def board(self, board: Board, texts: Texts, theme: str | None = None) -> BoardPictures:
        """Paint a board; it includes its match's film if that has been made already.

        ``theme``: the reader's, if the page is private; ``None``: it is public, in the table's theme, and
        also shows what happened in the previous epoch as a moving picture.
        """
        canvas = _Canvas.of(board.table, texts, board.table.theme if theme is None else theme)
        position = self._main(canvas, board.view)
        # A private look should be fast: no moving picture.
        if theme is not None:
            still, reel = await position, None
        else:
            still, reel = await asyncio.gather(position, self._reel(canvas, board))
        return BoardPictures(still, reel, self.film_of(board.table) if board.outcome is not None else None)

    async def _reel(self, canvas: _Canvas, board: Board) -> Picture | None:
        if canvas.renderer is None or animator(canvas.renderer) is None or board.before is None:
            return None
        return await self.painter.reel(ReelRequest(canvas.game, canvas.table, board.before, board.opening))

    def film_of(self, table: TableInfo) -> Picture | None:
        """Return the film of a match from memory; ``None`` if it has not been made."""
        return self._films.find(table.id)

    async def film(self, table: TableInfo, replay: Mapping[str, Any], texts: Texts) -> Picture | None:
        """Return the film of a match that is over, making it if needed; ``None`` if that is impossible.

        It takes seconds: nothing that people wait for may wait for it.
        """
        found, canvas = self.film_of(table), _Canvas.of(table, texts, table.theme)
        if found is None and canvas.renderer is not None:
            found = await self.painter.film(replay, canvas.table)
            if found is not None:
                self._films.put(table.id, found)
        return found

    async def panel(self, panel: Panel, texts: Texts, theme: str, wanted: Wanted | None = None) -> Painting:
        """Paint what a seat sees, its draft and its choices, in its reader's theme.

        With ``wanted``: in words if the picture would be late; with neither once it returns false.
        """
        canvas = _Canvas.of(panel.table, texts, theme)
        return await self._main(canvas, panel.view, panel.draft, panel.menu, wanted=wanted)

    def panel_in_words(self, panel: Panel, texts: Texts) -> Painting:
        """Return what a seat sees in words."""
        return Painting(words=self.text(panel.table, panel.view, texts))

    async def moment(self, moment: Moment, texts: Texts, theme: str, wanted: Wanted = always) -> Painting:
        """Paint a moment in its reader's theme; ``wanted`` is as in :meth:`panel`."""
        return await self._main(_Canvas.of(moment.table, texts, theme), moment.view, wanted=wanted)

    async def turning_point(
        self, table: TableInfo, point: TurningPoint, texts: Texts, theme: str, wanted: Wanted = always
    ) -> Painting:
        """Paint a turning point like a panel with the better sentence as its draft."""
        canvas = _Canvas.of(table, texts, theme)
        return await self._main(canvas, point.view, point.draft, point.menu, wanted=wanted)

    async def all_of(self, table: TableInfo, view: Any, texts: Texts, theme: str) -> list[tuple[str, Upload]]:
        """Return up to :data:`FILES` pictures that the viewer of ``view`` can look at, with their labels."""
        canvas = _Canvas.of(table, texts, theme)
        found: list[tuple[str, Upload]] = []
        for key, label in canvas.renderer.pictures(view)[:FILES] if canvas.renderer is not None else ():
            request = PaintRequest(canvas.game, key, canvas.table, view, (), None)
            picture = await self.painter.paint(request, always)
            if picture is not None:
                title = texts.picture(canvas.game, label)
                found.append((title, upload(f"{STEM}{len(found) + 1}", picture)))
        return found

    async def demonstration(
        self, key: str, texts: Texts, theme: str
    ) -> tuple[Picture | None, Picture | None]:
        """Return two pictures of a demonstration match: what everybody sees, and what one seat sees.

        ``None`` for one that cannot be painted, or not in time.
        """
        painter = renderers_by_game().get(key)
        if painter is None:
            return None, None
        names = _sides(key, usual_seats(game(key).manifest), texts)
        table = Table(names, texts.language, _known(painter, theme))
        requests = (DemonstrationRequest(key, viewer, table) for viewer in (None, DEMONSTRATED))
        board, seat = await asyncio.gather(*(self.painter.paint(each, always) for each in requests))
        return board, seat

    def text(self, table: TableInfo, view: Any, texts: Texts) -> str:
        """Return the board in words; empty if the game has no renderer."""
        return _Canvas.of(table, texts, DEFAULT).text(view)

    async def _main(
        self,
        canvas: _Canvas,
        view: Any,
        draft: Words = (),
        menu: Menu | None = None,
        *,
        wanted: Wanted | None = None,
    ) -> Painting:
        if canvas.renderer is None:
            return Painting()
        # A message shows the first picture only; `/hand` shows all.
        key = canvas.renderer.pictures(view)[0][0]
        request = PaintRequest(canvas.game, key, canvas.table, view, draft, menu)
        picture = await self.painter.paint(request, wanted)
        # Nobody will see the words of a superseded panel.
        if picture is not None or (wanted is not None and not wanted()):
            return Painting(picture)
        return Painting(words=canvas.text(view))


def has_renderer(game: str) -> bool:
    """Return whether a game can be painted."""
    return game in renderers_by_game()


class _Canvas:
    """A table prepared for painting: its game's renderer, if there is one, and a theme that it supports."""

    def __init__(
        self,
        game: str,
        names: tuple[str, ...],
        texts: Texts,
        theme: str,
        marked: frozenset[Seat] = frozenset(),
    ) -> None:
        self.game = game
        self.renderer: AnyRenderer | None = renderers_by_game().get(game)
        known = DEFAULT if self.renderer is None else _known(self.renderer, theme)
        self.table = Table(names=names, language=texts.language, theme=known, marked=marked)

    @classmethod
    def of(cls, table: TableInfo, texts: Texts, theme: str) -> _Canvas:
        """Return the canvas of a table, with its players' names; with the sides' names if they have none."""
        names, marked = painted_names(texts, table)
        return cls(table.game, names, texts, theme, marked)

    def text(self, view: Any) -> str:
        """Return a view in words; empty without a renderer."""
        return self.renderer.text(view, self.table) if self.renderer is not None else ""


def _sides(key: str, seats: int, texts: Texts) -> tuple[str, ...]:
    """Return a game's names of its sides, for a table without players."""
    return tuple(texts.game(key, label) for label in game(key).manifest.seat_labels[:seats])


def _known(painter: AnyRenderer, theme: str) -> str:
    return theme if theme in painter.themes else DEFAULT
