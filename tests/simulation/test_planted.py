"""Races planted into the house: the simulation finds each within a stated number of seeds."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractContextManager, ExitStack, asynccontextmanager
from dataclasses import replace
from itertools import count
from typing import Any
from unittest import mock

import pytest

from bot.clocks.deadlines import Deadlines
from bot.clocks.loop import ClockLoop
from bot.clocks.outages import Outages
from bot.clocks.reminders import Reminders
from bot.domain.clocks import Clock, Nudge, Pace
from bot.domain.jobs import Job, JobKind
from bot.domain.surfaces import HASH
from bot.domain.tables import Status, TableInfo
from bot.gateway.edit_order import EditOrder
from bot.gateway.rest_health import DiscordReach
from bot.matches import follow_ups, loaded_table
from bot.matches.loaded_table import LoadedTable
from bot.matches.lobby import Lobby
from bot.matches.match_log import MatchLog
from bot.matches.outbox import Outbox
from bot.pages.page import Page
from bot.pages.shuffle import hash_page
from bot.pages.texts import Texts
from bot.store import Reader
from bot.store.sqlite_units import SqliteTransaction
from bot.sync import board, client
from bot.sync.backlog import Backlog
from bot.sync.calls import Calls
from bot.sync.client import MessageClient
from bot.sync.direct_messages import DirectMessages
from bot.sync.lobby import LobbyMessages
from tests.kit.samples import MORE
from tests.kit.simulation import simulate

Plant = Callable[[], AbstractContextManager[Any]]


def believe_memory() -> AbstractContextManager[Any]:
    """Carry jobs out on what memory has, although their commit may not have reached it."""

    async def at_once(self: Outbox, job: Job) -> None:
        return

    return mock.patch.object(Outbox, "catch_up", at_once)


def delete_newer_jobs() -> AbstractContextManager[Any]:
    """Take a job out of the outbox although it was enqueued again meanwhile."""

    async def done(self: SqliteTransaction, job: Job) -> None:
        sql = "DELETE FROM job WHERE match = ? AND kind = ? AND target = ?"
        await self._do(sql, job.table_id, job.kind.value, job.target)

    def find(self: Backlog, job: Job) -> Any:
        return self._jobs.get(job.table_id, {}).get((job.kind, job.target))

    stack = ExitStack()
    stack.enter_context(mock.patch.object(SqliteTransaction, "done", done))
    stack.enter_context(mock.patch.object(Backlog, "_find", find))
    return stack


def acknowledge_early() -> AbstractContextManager[Any]:
    """Answer before the commit: it follows in a while."""
    commit = SqliteTransaction.commit

    async def early(self: SqliteTransaction) -> None:
        late = asyncio.create_task(_later(commit(self)))
        late.add_done_callback(lambda task: task.cancelled() or task.exception())

    return mock.patch.object(SqliteTransaction, "commit", early)


async def _later(work: Awaitable[None]) -> None:
    for _ in range(5):
        await asyncio.sleep(0)
    await work


def believe_old_nonces() -> AbstractContextManager[Any]:
    """Believe that a message shows what was posted, although an old nonce returned an old one."""
    return mock.patch.object(client, "_shows", return_value=True)


def send_all_again() -> AbstractContextManager[Any]:
    """Send at every start what is right already."""
    resume = Outbox.resume

    async def again(self: Outbox) -> None:
        await resume(self)
        async with self._cache.store.read() as reader:
            rows = await reader.tables_in([Status.OPEN, Status.RUNNING], 0.0)
        matches = [row.info.id for row in rows]
        await self.mark_stale(matches)
        await self.ask_for((match, JobKind.LOBBY, "") for match in matches)

    return mock.patch.object(Outbox, "resume", again)


def write_at_once() -> AbstractContextManager[Any]:
    """Let clicks and the outbox edit one message at the same time."""
    return mock.patch.object(EditOrder, "alone", side_effect=lambda _: _nothing())


def give_buttons_back() -> AbstractContextManager[Any]:
    """Put buttons back into a direct message that has lost them."""
    return mock.patch.object(Outbox, "is_retired", return_value=False)


@asynccontextmanager
async def _nothing() -> AsyncIterator[None]:
    yield


def look_for_nothing() -> AbstractContextManager[Any]:
    """Post without looking for what was sent and not noted before a crash, and let no nonce help."""
    post = MessageClient.post
    numbers = count()

    async def find(self: MessageClient, *_: object, **__: object) -> list[object]:
        return []

    async def fresh(self: MessageClient, channel: int, page: Page, **options: Any) -> int:
        return await post(self, channel, page, **(options | {"nonce": f"{next(numbers)}"}))

    return mock.patch.multiple(MessageClient, find=find, post=fresh)


def tell_nobody() -> AbstractContextManager[Any]:
    """Post boards that mention nobody."""
    return mock.patch.object(board, "pinged_people", return_value=[])


def count_twice() -> AbstractContextManager[Any]:
    """Leave a draft as it was after its sentence was said, and know no request again."""
    return mock.patch.multiple(loaded_table.SeatDrafts, said=lambda self, *, aside, confirmed=None: self)


def judge_early() -> AbstractContextManager[Any]:
    """Decide for whoever is asked, whatever their clock says."""

    def asked(self: Deadlines, table: LoadedTable) -> int | None:
        running = table.info.status is Status.RUNNING and not table.is_claimable()
        people = (seat for seat in table.row.asked if table.info.person_at(seat) is not None)
        return next(people, None) if running and table.row.clocks else None

    stack = ExitStack()
    stack.enter_context(mock.patch.object(Deadlines, "_late_seat", asked))
    stack.enter_context(
        mock.patch.object(Reader, "past_deadline", lambda self, now, *shards: self.by_deadline(*shards))
    )
    return stack


def judge_nobody() -> AbstractContextManager[Any]:
    """Look at no clock."""

    async def nothing(self: ClockLoop) -> bool:
        return True

    return mock.patch.object(ClockLoop, "look", nothing)


def play_on_in_holidays() -> AbstractContextManager[Any]:
    """Let every clock run, whoever is on holiday."""
    return mock.patch.object(Clock, "stopped", lambda self, now: self)


def make_up_for_nothing() -> AbstractContextManager[Any]:
    """Take the time from people in which nobody was there to play with."""
    due = Outages._due  # noqa: SLF001

    def nothing(self: Outages, drift: float) -> Any:
        self._lags = dict.fromkeys(self._lags, 0.0)
        return due(self, drift)

    return mock.patch.object(Outages, "_due", nothing)


def run_clocks_without_rest() -> AbstractContextManager[Any]:
    """Judge and charge people while Discord answers no request."""
    stack = ExitStack()
    stack.enter_context(mock.patch.object(DiscordReach, "unserved", return_value={}))
    stack.enter_context(mock.patch.object(DiscordReach, "answers", mock.AsyncMock(return_value=True)))
    return stack


def remind_without_end() -> AbstractContextManager[Any]:
    """Remind again and again, as long as somebody has not decided."""

    def told(self: Clock, pace: Pace, now: float) -> Clock:
        return replace(self, remind_at=now + 0.1 * pace.allowance, nudge=Nudge.NONE)

    return mock.patch.object(Clock, "told", told)


def remind_at_once() -> AbstractContextManager[Any]:
    """Remind of every match for itself, whoever was reminded just before."""
    return mock.patch("bot.clocks.reminders.HOUR_APART", 0.0)


def wake_people() -> AbstractContextManager[Any]:
    """Remind people in their quiet hours."""
    reader = Reminders._recipient  # noqa: SLF001

    async def awake(self: Reminders, person: int) -> Any:
        found = await reader(self, person)
        return replace(found, preferences=replace(found.preferences, quiet=None))

    async def always(self: Calls, person: int) -> bool:
        return True

    stack = ExitStack()
    stack.enter_context(mock.patch.object(Reminders, "_recipient", awake))
    stack.enter_context(mock.patch.object(Calls, "_may_be_pinged", always))
    return stack


def call_again() -> AbstractContextManager[Any]:
    """Post a call again whenever its job is carried out again."""

    async def never(self: Outbox, match: str, surface: str) -> int:
        return 0

    stack = ExitStack()
    stack.enter_context(look_for_nothing())
    stack.enter_context(mock.patch.object(Outbox, "last_version", never))
    return stack


def leave_panels() -> AbstractContextManager[Any]:
    """Leave people the panels of seats that they have handed on."""

    async def nothing(self: DirectMessages, match: str, person: int) -> None:
        return

    return mock.patch.object(DirectMessages, "forget", nothing)


def keep_motions() -> AbstractContextManager[Any]:
    """Let a motion stand although whoever proposed it is gone."""
    return mock.patch.object(MatchLog, "_motion_of_those_left", lambda self, row: self.motion)


def reveal_what_was_closed() -> AbstractContextManager[Any]:
    """Treat a match that was closed as one that has ended."""

    def status(log: MatchLog) -> Status:
        return Status.RUNNING if log.public.outcome is None and log.closed is None else Status.OVER

    return mock.patch.object(follow_ups, "_status", status)


def edit_hashes() -> AbstractContextManager[Any]:
    """Post the hash of a shuffle again whenever the table changes, into the same message."""
    post = LobbyMessages._post_hash  # noqa: SLF001

    async def again(self: LobbyMessages, table: TableInfo) -> None:
        await post(self, table)
        shown = await self.services.outbox.shown(table.id, HASH)
        if shown is not None:
            await self.messages.edit(shown.channel_id, shown.message_id, hash_page(table, Texts()))

    return mock.patch.object(LobbyMessages, "_post_hash", again)


def post_hashes_later() -> AbstractContextManager[Any]:
    """Let people join before the hash of the shuffle is there."""

    async def nothing(self: Lobby, table: LoadedTable) -> None:
        return

    return mock.patch.object(Lobby, "_must_show_hash", nothing)


PLANTS: dict[str, tuple[Plant, set[str], str, range]] = {
    "acknowledge early": (acknowledge_early, {"lost"}, "kills", range(30)),
    "send all again": (send_all_again, {"restart edits"}, "calm", range(10)),
    "look for nothing": (look_for_nothing, {"two boards", "two tables", "two panels"}, "kills", range(2, 42)),
    "tell nobody": (tell_nobody, {"not told"}, "calm", range(20)),
    "count twice": (count_twice, {"doubled"}, "crowd", range(20)),
    "judge early": (judge_early, {"judged early"}, "live", range(1, 31)),
    "judge nobody": (judge_nobody, {"not judged"}, "live", range(1, 31)),
    "play on in holidays": (play_on_in_holidays, {"clock runs"}, "days", range(2, 42)),
    "make up for nothing": (make_up_for_nothing, {"judged early"}, "frozen", range(3, 53)),
    "run clocks without rest": (run_clocks_without_rest, {"judged early"}, "rest", range(1, 41)),
    "remind without end": (remind_without_end, {"reminded too often"}, "live", range(1, 31)),
    "wake people": (wake_people, {"reminded in quiet hours"}, "days", range(5, 85)),
    "call again": (call_again, {"reminded twice"}, "days", range(21, 101)),
    "leave panels": (leave_panels, {"left behind"}, "days", range(17, 137)),
    "edit hashes": (edit_hashes, {"hash edited"}, "calm", range(5)),
    "post hashes later": (post_hashes_later, {"early join"}, "kills", range(2, 82)),
    "reveal what was closed": (reveal_what_was_closed, {"closed shown"}, "days", range(6, 146)),
}
DEAR = {"call again", "leave panels", "post hashes later", "reveal what was closed", "wake people"}
"""What is looked for by night alone. Changes of the house move what a seed brings: the night tries more."""

RARE: dict[str, tuple[Plant, set[str], str, range]] = {
    "delete newer jobs": (
        delete_newer_jobs, {"stale board", "stale table", "not told"}, "crowd", range(1_000)
    ),
    "believe memory": (believe_memory, {"stale board", "stale table", "not told"}, "crowd", range(1_000)),
    "believe old nonces": (believe_old_nonces, {"stale board", "stale table"}, "kills", range(3_000)),
    "write at once": (write_at_once, {"refused"}, "crowd", range(8_000)),
    "remind at once": (remind_at_once, {"reminded within the hour"}, "days", range(4_000)),
    "keep motions": (keep_motions, {"stale motion"}, "days", range(4_000)),
    "give buttons back": (give_buttons_back, {"stale panel", "two panels"}, "crowd", range(4_000)),
}  # fmt: skip
"""What needs more seeds than every run can take: each is given five times what it took last, or more."""


def found_within(plant: Plant, kinds: set[str], profile: str, seeds: range) -> bool:
    longer = range(seeds.start, seeds.start + len(seeds) * MORE)
    with plant():
        return any(simulate(seed, profile=profile).kinds & kinds for seed in longer)


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.nightly if n in DEAR else ()) for n in PLANTS]
)
def test_it_is_found(name: str) -> None:
    assert found_within(*PLANTS[name])


@pytest.mark.nightly
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("name", RARE)
def test_it_is_found_in_the_end(name: str) -> None:
    assert found_within(*RARE[name])
