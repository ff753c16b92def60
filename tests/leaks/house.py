"""The whole bot within the process: real client, router, commands, outbox, database; Discord is ours.

Two houses with the same people doing the same are equal to the last byte, so that twins can be compared.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

import discord
from discord.webhook.async_ import async_context

from bot.app import Bauta
from bot.domain.clocks import HOUR, Pace
from bot.domain.jobs import Job, JobKind, NewJob
from bot.domain.surfaces import BOARD
from bot.domain.tables import Person, Place, TableInfo
from bot.matches import Services
from bot.matches.loaded_table import LoadedTable
from bot.matches.table_cache import TableCache
from bot.pages.custom_ids import Action, Button, ButtonId, PanelId, pack, parse
from bot.store.sqlite import SqliteStore, open_sqlite
from bot.sync.backlog import ORDER
from bot.workers.painting_pool import PaintingPool
from engines.core.contract import Seat, Viewer, Words
from engines.core.match import AnyGame, Match
from engines.core.registry import game
from tests.kit.painting import PATIENT_WAIT_S, Inline
from tests.kit.services import COMPUTER
from tests.kit.tables import open_table, sit_down
from tests.kit.thinking_here import services_over
from tests.kit.unconnected import set_up, state_of
from tests.leaks.wire import BOT, CHANNEL, DMS, GUILD, Json, Wire, token_of, user
from tests.ui.limits import walk

NOW = 1_000_000.0
PLACE = Place(GUILD, CHANNEL)
STRANGER = 99
WAITS = (
    *(
        "bot.interactions.panel.FIRST_RESPONSE_S",
        "bot.interactions.reply.SEND_TIMEOUT_S",
        "bot.sync.worker.JOB_TIMEOUT_S",
    ),
    *("bot.workers.painting_pool.REEL_START_WAIT", "bot.workers.painting_pool.REEL_WAIT"),
    "bot.workers.painting_pool.FILM_TIMEOUT_S",
)
"""Seconds after which a house would do something else, by the machine's clock."""

ROUNDS = 40
"""Looks at the outbox after which it should be empty."""


def person(number: int) -> Person:
    return Person(number, str(user(number)["global_name"]))


