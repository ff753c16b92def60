"""The contract of pictures: a renderer turns a view into bytes and knows nothing else of a match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from engines.core.contract import Fact, Menu, Msg, Seat, Words

V_contra = TypeVar("V_contra", contravariant=True)

ALT_LIMIT = 1024
"""Characters that Discord allows in a picture's description."""

BOARD = "board"
"""The picture that every view of every game has; a film is made of it."""

Key = str
"""Which picture of a view: ``"board"`` for every game, then what the game has (``"hand"``, ``"sheet"`` …)."""


@dataclass(frozen=True, slots=True)
class Table:
    """What a picture needs besides the view: the players' names, and the viewer's preferences."""

    names: tuple[str, ...]
    language: str = "en"
    theme: str = "default"
    marked: frozenset[Seat] = frozenset()
    """The seats whose side texts show beside the name; pictures show it there too, and where they have to."""

    def name(self, seat: Seat) -> str:
        """Return the name of the player in ``seat``."""
        return self.names[seat]


@dataclass(frozen=True, slots=True)
class Picture:
    """A finished picture: encoded bytes, their media type, size in pixels, and what it shows in words."""

    data: bytes = field(repr=False)
    media_type: str
    width: int
    height: int
    alt: str = field(repr=False)

    @property
    def suffix(self) -> str:
        """Return the file suffix of the media type, without a dot."""
        return self.media_type.rpartition("/")[2]


class Animator(Protocol[V_contra]):
    """A renderer that also animates what has just happened; see ``registry.animator``."""

    def animate(self, before: V_contra, facts: Sequence[Fact], table: Table) -> Picture | None:
        """Return ``facts`` as a moving picture of a few seconds, at most 1 MiB.

        ``before`` is the public view before they happened; ``facts`` are what everybody learned since, in
        order. ``None``: nothing in them moves. Equal arguments give equal pixels.
        """
        ...


class Renderer(Protocol[V_contra]):
    """The painter of one game: ``renderers.<game>.RENDERER``. Equal arguments, equal pixels."""

    @property
    def themes(self) -> tuple[str, ...]:
        """Return the names of the themes that the painter has, ``"default"`` first."""
        ...

    def pictures(self, view: V_contra) -> tuple[tuple[Key, Msg], ...]:
        """Return what this viewer can look at, the most telling first, each with a label.

        Labels are keys of the renderer package's own catalogue.
        """
        ...

    def paint(
        self, view: V_contra, key: Key, table: Table, draft: Words = (), menu: Menu | None = None
    ) -> Picture:
        """Paint one picture; raises ``KeyError`` for a key that :meth:`pictures` does not name.

        ``view`` is the preview of ``draft``. Legal squares and chosen words come from ``menu`` and ``draft``.
        """
        ...

    def warm(
        self, view: V_contra, key: Key, table: Table, draft: Words = (), menu: Menu | None = None
    ) -> None:
        """Paint one picture of a match that nobody plays, only to cache its scenes and sprites.

        Raises ``KeyError`` for a key that :meth:`pictures` does not name.
        """
        ...

    def film(self, views: Sequence[V_contra], table: Table) -> Picture:
        """Return views of one match, in their order, as a moving picture of at most 2 MiB.

        Raises ``ValueError`` for no view.
        """
        ...

    def text(self, view: V_contra, table: Table) -> str:
        """Return the board as plain text, for a screen reader; at most 1,800 characters."""
        ...
