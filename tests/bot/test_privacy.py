"""``/privacy``: an export with all of one's own and nothing else, and a deletion that leaves nothing."""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.domain.clocks import Pace
from bot.domain.jobs import Shown
from bot.domain.match import Preset
from bot.domain.tables import PSEUDONYM, Person, Status, TableInfo, is_former
from bot.matches.privacy import DELETION_PREFIX
from bot.store import Transaction, scrubbing
from bot.store.codecs import WORDS
from bot.store.personal import SCRUB
from tests.bot.conftest import PEOPLE, PLACE, Room
from tests.kit import tables

ZOE = Person(812345678901234567, "Zoë Quicksilver")
"""Somebody whose id and name stand nowhere by chance."""


async def sit_down(room: Room, *others: Person, pace: Pace = Pace.NONE) -> TableInfo:
    """Seat Zoë and others at a table of the vault, which begins."""
    info = await room.services.lobby.open(
        "vault", {}, 1 + len(others), ZOE, PLACE, room.request, invited=others, pace=pace
    )
    for person in others:
        info = await tables.sit_down(room.services, info.id, person, room.request)
    assert info.status is Status.RUNNING
    return info


async def live(room: Room) -> TableInfo:
    """Let Zoë do everything that leaves a trace; return the match that is over."""
    services = room.services
    await services.settings.set_dms(ZOE, True)
    await services.settings.set_theme(ZOE, "clear")
    info = await sit_down(room, PEOPLE[1])
    seat = info.seat_of(ZOE.id)
    assert seat is not None
    await room.lay(info, seat)
    await services.outbox.set_shown(info.id, f"dm:{seat}", Shown(5551, 5552, 1))
    await services.outbox.note_dm_channel(ZOE.id, 5550, 5551)
    async with room.store.transaction() as transaction:
        await transaction.save_preset(ZOE.id, Preset("vault", "lay", "lay the usual"))
    await services.actions.resign(info.id, ZOE, room.request)
    other = await room.begin("vault")
    await services.lobby.open("vault", {}, 3, PEOPLE[0], PLACE, room.request, invited=[ZOE])
    assert other.status is Status.RUNNING
    await services.cache.get(info.id)
    return await services.queries.table(info.id)


def spellings(person: Person) -> Iterator[bytes]:
    """Return all forms in which a file could hold a person."""
    yield str(person.id).encode()
    yield person.id.to_bytes(8, "big")
    yield person.id.to_bytes(8, "little")
    # A row's number is stored seven bits at a time.
    rest, last = person.id >> 7, person.id & 0x7F
    septets = [last]
    while rest:
        septets.insert(0, rest & 0x7F | 0x80)
        rest >>= 7
    yield bytes(septets)
    yield person.name.encode()
    yield person.name.encode()[:6]


def traces(folder: Path, person: Person) -> list[str]:
    """Return which files of a folder hold a person, in whatever form."""
    return [
        path.name
        for path in folder.iterdir()
        if any(spelling in path.read_bytes() for spelling in spellings(person))
    ]


def about(room: Room, person: Person) -> str:
    """Return all that memory has about people, as text."""
    cache, names = room.services.cache, []
    tables = [cache.peek(line.table.id) for each in (person, *PEOPLE) for line in cache.lists.of(each.id)]
    for table in tables:
        if table is not None:
            names += [
                repr((each, each.name)) for each in (*table.people(), *table.row.invited, table.info.host)
            ]
            names += [chair.name for chair in table.info.chairs]
    lines = [(line.table, [chair.name for chair in line.table.chairs]) for line in cache.lists.of(person.id)]
    return repr((names, lines, cache.presets))


async def test_each_holder_of_a_seat_is_given_their_own_sentences(room: Room) -> None:
    anna, dora = PEOPLE[0], PEOPLE[3]
    info = await room.begin("vault", 3)
    seat = info.seat_of(anna.id)
    assert seat is not None
    await room.lay(info, seat)
    before = (await room.services.privacy.export(anna))["sentences"]
    assert [row["kind"] for row in before] == ["act"]
    await room.services.motions.offer_seat(info.id, anna, dora, room.request)
    await room.services.motions.take_seat(info.id, dora, room.request)
    await room.services.actions.resign(info.id, dora, room.request)
    assert (await room.services.privacy.export(anna))["sentences"] == before
    after = (await room.services.privacy.export(dora))["sentences"]
    assert [row["kind"] for row in after] == ["replace", "withdraw"]


