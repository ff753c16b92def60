"""Scenes and sprites that are painted once in a run, for all tests in all its processes.

A sprite is decided by its painter's arguments alone, so that what one test has painted is another's too, as
it is in a bot's memory. Where a test has a folder of its own to keep them in, everything is painted there.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

from PIL import Image

from renderers.core import caches
from renderers.core.caches import SCENES, SPRITES
from renderers.core.disk_cache import DiskCache, key_text

Paint: TypeAlias = Callable[[], Image.Image]

ROOM = 4 << 30
"""Bytes: all of the games have a tenth of it."""

_anew: list[bool] = []
"""Not empty: everything is painted anew."""


def folder_of(cache: str) -> Path:
    """Return where it is kept, beside the run's own folder of sprites, which bots use as well."""
    return Path(cache).with_name("painted")


def paint_once(cache: str) -> None:
    """From now on, keep whatever is painted beside the run's own folder of sprites, and read it there."""
    store = DiskCache(folder_of(cache), ROOM)
    if not store.make_private():
        raise OSError(f"{store.folder} cannot be used")
    honest: Callable[[Paint, str, str, Any], Image.Image] = vars(caches)["_made"]
    on_disk: list[DiskCache] = vars(caches)["_disk_caches"]

    def once(paint: Paint, module: str, name: str, args: Any) -> Image.Image:
        try:
            text = f"{module}.{name}{key_text(args)}"
        except TypeError:
            return paint()
        return store.get(module.rpartition(".")[0], text, paint)

    def made(paint: Paint, module: str, name: str, args: Any) -> Image.Image:
        foreign = any(each.folder != Path(cache) for each in on_disk)
        # A nested function may depend on more than its arguments.
        if _anew or foreign or "<locals>" in name:
            return honest(paint, module, name, args)
        return honest(lambda: once(paint, module, name, args), module, name, args)

    vars(caches)["_made"] = made


@contextmanager
def painted_anew() -> Iterator[None]:
    """While it lasts, nothing is painted yet: for tests of painting itself, or that paint something else.

    Afterwards what had been painted before is there again, and nothing else.
    """
    parts = [part for cache in (SPRITES, SCENES) for part in (cache, cache.packed)]
    before = [vars(part).copy() for part in parts]
    for part in parts:
        vars(part).update(_items=OrderedDict(), _bytes=0)
    _anew.append(True)
    try:
        yield
    finally:
        _anew.pop()
        for part, held in zip(parts, before, strict=True):
            vars(part).update(held)
