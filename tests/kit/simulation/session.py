"""Replaces the session of ``aiohttp`` in discord.py: requests go to the simulated Discord."""

from __future__ import annotations

import asyncio
import json
from types import TracebackType
from typing import TYPE_CHECKING, Any

import aiohttp

from tests.kit.simulation.discord import Discord
from tests.kit.simulation.loop import LIFE
from tests.kit.simulation.messages import Answer, Json

if TYPE_CHECKING:  # an older checkout's house may have none: see ``bench/simulation.py``
    from bot.gateway.rest_health import RestHealth


AWAY_S = 0.2
"""Seconds after which a request fails with a server error during an outage of Discord."""


class Session:
    """Replaces the session of ``aiohttp`` in discord.py."""

    closed = False

    def __init__(self, discord: Discord, rest: RestHealth | None = None) -> None:
        self._discord = discord
        self._rest = rest

    def request(self, method: str, url: str, **options: Any) -> _Exchange:
        """Return an exchange as a context manager."""
        path = url.partition("/api/v10")[2]
        body, files = _read(options.get("data"))
        request = (method, path, options.get("params") or {}, body, files)
        return _Exchange(self._discord, self._rest, *request)

    async def close(self) -> None:
        """Do nothing: there is no connection."""


class _Exchange:
    def __init__(self, discord: Discord, rest: RestHealth | None, *request: Any) -> None:
        self._discord = discord
        self._rest = rest
        self._request = request

    async def __aenter__(self) -> Answer:
        method, path, *_ = self._request
        if self._rest is None:  # older checkouts of the bot do not watch requests
            return await self._noted(method, path)
        attempt = self._rest.begin(method, path)
        try:
            answer = await self._noted(method, path)
        except BaseException as error:
            self._rest.failed(attempt, error)
            raise
        self._rest.answered(attempt, answer.status, answer.headers)
        return answer

    async def _noted(self, method: str, path: str) -> Answer:
        """Exchange, and report the outcome to the world; the outcome of a cancelled request is unknown."""
        ended = self._discord.on_request(method, path)
        try:
            answer = await self._exchange()
        except BaseException as error:
            ended(None if isinstance(error, asyncio.CancelledError) else False)
            raise
        ended(answer.status < 500)
        return answer

    async def _exchange(self) -> Answer:
        life, asking = LIFE.get(), self._discord.asking
        if self._discord.is_away:
            await asyncio.sleep(AWAY_S)
            return Answer(500, {"message": "away", "code": 0})
        asking[life] += 1
        try:
            return await self._discord.exchange(*self._request)
        finally:
            asking[life] -= 1

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return


def _read(data: Any) -> tuple[Json, dict[int, str]]:
    if data is None:
        return {}, {}
    if isinstance(data, aiohttp.FormData):
        body: Json = {}
        files: dict[int, str] = {}
        for options, _, value in data._fields:
            name = options["name"]
            if name == "payload_json":
                body = json.loads(value)
            else:
                files[int(name.partition("[")[2].rstrip("]"))] = value.read().decode()
        return body, files
    return json.loads(data), {}
