"""The shuffle binds the host too: nobody can draw until the deal is as wished, and anybody can check it."""

from __future__ import annotations

import json
import zlib
from collections.abc import Awaitable, Callable
from dataclasses import replace
from random import Random

import pytest

from bot.domain import replay_file
from bot.domain.jobs import Shown
from bot.domain.match import RowKind
from bot.domain.refusals import DAY_S
from bot.domain.replay_file import ReplayError
from bot.domain.surfaces import HASH
from bot.domain.tables import PSEUDONYM, ClosedBy, FirstJoin, Status, TableInfo, mark_of_join
from bot.matches.match_log import MatchLog
from bot.matches.outbox import begin_after_restore
from bot.store import SCRUB
from bot.store.backup import RESTORED_KEY
from engines.core.canonical_json import canonical
from engines.core.contract import Words
from engines.core.match import Match
from engines.core.rng import SEED_BYTES, commitment, mixed_seed, part_hash
from engines.core.setups import complete
from tests.bot.conftest import ALL_GAMES, PEOPLE, PLACE, Room, refused
from tests.bot.raw import ask, change
from tests.kit.postgresql import BOTH_STORES_BY_NIGHT
from tests.kit.tables import show_hash, sit_down, start_full

pytestmark = BOTH_STORES_BY_NIGHT

ANNA, BEN, CLARA, _ = PEOPLE
TURNS = 20
"""Sentences in which a match of VOLT throws its dice."""

WISHED = 512
"""One deal in so many is the one that the host wishes for."""


def is_wished(seed: bytes, game: str = "corto") -> bool:
    """Return whether a seed deals what the host wishes for: one deal in 512."""
    played = ALL_GAMES[game]
    match = Match.start(played, complete(played.manifest, 2), seed)
    return zlib.crc32(canonical(played.record(match.state)).encode()) % WISHED == 0


async def opened(room: Room, seats: int = 2, game: str = "vault") -> TableInfo:
    info = await room.services.lobby.open(game, {}, seats, ANNA, PLACE, room.request)
    await show_hash(room.services, info.id)
    return info


async def seed_of(room: Room, info: TableInfo) -> bytes:
    seed = (await room.services.cache.get(info.id)).row.seed
    assert seed is not None
    return seed


# --- what the host could do ---------------------------------------------------------------------------


async def test_nobody_draws_until_the_deal_is_as_wished(room: Room) -> None:
    """With everybody seated, the bot's owner draws until the deal is right: it took half a second."""
    found = Random(45)
    drawn = 0

    def ground(size: int) -> bytes:
        nonlocal drawn
        while size == SEED_BYTES:
            drawn += 1
            seed = found.randbytes(size)
            if is_wished(seed):
                return seed
        return found.randbytes(size)

    for _ in range(3):
        info = await opened(room, game="corto")
        room.services.cache.entropy = ground
        info = await sit_down(room.services, info.id, BEN, room.request)
        room.services.cache.entropy = room.entropy
        assert info.status is Status.RUNNING
        assert not is_wished(await seed_of(room, info))
    assert drawn == 0, "the house draws after everybody has sat down"


def test_a_part_that_is_published_leaves_the_deal_to_the_ids() -> None:
    part = bytes(range(32))
    seeds = {mixed_seed(part, ["1", "2", str(start)]) for start in range(2_000)}
    assert len(seeds) == 2_000
    # Whoever presses Start gets whatever id Discord gives them, as often as chance has it.
    assert sum(zlib.crc32(seed) % 8 == 0 for seed in seeds) in range(180, 320)


def test_no_two_lists_of_ids_are_mixed_alike() -> None:
    part = bytes(32)
    lists = (["1", "2"], ["12"], ["1,2"], ['1","2'], ["1 2"], ["2", "1"], ["", "1", "2"], ["1", "2", ""])
    assert len({mixed_seed(part, ids) for ids in lists}) == len(lists)
    with pytest.raises(ValueError, match="32 bytes"):
        mixed_seed(b"short", ["1"])


def test_hash_and_seed_are_what_the_usual_tools_say() -> None:
    """As the docs have it: ``sha256sum`` of one line, ``openssl dgst -hmac`` of the other."""
    part = bytes.fromhex("00" * 31 + "2a")
    assert part_hash(part) == "1b0263969df7384c82ac5e3fe384070a8194d12967abaffec0560987a0bc1065"
    assert (
        mixed_seed(part, ["111", "222", "333"]).hex()
        == "b9e72bcb75b37580e551047f653063b745baed5da1ab3b8eed5344f4e46a59d5"
    )


