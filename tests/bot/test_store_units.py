from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from bot.domain.address import Address
from bot.domain.jobs import STALE_MARK, TIMED, Job, JobKind, NewJob, Shown
from bot.domain.match import Draft, DraftRow, LogRow, Preset, RowKind, chain_of
from bot.domain.tables import Chair, HandledRequest, Person, Place, Preferences, Status, TableInfo, TableRow
from bot.store import Conflict, Store, StoreError, open_store, transaction
from bot.store.errors import BrokenRecord
from bot.sync.backlog import Backlog
from engines.core.contract import Setup
from tests.kit.postgresql import BOTH_STORES
from tests.kit.waiting import for_ever, let_others_run

pytestmark = BOTH_STORES

ANNA = Person(11, "Anna")


def table(table_id: str = "t1") -> TableRow:
    chairs = (Chair(0, ANNA, "Anna", 1, withdrawn=True), Chair(1, None, "Automa 1", 0))
    info = TableInfo(
        table_id, Setup("g", "1", 2, (("a", "b"),)), ANNA, Place(1, 2), Status.RUNNING, chairs, "c0ffee", 77,
        theme="clear",
    )  # fmt: skip
    return TableRow(
        info, (("cards", "00ff"),), 1.0, 2.0, started_at=1.5, seed=bytes(32), asked_since={0: 1.75},
        invited=(Person(5, "Eve"), Person(4, "Dan")),
    )  # fmt: skip


def row(seq: int, request: str = "") -> LogRow:
    return LogRow(seq, RowKind.ACT, 0, ("ä", "b c"), "d1", request or f"r{seq}", 3.5)


@pytest.fixture
async def store(database: Address) -> AsyncIterator[Store]:
    store = await open_store(database)
    try:
        async with store.transaction() as unit:
            await unit.save_table(table())
            await unit.save_chairs(table())
        yield store
    finally:
        await store.close()


async def test_no_table_has_an_id_that_is_none(store: Store) -> None:
    async with store.read() as reader:
        # What somebody types, or a client makes up; SQLite takes no half of a character.
        for made_up in ("\udfff\ud83d", "", "t1\0", "' OR 1"):
            assert await reader.table(made_up) is None


async def test_what_is_saved_is_read_again(store: Store) -> None:
    drafts = [DraftRow(0, False, Draft(("x",), 3, 1, ((), ("y", "z")), 2)), DraftRow(0, True, Draft((), 4))]
    request = HandledRequest("i1", "t1", 11, "join", "yes")
    async with store.transaction() as unit:
        await unit.append("t1", row(1))
        for draft in drafts:
            await unit.save_draft("t1", draft)
        await unit.add_request(request, 9.0)
        await unit.save_preferences(11, Preferences(dms=True, language="fr", theme="clear"))
        await unit.save_preset(11, Preset("g", "m", "old"))
        await unit.save_preset(11, Preset("g", "m", "new"))
        await unit.set_value("commands", "hash")
        assert await unit.log("t1") == [row(1)]
    async with store.read() as reader:
        assert await reader.table("t1") == table()
        assert await reader.table("t2") is None
        assert await reader.log("t1") == [row(1)]
        assert await reader.drafts("t1") == drafts
        assert await reader.request("i1") == request
        assert await reader.request("i2") is None
        assert await reader.preferences(11) == Preferences(dms=True, language="fr", theme="clear")
        assert await reader.preferences(12) == Preferences()
        assert await reader.presets(11, "g") == [Preset("g", "m", "new")]
        assert await reader.value("commands") == "hash"
        assert await reader.value("other") is None
        assert await reader.table_of_thread(77) == "t1"
        assert await reader.table_of_thread(78) is None


async def test_who_is_asked(store: Store) -> None:
    changed = replace(table(), asked_since={1: 2.0})
    async with store.transaction() as unit:
        await unit.save_asked(changed)
        assert await unit.table("t1") == changed


async def test_lists_of_tables(store: Store) -> None:
    over = replace(table("t0"), info=replace(table("t0").info, status=Status.OVER, thread_id=None))
    over = replace(over, opened_at=0.0, ended_at=50.0)
    async with store.transaction() as unit:
        await unit.save_table(over)
        await unit.save_chairs(over)
    async with store.read() as reader:
        assert [t.info.id for t in await reader.tables_of(11, 49.0)] == ["t0", "t1"]
        assert [t.info.id for t in await reader.tables_of(11, 50.0)] == ["t1"]
        assert await reader.tables_of(12, 0.0) == []
        assert await reader.tables_in([Status.RUNNING], 49.0) == [over, table()]
        assert await reader.tables_in([Status.OPEN], 50.0) == []


