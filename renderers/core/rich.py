"""Encoding pictures that are too rich for a palette: WebP whose quality fits a size, found without trying.

How many bytes a picture takes at a middle quality is told well by how much neighbouring pixels differ.
"""

from __future__ import annotations

import io
import math

from PIL import Image, ImageChops, ImageStat

MEDIA_TYPE = "image/webp"
LIMIT = 120 * 1024
"""Bytes that no picture exceeds."""

_AIM = 112 * 1024
_MIDDLE = 30
_BYTES_AT_MIDDLE = 0.0073
"""Bytes a pixel at the middle quality where neighbours differ by 1 of 255 on the average."""
_CALMING = 0.75
"""The power of that difference that the bytes grow with."""
_GROWTH = 0.0155
"""The logarithm of a picture's growth with one step of quality."""
_LOWEST, _HIGHEST = 8, 60
_STEP = 6


def activity(image: Image.Image) -> float:
    """Return the mean difference of neighbouring pixels in half the size, across and down, of 255.

    ``image`` is at least 4 × 4 pixels.
    """
    grey = image.convert("L").reduce(2)
    width, height = grey.size
    total = 0.0
    for dx, dy in ((1, 0), (0, 1)):
        first = grey.crop((0, 0, width - dx, height - dy))
        total += ImageStat.Stat(ImageChops.difference(first, grey.crop((dx, dy, width, height)))).mean[0]
    return total


def encode_rich(image: Image.Image) -> bytes:
    """Return ``image`` as a WebP of at most ``LIMIT`` bytes; equal pixels give equal bytes.

    A picture that is smaller or calmer than most may have the highest quality there is; noise that
    no quality makes small enough is encoded in the lowest, whatever it takes.
    """
    expected = max(1.0, activity(image) ** _CALMING * image.width * image.height * _BYTES_AT_MIDDLE)
    quality = round(_MIDDLE + math.log(_AIM / expected) / _GROWTH)
    quality = min(_HIGHEST, max(_LOWEST, quality))
    data = _webp(image, quality)
    while len(data) > LIMIT and quality > _LOWEST:
        quality = max(_LOWEST, quality - _STEP)
        data = _webp(image, quality)
    return data


def _webp(image: Image.Image, quality: int) -> bytes:
    out = io.BytesIO()
    image.save(out, "WEBP", quality=quality, method=0)
    return out.getvalue()
