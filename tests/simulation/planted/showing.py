"""What is shown late, wrongly, to somebody else, or not at all."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any
from unittest import mock

from bot.clocks import reminders
from bot.clocks.reminders import Reminders
from bot.domain import replay_file
from bot.domain.clocks import Clock
from bot.domain.jobs import Job
from bot.domain.match import Board, Panel, RowKind
from bot.domain.tables import Status
from bot.matches.outbox import Outbox
from bot.matches.queries import Queries
from bot.pages.page import Page
from bot.pages.pictures import Pictures
from bot.sync.goodbyes import Goodbyes
from engines.core.contract import Seat


def nobody_is_reminded() -> AbstractContextManager[Any]:
    """Count every reminder as over, and send none."""

    def call(self: Reminders, round_: Any, seat: Seat, clock: Clock, reader: Any) -> None:
        round_.pass_over(seat, clock)

    return mock.patch.object(Reminders, "_call", call)


def the_wrong_seat_is_reminded() -> AbstractContextManager[Any]:
    """Remind the seat after the one that is to be reminded."""
    tell = reminders._Round.tell  # noqa: SLF001

    def other(self: Any, seat: Seat, clock: Clock, person: int, way: Any) -> None:
        tell(self, seat, clock, person, way)
        others = [each for each in self.table.info.seats_of_people() if each != seat]
        if others:
            self._told[-1] = (others[0], *self._told[-1][1:])

    return mock.patch.object(reminders._Round, "tell", other)  # noqa: SLF001


def no_goodbye() -> AbstractContextManager[Any]:
    """Tell nobody how their match ended."""

    async def nothing(self: Goodbyes, match: str, seat: Seat) -> None:
        return

    return mock.patch.object(Goodbyes, "update", nothing)


def panels_one_version_old() -> AbstractContextManager[Any]:
    """Show in each panel what the one before it showed."""
    panel_page, before = Pictures.panel, dict[tuple[str, Seat], Panel]()

    async def older(self: Pictures, panel: Panel, *given: Any, **named: Any) -> Page:
        key = (panel.table.id, panel.seat)
        shown = before.get(key, panel)
        before[key] = panel
        return await panel_page(self, shown, *given, **named)

    return mock.patch.object(Pictures, "panel", older)


def boards_one_version_old() -> AbstractContextManager[Any]:
    """Show on each board of a match with clocks what the one before it showed, under its own number."""
    board_page, before = Pictures.board, dict[str, Board]()

    async def older(self: Pictures, board: Board, *given: Any, **named: Any) -> Page:
        shown = before.get(board.table.id, board) if board.clocks else board
        if shown.version != board.version:
            before[board.table.id] = board
        before.setdefault(board.table.id, board)
        same = replace(shown, epoch=board.epoch, version=board.version, called=board.called)
        return await board_page(self, same, *given, **named)

    return mock.patch.object(Pictures, "board", older)


def a_film_ignores_an_undo() -> AbstractContextManager[Any]:
    """Show in films what was taken back."""

    async def whole(self: Queries, table_id: str) -> dict[str, Any]:
        table = await self._cache.get(table_id)
        log, seed = table.require_log(), table.row.seed
        assert table.info.status is Status.OVER
        assert seed is not None
        rows = [row for row in log.rows if row.kind is not RowKind.UNDO]
        return replay_file.written(table.row, seed, log.match, rows)

    return mock.patch.object(Queries, "replay_file", whole)


def dropped_after_the_third_try() -> AbstractContextManager[Any]:
    """Give a job up that has failed three times."""
    failed = Outbox.failed

    async def dropped(self: Outbox, job: Job, error: str, retry_at: float) -> None:
        if job.tries >= 2:
            await self.done(job)
        else:
            await failed(self, job, error, retry_at)

    return mock.patch.object(Outbox, "failed", dropped)
