"""What is shown late, wrongly, to somebody else, or not at all."""

from __future__ import annotations

from contextlib import AbstractContextManager, ExitStack
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
from bot.interactions import panel as interactions_panel
from bot.matches.outbox import Outbox
from bot.matches.queries import Queries
from bot.pages.board import board_page
from bot.pages.page import Page
from bot.pages.panel import PanelPage, panel_page
from bot.sync import board as sync_board
from bot.sync import direct_messages
from bot.sync.direct_messages import Goodbyes
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
    before = dict[tuple[str, Seat], Panel]()

    def older(shown: PanelPage) -> Page:
        panel = shown.panel
        key = (panel.table.id, panel.seat)
        earlier = before.get(key, panel)
        before[key] = panel
        return panel_page(replace(shown, panel=earlier))

    stack = ExitStack()
    for module in (interactions_panel, direct_messages):
        stack.enter_context(mock.patch.object(module, "panel_page", older))
    return stack


def boards_one_version_old() -> AbstractContextManager[Any]:
    """Show on each board of a match with clocks what the one before it showed, under its own number."""
    before = dict[str, Board]()

    def older(board: Board, *given: Any, **named: Any) -> Page:
        shown = before.get(board.table.id, board) if board.clocks else board
        if shown.version != board.version:
            before[board.table.id] = board
        before.setdefault(board.table.id, board)
        same = replace(shown, epoch=board.epoch, version=board.version, called=board.called)
        return board_page(same, *given, **named)

    return mock.patch.object(sync_board, "board_page", older)


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
