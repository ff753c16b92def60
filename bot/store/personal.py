"""Personal data in the database: the queries to export it, and the changes to remove it.

Both follow from the descriptions of the tables.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bot.store.codecs import Codec
from bot.store.schema import SqlRow, Table, Topic
from bot.store.tables import TABLES
from bot.store.tables.matches import CHAIR

SCRUB = "scrub"
"""Key in ``house``: the database files may still hold deleted data."""


@dataclass(frozen=True, slots=True)
class Query:
    """The query of one topic of the export, and its fields: their names, and how they are stored."""

    fields: Mapping[str, Codec[Any]]
    sql: str

    def answer(self, row: SqlRow) -> dict[str, Any]:
        """Return a row for the export: times in ISO format, JSON as structures, Discord ids as text."""
        return {
            name: codec.exported(value) for (name, codec), value in zip(self.fields.items(), row, strict=True)
        }


def _query(table: Table[Any], topic: Topic) -> Query:
    fields: dict[str, tuple[Codec[Any], str]] = {}
    following: list[tuple[str, str]] = []
    for each in TABLES:
        for column in each.columns:
            for export in column.exports:
                name = export.name or column.name
                if (export.topic or each.topics[0].name) == topic.name and name not in fields:
                    fields[name] = column.codec, export.sql or f"{each.name}.{column.name}"
                    following += [(name, export.after)] if export.after else []
    names = list(fields)
    for name, before in following:
        names.remove(name)
        names.insert(names.index(before) + 1, name)
    asked = ", ".join(fields[name][1] for name in names)
    order = f" ORDER BY {topic.order}" if topic.order else ""
    return Query(
        {name: fields[name][0] for name in names},
        f"SELECT {asked} FROM {topic.source or table.name} WHERE {topic.where}{order}",  # noqa: S608
    )


ABOUT_PERSON = {topic.name: _query(table, topic) for table in TABLES for topic in table.topics}
"""Queries of all data about a person, by topic; each takes the person's id."""


def _removal(table: Table[Any]) -> Iterator[str]:
    deletion, ours = table.deletion, f"{table.match} = :match"
    if deletion.at_match:
        yield f"DELETE FROM {table.name} WHERE {ours} AND {deletion.at_match}"  # noqa: S608 - our own names
    if deletion.replaced:
        sets = ", ".join(f"{each.name} = {each.replacement}" for each in table.columns if each.replacement)
        yield f"UPDATE {table.name} SET {sets} WHERE {ours} AND {deletion.replaced}"  # noqa: S608


REMOVAL_FROM_MATCH = [
    # The chairs come last: the other conditions look there for the person's seat.
    change
    for table in sorted(TABLES, key=lambda table: table is CHAIR)
    for change in _removal(table)
]
"""Statements that replace a person with a pseudonym in one match and delete their private data, in order."""

OWN_ROWS_DELETION = [
    f"DELETE FROM {table.name} WHERE {table.person} = ?"  # noqa: S608 - our own names
    for table in TABLES
    if table.deletion.everywhere
]
"""Statements that delete a person's own rows."""

DISGUISE = [
    f"UPDATE {table.name} SET {column.name} = ?1 WHERE {column.name} = ?2"  # noqa: S608 - our own names
    for table in TABLES
    for column in table.columns
    if column.disguised
]
"""Statements that replace a person's id with a keyed hash."""

MATCHES_NAMING = " UNION ".join(
    f"SELECT {table.match} FROM {table.name} WHERE {column.name} = ?1"  # noqa: S608 - our own names
    for table in TABLES
    for column in table.columns
    if column.role
)
"""Query of all matches in which a person has a role."""


def mark_of(key: bytes, person: int) -> bytes:
    """Return the hash by which a match recognises a person who has deleted their data.

    The key prevents trying all Discord ids against it.
    """
    return hmac.digest(key, str(person).encode(), hashlib.sha256)
