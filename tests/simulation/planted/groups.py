"""Units that share a commit, and one of them is not carried out as it should be."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack
from typing import Any
from unittest import mock

from bot.store import Conflict, writer
from bot.store.schema import Statement
from bot.store.writer import Entry


def units_behind_a_conflict_are_lost() -> AbstractContextManager[Any]:
    """Carry nothing out that comes after a unit with a conflict, and say that it is done."""
    commit_group, carry_out, has_failed = writer.commit_group, writer.carry_out, False

    def group_of(connection: sqlite3.Connection, group: Sequence[Entry], *given: Any, **named: Any) -> None:
        nonlocal has_failed
        has_failed = False
        commit_group(connection, group, *given, **named)

    def carried_out(connection: sqlite3.Connection, statement: Statement) -> None:
        nonlocal has_failed
        if has_failed:
            return
        try:
            carry_out(connection, statement)
        except Conflict:
            has_failed = True
            raise

    stack = ExitStack()
    stack.enter_context(mock.patch.object(writer, "commit_group", group_of))
    stack.enter_context(mock.patch.object(writer, "carry_out", carried_out))
    return stack


def one_unit_is_carried_out_twice() -> AbstractContextManager[Any]:
    """Leave the last unit of a group in the queue: the next group carries it out once more."""
    commit_group = writer.commit_group
    left: dict[int, Entry] = {}

    def group_of(connection: sqlite3.Connection, group: Sequence[Entry], *given: Any, **named: Any) -> None:
        before = left.pop(id(connection), None)
        again = [] if before is None else [Entry(before.statements)]
        left[id(connection)] = group[-1]
        commit_group(connection, [*group, *again], *given, **named)

    return mock.patch.object(writer, "commit_group", group_of)
