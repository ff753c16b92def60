"""Changes as text and values, before a database carries them out.

The texts are SQL that SQLite takes and that PostgreSQL takes once its placeholders are rewritten
(:mod:`bot.store.postgresql.dialect`): ``?``, ``?1`` or ``:name`` for values, ``IN (SELECT value FROM
json_each(?))`` for a list. See ``docs/adr/0044-postgresql.md``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

Parameters: TypeAlias = "Sequence[object] | Mapping[str, object]"
"""What a statement's placeholders stand for. A list is one value."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One change, of one row or several.

    ``unique``: a key that exists already is a conflict. ``found``: so is a row that is not there to change.
    """

    sql: str
    rows: Sequence[Parameters] = field(repr=False)
    unique: bool = False
    found: bool = False