async def test_the_export_has_all_of_ones_own(room: Room) -> None:
    info = await live(room)
    data = await room.services.privacy.export(ZOE)
    assert data["person"] == str(ZOE.id)
    [settings] = data["settings"]
    assert {key: settings[key] for key in ("direct_messages", "language", "theme", "reminders")} == {
        "direct_messages": 1,
        "language": "",
        "theme": "clear",
        "reminders": "turns",
    }
    assert [row["text"] for row in data["presets"]] == ["lay the usual"]
    [seat] = data["seats"]
    assert (seat["match"], seat["name"], seat["status"], seat["resigned"]) == (info.id, ZOE.name, "over", 1)
    assert seat["started_at"].startswith("1970-01-12T")
    assert [row["kind"] for row in data["sentences"]] == ["act", "withdraw"]
    assert data["sentences"][0]["words"][0] == "lay"
    assert [row["name"] for row in data["hosted"]] == [ZOE.name]
    assert len(data["invitations"]) == 1
    assert [row["act"] for row in data["requests"]] == ["open"]
    assert data["channels_of_direct_messages"] == [{"bot": "5550", "channel": "5551"}]
    assert data["direct_messages"] == [{"match": info.id, "channel": "5551", "message": "5552"}]
    assert json.loads(json.dumps(data)) == data


@pytest.mark.parametrize("pace", [Pace.NONE, Pace.DAY])
async def test_the_export_tells_nothing_of_others(room: Room, pace: Pace) -> None:
    info = await sit_down(room, PEOPLE[1], pace=pace)
    mine = info.seat_of(ZOE.id)
    assert mine is not None
    await room.draft(info, mine, "lay", (await room.hand(info, mine))[1])
    before = await room.services.privacy.export(ZOE)
    assert before["drafts"][0]["words"][0] == "lay"
    # What the other does in secret, and when, changes not a letter of it.
    room.now += 1000
    hand = await room.hand(info, 1 - mine)
    await room.draft(info, 1 - mine, "lay", hand[1])
    await room.say(info, 1 - mine, f"note {hand[1]}")
    assert await room.services.privacy.export(ZOE) == before
    await room.lay(info, mine)
    text = json.dumps(await room.services.privacy.export(ZOE))
    row = (await room.services.cache.get(info.id)).row
    assert row.seed is not None
    assert row.part is not None
    for secret in (row.seed.hex(), row.part.hex(), PEOPLE[1].name, str(PEOPLE[1].id), *hand):
        assert secret not in text
    assert (await room.log_rows(info.id))[0].digest not in text


async def test_whoever_is_waited_for_stays(room: Room) -> None:
    info = await sit_down(room, *PEOPLE[1:3])
    await room.services.settings.set_dms(ZOE, True)
    before = await room.services.privacy.export(ZOE)
    assert [table.id for table in await room.services.privacy.delete(ZOE)] == [info.id]
    assert await room.services.privacy.export(ZOE) == before
    # A match that goes on without them needs them no more.
    await room.services.actions.resign(info.id, ZOE, room.request)
    assert (await room.services.queries.table(info.id)).status is Status.RUNNING
    room.woken = 0
    await room.services.outbox.set_shown(info.id, "board", Shown(71, 72, digest="as it was sent"))
    assert await room.services.privacy.delete(ZOE) == []
    shown = await room.services.outbox.shown(info.id, "board")
    assert shown is not None
    assert shown.is_stale
    table = await room.services.queries.table(info.id)
    assert [c.name for c in table.chairs].count(PSEUDONYM) == 1
    assert table.host.name == PSEUDONYM
    assert room.woken, "the board names them still"
    board = await room.services.queries.board(info.id)
    assert ZOE.name not in [chair.name for chair in board.table.chairs]
    for seat in [chair.seat for chair in table.chairs if chair.name != PSEUDONYM]:
        assert seat is not None
        await room.lay(info, seat)


