"""The decisions of computer players, and what they say unasked."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from math import ceil

from bot.domain.clocks import Pace, TimeUp
from bot.domain.fair_queue import Ticket, Urgency
from bot.domain.tables import STAND_IN_LEVEL, Chair, PersonId, Status, TableInfo
from bot.matches.loaded_table import LoadedTable, SeatView
from bot.workers.thinker import Thinker, ThinkRequest, Wanted
from engines.core.contract import Seat, Words
from engines.core.match import Match
from engines.core.optional_methods import Level


@dataclass(frozen=True, slots=True)
class Thought:
    """A computer player's sentence. It was made without a lock, so the match may have changed meanwhile."""

    seat: Seat
    words: Words = field(repr=False)
    request: str
    """The same for the same thought, so that it is not said twice after a crash."""
    stands: Callable[[SeatView], bool] = field(repr=False)
    """Whether the situation it was made for still holds."""


DECIDE, INTERRUPT, HINT = "computer", "interrupt", "hint"
"""The purposes of a sentence, each with its own randomness."""

Quiet = dict[Seat, object]
"""The last view of each seat that had nothing to say unasked."""


def loop_time() -> float:
    """Return the event loop's time, which is monotonic."""
    return asyncio.get_running_loop().time()


LEVEL_FLOORS = {None: 1, Level.FIRST: 2, Level.MIDDLE: 5, Level.BEST: 17}
"""Minimum floors per answer: at least 1.5 times the level's longest decision.

Those times (:data:`bot.workers.thinker.LONGEST_S`) are of a busy machine. On a slower one a level thinks
less.
"""

HINT_S = 3.0
"""Time limit of a hint in seconds, twice that of the longest one: on a slow machine it thinks less."""

GUESSES = 3
"""States to imagine when checking whether the public can tell that a seat has no choice."""

SPARE = 0.5
"""The share of a floor that thinking leaves unused, so that a short wait does not cost another floor."""

LIVE_FLOORS = 5
"""Minimum floors in live matches, where instant answers would not feel like company."""


@dataclass(frozen=True, slots=True)
class Floor:
    """The minimum time of a computer player's answer, so that its time does not reveal what it holds.

    0 seconds: no floor. Thinking may use all its floors except half of one, which is for waiting. If it takes
    longer nevertheless, the time is rounded up to a multiple of its floors. Time spent waiting for others is
    added in whole floors, so that it reveals no more.
    """

    seconds: float = 0.0
    clock: Callable[[], float] = loop_time
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep

    def within(self, floors: int) -> float | None:
        """Return the seconds that thinking may take; ``None``: no limit."""
        return self.seconds * (floors - SPARE) if self.seconds > 0 else None

    async def reached(self, begun: float, floors: int = 1, waited: float = 0.0) -> None:
        """Wait until ``floors`` floors have passed since ``begun``, plus those for the seconds ``waited``."""
        if self.seconds > 0:
            now = self.clock()
            thought, waits = (now - begun - waited) / self.seconds, waited / self.seconds
            whole = floors * max(1, ceil((thought + SPARE) / floors)) + max(0, ceil(waits - SPARE))
            await self.sleep(begun + self.seconds * whole - now)


NO_FLOOR = Floor()


