"""The games that are read: their positions, their truth, and how their forms are written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.reading import volo, volto
from bench.reading.positions import Slot
from bench.reading.scoring import Normal
from tests.renderers.looks import Look

_FORMS = Path(__file__).parent / "forms"


@dataclass(frozen=True, slots=True)
class Sheet:
    """How one game is read. ``truth`` fills the form in for a look and the names of the seats."""

    options: Mapping[str, Sequence[str]]
    slots: tuple[Slot, ...]
    truth: Callable[[Look, Sequence[str]], dict[str, Any]]
    normal: Normal


SHEETS: Mapping[str, Sheet] = {
    "volto": Sheet(volto.OPTIONS, volto.SLOTS, volto.truth, volto.normal),
    "volo": Sheet(volo.OPTIONS, volo.SLOTS, volo.truth, volo.normal),
}


def form(key: str) -> str:
    """Return what the reader of a game's pictures is told."""
    return (_FORMS / f"{key}.md").read_text("utf-8")
