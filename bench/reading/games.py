"""The games that are read: their positions, their truth, and how their forms are written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.reading import corto, doge, volo, volt, volto
from bench.reading.positions import Play, Slot
from bench.reading.scoring import Normal
from engines.corto.view import View as CortoView
from engines.doge.view import View as DogeView
from engines.volo.view import VoloView
from engines.volt.view import View as VoltView
from engines.volto.view import View as VoltoView
from tests.renderers.looks import Look

_FORMS = Path(__file__).parent / "forms"


@dataclass(frozen=True, slots=True)
class Sheet:
    """How one game is read. ``truth`` fills the form in for a look and the names of the seats.

    ``asked`` and ``said`` sort what a view holds, by the names of its fields (``"robots.pos"``; a name
    stands for all below it): the part of the form that asks for it, or the words in which the form says
    where it is told instead.
    """

    view: type
    play: Play
    slots: tuple[Slot, ...]
    truth: Callable[[Look, Sequence[str]], dict[str, Any]]
    normal: Normal
    asked: Mapping[str, str]
    said: Mapping[str, str]


SHEETS: Mapping[str, Sheet] = {
    "volto": Sheet(VoltoView, volto.PLAY, volto.SLOTS, volto.truth, volto.normal, volto.ASKED, volto.SAID),
    "volt": Sheet(VoltView, volt.PLAY, volt.SLOTS, volt.truth, volt.normal, volt.ASKED, volt.SAID),
    "volo": Sheet(VoloView, volo.PLAY, volo.SLOTS, volo.truth, volo.normal, volo.ASKED, volo.SAID),
    "doge": Sheet(DogeView, doge.PLAY, doge.SLOTS, doge.truth, doge.normal, doge.ASKED, doge.SAID),
    "corto": Sheet(CortoView, corto.PLAY, corto.SLOTS, corto.truth, corto.normal, corto.ASKED, corto.SAID),
}


def form(key: str) -> str:
    """Return what the reader of a game's pictures is told."""
    return (_FORMS / f"{key}.md").read_text("utf-8")