class Thinkers:
    """Gets computer players' answers, and holds each back until its floor is reached.

    ``current``: returns a table from memory; ``None``: it is not loaded.
    """

    def __init__(
        self, thinker: Thinker, current: Callable[[str], LoadedTable | None], floor: Floor = NO_FLOOR
    ) -> None:
        self._thinker = thinker
        self._current = current
        self._floor = floor

    def expect(self, waiting: Mapping[PersonId, int]) -> None:
        """Set how many matches per person wait for their computer players to think."""
        self._thinker.expect(waiting)

    async def think(self, table: LoadedTable, quiet: Quiet) -> Thought | None:
        """Return what a computer player says next, unasked or because the match waits for it.

        ``None``: all keep quiet. This takes as long as an answer, since a board may wait for it.
        """
        asked = _asked(table)
        if asked is None and not any(_is_curious(table, quiet, seat) for seat in table.interrupting()):
            return None
        spent = _Spent(self._floor.clock())
        thought = await self._interrupt(table, quiet, spent)
        level, speaker = None, asked if thought is None else thought.seat
        if speaker is not None:
            level = level_of(table.info.chair_at(speaker))
        floors = await self._floors(table, speaker, level)
        if thought is None and asked is not None:
            thought = await self._decision(table, asked, spent, floors)
        await self._floor.reached(spent.begun, floors, spent.waited_s)
        return thought

    async def _floors(self, table: LoadedTable, seat: Seat | None, level: Level | None) -> int:
        """Return how many floors an answer takes: one if the public can tell that the seat has no choice."""
        floors = _usual_floors(table, level)
        if floors == 1 or seat is None or self._floor.seconds == 0:
            return 1
        match = table.require_log().match
        return 1 if await asyncio.to_thread(has_no_choice, match, seat) else floors

    async def _interrupt(self, table: LoadedTable, quiet: Quiet, spent: _Spent) -> Thought | None:
        # Seats that keep quiet are added to `quiet`: each is asked again only when its view changes.
        log = table.require_log()
        for seat in table.interrupting():
            if not _is_curious(table, quiet, seat):
                continue
            view = table.seat_view(seat)
            words = None
            if not log.match.has_spoken(seat):
                level = level_of(table.info.chair_at(seat))
                words = await self._ask(table, view, INTERRUPT, level, spent, _usual_floors(table, level))
            request = f"interrupt:{table.id}:{seat}:{log.match.public_count}"
            if log.undone:
                # An undo sets the public count back, so the request must differ from those before it.
                request += f":{len(log.undone)}"
            if words is not None and log.row_of(request) is None:
                return Thought(seat, words, request, partial(_sees, view.view))
            quiet[seat] = view.view
        return None

    async def decide_for(self, table: LoadedTable, seat: Seat) -> Words | None:
        """Decide for a seat whose time is up, by its own view: see :class:`TimeUp`.

        ``None``: it has nothing to decide any more.
        """
        spent = _Spent(self._floor.clock())
        floors = await self._floors(table, seat, STAND_IN_LEVEL)
        words = table.require_log().match.lapse(seat) if table.info.time_up is TimeUp.PASS else None
        if words is None:
            words = await self._ask(table, table.seat_view(seat), DECIDE, STAND_IN_LEVEL, spent, floors)
        await self._floor.reached(spent.begun, floors, spent.waited_s)
        return words

    async def advise(self, table: LoadedTable, view: SeatView, person: PersonId) -> Words | None:
        """Return a hint for a seat; ``None``: it has nothing to decide any more.

        ``person``: the person asking for it.
        """
        request = _request(table, view, HINT, STAND_IN_LEVEL, HINT_S)
        if request is None:
            return None
        return await self._thinker.advise(request, ticket_of(table.info, person), self._wanted(table, view))

    async def _decision(self, table: LoadedTable, seat: Seat, spent: _Spent, floors: int) -> Thought | None:
        view = table.seat_view(seat)
        words = await self._ask(table, view, DECIDE, level_of(table.info.chair_at(seat)), spent, floors)
        if words is None:
            return None
        request = f"computer:{table.id}:{seat}:{view.log.sentences(seat)}"
        return Thought(seat, words, request, partial(_is_asked, view.decision))

    async def _ask(
        self, table: LoadedTable, view: SeatView, use: str, level: Level | None, spent: _Spent, floors: int
    ) -> Words | None:
        """Ask for a seat's sentence, to be ready within ``floors``. ``use``: its purpose."""
        request = _request(table, view, use, level, self._floor.within(floors))
        if request is None:
            return None
        # Computer players count for the table's host, as its boards do.
        ticket = ticket_of(table.info, table.info.host.id)
        said = await self._thinker.think(request, ticket, self._wanted(table, view))
        spent.waited_s += said.waited_s
        return said.words

    def _wanted(self, table: LoadedTable, view: SeatView) -> Wanted:
        # A decision that is no longer open needs no answer.
        return partial(self._is_wanted, table.id, view)

    def _is_wanted(self, table_id: str, view: SeatView) -> bool:
        table = self._current(table_id)
        if table is None:
            return True  # dropped from memory; assume nothing has changed
        return table.info.status is Status.RUNNING and table.seat_view(view.seat).decision == view.decision


@dataclass(slots=True)
class _Spent:
    """The time spent on an answer: when it began, and how many seconds of it were waiting."""

    begun: float
    waited_s: float = 0.0


def _usual_floors(table: LoadedTable, level: Level | None) -> int:
    """Return how many floors a level's answer takes at a table if it has a choice."""
    floors = LEVEL_FLOORS[level]
    return max(floors, LIVE_FLOORS) if table.info.pace is Pace.LIVE else floors


def _request(
    table: LoadedTable, view: SeatView, use: str, level: Level | None, within_s: float | None = None
) -> ThinkRequest | None:
    """Build a request to a computer player; ``None``: nothing to decide. ``use`` selects its randomness."""
    if view.root is None:
        return None
    return ThinkRequest(
        table.info.game,
        table.id,
        view.view,
        view.root,
        view.log.match.player_rng(use, view.seat),
        level,
        unasked=use == INTERRUPT,
        within_s=within_s,
    )


def ticket_of(info: TableInfo, person: PersonId) -> Ticket:
    """Return the ticket of a request about a match, in a person's turn; running matches go first."""
    urgency = Urgency.LIVE if info.status is Status.RUNNING else Urgency.PAST
    return Ticket(info.id, info.place.channel_id, person, urgency)


def level_of(chair: Chair) -> Level | None:
    """Return the level of a chair's computer player, or of a stand-in for its person."""
    return chair.level if chair.person is None else STAND_IN_LEVEL


def has_no_choice(match: Match, seat: Seat) -> bool:
    """Return whether the public can tell that a seat has only one option, such as rolling a die.

    It uses only what the public sees, so that the time of an answer reveals nothing more.
    """
    game, public = match.game, match.view(None)
    for number in range(GUESSES):
        state = game.imagine(public, match.player_rng("choice", seat).child(number))
        view = game.view(state, seat)
        menu = game.menu(view)
        words = () if menu is None else [choice.word for choice in menu.choices() if not choice.aside]
        if menu is None or len(words) != 1 or any(part.shuffle for part in menu.fields):
            return False
        whole = game.menu(view, (words[0],))
        if whole is None or not whole.complete or whole.fields:
            return False
    return True


def _asked(table: LoadedTable) -> Seat | None:
    """Return the first seat that the match waits for and a computer player decides for, if any."""
    # If no person is present, stand-ins do not act: a match waits for its people.
    alone = not table.anybody_present()
    computers = {
        chair.seat for chair in table.info.chairs if chair.person is None or (chair.stand_in and not alone)
    }
    return next((seat for seat in table.row.asked if seat in computers), None)


def _is_curious(table: LoadedTable, quiet: Quiet, seat: Seat) -> bool:
    return seat not in quiet or quiet[seat] != table.seat_view(seat).view


def _sees(seen: object, now: SeatView) -> bool:
    return bool(now.view == seen)


def _is_asked(decision_id: str, now: SeatView) -> bool:
    return now.decision == decision_id