@dataclass(slots=True)
class House:
    """One bot, one table of one game, and the people at it."""

    wire: Wire
    client: Bauta
    services: Services
    store: SqliteStore
    entropy: _Entropy
    table: TableInfo
    numbers: Counter[int]
    database: Path

    # --- what there is ----------------------------------------------------------------------------

    @property
    def game(self) -> AnyGame:
        return game(self.table.game)

    @property
    def live(self) -> LoadedTable:
        found = self.services.cache.peek(self.table.id)
        assert found is not None
        return found

    @property
    def match(self) -> Match:
        return self.live.require_log().match

    def person_at(self, seat: Seat) -> int:
        found = self.table.chair_at(seat).person
        assert found is not None
        return found.id

    def people(self) -> tuple[Seat, ...]:
        """Return the seats that persons hold."""
        seats = range(self.match.setup.seats)
        return tuple(seat for seat in seats if self.table.chair_at(seat).person is not None)

    def reader(self, viewer: Viewer) -> int:
        """Return who looks on for a viewer: the person of a seat, a stranger for the public."""
        return STRANGER if viewer is None else self.person_at(viewer)

    def asked(self) -> tuple[Seat, ...]:
        """Return the seats that are asked, each by its own view."""
        return self.live.row.asked

    def in_another_truth(self, state: Any) -> None:
        """Let the match be in another state from now on, as if it had always been."""
        live = self.live
        log = replace(live.require_log(), match=replace(self.match, state=state))
        self.services.cache.put(replace(live, log=log, seat_views={}))

    async def restart(self) -> None:
        """Begin anew on the same database, as after a power cut."""
        await self.client.background.close()
        wake = asyncio.Event()
        self.services = _services(self.store, self.entropy, wake)
        await self.services.outbox.resume()
        self.client = await _client(self.services, self.client.context.pictures.painter, wake, self.wire)
        await self.services.queries.table(self.table.id)

    async def pass_hours(self, hours: float) -> None:
        """Let time pass, and do whatever falls due."""
        self.entropy.now += hours * HOUR
        await self.client.clocks.loop.look()
        await self.settle()

    def board_id(self) -> int:
        """Return the newest public message with the button of the board."""
        button = pack(ButtonId(self.table.id, Button.TURN))
        public = [number for number in self.wire.messages if self.public(number)]
        return max((n for n in public if button in ids_in(self.wire.messages[n])), default=max(public))

    def public(self, message: int) -> bool:
        return self.wire.readers[message] is None

    # --- what people do ---------------------------------------------------------------------------

    async def command(self, who: int, name: str, **options: Any) -> None:
        """Let a person use a slash command in the match's thread."""
        kinds = {str: 3, int: 4, bool: 5}
        given = [{"name": key, "type": kinds[type(value)], "value": value} for key, value in options.items()]
        data = {"id": "8", "name": name, "type": 1, "options": given}
        await self._deliver(self._interaction(who, 2, data))

    async def complete(self, who: int, name: str, focused: str, typed: str) -> None:
        """Let a person type into an option of a command."""
        option = {"name": focused, "type": 3, "value": typed, "focused": True}
        data = {"id": "8", "name": name, "type": 1, "options": [option]}
        await self._deliver(self._interaction(who, 4, data))

    async def _deliver(self, interaction: Any) -> None:
        # What discord.py calls for an event does the same in a task that nobody can wait for.
        await self.client.tree._call(interaction)  # noqa: SLF001 - it has no public name

    async def press(self, who: int, message: int, custom_id: str, *values: str) -> None:
        """Let a person press a button, or choose in a select."""
        kind = 3 if values else 2
        data = {"custom_id": custom_id, "component_type": kind, "values": list(values)}
        await self.client.on_interaction(self._interaction(who, 3, data, message))

    async def submit(self, who: int, message: int, custom_id: str, typed: str) -> None:
        """Let a person send the modal that a panel opened."""
        field = {"type": 18, "component": {"type": 4, "custom_id": "text", "value": typed}}
        data = {"custom_id": custom_id, "components": [field]}
        await self.client.on_interaction(self._interaction(who, 5, data, message))

    async def open(self, who: int) -> int:
        """Let a person open the panel from the board; return the panel's message."""
        await self.press(who, self.board_id(), pack(ButtonId(self.table.id, Button.TURN)))
        return self.newest(who)

    def newest(self, who: int) -> int:
        """Return a person's newest private message."""
        return max(n for n, reader in self.wire.readers.items() if reader == who)

    def places(self, message: int) -> list[tuple[PanelId, list[str]]]:
        """Return the controls of a panel, each with the values that can be chosen in it."""
        found = []
        for item in walk(self.wire.messages[message]["components"]):
            place = parse(item.get("custom_id"))
            if isinstance(place, PanelId):
                found.append((place, [option["value"] for option in item.get("options", [])]))
        return found

    async def act(self, who: int, message: int, action: Action, word: str = "", *values: str) -> None:
        """Let a person press the panel's control of that action and word."""
        place = next(p for p, _ in self.places(message) if p.action is action and p.word in (word, p.word))
        await self.press(who, message, pack(place if not word else replace(place, word=word)), *values)

    async def say(self, seat: Seat, words: Words) -> int:
        """Let a seat's person type a sentence and confirm it; return the panel's message."""
        who = self.person_at(seat)
        await self.command(who, "move", words=self.game.write(words))
        message = self.newest(who)
        await self.act(who, message, Action.CONFIRM)
        return message

    def _interaction(self, who: int, kind: int, data: Json, message: int | None = None) -> Any:
        async_context.set(self.wire)  # type: ignore[arg-type]
        self.numbers[who] += 1
        number = who * 1_000_000 + self.numbers[who]
        private = message is not None and int(self.wire.messages[message]["channel_id"]) >= DMS
        whole: Json = {
            "id": str(number), "application_id": "3", "type": kind, "version": 1,
            "token": token_of(who, number, message), "attachment_size_limit": 1 << 20, "data": data,
            "app_permissions": str((1 << 50) - 1), "locale": "en-US", "entitlements": [],
        }  # fmt: skip
        if private:
            channel = {"id": str(DMS + who), "type": 1, "recipients": [user(who)], "last_message_id": None}
            whole |= {"user": user(who), "channel": channel}
        else:
            member: Json = {
                "user": user(who),
                "roles": [],
                "joined_at": None,
                "deaf": False,
                "mute": False,
                "flags": 0,
            }
            whole |= {"guild_id": str(GUILD), "member": {**member, "permissions": "0"}}
            whole |= {"channel": {"id": str(self.thread), "type": 0, "name": "x", "position": 0}}
        if message is not None:
            whole["message"] = self.wire.messages[message]
        return discord.Interaction(data=whole, state=state_of(self.client))  # type: ignore[arg-type]

    @property
    def thread(self) -> int:
        live = self.services.cache.peek(self.table.id) if self.table.id else None
        return (live.info.thread_id if live is not None else None) or CHANNEL

    # --- the outbox -------------------------------------------------------------------------------

    async def show_again(self) -> None:
        """Bring everything public in line, and post the board once more as if it were gone."""
        for kinds in ((JobKind.LOBBY, JobKind.BOARD), (JobKind.BOARD,)):
            async with self.store.transaction() as transaction:
                await transaction.enqueue([NewJob(self.table.id, kind, due=NOW) for kind in kinds])
            await self.settle()
            await self.services.outbox.drop_shown(self.table.id, BOARD)

    async def settle(self) -> None:
        """Carry out the outbox until nothing is due."""
        worker = self.client.worker
        for _ in range(ROUNDS):
            # Looking after a board may ask for one more job, sooner or later on a busy machine.
            await self.client.background.join()
            jobs = await self.services.outbox.next_jobs(64)
            if not jobs:
                return
            for job in jobs:
                if job.kind is JobKind.FILM:
                    await self.client.surfaces.board.make_film(self.table.id)
            await worker.carry_out(self.table.id, sorted(jobs, key=_order))
        raise AssertionError("the outbox is never empty")


