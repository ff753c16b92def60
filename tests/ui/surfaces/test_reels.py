"""What has just happened comes moving beside the board, for games whose painters show it."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from bot.domain.match import RowKind
from bot.matches.match_log import MatchLog
from bot.pages.board import board_page
from bot.pages.texts import Texts
from bot.sync import pictures
from bot.workers import painter
from bot.workers.painter import ReelRequest
from bot.workers.painting_pool import PaintingPool
from engines.core.contract import Fact, facts_for
from engines.core.registry import game, games
from engines.core.setups import complete
from renderers.core.contract import Picture, Table
from renderers.core.film import REEL_LIMIT
from renderers.core.registry import animator, renderers_by_game
from tests.kit.waiting import for_ever
from tests.ui.surfaces.room import Room

REEL = Picture(b"reel", "image/webp", 1, 1, "the round")
MOVING = [key for key, painter in renderers_by_game().items() if animator(painter) is not None]


@pytest.fixture
def asked(room: Room, monkeypatch: pytest.MonkeyPatch) -> list[ReelRequest]:
    """Let every painter show what has happened; return what is asked of them."""
    found: list[ReelRequest] = []

    async def reel(request: ReelRequest) -> Picture:
        found.append(request)
        return REEL

    monkeypatch.setattr(pictures, "animator", lambda painter: painter)
    monkeypatch.setattr(room.painter, "reel", reel)
    return found


async def files(room: Room, theme: str | None = None) -> list[str]:
    board = await room.services.queries.board(room.table.id)
    page = board_page(board, Texts(), await room.pictures.board(board, Texts(), theme))
    return [item.filename for item in page.uploads]


async def test_a_board_brings_what_has_just_happened(room: Room, asked: list[ReelRequest]) -> None:
    before = (await room.services.queries.board(room.table.id)).view
    assert await files(room) == ["board.png"], "nothing has happened yet"
    await room.say(1)
    assert await files(room) == ["board.png", "round.webp"]
    assert asked[-1].before == before
    told = (await room.services.queries.board(room.table.id)).told
    assert asked[-1].facts == tuple(each.fact for each in told if each.batch)


async def test_who_looks_in_private_waits_for_no_moving_picture(room: Room, asked: list[ReelRequest]) -> None:
    await room.say(1)
    assert await files(room, theme="default") == ["board.png"]
    assert asked == []


async def test_a_game_without_such_a_painter_is_not_asked(
    room: Room, asked: list[ReelRequest], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "animator", lambda _: None)
    await room.say(1)
    assert await files(room) == ["board.png"]
    assert asked == []


async def test_a_moving_picture_that_takes_too_long_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    async def endless(*_: object) -> Any:
        await for_ever()

    monkeypatch.setattr("bot.workers.painting_pool.REEL_WAIT", 0.05)
    async with PaintingPool(workers=1) as painter:
        monkeypatch.setattr(painter, "_work", endless)
        assert await painter.reel(ReelRequest("any", Table(("Anna", "Ben")), None, ())) is None
        assert "1 boards without their moving picture" in painter.figures.line()


@pytest.mark.parametrize("key", games())
def test_what_was_before_is_what_the_board_before_began_with(key: str) -> None:
    chronicle = MatchLog.begin(game(key), complete(game(key).manifest), bytes(32))
    views = [chronicle.public.view]
    facts: list[Fact] = []
    told: list[Fact] = []
    for number in range(40):
        if not chronicle.public.waiting:
            break
        seat = min(chronicle.public.waiting)
        words = chronicle.match.computer(seat)
        chronicle = chronicle.write(RowKind.ACT, seat, words, str(number), float(number))
        public = chronicle.public
        facts += facts_for(chronicle.match.batches[-1], None)
        if public.epoch == public.version and public.view != views[-1]:
            views.append(public.view)
            told, facts = facts, []
        if len(views) > 1:
            assert public.before == views[-2]
            assert list(chronicle.opening()) == told
    assert len(views) > 1, "nothing has happened"


@pytest.mark.parametrize("key", MOVING)
def test_a_round_is_shown_moving_in_a_megabyte(key: str) -> None:
    chronicle = MatchLog.begin(game(key), complete(game(key).manifest), bytes(32))
    table = Table(tuple(f"Player {seat}" for seat in range(chronicle.match.setup.seats)))
    for number in range(80):
        seat = min(chronicle.public.waiting)
        words = chronicle.match.computer(seat)
        chronicle = chronicle.write(RowKind.ACT, seat, words, str(number), float(number))
        if chronicle.public.before is None:
            continue
        request = ReelRequest(key, table, chronicle.public.before, chronicle.opening())
        picture = painter.reel(pickle.dumps(request))
        if picture is not None:
            assert picture.media_type == "image/webp"
            assert len(picture.data) <= REEL_LIMIT
            assert painter.reel(pickle.dumps(request)) == picture
            return
    raise AssertionError("nothing ever moved")
