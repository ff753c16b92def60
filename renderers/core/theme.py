"""Themes: a game's colours as a frozen dataclass, chosen by name."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import lru_cache
from typing import Generic, TypeAlias, TypeVar

from PIL import ImageColor

T = TypeVar("T")

Colour: TypeAlias = str
"""``#RRGGBB``, or ``#RRGGBBAA`` with an opacity."""

DEFAULT = "default"

_log = logging.getLogger(__name__)


class Themes(Generic[T]):
    """The themes of one game; ``"default"`` is always among them."""

    def __init__(self, game: str, themes: Mapping[str, T]) -> None:
        if DEFAULT not in themes:
            raise ValueError(f"{game} has no theme {DEFAULT!r}")
        self._game = game
        self._themes = {DEFAULT: themes[DEFAULT], **themes}

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of all themes, the default first."""
        return tuple(self._themes)

    def choose(self, name: str) -> T:
        """Return the theme ``name``; if there is none, log that once and return the default."""
        if name not in self._themes:
            # A name comes from outside: it must not fill the log.
            _report_unknown(self._game, name[:40])
            return self._themes[DEFAULT]
        return self._themes[name]

    def name_of(self, theme: T) -> str:
        """Return the name of one of the themes; raises ``KeyError`` for any other."""
        for name, known in self._themes.items():
            if known == theme:
                return name
        raise KeyError("no theme of this game")


@lru_cache(maxsize=256)
def _report_unknown(game: str, name: str) -> None:
    # The cache makes it one line per name.
    _log.warning("%s has no theme %r: painted in the default one", game, name)


def rgb(colour: Colour) -> tuple[int, int, int]:
    """Return red, green and blue of ``colour``, 0 to 255."""
    red, green, blue = ImageColor.getrgb(colour)[:3]
    return red, green, blue


def mix(first: Colour, second: Colour, share: float) -> Colour:
    """Return ``first`` moved towards ``second`` by ``share``, 0 to 1."""
    pairs = zip(rgb(first), rgb(second), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)
