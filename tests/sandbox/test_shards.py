"""Shards on raw connections: their guilds and events, drops, resumes and refusals."""

from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from aiohttp import ClientSession

from sandbox.model import Guild
from sandbox.server import Sandbox
from sandbox.snowflake import Snowflakes, shard_of
from tests.sandbox.conftest import Connect
from tests.sandbox.line import INTENTS, Json, Line, opened

DIRECT_MESSAGES = 1 << 12
ALL = INTENTS | DIRECT_MESSAGES


class Shard:
    """An identified connection, its READY, and the guilds that followed."""

    def __init__(self, line: Line, ready: Json, guilds: list[Json]) -> None:
        self.line = line
        self.ready = ready
        self.guilds = guilds

    @property
    def session_id(self) -> str:
        return str(self.ready["session_id"])


Identify = Callable[[int, int], Awaitable[Shard]]


@pytest.fixture
async def http() -> AsyncIterator[ClientSession]:
    async with ClientSession() as session:
        yield session


@pytest.fixture
def identify(sandbox: Sandbox, http: ClientSession) -> Identify:
    """Identify as a shard."""

    async def begin(number: int, count: int) -> Shard:
        line = await opened(http, sandbox)
        await line.identify(sandbox.token, shard=[number, count], intents=ALL)
        ready = (await line.event("READY"))["d"]
        guilds = [(await line.event("GUILD_CREATE"))["d"] for _ in ready["guilds"]]
        return Shard(line, ready, guilds)

    return begin


def on_each_shard(sandbox: Sandbox, count: int) -> list[Guild]:
    """Create a guild on each of `count` shards."""
    return [sandbox.add_guild(shard=(number, count)) for number in range(count)]


def games(sandbox: Sandbox, guild: Guild) -> int:
    return sandbox.channel("games", guild).id


# Guilds of a shard


