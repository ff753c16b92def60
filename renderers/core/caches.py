"""Memory for what was painted once: bounded by bytes, least recently used out first, safe in threads."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from threading import Lock
from typing import Generic, ParamSpec, TypeVar

from PIL import Image

from renderers.core.contract import Picture

P = ParamSpec("P")
T = TypeVar("T")

MIB = 1 << 20


class Bounded(Generic[T]):
    """A cache of at most ``limit`` bytes, as ``weigh`` counts them."""

    def __init__(self, limit: int, weigh: Callable[[T], int]) -> None:
        self._limit = limit
        self._weigh = weigh
        self._items: OrderedDict[Hashable, T] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def __repr__(self) -> str:
        return f"<Bounded {len(self._items)} items, {self._bytes} of {self._limit} bytes>"

    def __len__(self) -> int:
        return len(self._items)

    @property
    def bytes(self) -> int:
        """Return how many bytes are held."""
        return self._bytes

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what is kept under ``key``, made now if it is not there.

        ``make`` runs outside the lock: two threads may make the same thing, and one of them is kept.
        """
        with self._lock:
            if key in self._items:
                self._items.move_to_end(key)
                return self._items[key]
        made = make()
        with self._lock:
            if key not in self._items:
                self._items[key] = made
                self._bytes += self._weigh(made)
                self._shrink()
        return made

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._items.clear()
            self._bytes = 0

    def _shrink(self) -> None:
        while self._bytes > self._limit:
            _, dropped = self._items.popitem(last=False)
            self._bytes -= self._weigh(dropped)


def image_bytes(image: Image.Image) -> int:
    """Return the bytes that the pixels of ``image`` take in memory."""
    return image.width * image.height * len(image.getbands())


SPRITES: Bounded[Image.Image] = Bounded(48 * MIB, image_bytes)
SCENES: Bounded[Image.Image] = Bounded(64 * MIB, image_bytes)
PICTURES: Bounded[Picture] = Bounded(32 * MIB, lambda picture: len(picture.data))


def _kept_in(
    cache: Bounded[Image.Image],
) -> Callable[[Callable[P, Image.Image]], Callable[P, Image.Image]]:
    def decorate(paint: Callable[P, Image.Image]) -> Callable[P, Image.Image]:
        @wraps(paint)
        def kept(*args: P.args, **kwargs: P.kwargs) -> Image.Image:
            key = (paint.__module__, paint.__qualname__, args, tuple(sorted(kwargs.items())))
            return cache.get(key, lambda: paint(*args, **kwargs))

        return kept

    return decorate


sprite = _kept_in(SPRITES)
"""Decorator: what the function paints is kept by its (hashable) arguments. Nobody may draw on it."""

scene = _kept_in(SCENES)
"""Decorator: as :func:`sprite`, for whole backgrounds. Draw on a copy."""
