"""The film of a match that is over comes to its last board, once."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from bot.domain.jobs import JobKind
from renderers.core.contract import Picture, Table
from tests.duel import DUEL
from tests.kit import waiting
from tests.ui.surfaces.room import ANNA, Room


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
    shown = await room.services.outbox.shown(room.table.id, "board")
    assert shown is not None
    return [item.filename for item in room.notes.messages[shown.message_id][1].uploads]


async def jobs_but_archive(room: Room) -> list[JobKind]:
    return [job.kind for job in await room.services.outbox.next_jobs(9) if job.kind is not JobKind.ARCHIVE]


async def until(room: Room, kinds: list[JobKind]) -> None:
    async def there() -> bool:
        return await jobs_but_archive(room) == kinds

    await waiting.until(there)


async def test_the_last_board_does_not_wait_for_the_film_and_gets_it_later(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    projector = Projector(FILM)
    monkeypatch.setattr(room.pictures.painter, "film", projector.film)
    worker = asyncio.create_task(room.worker.run())
    await room.services.actions.resign(room.table.id, ANNA, 50)
    room.worker.wake()
    await until(room, [JobKind.FILM])
    assert await files_of_board(room) == ["board.png"]
    board = await room.shown("board")
    projector.go_on.set()
    await until(room, [])
    assert await files_of_board(room) == ["board.png", "film.webp"]
    assert (await room.shown("board")).message_id == board.message_id
    assert [replay["game"] for replay in projector.asked] == [DUEL]
    await room.surfaces.board.update(room.table.id)
    assert await files_of_board(room) == ["board.png", "film.webp"], "an edit took the film away"
    worker.cancel()


async def test_a_film_is_begun_anew_where_the_worker_was_interrupted(
    room: Room, projector: Projector
) -> None:
    projector.go_on.clear()
    await room.services.actions.resign(room.table.id, ANNA, 50)
    worker = asyncio.create_task(room.worker.run())
    await waiting.eventually(lambda: bool(projector.asked))
    worker.cancel()
    await asyncio.wait({worker})
    projector.go_on.set()
    await until_done(room)
    assert await files_of_board(room) == ["board.png", "film.webp"]


async def test_a_film_that_another_process_shows_is_not_waited_for(room: Room, projector: Projector) -> None:
    projector.go_on.clear()
    await room.services.actions.resign(room.table.id, ANNA, 50)
    worker = asyncio.create_task(room.worker.run())
    await waiting.eventually(lambda: bool(projector.asked))
    # It has the lease now, as happens where renewals do not arrive in time.
    room.worker._backlog.drop(room.table.id)  # noqa: SLF001
    projector.go_on.set()
    await waiting.eventually(lambda: room.worker.idle)
    worker.cancel()


async def test_a_match_whose_film_cannot_be_made_keeps_its_board(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    projector = Projector(None)
    projector.go_on.set()
    monkeypatch.setattr(room.pictures.painter, "film", projector.film)
    worker = asyncio.create_task(room.worker.run())
    await room.services.actions.resign(room.table.id, ANNA, 50)
    room.worker.wake()
    await until(room, [])
    assert await files_of_board(room) == ["board.png"]
    assert len(projector.asked) == 1
    worker.cancel()


async def until_done(room: Room) -> None:
    worker = asyncio.create_task(room.worker.run())
    await until(room, [])
    worker.cancel()


async def test_a_film_that_its_board_has_is_not_made_again(room: Room, projector: Projector) -> None:
    await room.services.actions.resign(room.table.id, ANNA, 50)
    await until_done(room)
    assert len(projector.asked) == 1
    shown = await room.services.outbox.shown(room.table.id, "board")
    assert shown is not None
    before = room.notes.messages[shown.message_id]
    for _ in range(2):
        room.restart()
        await room.services.outbox.resume()
        await until_done(room)
        assert len(projector.asked) == 1
        assert room.notes.messages[shown.message_id] is before, "an edit took the film away"
    count = len(room.notes.messages)
    del room.notes.messages[shown.message_id]
    room.restart()
    await room.services.outbox.resume()
    await until_done(room)
    assert len(projector.asked) == 1
    assert len(room.notes.messages) == count - 1, "what a moderator has deleted comes back"


@pytest.mark.parametrize("job_is_left", [False, True])
async def test_a_film_that_an_edit_takes_away_is_made_again(
    job_is_left: bool, room: Room, projector: Projector
) -> None:
    """It was made before a restart: the edit of a board that is doubted since then has no film at hand."""
    match = room.table.id
    await room.services.actions.resign(match, ANNA, 50)
    await until_done(room)
    room.restart()
    await room.services.outbox.mark_stale([match])
    kinds = [JobKind.BOARD, JobKind.FILM] if job_is_left else [JobKind.BOARD]
    await room.services.outbox.ask_for((match, kind, "") for kind in kinds)
    await until_done(room)
    assert await files_of_board(room) == ["board.png", "film.webp"]
    assert len(projector.asked) == 2


async def test_a_film_that_was_sent_before_a_crash_is_only_sent_again(
    room: Room, projector: Projector, monkeypatch: pytest.MonkeyPatch
) -> None:
    await room.services.actions.resign(room.table.id, ANNA, 50)
    await room.surfaces.board.update(room.table.id)
    await room.surfaces.board.make_film(room.table.id)

    async def killed(*_: object, **__: object) -> None:
        raise OSError("killed")

    with monkeypatch.context() as patch:
        patch.setattr(room.services.outbox, "set_shown", killed)
        with pytest.raises(OSError, match="killed"):
            await room.surfaces.board.update(room.table.id)
    assert await files_of_board(room) == ["board.png", "film.webp"]
    assert len(projector.asked) == 1
    count = len(room.notes.messages)
    room.restart()
    await room.services.outbox.resume()
    await until_done(room)
    assert len(room.notes.messages) == count
    assert await files_of_board(room) == ["board.png", "film.webp"]
    assert (await room.shown("film")).message_id == (await room.shown("board")).message_id


async def test_a_film_goes_to_the_last_board_though_that_one_was_late(
    room: Room, projector: Projector
) -> None:
    await room.surfaces.board.update(room.table.id)
    old = await room.services.outbox.shown(room.table.id, "board")
    await room.say(1)
    await room.services.actions.resign(room.table.id, ANNA, 50)
    await room.surfaces.board.make_film(room.table.id)
    await room.surfaces.board.update(room.table.id)
    assert await files_of_board(room) == ["board.png", "film.webp"]
    assert await room.services.outbox.shown(room.table.id, "board") != old


async def test_a_film_that_was_not_sent_before_a_restart_is_made_again(
    room: Room, projector: Projector
) -> None:
    await room.services.actions.resign(room.table.id, ANNA, 50)
    await room.surfaces.board.update(room.table.id)
    await room.services.outbox.resume()
    worker = asyncio.create_task(room.worker.run())
    await until(room, [])
    assert await files_of_board(room) == ["board.png", "film.webp"]
    worker.cancel()
