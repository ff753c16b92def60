"""Problems that keep matches from being shown: recorded when a job fails, cleared once all jobs succeed.

On their next click, the players see what is wrong and what would solve it.
"""

from __future__ import annotations

from dataclasses import dataclass

import discord

from bot.domain.jobs import Job, JobKind
from bot.domain.tables import Place, TableInfo
from bot.gateway.connection import Client
from bot.gateway.discord_errors import FORBIDDEN, ThreadLocked, code_of
from bot.gateway.permissions import held_in, lacking
from bot.matches import Services
from bot.pages.texts import Texts

CHANNEL_GONE = "problem.gone"


@dataclass(frozen=True, slots=True)
class Problem:
    """Why the board of a match may be out of date."""

    key: str
    """The key of its text in the bot's own catalogue."""
    guild_id: int
    lacking: tuple[str, ...] = ()
    """The permissions that the bot lacks, if it knows them."""

    def text(self, texts: Texts) -> str:
        """Return what is wrong, and what would solve it."""
        if not self.lacking:
            return texts.house(self.key)
        return texts.house(self.key, permissions=texts.permissions(self.lacking))


def lacking_in(client: discord.Client, place: Place) -> tuple[str, ...]:
    """Return the permissions that the bot lacks in a table's channel; empty if it cannot know."""
    guild = client.get_guild(place.guild_id)
    channel = guild.get_channel(place.channel_id) if guild is not None else None
    if channel is None:
        return ()
    if (held := held_in(channel)) is None:
        return ()
    found = lacking(held)
    if "send_messages" in found:
        # Without it, no file can be sent either, whatever else is allowed.
        return tuple(name for name in found if name != "attach_files")
    return found


def problem_of(error: Exception, client: Client, place: Place) -> Problem | None:
    """Return the problem behind an error, if somebody on the match's server can solve it."""
    if not isinstance(error, ThreadLocked) and code_of(error) not in FORBIDDEN:
        return None
    if not client.receives_events_of(place.guild_id):
        # Only the process that receives the server's events knows the reason: leave the retry to it.
        return None
    if client.get_guild(place.guild_id) is None:
        return Problem("problem.outside", place.guild_id)
    missing = lacking_in(client, place)
    if missing:
        return Problem("problem.permissions", place.guild_id, missing)
    return Problem(
        "problem.locked" if isinstance(error, ThreadLocked) else "problem.forbidden", place.guild_id
    )


class Problems:
    """The problems that players of matches are told about."""

    def __init__(self, services: Services, client: Client) -> None:
        self.by_match: dict[str, Problem] = {}
        self._queries = services.queries
        self._client = client
        self._jobs: dict[str, dict[tuple[JobKind, str], Job]] = {}
        """By match: the jobs that failed with its problem and have not succeeded since."""

    def jobs(self, match: str) -> list[Job]:
        """Return the jobs that wait for a match's problem to be solved."""
        return list(self._jobs.get(match, {}).values())

    def matches_on(self, guild_id: int) -> list[str]:
        """Return the matches with a problem on a server."""
        return [match for match, problem in self.by_match.items() if problem.guild_id == guild_id]

    async def note(self, job: Job, error: Exception) -> None:
        """Record the problem behind a job's failure, if somebody on the server can solve it."""
        place = (await self._queries.table(job.table_id)).place
        problem = problem_of(error, self._client, place)
        if problem is not None:
            self._jobs.setdefault(job.table_id, {})[job.kind, job.target] = job
            self.by_match[job.table_id] = problem

    def note_channel_deleted(self, table: TableInfo) -> None:
        """Record that the channel of a match is gone: nobody can undo it, but the match may be moved."""
        self._jobs.pop(table.id, None)
        self.by_match[table.id] = Problem(CHANNEL_GONE, table.place.guild_id)

    async def note_success(self, job: Job) -> None:
        """Clear a match's problem once all jobs that failed with it have succeeded and nothing is lacking."""
        jobs = self._jobs.get(job.table_id, {})
        known = self.by_match.get(job.table_id)
        if known is not None and known.key == CHANNEL_GONE and job.kind is JobKind.BOARD:
            # After the channel was deleted, only a move brings the board back.
            del self.by_match[job.table_id]
        if (job.kind, job.target) not in jobs:
            return
        # Not every job needs every permission: one that succeeds proves little.
        if lacking_in(self._client, (await self._queries.table(job.table_id)).place):
            return
        del jobs[job.kind, job.target]
        if not jobs:
            del self._jobs[job.table_id]
            self.by_match.pop(job.table_id, None)
