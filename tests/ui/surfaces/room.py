"""A bot whose message client only takes notes, and fails in each way that Discord can fail."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.domain.jobs import Job, Shown
from bot.domain.match import Click, Panel
from bot.domain.tables import Person, Place, TableInfo
from bot.gateway.edit_order import EditOrder
from bot.matches import Services
from bot.matches.limits import NO_LIMITS
from bot.pages.page import FoundMessage, Page
from bot.runtime.background import BackgroundTasks
from bot.sync import Surfaces, build_surfaces
from bot.sync.after_restore import AfterRestore
from bot.sync.client import SEARCH_LIMIT, MessageClient
from bot.sync.pictures import Pictures
from bot.sync.problems import Problems
from bot.sync.worker import OutboxWorker
from bot.workers.painting_pool import PaintingPool
from engines.core.contract import Seat
from engines.core.player import walk as thought
from engines.core.registry import game
from engines.core.rng import Rng
from renderers.core.contract import Picture
from tests.duel import DUEL
from tests.kit.painting import Inline
from tests.kit.services import services_on
from tests.kit.tables import sit_down
from tests.ui.limits import sent, walk

ANNA, BEN = Person(700_011, "Anna"), Person(700_022, "Ben")
CHANNEL = 500


def refusal(code: int, status: int = 400) -> discord.HTTPException:
    kinds: dict[int, type[discord.HTTPException]] = {403: discord.Forbidden, 404: discord.NotFound}
    response: Any = SimpleNamespace(status=status, reason="")
    return kinds.get(status, discord.HTTPException)(response, {"code": code, "message": ""})


def guild(**fields: Any) -> Any:
    """Return a server that has told of its roles and of our member."""
    return SimpleNamespace(
        get_member=lambda _: object(),
        get_role=lambda _: object(),
        _state=SimpleNamespace(self_id=1),
        **fields,
    )


class Notes(MessageClient):
    """Keeps messages in memory; ``trouble`` maps what is done to errors, each raised once."""

    def __init__(self) -> None:
        self.edits = EditOrder()
        self.messages: dict[int, tuple[int, Page]] = {}
        self.in_words: set[int] = set()
        """Messages that have only arrived so far: see :class:`bot.pages.page.Push`."""
        self.stripped: list[int] = []
        self.said_instead: dict[int, str] = {}
        """What stands in the place of the buttons that were taken from messages."""
        self.mentioned: dict[int, list[int]] = {}
        self.nonces: dict[str, int] = {}
        self.archived_after: dict[int, int] = {}
        """After how many minutes Discord archives a thread, as it was set last."""
        self.gone: set[int] = set()
        """Who has left the server."""
        self.opened: list[int] = []
        """To whom direct messages were opened."""
        self.open: set[int] = set()
        """To whom this process knows the channel."""
        self.trouble: list[tuple[str, Exception]] = []
        self._next = 1_000

    def count_from(self, message: int) -> None:
        """Give the next messages higher ids."""
        self._next = message

    def _meet(self, what: str) -> None:
        for item in self.trouble:
            if item[0] == what:
                self.trouble.remove(item)
                raise item[1]

    async def post(self, channel_id: int, page: Page, *, nonce: str, mentioned: Sequence[int] = ()) -> int:
        self._meet(f"post {channel_id}")
        self._meet("post")
        if nonce in self.nonces:
            return self.nonces[nonce]
        self._next += 1
        self.messages[self._next] = (channel_id, page)
        self.mentioned[self._next] = list(mentioned)
        self.nonces[nonce] = self._next
        if page.push is not None:
            self.in_words.add(self._next)
            self._meet("layout")
            self.in_words.discard(self._next)
        self._meet("answer")
        return self._next

    async def edit(self, channel_id: int, message_id: int, page: Page) -> bool:
        self._meet("edit")
        if message_id not in self.messages:
            return False
        self.messages[message_id] = (channel_id, page)
        self.in_words.discard(message_id)
        self._meet("answer to an edit")
        return True

    async def exists(self, channel_id: int, message_id: int) -> bool:
        self._meet("look")
        return self.messages.get(message_id, (0,))[0] == channel_id

    async def shows(self, channel_id: int, message_id: int, page: Page) -> bool:
        there = self.messages.get(message_id)
        return there is None or sent(there[1]) == sent(page)

    async def delete(self, channel_id: int, message_id: int) -> None:
        del self.messages[message_id]

    async def strip(self, channel_id: int, message_id: int, words: str = "") -> None:
        assert channel_id
        self._meet("strip")
        if words and message_id not in self.stripped:
            self.said_instead[message_id] = words
        self.stripped.append(message_id)

    async def find(self, channel_id: int, part: str, *, among: int = SEARCH_LIMIT) -> list[FoundMessage]:
        found = [
            replace(_found(message, page), texts=()) if message in self.in_words else _found(message, page)
            for message, (at, page) in self.messages.items()
            if at == channel_id
        ]
        bare = set(self.stripped)
        return [
            f for f in reversed(found) if f.message_id not in bare and any(part in c for c in f.custom_ids)
        ]

    async def find_text(self, channel_id: int, marker: int, part: str) -> int | None:
        found = (
            message
            for message, (at, page) in self.messages.items()
            if at == channel_id and _found(message, page).marker == marker and part in str(sent(page))
        )
        return next(found, None)

    async def has_written(self, channel_id: int) -> bool:
        return any(at == channel_id for at, _ in self.messages.values())

    async def start_thread(self, channel_id: int, message_id: int, name: str) -> int:
        assert channel_id
        assert name
        self._meet("thread")
        if message_id not in self.messages:
            raise refusal(10008, 404)
        return message_id

    async def set_archive_after(self, thread_id: int, minutes: int) -> None:
        self.archived_after[thread_id] = minutes

    async def is_member(self, guild_id: int, person: int) -> bool:
        assert guild_id
        return person not in self.gone

    @property
    def account(self) -> int:
        return 99

    async def dm_channel(self, person: int) -> int:
        if person not in self.open:
            self.open.add(person)
            self.opened.append(person)
        return person + 9_000


def _found(message: int, page: Page) -> FoundMessage:
    items = list(walk(sent(page)))
    [marker] = [item.get("id") for item in items if item["type"] == 17]
    texts = tuple(item["id"] for item in items if item["type"] == 10 and "id" in item)
    return FoundMessage(message, marker, texts, tuple(item.get("custom_id", "") for item in items))


def plain(packed: bytes) -> Picture:
    return Picture(packed[:4], "image/png", 1, 1, "a board")


class Room:
    def __init__(self, services: Services, painter: PaintingPool) -> None:
        self.services = services
        self.notes = Notes()
        self.painter = painter
        self.table: TableInfo
        self.restart()

    def restart(self) -> None:
        """Forget everything but the database, the messages and the painter."""
        self.pictures = Pictures(self.painter)
        client: Any = SimpleNamespace(get_guild=lambda _: None, receives_events_of=lambda _: True)
        self.client = client
        self.surfaces = self.new_surfaces()
        after_restore = AfterRestore(self.services, self.surfaces, self.notes)
        self.problems = Problems(self.services, self.client)
        self.background = BackgroundTasks()
        self.worker = OutboxWorker(
            self.services, self.surfaces, after_restore, self.problems, self.background, asyncio.Event()
        )

    def new_surfaces(self) -> Surfaces:
        """Return surfaces that know nothing but what the database says."""
        return build_surfaces(self.services, self.pictures, self.notes, self.client)

    async def do(self, job: Job) -> None:
        """Carry out one job."""
        await self.worker.carry_out(job.table_id, [job])

    async def begin(self) -> None:
        opened = await self.services.lobby.open(DUEL, {}, None, ANNA, Place(1, CHANNEL), 1)
        self.table = await sit_down(self.services, opened.id, BEN, 2)

    async def shown(self, surface: str) -> Shown:
        """Return what is noted of a message of the match; there must be one."""
        found = await self.services.outbox.shown(self.table.id, surface)
        assert found is not None
        return found

    async def asked_by_message(self) -> tuple[Seat, Person]:
        """Return the first who is asked, and who wants it said in direct messages."""
        seat = (await self.services.queries.board(self.table.id)).waiting[0]
        person = self.table.chair_at(seat).person
        assert person is not None
        await self.services.settings.set_dms(person, True)
        return seat, person

    async def unnoted(self, update: Awaitable[object], what: str = "answer") -> int:
        """Let the bot die when ``update`` has posted a message; return it: nobody has noted it.

        ``what`` is what it meets: it may die before the ``layout`` of what has arrived in words.
        """
        self.notes.trouble.append((what, refusal(0, 500)))
        with pytest.raises(discord.HTTPException):
            await update
        return max(self.notes.messages)

    async def say(self, number: int) -> None:
        """Let whoever is asked type the first completion that is a whole turn, and confirm it."""
        panel, person = await self.draft(number)
        await self.services.actions.confirm(Click(self.table.id, panel.revision), person, 100 + number)

    async def draft(self, number: int) -> tuple[Panel, Person]:
        """Let whoever is asked type that, and look at it; return the panel, and whose it is."""
        board = await self.services.queries.board(self.table.id)
        seat = board.waiting[0]
        person = board.table.chair_at(seat).person
        assert person is not None
        panel = await self.services.drafts.panel(self.table.id, person)
        assert panel.menu is not None
        words = thought(game(self.table.game), panel.view, panel.menu, Rng(bytes(32)).child(number))
        text = game(self.table.game).write(words)
        return await self.services.drafts.type_in(self.table.id, person, text, None), person


@asynccontextmanager
async def entered(folder: Path) -> AsyncIterator[Room]:
    """Yield a room without a match; its database is closed at the end."""
    async with (
        services_on(folder / "bauta.db", limits=NO_LIMITS) as services,
        Inline(paint_with=plain) as painter,
    ):
        yield Room(services, painter)
