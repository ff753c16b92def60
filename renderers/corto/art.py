"""The drawing kit of CORTO's pictures: every sprite that a page is put together from.

All sizes are pixels of the picture. Everything is kept by the caches; draw on copies only.
"""

from __future__ import annotations

from renderers.corto.cards import Sprite, character, hand_card
from renderers.corto.landscapes import panorama, window
from renderers.corto.markers import (
    SPREAD,
    change,
    gunsight,
    just_played,
    legal_frame,
    legal_square,
    marker,
    seal,
    target_frame,
)
from renderers.corto.pieces import SIZES, card_back, deck, figurine, piece, tag
from renderers.corto.sounds import SOUNDS, lettering

__all__ = [
    "SIZES",
    "SOUNDS",
    "SPREAD",
    "Sprite",
    "card_back",
    "change",
    "character",
    "deck",
    "figurine",
    "gunsight",
    "hand_card",
    "just_played",
    "legal_frame",
    "legal_square",
    "lettering",
    "marker",
    "panorama",
    "piece",
    "seal",
    "tag",
    "target_frame",
    "window",
]
