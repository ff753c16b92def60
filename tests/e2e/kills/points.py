"""The moments at which the bot is killed: any, and those at which a kill hurts most."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from random import Random
from typing import Protocol, TypeAlias

from sandbox.faults import Fault
from sandbox.server import Sandbox
from tests.e2e.kills.books import Books
from tests.e2e.kills.people import Record
from tests.e2e.kills.tables import Chain
from tests.kit.waiting import PAUSE

HELD = 30.0
"""Seconds that a request or its answer is held back: longer than any kill lets wait."""

CARRIED_OUT = 0.06
"""Seconds after which a request whose answer is held back has been carried out."""

PATIENCE = 4.0
"""Seconds after which the bot is killed even though the moment has not come."""

LONGEST = 1.5
"""Seconds that a kill at any moment lets wait at most."""


class Scene(Protocol):
    """What the moments look at."""

    sandbox: Sandbox
    record: Record
    chains: list[Chain]
    places: dict[str, str]
    """The channels that routes name: the one with the tables, and those of direct messages."""
    rng: Random

    async def read(self) -> Books:
        """Read the database."""
        ...


Point: TypeAlias = Callable[[Scene], Awaitable[bool]]
"""Waits for its moment while the people play; false: it has not come."""


async def any_moment(scene: Scene) -> bool:
    await asyncio.sleep(scene.rng.uniform(0.0, LONGEST))
    return True


def held(route: str, *, answer: bool, confirming: bool = False, ending: bool = False) -> Point:
    """Kill while a request of ``route`` is on its way, or its ``answer``.

    ``confirming``: it is the first one after somebody confirms a sentence. ``ending``: somebody
    resigns before, so that a match ends and a table for the next one is opened.
    """

    async def wait(scene: Scene) -> bool:
        fault = Fault(
            at(scene, route),
            slow=0.0 if answer else HELD,
            late=HELD if answer else 0.0,
            drop=not answer,
        )

        def tell() -> None:
            scene.sandbox.state.faults.add(fault)

        if ending:
            await _resignation(scene)
        if confirming:
            scene.record.before_confirm = tell
        else:
            tell()
        came = await _comes(lambda: fault.times == 0)
        scene.record.before_confirm = None
        await asyncio.sleep(CARRIED_OUT + scene.rng.uniform(0.0, 0.05) if answer else 0.0)
        return came

    return wait


def overtaken(route: str) -> Point:
    """Kill while the answer to a message that was posted is on its way, and somebody has spoken since."""

    async def wait(scene: Scene) -> bool:
        fault = Fault(at(scene, route), late=HELD)
        scene.sandbox.state.faults.add(fault)
        if not await _comes(lambda: fault.times == 0):
            return False
        told = [saying for saying in scene.record.sayings if saying.told is not None]
        wanted = len(told) + scene.rng.randint(1, 2)
        return await _comes(lambda: sum(1 for s in scene.record.sayings if s.told is not None) >= wanted)

    return wait


def at(scene: Scene, route: str) -> str:
    """Return a route with the channels that it names."""
    for name, channels in scene.places.items():
        route = route.replace(name, channels)
    return route


async def confirming(scene: Scene) -> bool:
    """Kill within the blink of an eye after somebody confirms: commit, painting, answer."""
    confirmed = asyncio.Event()
    scene.record.before_confirm = confirmed.set
    came = await _comes(confirmed.is_set)
    scene.record.before_confirm = None
    await asyncio.sleep(scene.rng.uniform(0.0, 0.15))
    return came


async def ending(scene: Scene) -> bool:
    """Kill while a match ends: the last board, the table's message, the film."""
    came = await _resignation(scene)
    await asyncio.sleep(scene.rng.choice((0.2, 3.0)) * scene.rng.random())
    return came


async def rematch(scene: Scene) -> bool:
    """Kill while a rematch is opened, joined and begun."""
    pressed = asyncio.Event()
    for chain in scene.chains:
        chain.on_rematch = pressed
    came = await _resignation(scene) and await _comes(pressed.is_set)
    for chain in scene.chains:
        chain.on_rematch = None
    await asyncio.sleep(scene.rng.uniform(0.0, 0.4))
    return came


async def _resignation(scene: Scene) -> bool:
    playing = [chain for chain in scene.chains if chain.playing]
    if playing:
        await scene.rng.choice(scene.rng.choice(playing).seats).resign()
    return bool(playing)


async def _comes(moment: Callable[[], bool]) -> bool:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if moment():
            return True
        await asyncio.sleep(PAUSE)
    return False


BOARD = r"^POST /channels/(?!TABLES/|DIRECT/)\d+/messages$"
DIRECT = r"^POST /channels/DIRECT/messages$"
ANSWER = r"^PATCH /webhooks/.*/messages/@original$"
CALLBACK = r"^POST /interactions/.*/callback$"

POINTS: dict[str, Point] = {
    "any moment": any_moment,
    "a sentence is being confirmed": confirming,
    "committed, the answer not sent": held(ANSWER, answer=False, confirming=True),
    "committed, the answer not known to be there": held(ANSWER, answer=True, confirming=True),
    "acknowledged, not committed": held(CALLBACK, answer=True, confirming=True),
    "a board not posted": held(BOARD, answer=False),
    "a board posted, not noted": held(BOARD, answer=True),
    "a board posted, not noted, and overtaken": overtaken(BOARD),
    "a direct message not sent": held(DIRECT, answer=False),
    "a direct message sent, not noted": held(DIRECT, answer=True),
    "a direct message sent, not noted, and overtaken": overtaken(DIRECT),
    "a message edited, not noted": held(r"^PATCH /channels/\d+/messages/\d+$", answer=True),
    "an old board's buttons not taken away": held(r"^GET /channels/\d+/messages/\d+$", answer=False),
    "a table not posted": held(r"^POST /channels/TABLES/messages$", answer=False, ending=True),
    "a table posted, not noted": held(r"^POST /channels/TABLES/messages$", answer=True, ending=True),
    "a thread not begun": held(r"^POST /channels/.*/threads$", answer=False, ending=True),
    "a thread begun, not noted": held(r"^POST /channels/.*/threads$", answer=True, ending=True),
    "a match ends": ending,
    "a rematch": rematch,
}
"""Every point by its name. Starting and recovering are points too: see ``rounds``."""
