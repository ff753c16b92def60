"""A sandbox with shards, PostgreSQL, and several processes of one bot."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from bot.cli import ExitCode
from bot.domain.address import Address
from bot.domain.shards import Shards
from sandbox.gateway.starts import Sharding
from sandbox.model import Guild
from sandbox.server import Sandbox
from tests.e2e.stage import Player
from tests.kit.environment import environment
from tests.kit.nursery import Program
from tests.kit.openapi import openapi
from tests.kit.person import Person
from tests.kit.waiting import eventually


class ShardedStage:
    """Processes that serve some shards each, as an asynchronous context manager."""

    def __init__(
        self,
        folder: Path,
        address: Address,
        parts: tuple[Shards | None, ...],
        *,
        shards: int = 0,
        people: Sequence[str] = ("Alba", "Bruno"),
        checked: bool = True,
    ) -> None:
        """``parts``: a process each; ``None``: one that serves all ``shards``. ``people``: who has a window.

        ``checked``: every body is compared with Discord's description of its API, which takes time.
        """
        self.folder = folder
        self.address = address
        self.parts = parts
        self.count = shards or next(part.count for part in parts if part is not None)
        self.sandbox = Sandbox(
            page=False,
            openapi=openapi() if checked else None,
            sharding=Sharding(shards=self.count, max_concurrency=self.count),
        )
        self._names = people
        self.people: dict[str, Player] = {}
        self.programs: dict[Shards | None, Program] = {}

    async def __aenter__(self) -> Self:
        await self.sandbox.start()
        for name in self._names:
            self.people[name] = Player(await Person.connect(self.sandbox.entrance, name))
        await self.start_all()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.kill_all()
        for player in self.people.values():
            await player.window.close()
        await self.sandbox.stop()

    @property
    def alba(self) -> Player:
        return self.people["Alba"]

    @property
    def bruno(self) -> Player:
        return self.people["Bruno"]

    def guild(self, shard: int) -> Guild:
        """Return a new server of a shard."""
        return self.sandbox.add_guild(f"Server of shard {shard}", shard=(shard, self.count))

    def games(self, guild: Guild) -> str:
        """Return the id of a server's channel for tables."""
        return str(self.sandbox.channel("games", guild).id)

    def environment(self) -> dict[str, str]:
        return environment(
            DISCORD_TOKEN=self.sandbox.token,
            BAUTA_API_URL=self.sandbox.api,
            BAUTA_GATEWAY_URL=self.sandbox.gateway,
            BAUTA_DATABASE=str(self.address) if isinstance(self.address, Path) else self.address.url,
        )

    def log(self, part: Shards | None) -> Path:
        return self.folder / f"bot-{part}.log"

    def start(self, part: Shards | None) -> Program:
        """Start a process and wait for nothing."""
        log = self.log(part)
        shards = () if part is None else ("--shards", str(part), "--shard-count", str(part.count))
        arguments = ("serve", "--until-eof", *shards)
        self.programs[part] = Program(arguments, self.environment(), log, log)
        return self.programs[part]

    async def start_all(self) -> None:
        """Start every process, and wait until all have sessions."""
        for part in self.parts:
            self.start(part)
        await self.connected(*self.parts)

    def ids(self, part: Shards | None) -> range:
        """Return the numbers of the shards that a process serves."""
        return range(self.count) if part is None else part.ids

    async def connected(self, *parts: Shards | None) -> None:
        """Wait until the shards of these processes have sessions."""
        wanted = {shard for part in parts for shard in self.ids(part)}

        def all_there() -> bool:
            for part in parts:
                # As whatever supervises it would.
                if self.programs[part].returncode == ExitCode.TRY_AGAIN:
                    self.start(part)
            return wanted <= self.shards()

        await eventually(all_there)

    def shards(self) -> set[int]:
        """Return the shards that have a connection now."""
        return {shard["shard"][0] for shard in self.sandbox.state.gateway.shards() if shard["connected"]}

    async def kill_all(self) -> None:
        """Kill every process."""
        for part in list(self.programs):
            await self.kill(part)

    async def kill(self, part: Shards | None) -> None:
        """Kill a process as a power cut would, and wait until it is gone."""
        self.programs[part].kill()
        await self.programs[part].wait()

    def freeze(self, part: Shards | None) -> None:
        os.kill(self.programs[part].pid, signal.SIGSTOP)

    def thaw(self, part: Shards | None) -> None:
        os.kill(self.programs[part].pid, signal.SIGCONT)
