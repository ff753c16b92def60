"""The chairs and the size of an open table: pure changes of both, without a store.

Seats have no numbers before the match: a table has its taken chairs, in order, and room for more.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count

from bot.domain.names import chair_name, computer_name
from bot.domain.refusals import refusal
from bot.domain.tables import Chair, Person, TableRow
from bot.matches.loaded_table import LoadedTable
from engines.core import texts
from engines.core.contract import Manifest
from engines.core.match import AnyGame
from engines.core.names import is_like_any
from engines.core.optional_methods import Level, Thinking
from engines.core.setups import fewer_seats, more_seats


def free_seats(table: LoadedTable) -> int:
    """Return how many seats are not taken, including those kept for invited people."""
    return table.info.setup.seats - len(table.info.chairs)


def seated(table: LoadedTable, chairs: tuple[Chair, ...], invited: tuple[Person, ...]) -> TableRow:
    """Return a table's row with these chairs and with seats kept for ``invited``."""
    return replace(table.row, info=replace(table.info, chairs=chairs), invited=invited)


def numbered(chairs: tuple[Chair, ...]) -> tuple[Chair, ...]:
    """Number chairs in their order."""
    return tuple(replace(chair, order=order) for order, chair in enumerate(chairs))


def with_computer(chairs: tuple[Chair, ...], game: AnyGame, level: Level) -> tuple[Chair, ...]:
    """Add a chair with a computer player; in a game without levels it has no level."""
    levelled = level if isinstance(game, Thinking) else None
    number = next(n for n in count(1) if not _is_taken(chairs, game, levelled, n))
    return (*chairs, Chair(len(chairs), None, str(number), level=levelled))


def _is_taken(chairs: tuple[Chair, ...], game: AnyGame, level: Level | None, number: int) -> bool:
    """Return whether a computer player's name could be taken for another's at the table, in any language."""
    return any(
        is_like_any(
            computer_name(game, level, number, language),
            {chair_name(game, chair, language) for chair in chairs},
        )
        for language in texts.load("bot").languages
    )


def resized(table: LoadedTable, manifest: Manifest, seats: int, *, larger: bool) -> LoadedTable:
    """Resize a table to ``seats``, its next size up or down.

    Raises ``Refusal`` if that is no longer the next size, or if taken or kept seats would be removed.
    """
    now = table.info.setup.seats
    if seats != (more_seats if larger else fewer_seats)(manifest, now):
        raise refusal("seats_changed", n=now)
    held = len(table.info.chairs) + len(table.row.invited)
    if seats < held:
        raise refusal("seats_held", n=held)
    return table.with_info(setup=replace(table.info.setup, seats=seats))
