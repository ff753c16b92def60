"""New databases as copies of one that was made before: to make one takes longer than most tests do."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.store.prepare import make_private, prepare


def made(database: Path) -> Path:
    """Make an empty database of the newest version where there is none, as the first start would."""
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
