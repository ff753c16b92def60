"""The same evening, told by both opinions, and where the two stories part."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from bot.workers.painting_pool import PaintingPool
from tests.nightly.referee.house import opened
from tests.nightly.referee.loopback import loopback
from tests.nightly.referee.rulings import RULINGS
from tests.nightly.referee.script import Scene
from tests.nightly.referee.simulated import simulated
from tests.nightly.referee.story import Story, difference
from tests.nightly.referee.world import World

Script = Callable[[Scene], Awaitable[None]]


async def both(script: Script, folder: Path) -> tuple[Story, Story]:
    """Play a script in both worlds; fails where they tell it differently.

    The painter is one: what is the same picture is painted once.
    """
    async with PaintingPool(cache=Path(os.environ["BAUTA_CACHE"])) as painter:
        async with opened(folder / "simcord.db", painter) as house, simulated(house) as here:
            one = await _told(script, here)
        async with opened(folder / "sandbox.db", painter) as house, loopback(house, folder) as there:
            other = await _told(script, there)
    parted = difference(one.lines, other.lines)
    if parted:
        pytest.fail(f"simcord (one) and the sandbox (other) tell different stories:\n{parted}", pytrace=False)
    return one, other


async def _told(script: Script, world: World) -> Story:
    story = Story(world, RULINGS)
    await world.settle()
    await story.note("at the beginning")
    await script(Scene(world, story))
    return story
