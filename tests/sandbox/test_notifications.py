"""The notifications that a locked phone shows when messages arrive."""

import discord
from discord import ui

from sandbox.server import Sandbox
from tests.sandbox.conftest import Bot, Connect, Start

EVERYBODY = discord.AllowedMentions(users=True)


def laid_out(words: str) -> ui.LayoutView:
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.TextDisplay(words))
    return view


async def test_a_phone_shows_the_words_that_a_message_arrives_with(
    sandbox: Sandbox, start: Start, connect: Connect
) -> None:
    bot, alba, bruno = await start(), await connect("Alba"), await connect("Bruno")
    channel = bot.text("games")
    sent = await channel.send(f"<@{alba.id}>, come to <#{channel.id}>", allowed_mentions=EVERYBODY)
    # An edit notifies nobody, and does not change shown notifications.
    await sent.edit(content=None, view=laid_out(f"<@{alba.id}> <@{bruno.id}>"), allowed_mentions=EVERYBODY)
    await channel.send(f"nobody, not even <@{bruno.id}>")
    last = await channel.send(f"<@{bruno.id}>", allowed_mentions=EVERYBODY)
    await bruno.message(lambda m: m["id"] == str(last.id))
    await bruno.wait_for(lambda event: event.t == "NOTIFICATION")
    [shown] = sandbox.notifications("Alba")
    assert shown.title == f"{bot.carnival.me.name} (#games, The Carnival)"
    assert shown.text == "@Alba, come to #games"
    assert [each["text"] for each in alba.notifications] == ["@Alba, come to #games"]
    assert [each["text"] for each in bruno.notifications] == ["@Bruno"]
    assert sandbox.violations == []


async def test_a_message_made_of_components_arrives_without_a_word(
    sandbox: Sandbox, start: Start, connect: Connect
) -> None:
    bot, alba = await start(), await connect("Alba")
    await bot.text("games").send(view=laid_out(f"<@{alba.id}>, it's your turn."), allowed_mentions=EVERYBODY)
    assert [each.text for each in sandbox.notifications("Alba")] == [""]
    [violation] = sandbox.violations
    assert (violation.kind, violation.text.split(" notifies ")[1]) == ("wordless", "Alba without a word")


async def test_a_direct_message_notifies_and_a_private_answer_does_not(
    sandbox: Sandbox, start: Start, connect: Connect
) -> None:
    def configure(bot: Bot) -> None:
        @bot.tree.command(name="hand", description="Show my hand")
        async def hand(act: discord.Interaction[Bot]) -> None:
            await act.response.send_message(f"<@{act.user.id}>", ephemeral=True)

    bot, alba = await start(configure), await connect("Alba")
    await alba.command("games", "hand")
    assert sandbox.notifications("Alba") == []
    direct = await bot.create_dm(discord.Object(int(alba.id)))
    await direct.send("It's your turn")
    await direct.send("quietly", silent=True)
    assert [(each.title, each.text) for each in sandbox.notifications("Alba")] == [
        (sandbox.records.bot.name, "It's your turn")
    ]
