"""The catalogue: every telling state of every game, in every theme, as large as a chat shows it.

``python -m tests.renderers.catalogue`` paints it into ``docs/catalogue``; look at it before it is committed.
States come from scripts that the engines play: those of the tests, and a match of computer players of
every game, so that a new game is in it from its first day.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import math
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from PIL import Image

from engines.core import registry
from engines.core.contract import ActionError, Setup
from engines.core.match import Entry, EntryKind, Match
from renderers.core.canvas import Canvas
from renderers.core.contract import Table
from renderers.core.film import frame
from renderers.core.registry import renderer, renderers_by_game
from renderers.core.type import sans
from tests.renderers.comparing import in_few_colours
from tests.renderers.positions import LOOKS, TABLE, Look, look, named

FOLDER = Path(__file__).parents[2] / "docs" / "catalogue"
SIZES = (550, 380)
"""Pixels of width: what a large screen shows, and what a phone does."""

COLUMNS = {550: 3, 380: 4}
LABEL = 34
GAP = 12
GROUND = "#FFFFFF"
INK = "#202020"
_FACE = sans(22)
_SEED = hashlib.sha256(b"the catalogue").digest()
_TURNS = (8, 30)


def _machine_match(key: str) -> Iterator[tuple[str, Match]]:
    """Yield telling moments of a match of computer players, each with its name."""
    manifest = registry.game(key).manifest
    options = tuple((option.key, option.default) for option in manifest.options)
    match = Match.start(registry.game(key), Setup(key, manifest.ruleset, manifest.seats[0], options), _SEED)
    yield "start", match
    for turn in range(1, max(_TURNS) + 1):
        if not match.waiting:
            return
        seat = min(match.waiting)
        match = match.act(seat, match.computer(seat))
        if turn in _TURNS:
            yield f"turn_{turn}", match
    yield "resigned", match.apply(Entry(EntryKind.WITHDRAW, 0))
    try:
        yield "drawn", match.apply(Entry(EntryKind.AGREE))
    except ActionError:
        return


@cache
def states(key: str) -> Mapping[str, Look]:
    """Return the telling states of a game by name; of those that look the same, the first."""
    found = {name.removeprefix(f"{key}_"): named(name) for name in LOOKS if name.startswith(f"{key}_")}
    for name, match in _machine_match(key):
        found[f"{name}, public"] = look(match, None)
        if match.waiting:
            found[f"{name}, asked"] = look(match, min(match.waiting))
    pictures: dict[bytes, tuple[str, Look]] = {}
    for name, one in found.items():
        pictures.setdefault(one.paint().data, (name, one))
    return dict(pictures.values())


def shown(key: str, name: str, theme: str, width: int) -> Image.Image:
    """Return one state as it is shown: painted, encoded, and reduced to ``width``."""
    data = states(key)[name].paint(Table(TABLE.names, theme=theme)).data
    with Image.open(io.BytesIO(data)) as image:
        return frame(image, width)


def place(key: str, name: str, width: int) -> tuple[int, int]:
    """Return where the top left corner of a state lies on its sheet."""
    number, columns = list(states(key)).index(name), COLUMNS[width]
    return number % columns * (width + GAP), number // columns * (_height(key, width) + LABEL + GAP) + LABEL


@cache
def _height(key: str, width: int) -> int:
    return max(shown(key, name, "default", width).height for name in states(key))


def sheet_path(key: str, theme: str, width: int, folder: Path = FOLDER) -> Path:
    """Return the file of a sheet."""
    return folder / f"{key}_{theme}_{width}.png"


def sheet(key: str, theme: str, width: int) -> Image.Image:
    """Return all states of a game in a theme and a size."""
    names, columns = list(states(key)), COLUMNS[width]
    rows = math.ceil(len(names) / columns)
    size = (columns * (width + GAP) - GAP, rows * (_height(key, width) + LABEL + GAP) - GAP)
    canvas = Canvas(Image.new("RGB", size, GROUND))
    for name in names:
        x, y = place(key, name, width)
        canvas.words(name, (x, y - LABEL / 2), _FACE, INK)
        canvas.image.paste(shown(key, name, theme, width), (x, y))
    return in_few_colours(canvas.image, key, theme)


def page() -> str:
    """Return the text of the catalogue's page."""
    lines = [
        "# Catalogue of pictures",
        "",
        f"All telling states of every game, in every theme, as wide as a large screen shows them ({SIZES[0]}",
        f"pixels) and as a phone does ({SIZES[1]}). Painted by `python -m tests.renderers.catalogue`;",
        "`tests/renderers/test_catalogue.py` compares a sample with what is painted now.",
    ]
    for key in renderers_by_game():
        lines += ["", f"## {registry.game(key).manifest.title}"]
        for theme in renderer(key).themes:
            lines += ["", f"### Theme *{theme}*", ""]
            for width in SIZES:
                name = sheet_path(key, theme, width).name
                lines += [f"![All states in the theme {theme}, {width} pixels wide]({name})", ""]
        lines += ["### In words", ""]
        lines += [f"- **{name}**: {one.paint().alt}" for name, one in states(key).items()]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Paint the catalogue."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=FOLDER, help="the folder to paint into")
    folder: Path = parser.parse_args().out
    folder.mkdir(parents=True, exist_ok=True)
    for key, painter in renderers_by_game().items():
        for theme in painter.themes:
            for width in SIZES:
                path = sheet_path(key, theme, width, folder)
                sheet(key, theme, width).save(path, "PNG", optimize=True)
    (folder / "README.md").write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
