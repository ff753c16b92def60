from __future__ import annotations

import asyncio
import inspect
import logging
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path

import pytest

from bot.domain.jobs import JobKind
from bot.domain.match import Click
from bot.domain.refusals import Refusal
from bot.domain.tables import Status
from bot.matches.table_cache import TableCache
from bot.store import Transaction
from bot.store.prepare import connect
from engines.core.contract import Setup, Step
from engines.core.rng import Rng
from tests.bot.conftest import ALL_GAMES, PEOPLE, PLACE, Room, click, refused
from tests.kit.tables import sit_down
from tests.kit.thinking_here import services_over
from tests.kit.vault.game import Vault
from tests.kit.vault.state import State


class LaterRuleset(Vault):
    """The vault after its rules have changed."""

    manifest = replace(Vault.manifest, rulesets=("2",))


class OtherDeal(Vault):
    """The vault, but the same seed deals other cards."""

    def start(self, setup: Setup, rng: Rng) -> Step[State]:
        return super().start(setup, rng.child("other"))


async def looks(room: Room, table_id: str) -> list[object]:
    """Return everything that can be seen of a match."""
    info = await room.services.queries.table(table_id)
    panels = [await room.panel(info, seat) for seat in range(2)]
    return [
        info,
        await room.services.queries.board(table_id),
        await room.services.queries.log(table_id, None),
        *panels,
    ]


async def test_reloaded_is_as_before(room: Room, any_game: str) -> None:
    info = await room.begin(any_game)
    before = await looks(room, info.id)
    for _ in range(6):
        await room.play_some(info, 1)
        seat = next(iter((await room.services.cache.get(info.id)).row.asked), None)
        if seat is None:
            before = await looks(room, info.id)
            break
        panel = await room.panel(info, seat)
        if panel.menu is not None and panel.menu.choices():
            await room.services.drafts.choose(
                click(panel), room.person(info, seat), panel.menu.choices()[0].word
            )
        before = await looks(room, info.id)
        room.services.cache.forget(info.id)
        assert await looks(room, info.id) == before
    room = await room.again()
    assert await looks(room, info.id) == before


async def test_memory_is_bounded(room: Room) -> None:
    room = await room.again(capacity=2)
    tables = [await room.begin() for _ in range(4)]
    assert [room.services.queries.loaded(info.id) for info in tables] == [False, False, True, True]
    panel = await room.panel(tables[0], 0)
    assert panel.decision
    assert [room.services.queries.loaded(info.id) for info in tables] == [True, False, False, True]
    assert room.services.drafts.peek_panel(Click(tables[1].id, 0), PEOPLE[0]) is None
    for info in tables:
        await room.lay(info, 0)
        assert len(await room.log_rows(info.id)) == 1


async def test_long_matches_push_out_more_than_short_ones(room: Room) -> None:
    room = await room.again(capacity=9, most_rows=4)
    short = [await room.begin() for _ in range(3)]
    await room.play_some(short[0], 2)
    assert [room.services.queries.loaded(info.id) for info in short] == [True, True, True]
    long = await room.begin(seats=3)
    assert await room.play_some(long, 5) == 5
    assert [room.services.queries.loaded(info.id) for info in short] == [False, False, False]
    assert room.services.queries.loaded(long.id), "one match is kept, however long"
    assert room.services.cache.rows == 5
    for info in short:
        await room.panel(info, 0)
    assert [room.services.queries.loaded(info.id) for info in (*short, long)] == [True, True, True, False]
    assert room.services.cache.rows == 2


async def test_what_seats_see_is_kept_for_the_tables_that_were_used_last(room: Room) -> None:
    room = await room.again(worked_out=2)
    tables = [await room.begin() for _ in range(3)]
    found = [room.services.cache.peek(info.id) for info in tables]
    panels = [await room.panel(info, 0) for info in tables]
    assert [bool(table and table.seat_views) for table in found] == [False, True, True]
    assert await room.panel(tables[0], 0) == panels[0]
    assert [bool(table and table.seat_views) for table in found] == [True, False, True]


async def test_memory_alone_answers_without_store_or_loop(room: Room) -> None:
    info = await room.begin()
    await room.store.close()
    anna = PEOPLE[0]
    queries = room.services.queries
    for answer in (queries.loaded, queries.peek_completions):
        assert not inspect.iscoroutinefunction(answer)
    assert room.services.queries.loaded(info.id)
    assert room.services.drafts.peek_panel(Click(info.id, 0), anna) is not None
    assert room.services.queries.peek_completions(info.id, anna, "")
    assert [line.table.id for line in await room.services.queries.listed(anna)] == [info.id]
    await room.enter()


