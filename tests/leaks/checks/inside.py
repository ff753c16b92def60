"""What stays within the house but must hold no secret either: logs, reprs, tasks, warnings, files."""

from __future__ import annotations

import asyncio
import gc
import importlib
import io
import logging
import pkgutil
import re
import sqlite3
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import fields, is_dataclass
from itertools import product
from pathlib import Path
from typing import Any
from unittest.mock import patch

from PIL import Image

import bot
from bot.domain.match import Click
from bot.domain.refusals import Refusal
from bot.pages.texts import Texts, painted_names
from bot.runtime.log_setup import QUIET, set_up
from bot.workers.pool import WorkerPool
from engines.core.rng import Rng
from renderers.core.caches import SCENES, SPRITES, for_everybody, keep_on_disk
from renderers.core.disk_cache import SUFFIX, DiskCache
from tests.contract.checks.sampling import viewers
from tests.kit.painting import Inline
from tests.kit.samples import MORE
from tests.kit.vault.install import KEY
from tests.leaks.checks.looking import look_around, script
from tests.leaks.house import House, house
from tests.leaks.hunt import traces
from tests.leaks.knowledge import Knowledge, seeds

STAMP = len("2026-01-01 00:00:00 ")

THE_MATCH = ("match", "log", "draft", "kept")
"""Tables of the database that hold a match's secrets, because they are the match."""

LOOKING = 8 if MORE > 1 else 1
"""Seats that look at pictures whose sprites are kept on disk, at most."""

TELLING = {"Words", "Msg", "Menu", "Choice", "Field", "Fact"}
"""Types whose reprs say what somebody holds or has drafted."""


@contextmanager
def logged(into: list[str]) -> Iterator[None]:
    """Log as the real bot does at DEBUG, within the block; adds the lines, without their times."""
    root, stream = logging.getLogger(), io.StringIO()
    handlers, level = list(root.handlers), root.level
    levels = {name: logging.getLogger(name).level for name in QUIET}
    hooks = sys.excepthook, threading.excepthook, sys.unraisablehook
    stderr, sys.stderr = sys.stderr, stream
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            set_up("DEBUG", "a-token")
            try:
                yield
            finally:
                logging.captureWarnings(capture=False)
    finally:
        sys.stderr = stderr
        root.handlers[:], logging.raiseExceptions = handlers, True
        root.setLevel(level)
        for name, old in levels.items():
            logging.getLogger(name).setLevel(old)
        sys.excepthook, threading.excepthook, sys.unraisablehook = hooks
        into += [line[STAMP:] if line[:2] == "20" else line for line in stream.getvalue().splitlines()]


