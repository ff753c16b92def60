"""Encoding pictures with too many colours for a palette: JPEG, in the finest steps that fit a size.

A step is what a frequency of an 8 × 8 block is rounded to. Steps grow with the frequency as fast as a bell
curve falls: edges lose detail first, and smooth light shows no block borders.
"""

from __future__ import annotations

import io
import math
from dataclasses import dataclass

from PIL import Image

MEDIA_TYPE = "image/jpeg"
LIMIT = 120 * 1024
"""Bytes that a picture may have, except as :func:`encode_jpeg` says."""


@dataclass(frozen=True, slots=True)
class Scale:
    """The steps of one channel at factor 1: ``step`` for middling frequencies, ``broad`` for the lowest."""

    step: float
    broad: float

    def table(self, factor: float) -> list[int]:
        """Return the steps of a block's 64 frequencies, row by row, each 1 to 255."""
        squares = [down * down + across * across for down in range(8) for across in range(8)]
        steps = [
            (self.broad if square <= _BROAD else self.step) * math.exp(_GROWTH * square) for square in squares
        ]
        return [max(1, min(255, round(factor * step))) for step in steps]


_BROAD = 2
"""Frequencies whose square is at most this count as the lowest."""
_GROWTH = 0.034
_BRIGHTNESS, _COLOUR = Scale(18, 15), Scale(21, 9)
"""Colour is kept in half the size: what is left of its edges needs no finer steps than brightness does."""
_COARSEST = 16.0
_FALL = 0.52
"""Bytes fall with about this power of the factor."""
# A little coarser than the power says, so that one more attempt is usually enough.
_CARE = 1.02


def encode_jpeg(image: Image.Image) -> bytes:
    """Return ``image`` as a JPEG of at most ``LIMIT`` bytes; equal pixels give equal bytes.

    A picture without much detail is encoded once. Noise that no steps make small enough is encoded in
    the coarsest steps, and may exceed ``LIMIT``.
    """
    factor = 1.0
    # The same pixels in a twentieth more bytes and a third less time: most pictures are small enough.
    data = _jpeg(image, factor, optimized=False)
    if len(data) > LIMIT:
        data = _jpeg(image, factor)
    while len(data) > LIMIT and factor < _COARSEST:
        factor = min(_COARSEST, _CARE * factor * (len(data) / LIMIT) ** (1 / _FALL))
        data = _jpeg(image, factor)
    return data


def _jpeg(image: Image.Image, factor: float, *, optimized: bool = True) -> bytes:
    out = io.BytesIO()
    tables = [scale.table(factor) for scale in (_BRIGHTNESS, _COLOUR)]
    image.save(out, "JPEG", qtables=tables, subsampling="4:2:0", optimize=optimized)
    return out.getvalue()
