"""Interfaces between the parts of a simulated world."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Protocol

from tests.kit.simulation.database import Database
from tests.kit.simulation.discord import Discord
from tests.kit.simulation.habits import Somebody
from tests.kit.simulation.house import House
from tests.kit.simulation.ledger import Ledger
from tests.kit.simulation.loop import SeededLoop
from tests.kit.simulation.messages import Channel, Message
from tests.kit.simulation.plan import Plan
from tests.kit.simulation.recorder import Recorder


class Connections(Protocol):
    """The connections of Discord's gateway to the bot's processes."""

    @property
    def is_whole(self) -> bool: ...

    def is_away(self, shard: int) -> bool: ...

    def keep(self, shard: int, event: Callable[[House], object]) -> None: ...

    async def connected(self, shard: int) -> None: ...

    def lose_session(self, shard: int) -> None: ...

    def go_away(self, shard: int, seconds: float, *, resumes: bool) -> None: ...


class Running(Protocol):
    """The bot's processes."""

    lives: list[int]
    houses: dict[int, House]

    @property
    def count(self) -> int: ...

    def is_whole(self) -> bool: ...

    def freeze(self, shard: int, seconds: float) -> None: ...

    def lose(self, shard: int, seconds: float) -> None: ...


class Stage(Protocol):
    """The world, as seen by its parts."""

    random: Random
    entropy: Random
    loop: SeededLoop
    plan: Plan
    discord: Discord
    database: Database
    ledger: Ledger
    recorder: Recorder
    tally: Counter[str]

    @property
    def gateway(self) -> Connections: ...

    @property
    def processes(self) -> Running: ...

    @property
    def players(self) -> Sequence[Somebody]: ...

    @property
    def has_trouble(self) -> bool: ...

    def wall(self) -> float: ...

    def set_clock(self, seconds: float) -> None: ...

    def tell(self, what: str, text: str) -> None: ...

    def found(self, kind: str, text: str) -> None: ...

    def delete_message(self, message: Message) -> None: ...

    def delete_thread(self, thread: Channel) -> None: ...
