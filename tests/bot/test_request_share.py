"""Of what Discord takes of a bot in a second, each of its processes sends its share, evenly."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from typing import Any

import discord
import pytest

from bot.app import REQUESTS, _requests
from bot.discord_patches import AT_ONCE, share_requests
from bot.domain.shards import Shards


class Line(discord.http.HTTPClient):
    """Notes what is sent, and when."""

    def __init__(self, a_second: float) -> None:
        super().__init__(asyncio.get_running_loop())
        self.sent: list[tuple[float, int]] = []
        self.request = self._send  # type: ignore[assignment, method-assign]
        share_requests(self, a_second)

    async def _send(self, number: int, **options: Any) -> int:
        self.sent.append((asyncio.get_running_loop().time(), number))
        if options.get("fails"):
            raise RuntimeError("planned")
        return number

    async def ask(self, number: int, **options: Any) -> int:
        sender: Any = self
        answer: int = await sender.request(number, **options)
        return answer


async def test_no_second_has_more_than_a_share() -> None:
    share = 40.0
    line = Line(share)
    assert await asyncio.gather(*map(line.ask, range(60))) == list(range(60))
    times = [at for at, _ in line.sent]
    for begin in times:
        within = [at for at in times if begin <= at < begin + 1.0]
        assert len(within) <= share * (1 + AT_ONCE) + 1
    assert [number for _, number in line.sent] == list(range(60)), "whoever asked first is sent first"
    assert times[-1] - times[0] < 5.0, "no slower than that, either"


async def test_the_smallest_share_sends_too() -> None:
    line = Line(1.0)
    assert await line.ask(7) == 7


async def test_who_fails_or_gives_up_holds_up_nobody() -> None:
    line = Line(20.0)
    with pytest.raises(RuntimeError):
        await line.ask(0, fails=True)
    tasks = [asyncio.create_task(line.ask(number)) for number in range(1, 8)]
    await asyncio.sleep(0)
    for task in tasks[2:5]:
        task.cancel()
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    assert [answer for answer in answers if isinstance(answer, int)] == [1, 2, 6, 7]
    assert [number for _, number in line.sent] == [0, 1, 2, 6, 7]
    assert all(before <= after for before, after in pairwise(line.sent))


SHARES = {
    "one process": (None, False, None),
    "one process with all shards": (Shards(0, 3, 4), False, None),
    "a quarter": (Shards(1, 1, 4), False, REQUESTS / 4),
    "a proxy keeps the limits": (Shards(1, 1, 4), True, None),
    "one of very many": (Shards(7, 7, 1_000), False, 1.0),
}


@pytest.mark.parametrize(("shards", "has_proxy", "expected"), SHARES.values(), ids=SHARES)
def test_what_is_the_share_of_a_process(
    shards: Shards | None, has_proxy: bool, expected: float | None
) -> None:
    assert _requests(shards, has_proxy=has_proxy) == expected