async def test_two_units_at_once_and_one_fails(store: Store) -> None:
    """The failing one is undone whole; the other's rows stand."""
    started = asyncio.Event()

    async def good() -> None:
        async with store.transaction() as unit:
            started.set()
            for seq in range(1, 6):
                await unit.append("t1", row(seq))
                await asyncio.sleep(0)

    async def bad() -> None:
        await started.wait()
        async with store.transaction() as unit:
            await unit.set_value("bad", "1")
            raise RuntimeError("planned")

    async def other() -> None:
        async with store.transaction() as unit:
            await unit.set_value("other", "1")

    results = await asyncio.gather(good(), bad(), other(), return_exceptions=True)
    assert [type(result) for result in results] == [type(None), RuntimeError, type(None)]
    async with store.read() as reader:
        assert len(await reader.log("t1")) == 5
        assert await reader.value("bad") is None
        assert await reader.value("other") == "1"


async def test_a_cancelled_unit_is_undone_and_blocks_nobody(store: Store) -> None:
    written = asyncio.Event()

    async def slow() -> None:
        async with store.transaction() as unit:
            await unit.set_value("slow", "1")
            written.set()
            await for_ever()

    task = asyncio.create_task(slow())
    await written.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with store.transaction() as unit:
        assert await unit.value("slow") is None


async def test_cancelled_anywhere_a_unit_is_whole_or_nothing(store: Store) -> None:
    for steps in range(40):

        async def unit_of_two(name: str) -> None:
            async with store.transaction() as unit:
                await unit.set_value(f"{name}a", "1")
                await unit.set_value(f"{name}b", "1")

        task = asyncio.create_task(unit_of_two(f"n{steps}"))
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        async with store.read() as reader:
            first, second = await reader.value(f"n{steps}a"), await reader.value(f"n{steps}b")
        assert first == second


async def test_readers_do_not_wait_for_a_writer_and_see_what_is_committed(store: Store) -> None:
    async with store.transaction() as unit:
        await unit.set_value("k", "1")
        async with store.read() as reader:
            assert await reader.value("k") is None
    async with store.read() as reader:
        assert await reader.value("k") == "1"


async def test_a_reader_sees_one_moment(store: Store) -> None:
    async with store.read() as reader:
        assert await reader.value("k") is None
        async with store.transaction() as unit:
            await unit.set_value("k", "1")
        assert await reader.value("k") is None


async def test_readers_cannot_write(store: Store) -> None:
    with pytest.raises(StoreError):
        async with store.read() as reader:
            await reader._all("DELETE FROM shown")  # noqa: SLF001 - no method of a reader tries to write


async def test_conflicts_of_the_log(store: Store) -> None:
    async with store.transaction() as unit:
        await unit.append("t1", row(1))

    async def append_and_set(other: LogRow) -> None:
        async with store.transaction() as unit:
            await unit.set_value("lost", "1")
            await unit.append("t1", other)

    for other in (row(1, "new"), row(2, "r1")):
        with pytest.raises(Conflict):
            await append_and_set(other)
    async with store.read() as reader:
        assert await reader.value("lost") is None
        assert await reader.log("t1") == [row(1)]


async def test_a_broken_rule_of_the_database_is_no_conflict(store: Store) -> None:
    with pytest.raises(StoreError):
        async with store.transaction() as unit:
            await unit.append("nowhere", row(1))


async def test_a_request_is_noted_once(store: Store) -> None:
    request = HandledRequest("i1", "t1", 11, "join")
    async with store.transaction() as unit:
        await unit.add_request(request, 1.0)
    with pytest.raises(Conflict):
        async with store.transaction() as unit:
            await unit.add_request(replace(request, person=12), 1.0)