def test_guilds_are_spread_evenly_over_any_number_of_shards() -> None:
    sandbox = Sandbox(page=False)
    guilds = [sandbox.add_guild() for _ in range(24)]
    assert len({guild.id for guild in guilds}) == 24
    for count in (1, 2, 3, 4, 6, 8):
        found = Counter(shard_of(guild.id, count) for guild in guilds)
        assert found == dict.fromkeys(range(count), 24 // count)


@pytest.mark.parametrize("shard", [(0, 1), (0, 5), (4, 5), (15, 16)])
def test_a_guild_falls_on_the_shard_that_is_asked_for(shard: tuple[int, int]) -> None:
    sandbox = Sandbox(page=False)
    guilds = [sandbox.add_guild(shard=shard) for _ in range(3)]
    assert {shard_of(guild.id, shard[1]) for guild in guilds} == {shard[0]}
    assert len({guild.id for guild in guilds}) == 3


@pytest.mark.parametrize("shard", [(1, 1), (-1, 2), (0, 0)])
def test_no_guild_falls_on_a_shard_that_cannot_be(shard: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="shard"):
        Sandbox(page=False).add_guild(shard=shard)


def test_ids_grow_whatever_shard_they_are_for() -> None:
    ids = Snowflakes(lambda: 1_500_000_000.0)
    made = [ids.make(), ids.make_on_shard((3, 7)), ids.make_on_shard((2, 7)), ids.make(), ids.make_on_shard()]
    assert made == sorted(set(made))
    assert [number >> 22 for number in made[1:3]] != [made[0] >> 22] * 2
    assert [shard_of(number, 7) for number in made[1:3]] == [3, 2]


# READY and events


async def test_each_shard_begins_with_its_own_guilds(sandbox: Sandbox, identify: Identify) -> None:
    added = [*on_each_shard(sandbox, 3), *on_each_shard(sandbox, 3)]
    everything = {guild.id for guild in (sandbox.records.guild, *added)}
    shards = [await identify(number, 3) for number in range(3)]
    for number, shard in enumerate(shards):
        expected = {str(guild) for guild in everything if shard_of(guild, 3) == number}
        assert shard.ready["shard"] == [number, 3]
        assert shard.ready["guilds"] == [{"id": guild["id"], "unavailable": True} for guild in shard.guilds]
        assert {guild["id"] for guild in shard.guilds} == expected
        for guild in shard.guilds:
            assert [channel["name"] for channel in guild["channels"]] == ["general", "games"]
            assert {channel["guild_id"] for channel in guild["channels"]} == {guild["id"]}
    assert len({shard.session_id for shard in shards}) == 3


async def test_without_a_shard_a_connection_has_everything(
    sandbox: Sandbox, http: ClientSession, connect: Connect
) -> None:
    added = on_each_shard(sandbox, 2)
    line = await opened(http, sandbox)
    await line.send(2, {"token": sandbox.token, "intents": ALL, "properties": {}})
    ready = (await line.event("READY"))["d"]
    assert ready["shard"] == [0, 1]
    assert len(ready["guilds"]) == 3
    alba = await connect("Alba")
    for guild in added:
        await alba.say(games(sandbox, guild), guild.name)
        assert (await line.event("MESSAGE_CREATE"))["d"]["guild_id"] == str(guild.id)


async def test_events_go_to_the_shard_of_their_guild_alone(
    sandbox: Sandbox, identify: Identify, connect: Connect
) -> None:
    guilds = on_each_shard(sandbox, 2)
    shards = [await identify(number, 2) for number in range(2)]
    alba = await connect("Alba")
    # An event for the wrong shard would arrive before the second message, which is its own.
    for said in ("first", "second"):
        for number in (1, 0):
            await alba.say(games(sandbox, guilds[number]), f"{said} in {number}")
    for number, shard in enumerate(shards):
        heard = [(await shard.line.get())["d"] for _ in range(2)]
        assert [message["guild_id"] for message in heard] == [str(guilds[number].id)] * 2
        assert [message["channel_id"] for message in heard] == [str(games(sandbox, guilds[number]))] * 2


async def test_what_has_no_guild_goes_to_shard_zero_alone(
    sandbox: Sandbox, identify: Identify, connect: Connect
) -> None:
    guilds = on_each_shard(sandbox, 2)
    zero, one = await identify(0, 2), await identify(1, 2)
    alba = await connect("Alba")
    dm = await alba.dm()
    await alba.say(dm, "psst")
    await alba.say(games(sandbox, guilds[1]), "aloud")
    heard = (await zero.line.event("MESSAGE_CREATE"))["d"]
    assert (heard["channel_id"], heard["content"]) == (dm["id"], "psst")
    assert "guild_id" not in heard
    assert (await one.line.get())["d"]["guild_id"] == str(guilds[1].id)


async def test_two_sessions_of_one_shard_both_hear_its_events(
    sandbox: Sandbox, identify: Identify, connect: Connect
) -> None:
    guild = sandbox.add_guild(shard=(1, 2))
    both = [await identify(1, 2), await identify(1, 2)]
    assert both[0].session_id != both[1].session_id
    alba = await connect("Alba")
    await alba.say(games(sandbox, guild), "twice")
    for shard in both:
        assert (await shard.line.get())["t"] == "MESSAGE_CREATE"


async def test_sessions_of_two_counts_may_run_beside_each_other(
    sandbox: Sandbox, identify: Identify, connect: Connect
) -> None:
    """As when a bot moves to more shards: old sessions remain until the new ones have started."""
    guild = sandbox.add_guild(shard=(3, 4))
    old, new = await identify(0, 1), await identify(3, 4)
    alba = await connect("Alba")
    await alba.say(games(sandbox, guild), "to both")
    for shard in (old, new):
        assert (await shard.line.event("MESSAGE_CREATE"))["d"]["guild_id"] == str(guild.id)


async def test_a_guild_that_is_joined_or_left_is_told_on_its_shard(
    sandbox: Sandbox, identify: Identify
) -> None:
    zero, one = await identify(0, 2), await identify(1, 2)
    guild = sandbox.add_guild("Far Away", shard=(1, 2))
    made = (await one.line.get())["d"]
    assert (made["id"], made["name"]) == (str(guild.id), "Far Away")
    assert "unavailable" not in made
    sandbox.kick(guild)
    assert await one.line.get() == {
        "op": 0,
        "t": "GUILD_DELETE",
        "s": one.line.seq,
        "d": {"id": str(guild.id)},
    }
    sandbox.invite(guild)
    assert (await one.line.get())["t"] == "GUILD_CREATE"
    assert sandbox.records.has_bot(sandbox.records.guild)
    sandbox.add_guild(shard=(0, 2))
    assert (await zero.line.get())["t"] == "GUILD_CREATE"
    assert zero.line.seq == 1 + len(zero.guilds) + 1


async def test_members_are_listed_on_the_shard_of_their_guild(sandbox: Sandbox, identify: Identify) -> None:
    guild = sandbox.add_guild(shard=(1, 2), people=["Alba"])
    zero, one = await identify(0, 2), await identify(1, 2)
    body: Json = {"guild_id": str(guild.id), "query": "", "limit": 9}
    for shard, nonce in ((zero, "foreign"), (one, "own")):
        await shard.line.send(8, body | {"nonce": nonce})
        await shard.line.send(1, None)
    assert (await zero.line.get())["op"] == 11
    chunk = (await one.line.event("GUILD_MEMBERS_CHUNK"))["d"]
    assert chunk["nonce"] == "own"
    assert [member["user"]["username"] for member in chunk["members"]] == ["steward", "Bauta", "alba"]


# Drops and resumes


async def test_heartbeats_are_answered_on_their_own_connection(identify: Identify) -> None:
    zero, one = await identify(0, 2), await identify(1, 2)
    await one.line.send(1, one.line.seq)
    assert (await one.line.get())["op"] == 11
    await zero.line.send(1, zero.line.seq)
    assert (await zero.line.get())["op"] == 11


async def test_a_resumed_shard_hears_what_it_missed_and_nothing_else(
    sandbox: Sandbox, http: ClientSession, identify: Identify, connect: Connect
) -> None:
    guilds = on_each_shard(sandbox, 2)
    zero, one = await identify(0, 2), await identify(1, 2)
    alba = await connect("Alba")
    await sandbox.drop_gateway("close", shard=1)
    assert await one.line.closed() == 4000
    for number in (0, 1):
        await alba.say(games(sandbox, guilds[number]), f"meanwhile in {number}")
    assert (await zero.line.get())["d"]["guild_id"] == str(guilds[0].id)
    again = await opened(http, sandbox)
    await again.resume(sandbox.token, one.session_id, one.line.seq)
    missed = await again.get()
    assert (missed["t"], missed["d"]["guild_id"]) == ("MESSAGE_CREATE", str(guilds[1].id))
    assert (await again.get())["t"] == "RESUMED"
    await alba.say(games(sandbox, guilds[0]), "still here")
    await alba.say(games(sandbox, guilds[1]), "back again")
    assert (await again.get())["d"]["guild_id"] == str(guilds[1].id)
    assert (await zero.line.get())["d"]["guild_id"] == str(guilds[0].id)


async def test_the_bot_is_online_while_any_shard_is(
    sandbox: Sandbox, identify: Identify, connect: Connect
) -> None:
    on_each_shard(sandbox, 2)
    shards = [await identify(number, 2) for number in range(2)]
    alba = await connect("Alba")
    assert alba.bot["online"]
    await sandbox.drop_gateway("invalid", shard=0)
    assert [shard["shard"] for shard in sandbox.state.gateway.shards()] == [[1, 2]]
    assert sandbox.state.gateway.online
    await sandbox.drop_gateway("close", shard=1)
    await alba.wait_for(lambda event: event.t == "BOT_STATUS")
    assert not alba.bot["online"]
    assert [event.d["online"] for event in alba.received if event.t == "BOT_STATUS"] == [False]
    assert [shard["connected"] for shard in sandbox.state.gateway.shards()] == [False]
    assert (await shards[0].line.get())["op"] == 9


async def test_one_shard_may_be_refused_its_resume(
    sandbox: Sandbox, http: ClientSession, identify: Identify
) -> None:
    shards = [await identify(0, 2), await identify(1, 2)]
    sandbox.refuse_resumes(1, shard=1)
    await sandbox.drop_gateway("close")
    answers: list[Json] = []
    for shard in (*shards, shards[1]):
        line = await opened(http, sandbox)
        await line.resume(sandbox.token, shard.session_id, shard.line.seq)
        answers.append(await line.get())
    assert answers[0]["t"] == "RESUMED"
    # The second time, no fault is left: the session itself is lost.
    assert answers[1:] == [{"op": 9, "d": False}] * 2


async def test_one_shard_may_be_cut_right_after_its_ready(
    sandbox: Sandbox, http: ClientSession, identify: Identify
) -> None:
    sandbox.state.gateway.faults.drop_ready = 1
    sandbox.state.gateway.faults.shard = 1
    await identify(0, 2)
    line = await opened(http, sandbox)
    await line.identify(sandbox.token, shard=[1, 2])
    assert (await line.get())["t"] == "READY"
    assert await line.closed() == 1006
    assert sandbox.state.gateway.faults.drop_ready == 0


# Refusals


@pytest.mark.parametrize("shard", [[2, 2], [0, 0], [-1, 2], [1], [0, 1, 2], ["0", 1], {}, None, [0.0, 1]])
async def test_shards_that_cannot_be_are_refused(sandbox: Sandbox, http: ClientSession, shard: Any) -> None:
    line = await opened(http, sandbox)
    await line.identify(sandbox.token, shard=shard)
    assert await line.closed() == 4010
    assert sandbox.state.gateway.starts.identify_times == []


async def test_too_many_guilds_for_one_shard_are_refused_where_there_is_a_limit(
    sandbox: Sandbox, http: ClientSession, identify: Identify
) -> None:
    for _ in range(3):
        sandbox.add_guild()
    assert len((await identify(0, 1)).guilds) == 4
    sandbox.set_sharding(guilds_a_shard=3)
    line = await opened(http, sandbox)
    await line.identify(sandbox.token)
    assert await line.closed() == 4011
    assert sum([len((await identify(number, 2)).guilds) for number in range(2)]) == 4
