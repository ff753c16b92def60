"""New databases, copied from a prepared one, because creating one takes longer than most tests."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.store.prepare import make_private, prepare


def made(database: Path) -> Path:
    """Create an empty database of the newest version if there is none, like the first start."""
    if not database.exists() and database.parent.is_dir():
        make_private(database)
        database.write_bytes(_empty())
    return database


@cache
def _empty() -> bytes:
    with TemporaryDirectory(prefix="bauta-empty-") as folder:
        database = Path(folder) / "house.db"
        prepare(database)
        return database.read_bytes()
