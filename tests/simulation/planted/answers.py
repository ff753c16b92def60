"""Private answers that say what is not so."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any
from unittest import mock

from bot.domain.match import LogLine, Receipt, Told
from bot.domain.tables import MatchLine, Status
from bot.interactions.panel import Panels
from bot.interactions.reply import Reply
from bot.matches import match_lists, queries
from bot.matches.queries import Queries
from engines.core.contract import Seat


def a_list_goes_by_the_public() -> AbstractContextManager[Any]:
    """Say that it is somebody's turn who has decided in secret."""
    matches = Queries.matches

    async def public(self: Queries, person: Any) -> list[MatchLine]:
        return [replace(line, asked=await _waits(self, line)) for line in await matches(self, person)]

    return mock.patch.object(Queries, "matches", public)


async def _waits(of: Queries, line: MatchLine) -> bool:
    board = await of.board(line.table.id) if line.table.begun else None
    return board is not None and line.seat in board.waiting


def a_list_shows_an_older_deadline() -> AbstractContextManager[Any]:
    """Say that there is a quarter of an hour less."""
    line = match_lists._line  # noqa: SLF001

    def early(row: Any, seat: Seat | None) -> MatchLine:
        found = line(row, seat)
        return found if found.deadline is None else replace(found, deadline=found.deadline - 900.0)

    return mock.patch.object(match_lists, "_line", early)


def a_log_lacks_its_last_line() -> AbstractContextManager[Any]:
    """Leave out what has happened last, once there are three lines."""
    log = Queries.log

    async def shorter(self: Queries, table_id: str, person: Any) -> Sequence[LogLine]:
        found = await log(self, table_id, person)
        return found[:-1] if len(found) > 2 else found

    return mock.patch.object(Queries, "log", shorter)


def a_log_tells_everything() -> AbstractContextManager[Any]:
    """Tell everybody what only some may know."""
    return mock.patch.object(queries, "Status", mock.Mock(OVER=Status.RUNNING, RUNNING=Status.RUNNING))


def a_receipt_of_the_act_before() -> AbstractContextManager[Any]:
    """Tell in each receipt what came of the act that the one before it was for."""
    draw, before = Panels._draw_receipt, dict[tuple[str, Seat], tuple[Told, ...]]()  # noqa: SLF001

    async def other(self: Panels, reply: Reply, receipt: Receipt) -> None:
        key = (receipt.table.id, receipt.seat)
        earlier = before.get(key, receipt.told)
        before[key] = receipt.told
        await draw(self, reply, replace(receipt, told=earlier))

    return mock.patch.object(Panels, "_draw_receipt", other)
