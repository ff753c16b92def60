"""What the use cases ask of a database: rows, readers, transactions. No SQL here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from bot.domain.drafts import DraftRow, Preset
from bot.domain.jobs import Job, NewJob, Shown, ShownRow
from bot.domain.match import LogRow
from bot.domain.people import PersonId, Preferences
from bot.domain.requests import HandledRequest
from bot.domain.tables import Status, TableRow


class StoreError(Exception):
    """The database cannot be used. The text says why and what to do."""


class Conflict(Exception):  # noqa: N818 - it is an answer: load again, look again, try again
    """A row of that key stands already: somebody else was faster, or the request is a repeated one."""


class Reader(Protocol):
    """What can be asked. Everything is as of one moment within a transaction, else as of each call."""

    async def table(self, table_id: str) -> TableRow | None:
        """Return a table."""
        ...

    async def table_of_thread(self, thread_id: int) -> str | None:
        """Return the id of the table whose match has this thread."""
        ...

    async def rematch_of(self, table_id: str) -> str | None:
        """Return the id of the rematch of a table, unless it was given up."""
        ...

    async def tables_of(self, person: PersonId, ended_after: float) -> list[TableRow]:
        """Return a person's open, running and frozen tables, and those that ended after a Unix time."""
        ...

    async def tables_in(self, statuses: Sequence[Status], ended_after: float) -> list[TableRow]:
        """Return the tables in these statuses, and all that ended after a Unix time."""
        ...

    async def log(self, table_id: str) -> list[LogRow]:
        """Return the rows of a match's log in order."""
        ...

    async def drafts(self, table_id: str) -> list[DraftRow]:
        """Return the drafts of a match."""
        ...

    async def request(self, request_id: str) -> HandledRequest | None:
        """Return what was done for an interaction."""
        ...

    async def shown(self, table_id: str, surface: str) -> ShownRow | None:
        """Return what is shown on a surface of a table."""
        ...

    async def next_jobs(self, limit: int, now: float) -> list[Job]:
        """Return the jobs that are due, the oldest first."""
        ...

    async def next_due(self) -> float | None:
        """Return when the next job is due; ``None``: there is none."""
        ...

    async def preferences(self, person: PersonId) -> Preferences:
        """Return what a person has chosen, or the defaults."""
        ...

    async def presets(self, person: PersonId, game: str) -> list[Preset]:
        """Return the sentences that a person kept for a game."""
        ...

    async def value(self, key: str) -> str | None:
        """Return one of the house's own values."""
        ...


class Transaction(Reader, Protocol):
    """What can be changed: all of it or nothing."""

    async def save_table(self, row: TableRow) -> None:
        """Insert or replace a table, but for its chairs; raises :class:`Conflict` for a second rematch."""
        ...

    async def save_chairs(self, row: TableRow) -> None:
        """Replace the chairs and invitations of a table that is saved."""
        ...

    async def save_asked(self, row: TableRow) -> None:
        """Note which seats of a table are asked."""
        ...

    async def append(self, table_id: str, row: LogRow) -> None:
        """Append to the log; raises :class:`Conflict` if its number or its request stands already."""
        ...

    async def save_draft(self, table_id: str, row: DraftRow) -> None:
        """Insert or replace a draft."""
        ...

    async def add_request(self, request: HandledRequest, at: float) -> None:
        """Note that a use case was carried out; raises :class:`Conflict` if it was before."""
        ...

    async def enqueue(self, jobs: Iterable[NewJob]) -> None:
        """Put jobs into the outbox; one that waits there already gets a new revision."""
        ...

    async def done(self, job: Job) -> None:
        """Remove a job, unless it was asked for again meanwhile."""
        ...

    async def failed(self, job: Job, error: str, retry_at: float) -> None:
        """Put a job off, unless it was asked for again meanwhile."""
        ...

    async def set_shown(self, table_id: str, surface: str, shown: Shown) -> None:
        """Note what is shown on a surface."""
        ...

    async def drop_shown(self, table_id: str, surface: str) -> None:
        """Forget what was shown on a surface."""
        ...

    async def save_preferences(self, person: PersonId, settings: Preferences) -> None:
        """Insert or replace a person's settings."""
        ...

    async def save_preset(self, person: PersonId, kept: Preset) -> None:
        """Keep a sentence for a person's next match."""
        ...

    async def set_value(self, key: str, value: str) -> None:
        """Insert or replace one of the house's own values."""
        ...


class Store(Protocol):
    """A database."""

    def read(self) -> AbstractAsyncContextManager[Reader]:
        """Lend a reader."""
        ...

    def transaction(self) -> AbstractAsyncContextManager[Transaction]:
        """Begin a unit of changes: committed at the end of the block, undone if the block raises."""
        ...

    async def close(self) -> None:
        """Close every connection and let go of the database."""
        ...
