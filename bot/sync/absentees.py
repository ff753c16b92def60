"""People who cannot play any more: who has left the server, or is kept from writing there.

Being told of it would need a privileged intent; so they are looked for when they are asked, and reminded.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import discord

from bot.clocks.absences import Absences
from bot.discord_errors import FORBIDDEN
from bot.domain.refusals import Refusal
from bot.domain.tables import PersonId, Status
from bot.matches import Services
from bot.sync.client import MessageClient
from engines.core.contract import Seat

KNOWN_FOR = 3_600.0
"""Seconds for which somebody who was there counts as being there."""

MOST_KNOWN = 4_096
"""People who are remembered so."""


@dataclass(eq=False)
class Absentees:
    """Looks for those who are asked; every call can be repeated."""

    services: Services
    messages: MessageClient
    absences: Absences
    _seen: dict[tuple[int, PersonId], float] = field(default_factory=dict)
    """When people were seen on a server."""

    async def look(self, match: str, seats: Iterable[Seat]) -> None:
        """See whether the people of some seats are still there; whoever is not counts as absent."""
        table = await self.services.queries.table(match)
        if table.status is not Status.RUNNING:
            return
        for seat in seats:
            person = table.person_at(seat)
            if person is not None and not await self._is_there(table.place.guild_id, person):
                try:
                    await self.absences.gone(match, seat)
                except Refusal:
                    continue  # the match has moved on meanwhile

    async def _is_there(self, guild: int, person: PersonId) -> bool:
        now = self.services.cache.clock()
        if self._seen.get((guild, person), float("-inf")) > now - KNOWN_FOR:
            return True
        try:
            there = await self.messages.is_member(guild, person)
        except discord.HTTPException as error:
            if error.code not in FORBIDDEN and not isinstance(error, discord.NotFound):
                raise
            return True  # who was put out of a server itself can say nothing of its members
        if there:
            if len(self._seen) >= MOST_KNOWN:
                self._seen.clear()
            self._seen[guild, person] = now
        return there