async def test_nothing_is_left(room: Room, caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    caplog.set_level(logging.DEBUG)
    # It prints parameters, and so never goes below this: see bot/runtime/log_setup.py.
    caplog.set_level(logging.INFO, "aiosqlite")
    info = await live(room)
    replay = await room.services.queries.replay_file(info.id)
    others = await room.services.privacy.export(PEOPLE[0])
    assert traces(tmp_path, ZOE)
    assert ZOE.name in about(room, ZOE)
    caplog.clear()
    assert await room.services.privacy.delete(ZOE) == []
    await room.services.privacy.scrub()
    assert traces(tmp_path, ZOE) == []
    assert ZOE.name not in about(room, ZOE)
    assert str(ZOE.id) not in about(room, ZOE)
    assert await room.services.queries.listed(ZOE) == ()
    assert not (await room.services.settings.preferences(ZOE)).dms
    assert ZOE.name not in caplog.text
    assert str(ZOE.id) not in caplog.text
    # The others keep theirs, and the match is what it was.
    assert await room.services.privacy.export(PEOPLE[0]) == others
    assert await room.services.queries.replay_file(info.id) == replay
    table = (await (await room.again()).services.cache.get(info.id)).info
    former = [chair.person for chair in table.chairs if chair.name == PSEUDONYM]
    assert [person is not None and is_former(person.id) for person in former] == [True]
    assert not is_former(PEOPLE[1].id)
    # A message that was on its way arrives.
    await room.services.outbox.note_dm_channel(ZOE.id, 5550, 5551)
    assert await room.services.outbox.dm_channel(ZOE.id, 5550) is None
    # Once more, and as somebody new.
    assert await room.services.privacy.delete(ZOE) == []
    assert not any(
        value for key, value in (await room.services.privacy.export(ZOE)).items() if key != "person"
    )
    again = await sit_down(room, PEOPLE[1])
    assert again.seat_of(ZOE.id) is not None


async def test_tables_that_have_not_begun_are_left(room: Room) -> None:
    lobby = room.services.lobby
    hosted = await lobby.open("vault", {}, 3, ZOE, PLACE, room.request)
    await tables.sit_down(room.services, hosted.id, PEOPLE[0], room.request)
    alone = await lobby.open("vault", {}, 2, ZOE, PLACE, room.request)
    assert await room.services.privacy.delete(ZOE) == []
    table = await room.services.queries.table(hosted.id)
    assert (table.host, [chair.name for chair in table.chairs]) == (PEOPLE[0], [PEOPLE[0].name])
    table = await room.services.queries.table(alone.id)
    assert (table.status, table.host.name) == (Status.CLOSED, PSEUDONYM)


@pytest.mark.parametrize("stop", range(3))
async def test_a_restart_in_the_middle_goes_on(
    room: Room, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, stop: int
) -> None:
    await live(room)
    done = 0
    for name in ("rename_person", "delete_person"):
        real = getattr(Transaction, name)

        async def counted(self: Transaction, *given: Any, real: Any = real) -> None:
            nonlocal done
            if done == stop:
                raise OSError("a power cut")
            done += 1
            await real(self, *given)

        monkeypatch.setattr(Transaction, name, counted)
    if stop < 2:
        with pytest.raises(OSError, match="power cut"):
            await room.services.privacy.delete(ZOE)
        assert traces(tmp_path, ZOE)
    else:
        # All is deleted, and only the file was not scrubbed.
        await room.services.privacy.delete(ZOE)
    monkeypatch.undo()
    await room.again()
    await room.services.privacy.resume()
    await room.services.privacy.scrub()
    assert traces(tmp_path, ZOE) == []
    with closing(sqlite3.connect(room.path)) as connection:
        [(marks,)] = connection.execute(
            "SELECT count(*) FROM house WHERE key = ? OR key LIKE ?", (SCRUB, f"{DELETION_PREFIX}%")
        )
    assert marks == 0


async def test_a_file_that_cannot_be_scrubbed_is_tried_again(
    room: Room, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    await live(room)
    assert await room.services.privacy.delete(ZOE) == []
    with closing(sqlite3.connect(room.path)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM match").fetchone()
        monkeypatch.setattr(scrubbing, "PATIENCE_S", 0.0)
        await room.services.privacy.scrub()
        assert "still in the file" in caplog.text
    await room.again()
    await room.services.privacy.resume()
    await room.services.privacy.scrub()
    assert traces(tmp_path, ZOE) == []


def test_json_that_is_nested_too_deep_is_exported_as_it_is() -> None:
    assert WORDS.export is not None
    assert WORDS.export("[" * 200_000) == "[" * 200_000
