"""The plate of the board: what is engraved and never changes, the Arsenale around its basin."""

from __future__ import annotations

from PIL import Image

from engines.doge.view import LOCATIONS
from renderers.core.caches import scene
from renderers.doge.engraving import Plate
from renderers.doge.lagoon import draw_galley, draw_mooring
from renderers.doge.layout import CARD_SQUARES, GALLEY, HEIGHT, WIDTH
from renderers.doge.squares import (
    Words,
    draw_card_square,
    draw_cartouche,
    draw_key,
    draw_location,
    draw_title,
)
from renderers.doge.theme import Tints
from renderers.doge.waterfront import (
    draw_city,
    draw_compass,
    draw_gulls,
    draw_pavement,
    draw_quays,
    draw_rim,
    draw_road,
    draw_water,
)


@scene
def background(tints: Tints, words: Words) -> Image.Image:
    """Return the board without anything that changes."""
    plate = Plate(WIDTH, HEIGHT, tints, tints.paper)
    draw_pavement(plate)
    draw_city(plate)
    draw_water(plate)
    draw_quays(plate)
    draw_road(plate)
    for square in CARD_SQUARES:
        draw_card_square(plate, square)
    for x, y in ((436, 392), (668, 380), (352, 508), (748, 508)):
        with plate.at(x, y, 0.9):
            draw_mooring(plate)
    with plate.at(*GALLEY, 0.92):
        draw_galley(plate)
    draw_title(plate, words)
    draw_gulls(plate)
    for square in LOCATIONS:
        draw_location(plate, words, square)
    draw_cartouche(plate)
    draw_key(plate, words)
    draw_compass(plate)
    draw_rim(plate)
    return plate.impression()