async def test_lists_forget_what_is_long_over(room: Room) -> None:
    old, new = await room.begin(), await room.begin()
    await room.services.actions.resign(old.id, PEOPLE[0], room.request)
    assert {line.table.id for line in await room.services.queries.listed(PEOPLE[0])} == {old.id, new.id}
    room.now += 8 * 86_400
    await room.lay(new, 0)
    for person in PEOPLE[:2]:
        assert [line.table.id for line in await room.services.queries.listed(person)] == [new.id]
    assert len(room.services.cache.lists) == 1
    room.now -= 8 * 86_400
    for person in PEOPLE[:2]:
        assert [line.table.id for line in await room.services.queries.listed(person)] == [new.id], (
            "hidden only"
        )


async def test_who_leaves_a_table_has_it_in_no_list(room: Room) -> None:
    info = await room.services.lobby.open("vault", {}, 3, PEOPLE[0], PLACE, room.request)
    await sit_down(room.services, info.id, PEOPLE[1], room.request)
    await room.services.lobby.leave(info.id, PEOPLE[1], room.request)
    assert await room.services.queries.listed(PEOPLE[1]) == ()
    assert [line.table.id for line in await room.services.queries.listed(PEOPLE[0])] == [info.id]
    await room.services.lobby.leave(info.id, PEOPLE[0], room.request)
    assert await room.services.queries.listed(PEOPLE[0]) == ()
    assert len(room.services.cache.lists) == 0


async def test_lists_of_matches_survive_a_restart(room: Room) -> None:
    asked = await room.begin()
    waiting = await room.begin()
    await room.lay(waiting, waiting.seat_of(PEOPLE[0].id) or 0)
    over = await room.begin()
    await room.services.actions.resign(over.id, PEOPLE[1], room.request)
    opened = await room.services.lobby.open("vault", {}, 3, PEOPLE[0], asked.place, room.request)
    lines = await room.services.queries.matches(PEOPLE[0])
    assert [(line.table.id, line.asked) for line in lines] == [
        (asked.id, True), (waiting.id, False), (opened.id, False), (over.id, False),
    ]  # fmt: skip
    assert await room.services.queries.listed(PEOPLE[0]) == tuple(lines)
    room = await room.again()
    assert await room.services.queries.listed(PEOPLE[0]) == tuple(lines)
    assert not any(room.services.queries.loaded(line.table.id) for line in lines)
    room.now += 8 * 86_400
    assert (
        len(await room.services.queries.matches(PEOPLE[0]))
        == len(await room.services.queries.listed(PEOPLE[0]))
        == 3
    )


async def test_a_match_whose_rules_are_gone_is_frozen_and_thaws(
    room: Room, caplog: pytest.LogCaptureFixture
) -> None:
    info = await room.begin()
    await room.lay(info, 0)
    lay = ("lay", (await room.hand(info, 1))[0])
    before = await looks(room, info.id)
    for game in (LaterRuleset(), OtherDeal(), None):
        room.games = {"vault": game} if game else {}
        room = await room.again()
        for job in await room.services.outbox.next_jobs(99):
            await room.services.outbox.done(job)
        with caplog.at_level(logging.ERROR, "bauta"):
            await refused("frozen", room.services.queries.board(info.id))
        assert info.id in caplog.text
        caplog.clear()
        await refused("frozen", room.services.drafts.panel(info.id, PEOPLE[0]))
        await refused("frozen", room.services.actions.submit(info.id, 1, None, lay, room.request))
        await refused("frozen", room.services.actions.resign(info.id, PEOPLE[0], room.request))
        assert (await room.services.queries.table(info.id)).status is Status.FROZEN
        assert room.services.drafts.peek_panel(Click(info.id, 0), PEOPLE[0]) is None
        if game is not None and game.manifest.ruleset == "2":
            kinds = [job.kind for job in await room.services.outbox.next_jobs(99)]
            assert kinds == [JobKind.LOBBY, JobKind.FROZEN]
            assert room.woken > 0
    assert len(await room.log_rows(info.id)) == 1
    room.games = ALL_GAMES
    room = await room.again()
    assert await looks(room, info.id) == before


async def test_a_changed_digest_freezes(room: Room) -> None:
    info = await room.begin()
    await room.lay(info, 0)
    await room.store.close()
    with closing(connect(room.path)) as raw:
        raw.execute("DROP TRIGGER log_stands")
        raw.execute("UPDATE log SET digest = 'other'")
    await room.enter()
    await refused("frozen", room.services.queries.board(info.id))


async def test_a_log_that_is_refused_freezes(room: Room) -> None:
    info = await room.begin()
    await room.store.close()
    with closing(connect(room.path)) as raw:
        raw.execute(
            "INSERT INTO log VALUES (?, 1, 'act', 0, '[\"return\", \"0\"]', 'd', 'r', 0.0, '', NULL, '')",
            (info.id,),
        )
    await room.enter()
    await refused("frozen", room.services.drafts.panel(info.id, PEOPLE[0]))


async def test_a_match_that_is_over_is_not_frozen_but_cannot_be_shown(room: Room) -> None:
    info = await room.begin()
    await room.services.actions.resign(info.id, PEOPLE[0], room.request)
    room.games = {}
    room = await room.again()
    await refused("frozen", room.services.queries.board(info.id))
    assert (await room.services.queries.table(info.id)).status is Status.OVER


