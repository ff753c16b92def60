"""Read a whole SQLite database, table by table and value by value, to copy it elsewhere."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from graphlib import TopologicalSorter
from itertools import groupby
from typing import Any, TypeAlias

from bot.domain.match import chain_of
from bot.store.assembly import is_table_id, log_rows
from bot.store.errors import BrokenRecord, StoreError
from bot.store.tables.matches import LOG as LOG_TABLE

Row: TypeAlias = "tuple[Any, ...]"

ROWID = "rowid"
"""SQLite's implicit row number, which can be selected like any other column."""

LOG = ("match", *LOG_TABLE.record_names)
"""The columns of a log: the match's id, then those of :func:`log_rows` in its order."""

_KINDS: Mapping[str, type] = {"INTEGER": int, "REAL": float, "TEXT": str, "BLOB": bytes}


@dataclass(frozen=True, slots=True)
class Column:
    """A column's name, and its declared type in SQLite."""

    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its columns, its primary key, and the tables that it refers to."""

    name: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    refers_to: frozenset[str]

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the columns in order."""
        return tuple(column.name for column in self.columns)

    @property
    def match(self) -> str | None:
        """Return the column with the match's id; ``None``: the rows belong to no match."""
        if self.name == "match":
            return "id"
        return "match" if "match" in self.names else None

    def numbered(self) -> Table:
        """Return the table with SQLite's row number as an additional column."""
        return replace(self, columns=(*self.columns, Column(ROWID, "INTEGER")))

    def refuse(self, match: object, why: str) -> StoreError:
        """Build the error for a row that cannot be copied: its place, never its contents."""
        whose = ""
        if self.match is not None:
            whose = f" of match {match}" if is_table_id(match) else " of a match whose id is broken"
        return StoreError(
            f"A row{whose} in the table {self.name} cannot stand in PostgreSQL ({why}). Nothing was moved.\n"
            "See what `bauta doctor` says of the database, and mend or delete that row first."
        )


def read_as_it_stands(connection: sqlite3.Connection) -> None:
    """Make a connection return invalid UTF-8 as surrogate escapes, which :func:`fault` detects."""
    connection.text_factory = lambda stored: stored.decode("utf-8", "surrogateescape")


def tables(connection: sqlite3.Connection) -> list[Table]:
    """Return all tables, each after those that it refers to."""
    names = connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
        " ORDER BY name"
    )
    found = {name: _table(connection, name) for (name,) in names.fetchall()}
    order = TopologicalSorter({name: table.refers_to - {name} for name, table in found.items()})
    return [found[name] for name in order.static_order()]


def _table(connection: sqlite3.Connection, name: str) -> Table:
    columns = connection.execute(
        "SELECT name, upper(type), pk FROM pragma_table_info(?) ORDER BY cid", (name,)
    ).fetchall()
    refers_to = connection.execute('SELECT DISTINCT "table" FROM pragma_foreign_key_list(?)', (name,))
    key = sorted((place, column) for column, _, place in columns if place)
    return Table(
        name,
        tuple(Column(column, kind) for column, kind, _ in columns),
        tuple(column for _, column in key) or (ROWID,),
        frozenset(other for (other,) in refers_to),
    )


def rows(connection: sqlite3.Connection, table: Table) -> Iterator[Row]:
    """Yield the rows of a table ordered by key; text is ordered by its bytes."""
    yield from connection.execute(_question(table, table.names))


def match_at(connection: sqlite3.Connection, table: Table, number: int) -> object:
    """Return the match of the n-th row of :func:`rows`, counted from 1."""
    if table.match is None:
        return None
    question = f"{_question(table, (table.match,))} LIMIT 1 OFFSET ?"
    found = connection.execute(question, (number - 1,)).fetchone()
    return found[0] if found else None


def _question(table: Table, names: Iterable[str]) -> str:
    asked, key = (", ".join(map(_quoted, each)) for each in (names, table.key))
    return f"SELECT {asked} FROM {_quoted(table.name)} ORDER BY {key}"  # noqa: S608 - names from its schema


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def last_number(connection: sqlite3.Connection, table: Table, column: str) -> int:
    """Return the greatest number in a column, including deleted rows if the column is the key."""
    question = f"SELECT max({_quoted(column)}) FROM {_quoted(table.name)}"  # noqa: S608 - as above
    (greatest,) = connection.execute(question).fetchone()
    given = None
    if table.key == (column,):
        given = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (table.name,)).fetchone()
    return max(greatest or 0, given[0] if given else 0)


def fault(table: Table, row: Row) -> str | None:
    """Return why PostgreSQL cannot store a row, with the column's name; ``None``: it can."""
    for column, value in zip(table.columns, row, strict=True):
        if value is None:
            continue
        if type(value) is not _KINDS.get(column.kind):
            return f"{column.name} is of another type"
        if isinstance(value, str) and not value.isascii() and not _is_text(value):
            return f"{column.name} is no text"
        if isinstance(value, str) and "\0" in value:
            return f"{column.name} has a character of number 0"
    return None


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


class Tally:
    """Counts rows, and keeps a digest of all values in order."""

    def __init__(self) -> None:
        self.rows = 0
        self._digest = hashlib.sha256()

    def add(self, row: Row) -> None:
        """Add a row to count and digest; 1, 1.0 and '1' differ."""
        self.rows += 1
        self._digest.update(repr(row).encode())

    def over(self, passing: Iterable[Row]) -> Iterator[Row]:
        """Yield rows, and add each one."""
        for row in passing:
            self.add(row)
            yield row

    @property
    def found(self) -> tuple[int, str]:
        """Return the count and the digest."""
        return self.rows, self._digest.hexdigest()


@dataclass(frozen=True, slots=True)
class Seal:
    """A summary of a whole log: the digest of the match's last state, and the chain over all rows."""

    match: str
    rows: int
    digest: str = ""
    chain: str = ""
    broken: bool = False
    """Its rows cannot be decoded, or do not fit their stored chain."""


def seals(table: Table, passing: Iterable[Row]) -> Iterator[Seal]:
    """Verify the logs of all matches in turn, as loading a match does."""
    places = [table.names.index(name) for name in LOG]
    by_match: Callable[[Row], str] = lambda row: row[0]  # noqa: E731 - a key
    for match, log in groupby((tuple(row[place] for place in places) for row in passing), by_match):
        found = [row[1:] for row in log]
        try:
            read = log_rows(found)
        except BrokenRecord:
            yield Seal(match, len(found), broken=True)
        else:
            yield Seal(match, len(found), read[-1].digest, chain_of(read))
