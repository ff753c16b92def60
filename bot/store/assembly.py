"""Assemble records of several rows: a table with its chairs, a whole log.

A broken row affects only its own match.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from bot.domain.clocks import Clock
from bot.domain.match import LogRow
from bot.domain.tables import Chair, Person, Place, Status, TableInfo, TableRow
from bot.store.errors import BrokenRecord
from bot.store.schema import SqlRow
from bot.store.tables.matches import (
    CHAIR,
    FIRST_JOIN,
    FORMER_HOLDER,
    INVITATION,
    LOG,
    MATCH,
    NO_CLOCK,
    SEAT_OFFER,
    chair_of,
)
from engines.core.contract import Seat, Setup

LOGGER = logging.getLogger("bauta.store")

Ask: TypeAlias = Callable[..., Awaitable[list[SqlRow]]]
"""Returns all rows of a query; takes its SQL and its values."""

_IN_LIST = "WHERE match IN (SELECT value FROM json_each(?))"

_PARTS = (
    CHAIR.select(f"{_IN_LIST} ORDER BY match, ord", "match"),
    INVITATION.select(f"{_IN_LIST} ORDER BY match, ord", "match"),
    # In order of insertion: the machine's clock may have been set back between two rows.
    FORMER_HOLDER.select(f"{_IN_LIST} ORDER BY match, rowid", "match"),
    SEAT_OFFER.select(_IN_LIST, "match"),
    FIRST_JOIN.select(f"{_IN_LIST} ORDER BY match, ord", "match"),
)
"""Queries of what belongs to several tables."""

_TABLE_ID = re.compile(r"[A-Za-z0-9_.-]{1,40}", re.ASCII)


def is_table_id(value: object) -> bool:
    """Return whether a value is a valid table id; ids appear in custom ids."""
    return isinstance(value, str) and _TABLE_ID.fullmatch(value) is not None


def log_rows(rows: Iterable[SqlRow]) -> list[LogRow]:
    """Return the whole log of one match; raises :class:`BrokenRecord`."""
    found = list(map(LOG.decode, rows))
    chain, is_chained = "", False
    for number, row in enumerate(found, 1):
        chain = row.chained(chain)
        # Logs that predate the chain have it from their first newer row on; that link covers the older rows.
        is_chained = is_chained or bool(row.chain)
        if row.seq != number or (is_chained and row.chain != chain):
            raise BrokenRecord("log: ValueError")
    return found


async def tables(ask: Ask, where: str, *values: object) -> list[TableRow]:
    """Return the tables of a condition with all that belongs to them, by a fixed number of queries.

    Of a broken table, what can be read is returned, so that it does not hide the others.
    """
    found = await ask(MATCH.select(where), *values)
    # Without a valid id, there is nobody to notify.
    matches = [row for row in found if is_table_id(row[0])]
    if len(matches) < len(found):
        LOGGER.error("%d tables skipped: their ids cannot be read", len(found) - len(matches))
    ids = [row[0] for row in matches]
    parts = [_grouped(await ask(question, ids)) for question in _PARTS]
    return [_decoded(row, [rows.get(row[0], ()) for rows in parts]) for row in matches]


def _decoded(row: SqlRow, parts: Sequence[Sequence[SqlRow]]) -> TableRow:
    try:
        return table_row(row, *parts)
    except BrokenRecord as error:
        LOGGER.error("table %s cannot be read (%s)", row[0], error)
        return salvaged(row, parts[0])


def _grouped(rows: Iterable[SqlRow]) -> dict[str, list[SqlRow]]:
    groups: dict[str, list[SqlRow]] = {}
    for row in rows:
        groups.setdefault(row[0], []).append(row[1:])
    return groups


def table_row(
    row: SqlRow,
    chairs: Iterable[SqlRow],
    invited: Iterable[SqlRow] = (),
    former: Iterable[SqlRow] = (),
    offers: Iterable[SqlRow] = (),
    first_joins: Iterable[SqlRow] = (),
) -> TableRow:
    """Return a table with its chairs; raises :class:`BrokenRecord`."""
    found = MATCH.decode(row)
    sitting = list(map(CHAIR.decode, chairs))
    clocks: dict[Seat, Clock] = {}
    asked_since: dict[Seat, float] = {}
    for each in sitting:
        if (seat := each.chair.seat) is None:
            continue
        if each.clock is not NO_CLOCK:
            clocks[seat] = each.clock
        if each.asked:
            # Earlier versions stored no time: it has been pending since the last public change or longer.
            asked_since[seat] = found["changed_at"] if each.asked_at is None else each.asked_at
    return TableRow(
        info=_info(
            found,
            chairs=tuple(each.chair for each in sitting),
            former=tuple(map(FORMER_HOLDER.decode, former)),
        ),
        first_joins=tuple(map(FIRST_JOIN.decode, first_joins)),
        invited=tuple(map(INVITATION.decode, invited)),
        asked_since=asked_since,
        clocks=clocks,
        offer=next(map(SEAT_OFFER.decode, offers), None),
        **{name: found[name] for name in _OF_ROW},
    )


_OF_ROW = ("data_hashes", "opened_at", "changed_at", "started_at", "ended_at", "seed", "part", "restore_id")
_OF_INFO = (
    "id", "status", "commitment", "rematch_of", "theme", "pace", "time_up", "hints", "start_id",
)  # fmt: skip


def _info(found: dict[str, Any], **others: Any) -> TableInfo:
    return TableInfo(
        setup=Setup(found["game"], found["ruleset"], found["seats"], found["options"]),
        host=Person(found["host"], found["host_name"]),
        place=Place(found["guild"], found["channel"]),
        thread_id=found["thread"],
        **{name: found[name] for name in _OF_INFO},
        **others,
    )


_KNOWN_STATUS: Mapping[object, Status] = {
    (Status.OVER, False): Status.OVER,
    (Status.OVER, True): Status.CLOSED,
    (Status.CLOSED, False): Status.CLOSED,
}
"""By the columns ``status`` and ``closed``."""


def salvaged(row: SqlRow, chairs: Iterable[SqlRow]) -> TableRow:
    """Return what can be read of a broken table: enough to notify its players and to show it.

    It is frozen unless it was over. It must not be saved, so that the stored rows can still be repaired.
    """
    found = MATCH.salvage(row)
    sitting = tuple(filter(None, map(_salvaged_chair, chairs)))
    stored = found.get("status"), found.get("closed")
    info = TableInfo(
        id=found["id"],
        setup=Setup(found.get("game", ""), found.get("ruleset", ""), len(sitting), ()),
        host=Person(found.get("host", 0), found.get("host_name", "?")),
        place=Place(found.get("guild", 0), found.get("channel", 0)),
        status=_KNOWN_STATUS.get(stored, Status.FROZEN),
        chairs=sitting,
        commitment="",
        thread_id=found.get("thread"),
    )
    return TableRow(info=info, data_hashes=(), opened_at=0.0, changed_at=0.0, broken=True)


def _salvaged_chair(row: SqlRow) -> Chair | None:
    try:
        return chair_of(CHAIR.salvage(row))
    except KeyError:
        return None