async def test_somebody_else_was_faster(room: Room) -> None:
    """A conflict in the log: load again, see what is open, try again."""
    info = await room.begin()
    cards = [(await room.hand(info, seat))[0] for seat in range(2)]
    other = services_over(TableCache(room.store, clock=room.clock, wake=room.wake, games=room.games))
    await other.actions.submit(info.id, 0, None, ("lay", cards[0]), room.request)
    assert (await room.services.cache.get(info.id)).require_log().rows == ()
    receipt = await room.say(info, 1, f"lay {cards[1]}")
    assert [(row.seq, row.seat) for row in await room.log_rows(info.id)] == [(1, 0), (2, 1)]
    assert receipt.seq == 1
    assert (await room.services.queries.board(info.id)).view.public.shown == (tuple(cards),)


async def test_of_two_at_once_the_one_that_fails_undoes_itself_alone(room: Room) -> None:
    """Both wait for the writer and share its commit; one meets a row that another process has written."""
    late, free = await room.begin(), await room.begin()
    first, second, *_ = await room.hand(late, 0)
    card = (await room.hand(free, 0))[0]
    other = services_over(TableCache(room.store, clock=room.clock, wake=room.wake, games=room.games))
    await other.actions.submit(late.id, 0, None, ("lay", first), room.request)
    results = await asyncio.gather(
        room.say(late, 0, f"lay {second}"), room.say(free, 0, f"lay {card}"), return_exceptions=True
    )
    assert isinstance(results[0], Refusal), "it was tried again, and the seat had laid its card already"
    assert [row.words for row in await room.log_rows(late.id)] == [("lay", first)]
    assert [row.words for row in await room.log_rows(free.id)] == [("lay", card)]


async def test_somebody_else_answered_the_same_question(room: Room) -> None:
    info = await room.begin()
    first, second, *_ = await room.hand(info, 0)
    panel = await room.draft(info, 0, "lay", first)
    other = services_over(TableCache(room.store, clock=room.clock, wake=room.wake, games=room.games))
    request = room.request
    await other.actions.submit(info.id, 0, None, ("lay", second), request)
    with pytest.raises(Refusal) as caught:
        await room.services.actions.confirm(click(panel), room.person(info, 0), room.request)
    assert caught.value.msg.key in ("note.stale", "no.empty_draft")
    again = await room.services.actions.submit(info.id, 0, None, ("lay", first), request)
    assert (again.repeated, again.words) == (True, ("lay", second))


class Breaking:
    """A store whose transactions fail at the end, or whose callers are cancelled there."""

    def __init__(self, room: Room, error: BaseException) -> None:
        self._store = room.store
        self._error = error
        self.read = room.store.read
        self.sharing = room.store.sharing
        self.files = room.store.files

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        async with self._store.transaction() as unit:
            yield unit
            raise self._error

    async def scrub(self) -> None:
        await self._store.scrub()

    async def close(self) -> None:
        await self._store.close()


@pytest.mark.parametrize("error", [RuntimeError("planned"), asyncio.CancelledError()])
async def test_what_was_not_committed_is_not_remembered(room: Room, error: BaseException) -> None:
    info = await room.begin()
    before = await looks(room, info.id)
    room.services.cache.store = Breaking(room, error)
    work = (
        room.services.drafts.choose(click(await room.panel(info, 0)), room.person(info, 0), "lay"),
        room.lay(info, 0),
        room.services.actions.offer_draw(info.id, PEOPLE[0], room.request),
        room.services.actions.resign(info.id, PEOPLE[0], room.request),
    )
    for each in work:
        with pytest.raises(type(error)):
            await each
    room.services.cache.store = room.store
    assert await looks(room, info.id) == before
    assert await room.log_rows(info.id) == []


async def test_a_crash_between_commit_and_show(room: Room) -> None:
    """Nothing was shown: the jobs are there after a restart, and so are the drafts."""
    info = await room.begin()
    panel = await room.draft(info, 1, "lay", (await room.hand(info, 1))[0])
    await room.lay(info, 0)
    jobs = await room.services.outbox.next_jobs(99)
    room = await room.again()
    assert {(job.kind, job.target) for job in jobs} <= {
        (job.kind, job.target) for job in await room.services.outbox.next_jobs(99)
    }
    assert await room.panel(info, 1) == panel
    await room.services.actions.confirm(click(panel), room.person(info, 1), room.request)


def test_the_database_holds_the_log_in_words(tmp_path: Path) -> None:
    async def play() -> tuple[str, str]:
        room = await Room(tmp_path / "h.db", ALL_GAMES).enter()
        info = await room.begin()
        receipt = await room.lay(info, 0)
        await room.store.close()
        return info.id, receipt.words[1]

    table_id, card = asyncio.run(play())
    with closing(sqlite3.connect(tmp_path / "h.db")) as raw:
        rows = raw.execute("SELECT match, seq, kind, seat, words FROM log").fetchall()
    assert rows == [(table_id, 1, "act", 0, f'["lay", "{card}"]')]
