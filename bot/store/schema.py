"""Describe each table once: SQL text, decoding, encoding, export and deletion all follow the description.

The SQL runs on SQLite, and on PostgreSQL once its placeholders are rewritten
(:mod:`bot.store.postgresql.dialect`): ``?``, ``?1`` or ``:name`` for values, ``IN (SELECT value FROM
json_each(?))`` for a list. See ``docs/adr/0044``.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from operator import attrgetter
from typing import Any, Generic, TypeAlias, TypeVar

from bot.store.codecs import Codec
from bot.store.errors import BrokenRecord

R = TypeVar("R")
T = TypeVar("T")

SqlRow: TypeAlias = "sqlite3.Row | tuple[Any, ...]"

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


@dataclass(frozen=True, slots=True)
class Export:
    """A field of an export: by default in the table's first topic, under the column's name.

    If several columns make one field, the first one's ``sql`` is used.
    """

    name: str = ""
    topic: str = ""
    sql: str = ""
    """An expression instead of the column."""
    after: str = ""
    """The field that it follows; by default, fields have the order of the columns."""


EXPORTED = Export()


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A column that is not exported."""

    why: str


OWNER = LeftOut("says whose row it is, as the export does at its top")
SECRET = LeftOut("is secret, or tells a secret to those who try all values")
COUNTS_SECRETS = LeftOut("counts what others do in secret")
NOBODYS = LeftOut("is about nobody")


@dataclass(frozen=True, slots=True)
class Topic:
    """A list of rows in the export."""

    name: str
    order: str = ""
    source: str = ""
    """What follows ``FROM``; empty: the table alone."""
    where: str = "person = ?"


@dataclass(frozen=True, slots=True)
class Deletion:
    """What happens to rows when a person deletes their data.

    The conditions choose rows of one match, and use ``:match``, ``:person`` and ``:name`` (the pseudonym).
    """

    at_match: str = ""
    """Rows that are deleted when the person is removed from the match."""
    replaced: str = ""
    """Rows in which columns are replaced then; see :attr:`Column.replacement`."""
    everywhere: bool = False
    """Whether all the person's rows are deleted in the end, of any match or none."""
    kept: str = ""
    """Why everything else stays."""


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """A column of a table, and the attribute of the table's records that it stores."""

    name: str
    codec: Codec[Any]
    export: Export | LeftOut | tuple[Export, ...]
    attribute: str = ""
    """The name by which ``Table.make`` takes the value; empty: the column's name."""
    read: str | Callable[[Any], Any] = ""
    """Where a record has the value: a path or a function; empty: :attr:`attribute`."""
    in_record: bool = True
    """Whether records have the value at all."""
    written: bool = True
    """Whether records are saved with the value; if not, only other statements change it."""
    fixed: bool = False
    """Whether :meth:`Table.upsert` leaves the column of an existing row alone."""
    only_postgresql: bool = False
    role: bool = False
    """Whether it holds the id of a person who has a role in the row's match."""
    replacement: str = ""
    """The SQL expression that replaces the value when its person is removed from a match."""
    disguised: bool = False
    """Whether it holds the id of a person that is replaced with a keyed hash in the end."""

    @property
    def keyword(self) -> str:
        """Return the name by which ``Table.make`` takes the value."""
        return self.attribute or self.name

    @property
    def exports(self) -> tuple[Export, ...]:
        """Return the fields of the export that the column makes."""
        if isinstance(self.export, tuple):
            return self.export
        return (self.export,) if isinstance(self.export, Export) else ()

    @property
    def path(self) -> str:
        """Return where a record has the value, unless a function reads it."""
        return self.read if isinstance(self.read, str) and self.read else self.keyword


