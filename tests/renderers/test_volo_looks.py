"""Volo's telling states: small enough in both themes, true to their colours, told apart."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageChops, ImageStat

from renderers.core.contract import ALT_LIMIT, Table
from renderers.volo.layout import Layout, layout, rank
from renderers.volo.marking import marking
from renderers.volo.palette import COLOURS, shipped
from renderers.volo.regions import look_of
from renderers.volo.scene import lagoon, named
from renderers.volo.theme import THEMES
from tests.renderers.positions import TABLE
from tests.renderers.volo_looks import LOOKS, painted, state

BYTES = 120 * 1024
FAR = 3.5
"""The most that a palette may move the colours of a picture, of 255, on the average of a channel."""
MANY = 36


@pytest.mark.parametrize("theme", THEMES.names)
@pytest.mark.parametrize("name", LOOKS)
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
        assert 64 < len(palette) // 3 <= COLOURS


def test_regions_differ_in_colour_or_pattern() -> None:
    for name in THEMES.names:
        theme = THEMES.choose(name)
        assert len({look_of(theme, index) for index in range(MANY)}) == MANY
    clear = THEMES.choose("clear")
    assert len({look_of(clear, index)[1] for index in range(len(clear.regions))}) == len(clear.regions)


def test_nobody_counts_further_than_two_along_a_row() -> None:
    for key in ("standard", "small"):
        board = layout(key)
        for row in board.rows[1:-1]:
            places = [rank(name)[1] for name in board.places(row)]
            known = [
                places[0],
                places[-1],
                *(rank(name)[1] for name in _row(board, row) if named(board, name)),
            ]
            assert len(known) > 2
            for name in _row(board, row):
                assert min(abs(rank(name)[1] - number) for number in known) <= 2


def _row(board: Layout, row: str) -> list[str]:
    return [name for name in board.points if name[0] == row]


def test_a_row_beside_its_line_is_tied_at_every_landing() -> None:
    tied = state("row_tied")
    marks = marking(tied.view, tied.draft, tied.menu)
    words = [word for _, word in marks.landings]
    assert sorted(words) == sorted(choice.word for choice in tied.menu.choices())
    assert len(marks.others) == len(marks.landings)
    for first, other, word in marks.others:
        landing = layout("standard").geometry.flight(tied.draft[0], word)[-1]
        assert {first, other} == set(landing)


def test_a_row_along_its_line_has_one_mark_a_flight() -> None:
    line = state("row_in_line")
    marks = marking(line.view, line.draft, line.menu)
    assert {word for _, _, word in marks.others} == {"SE2"}


def test_light_goes_out_where_nothing_may_be_added() -> None:
    theme = THEMES.choose("default")
    lit, dark = lagoon(theme, "standard"), lagoon(theme, "standard", asking=True)
    assert ImageChops.difference(lit, dark).getbbox() is not None
