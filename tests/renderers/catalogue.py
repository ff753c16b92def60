"""The catalogue: every telling state of every game, in every theme, as wide as a phone shows it.

``python -m tests.renderers.catalogue`` paints it into ``docs/catalogue``, and the README's pictures into
``docs/pictures``; look at them before it is committed.
``--width 550`` paints it as wide as a large screen shows it, into a folder of your choice. States come from
scripts that the engines play: those of the tests, and matches of computer players at every table size, so
that a new game is in it from its first day.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import math
import re
from collections.abc import Iterator, Mapping
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
from tests.renderers.comparing import in_few_colours
from tests.renderers.looks import LOOKS, SAMPLE, TABLE, Look, look, named

DOCS = Path(__file__).parents[2] / "docs"
FOLDER = DOCS / "catalogue"
COMMAND = ".venv/bin/python -m tests.renderers.catalogue"
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
    # The tests' own states are told without the matches of computer players.
    own = f"{key}_{name}"
    one = named(own) if own in LOOKS else all_states(key)[name]
    data = one.paint(Table(TABLE.names, theme=theme)).data
    with Image.open(io.BytesIO(data)) as image:
        return frame(image, width)


def place(number: int, width: int, height: int) -> tuple[int, int]:
    """Return where the top left corner of a state lies on its sheet."""
    row, column = divmod(number, COLUMNS)
    return column * (width + GAP), row * (height + LABEL + GAP) + LABEL


def height_on(sheet: Image.Image, number: int) -> int:
    """Return the height that a sheet of so many states has for each."""
    return (sheet.height + GAP) // math.ceil(number / COLUMNS) - LABEL - GAP


@cache
def _height(key: str, width: int) -> int:
    return max(shown(key, name, "default", width).height for name in states(key))


def sheet_path(key: str, theme: str, folder: Path = FOLDER) -> Path:
    """Return the file of a sheet."""
    return folder / f"{key}_{theme}.webp"


def sheet(key: str, theme: str, width: int = PHONE) -> Image.Image:
    """Return all states of a game in a theme and a size."""
    names = list(states(key))
    rows = math.ceil(len(names) / COLUMNS)
    height = _height(key, width)
    size = (COLUMNS * (width + GAP) - GAP, rows * (height + LABEL + GAP) - GAP)
    canvas = Canvas(Image.new("RGB", size, GROUND))
    for number, name in enumerate(names):
        x, y = place(number, width, height)
        canvas.words(name, (x, y - LABEL / 2), _FACE, INK)
        canvas.image.paste(shown(key, name, theme, width), (x, y))
    return in_few_colours(canvas.image, key, theme)


def names_on_page(key: str) -> list[str]:
    """Return the states of a game that the page lists, in the order of its sheets."""
    parts = (FOLDER / "README.md").read_text("utf-8").split("\n## ")
    part = next(one for one in parts if one.startswith(f"{registry.game(key).manifest.title}\n"))
    return re.findall(r"^- \*\*(.*?)\*\*: ", part, re.MULTILINE)


def page() -> str:
    """Return the text of the catalogue's page."""
    lines = [
        "# Catalogue of pictures",
        "",
        f"All telling states of every game, in every theme, as wide as a phone shows them ({PHONE} pixels).",
        "Painted by `python -m tests.renderers.catalogue`; `--width 550 --out folder` paints them as a large",
        "screen shows them. `tests/renderers/test_catalogue.py` compares a sample with what is painted now.",
    ]
    for key in renderers_by_game():
        lines += ["", f"## {registry.game(key).manifest.title}"]
        for theme in renderer(key).themes:
            lines += ["", f"### Theme *{theme}*", ""]
            lines += [f"![All states in the theme {theme}]({sheet_path(key, theme).name})"]
        lines += ["", "### In words", ""]
        lines += [f"- **{name}**: {one.told()}" for name, one in states(key).items()]
    return "\n".join(lines) + "\n"


def paint_documented(key: str) -> None:
    """Paint the pictures of the README, as large as the bot sends them."""
    for name in SAMPLE:
        one = named(name)
        if one.game == key:
            few_colours = one.paint().media_type == "image/png"
            image = Image.open(io.BytesIO(one.paint().data)) if few_colours else one.image()
            path = DOCS / "pictures" / f"{name}.webp"
            quality = 90 if few_colours else 75
            image.convert("RGB").save(path, "WEBP", lossless=few_colours, quality=quality, method=6)


def main() -> None:
    """Paint the catalogue and the pictures of the README."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=FOLDER, help="the folder to paint into")
    parser.add_argument("--width", type=int, default=PHONE, help="pixels of width of each picture")
    parser.add_argument("--game", choices=tuple(renderers_by_game()), help="paint one game's sheets only")
    arguments = parser.parse_args()
    folder: Path = arguments.out
    if folder == FOLDER and arguments.width != PHONE:
        parser.error("another width needs another folder: --out")
    folder.mkdir(parents=True, exist_ok=True)
    for key, painter in renderers_by_game().items():
        if folder == FOLDER and arguments.game in {None, key}:
            paint_documented(key)
        for theme in painter.themes if arguments.game in {None, key} else ():
            # Lossless: a sheet in few colours is smaller than a lossy one, and its pixels can be compared.
            sheet(key, theme, arguments.width).convert("RGB").save(
                sheet_path(key, theme, folder), "WEBP", lossless=True, quality=90, method=6
            )
    (folder / "README.md").write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
