"""People who play by what boards and panels offer, in many matches at once: for :mod:`bench.load`.

They play as people do: whoever has opened a panel stays with it until a sentence is said, and clicks again
once the last click's answer is there. Clicks strewn over all matches open panels and say hardly anything.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from random import Random
from typing import Any

from bench.matches import begin, think
from bot.domain.address import Address
from bot.domain.tables import Person, Place
from bot.matches.limits import NO_LIMITS
from bot.matches.table_cache import TableCache
from bot.pages.custom_ids import Action, Button
from bot.store import open_store
from engines.core.optional_methods import Level
from engines.core.registry import games
from sandbox import user_actions
from sandbox.errors import InputError
from sandbox.model import LOADING, Interaction, Message, User
from sandbox.server import Sandbox
from tests.e2e.stage import asked, choices, has, id_in, known, places, press_id
from tests.kit.thinking_here import services_over

LEVELS = tuple(Level)

OPENING = 6
"""Sentences that are said in each match before anybody clicks."""

TWICE = 0.1
"""How many of the presses come a second time at once; no client sends a choice twice."""

AT_ONCE = 24
"""People who are at a panel at the same time, where nobody says otherwise."""

TOUCHES = 60
"""Clicks after which somebody gives up a turn: far more than any takes."""

TRIES = 20
"""Matches that are looked at for one that waits for somebody who is at no panel."""

PATIENCE_S = 10.0
"""How long an answer is waited for."""

POLL = 0.02


@dataclass(slots=True)
class Table:
    """A match as the people at it know it: its id, and its table's message."""

    id: str
    lobby: int = 0
    with_computers: bool = False


@dataclass(slots=True)
class Turn:
    """Somebody's turn in a match, from opening the panel to a sentence that is said."""

    match: str
    person: User
    panel: int = 0
    """The message, once it is there."""
    touches: int = 0
    said: bool = False


