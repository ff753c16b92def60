"""The bot's own client, with the rehearsal in place of matches; and what went over its wire.

It does not answer players.
"""

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
import discord
from discord.app_commands import Choice, locale_str

from bot.gateway.connection import Client
from bot.interactions.command_factory import SERVERS, Option, Translator, Values, command
from bot.interactions.command_tree import Tree
from bot.interactions.reply import Reply, SeenInteractions
from bot.rehearsal.desk import Desk

COMMAND = "rehearse"
WORD = "word"
COMPLETIONS = ("gondola", "lagoon", "regatta")
"""The completions of the command's option."""


class RehearsalTree(Tree):
    """The rehearsal's command, in one server alone."""

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Return whether to go on: only with the rehearsal's own command, and only once."""
        data: Any = interaction.data or {}
        return data.get("name") == COMMAND and await super().interaction_check(interaction)


class RehearsalClient(Client):
    """A client that passes interactions to the desk. Its requests are traced."""

    guild: discord.Object
    """The server that the commands are for."""

    def __init__(self, desk: Desk, wire: Wire) -> None:
        super().__init__()
        self.http.http_trace = wire.trace()
        self.desk = desk
        self.completed: list[str] = []
        """What was typed each time a completion was requested."""
        self.tree = RehearsalTree(self, SeenInteractions())

    def play_in(self, guild: int) -> None:
        """Add the rehearsal's command for one server alone; this does not register it."""
        self.guild = discord.Object(guild)
        word = Option(WORD, locale_str("Any of the words that are offered"), completer=self._complete)
        about = locale_str("Bauta rehearses here: do as its message says")
        self.tree.add_command(
            command(COMMAND, about, self._commanded, [word], contexts=SERVERS), guild=self.guild
        )

    async def setup_hook(self) -> None:
        """Translate the commands' texts as the bot's are."""
        await self.tree.set_translator(Translator())

    async def on_ready(self) -> None:
        """Note that it has been connected."""
        self.served = True

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Hand clicks and modals to the desk; commands come through the tree."""
        kinds = (discord.InteractionType.component, discord.InteractionType.modal_submit)
        if interaction.type in kinds:
            await self.desk.take(interaction)

    async def _commanded(self, reply: Reply, values: Values) -> None:
        given = values.get(WORD)
        await self.desk.take_command(COMMAND, reply, () if given is None else (given,))

    async def _complete(self, _: Reply, typed: str) -> list[Choice[str]]:
        self.completed.append(typed)
        return [Choice(name=word, value=word) for word in COMPLETIONS if typed.casefold() in word]


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
