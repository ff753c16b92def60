"""Painting in processes of its own: once for equal requests, and never the end of anything."""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
import signal
import socket
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from bot.workers.painter import PaintRequest, ReelRequest
from bot.workers.painting_pool import PaintingPool, QueueFigures, Wanted, always
from bot.workers.pool import Places
from bot.workers.worker import frame
from renderers.core.contract import Table
from renderers.core.registry import renderer, renderers_by_game
from tests.kit.samples import MORE, some
from tests.kit.waiting import PATIENCE, eventually, let_others_run
from tests.ui.jobs import (
    counts,
    fails,
    grumbles,
    leaves_a_mark,
    notes_its_process,
    nothing_to_warm,
    obeys,
    some_jobs,
    waits_for_a_file,
)
from tests.ui.positions import PAINTED, begun

pytestmark = pytest.mark.usefixtures("forked")

TABLE = Table(("Anna", "Ben"))


def request(key: str = PAINTED[0], **more: object) -> PaintRequest:
    return PaintRequest(key, "board", TABLE, begun(key, 0).view(None), **more)  # type: ignore[arg-type]


def marking(path: Path) -> PaintRequest:
    return request(draft=(str(path),))


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("key", some(PAINTED))
async def test_a_picture_from_a_process_is_the_painters(key: str) -> None:
    async with PaintingPool(workers=1) as painter:
        picture = await painter.paint(request(key))
    assert picture == renderer(key).paint(begun(key, 0).view(None), "board", TABLE)


async def test_equal_requests_are_painted_once() -> None:
    async with PaintingPool(workers=2, paint_with=counts) as painter:
        both = await asyncio.gather(painter.paint(request()), painter.paint(request()))
        assert both[0] is both[1]
        assert await painter.paint(request()) is both[0]
        other = await painter.paint(request(draft=("a",)))
        assert other is not None
        assert other != both[0]


async def test_finished_pictures_are_kept_within_their_bytes() -> None:
    size = len(pickle.dumps(request(draft=("a",))))
    async with PaintingPool(workers=1, kept=2 * size, paint_with=counts) as painter:
        first = await painter.paint(request())
        for word in ("a", "b"):
            await painter.paint(request(draft=(word,)))
        assert await painter.paint(request()) != first


async def test_a_painter_that_fails_gives_no_picture(caplog: pytest.LogCaptureFixture) -> None:
    async with PaintingPool(workers=1, paint_with=fails) as painter:
        assert await painter.paint(request()) is None
    assert len(caplog.records) == 1
    assert "ValueError" in caplog.text


async def test_a_process_that_dies_is_replaced() -> None:
    async with PaintingPool(workers=1, paint_with=obeys) as painter:
        assert await painter.paint(request(draft=("die",))) is None
        assert await painter.paint(request()) is not None


async def test_a_process_that_is_killed_in_the_middle_of_an_answer_hangs_nobody() -> None:
    async with PaintingPool(workers=2, paint_with=obeys) as painter:
        half = asyncio.create_task(painter.paint(request(draft=("half",))))
        others = [painter.paint(request(draft=(str(number),))) for number in range(4)]
        assert None not in await asyncio.gather(*others)
        assert await half is None
        processes = list(painter.painters.processes)
        for process in processes:
            os.kill(process.pid, signal.SIGKILL)
        # All are gone at once: one retry, and a fresh one paints.
        assert await painter.paint(request(draft=("fresh",))) is not None
    assert not any(is_running(process.pid) for process in processes)


def test_a_process_ends_in_silence_when_nobody_reads_its_answer_any_more() -> None:
    line, theirs = socket.socketpair()
    command = [sys.executable, "-m", "bot.workers", str(theirs.fileno()), "painter", "1"]
    with (
        line,
        theirs,
        subprocess.Popen(command, pass_fds=[theirs.fileno()], stderr=subprocess.PIPE) as process,
    ):
        line.recv(1)
        # Its jobs do not end: only its answers go nowhere.
        line.shutdown(socket.SHUT_RD)
        line.sendall(frame((counts, (b"",))))
        assert process.communicate()[1] == b""
    assert process.returncode == 0


