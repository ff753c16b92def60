"""What Discord allows: permissions, starts per day, requests, edits of old messages."""

from __future__ import annotations

import time

import discord

from bot.gateway.permissions import NEEDED, lacking
from bot.rehearsal.client import RATE_LIMITED
from bot.rehearsal.desk import Skipped, expect, words_of
from bot.rehearsal.stage import Lines, Stage, When

FIRST, LAST = Lines(), Lines()

HOUR = 3_660.0
"""Seconds after which a message is old: an hour, and a minute to be sure."""

TOO_MANY_EDITS = 30046
"""Discord's code for too many edits of an old message: discord.py waits and retries."""

HOUR_MS = 3_600_000

LIMITS = ("total", "remaining", "reset_after", "max_concurrency")
"""The fields of session_start_limit."""

EDITS = 6
"""Edits of the old message: twice as many as are supposedly allowed at once."""


@FIRST.add("session", "Discord says how many sessions may be started: session_start_limit.")
async def session(stage: Stage) -> str:
    """Fetch it, and check its fields."""
    _, __, limit = await stage.client.http.get_bot_gateway()
    known = dict(limit)
    missing = [key for key in LIMITS if not isinstance(known.get(key), int)]
    expect(not missing, f"it lacks {', '.join(missing)}")
    total, left, reset, at_once = (
        limit["total"],
        limit["remaining"],
        limit["reset_after"],
        limit["max_concurrency"],
    )
    return f"{left} of {total} are left for {reset / HOUR_MS:.1f} h, {at_once} at once"


@FIRST.add("permissions", "We have all the permissions that we ask for where people play.")
async def permissions(stage: Stage) -> str:
    """Compare what we have in the channel with what we need."""
    channel = stage.client.get_channel(stage.channel)
    assert isinstance(channel, discord.abc.GuildChannel)
    missing = lacking(channel.permissions_for(channel.guild.me))
    expect(not missing, f"missing: {', '.join(missing)}")
    return f"all {len(NEEDED)} are there"


@FIRST.add("old message", "A message is there an hour later, to be edited then.", When.LONG)
async def old_message(stage: Stage) -> str:
    """Send the message that :func:`edit_after_an_hour` edits."""
    stage.old = await stage.post("old message", "This one is edited in an hour.")
    stage.begun = time.monotonic()
    return "it is sent"


@LAST.add(
    "edit after an hour",
    f"An edit of a message older than an hour is taken; too many at once wait, with 429/{TOO_MANY_EDITS}.",
    When.LONG,
    "old message",
)
async def edit_after_an_hour(stage: Stage) -> str:
    """Edit the old message several times in a row, as fast as Discord accepts it."""
    if not stage.old:
        raise Skipped("no message was sent an hour ago")
    await stage.sleep(max(0.0, stage.begun + HOUR - time.monotonic()))
    mark, began = len(stage.wire.answers), time.monotonic()
    for number in range(EDITS):
        page = stage.props.page("old message", f"Edit number {number + 1}.")
        expect(await stage.messages.edit(stage.channel, stage.old, page), f"edit {number + 1} was not taken")
    seconds = time.monotonic() - began
    message = await stage.fetch(stage.old)
    expect(f"Edit number {EDITS}." in words_of(message), "the last edit is not shown")
    limited = [answer for answer in stage.wire.answers[mark:] if answer.status == RATE_LIMITED]
    return f"{EDITS} edits were taken in {seconds:.0f} s, {len(limited)} of them after a wait"


@LAST.add("rate limits", "Answers tell how many requests are left: X-RateLimit-Bucket and -Remaining.")
async def rate_limits(stage: Stage) -> str:
    """Check the headers of all responses so far."""
    limited = sum(answer.status == RATE_LIMITED for answer in stage.wire.answers)
    buckets = {answer.bucket for answer in stage.wire.answers if answer.bucket and answer.left}
    expect(buckets, "no answer said so")
    return f"{len(buckets)} buckets; {limited} of {len(stage.wire.answers)} requests had to wait"
