"""People who cannot play any more: they have left the server, or are timed out there.

Events about that would need a privileged intent; so people are checked when they are asked or reminded.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import discord

from bot.clocks.absences import Absences
from bot.domain.refusals import Refusal
from bot.domain.tables import PersonId, Status
from bot.gateway.discord_errors import FORBIDDEN
from bot.matches import Services
from bot.sync.client import MessageClient
from engines.core.contract import Seat

PRESENCE_TTL_S = 3_600.0
"""Seconds for which a person counts as present after a check."""

MOST_KNOWN = 4_096
"""Maximum people who are remembered as present."""


@dataclass(eq=False)
class Absentees:
    """Checks whether those who are asked are still there; every call can be repeated."""

    services: Services
    messages: MessageClient
    absences: Absences
    _seen: dict[tuple[int, PersonId], float] = field(default_factory=dict)
    """When people were last found on a server, as Unix times."""

    async def look(self, match: str, seats: Iterable[Seat]) -> None:
        """Check whether the people of some seats are still there; those who are not count as absent."""
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
        if self._seen.get((guild, person), float("-inf")) > now - PRESENCE_TTL_S:
            return True
        try:
            there = await self.messages.is_member(guild, person)
        except discord.HTTPException as error:
            if error.code not in FORBIDDEN and not isinstance(error, discord.NotFound):
                raise
            return True  # a bot that was removed from a server cannot check its members
        if there:
            if len(self._seen) >= MOST_KNOWN:
                self._seen.clear()
            self._seen[guild, person] = now
        return there
