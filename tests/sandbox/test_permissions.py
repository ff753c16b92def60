"""Refused actions of a bot: missing permissions, closed DMs, messages of others, after a kick."""

import io
from typing import Any

import discord
import pytest

from sandbox.model import PUBLIC_THREAD
from sandbox.permissions import ALL, BOT, EVERYONE, Permission
from sandbox.server import Sandbox
from tests.kit.person import Person
from tests.kit.waiting import PATIENCE, eventually
from tests.sandbox.conftest import Bot, Connect, Start


async def refused(attempt: Any) -> int:
    with pytest.raises(discord.HTTPException) as error:
        await attempt
    assert error.value.status == 403
    return error.value.code


async def test_every_missing_permission_is_noticed(sandbox: Sandbox, start: Start) -> None:
    sandbox.state.limits.enabled = False
    bot = await start()
    channel = bot.text("games")
    message = await channel.send("x")
    thread = await message.create_thread(name="t")
    second = await channel.send("y")

    def file() -> discord.File:
        return discord.File(io.BytesIO(b"x"), "x.txt")

    attempts: list[tuple[Permission, Any]] = [
        (Permission.SEND_MESSAGES, lambda: channel.send("x")),
        (Permission.ATTACH_FILES, lambda: channel.send(file=file())),
        (Permission.EMBED_LINKS, lambda: channel.send(embed=discord.Embed(title="x"))),
        (Permission.SEND_MESSAGES_IN_THREADS, lambda: thread.send("x")),
        (Permission.CREATE_PUBLIC_THREADS, lambda: second.create_thread(name="u")),
        (Permission.READ_MESSAGE_HISTORY, lambda: channel.fetch_message(message.id)),
        (Permission.MANAGE_THREADS, thread.delete),
    ]
    for missing, attempt in attempts:
        sandbox.set_permissions(BOT & ~missing)
        assert await refused(attempt()) == 50013, missing
    sandbox.set_permissions(BOT & ~Permission.SEND_MESSAGES)
    await thread.send("threads have a permission of their own")
    sandbox.set_permissions(BOT & ~Permission.READ_MESSAGE_HISTORY)
    assert [m async for m in channel.history()] == []
    sandbox.set_permissions(BOT & ~Permission.VIEW_CHANNEL)
    for attempt in (channel.send("x"), bot.fetch_channel(channel.id), message.edit(content="x")):
        assert await refused(attempt) == 50001
    sandbox.set_permissions(BOT)
    await channel.send("all is well again")


async def test_permissions_of_one_channel(sandbox: Sandbox, start: Start) -> None:
    bot = await start()
    sandbox.set_permissions(0, sandbox.channel("games"))
    assert await refused(bot.text("games").send("x")) == 50001
    await bot.text("general").send("x")
    assert bot.text("games").permissions_for(bot.carnival.me).value == 0


async def test_nothing_counts_without_sight_of_the_channel(sandbox: Sandbox) -> None:
    games = sandbox.channel("games")
    sandbox.set_permissions(BOT & ~Permission.VIEW_CHANNEL, games)
    assert sandbox.records.permissions(games, sandbox.records.bot.id) == 0
    sandbox.set_permissions(BOT, games)
    assert sandbox.records.permissions(games, sandbox.records.bot.id) == BOT


async def test_the_bot_learns_its_permissions(sandbox: Sandbox, start: Start, connect: Connect) -> None:
    def configure(bot: Bot) -> None:
        @bot.tree.command(name="mine", description="Mine")
        async def mine(act: discord.Interaction[Bot]) -> None:
            seen.append((act.app_permissions.value, act.permissions.value))
            await act.response.send_message("x", ephemeral=True)

    seen: list[tuple[int, int]] = []
    bot = await start(configure)
    alba = await connect("Alba")
    assert bot.text("games").permissions_for(bot.carnival.me).value == BOT
    await alba.command("games", "mine")
    changed = bot.wait_for("guild_role_update", timeout=PATIENCE)
    sandbox.set_permissions(EVERYONE)
    await changed
    await alba.command("games", "mine")
    await alba.command(await alba.dm(), "mine")
    assert seen[:2] == [(BOT, EVERYONE), (EVERYONE, EVERYONE)]
    assert seen[2][0] & Permission.ATTACH_FILES
    sandbox.set_permissions(Permission.ADMINISTRATOR)
    await alba.command("games", "mine")
    assert seen[3] == (ALL, EVERYONE)