async def test_a_request_is_forgotten_once_it_cannot_come_again(store: Store) -> None:
    hour, now = (3_600 * 1_000) << 22, 1_200_000_000_000_000_000

    async def handle(*ids: int, clock: float = 0.0) -> None:
        for each in ids:
            async with store.transaction() as unit:
                await unit.add_request(HandledRequest(str(each), "t1", 11, "join"), clock)

    async def known(*ids: int) -> list[bool]:
        async with store.read() as reader:
            return [await reader.request(str(each)) is not None for each in ids]

    old, late = now - hour - (1_000 << 22), now - hour + (1_000 << 22)
    # This machine's clock may have been set by years, to and fro: only Discord's counts.
    await handle(old, clock=9e9)
    await handle(late, clock=0.0)
    assert await known(old, late) == [True, True]
    with pytest.raises(Conflict):
        await handle(late, clock=9e9)
    await handle(now, clock=5e9)
    assert await known(old, late, now) == [False, True, True]
    # What comes late itself does not take what is newer along.
    await handle(now - 2 * hour)
    assert await known(late, now) == [True, True]


async def test_requests_are_pruned_a_few_at_a_time(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transaction, "PRUNED_AT_ONCE", 2)
    years, left = 1 << 60, []
    for number in (*range(5), years, years + 1, years + 2):
        async with store.transaction() as unit:
            await unit.add_request(HandledRequest(str(number), "t1", 11, "join"), 1.0)
        async with store.read() as reader:
            left.append(len((await reader.kept_about(11))["requests"]))
    assert left == [1, 2, 3, 4, 5, 4, 3, 3]


async def test_a_job_asked_for_again_outlives_the_older_one(store: Store) -> None:
    async def enqueue(due: float = 1.0) -> Job:
        async with store.transaction() as unit:
            await unit.enqueue([NewJob("t1", JobKind.BOARD, due=due)])
            (job,) = await unit.next_jobs(9, 100.0)
        return job

    first = await enqueue()
    second = await enqueue()
    assert second.revision > first.revision
    async with store.transaction() as unit:
        await unit.done(first)
        await unit.failed(first, "too late", 1e9)
        assert await unit.next_jobs(9, 100.0) == [second]
        await unit.done(second)
        assert await unit.next_due() is None
    third = await enqueue()
    assert third.revision > second.revision


async def test_a_failed_job_comes_back_later(store: Store) -> None:
    async with store.transaction() as unit:
        await unit.enqueue([NewJob("t1", JobKind.TURN, "1", due=5.0), NewJob("t1", JobKind.LOBBY, due=4.0)])
        assert [job.kind for job in await unit.next_jobs(9, 5.0)] == [JobKind.LOBBY, JobKind.TURN]
        lobby, turn = await unit.next_jobs(2, 5.0)
        assert turn.seat == 1
        await unit.done(lobby)
        await unit.failed(turn, "x" * 10_000, 20.0)
        assert await unit.next_jobs(9, 19.0) == []
        assert await unit.next_due() == 20.0
        (again,) = await unit.next_jobs(9, 20.0)
        assert (again.tries, again.revision) == (1, turn.revision)


async def test_the_jobs_that_wait_for_their_time_are_the_workers(store: Store) -> None:
    backlog = Backlog(wall=lambda: 3.0, monotonic=lambda: 0.0)
    async with store.transaction() as unit:
        await unit.enqueue(NewJob("t1", kind, "1", due=5.0) for kind in JobKind)
        ready = await unit.next_jobs(99, 3.0)
        queued, broken = await unit.jobs_after(0, 99)
    for each in queued:
        backlog.add(each)
    assert (len(queued), broken) == (len(JobKind), [])
    assert {job.kind for job in ready} == {each.job.kind for each in backlog.ready("t1")}
    assert {job.kind for job in ready} == set(JobKind) - set(TIMED)


async def test_an_epoch_that_an_earlier_version_counted_otherwise_is_no_older_message(
    store: Store,
) -> None:
    for shown, expected in ((Shown(1, 10, 2, 5), 0), (Shown(1, 10, 4, 6), 0), (Shown(1, 11, 7, 7), 6)):
        async with store.transaction() as unit:
            await unit.set_shown("t1", "board", shown)
        async with store.read() as reader:
            found = await reader.shown("t1", "board")
        assert found is not None
        assert found.since == expected


