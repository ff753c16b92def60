"""Translate SQLite's placeholders and lists to PostgreSQL. The statements are otherwise the same SQL."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from bot.store.schema import Parameters

_LIST = re.compile(r"(NOT )?IN \(SELECT value FROM json_each\((\?\d*)\)\)")

_PLACEHOLDER = re.compile(r"\?(\d*)|(?<![:\w]):([a-z]+)\b")


@lru_cache(maxsize=1_024)
def translated(sql: str) -> tuple[str, tuple[str, ...]]:
    """Return a statement with PostgreSQL's placeholders, and the names of its values in order.

    Our statements have no question mark within quotes, and a colon only where no word follows (``'dm:'``).
    """
    names: list[str] = []
    count = 0

    def placed(found: re.Match[str]) -> str:
        nonlocal count
        number, name = found.groups()
        if name is not None:
            if name not in names:
                names.append(name)
            return f"${names.index(name) + 1}"
        if number:
            return f"${number}"
        count += 1
        return f"${count}"

    def listed(found: re.Match[str]) -> str:
        inverted, value = found.groups()
        return f"<> ALL({value})" if inverted else f"= ANY({value})"

    return _PLACEHOLDER.sub(placed, _LIST.sub(listed, sql)), tuple(names)


def bound(names: tuple[str, ...], values: Parameters) -> list[object]:
    """Return values in the order of their placeholders; booleans become integers, as in SQLite."""
    found = [values[name] for name in names] if isinstance(values, Mapping) else values
    return [int(value) if isinstance(value, bool) else value for value in found]
