"""Turning points of finished matches: decisions where a player had a clearly better choice.

A person who held a seat at the end may ask for them, once nothing in the match is hidden any more. A thinking
process works in small parts, in fair turns among all who ask, and after decisions that a match waits for. See
``docs/adr/0034``.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import partial

from bot.domain.match import TurningPoint, TurningPoints
from bot.domain.refusals import Refusal, refusal
from bot.domain.tables import PersonId, Status, Who, person_id
from bot.matches.loaded_table import LoadedTable
from bot.matches.match_log import MatchLog
from bot.matches.results import own_entries
from bot.matches.table_cache import TableCache
from bot.matches.thoughts import ticket_of
from bot.workers.looking_back import FindDecisions, JudgeDecision, LookingBackFailed, LooksBack, Part, T
from engines.core.contract import Seat
from engines.core.optional_methods import Judging, Thinking
from engines.core.texts import sentence
from engines.core.turning_points import JudgedDecision, Look, first_look, second_look, turning_points

REMEMBERED = 64
"""Maximum seats whose turning points are cached, so that stepping between them needs no search."""


class LookingBack:
    """The use case of the turning points."""

    def __init__(self, cache: TableCache, looks_back: LooksBack) -> None:
        self._cache = cache
        self._looks_back = looks_back
        self._asking: set[PersonId] = set()
        """People waiting for turning points: one match at a time per person."""
        self._found: OrderedDict[tuple[str, Seat], tuple[TurningPoint, ...]] = OrderedDict()

    async def is_offered(self, table_id: str, person: Who) -> bool:
        """Return whether a person may ask for turning points; raises ``Refusal`` if the table is unknown."""
        table = await self._cache.get(table_id)
        try:
            _require(table, person_id(person))
        except Refusal:
            return False
        return True

    async def turning_points(self, table_id: str, person: Who) -> TurningPoints:
        """Return the turning points of a person's seat; the search takes some seconds.

        Raises ``Refusal`` if the match is not over or was closed without a result, the person held no seat at
        its end, its game cannot judge, they already wait for turning points, or the search fails.
        """
        who = person_id(person)
        table = await self._cache.get(table_id)
        log, seat = _require(table, who)
        found = self._found.get((table.id, seat))
        if found is None:
            found = await self._search_for(who, table, log, seat)
        self._remember(table.id, seat, found)
        return TurningPoints(table.info, seat, found)

    async def _search_for(
        self, who: PersonId, table: LoadedTable, log: MatchLog, seat: Seat
    ) -> tuple[TurningPoint, ...]:
        if who in self._asking:
            raise refusal("looking_back")
        self._asking.add(who)
        try:
            return await self._search(table, log, seat, who)
        except LookingBackFailed:
            raise refusal("no_looking_back") from None
        finally:
            self._asking.discard(who)

    async def _search(
        self, table: LoadedTable, log: MatchLog, seat: Seat, who: PersonId
    ) -> tuple[TurningPoint, ...]:
        match, setup, own = log.match, table.info.setup, own_entries(log, seat)
        find = FindDecisions(setup.game, table.id, setup, match.seed, match.log, seat, own)
        glanced = await self._judged(table, first_look(await self._done(find, who)), who)
        judged = await self._judged(table, second_look(glanced), who)
        return tuple(_turning_point(log, each) for each in turning_points(judged))

    async def _judged(self, table: LoadedTable, looks: list[Look], who: PersonId) -> list[JudgedDecision]:
        parts = (JudgeDecision(table.info.game, table.id, look) for look in looks)
        return [await self._done(part, who) for part in parts]

    async def _done(self, part: Part[T], who: PersonId) -> T:
        # Reload the table if it was dropped from memory: the person may have left it since.
        table = await self._cache.get(part.match)
        ticket, wanted = ticket_of(table.info, who), partial(self._is_wanted, part.match, who)
        found = await self._looks_back.look_back(part, ticket, wanted)
        if found is None:
            raise LookingBackFailed
        return found

    def _is_wanted(self, table_id: str, who: PersonId) -> bool:
        table = self._cache.peek(table_id)
        # A person whose data were deleted meanwhile no longer has a seat.
        return table is None or table.info.seat_of(who) is not None

    def _remember(self, table_id: str, seat: Seat, found: tuple[TurningPoint, ...]) -> None:
        self._found[table_id, seat] = found
        self._found.move_to_end((table_id, seat))
        if len(self._found) > REMEMBERED:
            self._found.popitem(last=False)


def _require(table: LoadedTable, who: PersonId) -> tuple[MatchLog, Seat]:
    """Return the match's log and the person's seat; raises ``Refusal`` if it cannot be analysed."""
    log = table.require_log()
    if table.info.status is Status.CLOSED:
        raise refusal("closed_match")
    if table.info.status is not Status.OVER:
        raise refusal("not_over")
    seat = table.seat_of(who)
    if not isinstance(log.match.game, Judging):
        raise refusal("no_judge")
    return log, seat


def _turning_point(log: MatchLog, judged: JudgedDecision) -> TurningPoint:
    game, decision, judgement = log.match.game, judged.decision, judged.judgement
    view, menu = decision.view, game.menu(decision.view, judgement.better)
    # In the game's normal form, as panels show drafts.
    better = judgement.better if menu is None else menu.draft
    return TurningPoint(
        turn=log.headers[decision.number].turn,
        played=sentence(game, decision.view, decision.words),
        better=sentence(game, decision.view, better),
        draft=better,
        view=game.preview(view, better),
        menu=menu,
        reason=game.reason(view, better) if isinstance(game, Thinking) else None,
        chance_played=judgement.played,
        chance_better=judgement.best,
    )
