"""Caches of pictures: bounded by bytes, least recently used evicted first, thread-safe.

Scenes and sprites that are evicted as pixels are kept compressed: see :class:`ImageCache`.
Scenes and sprites may be cached on disk too: see :func:`keep_on_disk`. What is painted for one viewer leaves
no trace there, since the sprites that a hand needs reveal what is in it: see :func:`for_everybody`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from threading import Lock
from typing import Any, Generic, ParamSpec, TypeVar

from PIL import Image

from renderers.core.deflate import zlib
from renderers.core.disk_cache import DiskCache, key_text, packable

P = ParamSpec("P")
T = TypeVar("T")

MIB = 1 << 20


class Bounded(Generic[T]):
    """A cache of at most ``limit`` bytes, as ``weigh`` counts them."""

    def __init__(self, limit: int, weigh: Callable[[T], int]) -> None:
        self.limit = limit
        self._weigh = weigh
        self._items: OrderedDict[Hashable, T] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def __repr__(self) -> str:
        return f"<Bounded {len(self._items)} items, {self._bytes} of {self.limit} bytes>"

    def __len__(self) -> int:
        return len(self._items)

    @property
    def bytes(self) -> int:
        """Return how many bytes are held."""
        return self._bytes

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the item under ``key``, made now if there is none.

        ``make`` runs outside the lock: two threads may make the same item, and one of them is kept.
        """
        with self._lock:
            if key in self._items:
                self._items.move_to_end(key)
                return self._items[key]
        made = make()
        self.put(key, made)
        return made

    def find(self, key: Hashable) -> T | None:
        """Return the item under ``key``, if there is one."""
        with self._lock:
            found = self._items.get(key)
            if found is not None:
                self._items.move_to_end(key)
            return found

    def put(self, key: Hashable, made: T) -> None:
        """Cache an item; one that is already there under ``key`` stays."""
        dropped: list[tuple[Hashable, T]] = []
        with self._lock:
            if key not in self._items:
                self._items[key] = made
                self._bytes += self._weigh(made)
                # An item larger than the limit evicts all others, then itself; its caller has it already.
                while self._bytes > self.limit:
                    dropped.append(self._items.popitem(last=False))
                    self._bytes -= self._weigh(dropped[-1][1])
        for each in dropped:
            self._let_go(*each)

    def _let_go(self, key: Hashable, item: T) -> None:
        """Handle an item that was evicted; does nothing by default."""

    def drop(self, key: Hashable) -> None:
        """Drop the item under ``key``, if there is one."""
        with self._lock:
            dropped = self._items.pop(key, None)
            if dropped is not None:
                self._bytes -= self._weigh(dropped)

    def clear(self) -> None:
        """Drop all items."""
        with self._lock:
            self._items.clear()
            self._bytes = 0


def image_bytes(image: Image.Image) -> int:
    """Return the bytes that the pixels of ``image`` take in memory."""
    # Pillow keeps every pixel of several bands in four bytes.
    return image.width * image.height * (1 if image.mode in {"1", "L", "P"} else 4)


RAW_DEFLATE = -15
"""The ``wbits`` of a stream without header and checksum."""

LEVEL = 3
"""Compression level in memory: a third smaller than level 1, and as fast to unpack."""


@dataclass(frozen=True, slots=True)
class _Packed:
    """A compressed image in memory: unlike on disk, nothing can damage it, so it needs no digest."""

    mode: str
    size: tuple[int, int]
    palette: bytes = field(repr=False)
    pixels: bytes = field(repr=False)
    pixel_bytes: int
    """Bytes of the pixels once unpacked."""
    info: dict[Any, Any] = field(repr=False)

    @classmethod
    def of(cls, image: Image.Image) -> _Packed:
        """Compress an image of a mode that is cached: see :func:`packable`."""
        pixels = image.tobytes()
        palette = bytes(image.getpalette() or ()) if image.mode == "P" else b""
        compressed = zlib.compress(pixels, LEVEL, RAW_DEFLATE)
        return cls(image.mode, image.size, palette, compressed, len(pixels), dict(image.info))

    def image(self) -> Image.Image:
        """Return the image, with all that it knew of itself."""
        pixels = zlib.decompress(self.pixels, RAW_DEFLATE, self.pixel_bytes)
        image = Image.frombytes(self.mode, self.size, pixels)
        if self.palette:
            image.putpalette(self.palette)
        image.info.update(self.info)
        return image


_image_caches: list[ImageCache] = []
"""All caches of images in this process."""


def shrink_caches(share: int) -> None:
    """Limit all caches of images to a ``share``-th of their size from now on.

    With a disk cache nothing is kept compressed: what is painted for everybody is found on disk.
    """
    for cache in _image_caches:
        if share > 1 and _disk_caches:
            cache.limit, cache.packed.limit = cache.limit + cache.packed.limit, 0
        cache.limit //= share
        cache.packed.limit //= share


