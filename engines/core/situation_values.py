"""Reading situations: values checked one by one, each refused with its own text.

The texts are the game's: a key ``situation.…`` for everything that a value may have to be, with the gaps
``where`` and ``value``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from engines.core.contract import Arg, InvalidAction, msg

MOST = 99
"""The largest number in a situation."""


def refuse(where: str, must: str, value: object, **args: Arg) -> NoReturn:
    """Raise :class:`InvalidAction` with the text ``situation.<must>``; ``where`` is a path of keys."""
    raise InvalidAction(msg(f"situation.{must}", where=where, value=shown(value), **args))


def shown(value: object) -> str:
    """Return a value as text, cut if it is long."""
    text = "".join(sign if sign.isprintable() else " " for sign in repr(value))
    return text if len(text) <= 60 else text[:57] + "..."


def mapping(where: str, value: object) -> dict[str, Any]:
    """Return an object of JSON; raises :class:`InvalidAction`."""
    if not isinstance(value, dict):
        refuse(where, "object", value)
    return value


def only(where: str, value: Mapping[str, Any], keys: tuple[str, ...]) -> None:
    """Raise :class:`InvalidAction` for a key that does not belong here."""
    for key in value:
        if key not in keys:
            refuse(where, "keys" if keys else "empty", key, keys=keys)


def number(where: str, value: object, low: int, high: int) -> int:
    """Return a whole number from ``low`` to ``high``; raises :class:`InvalidAction`."""
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        refuse(where, "number", value, low=low, high=high)
    return value


def items(where: str, value: object) -> list[Any]:
    """Return a list; raises :class:`InvalidAction`."""
    if not isinstance(value, list):
        refuse(where, "list", value)
    return value


def choice(where: str, value: object, choices: tuple[str, ...]) -> str:
    """Return one of ``choices``; raises :class:`InvalidAction`."""
    if not isinstance(value, str) or value not in choices:
        refuse(where, "choice", value, choices=choices)
    return value


def by_colour(where: str, value: object, colours: tuple[str, ...]) -> dict[str, Any]:
    """Return an object whose keys are the seats' colours; raises :class:`InvalidAction`."""
    found = mapping(where, value)
    for key in found:
        if key not in colours:
            refuse(where, "keys", key, keys=colours)
    return found
