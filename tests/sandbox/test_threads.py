"""Threads: started from messages, archived, unarchived, locked, deleted."""

from typing import Any

import discord
import pytest

from sandbox.permissions import BOT, Permission
from sandbox.server import Sandbox
from tests.kit.person import PersonError
from tests.kit.waiting import PATIENCE
from tests.sandbox.conftest import Bot, Connect, Start

Act = discord.Interaction[Bot]


async def begun(bot: Bot, **options: Any) -> tuple[discord.Message, discord.Thread]:
    message = await bot.text("games").send("a table")
    return message, await message.create_thread(name="match", **options)


async def test_a_thread_has_the_id_of_its_message(sandbox: Sandbox, start: Start, connect: Connect) -> None:
    bot = await start()
    alba = await connect("Alba")
    message, thread = await begun(bot, auto_archive_duration=10080)
    assert thread.id == message.id
    assert (thread.owner_id, thread.parent_id) == (bot.application_id, message.channel.id)
    created = await alba.wait_for(lambda e: e.t == "THREAD_CREATE")
    assert created.d["name"] == "match"
    assert created.d["thread_metadata"]["auto_archive_duration"] == 10080
    marked = await alba.message(lambda m: m["id"] == str(message.id) and "thread" in m)
    assert marked["flags"] & 32
    starter = (await alba.messages(thread.id))[0]
    assert starter["type"] == 21
    assert starter["referenced_message"]["content"] == "a table"
    with pytest.raises(discord.HTTPException) as error:
        await message.create_thread(name="again")
    assert error.value.code == 160004
    await thread.send("hello")
    assert bot.carnival.get_thread(thread.id) is not None
    assert [t.id for t in await bot.carnival.active_threads()] == [thread.id]
    fetched = await bot.fetch_channel(thread.id)
    assert isinstance(fetched, discord.Thread)
    assert fetched.message_count == 1


async def test_who_writes_or_is_mentioned_joins(start: Start, connect: Connect) -> None:
    bot = await start()
    alba, bruno = await connect("Alba"), await connect("Bruno")
    _, thread = await begun(bot)
    await alba.say(thread.id, "me too")
    await thread.send(f"<@{bruno.id}>", allowed_mentions=discord.AllowedMentions(users=True))
    members = {member.id for member in await thread.fetch_members()}
    assert members == {bot.application_id, int(alba.id), int(bruno.id)}
    await thread.remove_user(discord.Object(int(bruno.id)))
    assert int(bruno.id) not in {member.id for member in await thread.fetch_members()}


async def test_a_quiet_thread_is_archived_and_a_message_wakes_it(
    sandbox: Sandbox, start: Start, connect: Connect
) -> None:
    bot = await start()
    alba = await connect("Alba")
    _, thread = await begun(bot, auto_archive_duration=60)
    sent = await thread.send("one")
    sandbox.advance(59 * 60)
    await thread.send("two")
    sandbox.advance(59 * 60)
    assert not (await _fetched(bot, thread)).archived
    sandbox.advance(2 * 60)
    assert (await _fetched(bot, thread)).archived
    for change in (sent.edit(content="x"), sent.delete(), thread.edit(name="other"), thread.join()):
        with pytest.raises(discord.HTTPException) as error:
            await change
        assert error.value.code == 50083
    archived = [t.id async for t in bot.text("games").archived_threads()]
    assert archived == [thread.id]
    await alba.say(thread.id, "awake")
    assert not (await _fetched(bot, thread)).archived
    await sent.edit(content="x")
    await thread.edit(archived=True)
    await thread.edit(archived=False, name="renamed")
    assert (await _fetched(bot, thread)).name == "renamed"


async def _fetched(bot: Bot, thread: discord.Thread) -> discord.Thread:
    found = await bot.fetch_channel(thread.id)
    assert isinstance(found, discord.Thread)
    return found