async def test_whoever_waits_for_a_picture_when_the_bot_stops_gets_words_in_time() -> None:
    async with PaintingPool(workers=1, hurry=120.0, paint_with=obeys) as painter:
        waiting = [asyncio.create_task(painter.paint(request(draft=("sleep",)), always))]
        board = asyncio.create_task(painter.paint(request()))
        await let_others_run()
        painter.end_hurry(0.01)
        waiting.append(asyncio.create_task(painter.paint(request(draft=("late",)), always)))
        assert await asyncio.gather(*waiting) == [None, None]
        assert not board.done()


async def test_a_pool_is_closed_whatever_its_processes_do() -> None:
    async with PaintingPool(workers=2, paint_with=obeys) as painter:
        painter.painters.start_all()
        pids = [process.pid for process in painter.painters.processes]
        os.kill(pids[0], signal.SIGSTOP)
        waiting = [
            asyncio.create_task(painter.paint(request(draft=(word,)))) for word in ("sleep", "a", "b", "c")
        ]
        await let_others_run()
    assert not any(is_running(pid) for pid in pids)
    ended = await asyncio.gather(*waiting, return_exceptions=True)
    assert all(each is None or isinstance(each, asyncio.CancelledError) for each in ended)


async def test_a_picture_that_takes_too_long_is_given_up() -> None:
    async with PaintingPool(workers=1, patience=1.0, paint_with=obeys) as painter:
        assert await painter.paint(request(draft=("sleep",))) is None
        painter.patience = PATIENCE
        assert await painter.paint(request()) is not None


async def test_who_stops_waiting_spoils_it_for_nobody() -> None:
    async with PaintingPool(workers=1, paint_with=counts) as painter:
        first = asyncio.create_task(painter.paint(request()))
        second = asyncio.create_task(painter.paint(request()))
        await let_others_run()
        first.cancel()
        assert await second is not None


async def test_a_picture_that_nobody_waits_for_is_not_painted(tmp_path: Path) -> None:
    async with PaintingPool(workers=1, paint_with=leaves_a_mark) as painter:
        await painter.paint(marking(tmp_path / "ready"))
        running = asyncio.create_task(painter.paint(marking(tmp_path / "running")))
        overtaken = [asyncio.create_task(painter.paint(marking(tmp_path / f"old{n}"))) for n in range(3)]
        wanted = asyncio.create_task(painter.paint(marking(tmp_path / "wanted")))
        await let_others_run()
        for task in overtaken:
            task.cancel()
        assert await wanted is not None
        assert await running is not None
    assert names_in(tmp_path) == {"ready", "running", "wanted"}


async def test_a_picture_that_is_overtaken_is_not_painted(tmp_path: Path) -> None:
    async with PaintingPool(workers=1, paint_with=leaves_a_mark) as painter:
        await painter.paint(marking(tmp_path / "ready"))
        newest = ""
        asked = [
            painter.paint(marking(tmp_path / name), lambda name=name: name == newest)  # type: ignore[misc]
            for name in ("old0", "old1", "new")
        ]
        running = asyncio.create_task(painter.paint(marking(tmp_path / "running")))
        tasks = [asyncio.create_task(each) for each in asked]
        await let_others_run()
        newest = "new"
        pictures = await asyncio.gather(*tasks)
        assert await running is not None
        assert [picture is None for picture in pictures] == [True, True, False]
        assert painter.figures.overtaken == 2
    assert names_in(tmp_path) == {"ready", "running", "new"}


async def test_it_is_painted_as_long_as_one_who_waits_wants_it() -> None:
    async with PaintingPool(workers=1, hurry=120.0, paint_with=counts) as painter:
        running = asyncio.create_task(painter.paint(request(draft=("first",))))
        await asyncio.sleep(0)
        both = await asyncio.gather(painter.paint(request(), lambda: False), painter.paint(request(), always))
        assert both[0] is both[1]
        assert both[0] is not None
        await running


async def test_a_board_goes_before_the_panels_that_wait() -> None:
    order: list[str] = []

    async def paint(painter: PaintingPool, name: str, wanted: Wanted | None) -> None:
        assert await painter.paint(request(draft=(name,)), wanted) is not None
        order.append(name)

    async with PaintingPool(workers=1, hurry=120.0, paint_with=counts) as painter:
        panels = [paint(painter, f"panel {number}", always) for number in range(3)]
        await asyncio.gather(*panels, paint(painter, "board", None))
    assert order == ["panel 0", "board", "panel 1", "panel 2"]