def _order(job: Job) -> tuple[int, str]:
    return ORDER.index(job.kind), job.target


def ids_in(message: Json) -> list[str]:
    return [str(item["custom_id"]) for item in walk(message["components"]) if "custom_id" in item]


class _Entropy:
    """Bytes that are the same in every house, and the time, which stands until somebody moves it."""

    def __init__(self, *labels: object) -> None:
        self._labels = labels
        self.now = NOW
        self.restart()

    def restart(self, label: object = "start") -> None:
        """Begin again: what was drawn so far shifts nothing any more."""
        self._numbers = count()
        self._label = label

    def __call__(self, size: int) -> bytes:
        text = repr((self._labels, self._label, next(self._numbers)))
        return hashlib.sha256(text.encode()).digest()[:size]


def _services(store: SqliteStore, entropy: _Entropy, wake: asyncio.Event) -> Services:
    return services_over(TableCache(store, wake=wake.set, clock=lambda: entropy.now, entropy=entropy))


async def _client(services: Services, painter: PaintingPool, wake: asyncio.Event, wire: Wire) -> Bauta:
    """Return a client that takes ``wire`` for Discord."""
    client = Bauta(services, painter, wake, "")
    await set_up(client)
    client.http.request = wire.request  # type: ignore[method-assign]
    state = state_of(client)
    state.user = discord.ClientUser(state=state, data=BOT)  # type: ignore[arg-type]
    state.application_id = int(BOT["id"])
    return client


MORE_SECRETS = {"doge": {"gifts": "ahead"}}
"""Options of a game, by its key, with which a seat has more to hide than at a usual table."""


@asynccontextmanager
async def house(
    key: str,
    folder: Path,
    number: int = 0,
    *,
    seats: int | None = None,
    options: dict[str, str] | None = None,
    painter: PaintingPool | None = None,
    prepared: Callable[[Wire], None] | None = None,
    dms: bool = False,
    computers: int = 0,
) -> AsyncIterator[House]:
    """Open a house where match ``number`` of a game has begun and everything is shown."""
    store = await open_sqlite(folder / "house.db")
    entropy, wake, wire, numbers = _Entropy(key, number), asyncio.Event(), Wire(), Counter[int]()
    if prepared is not None:
        prepared(wire)
    services = _services(store, entropy, wake)
    adapter = async_context.set(wire)  # type: ignore[arg-type]
    try:
        # Whether anything is there in time must not depend on how busy this machine is.
        async with AsyncExitStack() as waits:
            for name in WAITS:
                waits.enter_context(patch(name, PATIENT_WAIT_S))
            brush = await waits.enter_async_context(painter or Inline())
            client = await _client(services, brush, wake, wire)
            chairs = seats or min(game(key).manifest.seats)
            people = chairs - computers
            if dms:
                for guest in range(people):
                    await services.settings.set_dms(11 + guest, dms=True)
            opened = await open_table(
                services,
                key,
                MORE_SECRETS.get(key, {}) | (options or {}),
                chairs,
                person(11),
                PLACE,
                1,
                computers=COMPUTER * computers,
                pace=Pace.DAY,
            )
            for guest in range(1, people):
                opened = await sit_down(services, opened.id, person(11 + guest), 1 + guest)
            made = House(wire, client, services, store, entropy, opened, numbers, folder / "house.db")
            await made.settle()
            yield made
            await made.client.background.close()
    finally:
        async_context.reset(adapter)
        await store.close()