# --- the ids ------------------------------------------------------------------------------------------


async def test_the_first_join_counts_also_after_leaving(room: Room) -> None:
    info = await opened(room, 3)
    first, clara = room.request, room.request
    await room.services.lobby.join(info.id, BEN, first)
    await room.services.lobby.leave(info.id, BEN, room.request)
    room = await room.again()
    await room.services.lobby.join(info.id, CLARA, clara)
    info = await room.services.lobby.join(info.id, BEN, room.request)
    host = info.join_ids[0]
    # In the order of the chairs: Ben has the last one by now.
    assert info.join_ids == (host, str(clara), str(first))
    # The host too: who comes back has the id of the table's opening.
    await room.services.lobby.leave(info.id, ANNA, room.request)
    info = await room.services.lobby.join(info.id, ANNA, room.request)
    assert info.join_ids == (str(clara), str(first), host)
    start = room.request
    info = await room.services.lobby.start(info.id, info.host, start)
    assert info.start_id == str(start)
    room = await room.again()
    row = (await room.services.cache.get(info.id)).row
    assert row.part is not None
    assert row.seed == mixed_seed(row.part, (str(clara), str(first), host, str(start)))
    assert row.first_joins == ()


async def test_nobody_joins_or_starts_before_the_hash_is_posted(room: Room) -> None:
    services = room.services
    info = await services.lobby.open("vault", {}, 3, ANNA, PLACE, room.request)
    press = room.request
    await refused("hash_pending", services.lobby.join(info.id, BEN, press))
    await services.lobby.add_computer(info.id, ANNA, room.request)
    await refused("hash_pending", services.lobby.start(info.id, ANNA, room.request))
    await services.outbox.set_shown(info.id, HASH, Shown(2, 3))
    # What did not count is pressed again, and is the first one now.
    info = await services.lobby.join(info.id, BEN, press)
    assert info.join_ids[1:] == (str(press),)
    # The message may be gone by now: it was there to be read.
    await services.outbox.drop_shown(info.id, HASH)
    assert (await services.lobby.start(info.id, ANNA, room.request)).status is Status.RUNNING


async def test_a_rematch_has_a_part_of_its_own_and_mixes_its_acceptances(room: Room) -> None:
    old = await room.begin()
    await room.services.actions.resign(old.id, ANNA, room.request)
    first, second, start = room.request, room.request, room.request
    info = await room.services.lobby.rematch(old.id, BEN, first, PLACE)
    assert info.commitment != old.commitment
    await show_hash(room.services, info.id)
    info = await room.services.lobby.rematch(old.id, ANNA, second, PLACE)
    assert (info.status, info.join_ids) == (Status.OPEN, (str(first), str(second)))
    info = await room.services.lobby.start(info.id, BEN, start)
    row = (await room.services.cache.get(info.id)).row
    assert row.part is not None
    assert row.seed == mixed_seed(row.part, (str(first), str(second), str(start)))


async def test_what_is_mixed_stays_when_its_person_is_gone(room: Room) -> None:
    info = await room.begin("volo")
    ids = (*info.join_ids, info.start_id)
    exported = await room.services.privacy.export(BEN)
    assert [row["join_id"] for row in exported["seats"]] == [ids[1]]
    assert (await room.services.privacy.export(ANNA))["hosted"][0]["start_id"] == info.start_id
    await room.services.actions.resign(info.id, BEN, room.request)
    assert await room.services.privacy.delete(BEN) == []
    room = await room.again()
    info = (await room.services.cache.get(info.id)).info
    assert PSEUDONYM in {chair.name for chair in info.chairs}
    assert (*info.join_ids, info.start_id) == ids
    assert replay_file.replayed(await room.services.queries.replay_file(info.id))


async def test_somebody_who_has_left_an_open_table_is_exported_and_deleted(room: Room) -> None:
    info = await opened(room, 3)
    await room.services.lobby.join(info.id, BEN, press := room.request)
    await room.services.lobby.leave(info.id, BEN, room.request)
    exported = await room.services.privacy.export(BEN)
    assert exported["first_joins"] == [{"match": info.id, "interaction": str(press)}]
    await room.services.privacy.delete(BEN)
    row = (await room.services.cache.get(info.id)).row
    # What is left of him names nobody, and nothing is exported of it.
    mark = mark_of_join(row.part or b"", BEN.id)
    assert row.first_joins[1:] == (FirstJoin(mark, str(press)),)
    assert mark < 0
    assert (await room.services.privacy.export(BEN))["first_joins"] == []


