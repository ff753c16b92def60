"""Problems that keep matches from being shown: noted when a job meets one, gone once all jobs succeed."""

from __future__ import annotations

import discord

from bot.domain.jobs import Job, JobKind
from bot.domain.tables import TableInfo
from bot.matches import Services
from bot.pages.problems import Problem, channel_deleted, lacking_in, problem_of


class Problems:
    """The problems that the players of matches are told of."""

    def __init__(self, services: Services, client: discord.Client) -> None:
        self.by_match: dict[str, Problem] = {}
        self._queries = services.queries
        self._client = client
        self._jobs: dict[str, dict[tuple[JobKind, str], Job]] = {}
        """By match: the jobs that met its problem and have not succeeded since."""

    def jobs(self, match: str) -> list[Job]:
        """Return the jobs that wait for a match's problem to be solved."""
        return list(self._jobs.get(match, {}).values())

    def matches_on(self, guild_id: int) -> list[str]:
        """Return the matches with a problem on a server."""
        return [match for match, problem in self.by_match.items() if problem.guild_id == guild_id]

    async def note(self, job: Job, error: Exception) -> None:
        """Note what a job has met, if it is something that somebody on the server can solve."""
        place = (await self._queries.table(job.table_id)).place
        problem = problem_of(error, self._client, place)
        if problem is not None:
            self._jobs.setdefault(job.table_id, {})[job.kind, job.target] = job
            self.by_match[job.table_id] = problem

    def note_channel_deleted(self, table: TableInfo) -> None:
        """Note that the channel of a match is gone, which nobody can undo."""
        self._jobs.pop(table.id, None)
        self.by_match[table.id] = channel_deleted(table.place)

    async def note_success(self, job: Job) -> None:
        """Forget a match's problem once all jobs that met it have succeeded, and nothing is lacking."""
        jobs = self._jobs.get(job.table_id, {})
        if (job.kind, job.target) not in jobs:
            return
        if lacking_in(self._client, (await self._queries.table(job.table_id)).place):
            return
        del jobs[job.kind, job.target]
        if not jobs:
            del self._jobs[job.table_id]
            self.by_match.pop(job.table_id, None)