async def open_matches(
    database: Address,
    sandbox: Sandbox,
    people: Sequence[User],
    matches: int,
    sentences: int = OPENING,
    with_computers: int = 0,
    places: Sequence[tuple[Place, Sequence[User]]] = (),
) -> list[Table]:
    """Fill a database with matches of all games in turn, some sentences old; return them.

    ``with_computers``: in how many of them one person plays with computers, of each level in turn.
    ``places``: where they are played in turn, and by whom; the first server, by ``people``, if left out.
    """
    store = await open_store(database)
    services = services_over(TableCache(store, wake=lambda: None), limits=NO_LIMITS)
    places = places or [(Place(sandbox.records.guild.id, sandbox.channel("games").id), people)]
    requests = (f"bench{number}" for number in count())
    known = list(games().values())
    seats = max(min(game.manifest.seats) for game in known)
    found: list[Table] = []
    for number in range(matches):
        place, here = places[number % len(places)]
        first = number // len(places) if len(places) > 1 else number
        seated = [here[(first + at) % len(here)] for at in range(seats)]
        persons = [Person(user.id, user.name) for user in seated]
        level = None if number < matches - with_computers else LEVELS[number // len(known) % len(LEVELS)]
        table_id = await begin(services, known[number % len(known)], persons, requests, place, level)
        for seat, words in await think(services, table_id, sentences):
            await services.actions.submit(table_id, seat, None, words, next(requests))
        found.append(Table(table_id, with_computers=level is not None))
    await store.close()
    return found


class Crowd:
    """The people of a sandbox, and how long they wait. ``at_once``: how many are at a panel at a time."""

    def __init__(
        self,
        sandbox: Sandbox,
        people: Sequence[User],
        tables: Sequence[Table],
        rng: Random,
        at_once: int = AT_ONCE,
    ) -> None:
        self._state = sandbox.state
        self._people = {str(user.id): user for user in people}
        known().update((user.name, str(user.id)) for user in people)
        self._tables = {table.id: table for table in tables}
        self._threads: dict[str, int] = {}
        self._rng = rng
        self._at_once = at_once
        self._turns: dict[int, Turn] = {}
        """Turns that are under way, by person: nobody is at two panels at once."""
        self._resting: list[Turn] = []
        """Those of them whose last answer is there."""
        self.acknowledged: list[float] = []
        self.shown: list[float] = []
        self.failed = 0
        """Clicks that were not acknowledged in time."""
        self.withheld = 0
        """Clicks that a client does not send, such as the choice that it shows as chosen."""
        self.confirmed = 0
        """Times that somebody pressed Confirm."""

    # --- looking ----------------------------------------------------------------------------------

    async def gathered(self, patience: float) -> None:
        """Wait until every match has a board; raises ``TimeoutError``."""
        async with asyncio.timeout(patience):
            while len(self._threads) < len(self._tables):
                self._look_for_boards()
                await asyncio.sleep(1.0)

    def _look_for_boards(self) -> None:
        for channel in self._state.records.threads():
            board = self._board(channel.id)
            if board is not None and channel.id not in self._threads.values():
                match = press_id(as_json(board), Button.TURN).split(":")[1]
                if match in self._tables:  # somebody else may play here too
                    self._threads[match] = channel.id

    def _board(self, thread: int) -> Message | None:
        """Return the newest board of a thread."""
        seen = self._state.records.history(thread, self._state.records.bot.id)
        boards = (m for m in reversed(seen) if m.only_for is None and has(as_json(m), Button.TURN))
        return next(boards, None)

    def begin(self) -> None:
        """Begin to count."""
        self.acknowledged.clear()
        self.shown.clear()
        self.failed = self.withheld = self.confirmed = 0

    def line(self) -> str:
        """Return how it goes, on one line."""
        recent = sorted(self.acknowledged[-1_000:]) or [0.0]
        late = 1e3 * recent[len(recent) * 99 // 100]
        clicks = f"{len(self.acknowledged)} clicks, {self.confirmed} of them Confirm"
        return f"{clicks}, 99% of the last 1,000 in {late:.0f} ms"

    # --- clicking ---------------------------------------------------------------------------------

    async def click(self) -> None:
        """Click once: in a turn that is under way, or to begin another one."""
        turn = self._next_turn()
        if turn is None:
            return
        turn.touches += 1
        goes_on = False
        try:
            goes_on = await self._go_on(turn)
        except InputError:
            self.withheld += 1
        finally:
            if goes_on and turn.touches < TOUCHES:
                self._resting.append(turn)
            else:
                del self._turns[turn.person.id]

    def _next_turn(self) -> Turn | None:
        turn = self._new_turn() if len(self._turns) < self._at_once or not self._resting else None
        if turn is None and self._resting:
            turn = self._resting.pop(self._rng.randrange(len(self._resting)))
        return turn

    def _new_turn(self) -> Turn | None:
        for _ in range(min(TRIES, len(self._threads))):
            match, thread = self._rng.choice(list(self._threads.items()))
            board = self._board(thread)
            turns = [self._people[person] for person in asked(as_json(board))] if board is not None else []
            if board is None or has(as_json(board), Button.REMATCH):
                self._threads.pop(match, None)  # it is over
            free = [person for person in turns if person.id not in self._turns]
            if free:
                turn = Turn(match, self._rng.choice(free))
                self._turns[turn.person.id] = turn
                return turn
        return None

    async def _go_on(self, turn: Turn) -> bool:
        """Click once in a turn; return whether there is more to click in it."""
        panel = self._state.records.find(turn.panel)
        if panel is None or panel.flags & LOADING:
            await self._open(turn)
            return True
        way = self._way(panel)
        if way is None:
            return False
        await self._touch(turn, panel, *way)
        return not turn.said

    def _way(self, panel: Message) -> tuple[str, list[str] | None] | None:
        """Return what is pressed or chosen on a panel: a custom id, and the values of a choice."""
        shown = as_json(panel)
        ways = choices(shown)
        there = {place.action: place for place in places(shown)}
        if Action.CONFIRM in there and (not ways or self._rng.random() < 0.5):
            ways = [(there[Action.CONFIRM], None)]
        elif not ways and Action.BACK in there:
            ways = [(there[Action.BACK], None)]
        if not ways:
            return None
        place, values = self._rng.choice(ways)
        return id_in(shown, place), values

    async def _open(self, turn: Turn) -> None:
        board = self._board(self._threads.get(turn.match, 0))
        if board is None:
            return
        act = user_actions.press(self._state, turn.person, board.id, press_id(as_json(board), Button.TURN))
        await self._acknowledged(act)
        if act.original_id is not None:
            turn.panel = act.original_id
            await self._answered(act, lambda message: not message.flags & LOADING)

    async def _touch(self, turn: Turn, panel: Message, custom_id: str, values: list[str] | None) -> None:
        turn.said = custom_id.endswith(f":{Action.CONFIRM.value}")
        self.confirmed += turn.said
        before = panel.edited_at
        act = (await self._pressed(turn.person, panel, custom_id, values))[-1]
        await self._answered(act, lambda message: message.edited_at != before)

    async def _pressed(
        self, person: User, panel: Message, custom_id: str, values: list[str] | None
    ) -> list[Interaction]:
        """Press or choose, now and then twice; return what was begun once nothing of it waits any more."""
        times = 2 if values is None and self._rng.random() < TWICE else 1
        started = [self._press(person, panel, custom_id, values) for _ in range(times)]
        await asyncio.gather(*(self._acknowledged(act) for act in started))
        return started

    def _press(self, person: User, panel: Message, custom_id: str, values: list[str] | None) -> Interaction:
        if values is None:
            return user_actions.press(self._state, person, panel.id, custom_id)
        return user_actions.select(self._state, person, panel.id, custom_id, values)

    async def _acknowledged(self, act: Interaction) -> None:
        """Wait for the acknowledgement, and note how long it took."""
        begun = time.perf_counter()
        await act.settled.wait()
        if act.dead:
            self.failed += 1
        else:
            self.acknowledged.append(time.perf_counter() - begun)

    async def _answered(self, act: Interaction, fits: Any) -> None:
        """Wait for the answer, and note how long it took from the click on."""
        end = act.created_at + (0.0 if act.dead else PATIENCE_S)
        while (now := self._state.clock.now()) < end:
            message = self._state.records.find(act.original_id or 0)
            if message is not None and fits(message):
                self.shown.append(now - act.created_at)
                return
            await asyncio.sleep(POLL)
        self.shown.append(PATIENCE_S)


def as_json(message: Message) -> dict[str, Any]:
    """Return what the tests' people look at in a message."""
    return {"components": message.components, "content": message.content, "embeds": message.embeds}
