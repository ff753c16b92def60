"""Changes as SQL text and values, before they are executed.

The SQL runs on SQLite, and on PostgreSQL once its placeholders are rewritten
(:mod:`bot.store.postgresql.dialect`): ``?``, ``?1`` or ``:name`` for values, ``IN (SELECT value FROM
json_each(?))`` for a list. See ``docs/adr/0044``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

Parameters: TypeAlias = "Sequence[object] | Mapping[str, object]"
"""Values for a statement's placeholders. A list is one value."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One change, of one row or several.

    ``unique``: an existing key is a conflict. ``found``: a missing row is a conflict.
    """

    sql: str
    rows: Sequence[Parameters] = field(repr=False)
    unique: bool = False
    found: bool = False
