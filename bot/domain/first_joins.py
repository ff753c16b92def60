"""Each person's first *Join* at an open table: kept after leaving, and under a mark after a deletion."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import replace

from bot.domain.tables import FirstJoin, Person, PersonId, TableRow

_MARK_BYTES = 7
"""Bytes of a mark: the databases' integers have eight, including the sign bit."""


def mark_of_join(part: bytes, person: PersonId) -> int:
    """Return the number that replaces a deleted person's id at their first *Join* at an open table.

    It is negative, unlike Discord ids. Its key is the bot's part of the shuffle, which stays secret until the
    match is over; the mark is deleted as soon as the match begins or the table closes.
    """
    digest = hmac.digest(part, f"first join of {person}".encode(), hashlib.sha256)
    return -1 - int.from_bytes(digest[:_MARK_BYTES])


def first_join_of(row: TableRow, person: PersonId) -> FirstJoin | None:
    """Return a person's first *Join* at a table, if they had one."""
    known = {person} if row.part is None else {person, mark_of_join(row.part, person)}
    return next((each for each in row.first_joins if each.person in known), None)


def has_marks(joins: Iterable[FirstJoin]) -> bool:
    """Return whether any of these belongs to a person who has deleted their data."""
    return any(each.person < 0 for each in joins)


def without_marks(joins: Iterable[FirstJoin]) -> tuple[FirstJoin, ...]:
    """Return the *Joins* of people who have not deleted their data."""
    return tuple(each for each in joins if each.person >= 0)


def joined_first(row: TableRow, person: Person, request: str) -> tuple[tuple[FirstJoin, ...], str]:
    """Return all first *Joins* after a person joins, and their own id; empty at a table without a part."""
    if row.part is None:
        return row.first_joins, ""
    known, joins = first_join_of(row, person.id), row.first_joins
    if known is None:
        return (*joins, FirstJoin(person.id, request)), request
    # A person who returns after a deletion gets their id back in place of the mark.
    named = replace(known, person=person.id)
    return tuple(named if each is known else each for each in joins), known.id
