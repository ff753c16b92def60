"""What a match is called: one name, the same for everybody and wherever it stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from bot.domain.tables import Chair, TableInfo
from bot.pages.texts import NAME_LIMIT, Texts, link_text, masked_link, safe, shorten, title_of

LIMIT = 80
"""Characters of a match's name: a label takes 100, and what is said of the match stands there too."""

AFTER_TITLE = " · "
BETWEEN = " – "

_ADDRESS = "https://discord.com/channels/{guild}/{channel}"


def match_name(table: TableInfo, number: int = 0) -> str:
    """Return the name of a match as plain text, for labels and threads: the game, and who plays, by seat.

    ``number`` tells it from others of the same name in one list: see :func:`numbers`.
    """
    return _named(table, number, str)


def match_heading(table: TableInfo) -> str:
    """Return the name of a match as markup that shows it as it is."""
    return _named(table, 0, safe)


def match_link(table: TableInfo, number: int = 0) -> str:
    """Return the name of a match as markup that leads to its thread, or to its channel while it has none."""
    channel = table.thread_id or table.place.channel_id
    # Of a table whose row is broken, not even the place may be known.
    if not (table.place.guild_id and channel):
        return _named(table, number, safe)
    address = _ADDRESS.format(guild=table.place.guild_id, channel=channel)
    return masked_link(_named(table, number, link_text), address)


def numbers(tables: Iterable[TableInfo]) -> Mapping[str, int]:
    """Return by id a number for each match that shares its name with others of a list, the oldest's first.

    Those whose name is theirs alone have 0.
    """
    # The ids of threads grow with time.
    ordered = sorted(tables, key=lambda table: (table.thread_id is None, table.thread_id or 0, table.id))
    names = {table.id: match_name(table) for table in ordered}
    together, counted, found = Counter(names.values()), Counter[str](), dict[str, int]()
    for table_id, name in names.items():
        counted[name] += 1
        found[table_id] = counted[name] if together[name] > 1 else 0
    return found


def _named(table: TableInfo, number: int, show: Callable[[str], str]) -> str:
    title, tail = shorten(title_of(table.game), NAME_LIMIT), f" ({number})" if number else ""
    # Before the match no chair has a seat: they keep their order.
    chairs = sorted(table.chairs, key=lambda chair: chair.seat or 0)
    people = [" ".join(chair.name.split()) for chair in chairs]
    taken = len(title) + len(AFTER_TITLE) + len(BETWEEN) * (len(people) - 1)
    fitted = map(show, _fitted(people, LIMIT - taken))
    # A link leaves nothing of a name that is all emoji.
    shown = [name if name.strip("…") else _seat(chair) for name, chair in zip(fitted, chairs, strict=True)]
    names = BETWEEN.join(shown)
    return show(title) + (f"{AFTER_TITLE}{names}" if names else "") + tail


def _seat(chair: Chair) -> str:
    return Texts().house("seat", n=(chair.order if chair.seat is None else chair.seat) + 1)


def _fitted(people: Sequence[str], room: int) -> list[str]:
    """Return names that have room together: long ones are cut, so that nobody is left out."""
    limit = NAME_LIMIT
    while limit > 1 and sum(min(len(name), limit) for name in people) > room:
        limit -= 1
    return [shorten(name, limit) for name in people]