@pytest.mark.parametrize("sits", [True, False])
async def test_a_deletion_gives_no_other_first_join(room: Room, sits: bool) -> None:
    """While the host's Start is held back, an accomplice could delete and join until an id deals well."""
    info = await opened(room, 3)
    first = room.request
    await room.services.lobby.join(info.id, BEN, first)
    for _ in range(3):
        if not sits:
            await room.services.lobby.leave(info.id, BEN, room.request)
        assert await room.services.privacy.delete(BEN) == []
        room = await room.again()
        info = await room.services.lobby.join(info.id, BEN, room.request)
        assert info.join_ids[1:] == (str(first),)
        exported = await room.services.privacy.export(BEN)
        assert exported["first_joins"] == [{"match": info.id, "interaction": str(first)}]
    # Others have their own.
    clara = room.request
    info = await room.services.lobby.join(info.id, CLARA, clara)
    assert info.join_ids[1:] == (str(first), str(clara))


async def start(room: Room, info: TableInfo) -> None:
    await room.services.lobby.join(info.id, CLARA, room.request)
    await room.services.lobby.start(info.id, ANNA, room.request)


async def desert(room: Room, info: TableInfo) -> None:
    await room.services.lobby.leave(info.id, ANNA, room.request)


async def give_up(room: Room, info: TableInfo) -> None:
    await room.services.lobby.give_up(info.id)


async def expire(room: Room, info: TableInfo) -> None:
    room.now += 2 * DAY_S
    await room.services.lobby.expire(info.id)


async def set_back(room: Room, info: TableInfo) -> None:
    async with room.store.transaction() as transaction:
        await transaction.set_value(RESTORED_KEY, "first")
    assert await begin_after_restore(room.store, room.now)


@pytest.mark.parametrize("close", [start, desert, give_up, expire, set_back])
async def test_a_table_that_is_open_no_more_forgets_who_has_deleted(
    room: Room, close: Callable[[Room, TableInfo], Awaitable[None]]
) -> None:
    info = await opened(room, 2)
    await room.services.lobby.join(info.id, BEN, room.request)
    assert await room.services.privacy.delete(BEN) == []
    question = "SELECT count(*) FROM first_join WHERE person < 0"
    assert await ask(room.store, question) == [(1,)]
    await room.services.privacy.scrub()
    assert await room.services.settings.get_value(SCRUB) is None
    await close(room, info)
    assert await ask(room.store, question) == [(0,)]
    # What is left of it in the file goes too.
    assert await room.services.settings.get_value(SCRUB)
    room = await room.again()
    assert all(each.person > 0 for each in (await room.services.cache.get(info.id)).row.first_joins)


async def test_who_deletes_at_a_closed_table_leaves_no_mark(room: Room) -> None:
    info = await opened(room, 3)
    await room.services.lobby.join(info.id, BEN, room.request)
    await room.services.lobby.leave(info.id, BEN, room.request)
    await room.services.lobby.give_up(info.id)
    assert await room.services.privacy.delete(BEN) == []
    assert await ask(room.store, "SELECT person FROM first_join WHERE match = ?", info.id) == [(ANNA.id,)]


# --- what is shown, and when --------------------------------------------------------------------------


async def test_a_match_that_was_closed_shows_no_part(room: Room) -> None:
    info = await room.begin()
    await room.services.closing.close(info.id, ClosedBy.SERVER)
    board = await room.services.queries.board(info.id)
    assert (board.part, board.seed) == (None, None)
    await refused("not_over", room.services.queries.replay_file(info.id))


CHANGES: list[tuple[Callable[[dict[str, object]], object], str]] = [
    (lambda replay: replay.update(part="ab" * 32), "part is not the one whose hash"),
    (lambda replay: replay.update(part="ab"), "64 hexadecimal"),
    (lambda replay: replay.update(commitment="ab" * 32), "part is not the one whose hash"),
    (lambda replay: replay.update(seed="ab" * 32), "part and the ids give"),
    (lambda replay: replay.update(ids=["1", "2", "3"]), "part and the ids give"),
    (lambda replay: replay.update(ids=[1, 2, 3]), "'ids' is missing"),
    (lambda replay: replay.update(ids=["1"] * 1_000), "'ids' is missing"),
    (lambda replay: replay.pop("ids"), "'ids' is missing"),
    (lambda replay: replay.pop("part"), "promised"),
]


