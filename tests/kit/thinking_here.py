"""Services whose computer players think in threads of this process: tests and tools start no others."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping

from bot.domain.fair_queue import Ticket
from bot.domain.tables import PersonId
from bot.matches import Services, build_services
from bot.matches.limits import LIMITS, Limits
from bot.matches.table_cache import TableCache
from bot.matches.thoughts import NO_FLOOR, Floor
from bot.workers import looking_back
from bot.workers.looking_back import LookingBackFailed, Part, T
from bot.workers.thinker import FAILED, Said, ThinkRequest, Wanted, always, answer, without_player
from engines.core.contract import Words
from engines.core.match import AnyGame

log = logging.getLogger(__name__)

AT_ONCE = 2
"""Maximum computer players that think at the same time."""


class ThinkingHere:
    """Thinks in threads beside the event loop, few at once, so that nothing else gets slow.

    ``effort``: the share of its budget that each level uses; 0: the player without levels answers.
    """

    def __init__(self, games: Mapping[str, AnyGame], effort: float = 0.0) -> None:
        self._games = games
        self._effort = effort
        self._gate = asyncio.Semaphore(AT_ONCE)

    async def think(self, request: ThinkRequest, ticket: Ticket, wanted: Wanted = always) -> Said:
        """Answer a request, as :class:`~bot.workers.thinker.Thinker` specifies."""
        begun = time.monotonic()
        async with self._gate:
            waited = time.monotonic() - begun
            if not wanted():
                return Said(None, waited)
            game = self._games[request.game]
            try:
                return Said(await asyncio.to_thread(answer, game, request, self._effort), waited)
            except Exception as error:  # whatever a player raises, the match goes on
                log.error(FAILED, request.match, request.game, type(error).__name__)
                return Said(await asyncio.to_thread(without_player, game, request), waited)

    async def advise(self, request: ThinkRequest, ticket: Ticket, wanted: Wanted = always) -> Words | None:
        """Find a hint, as :class:`~bot.workers.thinker.Thinker` specifies."""
        return (await self.think(request, ticket, wanted)).words

    def expect(self, waiting: Mapping[PersonId, int]) -> None:
        """Ignore the load: no budget shrinks here."""

    async def look_back(self, part: Part[T], ticket: Ticket, wanted: Wanted) -> T | None:
        """Do a part of looking back, as :class:`~bot.workers.looking_back.LooksBack` specifies."""
        async with self._gate:
            if not wanted():
                return None
            try:
                return await asyncio.to_thread(part.done_with, self._games[part.game])
            except Exception as error:  # whatever a game raises
                log.error(looking_back.FAILED, part.match, part.game, type(error).__name__)
                raise LookingBackFailed from None


def services_over(cache: TableCache, *, floor: Floor = NO_FLOOR, limits: Limits = LIMITS) -> Services:
    """Build the services over a cache; computer players think at once, as the player without levels does."""
    return build_services(cache, thinker=ThinkingHere(cache.games), floor=floor, limits=limits)
