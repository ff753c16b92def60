"""A cache of scenes and sprites for all tests in all processes of a run.

A sprite depends only on its painter's arguments, so tests can share it, as requests share a bot's memory.
Tests with a folder of their own for sprites paint everything there.
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
"""Bytes; all games together need a tenth of it."""

_anew: list[bool] = []
"""If not empty, everything is painted again."""


def folder_of(cache: str) -> Path:
    """Return the folder of the cache, beside the run's folder of sprites, which bots use as well."""
    return Path(cache).with_name("painted")


def paint_once(cache: str) -> None:
    """Cache everything that is painted from now on beside the run's folder of sprites."""
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
    """Start with an empty cache within the block: for tests of painting itself, or with other painters.

    Afterwards, the cache has exactly its former content again.
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
