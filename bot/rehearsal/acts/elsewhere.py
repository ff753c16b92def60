"""Slash commands, and direct messages to the operator."""

from __future__ import annotations

import discord

from bot.gateway.discord_errors import DMS_CLOSED, code_of
from bot.interactions.reply import Reply
from bot.pages.page import gallery
from bot.rehearsal.client import COMMAND, COMPLETIONS, WORD
from bot.rehearsal.desk import Skipped, expect, picture, pictures, words_of
from bot.rehearsal.stage import Lines, Stage, When

LINES = Lines()


@LINES.add(
    "commands", "A server's commands can be registered at any time, and are given back as they were sent."
)
async def commands(stage: Stage) -> str:
    """Register the rehearsal's command in this server alone."""
    tree, guild = stage.client.tree, stage.client.guild
    there = [command.name for command in await tree.fetch_commands(guild=guild)]
    if set(there) - {COMMAND}:
        raise Skipped(
            f"the application has {len(there)} commands of its own in this server: they are left alone"
        )
    stage.left.commands = True
    await tree.sync(guild=guild)
    found = [
        [each.name, *(option.name for option in each.options)]
        for each in await tree.fetch_commands(guild=guild)
    ]
    expect(found == [[COMMAND, WORD]], "it came back otherwise")
    return "one command is registered, in this server alone"


@LINES.add(
    "command",
    "A slash command reaches us with its option, and is answered privately.",
    When.PRESSED,
    "commands",
)
async def command(stage: Stage) -> str:
    """Have the command sent, and answer it; the lines below check its completion, edit and follow-up."""
    line = "command"
    if not stage.left.commands or stage.desk.operator is None:
        raise Skipped("nobody is there, or there is no command")
    words = f"Type **/{COMMAND}**, begin to fill in its **word**, take one that is offered, and send it."
    with stage.desk.expecting(COMMAND) as sent:
        touch = await stage.heard(line, words, sent, stage.post(line, words, stage.props.skip(line)))
    await touch.reply.defer()
    await touch.reply.show(stage.props.page(line, "Here is your answer."))
    stage.commanded = touch
    expect(touch.values and touch.values[0] in COMPLETIONS, "its option is not one of those offered")
    answer = await touch.reply.interaction.original_response()
    expect(answer.flags.ephemeral, "the answer is public")
    return "it arrived with its option, and was answered privately"


@LINES.add(
    "autocomplete", "What is typed into an option is completed by us.", When.PRESSED, "commands", "command"
)
async def autocomplete(stage: Stage) -> str:
    """Check that a completion was requested while the command was typed."""
    _touch(stage)
    asked = stage.client.completed
    expect(asked, "no completion was asked for")
    return f"it was asked for {len(asked)} times"


@LINES.add(
    "edited answer",
    "A private answer can be edited with a new picture, and followed up by another one.",
    When.PRESSED,
    "commands",
    "command",
)
async def edited_answer(stage: Stage) -> str:
    """Edit the command's answer, and follow it up."""
    line, reply = "edited answer", _touch(stage)
    shown = picture("view")
    await reply.show(stage.props.page(line, "Edited.", [gallery(shown)], [shown]))
    answer = await reply.interaction.original_response()
    # Fetched again: discord.py keeps the first response.
    edited = await reply.interaction.followup.fetch_message(answer.id)
    expect(len(pictures(edited)) == 1, "the picture is not shown")
    page = stage.props.page(line, "And one more.")
    second = await reply.interaction.followup.send(view=page.view, ephemeral=True, wait=True)
    expect(second.id != answer.id, "the followup is the answer itself")
    expect(second.flags.ephemeral, "the followup is public")
    return "both were taken, both are private"


@LINES.add("direct message", "A direct message can be opened, sent and edited.", When.PRESSED)
async def direct_message(stage: Stage) -> str:
    """Send a direct message to the operator, and edit it."""
    line, person = "direct message", stage.desk.operator
    if person is None:
        raise Skipped("nobody has pressed anything")
    shown = picture("view")
    try:
        stage.dm = await stage.messages.dm_channel(person)
        message = await stage.post(line, "One moment.", [gallery(shown)], [shown], where=stage.dm)
    except discord.HTTPException as error:
        stage.dm = 0
        if code_of(error) in DMS_CLOSED:
            raise Skipped("their direct messages are closed to us") from None
        raise
    page = stage.props.page(line, "Edited.", [gallery(shown)], [shown])
    expect(await stage.messages.edit(stage.dm, message, page), "it took no edit")
    after = await stage.fetch(message, where=stage.dm)
    expect("Edited." in words_of(after), "the edit was lost")
    expect(len(pictures(after)) == 1, "its picture is gone")
    return "opened, sent, edited"


@LINES.add(
    "click in direct message",
    "A click in a direct message reaches us, and the message is edited.",
    When.PRESSED,
    "direct message",
)
async def click_in_direct_message(stage: Stage) -> str:
    """Have a button pressed in the direct messages."""
    line = "click in direct message"
    if not stage.dm:
        raise Skipped("there are no direct messages")
    words = "In the direct messages with the bot, press **Press me**."
    place = stage.props.place(line)
    touch = await stage.ask(line, words, *stage.props.press(line), place=place, where=stage.dm)
    await touch.reply.defer_edit()
    await touch.reply.show(stage.props.page(line, "Thank you."))
    message = touch.reply.interaction.message
    assert message is not None
    after = await stage.fetch(message.id, where=stage.dm)
    expect("Thank you." in words_of(after), "the message was not edited")
    return "it arrived, and the message was edited"


def _touch(stage: Stage) -> Reply:
    if stage.commanded is None:
        raise Skipped("no command was sent")
    return stage.commanded.reply
