"""Loading a table from the store and replaying its match from the log."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from bot.domain.match import DraftRow, LogRow, Preset
from bot.domain.refusals import refusal
from bot.domain.tables import PersonId, Status, TableRow
from bot.matches.loaded_table import LoadedTable, drafts_by_seat
from bot.matches.match_log import MatchLog
from bot.runtime.log_setup import origin_of
from bot.store import BrokenRecord, Store
from engines.core.match import AnyGame
from engines.core.rng import commitment, mixed_seed, part_hash

LOG = logging.getLogger("bauta.tables")


@dataclass(frozen=True, slots=True)
class StoredTable:
    """All that the store has of a table, and its people's saved sentences for its game."""

    row: TableRow
    version: int
    log: list[LogRow] = field(repr=False)
    drafts: list[DraftRow] = field(repr=False)
    presets: list[tuple[PersonId, Preset]] = field(repr=False)
    broken: str = ""
    """What cannot be read; empty: nothing."""


async def stored_table(store: Store, table_id: str) -> StoredTable:
    """Read a table from the store; raises ``Refusal`` if it does not exist."""
    async with store.read() as reader:
        row = await reader.table(table_id)
        if row is None:
            raise refusal("unknown_match")
        version = await reader.version(table_id)
        log, drafts, broken = list[LogRow](), list[DraftRow](), ""
        try:
            log = await reader.log(table_id)
            drafts = await reader.drafts(table_id)
        except BrokenRecord as error:
            broken = str(error)
        people = [chair.person.id for chair in row.info.chairs if chair.person is not None]
        presets = [(who, preset) for who in people for preset in await reader.presets(who, row.info.game)]
    return StoredTable(row, version, log, drafts, presets, broken)


def rebuild(stored: StoredTable, games: Mapping[str, AnyGame]) -> LoadedTable:
    """Build a table with its match, or without one if its log cannot be replayed as it was played."""
    row = stored.row
    if row.seed is None or row.broken:
        return LoadedTable(row, version=stored.version)
    game = games.get(row.info.game)
    if (
        game is None
        or row.info.setup.ruleset not in game.manifest.rulesets
        or not game.manifest.has_data(row.data_hashes)
    ):
        LOG.error("match %s: game, ruleset or data not installed", row.info.id)
        return LoadedTable(row, version=stored.version)
    try:
        log = _replay(stored, row.seed, game)
        # The version of the game that stored a draft may have accepted words that this one refuses.
        loaded = LoadedTable(row, log, drafts_by_seat(stored.drafts), version=stored.version)
        return loaded.with_drafts_carried_over()
    except _Differs as error:
        LOG.error("match %s: %s", row.info.id, error)
    except Exception as error:  # a changed engine may raise anything on an old log
        LOG.error("match %s: replay failed: %s", row.info.id, origin_of(error))
    return LoadedTable(row, version=stored.version)


def status_after_replay(table: LoadedTable) -> Status:
    """Return the status of a table that was just rebuilt.

    Running matches that fail to replay are frozen; frozen ones that succeed resume.
    """
    status = table.info.status
    if table.log is None:
        return Status.FROZEN if status is Status.RUNNING else status
    if status is Status.FROZEN:
        return Status.OVER if table.log.public.outcome else Status.RUNNING
    return status


class _Differs(Exception):  # noqa: N818 - a finding, not a fault
    """The stored match differs from the one that was played. The text says how."""


def _replay(stored: StoredTable, seed: bytes, game: AnyGame) -> MatchLog:
    info = stored.row.info
    if stored.broken:
        raise _Differs(f"its records cannot be read ({stored.broken})")
    part = stored.row.part
    if (commitment(seed) if part is None else part_hash(part)) != info.commitment:
        raise _Differs("its seed is not the one whose hash was published")
    if part is not None and mixed_seed(part, (*info.join_ids, info.start_id)) != seed:
        raise _Differs("its seed is not the one that its part and ids give")
    if {chair.seat for chair in info.chairs} != set(range(info.setup.seats)):
        raise _Differs("its chairs are not those that were drawn")
    log = MatchLog.replay(game, info.setup, seed, stored.log, info.seats_of_people())
    if log.digest != log.match.digest():
        raise _Differs("its replay differs")
    return replace(log, restore_id=stored.row.restore_id)