def rows_of(database: Path) -> str:
    """Return all rows of the database but those that are the match itself, as text."""
    connection = sqlite3.connect(database)
    try:
        names = [
            name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        rows = [
            connection.execute(f'SELECT * FROM "{name}"').fetchall()
            for name in names
            if name not in THE_MATCH
        ]
    finally:
        connection.close()
    return repr(rows)


def assert_clean(text: str, knowledge: Knowledge, key: bytes, where: str) -> None:
    """Fail if any card of the match, or its seed, stands in ``text``."""
    secrets = [word.encode() for word in sorted(knowledge.secrets)]
    found = traces(text.encode("utf-8", "replace"), [*secrets, *seeds(key)])
    assert not found, f"{where} holds {found}"


def things() -> Iterator[str]:
    """Yield the reprs of everything of the house that lives, and of the tasks that run."""
    for thing in gc.get_objects():
        kind = type(thing)
        if str(kind.__module__).startswith(("bot.", "renderers.")):
            with suppress(AttributeError):  # one that another thread is still making
                yield f"{kind.__qualname__}: {thing!r}"
    yield from running()


def running() -> Iterator[str]:
    """Yield the names and reprs of tasks and of what they do."""
    for task in asyncio.all_tasks():
        yield f"{task.get_name()} {task!r} {task.get_coro()!r}"


async def check_reprs(folder: Path) -> int:
    """Look at the reprs of all that lives, at every step of a match; return how many there were."""
    seen = 0
    async with house(KEY, folder, 5, seats=2, dms=True) as each:
        knowledge = Knowledge.of(each.match)
        texts: set[str] = set()
        each.wire.watchers.append(lambda: texts.update(running()))
        for text in await _typed(each):
            await each.command(each.person_at(0), "move", words=text)
            held = await _held(each)
            texts.update(things())
            texts.update(map(repr, held))
            await each.settle()
        seen = len(texts)
        part = each.live.row.part
        assert part is not None
        for text, key in product(texts, (each.match.seed, part)):
            assert_clean(text, knowledge, key, f"the repr of {text.partition(':')[0][:40]}")
    return seen


async def _typed(each: House) -> tuple[str, ...]:
    """Return sentences that lead to drafts, refusals and notes."""
    hand, other = each.match.view(0).own.hand, each.match.view(1).own.hand
    return (f"lay {hand[0]}", f"lay {other[0]}", f"peek lay {hand[1]}", f"note {hand[2]}", f"x {hand[3]}")


async def _held(each: House) -> list[object]:
    """Return what the use cases give, errors too."""
    who, services, table = each.person_at(0), each.services, each.table.id
    found: list[object] = [
        await services.drafts.panel(table, who), await services.queries.board(table),
        await services.queries.log(table, who), await services.queries.matches(who),
        services.drafts.peek_panel(Click(table, 0), who), each.live, each.live.seat_view(0),
        each.live.drafts_of(0), each.live.require_log(), each.live.row,
    ]  # fmt: skip
    hand = each.match.view(0).own.hand
    for words in (("lay", each.match.view(1).own.hand[0]), ("lay", hand[0], hand[1])):
        try:
            found.append(await services.actions.submit(table, 0, None, words, f"x {words[0]}"))
        except Refusal as refusal:
            found += [refusal, str(refusal), refusal.args]
    return found


def check_dataclasses() -> int:
    """Look at every data class of the house: what may hold words of a match is not in its repr."""
    seen = 0
    for info in pkgutil.walk_packages(bot.__path__, "bot."):
        if info.name.endswith("__main__"):
            continue
        module = importlib.import_module(info.name)
        for kind in vars(module).values():
            if isinstance(kind, type) and is_dataclass(kind) and kind.__module__ == info.name:
                seen += 1
                _check_dataclass(kind)
    return seen


def _check_dataclass(kind: type) -> None:
    if "__repr__" in vars(kind) and not getattr(kind.__repr__, "__wrapped__", None):
        return  # it writes its own, which check_reprs looks at
    for part in fields(kind):
        kinds = set(re.findall(r"\w+", str(part.type)))
        telling = kinds & TELLING
        assert not (part.repr and telling), f"{kind.__qualname__}.{part.name} shows {telling}"


class _ForEverybody(Inline):
    """Paints all that it paints as if all were to see it."""

    async def _work(self, pool: WorkerPool, patience: float, work: Callable[..., Any], *given: Any) -> Any:
        def in_public() -> Any:
            with for_everybody():
                return work(*given)

        return await super()._work(pool, patience, in_public)


async def check_files(key: str, folder: Path) -> int:
    """Play and look at pictures with a cache on disk; return how many entries it got.

    What is kept must not depend on names or on what a view holds; nothing else is written anywhere. All of
    it is painted as if it were for everybody: what is painted for one viewer leaves nothing at all.
    """
    asked: list[str] = []
    get = DiskCache.get

    def noted(self: DiskCache, package: str, name: str, make: Callable[[], Image.Image]) -> Image.Image:
        asked.append(name)
        return get(self, package, name, make)

    keep_on_disk(folder / "cache")
    _forget()
    try:
        with patch.object(DiskCache, "get", noted):
            async with house(key, folder, 3, painter=_ForEverybody()) as each:
                match = each.match
                knowledge = Knowledge.of(match)
                views = {type(match.view(viewer)).__qualname__ for viewer in viewers(match)}
                for seat in range(match.setup.seats)[:LOOKING]:
                    await look_around(each, script(match, seat, Rng(bytes(32)), short=True))
                names = [str(each.client.user), *painted_names(Texts(), each.live.info)[0]]
    finally:
        keep_on_disk(None)
        _forget()
    for name in asked:
        assert not any(person in name for person in names), "a name is kept on disk"
        assert not any(f"{view}(" in name for view in views), "a view is kept on disk"
    written = _written(folder)
    assert {path.relative_to(folder).parts[0] for path in written} <= {"cache"}, "something else is written"
    text = "\n".join([*asked, *(str(path.relative_to(folder)) for path in written)])
    assert_clean(text, knowledge, match.seed, "the cache")
    for path in written:
        assert path.suffix == SUFFIX, "something else is in the cache"
        if knowledge.secrets:
            assert_clean(path.read_bytes().decode("latin-1"), knowledge, match.seed, "a file of the cache")
    return len(written)


def _written(folder: Path) -> list[Path]:
    """Return the files in a folder, but for the database."""
    return [path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("house.db")]


def _forget() -> None:
    for cache in (SPRITES, SCENES):
        cache.clear()
