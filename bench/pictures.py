"""How fast pictures come, and how large they are: ``python -m bench.pictures``.

Cold: a house that has just started is asked for a picture of every game at once while it warms up;
meanwhile a clock on the event loop sees how late it is woken, which is how late a reply would be. Warm:
each state of the catalogue is painted at full width and encoded, nothing of it remembered but scenes and
sprites, and the parts that a painter keeps; the measure beside it is a chess board of ``chess.svg`` made a
PNG by ``cairosvg`` at 600 pixels, in the same run. Act by act: the public boards of a whole match in their
order, each painted once, so that what an act has changed is new; scenes and sprites come from the disk, as
the house that was warmed has them. Times are of the processor. The exit status is 1 if a bound is not kept.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

from bot.workers.painter import PaintRequest
from bot.workers.painting_pool import PaintingPool
from engines.core.match import Match
from engines.core.registry import game
from engines.core.setups import complete
from renderers.core.caches import for_everybody, keep_on_disk
from renderers.core.contract import Picture, Table
from renderers.core.film import LIMIT, REEL_LIMIT
from renderers.core.registry import animator, renderer, renderers_by_game
from tests.renderers.catalogue import states
from tests.renderers.looks import TABLE, Look

CHESS = "r1bqk2r/pp2bppp/2n1pn2/2pp4/3P4/2PBPN2/PP1N1PPP/R1BQ1RK1 w kq - 2 7"
CHESS_SIZE = 600

RATIO, ACT_RATIO, BYTES = 0.4, 0.2, 120 * 1024
"""The bounds: time against the chess board's, for any state and act by act; bytes."""
FIRST, WARM, LATE = 5.0, 20.0, 0.5
"""The bounds: seconds to a first picture, until all is warm with an empty cache, of lateness."""

REPLAY = 3.0
"""Seconds that a replay may take."""

TICK = 0.005
ROUNDS = 5


def median_ms(work: Callable[[], object], rounds: int) -> float:
    """Return the milliseconds of ``work``, median of some rounds after one that does not count."""
    work()
    took: list[float] = []
    for _ in range(rounds):
        begun = time.process_time()
        work()
        took.append(1e3 * (time.process_time() - begun))
    return statistics.median(took)


def chess_ms(rounds: int) -> float | None:
    """Return what a chess board takes; ``None`` where the libraries for it are not there."""
    try:
        import cairosvg  # noqa: PLC0415 - it loads a library of the system that may be missing
        import chess  # noqa: PLC0415
        import chess.svg  # noqa: PLC0415
    except (ImportError, OSError) as error:
        print(f"no chess board to compare with: {error}")
        return None
    board = chess.Board(CHESS)
    return median_ms(lambda: cairosvg.svg2png(bytestring=chess.svg.board(board, size=CHESS_SIZE)), rounds)


def paint(look: Look, theme: str) -> Picture:
    """Paint a state as if it had never been asked for."""
    return look.painted(Table(TABLE.names, theme=theme))


def warm(key: str, theme: str, reference: float | None, rounds: int) -> bool:
    """Print the figures of a game in a theme; return whether the bounds are kept."""
    looks = list(states(key).values())
    times = [median_ms(lambda one=look: paint(one, theme), rounds) for look in looks]  # type: ignore[misc]
    sizes = [len(paint(look, theme).data) for look in looks]
    again = median_ms(lambda: looks[-1].paint(Table(TABLE.names, theme=theme)), rounds)
    middle = statistics.median(times)
    ratio = middle / reference if reference is not None else None
    print(
        f"{key:<6} {theme:<9} {len(looks):>6} {middle:>8.1f} {max(times):>8.1f} "
        f"{'' if ratio is None else f'{ratio:.2f}':>6} {statistics.median(sizes) / 1024:>8.0f} "
        f"{max(sizes) / 1024:>8.0f} {again:>8.3f}"
    )
    return (ratio is None or ratio <= RATIO) and max(sizes) <= BYTES


def acts(key: str, theme: str, reference: float | None) -> bool:
    """Print what the board takes after each act of a match; return whether the median keeps its bound."""
    times: list[float] = []
    with for_everybody():
        for match in whole_match(key, bytes(32)):
            paint(Look(key, match.view(None)), theme)
        for match in whole_match(key):
            begun = time.process_time()
            paint(Look(key, match.view(None)), theme)
            times.append(1e3 * (time.process_time() - begun))
    times.sort()
    middle = statistics.median(times)
    ratio = middle / reference if reference is not None else None
    print(
        f"{key} {theme}: {len(times)} boards act by act, {middle:.1f} ms (median), "
        f"{times[len(times) * 9 // 10]:.1f} ms (90 %){'' if ratio is None else f', ratio {ratio:.2f}'}"
    )
    return ratio is None or ratio <= ACT_RATIO


