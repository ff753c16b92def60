"""What is shown, with a courier that only takes notes: each trouble that Discord can make, one by one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.model import Click, Person, Place, Refusal, Status, TableInfo
from bot.painting import Painter
from bot.records import Job, JobKind, Shown
from bot.store import open_store
from bot.tables import Tables
from bot.ui.courier import DMS_CLOSED, Courier, Found
from bot.ui.easel import Easel
from bot.ui.pages import Page
from bot.ui.reconcile import LONGEST, Reconciler, pause
from bot.ui.salon import Salon
from bot.ui.surfaces import Lost, Surfaces
from engines.core.contract import msg
from engines.core.player import walk as thought
from engines.core.registry import game
from engines.core.rng import Rng
from renderers.core.contract import Picture, Table
from tests.ui.limits import sent, walk
from tests.ui.positions import in_turn

ANNA, BEN = Person(11, "Anna"), Person(22, "Ben")
CHANNEL = 500


def refusal(code: int, status: int = 400) -> discord.HTTPException:
    kinds: dict[int, type[discord.HTTPException]] = {403: discord.Forbidden, 404: discord.NotFound}
    response: Any = SimpleNamespace(status=status, reason="")
    return kinds.get(status, discord.HTTPException)(response, {"code": code, "message": ""})


class Notes(Courier):
    """Keeps messages in memory; ``trouble`` maps what is done to errors, each raised once."""

    def __init__(self) -> None:
        self.messages: dict[int, tuple[int, Page]] = {}
        self.stripped: list[int] = []
        self.called: dict[int, list[int]] = {}
        self.nonces: dict[str, int] = {}
        self.archived: list[int] = []
        self.trouble: list[tuple[str, discord.HTTPException]] = []
        self._next = 1_000

    def _meet(self, what: str) -> None:
        for item in self.trouble:
            if item[0] == what:
                self.trouble.remove(item)
                raise item[1]

    async def post(self, channel_id: int, page: Page, *, nonce: str, called: Sequence[int] = ()) -> int:
        self._meet(f"post {channel_id}")
        self._meet("post")
        if nonce in self.nonces:
            return self.nonces[nonce]
        self._next += 1
        self.messages[self._next] = (channel_id, page)
        self.called[self._next] = list(called)
        self.nonces[nonce] = self._next
        self._meet("answer")
        return self._next

    async def edit(self, channel_id: int, message_id: int, page: Page) -> bool:
        if message_id not in self.messages:
            return False
        self.messages[message_id] = (channel_id, page)
        return True

    async def present(self, channel_id: int, message_id: int) -> bool:
        return self.messages.get(message_id, (0,))[0] == channel_id

    async def strip(self, channel_id: int, message_id: int) -> None:
        assert channel_id
        self._meet("strip")
        self.stripped.append(message_id)

    async def signed(self, channel_id: int, sign: str) -> list[Found]:
        found = [_found(message, page) for message, (at, page) in self.messages.items() if at == channel_id]
        bare = set(self.stripped)
        return [
            f for f in reversed(found) if f.message_id not in bare and any(sign in c for c in f.custom_ids)
        ]

    async def start_thread(self, channel_id: int, message_id: int, name: str) -> int:
        assert channel_id
        assert name
        self._meet("thread")
        return message_id

    async def archive(self, thread_id: int) -> None:
        self.archived.append(thread_id)

    async def dm_channel(self, person: int) -> int:
        return person + 9_000


def _found(message: int, page: Page) -> Found:
    items = list(walk(sent(page)))
    [marker] = [item.get("id") for item in items if item["type"] == 17]
    texts = tuple(item["id"] for item in items if item["type"] == 10 and "id" in item)
    return Found(message, marker, texts, tuple(item.get("custom_id", "") for item in items))


def plain(packed: bytes) -> Picture:
    return Picture(packed[:4], "image/png", 1, 1, "a board")


class Room:
    def __init__(self, tables: Tables, painter: Painter) -> None:
        self.tables = tables
        self.notes = Notes()
        self.painter = painter
        self.table: TableInfo
        self.restart()

    def restart(self) -> None:
        """Forget everything but the database, the messages and the painter."""
        self.salon = Salon(self.tables, Easel(self.painter))
        client: Any = SimpleNamespace(get_guild=lambda _: None)
        self.surfaces = Surfaces(self.salon, self.notes, client)
        self.reconciler = Reconciler(self.salon, self.surfaces)

    async def begin(self) -> None:
        opened = await self.tables.open(in_turn(), {}, None, ANNA, Place(1, CHANNEL), 1)
        self.table = await self.tables.join(opened.id, BEN, 2)

    async def say(self, number: int) -> None:
        """Let whoever is asked type the first completion that is a whole turn, and confirm it."""
        board = await self.tables.board(self.table.id)
        seat = board.waiting[0]
        person = board.table.chair_at(seat).person
        assert person is not None
        panel = await self.tables.panel(self.table.id, person)
        assert panel.menu is not None
        words = thought(game(self.table.game), panel.view, panel.menu, Rng(bytes(32)).child(number))
        text = game(self.table.game).write(words)
        panel = await self.tables.type_in(self.table.id, person, text, None)
        await self.tables.confirm(Click(self.table.id, panel.decision, panel.revision), person, 100 + number)


@asynccontextmanager
async def entered(folder: Path) -> AsyncIterator[Room]:
    """Yield a room without a match; its database is closed at the end."""
    store = await open_store(folder / "bauta.db")
    async with Painter(workers=1, paint_with=plain) as painter:
        yield Room(Tables(store, wake=lambda: None), painter)
    await store.close()


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    async with entered(tmp_path) as room:
        await room.begin()
        yield room


async def test_boards_follow_one_another(room: Room) -> None:
    match = room.table.id
    await room.surfaces.board(match)
    first = await room.tables.shown(match, "board")
    await room.surfaces.board(match)
    assert await room.tables.shown(match, "board") == first
    assert room.notes.stripped == []
    await room.say(1)
    await room.surfaces.board(match)
    second = await room.tables.shown(match, "board")
    assert first is not None
    assert second is not None
    assert second.message_id != first.message_id
    assert room.notes.stripped == [first.message_id]
    board = await room.tables.board(match)
    asked = [board.table.chair_at(seat).person for seat in board.waiting]
    assert room.notes.called[second.message_id] == [person.id for person in asked if person]


async def test_a_message_sent_before_a_crash_is_found_again(room: Room) -> None:
    match = room.table.id
    await room.surfaces.board(match)
    await room.say(1)
    room.notes.trouble.append(("answer", refusal(0, 500)))
    with pytest.raises(discord.HTTPException):
        await room.surfaces.board(match)
    room.notes.nonces.clear()  # an hour later Discord has forgotten them
    count = len(room.notes.messages)
    await room.surfaces.board(match)
    assert len(room.notes.messages) == count
    shown = await room.tables.shown(match, "board")
    assert shown is not None
    assert shown.message_id == max(room.notes.messages)


async def test_a_board_sent_before_a_crash_is_followed_by_the_next_one(room: Room) -> None:
    """It was never noted, and the match has moved on: it is found, told on from, and loses its buttons."""
    match = room.table.id
    await room.surfaces.board(match)
    first = await room.tables.shown(match, "board")
    await room.say(1)
    room.notes.trouble.append(("answer", refusal(0, 500)))
    with pytest.raises(discord.HTTPException):
        await room.surfaces.board(match)
    unnoted = max(room.notes.messages)
    room.notes.nonces.clear()
    await room.say(2)
    await room.surfaces.board(match)
    last = await room.tables.shown(match, "board")
    assert first is not None
    assert last is not None
    assert last.message_id > unnoted
    assert room.notes.stripped == [first.message_id, unnoted]
    news = [len(told) for told in (board_told(room, unnoted), board_told(room, last.message_id))]
    whole = (await room.tables.log(match, None))[-2:]
    assert news == [len(line.told) for line in whole], "a board tells what the one before it has told"


def board_told(room: Room, message: int) -> list[str]:
    """Return the lines of a board that tell what somebody did."""
    texts = [item["content"] for item in walk(sent(room.notes.messages[message][1])) if item["type"] == 10]
    lines = "\n".join(texts).splitlines()
    return [line for line in lines if line.startswith(("Anna", "Ben"))]


async def test_a_kill_before_the_old_buttons_are_gone_leaves_one_current_board(room: Room) -> None:
    match = room.table.id
    await room.surfaces.board(match)
    first = await room.tables.shown(match, "board")
    await room.say(1)
    room.notes.trouble.append(("strip", refusal(0, 500)))
    with pytest.raises(discord.HTTPException):
        await room.surfaces.board(match)
    count = len(room.notes.messages)
    again = Surfaces(room.salon, room.notes, room.surfaces.client)
    await again.board(match)
    assert first is not None
    assert room.notes.stripped == [first.message_id]
    assert len(room.notes.messages) == count


async def test_a_server_without_threads_left_plays_in_the_channel(room: Room) -> None:
    room.notes.trouble.append(("thread", refusal(160006)))
    await room.surfaces.board(room.table.id)
    shown = await room.tables.shown(room.table.id, "board")
    assert shown is not None
    assert shown.channel_id == CHANNEL
    await room.say(1)
    await room.surfaces.board(room.table.id)
    assert (await room.tables.table(room.table.id)).thread_id is None


async def test_a_table_whose_message_is_gone_gets_a_new_one_for_its_thread(room: Room) -> None:
    await room.surfaces.table(room.table.id)
    room.notes.trouble.append(("thread", refusal(10008, 404)))
    thread = await room.surfaces.thread(room.table.id)
    shown = await room.tables.shown(room.table.id, "lobby")
    assert shown is not None
    assert shown.message_id == thread == max(room.notes.messages)


async def test_a_channel_that_is_gone_is_given_up(room: Room) -> None:
    room.notes.trouble.append(("post", refusal(10003, 404)))
    with pytest.raises(Lost):
        await room.surfaces.table(room.table.id)
    room.notes.trouble.append(("post", refusal(10003, 404)))
    await room.reconciler._carry_out(Job(room.table.id, JobKind.LOBBY, "", 1, 0))
    assert room.notes.trouble == []


async def test_a_thread_that_is_gone_is_begun_anew(room: Room) -> None:
    match = room.table.id
    await room.surfaces.board(match)
    old = (await room.tables.table(match)).thread_id
    await room.say(1)
    room.notes.trouble.append((f"post {old}", refusal(10003, 404)))
    await room.surfaces.board(match)
    new = (await room.tables.table(match)).thread_id
    shown = await room.tables.shown(match, "board")
    assert new != old
    assert shown is not None
    assert shown.channel_id == new


@pytest.mark.parametrize("code", sorted(DMS_CLOSED))
async def test_closed_direct_messages(code: int, room: Room) -> None:
    match = room.table.id
    await room.surfaces.board(match)
    board = await room.tables.board(match)
    seat = board.waiting[0]
    person = board.table.chair_at(seat).person
    assert person is not None
    await room.tables.set_dms(person, True)
    for _ in range(2):
        room.notes.trouble.append((f"post {person.id + 9_000}", refusal(code, 403)))
        await room.surfaces.turn(match, seat, with_board=True)
    assert list(room.notes.called.values())[-1] == [person.id]
    assert (await room.tables.person(person)).dms
    told = await room.tables.shown(match, f"dm_closed:{seat}")
    assert told is not None
    assert told.message_id == max(room.notes.messages)


async def test_closed_direct_messages_are_said_only_when_the_board_moves(room: Room) -> None:
    match = room.table.id
    await room.surfaces.board(match)
    [seat, *_] = (await room.tables.board(match)).waiting
    person = room.table.chair_at(seat).person
    assert person is not None
    await room.tables.set_dms(person, True)
    posted = len(room.notes.messages)
    turn = Job(match, JobKind.TURN, str(seat), 1, 0)
    room.notes.trouble.append((f"post {person.id + 9_000}", refusal(50007, 403)))
    await room.reconciler.carry_out(match, [turn])
    assert len(room.notes.messages) == posted
    room.notes.trouble.append((f"post {person.id + 9_000}", refusal(50007, 403)))
    await room.reconciler.carry_out(match, [Job(match, JobKind.BOARD, "", 2, 0), turn])
    assert len(room.notes.messages) == posted + 1


async def test_what_a_direct_message_meets_is_no_trouble_of_the_table(room: Room) -> None:
    match = room.table.id
    await room.surfaces.board(match)
    [seat, *_] = (await room.tables.board(match)).waiting
    person = room.table.chair_at(seat).person
    assert person is not None
    await room.tables.set_dms(person, True)
    room.notes.trouble.append((f"post {person.id + 9_000}", refusal(50001, 403)))
    await room.reconciler.carry_out(match, [Job(match, JobKind.TURN, str(seat), 1, 0)])
    assert not room.salon.troubles


async def test_a_direct_message_is_sent_once_and_loses_its_buttons(room: Room) -> None:
    match = room.table.id
    seat = (await room.tables.board(match)).waiting[0]
    person = room.table.chair_at(seat).person
    assert person is not None
    await room.tables.set_dms(person, True)
    await room.surfaces.turn(match, seat, with_board=True)
    sent_first = await room.tables.shown(match, f"dm:{seat}")
    await room.surfaces.turn(match, seat, with_board=True)
    assert await room.tables.shown(match, f"dm:{seat}") == sent_first
    await room.say(1)
    await room.surfaces.retire_turns(match)
    assert sent_first is not None
    assert room.notes.stripped == [sent_first.message_id]
    assert await room.tables.shown(match, f"dm:{seat}") is None


async def test_a_direct_message_that_was_never_noted_is_found_again(room: Room) -> None:
    match = room.table.id
    seat = (await room.tables.board(match)).waiting[0]
    person = room.table.chair_at(seat).person
    assert person is not None
    await room.tables.set_dms(person, True)
    room.notes.trouble.append(("answer", refusal(0, 500)))
    with pytest.raises(discord.HTTPException):
        await room.surfaces.turn(match, seat, with_board=True)
    sent_once = max(room.notes.messages)
    room.notes.nonces.clear()
    await room.surfaces.turn(match, seat, with_board=True)
    shown = await room.tables.shown(match, f"dm:{seat}")
    assert shown is not None
    assert shown.message_id == sent_once == max(room.notes.messages)


async def test_a_direct_message_that_was_never_noted_loses_its_buttons_once_it_is_answered(
    room: Room,
) -> None:
    match = room.table.id
    seat = (await room.tables.board(match)).waiting[0]
    person = room.table.chair_at(seat).person
    assert person is not None
    await room.tables.set_dms(person, True)
    room.notes.trouble.append(("answer", refusal(0, 500)))
    with pytest.raises(discord.HTTPException):
        await room.surfaces.turn(match, seat, with_board=True)
    sent_once = max(room.notes.messages)
    await room.say(1)
    await Surfaces(room.salon, room.notes, room.surfaces.client).retire_turns(match)
    assert room.notes.stripped == [sent_once]
    assert await room.tables.shown(match, f"dm:{seat}") is None


async def test_the_thread_is_archived_after_the_end_only(room: Room) -> None:
    await room.surfaces.board(room.table.id)
    await room.surfaces.archive(room.table.id)
    assert room.notes.archived == []
    await room.tables.resign(room.table.id, ANNA, 50)
    await room.surfaces.archive(room.table.id)
    assert room.notes.archived == [(await room.tables.table(room.table.id)).thread_id]


async def test_a_frozen_match_is_told_to_its_players_once(room: Room) -> None:
    for _ in range(2):
        await room.surfaces.frozen(room.table.id)
    assert [people for people in room.notes.called.values() if people] == [[ANNA.id, BEN.id]]


async def test_a_job_that_fails_stays_and_its_trouble_is_told_until_mended(room: Room) -> None:
    [*jobs] = await room.tables.next_jobs(9)
    board = next(job for job in jobs if job.kind is JobKind.BOARD)
    room.notes.trouble.append(("post", refusal(50013, 403)))
    await room.reconciler._carry_out(board)
    assert room.table.id in room.salon.troubles
    assert await room.tables.next_due() is not None
    turn = Job(room.table.id, JobKind.TURN, "0", 1, 0)
    await room.reconciler._carry_out(turn)
    assert room.table.id in room.salon.troubles
    await room.reconciler._carry_out(board)
    assert room.table.id not in room.salon.troubles


@pytest.mark.parametrize(("key", "kept"), [("no.busy", True), ("no.frozen", False)])
async def test_a_refusal_ends_a_job_unless_it_says_to_try_again(
    key: str, room: Room, *, kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(_: Job) -> None:
        raise Refusal(msg(key))

    for job in await room.tables.next_jobs(9):
        monkeypatch.setitem(room.reconciler._work, job.kind, refuse)
        await room.reconciler._carry_out(job)
    assert (await room.tables.next_due() is not None) is kept


async def settled(room: Room) -> None:
    """Wait until no job is left."""
    for _ in range(500):
        if await room.tables.next_due() is None:
            return
        await asyncio.sleep(0.02)
    raise AssertionError("jobs are left")


async def test_the_reconciler_works_through_everything(room: Room) -> None:
    worker = asyncio.create_task(room.reconciler.run())
    await settled(room)
    await room.say(1)
    room.reconciler.wake()
    await settled(room)
    worker.cancel()
    shown = await room.tables.shown(room.table.id, "board")
    assert isinstance(shown, Shown)
    assert shown.epoch == (await room.tables.board(room.table.id)).epoch
    assert (await room.tables.table(room.table.id)).status is Status.RUNNING


def test_pauses_grow_and_end() -> None:
    assert pause(0) <= 1.0
    assert 0.5 * LONGEST <= pause(99) <= LONGEST
    assert pause(3) < pause(6)


# --- films ----------------------------------------------------------------------------------------


class Projector:
    """Makes a film when it is told to."""

    def __init__(self, picture: Picture | None) -> None:
        self.picture = picture
        self.asked: list[Mapping[str, Any]] = []
        self.go_on = asyncio.Event()

    async def film(self, replay: Mapping[str, Any], table: Table) -> Picture | None:
        assert sorted(table.names) == ["Anna", "Ben"]
        self.asked.append(replay)
        await self.go_on.wait()
        return self.picture


FILM = Picture(b"film", "image/webp", 1, 1, "the match")


@pytest.fixture
def projector(room: Room, monkeypatch: pytest.MonkeyPatch) -> Projector:
    """Return what makes films in the room: at once, until it is told otherwise."""
    projector = Projector(FILM)
    projector.go_on.set()
    monkeypatch.setattr(room.painter, "film", projector.film)
    return projector


async def files_of_board(room: Room) -> list[str]:
    shown = await room.tables.shown(room.table.id, "board")
    assert shown is not None
    return [item.filename for item in room.notes.messages[shown.message_id][1].uploads]


async def jobs_but_archive(room: Room) -> list[JobKind]:
    return [job.kind for job in await room.tables.next_jobs(9) if job.kind is not JobKind.ARCHIVE]


async def until(room: Room, kinds: list[JobKind]) -> None:
    for _ in range(500):
        if await jobs_but_archive(room) == kinds:
            return
        await asyncio.sleep(0.02)
    raise AssertionError(await jobs_but_archive(room))


async def test_the_last_board_does_not_wait_for_the_film_and_gets_it_later(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    projector = Projector(FILM)
    monkeypatch.setattr(room.salon.easel._painter, "film", projector.film)
    worker = asyncio.create_task(room.reconciler.run())
    await room.tables.resign(room.table.id, ANNA, 50)
    room.reconciler.wake()
    await until(room, [JobKind.FILM])
    assert await files_of_board(room) == ["board.png"]
    board = await room.tables.shown(room.table.id, "board")
    projector.go_on.set()
    await until(room, [])
    assert await files_of_board(room) == ["board.png", "film.webp"]
    assert await room.tables.shown(room.table.id, "board") == board
    assert [replay["game"] for replay in projector.asked] == [in_turn()]
    await room.surfaces.board(room.table.id)
    assert await files_of_board(room) == ["board.png", "film.webp"], "an edit took the film away"
    worker.cancel()


async def test_a_match_whose_film_cannot_be_made_keeps_its_board(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    projector = Projector(None)
    projector.go_on.set()
    monkeypatch.setattr(room.salon.easel._painter, "film", projector.film)
    worker = asyncio.create_task(room.reconciler.run())
    await room.tables.resign(room.table.id, ANNA, 50)
    room.reconciler.wake()
    await until(room, [])
    assert await files_of_board(room) == ["board.png"]
    assert len(projector.asked) == 1
    worker.cancel()


async def until_done(room: Room) -> None:
    worker = asyncio.create_task(room.reconciler.run())
    await until(room, [])
    worker.cancel()


async def test_a_film_that_its_board_has_is_not_made_again(room: Room, projector: Projector) -> None:
    await room.tables.resign(room.table.id, ANNA, 50)
    await until_done(room)
    assert len(projector.asked) == 1
    shown = await room.tables.shown(room.table.id, "board")
    assert shown is not None
    before = room.notes.messages[shown.message_id]
    for _ in range(2):
        room.restart()
        await room.tables.resume()
        await until_done(room)
        assert len(projector.asked) == 1
        assert room.notes.messages[shown.message_id] is before, "an edit took the film away"
    del room.notes.messages[shown.message_id]
    room.restart()
    await room.tables.resume()
    await until_done(room)
    assert len(projector.asked) == 2
    assert await files_of_board(room) == ["board.png", "film.webp"], "a board that is gone comes back whole"


async def test_a_film_that_was_sent_before_a_crash_is_only_sent_again(
    room: Room, projector: Projector, monkeypatch: pytest.MonkeyPatch
) -> None:
    await room.tables.resign(room.table.id, ANNA, 50)
    await room.surfaces.board(room.table.id)
    await room.surfaces.make_film(room.table.id)

    async def killed(*_: object) -> None:
        raise OSError("killed")

    with monkeypatch.context() as patch:
        patch.setattr(room.tables, "set_shown", killed)
        with pytest.raises(OSError, match="killed"):
            await room.surfaces.film(room.table.id)
    assert await files_of_board(room) == ["board.png", "film.webp"]
    assert len(projector.asked) == 1
    count = len(room.notes.messages)
    room.restart()
    await room.tables.resume()
    await until_done(room)
    assert len(room.notes.messages) == count
    assert await files_of_board(room) == ["board.png", "film.webp"]
    assert await room.tables.shown(room.table.id, "film") == await room.tables.shown(room.table.id, "board")


async def test_a_film_goes_to_the_last_board_though_that_one_was_late(
    room: Room, projector: Projector
) -> None:
    await room.surfaces.board(room.table.id)
    old = await room.tables.shown(room.table.id, "board")
    await room.say(1)
    await room.tables.resign(room.table.id, ANNA, 50)
    await room.surfaces.make_film(room.table.id)
    await room.surfaces.film(room.table.id)
    assert await files_of_board(room) == ["board.png", "film.webp"]
    assert await room.tables.shown(room.table.id, "board") != old


async def test_a_film_is_made_again_after_a_restart(room: Room, projector: Projector) -> None:
    await room.tables.resign(room.table.id, ANNA, 50)
    await room.surfaces.board(room.table.id)
    for job in await room.tables.next_jobs(20):
        await room.tables.done(job)
    await room.tables.resume()
    kinds = [job.kind for job in await room.tables.next_jobs(20)]
    assert JobKind.FILM in kinds
    assert JobKind.BOARD not in kinds, "the last board would lose its film until it is made again"
    last = await room.tables.shown(room.table.id, "board")
    assert last is not None
    del room.notes.messages[last.message_id]
    worker = asyncio.create_task(room.reconciler.run())
    await until(room, [])
    assert await files_of_board(room) == ["board.png", "film.webp"], "a last board that is gone comes again"
    worker.cancel()
