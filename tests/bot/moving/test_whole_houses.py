"""``bauta move``: everything arrives as it was, and is served and played on where it is then."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.cli import ExitCode
from bot.domain.address import Address, PostgresqlAddress
from bot.domain.clocks import Pace
from bot.domain.jobs import Job, Shown
from bot.domain.lessons import practice_id
from bot.domain.match import DraftRow, LogRow, Preset
from bot.domain.tables import Person, Status, TableRow
from bot.store.checks import open_read_only
from bot.store.contents import tables
from bot.store.opening import open_store
from bot.store.postgresql import moving
from bot.store.postgresql.moving import Moved, move
from bot.store.prepare import FileLock
from bot.store.tables import TABLES
from tests.bot.conftest import ALL_GAMES, PEOPLE, PLACE, Room
from tests.bot.moving.conftest import arrived, change, count, quiet, schema_of, sums
from tests.kit.postgresql import Cluster

EVE = Person(700000000000000055, "Eve")
FRED = Person(700000000000000066, "Fred")

CARRIED = {table.name for table in TABLES if not table.only_postgresql}


async def furnish(room: Room) -> None:
    """Let something stand in every table: matches of all games, on and over, an open one, settings …"""
    services = room.services
    for game in sorted(ALL_GAMES):
        seats = min(ALL_GAMES[game].manifest.seats)
        info = await room.begin(game, seats, pace=Pace.DAY)
        await room.play_some(info, 4)
    over = await room.begin("vault")
    await room.lay(over, 0)
    await services.actions.resign(over.id, PEOPLE[0], room.request)
    await services.lobby.rematch(over.id, PEOPLE[0], room.request, PLACE)
    drafted = await room.begin("vault", pace=Pace.DAY)
    await room.draft(drafted, 0, "lay")
    await services.outbox.set_shown(drafted.id, "board", Shown(5551, 5552, 1))
    await services.outbox.retire(5553)
    await services.outbox.note_dm_channel(PEOPLE[0].id, 5554, 5555)
    await services.motions.offer_seat(drafted.id, PEOPLE[0], EVE, room.request)
    handed = await room.begin("vault", pace=Pace.DAY)
    await services.motions.offer_seat(handed.id, PEOPLE[0], EVE, room.request)
    await services.motions.take_seat(handed.id, EVE, room.request)
    await services.motions.offer_seat(handed.id, PEOPLE[1], FRED, room.request)
    await services.motions.take_seat(handed.id, FRED, room.request)
    room.now += 1
    await services.motions.offer_seat(handed.id, FRED, PEOPLE[2], room.request)
    await services.motions.take_seat(handed.id, PEOPLE[2], room.request)
    assert await services.privacy.delete(FRED) == []
    await services.lobby.open("vault", {}, 3, PEOPLE[0], PLACE, room.request, invited=[PEOPLE[3]])
    await services.settings.set_theme(PEOPLE[1], "clear")
    await services.settings.set_value("some key", "a value: Ünïcödé, \\N, \t, 🂡")
    await services.servers.change(PLACE.guild_id, lambda rules: replace(rules, most=50, threads_per_day=20))
    await services.drafts.type_in(practice_id("volo", "cut"), PEOPLE[2], "a5-W2/a2", None)
    await room.clocks.holidays.begin(PEOPLE[3])
    async with room.store.transaction() as unit:
        await unit.save_preset(PEOPLE[1].id, Preset("vault", "lay", "lay the usual"))


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[Room]:
    """Return a house with something in every table; its store is closed."""
    room = await Room(tmp_path / "house.db", ALL_GAMES).enter()
    try:
        await furnish(room)
    finally:
        await room.store.close()
    yield room
    if not isinstance(room.database, Path):
        await room.store.close()


async def carried(room: Room, target: PostgresqlAddress) -> Moved:
    """Move a house, and serve it where it is then."""
    before, rows = sums(room.path), count(room.path)
    moved = await asyncio.to_thread(move, room.path, target, quiet)
    assert sums(room.path) == before
    assert moved.rows == rows
    room.database = target
    await room.enter()
    return moved


def test_something_stands_in_every_table(house: Room) -> None:
    with closing(open_read_only(house.path)) as connection:
        found = [table.name for table in tables(connection)]
        assert set(found) == CARRIED
        for name in found:
            assert connection.execute(f"SELECT count(*) FROM {name}").fetchone() != (0,), name


@dataclass(frozen=True, slots=True)
class Answers:
    """What a store answers."""

    listed: list[TableRow]
    logs: dict[str, list[LogRow]]
    drafts: dict[str, list[DraftRow]]
    jobs: list[Job]


async def answers(database: Address) -> Answers:
    """Ask a database that nobody serves."""
    store = await open_store(database)
    try:
        async with store.read() as reader:
            listed = await reader.tables_in(list(Status), 0.0)
            ids = [row.info.id for row in listed]
            return Answers(
                listed,
                {each: await reader.log(each) for each in ids},
                {each: await reader.drafts(each) for each in ids},
                await reader.next_jobs(1_000, 1e12),
            )
    finally:
        await store.close()


async def test_a_whole_house_arrives_and_is_played_on(
    house: Room, target: PostgresqlAddress, cluster: Cluster
) -> None:
    before = await answers(house.path)
    moved = await asyncio.to_thread(move, house.path, target, quiet)
    assert arrived(cluster, target) == moved.rows == count(house.path)
    assert await answers(target) == before
    assert {status for status, _ in moved.matches} == {"open", "over", "running"}
    assert not moved.logs.broken
    house.database = target
    await house.enter()
    assert await house.services.settings.get_value("some key") == "a value: Ünïcödé, \\N, \t, 🂡"
    running = [row.info for row in before.listed if row.info.status is Status.RUNNING]
    assert len(running) >= len(ALL_GAMES)
    for info in running:
        # Loading plays the log again, and freezes a match whose digests are others.
        live = await house.services.cache.get(info.id)
        assert live.row.info == info
        if log := before.logs[info.id]:
            assert live.require_log().match.digest() == log[-1].digest
        assert await house.play_some(info, 2) > 0


async def test_numbers_go_on_where_they_were(
    house: Room, target: PostgresqlAddress, cluster: Cluster
) -> None:
    path, schema = house.path, schema_of(target)
    change(path, "UPDATE sqlite_sequence SET seq = 5000 WHERE name = 'job'")
    await carried(house, target)
    info = await house.begin("vault")
    [(first,)] = cluster.execute(f"SELECT min(revision) FROM {schema}.job WHERE match = '{info.id}'")
    assert isinstance(first, int)
    assert first > 5000
    with closing(open_read_only(path)) as connection:
        held = connection.execute("SELECT rowid, match, seat FROM former_holder ORDER BY rowid").fetchall()
    assert cluster.execute(f"SELECT rowid, match, seat FROM {schema}.former_holder ORDER BY rowid") == held
    [(name,)] = cluster.execute(f"SELECT pg_get_serial_sequence('{schema}.former_holder', 'rowid')")
    assert cluster.execute(f"SELECT nextval('{name}')") == [(held[-1][0] + 1,)]


async def test_a_database_that_was_served_but_never_used_may_be_filled(
    small: Path, target: PostgresqlAddress, cluster: Cluster
) -> None:
    await (await open_store(target)).close()
    assert arrived(cluster, target) == 0
    await asyncio.to_thread(move, small, target, quiet)
    assert arrived(cluster, target) == count(small)


async def test_a_log_that_was_broken_is_so_still_and_is_named(house: Room, target: PostgresqlAddress) -> None:
    info = await broken_match(house.path)
    moved = await carried(house, target)
    assert moved.logs.broken == (info,)


async def broken_match(path: Path) -> str:
    """Change a sentence of a log, as nobody may; return its match."""
    with closing(open_read_only(path)) as connection:
        [(match,)] = connection.execute("SELECT match FROM log ORDER BY match LIMIT 1").fetchall()
    change(
        path, "DROP TRIGGER log_stands", f"UPDATE log SET words = '[]' WHERE match = '{match}' AND seq = 1"
    )
    assert isinstance(match, str)
    return match


async def test_what_a_killed_bot_has_left_in_its_write_ahead_log_arrives(
    small: Path, target: PostgresqlAddress, cluster: Cluster, tmp_path: Path
) -> None:
    left = tmp_path / "left"
    store = await open_store(small)
    try:
        async with store.transaction() as unit:
            await unit.set_value("written", "last")
        await asyncio.to_thread(
            shutil.copytree, tmp_path, left, ignore=shutil.ignore_patterns("left", "*-shm")
        )
    finally:
        await store.close()
    log = left / "house.db-wal"
    before = sums(log)
    await asyncio.to_thread(move, left / "house.db", target, quiet)
    assert sums(log) == before
    assert cluster.execute(f"SELECT value FROM {schema_of(target)}.house WHERE key = 'written'") == [
        ("last",)
    ]


# --- the command --------------------------------------------------------------------------------------


async def test_the_command_says_what_was_moved(
    small: Path, target: PostgresqlAddress, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["move", "--from", f"sqlite:{small}", "--to", target.url]) == 0
    said = capsys.readouterr()
    first, *rest = said.out.splitlines()
    assert first.startswith(
        f"{target}: 1 running; {count(small)} rows of {len(CARRIED)} tables and 1 logs are the same there; "
    )
    assert "BAUTA_DATABASE" in rest[-1]
    assert "log: checking" in said.err


async def test_who_stops_it_finds_nothing_moved(
    small: Path,
    target: PostgresqlAddress,
    cluster: Cluster,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(moving, "_same_logs", stop)
    assert main(["move", "--from", str(small), "--to", target.url]) == ExitCode.INTERRUPTED
    assert "nothing was moved" in capsys.readouterr().err
    assert arrived(cluster, target) is None
    lock = FileLock(small)
    lock.take()
    lock.release()


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("sqlite:a.db", "sqlite:b.db"),
        ("postgresql://a/b", "sqlite:b.db"),
        ("postgresql://a/b", "postgresql://a/c"),
    ],
)
def test_there_is_one_direction(source: str, target: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["move", "--from", source, "--to", target]) == 1
    assert "from SQLite to PostgreSQL only" in capsys.readouterr().err
