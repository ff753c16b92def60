"""Errors of a store: an unusable database, or a conflicting change."""

from __future__ import annotations


class StoreError(Exception):
    """The database cannot be used. The text says why and what to do."""


class Unreachable(StoreError):  # noqa: N818 - may be over in a moment
    """The database is temporarily unavailable and may recover without intervention.

    Its server is down, starting or out of connections; another process holds it; or the disk is full.
    """


class DatabaseReplaced(StoreError):  # noqa: N818 - a state, until the next start
    """The database is no longer the one that was opened. Nothing is read or written until a restart."""


class Conflict(Exception):  # noqa: N818 - an answer: reload, check again, retry
    """The row has changed since it was read, or the request was already handled."""


class BrokenRecord(Exception):  # noqa: N818 - a finding, not a bug
    """A row holds something the bot never writes. The message names only the table and the error type."""