async def test_a_place_that_nobody_takes_goes_to_the_next() -> None:
    places = Places(1)
    await places.acquire()
    gone, late, last = (asyncio.create_task(places.acquire()) for _ in range(3))
    await let_others_run()
    gone.cancel()
    await let_others_run()
    places.release()
    late.cancel()  # its turn has come, and it does not know yet
    await asyncio.wait([gone, late])
    await let_others_run()
    assert (gone.cancelled(), late.cancelled(), last.done()) == (True, True, True)


async def test_the_queue_has_an_end(tmp_path: Path) -> None:
    async with PaintingPool(workers=1, queue=2, hurry=120.0, paint_with=leaves_a_mark) as painter:
        hurried = [painter.paint(marking(tmp_path / f"p{number}"), always) for number in range(5)]
        patient = painter.paint(marking(tmp_path / "board"))
        pictures = await asyncio.gather(*hurried, patient)
        assert [picture is None for picture in pictures] == [False, False, False, True, True, False]
        figures = painter.figures
        assert (figures.refused, figures.deepest, len(figures.waits)) == (2, 4, 4)
        assert figures.waits == sorted(figures.waits)
        assert figures.waits[-1] > 0.7
        assert await painter.paint(marking(tmp_path / "later")) is not None
    assert names_in(tmp_path) == {"p0", "p1", "p2", "board", "later"}


async def test_words_at_once_are_better_than_a_picture_too_late(tmp_path: Path) -> None:
    async with PaintingPool(workers=1, hurry=0.2, paint_with=leaves_a_mark) as painter:
        await painter.paint(marking(tmp_path / "ready"))
        pictures = await asyncio.gather(
            painter.paint(marking(tmp_path / "running")),
            painter.paint(marking(tmp_path / "panel"), always),
            painter.paint(marking(tmp_path / "board")),
        )
        assert [picture is None for picture in pictures] == [False, True, False]
        assert painter.figures.refused == 1
        assert await painter.paint(marking(tmp_path / "later"), always) is not None
    assert names_in(tmp_path) == {"ready", "running", "board", "later"}


async def test_the_log_tells_how_long_pictures_wait(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.INFO)
    monkeypatch.setattr("bot.workers.painting_pool.FIGURES_INTERVAL_S", 0.05)
    async with PaintingPool(workers=1, paint_with=counts) as painter:
        await painter.paint(request())
        await eventually(lambda: caplog.records)
    line = caplog.records[0].getMessage()
    assert line.startswith("pictures: 1 painted after ")
    assert line.endswith("; 1 at once, 0 overtaken, 0 left to words, 0 boards without their moving picture")


def test_figures_of_nothing_are_not_told() -> None:
    assert QueueFigures().line() == ""
    assert "0 painted" in QueueFigures(refused=3).line()


async def test_waiting_in_the_queue_does_not_count_as_painting() -> None:
    async with PaintingPool(workers=1, paint_with=counts) as painter:
        await painter.paint(request())
        painter.patience = 2.0  # that of a picture takes a tenth of it, and that of all of them more
        found = await asyncio.gather(*(painter.paint(request(draft=(str(n),))) for n in range(12)))
    assert None not in found


async def test_what_the_processes_log_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    async with PaintingPool(workers=2, paint_with=grumbles) as painter:
        for word in ("a", "b", "c"):
            assert await painter.paint(request(draft=(word,))) is not None
    assert [(r.name, r.levelno, r.getMessage()) for r in caplog.records] == [
        ("renderers.grumble", logging.WARNING, "the brush is dry")
    ]


async def test_processes_start_with_the_first_picture_or_all_at_once_to_warm_up(tmp_path: Path) -> None:
    async with PaintingPool(workers=2, paint_with=counts) as painter:
        assert not painter.painters.processes
        await painter.paint(request())
        (process,) = painter.painters.processes
        assert is_running(process.pid)
    assert not is_running(process.pid)
    async with PaintingPool(workers=2, paint_with=counts, cache=tmp_path, warm=True) as painter:
        assert len(painter.painters.processes) == 2


