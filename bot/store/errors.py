"""What a store answers that is no row: it cannot be used, or somebody else was faster."""

from __future__ import annotations


class StoreError(Exception):
    """The database cannot be used. The text says why and what to do."""


class Unreachable(StoreError):  # noqa: N818 - it may be over in a moment
    """The database cannot be used now, and may be in a moment, without anybody's help.

    Its server is away, starting or full of others; another process holds it; there is no room left.
    """


class DatabaseReplaced(StoreError):  # noqa: N818 - a state, until the next start
    """The database is not the one that was opened. Nothing of it is read or changed any more."""


class Conflict(Exception):  # noqa: N818 - it is an answer: load again, look again, try again
    """The row is not as it was read: somebody else was faster, or the request is a repeated one."""
