"""Positions that the tests of pictures look at, and the pictures of the documentation.

``python -m tests.renderers.positions`` paints the latter into ``docs/pictures``.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from PIL import Image

from engines.core import registry
from engines.core.contract import Setup, Words
from engines.core.match import Entry, EntryKind, Match
from renderers.core.contract import Key, Picture, Table
from renderers.core.painter import Order
from renderers.core.registry import renderer
from tests.renderers import corto_looks, volt_looks

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
TABLE = Table(("Beatrice", "Old Tiepolo", "Noor", "Sunniva"))

SEED = bytes([81] * 32)
VOLTO_SETUP = ("setup ANASCALNLN", "setup AALSCLNNAN")
VOLTO_GAME = (
    "d6e5 c2c3 e6d6 d2d3 b6b5 b2b3 a6a5 e2d2 e7e6 e1e2 e6e7 d3e3 c7b6 b3a3 e7e6 c1b2 b6c5 a2b3 a7b6 a3a4 "
    "b7a6 e2e1 a5b4 b1c1 e6e7 b2a3 a6b7 a4a5 d6e6 a1b2 b6a5 e1e2 e5d6 c1b1 d6e5 e3d4 c5b6 c3d3 d7d5 b2c3 "
    "e6d6 d4c4 b7a6 a3b4 e5d4 d2c2 d4c3 c4c5 d6e6 b1c1 c3b4 e2e1 c6c7 c2b2 b5c5"
)
VOLTO_MOVES = tuple(VOLTO_GAME.split())
VOLO_CUT = (
    "..b..o..b.oo.b.bo.o.....obo.o..o.bob.o.o..o.bbb..ooo.o.o.b.o..oo..o.b.b.oo.o..obb.b...obo.b.obbb.b.bb.b.ob"
    "..obb...ooob.. b"
)


@dataclass(frozen=True, slots=True)
class Look:
    """One viewer's picture of a position: what a painter is given, and the key of its game."""

    game: str
    view: Any
    draft: Words = ()
    menu: Any = None
    key: Key = "board"

    def paint(self, table: Table = TABLE) -> Picture:
        """Paint the picture."""
        return renderer(self.game).paint(self.view, self.key, table, self.draft, self.menu)

    def image(self, table: Table = TABLE) -> Image.Image:
        """Paint the picture without encoding it."""
        painter: Any = renderer(self.game)
        image: Image.Image = painter.image(Order(self.view, self.key, table, self.draft, self.menu))
        return image


def look(match: Match, viewer: int | None, *draft: str) -> Look:
    """Return what ``viewer`` sees of a match with a draft."""
    game, view = match.game, match.view(viewer)
    menu = None if viewer is None else match.menu(viewer, draft)
    shown = game.preview(view, draft) if draft else view
    return Look(game.manifest.key, shown, draft if menu is None else menu.draft, menu)


def volto(moves: int | None) -> Match:
    """Return a match of VOLTO after so many moves; ``None``: before the second side is arranged."""
    game = registry.game("volto")
    match = Match.start(game, Setup("volto", game.manifest.ruleset, 2), SEED)
    for seat, text in enumerate(VOLTO_SETUP):
        if seat == 1 and moves is None:
            return match
        match = _act(match, seat, text)
    for text in VOLTO_MOVES[: moves or 0]:
        match = _act(match, min(match.waiting), text)
    return match


def volo(board: str, *turns: str) -> Match:
    """Return a match of Volo after some turns."""
    game = registry.game("volo")
    return _go_on(Match.start(game, _volo_setup(board), SEED), turns)


def volo_cut(*turns: str) -> Match:
    """Return a match of Volo where a flight of Blue can cut Orange into regions, after some turns."""
    game: Any = registry.game("volo")
    return _go_on(Match.at(game, _volo_setup("standard"), SEED, game.position(VOLO_CUT)), turns)


def _volo_setup(board: str) -> Setup:
    return Setup("volo", registry.game("volo").manifest.ruleset, 2, (("board", board),))


def _go_on(match: Match, turns: tuple[str, ...]) -> Match:
    for text in turns:
        match = _act(match, min(match.waiting), text)
    return match


def _act(match: Match, seat: int, text: str) -> Match:
    return match.apply(Entry(EntryKind.ACT, seat, match.game.read(text)))


