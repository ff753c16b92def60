"""Troubles around a match: what is tried again and when, what is given up, and what players are told."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import discord.gateway
import discord.http
import pytest

from bot.domain.jobs import Job, JobKind
from bot.domain.tables import Place, Status
from bot.gateway.discord_errors import ARCHIVED, FORBIDDEN, GONE, INVALID_FORM, THREAD_LOCKED, ThreadLocked
from bot.gateway.permissions import NEEDED, lacking
from bot.matches.outbox import ABANDONED_REQUEST_S
from bot.pages.page import Page, fenced, page, text, text_page
from bot.pages.texts import Texts, safe
from bot.store import StoreError
from bot.sync import worker
from bot.sync.client import MessageClient
from bot.sync.problems import Problem, problem_of
from bot.sync.worker import store_reason
from tests.duel import DUEL
from tests.kit.waiting import eventually, for_ever
from tests.ui.surfaces.room import ANNA, CHANNEL, Room, entered, guild, refusal

PLACE = Place(1, CHANNEL)
ENGLISH = Texts()


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    async with entered(tmp_path) as room:
        yield room


async def board_job(room: Room) -> Job:
    return next(job for job in await room.services.outbox.next_jobs(9) if job.kind is JobKind.BOARD)


async def test_a_request_without_an_end_is_given_up_and_made_again(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    await room.begin()
    match = room.table.id
    await room.surfaces.lobby.thread(match)
    await room.pictures.board(
        await room.services.queries.board(match), ENGLISH
    )  # painted once, it is there at once
    post, stuck = room.notes.post, [True]

    async def arrives(*arguments: Any, **options: Any) -> int:
        message = await post(*arguments, **options)
        if stuck:
            stuck.clear()
            await for_ever()  # no answer comes
        return message

    monkeypatch.setattr(room.notes, "post", arrives)
    monkeypatch.setattr(worker, "JOB_TIMEOUT_S", 3.0)
    await room.do(await board_job(room))
    assert stuck == []
    assert await room.services.outbox.shown(match, "board") is None
    # What was given up may still be carried out, after what the next try sends.
    [review] = [
        each for each in await room.services.outbox.jobs_after(0, 99) if each.job.kind is JobKind.REVIEW
    ]
    assert review.job.table_id == match
    assert 0 < review.due - time.time() <= ABANDONED_REQUEST_S
    count = len(room.notes.messages)
    room.notes.nonces.clear()
    monkeypatch.setattr(worker, "JOB_TIMEOUT_S", 30.0)
    await room.do(Job(match, JobKind.BOARD, "", 1, 1))
    assert await room.services.outbox.shown(match, "board") is not None
    assert len(room.notes.messages) == count


async def test_a_long_limit_is_waited_out_by_the_clock(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    await room.begin()

    async def limited(*_: Any, **__: Any) -> int:
        raise discord.RateLimited(500.0)

    monkeypatch.setattr(room.notes, "post", limited)
    for job in await room.services.outbox.next_jobs(9):
        if job.kind in (JobKind.LOBBY, JobKind.THREAD, JobKind.BOARD):
            await room.do(job)
        else:
            await room.services.outbox.done(job)
    due = await room.services.outbox.next_due()
    assert due is not None
    assert 495.0 < due - time.time() <= 500.0
    assert room.problems.by_match == {}


async def test_a_message_that_could_not_be_noted_is_found_again(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    await room.begin()
    await room.surfaces.board.update(room.table.id)
    await room.say(1)

    async def full(*_: Any, **__: Any) -> None:
        raise StoreError("There is no room left.")

    note = room.services.outbox.set_shown
    monkeypatch.setattr(room.services.outbox, "set_shown", full)
    with pytest.raises(StoreError):
        await room.surfaces.board.update(room.table.id)
    monkeypatch.setattr(room.services.outbox, "set_shown", note)
    room.notes.nonces.clear()  # Discord forgets them within minutes, and disks stay full for longer
    count = len(room.notes.messages)
    await room.surfaces.board.update(room.table.id)
    assert len(room.notes.messages) == count


async def test_a_table_that_nobody_sees_is_given_up(room: Room) -> None:
    table = await room.services.lobby.open(DUEL, {}, None, ANNA, PLACE, 1)
    room.notes.trouble.append(("post", refusal(10003, 404)))
    [job] = await room.services.outbox.next_jobs(9)
    await room.do(job)
    assert (await room.services.queries.table(table.id)).status is Status.CLOSED
    assert await room.services.queries.matches(ANNA) == []
    assert await room.services.outbox.next_due() is None


async def test_a_match_whose_channel_is_gone_goes_on_and_says_so(room: Room) -> None:
    await room.begin()
    room.notes.trouble.append(("post", refusal(10003, 404)))
    await room.do(await board_job(room))
    assert room.problems.by_match[room.table.id].text(ENGLISH) == ENGLISH.house("problem.gone")
    assert (await room.services.queries.table(room.table.id)).status is Status.RUNNING
    await room.say(1)
    for job in await room.services.outbox.next_jobs(9):
        await room.services.outbox.done(job)
    # Nothing brings the channel back: a click asks Discord for nothing.
    room.worker.look_after(room.table.id)
    await room.background.close()
    assert await room.services.outbox.next_due() is None


async def test_a_channel_that_is_deleted_while_a_board_is_posted_there_is_missed(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    await room.begin()
    post, gone = room.notes.post, asyncio.Event()

    async def last(channel: int, page: Page, **options: Any) -> int:
        if gone.is_set():
            raise refusal(10003, 404)
        message = await post(channel, page, **options)
        if channel != CHANNEL:
            gone.set()
            room.notes.messages.clear()
            await room.services.outbox.ask_for_place(CHANNEL)
        return message

    monkeypatch.setattr(room.notes, "post", last)
    working = asyncio.create_task(room.worker.run())
    await eventually(lambda: room.table.id in room.problems.by_match, 8.0)
    working.cancel()


async def test_a_frozen_match_without_a_channel_is_not_told_for_ever(room: Room) -> None:
    await room.begin()
    for job in await room.services.outbox.next_jobs(9):
        await room.services.outbox.done(job)
    room.notes.trouble.append(("post", refusal(10003, 404)))
    await room.services.outbox.ask_for([(room.table.id, JobKind.FROZEN, "")])
    [job] = await room.services.outbox.next_jobs(9)
    await room.do(job)
    assert await room.services.outbox.next_due() is None


async def test_what_was_put_off_is_done_when_somebody_looks(room: Room) -> None:
    await room.begin()
    room.notes.trouble.append(("post", refusal(50013, 403)))
    for job in await room.services.outbox.next_jobs(9):
        if job.kind is not JobKind.BOARD:
            await room.services.outbox.done(job)
    job = await board_job(room)
    await room.do(Job(job.table_id, job.kind, "", job.revision, 12))
    assert await room.services.outbox.next_jobs(9) == []
    room.worker.look_after_server(PLACE.guild_id + 1)
    room.worker.look_after_server(PLACE.guild_id)
    await room.background.join()
    [again] = await room.services.outbox.next_jobs(9)
    assert again.kind is JobKind.BOARD
    await room.do(again)
    assert room.problems.by_match == {}


async def test_a_trouble_is_told_as_long_as_a_permission_is_lacking(room: Room) -> None:
    await room.begin()
    held = permissions_but("read_message_history")
    job = await board_job(room)
    for cured in (False, True):
        room.client.get_guild = client_with(permissions_but() if cured else held).get_guild
        if not cured:
            room.notes.trouble.append(("post", refusal(50013, 403)))
            await room.do(job)
        await room.do(job)
        assert (room.table.id not in room.problems.by_match) is cured


# --- telling troubles apart -----------------------------------------------------------------------


def client_with(held: discord.Permissions | None) -> Any:
    """Return a client on a server where the bot has these permissions; ``None``: it is on none."""
    channel: Any = SimpleNamespace(permissions_for=lambda _: held)
    channel.guild = guild(id=PLACE.guild_id, get_channel=lambda _: channel, preferred_locale="en-GB")
    return SimpleNamespace(
        get_guild=lambda _: None if held is None else channel.guild, receives_events_of=lambda _: True
    )


def permissions_but(*missing: str) -> discord.Permissions:
    return discord.Permissions(**{name: name not in missing for name in NEEDED})


@pytest.mark.parametrize(
    ("error", "held", "trouble"),
    [
        (refusal(50013, 403), permissions_but(), Problem("problem.forbidden", 1)),
        (refusal(50001, 403), None, Problem("problem.outside", 1)),
        (
            refusal(50013, 403),
            permissions_but("attach_files", "read_message_history"),
            Problem("problem.permissions", 1, ("attach_files", "read_message_history")),
        ),
        (
            refusal(50013, 403),
            permissions_but("send_messages", "attach_files"),
            Problem("problem.permissions", 1, ("send_messages",)),
        ),
        (ThreadLocked(), permissions_but(), Problem("problem.locked", 1)),
        (
            ThreadLocked(),
            permissions_but("view_channel"),
            Problem("problem.permissions", 1, ("view_channel",)),
        ),
        (refusal(10008, 404), permissions_but("view_channel"), None),
        (OSError(), None, None),
    ],
)
def test_what_is_told(error: Exception, held: discord.Permissions | None, trouble: Problem | None) -> None:
    assert problem_of(error, client_with(held), PLACE) == trouble
    if trouble is not None:
        said = trouble.text(ENGLISH)
        assert all(ENGLISH.house(f"permission.{name}") in said for name in trouble.lacking)


def test_who_sees_nothing_lacks_sight_first() -> None:
    assert lacking(discord.Permissions.none()) == ("view_channel",)
    assert lacking(permissions_but()) == ()
    assert ENGLISH.permissions(("view_channel", "attach_files")) == "View Channel and Attach Files"


class Api:
    """Stands for the HTTP client: each edit of a thread meets the next of these codes; 0 is none."""

    def __init__(self, *codes: int) -> None:
        self.codes = list(codes)

        self.asked: list[dict[str, object]] = []

    async def edit_channel(self, _: int, **changes: object) -> None:
        self.asked.append(changes)
        code = self.codes.pop(0)
        if code:
            raise refusal(code, 403 if code in FORBIDDEN else 400)


@pytest.mark.parametrize("code", sorted(GONE | FORBIDDEN | {ARCHIVED, 0}))
async def test_putting_a_thread_away_is_tried_once(code: int) -> None:
    client: Any = SimpleNamespace(http=Api(code))
    await MessageClient(client).archive(5)
    assert client.http.codes == []


@pytest.mark.parametrize("code", sorted(GONE | FORBIDDEN | {THREAD_LOCKED, 0}))
async def test_a_thread_is_to_be_archived_sooner(code: int) -> None:
    client: Any = SimpleNamespace(http=Api(code))
    await MessageClient(client).set_archive_after(5, 60)
    assert client.http.asked == [{"auto_archive_duration": 60}]


async def test_an_archived_thread_is_woken_to_be_archived_sooner() -> None:
    client: Any = SimpleNamespace(http=Api(ARCHIVED, 0))
    await MessageClient(client).set_archive_after(5, 60)
    assert client.http.asked[1:] == [{"archived": False, "auto_archive_duration": 60}]
    # Two may meet that at once, or somebody has locked it meanwhile.
    for code in (ARCHIVED, THREAD_LOCKED, 50013):
        other: Any = SimpleNamespace(http=Api(ARCHIVED, code))
        await MessageClient(other).set_archive_after(5, 60)


async def test_what_else_keeps_a_thread_as_it_is_is_tried_again() -> None:
    client: Any = SimpleNamespace(http=Api(0x1000))
    with pytest.raises(discord.HTTPException):
        await MessageClient(client).set_archive_after(5, 60)


@pytest.mark.parametrize(
    ("act", "wake", "error"),
    [
        ([THREAD_LOCKED], [], ThreadLocked),
        ([ARCHIVED], [50013], ThreadLocked),
        ([ARCHIVED, THREAD_LOCKED], [0], ThreadLocked),
        ([ARCHIVED, 50006], [0], discord.HTTPException),
        ([ARCHIVED, 0], [0], None),
        ([50013], [], discord.Forbidden),
    ],
)
async def test_a_thread_is_woken_where_it_may_be(
    act: list[int], wake: list[int], error: type[Exception] | None
) -> None:
    async def send(**_: object) -> SimpleNamespace:
        code = act.pop(0)
        if code:
            raise refusal(code, 403 if code in FORBIDDEN else 400)
        return SimpleNamespace(id=77, components=[SimpleNamespace(to_dict=lambda: words.components()[0])])

    channel = SimpleNamespace(send=send)
    client: Any = SimpleNamespace(http=Api(*wake), get_partial_messageable=lambda _: channel)
    words = text_page("a page")
    if error is None:
        assert await MessageClient(client).post(5, words, nonce="n") == 77
    else:
        with pytest.raises(error):
            await MessageClient(client).post(5, words, nonce="n")
    assert act == client.http.codes == []


@pytest.mark.parametrize(("code", "there"), [(0, True), (10008, False), (30046, None), (50013, None)])
async def test_only_what_is_gone_is_posted_anew(code: int, there: bool | None) -> None:
    async def edit(**_: Any) -> None:
        if code:
            raise refusal(code, {10008: 404, 50013: 403}.get(code, 429))

    message = SimpleNamespace(edit=edit)
    channel = SimpleNamespace(get_partial_message=lambda _: message)
    client: Any = SimpleNamespace(get_partial_messageable=lambda _: channel)
    if there is None:
        with pytest.raises(discord.HTTPException) as caught:
            await MessageClient(client).edit(5, 6, text_page("words"))
        assert caught.value.code == code
    else:
        assert await MessageClient(client).edit(5, 6, text_page("words")) is there


async def test_whom_a_page_mentions_stays_mentioned_when_it_is_edited() -> None:
    allowed: list[Any] = []

    async def edit(**given: Any) -> None:
        allowed.append(given["allowed_mentions"].to_dict())

    message = SimpleNamespace(edit=edit)
    channel = SimpleNamespace(get_partial_message=lambda _: message)
    client: Any = SimpleNamespace(get_partial_messageable=lambda _: channel)
    told = text("<@22>, <@11>: it's your turn.", f"{safe('<@33>')} waits, and so does <@22>.")
    words = page([told, text(fenced("<@100000000000000044> (blue): 4 flocks"))])
    await MessageClient(client).edit(5, 6, words)
    assert allowed == [{"parse": [], "users": [22, 11]}]


@pytest.mark.parametrize(
    ("codes", "error"),
    [
        ([0], None),
        ([INVALID_FORM, 0], None),
        ([10008], None),
        ([INVALID_FORM, INVALID_FORM], 400),
        ([50013], 403),
    ],
)
async def test_what_was_redrawn_meanwhile_is_fetched_once_more(codes: list[int], error: int | None) -> None:
    async def edit(**_: Any) -> None:
        code = codes.pop(0)
        if code:
            raise refusal(code, {10008: 404, 50013: 403}.get(code, 400))

    async def fetch(_: int) -> SimpleNamespace:
        row = discord.ActionRow({"type": 1, "id": 1, "components": []})
        flags = discord.MessageFlags()
        return SimpleNamespace(edit=edit, attachments=[], mentions=[], components=[row], flags=flags)

    channel = SimpleNamespace(fetch_message=fetch)
    client: Any = SimpleNamespace(get_partial_messageable=lambda _: channel)
    if error is None:
        await MessageClient(client).strip(5, 6)
    else:
        with pytest.raises(discord.HTTPException) as caught:
            await MessageClient(client).strip(5, 6)
        assert caught.value.status == error
    assert codes == []


def test_a_database_that_takes_nothing_is_one_line_in_the_log() -> None:
    full = StoreError("There is no room left.")
    assert store_reason(full) == "There is no room left."
    assert store_reason(ExceptionGroup("work", [ExceptionGroup("more", [full]), full])) == str(full)
    assert store_reason(ExceptionGroup("work", [full, ValueError()])) is None
    assert store_reason(ValueError()) is None
