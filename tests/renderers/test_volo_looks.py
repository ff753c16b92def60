"""Volo's telling states: small enough in both themes, true to their colours, told apart."""

from __future__ import annotations

import importlib
import io
from dataclasses import replace

import pytest
from PIL import Image, ImageChops, ImageStat

from engines.volo.view import VoloView
from renderers.core.contract import ALT_LIMIT, Table
from renderers.core.painter import Order
from renderers.volo import RENDERER, marks
from renderers.volo.background import lagoon
from renderers.volo.clouds import own
from renderers.volo.highlights import highlights
from renderers.volo.layout import STEPS, Layout, layout
from renderers.volo.regions import style_of
from renderers.volo.theme import THEMES, shipped
from tests.kit.painted_once import painted_anew
from tests.kit.samples import some
from tests.renderers.looks import TABLE
from tests.renderers.looks.volo import MORE, painted, state, volo
from tests.renderers.palettes import VOLO_COLOURS

board = importlib.import_module("renderers.volo.board")
BYTES = 120 * 1024
FAR = 3.5
"""The most that a palette may move the colours of a picture, of 255, on the average of a channel."""
MANY = 36


@pytest.mark.parametrize("theme", THEMES.names)
@pytest.mark.parametrize("name", some(list(MORE)))
def test_states_are_small_and_true_to_their_colours(name: str, theme: str) -> None:
    picture = state(name).paint(Table(TABLE.names, theme=theme))
    assert len(picture.data) <= BYTES
    assert 0 < len(picture.alt) <= ALT_LIMIT
    with Image.open(io.BytesIO(picture.data)) as image:
        shown = image.convert("RGB")
    difference = ImageStat.Stat(ImageChops.difference(shown, painted(name, theme)))
    assert max(difference.mean) < FAR


def test_every_theme_ships_its_palette() -> None:
    for name in THEMES.names:
        palette = shipped(THEMES.choose(name)).getpalette()
        assert palette is not None
        assert 64 < len(palette) // 3 <= VOLO_COLOURS


def test_regions_differ_in_pattern_and_many_in_colour_or_pattern() -> None:
    for name in THEMES.names:
        theme = THEMES.choose(name)
        assert len({style_of(theme, index) for index in range(MANY)}) == MANY
        shown = len(theme.regions)
        assert len({style_of(theme, index)[1] for index in range(shown)}) == shown


def _changed(name: str, places: Layout, first: Image.Image, second: Image.Image) -> bool:
    """Return whether two pictures differ where a point shows its number."""
    x, y = (round(part) for part in places.at(name))
    box = (x - 20, y - 14, x + 20, y + 34)
    return ImageChops.difference(first.crop(box), second.crop(box)).getbbox() is not None


@pytest.mark.parametrize("key", some(["small", "standard"]))
@pytest.mark.parametrize("theme", some(THEMES.names))
def test_every_point_shows_its_number_vacant_or_not(
    key: str, theme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = layout(key)
    empty = RENDERER.image(_order(key, theme, 0))
    taken = RENDERER.image(_order(key, theme, 1))
    blank = Image.new("RGBA", (2, 2))
    for module in (board, marks):
        monkeypatch.setattr(module, "number", lambda *_: blank)
    with painted_anew():
        unnumbered = [RENDERER.image(_order(key, theme, full)) for full in (0, 1)]
    for name in places.points:
        assert _changed(name, places, empty, unnumbered[0])
        assert _changed(name, places, taken, unnumbered[1])


def _order(key: str, theme: str, full: int) -> Order[VoloView]:
    view: VoloView = volo(key).view(None)
    names = layout(key).points
    held = (names[0::2], names[1::2]) if full else view.birds
    shown = replace(view, birds=(held[0], held[1]), last=None)
    return Order(shown, "board", Table(TABLE.names, theme=theme), (), None)


def test_cells_share_no_pixel_and_leave_none() -> None:
    """Two neighbours' squares, laid where they belong, divide the plane between them."""
    for key in ("standard", "small"):
        places = layout(key)
        size = 2 * round(54 * places.zoom)
        full = Image.new("RGBA", (size, size), "#000000ff")
        for way in STEPS:
            back = next(
                name for name in STEPS if places.step(name) == tuple(-part for part in places.step(way))
            )
            dx, dy = places.step(way)
            mine = own(full.copy(), places, (way,)).getchannel("A")
            theirs = own(full.copy(), places, (back,)).getchannel("A")
            box = (max(0, dx), max(0, dy), size + min(0, dx), size + min(0, dy))
            seen = theirs.crop((box[0] - dx, box[1] - dy, box[2] - dx, box[3] - dy))
            assert ImageChops.add(mine.crop(box), seen).getextrema() == (255, 255)
            assert ImageChops.darker(mine.crop(box), seen).getextrema() == (0, 0)


def test_a_row_beside_its_line_is_tied_at_every_landing() -> None:
    tied = state("row_tied")
    marks = highlights(tied.view, tied.draft, tied.menu)
    words = [word for _, word in marks.landings]
    assert sorted(words) == sorted(choice.word for choice in tied.menu.choices())
    assert len(marks.others) == len(marks.landings)
    for first, other, word in marks.others:
        landing = layout("standard").geometry.flight(tied.draft[0], word)[-1]
        assert {first, other} == set(landing)


def test_a_row_along_its_line_has_one_mark_a_flight() -> None:
    line = state("row_in_line")
    marks = highlights(line.view, line.draft, line.menu)
    assert {word for _, _, word in marks.others} == {"SE2"}


def test_light_goes_out_where_nothing_may_be_added() -> None:
    theme = THEMES.choose("default")
    lit, dark = lagoon(theme, "standard"), lagoon(theme, "standard", asking=True)
    assert ImageChops.difference(lit, dark).getbbox() is not None
