"""Threads: started from a message, archived, and what can be done in them afterwards."""

from __future__ import annotations

import discord

from bot.gateway.discord_errors import ARCHIVED, THREAD_EXISTS
from bot.rehearsal.desk import Skipped, expect, words_of
from bot.rehearsal.stage import Lines, Stage, When
from bot.sync.client import OPEN_ARCHIVE_MIN, OVER_ARCHIVE_MIN

LINES = Lines()

PUBLIC = (discord.ChannelType.public_thread, discord.ChannelType.news_thread)
"""Types of the threads below messages: of a text channel, and of an announcement channel."""


async def _thread(stage: Stage) -> discord.Thread:
    if not stage.thread:
        raise Skipped("no thread could be begun")
    found = await stage.client.fetch_channel(stage.thread)
    assert isinstance(found, discord.Thread)
    return found


async def _archived(stage: Stage) -> discord.Thread:
    """Archive the thread as the bot does, and return its new state."""
    await _thread(stage)
    await stage.messages.archive(stage.thread)
    thread = await _thread(stage)
    expect(thread.archived, "the thread did not become archived")
    return thread


async def _awake(stage: Stage) -> None:
    # A line before this one may have left it archived.
    if (await _thread(stage)).archived:
        await stage.client.http.edit_channel(stage.thread, archived=False)


@LINES.add("thread", "A thread begun from a message has the message's id, and lasts a week without a word.")
async def thread(stage: Stage) -> str:
    """Check the thread that the roll call started."""
    found = await _thread(stage)
    expect(found.type in PUBLIC, f"it is a {found.type}")
    expect(found.parent_id == stage.channel, "it is in another channel")
    minutes = found.auto_archive_duration
    expect(minutes == OPEN_ARCHIVE_MIN, f"it is archived after {minutes} minutes")
    expect(found.owner_id == (stage.client.user or found).id, "it is not ours")
    return f"it has the message's id, and is archived after {minutes} minutes"


@LINES.add("thread twice", f"A second thread from the same message is refused with {THREAD_EXISTS}.")
async def thread_twice(stage: Stage) -> str:
    """Start a second thread from the same message."""
    await _thread(stage)
    try:
        await stage.client.http.start_thread_with_message(
            stage.channel, stage.thread, name=stage.props.mark, auto_archive_duration=OPEN_ARCHIVE_MIN
        )
    except discord.HTTPException as error:
        expect(error.code == THREAD_EXISTS, f"it was refused with {error.code}")
        return "it was refused"
    expect(False, "a second one was begun")
    raise AssertionError


@LINES.add(
    "archive", "We can archive a thread of ours without further permissions; it is not locked by that."
)
async def archive(stage: Stage) -> str:
    """Archive the thread."""
    await _awake(stage)
    found = await _archived(stage)
    expect(not found.locked, "it is locked")
    return "it is archived, and not locked"


@LINES.add("archive soon", "A thread of ours takes an hour instead of a week, also while it is archived.")
async def archive_soon(stage: Stage) -> str:
    """Set the archived thread to auto-archive after an hour."""
    await _archived(stage)
    await stage.messages.set_archive_after(stage.thread, OVER_ARCHIVE_MIN)
    found = await _thread(stage)
    minutes = found.auto_archive_duration
    # Set back: a rehearsal may take longer, and deletes its messages at its end.
    await stage.messages.set_archive_after(stage.thread, OPEN_ARCHIVE_MIN)
    expect(minutes == OVER_ARCHIVE_MIN, f"it is archived after {minutes} minutes")
    expect(not found.archived, "it is archived, and a later edit would wake it for a week")
    return f"it is archived after {minutes} minutes"


@LINES.add(
    "edit archived", f"An edit in an archived thread is refused with {ARCHIVED}; unarchived, it is taken."
)
async def edit_archived(stage: Stage) -> str:
    """Edit a message in the archived thread, as the bot does."""
    line = "edit archived"
    await _awake(stage)
    message = await stage.post(line, "Before.", where=stage.thread)
    await _archived(stage)
    before = len(stage.wire.answers)
    page = stage.props.page(line, "After.")
    expect(await stage.messages.edit(stage.thread, message, page), "the edit was not taken")
    refused = ARCHIVED in [answer.code for answer in stage.wire.answers[before:]]
    after = await stage.fetch(message, where=stage.thread)
    expect("After." in words_of(after), "the edit was lost")
    expect(refused, "the edit was taken in the archived thread")
    return "it was refused, and taken once the thread was unarchived"


@LINES.add("post archived", "A message posted into an archived thread arrives, and unarchives the thread.")
async def post_archived(stage: Stage) -> str:
    """Post into the archived thread."""
    line = "post archived"
    await _awake(stage)
    await _archived(stage)
    message = await stage.post(line, "Good morning.", where=stage.thread)
    expect(await stage.messages.exists(stage.thread, message), "the message is not there")
    expect(not (await _thread(stage)).archived, "the thread is still archived")
    return "it arrived, and the thread is not archived any more"


@LINES.add("click in thread", "A click in a thread that was archived once reaches us.", When.PRESSED)
async def click_in_thread(stage: Stage) -> str:
    """Have a button in the thread pressed."""
    line = "click in thread"
    await _awake(stage)
    place = stage.props.place(line)
    words = "In the thread of the rehearsal, press **Press me**."
    touch = await stage.ask(line, words, *stage.props.press(line), place=place, where=stage.thread)
    await touch.reply.defer()
    await touch.reply.show(stage.props.page(line, "Thank you."))
    expect(touch.reply.interaction.channel_id == stage.thread, "the click names another channel")
    return "it arrived"
