"""A deletion makes nobody new in a match that goes on: they have seen a seat's secrets."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import pytest

from bot.domain.jobs import Call, CallWay, JobKind, NewJob
from bot.domain.tables import PSEUDONYM, ClosedBy, Person, Status, TableInfo
from bot.matches.privacy import Privacy
from bot.runtime.background import alongside
from bot.store import StoreError
from bot.store.backup import back_up
from bot.store.checks import check_file
from bot.store.personal import SCRUB, mark_of
from tests.bot.conftest import ALL_GAMES, PEOPLE, PLACE, Room, refused
from tests.bot.raw import ask, change
from tests.bot.test_privacy import ZOE, sit_down, spellings, traces
from tests.kit.postgresql import BOTH_STORES
from tests.kit.tables import sit_down as sit_down_at
from tests.kit.waiting import until

STRANGER = Person(700000000000000099, "Sam")


async def resigned(room: Room) -> tuple[TableInfo, Person]:
    """Let Zoë see a hand, resign, and delete her data; return the match, and somebody who plays on."""
    info = await sit_down(room, *PEOPLE[1:3])
    seat = info.seat_of(ZOE.id)
    assert seat is not None
    assert await room.hand(info, seat)
    await room.services.actions.resign(info.id, ZOE, room.request)
    assert await room.services.privacy.delete(ZOE) == []
    return info, PEOPLE[1]


async def given_away(room: Room) -> tuple[TableInfo, Person]:
    """Let Zoë see a hand, give her seat away, and delete her data."""
    info = await sit_down(room, PEOPLE[1])
    await room.services.motions.offer_seat(info.id, ZOE, PEOPLE[2], room.request)
    await room.services.motions.take_seat(info.id, PEOPLE[2], room.request)
    assert await room.services.privacy.delete(ZOE) == []
    return info, PEOPLE[1]


async def marks(room: Room) -> list[tuple[str, bytes, bytes]]:
    """Return what is remembered of people who are gone."""
    rows = await ask(room.store, "SELECT match, key, mark FROM held_seat ORDER BY match, key")
    return [(str(match), bytes(key), bytes(mark)) for match, key, mark in rows]


@BOTH_STORES
@pytest.mark.parametrize("leave", [resigned, given_away])
async def test_a_deletion_opens_no_second_seat(
    room: Room, leave: Callable[[Room], Awaitable[tuple[TableInfo, Person]]]
) -> None:
    info, player = await leave(room)
    motions = room.services.motions
    await refused("has_held_seat", motions.offer_seat(info.id, player, ZOE, room.request))
    # Once more deleted, and after a restart: it is still her.
    assert await room.services.privacy.delete(ZOE) == []
    await room.again()
    motions = room.services.motions
    await refused("has_held_seat", motions.offer_seat(info.id, player, ZOE, room.request))
    # Somebody who was never there may, and so may she in any other match.
    await motions.offer_seat(info.id, player, STRANGER, room.request)
    await motions.take_seat(info.id, STRANGER, room.request)
    other = await room.begin("vault")
    await motions.offer_seat(other.id, PEOPLE[0], ZOE, room.request)
    await motions.take_seat(other.id, ZOE, room.request)


@BOTH_STORES
async def test_an_offer_from_before_is_not_taken_after_it(room: Room) -> None:
    """The offer says that she is welcome, whatever became of her meanwhile: it is asked again."""
    info, player = await resigned(room)
    motions = room.services.motions
    await motions.offer_seat(info.id, player, STRANGER, room.request)
    await change(room.store, "UPDATE seat_offer SET person = ? WHERE match = ?", ZOE.id, info.id)
    await room.again()
    await refused("has_held_seat", room.services.motions.take_seat(info.id, ZOE, room.request))


@BOTH_STORES
async def test_only_those_who_had_a_seat_are_remembered(room: Room) -> None:
    info = await room.begin("vault")
    await room.services.motions.offer_seat(info.id, PEOPLE[0], ZOE, room.request)
    await room.services.lobby.open("vault", {}, 3, PEOPLE[2], PLACE, room.request, invited=[ZOE])
    table = await room.services.lobby.open("vault", {}, 3, PEOPLE[3], PLACE, room.request)
    await sit_down_at(room.services, table.id, ZOE, room.request)
    assert await room.services.privacy.delete(ZOE) == []
    assert await marks(room) == []
    await room.services.motions.offer_seat(info.id, PEOPLE[0], ZOE, room.request)
    await room.services.motions.take_seat(info.id, ZOE, room.request)


@BOTH_STORES
async def test_who_has_deleted_is_asked_for_by_no_job(room: Room) -> None:
    info = await sit_down(room, PEOPLE[1])
    await room.services.motions.offer_seat(info.id, ZOE, PEOPLE[2], room.request)
    await room.services.motions.take_seat(info.id, PEOPLE[2], room.request)
    call = Call(CallWay.ANSWER, 5, (PEOPLE[1].id, ZOE.id))
    async with room.store.transaction() as transaction:
        await transaction.enqueue([NewJob(info.id, JobKind.REMIND, call.target)])
    before = await ask(room.store, "SELECT target FROM job WHERE match = ?", info.id)
    assert sum(str(ZOE.id) in target for (target,) in before) == 2
    assert await room.services.privacy.delete(ZOE) == []
    rows = await ask(room.store, "SELECT kind, target FROM job WHERE match = ?", info.id)
    assert not any(str(ZOE.id) in target for _, target in rows)
    [target] = [target for kind, target in rows if kind == "remind"]
    assert Call.parse(target).seats == (PEOPLE[1].id, 0)


async def end(room: Room, info: TableInfo) -> None:
    """Let everybody who is left resign."""
    for person in PEOPLE[1:3]:
        if (await room.services.queries.table(info.id)).status is Status.RUNNING:
            await room.services.actions.resign(info.id, person, room.request)


async def close(room: Room, info: TableInfo) -> None:
    """End the match as a server's manager does: it has no result."""
    await room.services.closing.close(info.id, ClosedBy.SERVER)


