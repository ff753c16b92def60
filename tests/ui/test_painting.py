"""Painting in processes of its own: once for equal requests, and never the end of anything."""

from __future__ import annotations

import asyncio
import os
import time

import pytest

from bot.painting import Painter, Request
from renderers.core.contract import Picture, Table
from renderers.core.registry import renderer
from tests.ui.positions import KEYS, begun

TABLE = Table(("Anna", "Ben"))


def request(key: str = KEYS[0], **more: object) -> Request:
    return Request(key, "board", TABLE, begun(key, 0).view(None), **more)  # type: ignore[arg-type]


def fails(packed: bytes) -> Picture:
    raise ValueError(packed[:1])


def dies(packed: bytes) -> Picture:
    os._exit(len(packed) % 1 + 3)


def sleeps(packed: bytes) -> Picture:
    time.sleep(30)
    return fails(packed)


def counts(packed: bytes) -> Picture:
    time.sleep(0.2)
    return Picture(packed, f"image/{os.getpid()}-{time.monotonic_ns()}", 1, 1, "")


@pytest.mark.parametrize("key", KEYS)
async def test_a_picture_from_a_process_is_the_painters(key: str) -> None:
    async with Painter(workers=1) as painter:
        picture = await painter.paint(request(key))
    assert picture == renderer(key).paint(begun(key, 0).view(None), "board", TABLE)


async def test_equal_requests_are_painted_once() -> None:
    async with Painter(workers=2, paint_with=counts) as painter:
        both = await asyncio.gather(painter.paint(request()), painter.paint(request()))
        assert both[0] is both[1]
        assert await painter.paint(request()) is both[0]
        other = await painter.paint(request(draft=("a",)))
        assert other is not None
        assert other != both[0]


async def test_only_some_finished_pictures_are_kept() -> None:
    async with Painter(workers=1, kept=2, paint_with=counts) as painter:
        first = await painter.paint(request())
        for word in ("a", "b"):
            await painter.paint(request(draft=(word,)))
        assert await painter.paint(request()) != first


async def test_a_painter_that_fails_gives_no_picture(caplog: pytest.LogCaptureFixture) -> None:
    async with Painter(workers=1, paint_with=fails) as painter:
        assert await painter.paint(request()) is None
    assert len(caplog.records) == 1
    assert "ValueError" in caplog.text


async def test_a_process_that_dies_is_replaced() -> None:
    async with Painter(workers=1, paint_with=dies) as painter:
        assert await painter.paint(request()) is None
        painter._brush = counts
        assert await painter.paint(request()) is not None


async def test_a_picture_that_takes_too_long_is_given_up() -> None:
    async with Painter(workers=1, patience=1.0, paint_with=sleeps) as painter:
        assert await painter.paint(request()) is None
        painter._brush, painter._patience = counts, 20.0
        assert await painter.paint(request()) is not None


async def test_who_stops_waiting_spoils_it_for_nobody() -> None:
    async with Painter(workers=1, paint_with=counts) as painter:
        first = asyncio.create_task(painter.paint(request()))
        second = asyncio.create_task(painter.paint(request()))
        await asyncio.sleep(0.05)
        first.cancel()
        assert await second is not None


def test_a_request_does_not_print_what_it_shows() -> None:
    assert "view" not in repr(request())
