"""What can go wrong with the database."""


class StoreError(Exception):
    """The database cannot be used. The text says why and what to do."""


class Conflict(Exception):  # noqa: N818 - it is an answer: load again, look again, try again
    """A row of that key exists already: somebody else was faster, or the request is a repeated one."""
