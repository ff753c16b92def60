"""A house to play in: a store in a temporary folder, a clock that stands, people with names."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.clocks import Clocks, build_clocks
from bot.domain.address import Address
from bot.domain.clocks import Pace, TimeUp
from bot.domain.match import Click, Panel, Receipt
from bot.domain.refusals import Refusal
from bot.domain.shards import ALL, Shards
from bot.domain.tables import Person, Place, TableInfo
from bot.matches import Services
from bot.matches.limits import LIMITS
from bot.matches.table_cache import TableCache
from bot.store import Store, open_store
from bot.store.sqlite import SqliteStore
from bot.store.writer import Writer
from engines.core.contract import Seat, Words
from engines.core.match import AnyGame
from engines.core.registry import games
from tests.kit.prepared import made
from tests.kit.services import COMPUTER
from tests.kit.tables import open_table, sit_down
from tests.kit.thinking_here import services_over
from tests.kit.vault import GAME as VAULT

PEOPLE = (
    Person(700000000000000011, "Anna"),
    Person(700000000000000022, "Ben"),
    Person(700000000000000033, "Clara"),
    Person(700000000000000044, "Dora"),
)
PLACE = Place(guild_id=1, channel_id=2)

ALL_GAMES: dict[str, AnyGame] = {**games(), "vault": VAULT}


class Room:
    """The use cases over one database, and what tests need to act as people."""

    def __init__(self, database: Address, games: Mapping[str, AnyGame], shards: Shards = ALL) -> None:
        self.database = database
        self.shards = shards
        self.games = games
        self.now = 1_000_000.0
        self.woken = 0
        self.entropy = Random(1).randbytes
        self.limits = LIMITS
        self.requests = count(900_000_000_000_000_000)
        self.store: Store
        self.services: Services
        self.clocks: Clocks

    async def enter(self, **options: Any) -> Room:
        """Open the store and the use cases."""
        if isinstance(self.database, Path):
            made(self.database)
        self.store = await open_store(self.database, self.shards)
        self.services = services_over(
            TableCache(
                self.store,
                clock=self.clock,
                wake=self.wake,
                entropy=self.entropy,
                games=self.games,
                **options,
            ),
            limits=self.limits,
        )
        self.clocks = build_clocks(self.services)
        await self.services.outbox.resume()
        return self

    async def again(self, **options: Any) -> Room:
        """Close everything and open it anew, as after a restart."""
        await self.store.close()
        return await self.enter(**options)

    @property
    def path(self) -> Path:
        """Return the file of a room over SQLite."""
        assert isinstance(self.database, Path)
        return self.database

    @property
    def writer(self) -> Writer:
        """Return the connection that writes in a room over SQLite."""
        assert isinstance(self.store, SqliteStore)
        return self.store.writer

    def clock(self) -> float:
        return self.now

    def wake(self) -> None:
        self.woken += 1

    @property
    def request(self) -> int:
        """Return an interaction id that nobody had before."""
        return next(self.requests)

    async def begin(
        self,
        game: str = "vault",
        seats: int = 2,
        options: Mapping[str, str] | None = None,
        pace: Pace = Pace.NONE,
        time_up: TimeUp = TimeUp.PASS,
    ) -> TableInfo:
        """Seat Anna, Ben … at a table until it starts."""
        info = await self.services.lobby.open(
            game, options or {}, seats, PEOPLE[0], PLACE, self.request, pace=pace, time_up=time_up
        )
        for person in PEOPLE[1:seats]:
            info = await sit_down(self.services, info.id, person, self.request)
        return info

    async def begin_alone(
        self, game: str = "vault", seats: int = 2, options: Mapping[str, str] | None = None
    ) -> TableInfo:
        """Seat Anna among computer players."""
        place, computers = PLACE, COMPUTER * (seats - 1)
        return await open_table(
            self.services, game, options or {}, seats, PEOPLE[0], place, self.request, computers=computers
        )

    async def play_computers(self, table_id: str) -> None:
        """Let computer players act until they keep quiet and only people are asked."""
        while await self.services.actions.play_computer(table_id):
            pass

    def person(self, info: TableInfo, seat: Seat) -> Person:
        """Return who sits in a seat."""
        person = info.chair_at(seat).person
        assert person is not None
        return person

    async def panel(self, info: TableInfo, seat: Seat) -> Panel:
        return await self.services.drafts.panel(info.id, self.person(info, seat))

    async def say(self, info: TableInfo, seat: Seat, text: str) -> Receipt:
        words: Words = self.games[info.game].read(text)
        return await self.services.actions.submit(info.id, seat, None, words, self.request)

    async def draft(self, info: TableInfo, seat: Seat, *words: str) -> Panel:
        """Press one word after the other."""
        panel = await self.panel(info, seat)
        for word in words:
            panel = await self.services.drafts.choose(click(panel), self.person(info, seat), word)
            assert not panel.notes
            assert panel.refusal is None
        return panel

    async def hand(self, info: TableInfo, seat: Seat) -> tuple[str, ...]:
        """Return the cards that a seat of the vault holds."""
        cards: tuple[str, ...] = (await self.panel(info, seat)).view.own.hand
        return cards

    async def lay(self, info: TableInfo, seat: Seat) -> Receipt:
        """Lay the first card of a seat's hand."""
        return await self.say(info, seat, f"lay {(await self.hand(info, seat))[0]}")

    async def lay_all(self, info: TableInfo) -> None:
        """Bring a match of the vault to its next round."""
        for seat in range(info.setup.seats):
            await self.lay(info, seat)

    async def sentence(self, info: TableInfo, seat: Seat) -> Words:
        """Return what a computer player would say for a seat."""
        live = await self.services.cache.get(info.id)
        return live.require_log().match.computer(seat)

    async def play_some(self, info: TableInfo, acts: int) -> int:
        """Let the seats say what computer players would, the first asked first; return how many did."""
        for done in range(acts):
            row = (await self.services.cache.get(info.id)).row
            if not row.asked:
                return done
            seat = row.asked[0]
            await self.services.actions.submit(
                info.id, seat, None, await self.sentence(info, seat), self.request
            )
        return acts

    async def log_rows(self, table_id: str) -> list[Any]:
        async with self.store.read() as reader:
            return list(await reader.log(table_id))


async def refused(key: str, work: Awaitable[object]) -> None:
    """Expect the house to refuse ``work`` with this text."""
    with pytest.raises(Refusal) as caught:
        await work
    assert caught.value.msg.key == f"no.{key}"


def click(panel: Panel) -> Click:
    """Return a click on a panel as it was drawn."""
    return Click(panel.table.id, panel.revision)


@pytest.fixture
async def room(database: Address) -> AsyncIterator[Room]:
    """Return an open house with every installed game and the vault."""
    room = Room(database, ALL_GAMES)
    try:
        yield await room.enter()
    finally:
        await room.store.close()


@pytest.fixture(params=sorted(ALL_GAMES))
def any_game(request: pytest.FixtureRequest) -> str:
    """Return the key of each game in turn."""
    return str(request.param)


@pytest.fixture
def smallest() -> Callable[[str], int]:
    """Return how many seats the smallest table of a game has."""
    return lambda game: min(ALL_GAMES[game].manifest.seats)