@BOTH_STORES
@pytest.mark.parametrize("finish", [end, close])
async def test_the_end_of_the_match_ends_it(
    room: Room, finish: Callable[[Room, TableInfo], Awaitable[None]]
) -> None:
    info, _ = await resigned(room)
    assert [match for match, _, _ in await marks(room)] == [info.id]
    await room.services.privacy.scrub()
    await finish(room, info)
    table = await room.services.queries.table(info.id)
    assert table.status in (Status.OVER, Status.CLOSED)
    assert await marks(room) == []
    # What is left of it in the file goes too.
    assert await room.services.settings.get_value(SCRUB)


async def test_neither_key_nor_mark_is_left_in_the_file(
    room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.matches.privacy.SCRUB_INTERVAL_S", 0.0)
    info, _ = await resigned(room)
    await room.services.privacy.scrub()
    [(_, key, mark)] = await marks(room)
    assert mark == mark_of(key, ZOE.id)
    files = [room.path, room.path.with_name(f"{room.path.name}-wal")]
    assert any(mark in path.read_bytes() for path in files)
    # Nobody finds her by hashing all ids there are.
    plain = [hashlib.sha256(spelling).digest() for spelling in spellings(ZOE)]
    assert not any(digest in path.read_bytes() for path in files for digest in plain)
    assert traces(tmp_path, ZOE) == []
    await end(room, info)
    await room.services.privacy.scrub()
    for path in files:
        assert key not in path.read_bytes(), path.name
        assert mark not in path.read_bytes(), path.name


async def test_two_matches_remember_her_under_two_names(room: Room) -> None:
    for _ in range(2):
        info = await sit_down(room, *PEOPLE[1:3])
        await room.services.actions.resign(info.id, ZOE, room.request)
    assert await room.services.privacy.delete(ZOE) == []
    rows = await marks(room)
    assert len({key for _, key, _ in rows}) == len({mark for _, _, mark in rows}) == 2


async def test_a_frozen_match_remembers_too(room: Room) -> None:
    info = await sit_down(room, PEOPLE[1])
    room.games = {key: game for key, game in ALL_GAMES.items() if key != "vault"}
    await room.again()
    await room.services.queries.table(info.id)
    assert await room.services.privacy.delete(ZOE) == []
    assert [match for match, _, _ in await marks(room)] == [info.id]


async def test_a_backup_remembers(room: Room, tmp_path: Path) -> None:
    info, player = await resigned(room)
    copy = tmp_path / "copy.db"
    back_up(room.path, copy)
    check_file(copy)
    await room.store.close()
    room.database = copy
    await room.enter()
    await refused("has_held_seat", room.services.motions.offer_seat(info.id, player, ZOE, room.request))


async def test_it_is_scrubbed_while_the_house_serves(
    room: Room, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody waits for a restart; what fails is tried again."""
    monkeypatch.setattr("bot.matches.privacy.SCRUB_INTERVAL_S", 0.0)
    monkeypatch.setattr("bot.matches.privacy.SCRUB_CHECK_INTERVAL_S", 0.01)
    real, failures = Privacy.scrub, [StoreError("the disk is busy")]

    async def scrub(self: Privacy) -> None:
        if failures:
            raise failures.pop()
        await real(self)

    monkeypatch.setattr(Privacy, "scrub", scrub)
    caplog.set_level(logging.WARNING)
    async with alongside(room.services.privacy.keep_scrubbing(), "scrubbing"):
        await asyncio.sleep(0)
        info, _ = await resigned(room)
        await end(room, info)

        async def clean() -> bool:
            return await room.services.settings.get_value(SCRUB) is None and traces(tmp_path, ZOE) == []

        await until(clean)
    assert "the disk is busy" in caplog.text
    with closing(sqlite3.connect(room.path)) as connection:
        assert connection.execute("SELECT count(*) FROM held_seat").fetchall() == [(0,)]
    assert PSEUDONYM in [chair.name for chair in (await room.services.queries.table(info.id)).chairs]
