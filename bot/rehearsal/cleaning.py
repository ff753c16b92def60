"""Deletes what a rehearsal has created, and reports what could not be deleted."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

import discord

from bot.gateway.discord_errors import FORBIDDEN, GONE, code_of
from bot.rehearsal.connecting import TROUBLE
from bot.rehearsal.desk import words_of
from bot.rehearsal.stage import Result, Stage, State
from bot.sync.client import DEEP_SEARCH_LIMIT

PATIENCE = 120.0
"""Seconds that cleaning up may take: the rest is reported as left over."""

TRIES = 3
"""Attempts per request that hits a rate limit."""

RELIES = "We can delete our own messages and take back a server's commands without further permissions."
THREAD = "the thread, now archived: to delete it takes Manage Threads, which the bot does not ask for"


async def clean(stage: Stage) -> tuple[Result, list[str]]:
    """Delete everything; return the table's last line, and what is left over."""
    left_over: list[str] = []
    try:
        async with asyncio.timeout(PATIENCE):
            if stage.left.asking:
                await asyncio.wait(stage.left.asking)
            await _commands(stage, left_over)
            # Finds messages even if the response to sending them was lost, as after Ctrl-C.
            for channel in stage.left.channels:
                await _look_for_more(stage, channel, left_over)
            count = await _messages(stage, left_over)
            threads = await _threads(stage, left_over)
    except asyncio.CancelledError:
        left_over.append("whatever was not reached before it was interrupted a second time")
        return Result("cleaning up", RELIES, State.DIFFERS, "it was interrupted"), left_over
    except TimeoutError:
        left_over.append(f"whatever was not reached within {PATIENCE:.0f} s")
        return Result("cleaning up", RELIES, State.DIFFERS, "it took too long"), left_over
    if left_over:
        did = f"{len(left_over)} things are left over: see below"
        return Result("cleaning up", RELIES, State.DIFFERS, did), left_over
    did = (
        f"{count} messages are deleted, and the command"
        if stage.left.commands
        else f"{count} messages are deleted"
    )
    return Result("cleaning up", RELIES, State.OK, did), threads


async def _failure(stage: Stage, request: Callable[[], Awaitable[object]]) -> Exception | None:
    """Send a request, after a rate limit if necessary; return its error, if any."""
    error: Exception | None = None
    for _ in range(TRIES):
        try:
            await request()
        except discord.RateLimited as limited:
            error = limited
            await stage.sleep(limited.retry_after)
        except (*TROUBLE, discord.app_commands.AppCommandError) as failure:
            return failure
        else:
            return None
    return error


async def _commands(stage: Stage, left_over: list[str]) -> None:
    if not stage.left.commands:
        return
    tree, guild = stage.client.tree, stage.client.guild
    tree.clear_commands(guild=guild)
    error = await _failure(stage, lambda: tree.sync(guild=guild))
    if error is not None:
        left_over.append(f"the command of this server ({_why(error)})")


async def _look_for_more(stage: Stage, channel: int, left_over: list[str]) -> None:
    place = stage.client.get_partial_messageable(channel)

    async def look() -> None:
        async for message in place.history(limit=DEEP_SEARCH_LIMIT):
            if message.author == stage.client.user and stage.props.mark in words_of(message):
                stage.left.messages[message.id] = channel

    error = await _failure(stage, look)
    if error is not None and code_of(error) not in GONE:
        left_over.append(f"messages that were sent and not noted, if there are any ({_why(error)})")


async def _messages(stage: Stage, left_over: list[str]) -> int:
    count = 0
    for message, channel in stage.left.messages.items():
        place = stage.client.get_partial_messageable(channel).get_partial_message(message)
        error = await _failure(stage, place.delete)
        count += error is None
        if error is not None and code_of(error) not in GONE:
            left_over.append(f"a message ({_why(error)})")
    return count


async def _threads(stage: Stage, left_over: list[str]) -> list[str]:
    """Delete the threads, or archive them if that is not allowed; return notes on those archived."""
    archived: list[str] = []
    for thread in stage.left.threads:
        error = await _failure(stage, partial(stage.client.http.delete_channel, thread))
        if error is not None and code_of(error) in FORBIDDEN:
            await _failure(stage, partial(stage.messages.archive, thread))
            archived.append(THREAD)
        elif error is not None and code_of(error) not in GONE:
            left_over.append(f"the thread ({_why(error)})")
    return archived


def _why(error: Exception) -> str:
    return f"error {code_of(error)}" if code_of(error) else type(error).__name__
