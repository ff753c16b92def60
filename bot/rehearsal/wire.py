"""What went over the wire: each of discord.py's requests with status, Discord's error code and duration."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import aiohttp

UPGRADED = 101
"""The status of a request that became the gateway's connection."""

RATE_LIMITED = 429


@dataclass(slots=True)
class Answer:
    """The response to one request. ``bucket`` and ``left`` come from its rate-limit headers."""

    method: str
    status: int
    ms: float
    code: int = 0
    bucket: str = field(default="", repr=False)
    left: str = ""

    def __str__(self) -> str:
        return f"{self.status}/{self.code}" if self.code else f"{self.status}"


class Wire:
    """Traces the HTTP session of a client. Bodies are read for their error code, and not kept."""

    def __init__(self) -> None:
        self.answers: list[Answer] = []

    def trace(self) -> aiohttp.TraceConfig:
        """Return a trace that records each request."""
        config = aiohttp.TraceConfig()
        config.on_request_start.append(self._begun)
        config.on_request_end.append(self._answered)
        config.on_response_chunk_received.append(self._read)
        return config

    async def _begun(self, _: aiohttp.ClientSession, about: SimpleNamespace, __: Any) -> None:
        about.begun = time.perf_counter()

    async def _answered(
        self, _: aiohttp.ClientSession, about: SimpleNamespace, params: aiohttp.TraceRequestEndParams
    ) -> None:
        headers = params.response.headers
        about.answer = Answer(
            params.method,
            params.response.status,
            1_000 * (time.perf_counter() - about.begun),
            bucket=headers.get("X-RateLimit-Bucket", ""),
            left=headers.get("X-RateLimit-Remaining", ""),
        )
        if about.answer.status != UPGRADED:
            self.answers.append(about.answer)

    async def _read(
        self,
        _: aiohttp.ClientSession,
        about: SimpleNamespace,
        params: aiohttp.TraceResponseChunkReceivedParams,
    ) -> None:
        answer: Answer | None = getattr(about, "answer", None)
        if answer is None or answer.status < 400:
            return
        with suppress(ValueError, KeyError, TypeError):
            answer.code = int(json.loads(params.chunk)["code"])


def codes(answers: Iterable[Answer]) -> str:
    """Return the status and error codes of responses, each once with its count."""
    counted = Counter(map(str, answers))
    return ", ".join(code if number == 1 else f"{code} ×{number}" for code, number in counted.items())
