"""The catalogue: every telling state of every game, in every theme, as wide as a phone shows it.

``python -m tests.renderers.catalogue`` paints it into ``var/catalogue``, a sheet for each game and theme and
a page that shows them; none of it is committed. ``--width 550`` paints it as wide as a large screen shows it.
States come from scripts that the engines play: those of the tests, and matches of computer players at every
table size, so that a new game is in it from its first day. ``--readme`` paints the README's pictures into
``docs/pictures`` instead: look at them before you commit them.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from PIL import Image

from engines.core import registry
from engines.core.contract import ActionError, Seat, Setup
from engines.core.match import Entry, EntryKind, Match
from renderers.core.canvas import Canvas
from renderers.core.contract import Table
from renderers.core.film import frame
from renderers.core.registry import renderer, renderers_by_game
from renderers.core.type import sans
from tests.renderers.looks import LOOKS, SAMPLE, TABLE, Look, look, named

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "var" / "catalogue"
README_PICTURES = ROOT / "docs" / "pictures"
PHONE = 380
"""Pixels of width that a phone shows: what can be read there can be read on a large screen."""

COLUMNS = 4
LABEL = 34
GAP = 12
GROUND = "#FFFFFF"
INK = "#202020"
_FACE = sans(22)
_SEED = hashlib.sha256(b"the catalogue").digest()
_EARLY, _LATE = 8, 30
"""The turns that are shown, besides the first and the last, of a match at the smallest table."""

_LONGEST = 400
"""Turns after which a match of computer players is left unfinished."""


def _computer_match(key: str, seats: int) -> list[Match]:
    """Return a match of computer players, turn by turn, to its end."""
    manifest = registry.game(key).manifest
    options = tuple((option.key, option.default) for option in manifest.options)
    turns = [Match.start(registry.game(key), Setup(key, manifest.ruleset, seats, options), _SEED)]
    while turns[-1].waiting and len(turns) <= _LONGEST:
        seat = min(turns[-1].waiting)
        turns.append(turns[-1].act(seat, turns[-1].computer(seat)))
    return turns


def _moments(key: str) -> Iterator[tuple[str, Match, Seat | None]]:
    """Yield telling moments of matches at every table size: a name, the match, and who looks."""
    smallest, *larger = registry.game(key).manifest.seats
    turns = _computer_match(key, smallest)
    for name, turn in (("start", 0), (f"turn {_EARLY}", _EARLY), (f"turn {_LATE}", _LATE)):
        if turn < len(turns) - 1:
            yield f"{name}, public", turns[turn], None
            yield f"{name}, asked", turns[turn], min(turns[turn].waiting)
    middle = turns[min(_LATE, len(turns) - 2)]
    yield "resigned, public", middle.apply(Entry(EntryKind.WITHDRAW, 0)), None
    with suppress(ActionError):  # some games know no draw
        yield "drawn, public", middle.apply(Entry(EntryKind.AGREE)), None
    yield "end, public", turns[-1], None
    for seats in larger:
        turns = _computer_match(key, seats)
        early = turns[min(_EARLY, len(turns) - 2)]
        yield f"{seats} players, turn {_EARLY}, asked", early, min(early.waiting)
        yield f"{seats} players, end, public", turns[-1], None


@cache
def all_states(key: str) -> Mapping[str, Look]:
    """Return the telling states of a game by name, some of which may look the same."""
    found = {name.removeprefix(f"{key}_"): named(name) for name in LOOKS if name.startswith(f"{key}_")}
    return found | {name: look(match, viewer) for name, match, viewer in _moments(key)}


@cache
def states(key: str) -> Mapping[str, Look]:
    """Return the telling states by name; of those that look the same, the first. Paints them all."""
    pictures: dict[bytes, tuple[str, Look]] = {}
    for name, one in all_states(key).items():
        pictures.setdefault(one.paint().data, (name, one))
    return dict(pictures.values())


def shown(key: str, name: str, theme: str, width: int = PHONE) -> Image.Image:
    """Return one state as it is shown: painted, encoded, and reduced to ``width``."""
    data = all_states(key)[name].paint(Table(TABLE.names, theme=theme)).data
    with Image.open(io.BytesIO(data)) as image:
        return frame(image, width)


def place(number: int, width: int, height: int) -> tuple[int, int]:
    """Return where the top left corner of a state lies on its sheet."""
    row, column = divmod(number, COLUMNS)
    return column * (width + GAP), row * (height + LABEL + GAP) + LABEL


def sheet_name(key: str, theme: str) -> str:
    """Return the file name of a sheet."""
    return f"{key}_{theme}.webp"


def sheet(key: str, theme: str, width: int = PHONE) -> Image.Image:
    """Return all states of a game in a theme and a size."""
    pictures = {name: shown(key, name, theme, width) for name in states(key)}
    height = max(picture.height for picture in pictures.values())
    rows = math.ceil(len(pictures) / COLUMNS)
    size = (COLUMNS * (width + GAP) - GAP, rows * (height + LABEL + GAP) - GAP)
    canvas = Canvas(Image.new("RGB", size, GROUND))
    for number, (name, picture) in enumerate(pictures.items()):
        x, y = place(number, width, height)
        canvas.words(name, (x, y - LABEL / 2), _FACE, INK)
        canvas.image.paste(picture, (x, y))
    return canvas.image


def page(keys: Sequence[str], width: int) -> str:
    """Return the text of the page that shows the sheets of some games."""
    lines = [
        "# Catalogue of pictures",
        "",
        f"All telling states of every game, in every theme, as wide as a screen shows them ({width} pixels).",
    ]
    for key in keys:
        lines += ["", f"## {registry.game(key).manifest.title}"]
        for theme in renderer(key).themes:
            lines += ["", f"### Theme *{theme}*", ""]
            lines += [f"![All states in the theme {theme}]({sheet_name(key, theme)})"]
        lines += ["", "### In words", ""]
        lines += [f"- **{name}**: {one.told()}" for name, one in states(key).items()]
    return "\n".join(lines) + "\n"


def paint_readme(folder: Path = README_PICTURES) -> None:
    """Paint the pictures of the README, as large as the bot sends them."""
    for name in SAMPLE:
        one = named(name)
        few_colours = one.paint().media_type == "image/png"
        image = Image.open(io.BytesIO(one.paint().data)) if few_colours else one.image()
        path = folder / f"{name}.webp"
        quality = 90 if few_colours else 75
        image.convert("RGB").save(path, "WEBP", lossless=few_colours, quality=quality, method=6)


def paint(folder: Path, keys: Sequence[str], width: int) -> None:
    """Paint the sheets of some games into a folder, and write the page."""
    folder.mkdir(parents=True, exist_ok=True)
    for key in keys:
        for theme in renderer(key).themes:
            sheet(key, theme, width).save(folder / sheet_name(key, theme), "WEBP", lossless=True)
    (folder / "README.md").write_text(page(keys, width), "utf-8")


def main(arguments: Sequence[str] | None = None) -> None:
    """Paint the catalogue, or the pictures of the README."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.renderers.catalogue", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--out", type=Path, default=FOLDER, help="the folder to paint into")
    parser.add_argument("--width", type=int, default=PHONE, help="pixels of width of each picture")
    parser.add_argument("--game", choices=tuple(renderers_by_game()), help="paint one game's sheets only")
    parser.add_argument("--readme", action="store_true", help="paint the README's pictures instead")
    options = parser.parse_args(arguments)
    if options.readme:
        paint_readme()
    else:
        paint(options.out, [options.game] if options.game else [*renderers_by_game()], options.width)


if __name__ == "__main__":
    main()