@dataclass(frozen=True, slots=True, eq=False)
class Table(Generic[T]):
    """A table, and how its rows become records and records its rows."""

    name: str
    make: Callable[..., T]
    """Builds a record from decoded values by keyword; any error means that the row is broken."""
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    deletion: Deletion
    topics: tuple[Topic, ...] = ()
    grows: bool = False
    """Whether it has rows of every match, for ever."""
    only_postgresql: bool = False
    values: Callable[[T], list[Any]] = field(init=False, repr=False)
    """Encodes a record, in the order of :meth:`insert`."""
    _decode: Callable[..., T] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Prepare encoding and decoding."""
        object.__setattr__(self, "values", self.encoder(_written(self)))
        object.__setattr__(self, "_decode", _decoder(self))

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of all columns."""
        return tuple(column.name for column in self.columns)

    @property
    def record_names(self) -> tuple[str, ...]:
        """Return the names of the columns that make a record, in the order of :meth:`decode`."""
        return tuple(column.name for column in self.columns if column.in_record)

    @property
    def match(self) -> str | None:
        """Return the column with the id of a match; ``None``: the rows belong to no match."""
        if self.name == "match":
            return "id"
        return "match" if "match" in self.names else None

    @property
    def person(self) -> str:
        """Return the column with the id of the person whose rows these are."""
        return "person" if "person" in self.names else "id"

    def decode(self, row: SqlRow) -> T:
        """Return a record; raises :class:`BrokenRecord`. The row has the columns of :meth:`select`.

        The row may hold anything, so every exception means that it is broken.
        """
        try:
            return self._decode(*row)
        except Exception as error:
            raise BrokenRecord(f"{self.name}: {type(error).__name__}") from None

    def salvage(self, row: SqlRow) -> dict[str, Any]:
        """Return the values of a broken row that can be decoded, by the names that ``make`` takes."""
        found: dict[str, Any] = {}
        recorded = (column for column in self.columns if column.in_record)
        for column, value in zip(recorded, row, strict=True):
            with suppress(Exception):  # any error means that the value is broken
                found[column.keyword] = column.codec.decode(value)
        return found

    def encoder(self, names: Sequence[str]) -> Callable[[T], list[Any]]:
        """Return a function that encodes these columns of a record."""
        by_name = {column.name: column for column in self.columns}
        columns = [by_name[name] for name in names]
        # All values are read at once. What a function computes takes a path that every record has.
        get = attrgetter(*("__class__" if callable(each.read) else each.path for each in columns))
        computed = [(place, each.read) for place, each in enumerate(columns) if callable(each.read)]
        encoded = [(place, each.codec.encode) for place, each in enumerate(columns) if each.codec.encode]
        is_single = len(columns) == 1

        def encode(record: T) -> list[Any]:
            values = [get(record)] if is_single else list(get(record))
            for place, read in computed:
                values[place] = read(record)
            for place, encode_value in encoded:
                values[place] = encode_value(values[place])
            return values

        return encode

    @property
    def fields(self) -> str:
        """Return the columns that :meth:`decode` takes, for a query that joins tables."""
        return ", ".join(f"{self.name}.{name}" for name in self.record_names)

    def select(self, rest: str, *beside: str) -> str:
        """Return the query for records, each after the columns ``beside``; ``rest`` ends it."""
        return _select(self, rest, beside)

    def insert(self, *beside: str) -> str:
        """Return the statement that inserts the columns ``beside`` and a record."""
        return _insert(self, beside)

    def upsert(self, *beside: str) -> str:
        """Return the statement that inserts a record, or replaces the one with the same key."""
        return _upsert(self, beside)


def _decoder(table: Table[T]) -> Callable[..., T]:
    """Compile the decoding of a row, as dataclasses compile ``__init__``: a loop takes twice the time."""
    scope: dict[str, Any] = {"make": table.make}
    values: list[str] = []
    for each in table.columns:
        if each.in_record:
            name, decode_name = each.name, f"decode_{each.name}"
            scope[decode_name] = (each.codec.not_null or each.codec).decode
            null = f"None if {name} is None else " if each.codec.not_null else ""
            values.append(f"{each.keyword}={null}{decode_name}({name})")
    text = f"lambda {', '.join(table.record_names)}: make({', '.join(values)})"
    decode: Callable[..., T] = eval(text, scope)  # noqa: S307 - our own names
    return decode


@cache
def _select(table: Table[Any], rest: str, beside: tuple[str, ...]) -> str:
    names = ", ".join((*beside, *table.record_names))
    return f"SELECT {names} FROM {table.name} {rest}"  # noqa: S608 - our own names


@cache
def _insert(table: Table[Any], beside: tuple[str, ...]) -> str:
    names = (*beside, *_written(table))
    places = ", ".join("?" * len(names))
    return f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({places})"  # noqa: S608 - our own names


@cache
def _upsert(table: Table[Any], beside: tuple[str, ...]) -> str:
    fixed = {*table.key, *(each.name for each in table.columns if each.fixed)}
    changes = ", ".join(f"{name} = excluded.{name}" for name in _written(table) if name not in fixed)
    return f"{_insert(table, beside)} ON CONFLICT ({', '.join(table.key)}) DO UPDATE SET {changes}"


def _written(table: Table[Any]) -> list[str]:
    return [each.name for each in table.columns if each.in_record and each.written]