@pytest.mark.nightly
async def test_warming_up_fills_the_folder_and_pictures_go_first(tmp_path: Path) -> None:
    async with PaintingPool(workers=1, cache=tmp_path, warm=True) as painter:
        picture = await painter.paint(request())
        warmed = asyncio.create_task(painter.warmed())
        await let_others_run()
        assert not warmed.done(), "the picture waited for everything to be warm"
        await warmed
    assert picture == renderer(PAINTED[0]).paint(begun(PAINTED[0], 0).view(None), "board", TABLE)
    assert 0 < len(names_in(tmp_path)) <= len(renderers_by_game())


async def test_what_has_warmed_up_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.workers.painter.warm_jobs", nothing_to_warm)
    async with PaintingPool(workers=1, warm=True) as painter:
        await painter.warmed()
        assert not painter.slow_painter.processes
        assert painter.painters.processes


@pytest.mark.parametrize(("workers", "helpers"), some([(3, 2), (1, 1), (2, 2)]))
async def test_a_painter_helps_to_warm_up_where_another_is_free(
    workers: int, helpers: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = tmp_path / "notes"
    monkeypatch.setattr("bot.workers.painter.warm_jobs", partial(some_jobs, str(notes)))
    monkeypatch.setattr("bot.workers.painter.warm", notes_its_process)
    async with PaintingPool(workers=workers, warm=True) as painter:
        await painter.warmed()
    jobs, processes = zip(*(line.split() for line in notes.read_text().splitlines()), strict=True)
    assert sorted(jobs) == ["0", "1", "2", "3", "4", "5"]
    assert len(set(processes)) == helpers


async def test_a_folder_that_cannot_be_used_costs_one_line(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("no folder")
    async with PaintingPool(workers=2, cache=tmp_path / "file") as painter:
        for key in PAINTED[: 2 * MORE]:
            assert await painter.paint(request(key)) is not None
    messages = [record.getMessage() for record in caplog.records]
    assert messages
    assert len(messages) == len(set(messages))
    assert all("picture cache" in message for message in messages)


def test_a_request_does_not_print_what_it_shows() -> None:
    assert "view" not in repr(request())


async def test_a_moving_picture_that_comes_too_late_costs_no_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.workers.painter.reel", waits_for_a_file)
    for wait in ("REEL_START_WAIT", "REEL_WAIT"):
        monkeypatch.setattr(f"bot.workers.painting_pool.{wait}", 60.0)

    def round_of(name: str) -> ReelRequest:
        return ReelRequest(str(tmp_path / name), TABLE, None, ())

    (tmp_path / "first").write_text("")
    async with PaintingPool(workers=1) as painter:
        first = await painter.reel(round_of("first"))
        monkeypatch.setattr("bot.workers.painting_pool.REEL_WAIT", 0.05)
        assert await painter.reel(round_of("late")) is None
        monkeypatch.setattr("bot.workers.painting_pool.REEL_WAIT", 60.0)
        next_one = asyncio.create_task(painter.reel(round_of("first_again")))
        await asyncio.sleep(0.1)  # twice as long as the late one may take
        for name in ("late", "first_again"):
            (tmp_path / name).write_text("")
        second = await next_one
        assert first is not None
        assert second is not None
        assert first.alt == second.alt
        # Nobody could paint it now.
        (tmp_path / "late").unlink()
        monkeypatch.setattr("bot.workers.painting_pool.REEL_WAIT", 0.5)
        late = await painter.reel(round_of("late"))
        assert late is not None
        assert late.alt == first.alt, "it was kept for the next edit"
        assert painter.figures.unmoved == 1


async def test_a_board_does_not_queue_for_a_moving_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.workers.painter.reel", waits_for_a_file)
    monkeypatch.setattr("bot.workers.painting_pool.REEL_START_WAIT", 0.0)
    monkeypatch.setattr("bot.workers.painting_pool.REEL_WAIT", 600.0)
    async with PaintingPool(workers=1) as painter:
        first = asyncio.create_task(painter.reel(ReelRequest(str(tmp_path / "first"), TABLE, None, ())))
        await asyncio.sleep(0)
        assert await painter.reel(ReelRequest("second", TABLE, None, ())) is None
        (tmp_path / "first").write_text("")
        assert await first is not None
