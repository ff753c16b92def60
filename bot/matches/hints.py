"""Hints: what a computer player would say in a person's place, and why. A hint only fills the draft."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from bot.domain.match import Click, Panel
from bot.domain.refusals import refusal
from bot.domain.tables import PersonId, Who, person_id
from bot.matches.drafts import Drafts
from bot.matches.loaded_table import SeatView
from bot.matches.table_cache import TableCache
from bot.matches.thoughts import Thinkers
from engines.core.contract import Msg, Seat, Words
from engines.core.optional_methods import Thinking

HINT_RETRIES = 2
"""Retries of a hint if the seat's view changed meanwhile: the hint may no longer be possible."""

REMEMBERED = 256
"""Maximum cached hints; asking again costs nothing."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A complete sentence and the reason for it, a text of the game's catalogue."""

    words: Words = field(repr=False)
    reason: Msg = field(repr=False)


class Hints:
    """The use case of the hint button."""

    def __init__(self, cache: TableCache, drafts: Drafts, thinkers: Thinkers) -> None:
        self._cache = cache
        self._drafts = drafts
        self._thinkers = thinkers
        self._asking: set[PersonId] = set()
        """People waiting for a hint: one hint at a time per person."""
        self._found: dict[tuple[str, Seat], tuple[Any, Hint]] = {}
        """The latest hints by table and seat, each with the seat's view at the time."""

    async def fill_in(self, click: Click, person: Who) -> Panel:
        """Put a hint into the person's draft, to be confirmed or changed, and return the panel.

        Raises ``Refusal`` if hints are not offered, or the person already waits for one.
        """
        who = person_id(person)
        table = await self._cache.get(click.table_id)
        seat = table.playing_seat(who)
        view = table.seat_view(seat)
        if not table.offers_hint(seat):
            raise refusal("no_hint" if table.info.offers_hints else "hints")
        if who in self._asking:
            raise refusal("hint_asked")
        self._asking.add(who)
        try:
            hint = await self._hint(table.id, view, who)
            for _ in range(HINT_RETRIES):
                now = (await self._cache.get(table.id)).seat_view(seat)
                if now.view == view.view:
                    break
                view, hint = now, await self._hint(table.id, now, who)
        finally:
            self._asking.discard(who)
        if hint is None:
            return await self._drafts.panel(click.table_id, person)
        return await self._drafts.put(click, person, hint.words, hint.reason)

    async def _hint(self, table_id: str, view: SeatView, who: PersonId) -> Hint | None:
        return self._remembered(table_id, view) or await self._think(table_id, view, who)

    def _remembered(self, table_id: str, view: SeatView) -> Hint | None:
        seen, hint = self._found.get((table_id, view.seat), (None, None))
        return hint if seen == view.view else None

    async def _think(self, table_id: str, view: SeatView, who: PersonId) -> Hint | None:
        table = await self._cache.get(table_id)
        words, game = await self._thinkers.advise(table, view, who), view.game
        if words is None or not isinstance(game, Thinking):
            return None
        hint = Hint(words, game.reason(view.view, words))
        if len(self._found) >= REMEMBERED:
            del self._found[next(iter(self._found))]
        self._found[table_id, view.seat] = view.view, hint
        return hint
