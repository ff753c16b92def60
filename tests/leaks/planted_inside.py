"""Leaks planted within the house: log_setup, jobs, tasks, reprs, files, warnings."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import pickle
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from bot.domain.match import Panel
from bot.matches import drafts
from bot.matches.drafts import Drafts
from bot.runtime import log_setup
from bot.sync import worker
from bot.workers.painter import PaintRequest
from bot.workers.painting_pool import PaintingPool
from engines.core.contract import Words
from renderers.core import caches
from renderers.core.disk_cache import DiskCache
from tests.kit.painting import Inline
from tests.kit.vault.painter import VaultPainter, ground
from tests.leaks.plant import around

Patch = pytest.MonkeyPatch
LOG = logging.getLogger("bot.planted")


def _typing(patch: Patch, telling: Callable[[str], object]) -> None:
    """Let ``telling`` hear what is typed."""
    type_in = Drafts.type_in

    async def heard(self: Drafts, table_id: str, person: Any, text: str, click: Any) -> Panel:
        telling(text)
        return await type_in(self, table_id, person, text, click)

    patch.setattr(Drafts, "type_in", heard)


def log_line(patch: Patch) -> None:
    """A line of the log at DEBUG holds what is typed."""
    _typing(patch, lambda text: LOG.debug("typed: %s", text))


def warning(patch: Patch) -> None:
    """A warning quotes what is typed."""
    _typing(patch, lambda text: warnings.warn(f"odd words: {text}", stacklevel=2))


def task_name(patch: Patch) -> None:
    """A task is named by what is typed."""

    def named(text: str) -> None:
        task = asyncio.current_task()
        assert task is not None
        task.set_name(f"typing {text}")

    _typing(patch, named)


def traceback_text(patch: Patch) -> None:
    """A traceback ends with what the exception says."""
    patch.setattr(log_setup.RedactingFormatter, "formatException", logging.Formatter.formatException)


def loop_text(patch: Patch) -> None:
    """The event loop's own words quote tasks and the arguments of callbacks."""
    patch.setattr(log_setup, "watch", lambda loop: None)


def painter_line(patch: Patch) -> None:
    """A painter that fails log_setup what the error says."""

    def wrap(work: Any) -> Any:
        async def chatty(*given: Any) -> Any:
            try:
                return await work(*given)
            except Exception as error:
                LOG.info("painting failed: %r", error)
                raise

        return chatty

    around(patch, Inline, "_work", wrap)


def painter_note(patch: Patch) -> None:
    """A painter notes what it paints."""
    paint = VaultPainter.paint

    def noting(self: VaultPainter, view: Any, *given: Any, **more: Any) -> Any:
        LOG.warning("painting %s", self.text(view, given[1]))
        return paint(self, view, *given, **more)

    patch.setattr(VaultPainter, "paint", noting)


def job_error(patch: Patch) -> None:
    """A job that failed keeps what the error says."""
    patch.setattr(worker, "failure_of", lambda error: f"{error}"[::-1])


def shown_panel(patch: Patch) -> None:
    """The repr of a panel shows the draft."""
    patch.setattr(Panel, "__repr__", lambda self: f"<Panel {' '.join(self.draft)}>")


@dataclass(frozen=True, slots=True)
class Careless:
    """A data class as anybody would write it."""

    draft: Words


def careless_class(patch: Patch) -> None:
    """A data class of the house shows the words in it."""
    patch.setattr(Careless, "__module__", drafts.__name__)
    patch.setattr(drafts, "Careless", Careless, raising=False)


@caches.sprite
def face(word: str) -> Image.Image:
    return ground(len(word)).copy()


def sprite_of_card(patch: Patch) -> None:
    """A sprite that is kept on disk is made of a card."""

    paint = VaultPainter.paint

    def painted(self: VaultPainter, view: Any, *given: Any, **more: Any) -> Any:
        for word in view.own.hand if view.own is not None else ():
            face(word)
        return paint(self, view, *given, **more)

    patch.setattr(VaultPainter, "paint", painted)


def picture_on_disk(patch: Patch) -> None:
    """A finished private picture is kept on disk, named by a digest of its view."""

    folders: list[Path] = []

    def noting(get: Any) -> Any:
        def noted(self: DiskCache, *given: Any) -> Any:
            folders.append(self.folder)
            return get(self, *given)

        return noted

    def keeping(paint: Any) -> Any:
        async def kept(self: PaintingPool, request: PaintRequest, *given: Any) -> Any:
            picture = await paint(self, request, *given)
            if picture is not None and folders:
                name = hashlib.sha256(pickle.dumps(request)).hexdigest()
                (folders[0] / f"{name}.png").write_bytes(picture.data)
            return picture

        return kept

    around(patch, DiskCache, "get", noting)
    around(patch, PaintingPool, "paint", keeping)