async def test_what_is_shown_and_what_was_before(store: Store) -> None:
    async def since() -> tuple[bool, int]:
        async with store.read() as reader:
            found = await reader.shown("t1", "board")
        assert found is not None
        return found.message is not None, found.since

    for shown, expected in (
        (Shown(1, 10, 1, 1), 0),
        (Shown(1, 10, 1, 3), 0),
        (Shown(1, 11, 4, 4), 3),
        (Shown(1, 11, 4, 5), 3),
    ):
        async with store.transaction() as unit:
            await unit.set_shown("t1", "board", shown)
        assert await since() == (True, expected)
    async with store.transaction() as unit:
        await unit.drop_shown("t1", "board")
        await unit.drop_shown("t1", "nowhere")
    assert await since() == (False, 3)
    async with store.transaction() as unit:
        await unit.set_shown("t1", "board", Shown(1, 12, 4, 6))
    assert await since() == (True, 3)


async def test_a_doubt_stands_until_a_page_whose_maker_has_read_it(store: Store) -> None:
    async def noted() -> str:
        async with store.read() as reader:
            found = await reader.shown("t1", "board")
        assert found is not None
        assert found.message is not None
        return found.message.digest

    async def painted(before: str) -> str:
        async with store.transaction() as unit:
            await unit.set_shown("t1", "board", Shown(1, 10, 1, 1, 3, "abc"), before)
        return await noted()

    assert await painted("") == "abc"
    assert await painted("abd") == "abc"
    async with store.transaction() as unit:
        await unit.mark_stale(["t1"])
    first = await noted()
    assert first.startswith(STALE_MARK)
    assert await painted("abc") == first
    async with store.transaction() as unit:
        await unit.mark_stale(["t1"])
    second = await noted()
    assert second != first
    assert await painted(first) == second
    assert await painted(second) == "abc"


async def test_what_is_written_is_not_logged(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    logging.getLogger("aiosqlite").setLevel(logging.INFO)
    caplog.set_level(logging.DEBUG)
    async with store.transaction() as unit:
        await unit.set_value("k", "canary")
    assert "canary" not in caplog.text


async def test_closing_waits_for_the_unit_under_way(database: Address) -> None:
    store = await open_store(database)
    begun = asyncio.Event()

    async def work() -> None:
        async with store.transaction() as unit:
            begun.set()
            await let_others_run()
            await unit.set_value("k", "1")

    task = asyncio.create_task(work())
    await begun.wait()
    await store.close()
    await task
    again = await open_store(database)
    async with again.read() as reader:
        assert await reader.value("k") == "1"
    await again.close()


# --- the chain of a log -------------------------------------------------------------------------------


async def played(database: Address, rows: list[LogRow]) -> list[LogRow]:
    """Store rows as a log; return it as it is read."""
    store = await open_store(database)
    try:
        async with store.transaction() as unit:
            await unit.save_table(table())
            for each in rows:
                await unit.append("t1", each)
        async with store.read() as reader:
            return await reader.log("t1")
    finally:
        await store.close()


def chained(rows: list[LogRow], *, old: int = 0) -> list[LogRow]:
    """Return rows with their chain, but for the first ones, which are older than it."""
    found: list[LogRow] = []
    for each in rows:
        chain = each.chained(chain_of(found))
        found.append(replace(each, chain=chain) if each.seq > old else each)
    return found


@pytest.mark.parametrize("old", [0, 2, 4])
async def test_a_log_begins_its_chain_with_its_first_new_row(old: int, database: Address) -> None:
    rows = chained([row(seq) for seq in range(1, 5)], old=old)
    assert [bool(each.chain) for each in rows] == [seq > old for seq in range(1, 5)]
    assert await played(database, rows) == rows


CHANGES: dict[str, dict[str, Any]] = {
    "other words": {"words": ("ä", "b d")},
    "another seat": {"seat": 1},
    "another digest": {"digest": "d2"},
    "another time": {"at": 3.6},
    "another request": {"request": "r99"},
    "no chain": {"chain": ""},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("at", [1, 3])
async def test_a_row_that_was_changed_breaks_its_chain(
    change: dict[str, Any], at: int, database: Address
) -> None:
    rows = chained([row(seq) for seq in range(1, 5)], old=1)
    rows[at - 1] = replace(rows[at - 1], **change)
    if rows == chained([row(seq) for seq in range(1, 5)], old=1):
        return  # an old row has no chain to lose
    with pytest.raises(BrokenRecord):
        await played(database, rows)
