"""Sharded bots with the real client: one process with all shards, or several with some each."""

import discord
import pytest
from discord import app_commands, ui

from sandbox.model import Guild
from sandbox.server import Sandbox
from sandbox.snowflake import shard_of
from tests.kit.person import Person, PersonError
from tests.kit.waiting import eventually
from tests.sandbox.conftest import Bot, Connect, Start

Act = discord.Interaction[Bot]


class Button(ui.View):
    """A button whose response names the process."""

    def __init__(self, process: str) -> None:
        super().__init__(timeout=None)
        self.process = process

    @ui.button(label="Who", custom_id="who")
    async def who(self, act: Act, button: ui.Button["Button"]) -> None:
        await act.response.send_message(f"button: {self.process}", ephemeral=True)


class Process:
    """A process of a bot: its received events, and a command and a button that name it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.heard: list[int | None] = []

    def configure(self, bot: Bot) -> None:
        @bot.tree.command(name="who", description="Say which process this is")
        @app_commands.allowed_contexts(guilds=True, dms=True)
        async def who(act: Act) -> None:
            await act.response.send_message(f"command: {self.name}", view=Button(self.name))

        @bot.event
        async def on_message(message: discord.Message) -> None:
            if not message.author.bot:
                self.heard.append(None if message.guild is None else message.guild.id)

        bot.add_view(Button(self.name))


async def two_processes(start: Start) -> tuple[tuple[Process, Bot], tuple[Process, Bot]]:
    zero, one = Process("zero"), Process("one")
    return (
        (zero, await start(zero.configure, shard_ids=[0], shard_count=2)),
        (one, await start(one.configure, shard_ids=[1], shard_count=2)),
    )


def games(sandbox: Sandbox, guild: Guild) -> int:
    return sandbox.channel("games", guild).id


async def asked(person: Person, channel: int | str) -> tuple[str, str]:
    """Send the command and press the button in its response; return both responses."""
    message = (await person.command(channel, "who")).message
    assert message is not None
    pressed = (await person.press(message, "who")).message
    assert pressed is not None
    return message["content"], pressed["content"]


async def test_a_process_with_all_shards_takes_the_recommended_number(
    sandbox: Sandbox, start: Start, connect: Connect
) -> None:
    sandbox.set_sharding(shards=3)
    guilds = [sandbox.add_guild(shard=(number, 3)) for number in range(3)]
    process = Process("all")
    bot = await start(process.configure)
    assert bot.shard_count == 3
    assert sorted(bot.shards) == [0, 1, 2]
    for number, guild in enumerate(guilds):
        found = bot.get_guild(guild.id)
        assert found is not None
        assert found.shard_id == number
        assert [channel.name for channel in found.text_channels] == ["general", "games"]
    assert len(bot.guilds) == 4
    alba = await connect("Alba")
    for guild in guilds:
        assert await asked(alba, games(sandbox, guild)) == ("command: all", "button: all")


async def test_each_process_answers_in_the_guilds_of_its_shards(
    sandbox: Sandbox, start: Start, connect: Connect
) -> None:
    guilds = [sandbox.add_guild(shard=(number, 2)) for number in range(2)]
    (zero, first), (one, second) = await two_processes(start)
    for number, bot in enumerate((first, second)):
        assert {shard_of(guild.id, 2) for guild in bot.guilds} == {number}
    alba = await connect("Alba")
    assert await asked(alba, games(sandbox, guilds[0])) == ("command: zero", "button: zero")
    assert await asked(alba, games(sandbox, guilds[1])) == ("command: one", "button: one")
    dm = await alba.dm()
    assert await asked(alba, dm["id"]) == ("command: zero", "button: zero")
    for channel in (dm["id"], games(sandbox, guilds[1]), games(sandbox, guilds[0])):
        await alba.say(channel, "hello")
    await eventually(lambda: len(zero.heard) == 2 and len(one.heard) == 1)
    assert zero.heard == [None, guilds[0].id]
    assert one.heard == [guilds[1].id]


async def test_a_click_on_a_dead_shard_fails_while_the_others_go_on(
    sandbox: Sandbox, start: Start, connect: Connect
) -> None:
    guilds = [sandbox.add_guild(shard=(number, 2)) for number in range(2)]
    _, (one, second) = await two_processes(start)
    alba = await connect("Alba")
    message = (await alba.command(games(sandbox, guilds[1]), "who")).message
    assert message is not None
    await second.close()
    await eventually(lambda: [s["connected"] for s in sandbox.state.gateway.shards()] == [True, False])
    assert alba.bot["online"]
    assert await asked(alba, games(sandbox, guilds[0])) == ("command: zero", "button: zero")
    pressed = await alba.press(message, "who", wait=False)
    sandbox.advance(3)
    with pytest.raises(PersonError, match="did not respond"):
        await alba.outcome(pressed.interaction_id, pressed.mark)
    await start(one.configure, shard_ids=[1], shard_count=2)
    again = (await alba.press(message, "who")).message
    assert again is not None
    assert again["content"] == "button: one"


async def test_a_shard_that_was_cut_resumes_by_itself(
    sandbox: Sandbox, start: Start, connect: Connect
) -> None:
    sandbox.set_sharding(shards=2)
    guilds = [sandbox.add_guild(shard=(number, 2)) for number in range(2)]
    resumed: list[int] = []
    connected: list[int] = []
    process = Process("all")

    def configure(bot: Bot) -> None:
        process.configure(bot)

        @bot.event
        async def on_shard_resumed(number: int) -> None:
            resumed.append(number)

        @bot.event
        async def on_shard_connect(number: int) -> None:
            connected.append(number)

    await start(configure)
    alba = await connect("Alba")
    await sandbox.drop_gateway("resume", shard=1)
    await alba.say(games(sandbox, guilds[1]), "meanwhile")
    await eventually(lambda: resumed == [1])
    await eventually(lambda: process.heard == [guilds[1].id])
    assert sorted(connected) == [0, 1]
    sandbox.refuse_resumes(1, shard=1)
    await sandbox.drop_gateway("resume", shard=1)
    await eventually(lambda: sorted(connected) == [0, 1, 1])
    assert resumed == [1]


async def test_one_who_joins_a_guild_sees_its_channels_and_can_play_there(
    sandbox: Sandbox, start: Start, connect: Connect
) -> None:
    guild = sandbox.add_guild("Far Away", people=[], shard=(1, 2))
    await two_processes(start)
    alba = await connect("Alba")
    channel = games(sandbox, guild)
    assert str(channel) not in alba.channels
    with pytest.raises(PersonError, match="no such channel"):
        await alba.command(channel, "who")
    sandbox.join("Alba", guild)
    told = await alba.wait_for(lambda event: event.t == "GUILD_CREATE")
    assert told.d == {"id": str(guild.id), "name": "Far Away"}
    await alba.wait_for(lambda event: event.t == "CHANNEL_CREATE" and event.d["id"] == str(channel))
    assert await asked(alba, channel) == ("command: one", "button: one")


async def test_a_command_of_one_guild_is_known_in_that_guild_alone(
    sandbox: Sandbox, start: Start, connect: Connect
) -> None:
    guild = sandbox.add_guild(shard=(1, 2))
    one = Process("one")
    bot = await start(shard_ids=[1], shard_count=2)
    one.configure(bot)
    bot.tree.copy_global_to(guild=guild)
    await bot.tree.sync(guild=guild)
    alba = await connect("Alba")
    assert alba.commands == []
    assert await asked(alba, games(sandbox, guild)) == ("command: one", "button: one")
    with pytest.raises(PersonError, match="no command"):
        await alba.command("games", "who")


async def test_nobody_clicks_in_a_guild_they_are_not_in(
    sandbox: Sandbox, start: Start, connect: Connect
) -> None:
    guild = sandbox.add_guild(people=["Alba"], shard=(1, 2))
    await two_processes(start)
    alba, bruno = await connect("Alba"), await connect("Bruno")
    message = (await alba.command(games(sandbox, guild), "who")).message
    assert message is not None
    with pytest.raises(PersonError, match="no such message"):
        await bruno.press(message, "who")
    with pytest.raises(PersonError, match="no such message"):
        await bruno.forge(message, "who")


async def test_threads_and_mentions_are_those_of_their_own_guild(
    sandbox: Sandbox, start: Start, connect: Connect
) -> None:
    guild = sandbox.add_guild("Far Away", shard=(1, 2))
    _, (_, bot) = await two_processes(start)
    found = bot.get_guild(guild.id)
    assert found is not None
    alba = await connect("Alba")
    channel = discord.utils.get(found.text_channels, name="games")
    assert channel is not None
    sent = await channel.send(f"<@{alba.id}>, come here", allowed_mentions=discord.AllowedMentions.all())
    thread = await sent.create_thread(name="inside")
    assert [each.id for each in await found.active_threads()] == [thread.id]
    assert thread.guild.id == guild.id
    assert [note["title"] for note in alba.notifications] == ["Bauta (#games, Far Away)"]
    assert sandbox.records.active_threads(sandbox.records.guild) == []
    assert len([guild async for guild in bot.fetch_guilds()]) == 2
