"""Closing matches without a result: nobody wins, and nothing hidden is revealed."""

from __future__ import annotations

from dataclasses import replace

from bot.domain.match import RowKind
from bot.domain.tables import ClosedBy, HandledRequest, Status, TableInfo
from bot.matches.loaded_table import LoadedTable
from bot.matches.table_cache import TableCache


def closed(table: LoadedTable, why: ClosedBy, request: str, now: float) -> LoadedTable:
    """Return the match closed: it has no outcome, and its seed stays secret forever."""
    new = replace(table, row=replace(table.row, offer=None))
    return new.with_row(RowKind.CLOSE, None, (why.value,), request, now)


class Closing:
    """Closes matches, each only once. The caller has checked permission."""

    def __init__(self, cache: TableCache) -> None:
        self._cache = cache

    async def close(self, table_id: str, why: ClosedBy, request: HandledRequest | None = None) -> TableInfo:
        """Close a running match; raises ``Refusal``. ``request``: the interaction that asked for it."""

        async def work(table: LoadedTable) -> TableInfo:
            if request is not None:
                done = await self._cache.handled(request.id, table_id, request.person, request.act)
                if done is not None:
                    return table.info
            table.require_running()
            new = closed(table, why, f"close:{table_id}", self._cache.clock())
            return (await self._cache.settle(table, new, request=request)).info

        return await self._cache.attempt(table_id, work)

    async def close_idle(self, table_id: str, since: float) -> None:
        """Close a running match if nobody has acted since a Unix time."""

        async def work(table: LoadedTable) -> None:
            if table.info.status is Status.RUNNING and last_act(table) <= since:
                new = closed(table, ClosedBy.IDLE, f"close:{table_id}", self._cache.clock())
                await self._cache.settle(table, new)

        await self._cache.attempt(table_id, work)


def last_act(table: LoadedTable) -> float:
    """Return the Unix time of the last act in a match, or of its start; time-outs do not count."""
    rows = (row.at for row in reversed(table.require_log().rows) if row.kind in BY_PEOPLE)
    return next(rows, table.row.started_at or table.row.opened_at)


BY_PEOPLE = frozenset(
    {
        RowKind.ACT, RowKind.WITHDRAW, RowKind.OFFER, RowKind.DECLINE, RowKind.BACK, RowKind.GRANT,
        RowKind.PROPOSE, RowKind.CONSENT, RowKind.OBJECT, RowKind.PAUSE, RowKind.RESUME, RowKind.UNDO,
        RowKind.REPLACE,
    }
)  # fmt: skip
"""Rows that count as activity. Computer players' sentences do too: a match that they play alone goes on."""
