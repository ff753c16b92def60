"""Receives what the rehearsal has asked the operator to press or type, with a timeout."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import discord

from bot.domain.tables import PersonId
from bot.interactions.reply import Reply, SeenInteractions, guarded
from bot.pages.custom_ids import AnyId, PanelId, parse
from bot.rehearsal.findings import Differs, Skipped
from bot.rehearsal.props import Props

PATIENCE = 180.0
"""Seconds that the operator has for each thing that they are asked to do."""

VAIN = "it was done, and nothing arrived here"


@dataclass(frozen=True, slots=True)
class Touch:
    """What the operator did."""

    reply: Reply
    place: AnyId | None
    values: tuple[str, ...]


class Desk:
    """Takes the interactions of one rehearsal, and ignores all others."""

    def __init__(self, props: Props, patience: float = PATIENCE) -> None:
        self._props = props
        self.patience = patience
        self._seen = SeenInteractions()
        self._waiting: dict[AnyId | str, asyncio.Future[Touch]] = {}
        self.operator: PersonId | None = None
        """The person who pressed first; others are refused from then on."""

    async def take(self, interaction: discord.Interaction[Any]) -> None:
        """Deliver a click or a submitted modal to the line that waits for it."""
        data: Any = interaction.data or {}
        place = parse(data.get("custom_id"))
        if not isinstance(place, PanelId) or place.match != self._props.match:
            return  # it belongs to a match: nothing is answered, as while the bot is off
        if not self._seen.is_new(interaction.id):
            return
        await self._give(place, Reply(interaction), tuple(data.get("values", ())))

    async def take_command(self, name: str, reply: Reply, values: tuple[str, ...]) -> None:
        """Deliver a command to the line that waits for it."""
        await self._give(name, reply, values)

    async def _give(self, key: AnyId | str, reply: Reply, values: tuple[str, ...]) -> None:
        if self.operator not in (None, reply.person.id):
            await guarded(reply, lambda r: r.say("Somebody else rehearses here: please leave this to them."))
            return
        future = self._waiting.get(key)
        if future is None or future.done():
            await guarded(reply, lambda r: r.say("The rehearsal does not wait for this now."))
            return
        place = key if not isinstance(key, str) else None
        future.set_result(Touch(reply, place, values))

    @contextmanager
    def expecting(self, key: AnyId | str) -> Iterator[asyncio.Future[Touch]]:
        """Accept a component or a command within the block; earlier ones are refused."""
        future: asyncio.Future[Touch] = asyncio.get_running_loop().create_future()
        self._waiting[key] = future
        try:
            yield future
        finally:
            del self._waiting[key]
            future.cancel()

    async def wait(self, future: asyncio.Future[Touch], line: str) -> Touch:
        """Wait for the touch and return it.

        Raises :class:`Skipped` on timeout, or if the operator skips ``line``; :class:`Differs` if they
        report that nothing happened.
        """
        with (
            self.expecting(self._props.skipping(line)) as skip,
            self.expecting(self._props.failing(line)) as vain,
        ):
            await asyncio.wait(
                {future, skip, vain}, timeout=self.patience, return_when=asyncio.FIRST_COMPLETED
            )
            if future.done():
                return future.result()
            for pressed, found in ((skip, Skipped("skipped by the operator")), (vain, Differs(VAIN))):
                if pressed.done():
                    await guarded(pressed.result().reply, lambda reply: reply.say("Noted."))
                    raise found
            raise Skipped(f"nobody did it within {self.patience:.0f} s")
