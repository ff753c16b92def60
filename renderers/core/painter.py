"""What all painters share besides their own drawing: check keys, cache, encode, describe."""

from __future__ import annotations

import importlib
import io
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Generic, TypeVar

from PIL import Image

from engines.core.contract import Menu, Msg, Words
from engines.core.texts import load
from renderers.core import film
from renderers.core.caches import for_everybody
from renderers.core.captions import Captions
from renderers.core.contract import BOARD, Key, Picture, Table
from renderers.core.encode import encoded
from renderers.core.theme import Themes

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Order(Generic[V]):
    """A request for one picture: all that its pixels and its description may depend on."""

    view: V
    key: Key
    table: Table
    draft: Words
    menu: Menu | None

    def __repr__(self) -> str:
        return f"<Order {self.key}>"


class Painter(ABC, Generic[V]):
    """A renderer. A game adds ``pictures``, the image, its description, the plain text, the palette."""

    @property
    def themes(self) -> tuple[str, ...]:
        """Return the names of the game's themes, from ``THEMES`` in the package's module ``theme``."""
        themes: Themes[object] = importlib.import_module(f"{type(self).__module__}.theme").THEMES
        return themes.names

    def captions(self, table: Table) -> Captions:
        """Return the texts of the game's own package for a table."""
        return Captions(load(type(self).__module__), table)

    @abstractmethod
    def pictures(self, view: V) -> tuple[tuple[Key, Msg], ...]:
        """Return what this viewer can look at, each with its label."""

    @abstractmethod
    def image(self, order: Order[V]) -> Image.Image:
        """Return the picture in full colour."""

    @abstractmethod
    def palette(self, theme: str) -> Image.Image | None:
        """Return the palette of a theme's pictures, which are encoded as PNG; the same object every time.

        ``None``: the pictures have too many colours for a palette and are encoded as JPEG.
        """

    @abstractmethod
    def describe(self, order: Order[V]) -> str:
        """Return the picture in words, at most ``ALT_LIMIT`` characters."""

    @abstractmethod
    def text(self, view: V, table: Table) -> str:
        """Return the board as plain text."""

    def paint(self, view: V, key: Key, table: Table, draft: Words = (), menu: Menu | None = None) -> Picture:
        """Paint one picture; it is not cached here, only its scenes and sprites are.

        Raises ``KeyError`` for a key that :meth:`pictures` does not name.
        """
        order = self._order(view, key, table, draft, menu)
        # A view without a ``viewer`` counts as a seat's.
        public = getattr(view, "viewer", 0) is None
        with for_everybody() if public else nullcontext():
            image = self.image(order)
        data, media_type = encoded(image, self.palette(table.theme))
        return Picture(data, media_type, image.width, image.height, self.describe(order))

    def warm(self, view: V, key: Key, table: Table, draft: Words = (), menu: Menu | None = None) -> None:
        """Paint one picture of a match that nobody plays, only to cache its scenes and sprites.

        Raises ``KeyError`` for a key that :meth:`pictures` does not name.
        """
        order = self._order(view, key, table, draft, menu)
        # Hands too: nobody holds them.
        with for_everybody():
            self.image(order)

    def _order(self, view: V, key: Key, table: Table, draft: Words, menu: Menu | None) -> Order[V]:
        if key not in dict(self.pictures(view)):
            raise KeyError(key)
        return Order(view, key, table, draft, menu)

    def film(self, views: Sequence[V], table: Table) -> Picture:
        """Return views of one match, in their order, as a moving picture; its description is the last one's.

        Raises ``ValueError`` for no view.
        """
        # Spread first: what is not shown need not be painted.
        orders = [Order(view, BOARD, table, (), None) for view in film.spread(views)]
        with for_everybody():
            data = film.film(film.frame(self.image(order)) for order in orders)
        with Image.open(io.BytesIO(data)) as shown:
            size = shown.size
        return Picture(data, film.MEDIA_TYPE, *size, self.describe(orders[-1]))