async def test_threads_that_come_into_sight_are_told(sandbox: Sandbox, start: Start) -> None:
    bot = await start()
    thread = await (await bot.text("games").send("x")).create_thread(name="t")
    games = sandbox.channel("games")
    sandbox.set_permissions(0, games)
    # Discord sends no event for threads that become invisible, so remove this one from the library.
    sandbox.state.gateway.dispatch(
        "THREAD_DELETE",
        {
            "id": str(thread.id),
            "guild_id": str(games.guild_id),
            "parent_id": str(games.id),
            "type": PUBLIC_THREAD,
        },
        guild_id=games.guild_id,
    )
    await eventually(lambda: bot.carnival.get_thread(thread.id) is None)
    sandbox.set_permissions(BOT, games)
    await eventually(lambda: bot.carnival.get_thread(thread.id) is not None)


async def test_direct_messages_and_closed_ones(sandbox: Sandbox, start: Start, connect: Connect) -> None:
    bot = await start()
    alba = await connect("Alba")
    user = await bot.fetch_user(int(alba.id))
    sent = await user.send("psst")
    assert (await alba.message(lambda m: m["content"] == "psst"))["channel_id"] == str(sent.channel.id)
    await alba.set_dms(is_open=False)
    assert await refused(user.send("psst")) == 50007
    await sent.edit(content="what was sent can be changed")
    sandbox.set_dms("Alba", is_open=True)
    await user.send("psst")
    sandbox.kick()
    assert await refused(user.send("psst")) == 50278
    with pytest.raises(discord.HTTPException) as error:
        await bot.http.start_private_message(5)
    assert error.value.code == 50035


async def test_anothers_messages(sandbox: Sandbox, start: Start, connect: Connect) -> None:
    bot = await start()
    alba = await connect("Alba")
    said = await alba.say("games", "mine")
    message = await bot.text("games").fetch_message(int(said["id"]))
    assert await refused(message.edit(content="yours")) == 50005
    sandbox.set_permissions(BOT & ~Permission.MANAGE_MESSAGES)
    assert await refused(message.delete()) == 50013
    sandbox.set_permissions(BOT)
    await message.delete()
    assert await alba.messages("games") == []


async def test_a_kicked_bot_loses_the_guild_and_gets_it_back(
    sandbox: Sandbox, start: Start, connect: Connect
) -> None:
    def configure(bot: Bot) -> None:
        @bot.tree.command(name="x", description="x")
        async def x(act: discord.Interaction[Bot]) -> None:
            await act.response.send_message("x")

    bot = await start(configure)
    channel = bot.text("games")
    gone = bot.wait_for("guild_remove", timeout=PATIENCE)
    sandbox.kick()
    assert (await gone).name == "The Carnival"
    assert list(bot.guilds) == []
    assert await refused(channel.send("x")) == 50001
    with pytest.raises(discord.NotFound) as error:
        await bot.fetch_guild(channel.guild.id)
    assert error.value.code == 10004
    back = bot.wait_for("guild_join", timeout=PATIENCE)
    sandbox.invite()
    await back
    await bot.text("games").send("x")
    assert [m.name for m in bot.carnival.members] == ["Bauta"]


async def test_new_people_are_told_with_the_members_intent_only(
    sandbox: Sandbox, start: Start, connect: Connect
) -> None:
    intents = discord.Intents.default()
    intents.members = True
    sandbox.state.gateway.privileged = intents.value & 2
    bot = await start(intents=intents)
    alba = await connect("Alba")
    assert {m.display_name for m in bot.carnival.members} == {"Bauta", "Steward", "Alba", "Bruno"}
    joined = bot.wait_for("member_join", timeout=PATIENCE)
    async with await Person.create(sandbox.entrance, "Carla", "it") as carla:
        assert (await joined).display_name == "Carla"
        assert carla.me["locale"] == "it"
    await alba.wait_for(lambda e: e.t == "MEMBER_ADD" and e.d["global_name"] == "Carla")
    names = sorted([member.display_name async for member in bot.carnival.fetch_members()])
    assert names == ["Alba", "Bauta", "Bruno", "Carla", "Steward"]
