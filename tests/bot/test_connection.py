"""One client and a gateway that sends rubbish, hangs up, or has no session left."""

from __future__ import annotations

import asyncio
import re
import threading
import zlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import discord
import pytest
from discord.gateway import DiscordWebSocket, KeepAliveHandler

from bot.domain.tables import Place
from bot.gateway.connection import Client, Connection
from bot.gateway.session_starts import CONDITION, RESERVED_SESSIONS, SessionStarts
from bot.runtime.heartbeat import Conditions
from bot.store import DatabaseReplaced
from bot.sync.problems import lacking_in
from sandbox.gateway.session import Session
from sandbox.server import Sandbox
from tests.kit.waiting import PATIENCE, eventually, for_ever
from tests.sandbox.conftest import point_at
from tests.sandbox.line import changing

RUBBISH: tuple[Any, ...] = (None, [], "", 7, {}, {"id": "x"}, {"id": None, "guild_id": "1"}, {"user": 1})


class Quiet(Client):
    """A client that only says that it has served."""

    async def on_ready(self) -> None:
        self.served = True


class House:
    """Clients one after another, as the program has them, with pauses that are only noted."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.waits: list[float] = []
        self.conditions = Conditions()
        self.starts = SessionStarts(self.conditions, sleep=self._sleep)
        self.clients: list[Quiet] = []
        self.connection = Connection(self._new, sandbox.token, self.starts)

    async def _sleep(self, seconds: float) -> None:
        if seconds > 0:
            self.waits.append(seconds)
        # Just long enough that a loop without a pause would be far ahead of one with them.
        await asyncio.sleep(0.005 if seconds > 0 else 0)

    def _new(self) -> Quiet:
        self.clients.append(Quiet(self.starts))
        return self.clients[-1]

    @property
    def begun(self) -> int:
        return len(self.sandbox.state.gateway.starts.identify_times)

    def online(self) -> bool:
        return self.connection.online()

    def dispatch(self, event: str, data: Any) -> None:
        self.sandbox.state.gateway.dispatch(event, data)

    async def still_hears(self) -> None:
        """Wait until an event that can be read has arrived, after all that were sent before it."""
        heard = asyncio.ensure_future(self.clients[-1].wait_for("raw_typing"))
        await asyncio.sleep(0)
        typing = {"channel_id": "1", "user_id": "2", "timestamp": 3}
        self.dispatch("TYPING_START", typing)
        await asyncio.wait_for(heard, PATIENCE)


@pytest.fixture
async def sandbox(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Sandbox]:
    async with Sandbox(page=False) as server:
        point_at(server, monkeypatch)
        yield server


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.gateway.connection.MIN_RECONNECT_DELAY_S", 0.01)
    monkeypatch.setattr("bot.gateway.connection.GUILDS_TIMEOUT_S", 0.05)


@asynccontextmanager
async def kept(sandbox: Sandbox) -> AsyncIterator[House]:
    house = House(sandbox)
    task = asyncio.create_task(house.connection.keep())
    try:
        yield house
    finally:
        task.cancel()
        done, _ = await asyncio.wait([task], timeout=PATIENCE)
        assert done, "it goes on"
        assert task.cancelled()


async def test_who_ends_while_a_session_waits_to_be_begun_leaves_no_heartbeat(sandbox: Sandbox) -> None:
    waits = asyncio.Event()

    async def hold(_seconds: float) -> None:
        waits.set()
        await for_ever()

    # Those of other tests' bots may still end.
    others = set(threading.enumerate())
    client = Quiet(SessionStarts(Conditions()))
    client.before_identify_hook = lambda *_, **__: hold(0.0)  # type: ignore[method-assign]
    task = asyncio.create_task(client.start(sandbox.token))
    await asyncio.wait_for(waits.wait(), PATIENCE)
    beating = [
        each for each in threading.enumerate() if isinstance(each, KeepAliveHandler) and each not in others
    ]
    assert beating
    task.cancel()
    await asyncio.wait([task])
    await client.close()
    await eventually(lambda: not any(each.is_alive() for each in beating))


async def test_no_event_that_cannot_be_read_ends_the_client(
    sandbox: Sandbox, caplog: pytest.LogCaptureFixture
) -> None:
    async with kept(sandbox) as house:
        await eventually(house.online)
        events = set(house.clients[0]._connection.parsers) - {"READY"}  # noqa: SLF001
        assert len(events) > 60
        for event in sorted(events):
            for data in RUBBISH:
                house.dispatch(event, data)
        await house.still_hears()
        assert (house.begun, len(house.clients)) == (1, 1)
    skipped = [record.getMessage() for record in caplog.records if "payload unreadable" in record.message]
    assert any("INTERACTION_CREATE" in line for line in skipped)


@pytest.mark.parametrize(
    "text",
    [
        "no json",
        "[]",
        "null",
        '"words"',
        "{}",
        '{"op": 0}',
        '{"op": 0, "t": 7, "d": {}}',
        '{"op": 0, "t": "RESUMED", "s": 1, "d": null}',
        '{"op": 99, "d": []}',
        '{"op": 0, "t": "GUILD_CREATE", "s": "x", "d": {"id": "1"}}',
        "[" * 5_000,
    ],
)
async def test_no_payload_that_cannot_be_read_ends_the_client(text: str, sandbox: Sandbox) -> None:
    async with kept(sandbox) as house:
        await eventually(house.online)
        for connection in sandbox.state.gateway.connections:
            connection.send_text(text)
        await house.still_hears()
        assert (house.begun, len(house.clients)) == (1, 1)


async def test_a_line_that_cannot_be_decompressed_is_resumed(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with kept(sandbox) as house:
        await eventually(house.online)
        resumed = asyncio.ensure_future(house.clients[0].wait_for("resumed"))
        context = discord.utils._ActiveDecompressionContext  # noqa: SLF001
        whole = context.decompress

        def broken(self: Any, data: bytes, /) -> str | None:
            monkeypatch.setattr(context, "decompress", whole)
            raise zlib.error

        monkeypatch.setattr(context, "decompress", broken)
        house.dispatch("TYPING_START", {"channel_id": "1", "user_id": "2", "timestamp": 3})
        await asyncio.wait_for(resumed, PATIENCE)
        await house.still_hears()
        assert (house.begun, len(house.clients)) == (1, 1)


@pytest.mark.parametrize("field", ["shard", "guilds", "resume_gateway_url", "application"])
async def test_a_session_whose_beginning_lacks_a_field_is_begun(field: str, sandbox: Sandbox) -> None:
    with changing("READY", lambda ready: ready.pop(field)):
        async with kept(sandbox) as house:
            await eventually(house.online)
            assert (house.begun, len(house.clients), house.waits) == (1, 1, [])
            await eventually(lambda: house.clients[0].get_guild(sandbox.records.guild.id))


async def test_the_account_of_a_session_may_lack_all_but_its_id(sandbox: Sandbox) -> None:
    with changing("READY", lambda ready: ready.update(user={"id": ready["user"]["id"]}, application={})):
        async with kept(sandbox) as house:
            await eventually(house.online)
            assert house.waits == []


def bare_guild(guild: dict[str, Any]) -> None:
    """Leave of a guild what its documentation does not call optional, and of its parts less."""
    channels = [{"id": each["id"], "type": each["type"]} for each in guild["channels"]]
    members = [{"user": {"id": each["user"]["id"]}} for each in guild["members"]]
    kept_fields = {"id": guild["id"], "channels": channels, "members": members, "roles": [{"id": "5"}]}
    guild.clear()
    guild.update(kept_fields)


def without_roles(guild: dict[str, Any]) -> None:
    for key in ("roles", "emojis", "stickers", "members"):
        del guild[key]


@pytest.mark.parametrize("change", [bare_guild, without_roles])
async def test_a_guild_that_lacks_fields_is_known(
    change: Callable[[dict[str, Any]], None], sandbox: Sandbox, caplog: pytest.LogCaptureFixture
) -> None:
    guild, channel = sandbox.records.guild.id, sandbox.channel("games").id
    with changing("GUILD_CREATE", change):
        async with kept(sandbox) as house:
            await eventually(house.online)
            client = house.clients[0]
            await eventually(lambda: client.get_channel(channel))
            assert lacking_in(client, Place(guild, channel)) == ()
    assert "payload unreadable" not in caplog.text


async def test_what_could_not_be_read_says_where_and_nothing_else(
    sandbox: Sandbox, caplog: pytest.LogCaptureFixture
) -> None:
    secret = "no number, but something secret"
    with changing("READY", lambda ready: ready.update(user={"id": secret})):
        async with kept(sandbox) as house:
            await eventually(lambda: house.begun >= 2)
    [line, *_] = [record.getMessage() for record in caplog.records if "payload unreadable" in record.message]
    assert re.search(r"\(READY: builtins\.ValueError at discord/user\.py:\d+\)", line)
    assert secret not in caplog.text


@pytest.mark.parametrize(
    "change",
    [
        lambda ready: ready.pop("session_id"),
        lambda ready: ready.pop("user"),
        lambda ready: ready.update(guilds=[{"name": "no id"}]),
        lambda ready: ready.update(user={"username": "no id"}),
    ],
)
async def test_a_session_whose_beginning_cannot_be_read_is_begun_anew_after_pauses_that_grow(
    change: Callable[[dict[str, Any]], object], sandbox: Sandbox
) -> None:
    async with kept(sandbox) as house:
        with changing("READY", change):
            await eventually(lambda: house.begun >= 6)
            assert sum(house.waits) > 100.0
        await eventually(house.online)


@pytest.mark.parametrize("forgets", [False, True])
async def test_a_gateway_that_hangs_up_right_after_ready_does_not_use_up_the_day(
    forgets: bool, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    if forgets:
        monkeypatch.setattr(Session, "can_resume", lambda *_: False)
    sandbox.state.gateway.faults.drop_ready = 100_000
    async with kept(sandbox) as house:
        await eventually(lambda: sum(house.waits) > 3_600.0)
        # An hour of it, as the pauses say.
        assert house.begun <= (16 if forgets else 1)
        sandbox.state.gateway.faults.drop_ready = 0
        await eventually(house.online)


@pytest.mark.parametrize("how", ["resume", "reconnect", "invalid"])
async def test_who_ends_while_a_shard_connects_again_ends(
    how: str, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    under_way = asyncio.Event()

    async def endless(*_: object, **__: object) -> None:
        under_way.set()
        await for_ever()

    async with kept(sandbox) as house:
        await eventually(house.online)
        with monkeypatch.context() as patch:
            patch.setattr(DiscordWebSocket, "from_client", endless)
            await sandbox.drop_gateway(how)
            await asyncio.wait_for(under_way.wait(), PATIENCE)
        # `kept` ends it now.


async def test_a_gateway_that_refuses_and_invalidates_does_not_use_up_the_day(sandbox: Sandbox) -> None:
    async with kept(sandbox) as house:
        await eventually(house.online)
        for _ in range(6):
            before = house.begun
            await sandbox.drop_gateway("invalid")
            await eventually(lambda before=before: house.begun > before)  # type: ignore[misc]
            await eventually(house.online)
        assert len(house.clients) == 1
        assert max(house.waits) >= 60.0


async def test_where_few_sessions_are_left_none_is_begun_until_there_are_more(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox.set_sharding(sessions=RESERVED_SESSIONS)
    release = asyncio.Event()

    async def wait(_: House, seconds: float) -> None:
        if seconds > 3_600.0:
            await release.wait()

    monkeypatch.setattr(House, "_sleep", wait)
    async with kept(sandbox) as house:
        await eventually(lambda: CONDITION in house.conditions.present())
        assert house.begun == 0
        sandbox.set_sharding(sessions=1_000)
        release.set()
        await eventually(house.online)
        assert house.begun == 1
        assert house.conditions.present() == {}


async def test_a_replaced_database_does_not_end_the_process(sandbox: Sandbox) -> None:
    """A file that was deleted, and is open still, would be gone with it."""

    class Homeless(Quiet):
        async def setup_hook(self) -> None:
            raise DatabaseReplaced("it is gone")

    made: list[Homeless] = []

    def new_client() -> Homeless:
        made.append(Homeless())
        return made[-1]

    starts = SessionStarts(Conditions())
    keeping = asyncio.create_task(Connection(new_client, sandbox.token, starts).keep())
    try:
        await eventually(lambda: len(made) > 1)
        assert not keeping.done()
    finally:
        keeping.cancel()
        await asyncio.wait([keeping])