class ImageCache(Bounded[Image.Image]):
    """A cache of at most ``limit`` bytes of pixels, and ``packed`` bytes of evicted images, compressed.

    If ``packed`` is 0, evicted images are gone.

    Compressed, an image takes a tenth of the memory, and unpacking it a hundredth of the time of painting
    it: with many games at once, what a picture needs is rarely all there as pixels.
    """

    def __init__(self, limit: int, packed: int) -> None:
        super().__init__(limit, image_bytes)
        self.packed: Bounded[_Packed] = Bounded(packed, lambda item: len(item.pixels))
        _image_caches.append(self)

    def find(self, key: Hashable) -> Image.Image | None:
        """Return the image under ``key``, if there is one."""
        found = super().find(key)
        packed = None if found is not None else self.packed.find(key)
        if packed is not None:
            found = packed.image()
            super().put(key, found)
        return found

    def _let_go(self, key: Hashable, item: Image.Image) -> None:
        # An image that is packed already is not packed again: it may be evicted many times.
        if self.packed.limit and packable(item) and self.packed.find(key) is None:
            self.packed.put(key, _Packed.of(item))

    def drop(self, key: Hashable) -> None:
        """Drop the image under ``key``, if there is one."""
        super().drop(key)
        self.packed.drop(key)

    def clear(self) -> None:
        """Drop all images."""
        super().clear()
        self.packed.clear()


# A scene takes four MiB as pixels and a tenth of one packed: of the largest, three fit.
SPRITES = ImageCache(13 * MIB, 6 * MIB)
SCENES = ImageCache(13 * MIB, 6 * MIB)
WORDS: Bounded[Image.Image] = Bounded(3 * MIB, image_bytes)
"""Masks of texts, players' names among them: in memory only."""

_disk_caches: list[DiskCache] = []
"""The disk cache in use, if any."""


_public: ContextVar[bool] = ContextVar("public", default=False)

_UNSHARED = "painted for one viewer"
"""The mark, in an image's ``info``, of what is cached because one viewer needed it."""


@contextmanager
def for_everybody() -> Iterator[None]:
    """Treat what is painted within the block as public: cached on disk, and touched there when it is used."""
    token = _public.set(True)
    try:
        yield
    finally:
        _public.reset(token)


def _usable(cache: ImageCache, key: Hashable) -> Image.Image | None:
    """Return the image under ``key``, if it may be used; drop it if it must be repainted for everybody."""
    found = cache.find(key)
    if found is not None and _public.get() and _UNSHARED in found.info:
        cache.drop(key)
        return None
    return found


def remembered(cache: ImageCache, key: Hashable, make: Callable[[], Image.Image]) -> Image.Image:
    """Return the image under ``key``, or what ``make`` paints, perhaps from sprites, which is cached then.

    What is there only because one viewer needed it is repainted for everybody, as if it were not there:
    otherwise the disk would lack its sprites, and so reveal that somebody had them.
    """
    found = _usable(cache, key)
    if found is not None:
        return found
    made = make()
    _keep(cache, key, made)
    return made


def remembered_together(
    cache: ImageCache, keys: Sequence[Hashable], make: Callable[[Sequence[int]], Iterable[Image.Image]]
) -> list[Image.Image]:
    """Return the images under ``keys``; ``make`` gets the numbers of the missing ones."""
    found = [_usable(cache, key) for key in keys]
    missing = [number for number, image in enumerate(found) if image is None]
    made = dict(zip(missing, make(missing), strict=True)) if missing else {}
    for number, image in made.items():
        _keep(cache, keys[number], image)
    return [made[number] if image is None else image for number, image in enumerate(found)]


def _keep(cache: ImageCache, key: Hashable, made: Image.Image) -> None:
    if not _public.get():
        made.info[_UNSHARED] = True
    cache.put(key, made)


def keep_on_disk(folder: Path | None) -> None:
    """Cache scenes and sprites in ``folder`` too from now on; ``None``: in memory only.

    A folder that others can list, and that cannot be made private, is not used, which is logged.
    """
    _disk_caches[:] = [] if folder is None else [DiskCache(folder)]
    for disk_cache in _disk_caches:
        if disk_cache.make_private():
            disk_cache.prune()
        else:
            _disk_caches.clear()


def _made(paint: Callable[[], Image.Image], module: str, name: str, args: object) -> Image.Image:
    # A nested function may depend on more than its arguments: it is cached in memory only.
    if not _disk_caches or "<locals>" in name:
        return paint()
    try:
        text = f"{module}.{name}{key_text(args)}"
    except TypeError:
        return paint()
    disk_cache, package = _disk_caches[0], module.rpartition(".")[0]
    if _public.get():
        return disk_cache.get(package, text, paint)
    return disk_cache.find(package, text) or paint()


def _cached_in(
    cache: ImageCache,
) -> Callable[[Callable[P, Image.Image]], Callable[P, Image.Image]]:
    def decorate(paint: Callable[P, Image.Image]) -> Callable[P, Image.Image]:
        module, name = paint.__module__, paint.__qualname__
        whose = f"{module}.{name}"

        @wraps(paint)
        def kept(*args: P.args, **kwargs: P.kwargs) -> Image.Image:
            given = (args, tuple(sorted(kwargs.items())) if kwargs else ())
            # All painters share one cache, so the function's name is part of the key.
            key = (whose, given)
            return remembered(cache, key, lambda: _made(lambda: paint(*args, **kwargs), module, name, given))

        return kept

    return decorate


sprite = _cached_in(SPRITES)
"""Decorator: caches what a function paints by its (hashable) arguments. Never draw on the result.

Never pass it a player's name: what it caches may be written to the disk."""

scene = _cached_in(SCENES)
"""Decorator: like :func:`sprite`, for whole backgrounds. Draw on a copy."""