def whole_match(key: str, seed: bytes = bytes(range(32))) -> list[Match]:
    """Return a match of computer players, moment by moment, to its end."""
    match = Match.start(game(key), complete(game(key).manifest), seed)
    moments = [match]
    while match.waiting:
        seat = min(match.waiting)
        match = match.act(seat, match.computer(seat))
        moments.append(match)
    return moments


def film(key: str) -> bool:
    """Print how long a film of a whole match takes and how large it is; return whether it is small enough."""
    views = [match.view(None) for match in whole_match(key)]
    begun = time.perf_counter()
    picture = renderer(key).film(views, TABLE)
    took = time.perf_counter() - begun
    size = len(picture.data)
    print(f"{key}: a film of {len(views) - 1} turns takes {took:.1f} s and has {size / 1024:.0f} KiB")
    return size <= LIMIT


def replays(key: str) -> bool:
    """Print the slowest replay of a whole match and the largest; return whether both keep their bounds."""
    painter = animator(renderer(key))
    if painter is None:
        return True
    moments = whole_match(key)
    times, sizes = [0.0], [0]
    for before, after in pairwise(moments):
        facts = tuple(told for _, told in after.facts(None)[len(before.facts(None)) :])
        begun = time.perf_counter()
        picture = painter.animate(before.view(None), facts, TABLE)
        if picture is not None:
            times.append(time.perf_counter() - begun)
            sizes.append(len(picture.data))
    print(
        f"{key}: {len(times) - 1} replays take {statistics.median(times):.2f} s (median), "
        f"{max(times):.2f} s (at most), {max(sizes) / 1024:.0f} KiB (at most)"
    )
    return max(times) <= REPLAY and max(sizes) <= REEL_LIMIT


async def lateness(until: asyncio.Event) -> list[float]:
    """Return how many seconds late the event loop woke a sleeper, again and again."""
    late: list[float] = []
    while not until.is_set():
        begun = time.perf_counter()
        await asyncio.sleep(TICK)
        late.append(time.perf_counter() - begun - TICK)
    return late


async def start(folder: Path, name: str) -> bool:
    """Start a house and ask at once for a picture of every game; print how long it takes."""
    looks = {key: next(iter(states(key).values())) for key in renderers_by_game()}
    done = asyncio.Event()
    begun = time.perf_counter()
    async with PaintingPool(cache=folder, warm=True) as painter:
        clock = asyncio.create_task(lateness(done))
        came: list[float] = []
        for key, look in looks.items():
            picture = await painter.paint(PaintRequest(key, "board", TABLE, look.view))
            assert picture is not None
            came.append(time.perf_counter() - begun)
        await painter.warmed()
        whole = time.perf_counter() - begun
        done.set()
        late = sorted(await clock)
    print(
        f"{name}: first picture after {came[0]:.2f} s, one of every game after {came[-1]:.2f} s, "
        f"all warm after {whole:.1f} s; the event loop is late by "
        f"{1e3 * late[len(late) * 99 // 100]:.1f} ms (99 %), {1e3 * late[-1]:.1f} ms (at most)"
    )
    return came[0] <= FIRST and whole <= WARM and late[-1] <= LATE


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure all games; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how often each picture is painted")
    rounds: int = parser.parse_args(arguments).rounds
    kept: list[bool] = []
    reference = chess_ms(rounds)
    with tempfile.TemporaryDirectory() as folder:
        names = ("cold, empty cache", "cold, cache on disk")
        kept += [asyncio.run(start(Path(folder), name)) for name in names]
        entries = list(Path(folder).rglob("*.art"))
        total = sum(path.stat().st_size for path in entries) / 1024
        print(f"the cache on disk: {len(entries)} scenes and sprites, {total:.0f} KiB")
        if reference is not None:
            print(f"a chess board at {CHESS_SIZE} pixels: {reference:.1f} ms")
        keep_on_disk(Path(folder))
        for key, painter in renderers_by_game().items():
            kept += [acts(key, theme, reference) for theme in painter.themes]
        keep_on_disk(None)
    print("game   theme     states  ms (med) ms (max)  ratio KiB(med) KiB(max) ms again")
    for key, painter in renderers_by_game().items():
        kept += [warm(key, theme, reference, rounds) for theme in painter.themes]
    kept += [film(key) for key in renderers_by_game()]
    kept += [replays(key) for key in renderers_by_game()]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