async def test_the_replay_file_carries_part_and_ids_and_is_checked(room: Room) -> None:
    info = await room.begin("volo")
    await room.services.actions.resign(info.id, ANNA, room.request)
    text = json.dumps(await room.services.queries.replay_file(info.id))
    replay = replay_file.parsed(text.encode())
    assert replay["ids"] == [*info.join_ids, info.start_id]
    assert replay["commitment"] == info.commitment
    assert replay_file.replayed(replay)
    for alter, said in CHANGES:
        changed = json.loads(text)
        alter(changed)
        with pytest.raises(ReplayError, match=said):
            replay_file.replayed(changed)


# --- tables of before, and restores -------------------------------------------------------------------


async def make_older(room: Room, table_id: str) -> None:
    """Let a table be one that an earlier version has opened."""
    async with room.store.transaction() as transaction:
        await transaction._do("UPDATE match SET part = NULL, commitment = '' WHERE id = ?", table_id)  # noqa: SLF001
        await transaction._do("UPDATE chair SET join_id = '' WHERE match = ?", table_id)  # noqa: SLF001
        await transaction._do("DELETE FROM first_join WHERE match = ?", table_id)  # noqa: SLF001


async def test_a_table_that_an_earlier_version_opened_begins_as_it_promised(room: Room) -> None:
    info = await room.services.lobby.open("volo", {}, 2, ANNA, PLACE, room.request)
    await make_older(room, info.id)
    room = await room.again()
    # It has no part, so nobody waits for its hash.
    info = await room.services.lobby.join(info.id, BEN, room.request)
    assert (info.commitment, info.join_ids) == ("", ())
    info = await start_full(room.services, info)
    assert info.commitment == commitment(await seed_of(room, info))
    room = await room.again()
    await room.services.actions.resign(info.id, ANNA, room.request)
    replay = await room.services.queries.replay_file(info.id)
    assert "part" not in replay
    assert replay_file.replayed(replay)


async def test_what_is_drawn_after_a_restore_is_drawn_otherwise(room: Room) -> None:
    info = await room.begin("volt")
    log = (await room.services.cache.get(info.id)).require_log()
    assert len({played_on(replace(log, restore_id=each)).digest for each in ("", "first", "second")}) == 3
    async with room.store.transaction() as transaction:
        await transaction.set_value(RESTORED_KEY, "first")
    assert await begin_after_restore(room.store, room.now)
    room = await room.again()
    assert (await room.services.cache.get(info.id)).require_log().restore_id == "first"
    for number in range(TURNS):
        match = (await room.services.cache.get(info.id)).require_log().match
        seat, words = next_sentence(match)
        await room.services.actions.submit(info.id, seat, None, words, f"turn {number}")
    room = await room.again()
    after = (await room.services.cache.get(info.id)).require_log()
    assert after.digest == played_on(replace(log, restore_id="first")).digest
    await room.services.actions.resign(info.id, ANNA, room.request)
    replay = await room.services.queries.replay_file(info.id)
    assert {row.get("restore") for row in replay["log"]} == {"first"}
    assert replay_file.replayed(replay)
    for row in replay["log"]:
        del row["restore"]
    with pytest.raises(ReplayError, match="differs"):
        replay_file.replayed(replay)


def next_sentence(match: Match) -> tuple[int, Words]:
    """Return what the first seat that is asked says, as a computer player would."""
    seat = min(seat for seat in range(match.setup.seats) if seat in match.game.waiting(match.view(seat)))
    return seat, match.computer(seat)


def played_on(log: MatchLog) -> MatchLog:
    """Return a log after so many turns of computer players."""
    for number in range(TURNS):
        log = log.write(RowKind.ACT, *next_sentence(log.match), f"turn {number}", 0.0)
    return log


