"""Stands in for the session of ``aiohttp`` in discord.py: requests go to the simulated Discord."""

from __future__ import annotations

import json
from types import TracebackType
from typing import Any

import aiohttp

from tests.kit.simulation.discord import Discord
from tests.kit.simulation.loop import LIFE
from tests.kit.simulation.messages import Answer, Json


class Session:
    """Stands in for the session of ``aiohttp`` in discord.py."""

    closed = False

    def __init__(self, discord: Discord) -> None:
        self._discord = discord

    def request(self, method: str, url: str, **options: Any) -> _Exchange:
        """Return an exchange, to be entered."""
        path = url.partition("/api/v10")[2]
        body, files = _read(options.get("data"))
        return _Exchange(self._discord, method, path, options.get("params") or {}, body, files)

    async def close(self) -> None:
        """Do nothing: there is no connection."""


class _Exchange:
    def __init__(self, discord: Discord, *request: Any) -> None:
        self._discord = discord
        self._request = request

    async def __aenter__(self) -> Answer:
        life, asking = LIFE.get(), self._discord.asking
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