async def test_a_locked_thread_refuses_people_and_bots_that_do_not_manage_it(
    sandbox: Sandbox, start: Start, connect: Connect
) -> None:
    def configure(bot: Bot) -> None:
        @bot.tree.command(name="x", description="x")
        async def x(act: Act) -> None:
            await act.response.send_message("x")

        @bot.event
        async def on_interaction(act: Act) -> None:
            if act.type is discord.InteractionType.component:
                sandbox.set_thread(act.channel_id or 0, locked=True)
                with pytest.raises(discord.Forbidden) as error:
                    await act.response.send_message("public")
                codes.append(error.value.code)
                await act.response.send_message("private", ephemeral=True)

    codes: list[int] = []
    bot = await start(configure)
    alba = await connect("Alba")
    _, thread = await begun(bot)
    view = discord.ui.View(timeout=None).add_item(discord.ui.Button[Any](label="B", custom_id="b"))
    sent = await thread.send("one", view=view)
    await alba.message(lambda m: m["id"] == str(sent.id))
    sandbox.set_permissions(BOT & ~Permission.MANAGE_THREADS)
    outcome = await alba.press(sent.id, "B")
    assert codes == [50083]
    assert outcome.message is not None
    assert outcome.message["content"] == "private"
    for attempt in (alba.press(sent.id, "B"), alba.command(thread.id, "x"), alba.say(thread.id, "x")):
        with pytest.raises(PersonError, match="locked"):
            await attempt
    with pytest.raises(discord.HTTPException) as error:
        await thread.send("two")
    assert error.value.code == 160005
    with pytest.raises(discord.HTTPException) as error:
        await sent.edit(content="three")
    assert error.value.code == 50083
    with pytest.raises(discord.Forbidden) as missing:
        await thread.edit(locked=False)
    assert missing.value.code == 50013
    sandbox.set_permissions(BOT)
    await thread.send("two")
    await thread.edit(locked=False)
    await alba.say(thread.id, "free again")


async def test_a_private_thread_is_seen_by_its_members_only(
    sandbox: Sandbox, start: Start, connect: Connect
) -> None:
    bot = await start()
    alba, bruno = await connect("Alba"), await connect("Bruno")
    with pytest.raises(discord.Forbidden):
        await bot.text("games").create_thread(name="secret")
    sandbox.set_permissions(BOT | Permission.CREATE_PRIVATE_THREADS)
    thread = await bot.text("games").create_thread(name="secret")
    assert thread.is_private()
    await thread.add_user(discord.Object(int(alba.id)))
    await thread.send("a secret")
    await alba.message(lambda m: m["content"] == "a secret")
    with pytest.raises(PersonError, match="no such channel"):
        await bruno.messages(thread.id)
    assert "secret" not in str([entry.json() for entry in sandbox.audit("Bruno")])
    await thread.edit(archived=True)
    assert [t.id async for t in bot.text("games").archived_threads(private=True)] == [thread.id]


async def test_deleted_threads_and_channels_are_gone(
    sandbox: Sandbox, start: Start, connect: Connect
) -> None:
    bot = await start()
    alba = await connect("Alba")
    message, thread = await begun(bot)
    _, other = await begun(bot)
    gone = bot.wait_for("thread_delete", timeout=PATIENCE)
    sandbox.delete_channel(thread.id)
    assert (await gone).id == thread.id
    await alba.wait_for(lambda e: e.t == "THREAD_DELETE" and e.d["id"] == str(thread.id))
    with pytest.raises(discord.NotFound) as error:
        await thread.send("into the void")
    assert error.value.code == 10003
    sandbox.delete_message(message.id)
    with pytest.raises(discord.NotFound) as error:
        await message.edit(content="x")
    assert error.value.code == 10008
    await other.delete()
    closed = bot.wait_for("guild_channel_delete", timeout=PATIENCE)
    sandbox.delete_channel(message.channel.id)
    assert (await closed).id == message.channel.id
    with pytest.raises(PersonError):
        await alba.messages(message.channel.id)


async def test_threads_without_a_message_are_announced(
    sandbox: Sandbox, start: Start, connect: Connect
) -> None:
    bot = await start()
    alba = await connect("Alba")
    thread = await bot.text("games").create_thread(name="open", type=discord.ChannelType.public_thread)
    note = await alba.message(lambda m: m["type"] == 18)
    assert (note["content"], note["message_reference"]["channel_id"]) == ("open", str(thread.id))
    with pytest.raises(discord.HTTPException) as error:
        await thread.edit(name="x" * 101)
    assert error.value.code == 50035
    sandbox.violations.clear()