async def test_an_open_table_gets_another_part_after_a_restore(room: Room) -> None:
    """Its part was shown, perhaps, at the end of a match that the restore has taken back."""
    info = await opened(room)
    info = await room.services.lobby.join(info.id, BEN, room.request)
    before = (await room.services.cache.get(info.id)).row
    async with room.store.transaction() as transaction:
        await transaction.set_value(RESTORED_KEY, "first")
    assert await begin_after_restore(room.store, room.now)
    room = await room.again()
    row = (await room.services.cache.get(info.id)).row
    assert row.part not in (None, before.part)
    assert row.part is not None
    assert row.info.commitment == part_hash(row.part) != before.info.commitment
    assert row.first_joins == before.first_joins
    # Nobody has seen its hash yet.
    await refused("hash_pending", room.services.lobby.start(info.id, ANNA, room.request))
    await show_hash(room.services, info.id)
    await room.services.lobby.start(info.id, ANNA, room.request)
    assert (await (await room.again()).services.cache.get(info.id)).log is not None


async def expired(room: Room) -> TableInfo:
    """Return a table that has expired, and can be opened again."""
    info = await opened(room)
    await room.services.lobby.join(info.id, BEN, room.request)
    await room.services.lobby.give_up(info.id)
    return info


async def rematch(room: Room) -> TableInfo:
    """Return a rematch that nobody has accepted yet."""
    old = await room.begin()
    await room.services.actions.resign(old.id, ANNA, room.request)
    info = await room.services.lobby.rematch(old.id, ANNA, room.request, PLACE)
    await show_hash(room.services, info.id)
    return info


async def expired_rematch(room: Room) -> TableInfo:
    info = await rematch(room)
    await room.services.lobby.give_up(info.id)
    return info


async def unread(room: Room) -> TableInfo:
    """Return a table whose row cannot be read until somebody mends it."""
    info = await opened(room)
    await room.services.lobby.join(info.id, BEN, room.request)
    await change(room.store, "UPDATE match SET options = '{' || options WHERE id = ?", info.id)
    return info


@pytest.mark.parametrize("drawn", [expired, rematch, expired_rematch, unread])
async def test_nothing_that_was_drawn_before_a_restore_begins_after_it(
    room: Room, drawn: Callable[[Room], Awaitable[TableInfo]]
) -> None:
    """The table was opened again and played to its end, which showed its part; then the backup came back."""
    info = await drawn(room)
    [(before,)] = await ask(room.store, "SELECT part FROM match WHERE id = ?", info.id)
    await set_back(room, info)
    mended = "UPDATE match SET options = substr(options, 2) WHERE id = ? AND options LIKE '{%'"
    await change(room.store, mended, info.id)
    room = await room.again()
    table = await room.services.queries.table(info.id)
    if table.status is Status.CLOSED:
        await room.services.lobby.reopen(info.id, ANNA, room.request)
    row = (await room.services.cache.get(info.id)).row
    assert row.part not in (None, bytes(before))
    assert row.part is not None
    assert row.info.commitment == part_hash(row.part) != info.commitment
    # The new hash is posted before anybody joins or starts: the one of before counts no more.
    if BEN.id not in [chair.person.id for chair in row.info.chairs if chair.person is not None]:
        await refused("hash_pending", room.services.lobby.join(info.id, BEN, room.request))
        await show_hash(room.services, info.id)
        await room.services.lobby.join(info.id, BEN, room.request)
    else:
        await refused("hash_pending", room.services.lobby.start(info.id, ANNA, room.request))
        await show_hash(room.services, info.id)
    await room.services.lobby.start(info.id, ANNA, room.request)
    after = (await (await room.again()).services.cache.get(info.id)).row
    assert after.seed == mixed_seed(row.part, (*after.info.join_ids, after.info.start_id))
    assert after.seed != mixed_seed(bytes(before), (*after.info.join_ids, after.info.start_id))


async def test_a_match_that_is_mended_after_a_restore_draws_otherwise_too(room: Room) -> None:
    info = await room.begin("volt")
    await change(room.store, "UPDATE chair SET seat = -1 - seat WHERE match = ?", info.id)
    await set_back(room, info)
    await change(room.store, "UPDATE chair SET seat = -1 - seat WHERE match = ?", info.id)
    room = await room.again()
    assert (await room.services.cache.get(info.id)).require_log().restore_id == "first"


async def test_a_match_that_is_over_is_not_keyed_with_a_restore(room: Room) -> None:
    info = await room.begin()
    await room.services.actions.resign(info.id, ANNA, room.request)
    before = await ask(room.store, "SELECT part, restore_id FROM match WHERE id = ?", info.id)
    await set_back(room, info)
    assert await ask(room.store, "SELECT part, restore_id FROM match WHERE id = ?", info.id) == before