LOOKS: Mapping[str, Callable[[], Look]] = {
    "volto_board": lambda: look(volto(44), None),
    "volto_private": lambda: look(volto(44), 1),
    "volto_chosen": lambda: look(volto(44), 1, "b5"),
    "volto_opening": lambda: look(volto(0), 1),
    "volto_capture": lambda: look(volto(47), 0, "d3"),
    "volto_taking": lambda: look(volto(44), 1, "d5", "d3"),
    "volto_setup": lambda: look(volto(None), 1, "setup", "AALSCLNNAN", "a7"),
    "volto_end": lambda: look(volto(len(VOLTO_MOVES)), None),
    "volo_board": lambda: look(volo_cut("h2:i2-NE3/a5"), None),
    "volo_private": lambda: look(volo_cut(), 1),
    "volo_chosen": lambda: look(volo_cut(), 1, "h2:i2"),
    "volo_regions": lambda: look(volo_cut(), 1, "h2:i2", "NE3"),
    "volo_small": lambda: look(volo("small", "c4", "d7"), 0),
    "volt_board": lambda: look(volt_looks.foundry("NS"), None),
    "volt_private": lambda: look(volt_looks.foundry(), 1, *volt_looks.PLAN),
    "volt_modules": lambda: replace(look(volt_looks.foundry(), 1, *volt_looks.PLAN), key="controller"),
    "volt_chosen": lambda: look(volt_looks.foundry(), 1, "I:b3"),
    "volt_fall": lambda: look(volt_looks.skydeck(), 0, *volt_looks.FALL),
    "volt_skydeck": lambda: look(volt_looks.skydeck(), None),
    "volt_start": lambda: look(volt_looks.started(), 2, "start", "e9"),
    "volt_reboot": lambda: look(volt_looks.rebooting(), 1),
    "volt_training": lambda: look(volt_looks.training(), 0),
    "volt_end": lambda: look(volt_looks.ended(), None),
    "corto_board": lambda: look(corto_looks.revealed(), None),
    "corto_private": lambda: look(corto_looks.page(), 0, "A08"),
    "corto_targets": lambda: look(corto_looks.page(), 0, "play", "A08", "a4"),
    "corto_final": lambda: look(corto_looks.page(), 0, "play", "A08", "c3"),
    "corto_draws": lambda: look(corto_looks.revealed(), 0),
    "corto_islands": lambda: look(corto_looks.islands(), None),
    "corto_figurine": lambda: look(corto_looks.islands(), 1, "B18"),
    "corto_friends": lambda: look(corto_looks.islands(), 1, "corto", "B18", "b2", "gold"),
    "corto_eliminate": lambda: look(corto_looks.islands(), 1, "rasputin", "A20", "a0"),
    "corto_swap": lambda: look(corto_looks.islands(), 1, "F16"),
    "corto_opening": lambda: look(corto_looks.opening(), 1),
    "corto_left": lambda: look(corto_looks.left(), None),
    "corto_strip": lambda: replace(look(corto_looks.revealed(), None), key="strip.C"),
    "corto_siberia": lambda: replace(look(corto_looks.revealed(), None), key="strip.E"),
    "corto_groups": lambda: replace(look(corto_looks.revealed(), None), key="groups"),
    "corto_end": lambda: look(corto_looks.ended(), None),
    "corto_scoring": lambda: replace(look(corto_looks.ended(), None), key="scoring"),
}
"""Named looks, each built when it is asked for."""

DOCUMENTED = (
    "volto_board",
    "volto_private",
    "volo_board",
    "volo_private",
    "volt_board",
    "volt_private",
    "corto_board",
    "corto_private",
)


@cache
def named(name: str) -> Look:
    """Return a look by its name; raises ``KeyError``."""
    return LOOKS[name]()


def main() -> None:
    """Paint the pictures of the documentation."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    for name in DOCUMENTED:
        one = named(name)
        few_colours = one.paint().media_type == "image/png"
        image, path = one.image().convert("RGB"), PICTURES / f"{name}.webp"
        if few_colours:
            with Image.open(io.BytesIO(one.paint().data)) as painted:
                image = painted.convert("RGB")
        image.save(path, "WEBP", lossless=few_colours, quality=90 if few_colours else 75, method=6)


if __name__ == "__main__":
    main()
