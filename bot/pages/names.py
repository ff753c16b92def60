"""Names of matches: one per match, the same for everybody and everywhere."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial

from bot.domain.tables import TableInfo
from bot.pages.texts import (
    NAME_LIMIT,
    Texts,
    escaped,
    fit,
    link_text,
    masked_link,
    shorten,
    side_phrases,
    sides_of,
    title_of,
)
from engines.core.names import Called, Seating, isolated, skeleton

LIMIT = 80
"""Maximum characters of a match's name: a label takes 100, and has to hold the match's state too."""

AFTER_TITLE = " · "
BETWEEN = " – "

_ADDRESS = "https://discord.com/channels/{guild}/{channel}"


def match_name(table: TableInfo, number: int = 0) -> str:
    """Return the name of a match as plain text, for labels and threads: the game, and who plays, by seat.

    ``number`` tells it from others of the same name in one list: see :func:`numbers`.
    """
    return _named(table, number)


def match_heading(table: TableInfo) -> str:
    """Return the name of a match as markup that shows it literally."""
    return _named(table, 0, show=escaped)


def match_link(table: TableInfo, number: int = 0) -> str:
    """Return the name of a match as markup that leads to its thread, or to its channel while it has none."""
    channel = table.thread_id or table.place.channel_id
    # If a table's row is broken, even its place may be unknown.
    if not (table.place.guild_id and channel):
        return _named(table, number, show=escaped)
    address = _ADDRESS.format(guild=table.place.guild_id, channel=channel)
    return masked_link(_named(table, number, kept=link_text), address)


def numbers(tables: Iterable[TableInfo]) -> Mapping[str, int]:
    """Number the matches of a list that have the same name, from the oldest on, and return that by id.

    Names are the same if they differ only in case, marks and signs. Matches with a unique name have 0.
    """
    # The ids of threads grow with time.
    ordered = sorted(tables, key=lambda table: (table.thread_id is None, table.thread_id or 0, table.id))
    names = {table.id: skeleton(match_name(table)) for table in ordered}
    together, counted, found = Counter(names.values()), Counter[str](), dict[str, int]()
    for table_id, name in names.items():
        counted[name] += 1
        found[table_id] = counted[name] if together[name] > 1 else 0
    return found


def _named(
    table: TableInfo, number: int, *, kept: Callable[[str], str] = str, show: Callable[[str], str] = str
) -> str:
    """Return the name of a match; ``kept`` filters names, and ``show`` makes markup of the result."""
    title, tail = shorten(title_of(table.game), NAME_LIMIT), f" ({number})" if number else ""
    # Before the match, chairs have no seats and keep their order.
    chairs = sorted(table.chairs, key=lambda chair: chair.seat or 0)
    texts, people = Texts(), tuple(kept(chair.name) for chair in chairs)
    if all(chair.seat is not None for chair in chairs):
        seating = Seating(people, sides_of(texts, table), side_phrases(table.game))
    else:
        seats = tuple(texts.house("seat", n=chair.order + 1) for chair in chairs)
        seating = Seating(people, seats, None)
    marks = len(isolated("-")) - 1
    taken = len(title) + len(AFTER_TITLE) + len(BETWEEN) * (len(people) - 1) + marks * len(people)
    called = _fitted(seating, LIMIT - taken)
    names = BETWEEN.join(name.isolated(show) for name in called)
    return show(kept(title)) + (f"{AFTER_TITLE}{names}" if names else "") + tail


def _fitted(seating: Seating, room: int) -> tuple[Called, ...]:
    """Return all names in ``room`` characters together: long ones are cut, so that nobody is left out."""

    def called(limit: int) -> tuple[Called, ...]:
        return seating.called(partial(fit, limit))

    def is_too_long(limit: int) -> bool:
        return sum(len(str(one)) for one in called(limit)) > room

    if not is_too_long(NAME_LIMIT):
        return called(NAME_LIMIT)
    # Names too long at one limit are too long at all larger ones.
    return called(max(2, 1 + bisect_left(range(2, NAME_LIMIT), True, key=is_too_long)))
