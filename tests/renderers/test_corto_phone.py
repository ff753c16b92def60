"""CORTO on a phone, 330 pixels wide: what is large enough there, and what hides nothing."""

from __future__ import annotations

from itertools import product

import pytest
from PIL import Image, ImageChops, ImageStat

from engines.corto.view import COLOURS, Border, Card, Kind
from renderers.core.canvas import Canvas
from renderers.corto import cards, markers, pieces
from renderers.corto.frames import CORNER, LETTER
from renderers.corto.layout import PANEL, Rows, board_rows, small_rows
from renderers.corto.strip_model import Chip
from renderers.corto.theme import SHAPES, THEMES, Theme

THEME = THEMES.choose("default")
CLEAR = THEMES.choose("clear")
PHONE = 330 / 1100
CAPITAL = 6
"""Pixels of height of a digit in type of 9 pixels."""
BUBBLE = (0, 0, 46, 40)
"""Where a friend's bubble is, from the card's upper left corner."""
ROWS = [*(board_rows(strips) for strips in (3, 4)), *(small_rows(strips) for strips in (3, 4))]


def _chips(numbers: tuple[int, ...]) -> tuple[Chip, ...]:
    """Return chips of the seats with these numbers, as a strip's model has them."""
    seats = sorted((seat for seat, number in enumerate(numbers) if number), key=lambda seat: -numbers[seat])
    best = [numbers[seat] for seat in seats[:2]]
    control = len(best) == 1 or len(set(best)) == 2
    return tuple(
        Chip(COLOURS[seat], numbers[seat], control and place == 0) for place, seat in enumerate(seats)
    )


CROWDS = [_chips(numbers) for numbers in product(range(3), repeat=4) if any(numbers)]


def _painted(chips: tuple[Chip, ...], rows: Rows) -> list[tuple[int, int, int, int]]:
    """Return the boxes of the markers, from the panel's upper left corner."""
    room = 100
    found = []
    for only in range(len(chips)):
        sheet = Image.new("RGB", (PANEL + 2 * room, rows.panel + 2 * room), THEME.paper)
        canvas = Canvas(sheet.copy())
        shown = tuple(
            chip if place == only else Chip(chip.colour, 0, chip.control) for place, chip in enumerate(chips)
        )
        markers.put_markers(canvas, THEME, shown, (room, room), rows)
        box = ImageChops.difference(canvas.image, sheet).getbbox()
        assert box is not None
        left, top, right, low = box
        found.append((left - room, top - room, right - room, low - room))
    return found


@pytest.mark.parametrize("rows", ROWS, ids=["board3", "board4", "small3", "small4"])
def test_markers_stay_on_their_panel(rows: Rows) -> None:
    for chips in CROWDS:
        for left, _, right, low in _painted(chips, rows):
            assert left >= -6, chips
            assert right <= PANEL + 6, chips
            assert low <= rows.panel + 2, chips


@pytest.mark.parametrize("rows", ROWS, ids=["board3", "board4", "small3", "small4"])
def test_up_to_three_markers_leave_bubble_and_letter_in_sight(rows: Rows) -> None:
    letter = (PANEL - CORNER // 2 - 8, 10, PANEL - 8, CORNER - 14)
    for chips in CROWDS:
        if len(chips) > 3:
            continue
        for box in _painted(chips, rows):
            assert _shared(box, BUBBLE) < 0.4, chips
            assert _shared(box, letter) < 0.4, chips


def _shared(over: tuple[int, int, int, int], under: tuple[int, int, int, int]) -> float:
    """Return what share of a box another covers."""
    wide = min(over[2], under[2]) - max(over[0], under[0])
    high = min(over[3], under[3]) - max(over[1], under[1])
    return max(0, wide) * max(0, high) / ((under[2] - under[0]) * (under[3] - under[1]))


@pytest.mark.parametrize("rows", ROWS, ids=["board3", "board4", "small3", "small4"])
@pytest.mark.parametrize("control", [False, True])
def test_numbers_of_markers_are_large_enough(rows: Rows, control: bool) -> None:
    for seat in range(len(SHAPES)):
        canvas = [_alone(Chip(COLOURS[seat], number, control), rows) for number in (1, 2)]
        changed = ImageChops.difference(*canvas).getbbox()
        assert changed is not None
        assert (changed[3] - changed[1]) * PHONE >= CAPITAL


def _alone(chip: Chip, rows: Rows) -> Image.Image:
    canvas = Canvas(Image.new("RGB", (PANEL, rows.panel), THEME.paper))
    markers.put_markers(canvas, THEME, (chip,), (0, 0), rows)
    return canvas.image


def test_letters_in_corners_are_large_enough() -> None:
    assert LETTER * PHONE >= 9


def _card(border: Border) -> Card:
    return Card("A01", "A", Kind.CHARACTER, "a01", border, colours=("A",))


@pytest.mark.parametrize("theme", [THEME, CLEAR], ids=["default", "clear"])
@pytest.mark.parametrize("plated", [False, True])
def test_who_hits_stands_in_the_shade_whatever_the_border(theme: Theme, plated: bool) -> None:
    high = 140
    found = {}
    for border in Border:
        text = cards.Print("Pilot") if plated else None
        sprite = cards.face(_card(border), PANEL, high, theme, text).convert("L")
        margin = (sprite.width - PANEL) // 2
        # Beside the head, inside the frame.
        halves = [(margin + 20, margin + 60), (margin + PANEL - 60, margin + PANEL - 20)]
        found[border] = [
            ImageStat.Stat(sprite.crop((left, margin + 22, right, margin + 60))).mean[0]
            for left, right in halves
        ]
    white, black, both = found[Border.WHITE], found[Border.BLACK], found[Border.BOTH]
    assert all(light > dark + 40 for light, dark in zip(white, black, strict=True))
    assert abs(both[0] - white[0]) < abs(both[0] - black[0])
    assert abs(both[1] - black[1]) < abs(both[1] - white[1])


def test_a_train_is_hardly_wider_than_its_square() -> None:
    train = pieces.piece("train", 42, THEME, heading="left", number=9)
    box = train.getchannel("A").getbbox()
    assert box is not None
    assert box[2] - box[0] <= PANEL + 20
    assert abs((box[0] + box[2]) / 2 - train.width / 2) <= 14
