"""From the store to memory: a table is read, and its match replayed from the log."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.domain.match import DraftRow, LogRow, Preset
from bot.domain.refusals import refusal
from bot.domain.tables import PersonId, Status, TableRow
from bot.matches.loaded_table import LoadedTable, drafts_by_seat
from bot.matches.match_log import MatchLog
from bot.store import Store
from engines.core.match import AnyGame

LOG = logging.getLogger("bauta.tables")


@dataclass(frozen=True, slots=True)
class StoredTable:
    """All that the store has of a table, and what its people have kept for its game."""

    row: TableRow
    version: int
    log: list[LogRow] = field(repr=False)
    drafts: list[DraftRow] = field(repr=False)
    presets: list[tuple[PersonId, Preset]] = field(repr=False)


async def stored_table(store: Store, table_id: str) -> StoredTable:
    """Return a table as it is stored; raises ``Refusal`` for one that does not exist."""
    async with store.read() as reader:
        row = await reader.table(table_id)
        if row is None:
            raise refusal("unknown_match")
        version = await reader.version(table_id)
        log = await reader.log(table_id)
        drafts = await reader.drafts(table_id)
        people = [chair.person.id for chair in row.info.chairs if chair.person is not None]
        presets = [(who, preset) for who in people for preset in await reader.presets(who, row.info.game)]
    return StoredTable(row, version, log, drafts, presets)


def rebuild(stored: StoredTable, games: Mapping[str, AnyGame]) -> LoadedTable:
    """Return a table with its match, or without one where the replay is not what was played."""
    row = stored.row
    log = None if row.seed is None else _replay(row, row.seed, stored.log, games.get(row.info.game))
    if log is None:
        return LoadedTable(row, version=stored.version)
    # The version of the game that stored a draft may have taken words that this one does not.
    loaded = LoadedTable(row, log, drafts_by_seat(stored.drafts), version=stored.version)
    return loaded.with_drafts_carried_over()


def status_after_replay(table: LoadedTable) -> Status:
    """Return the status of a table that was just rebuilt.

    Matches that fail to replay are frozen; frozen ones that succeed go on.
    """
    status = table.info.status
    if table.log is None:
        return Status.FROZEN if status is Status.RUNNING else status
    if status is Status.FROZEN:
        return Status.OVER if table.log.public.outcome else Status.RUNNING
    return status


def _replay(row: TableRow, seed: bytes, rows: list[LogRow], game: AnyGame | None) -> MatchLog | None:
    if (
        game is None
        or game.manifest.ruleset != row.info.setup.ruleset
        or not set(row.data_hashes) <= set(game.manifest.data_hashes)
    ):
        LOG.error("match %s: its game, ruleset or data are not installed", row.info.id)
        return None
    try:
        log = MatchLog.replay(game, row.info.setup, seed, rows)
        same = log.digest == log.match.digest()
    except Exception as error:  # whatever a changed engine does with an old log
        LOG.error("match %s: its log is refused (%s)", row.info.id, type(error).__name__)
        return None
    if not same:
        LOG.error("match %s: its replay differs", row.info.id)
        return None
    return log
