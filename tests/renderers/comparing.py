"""How pictures are compared: pixel by pixel, within a tolerance for another FreeType's type."""

from __future__ import annotations

from PIL import Image, ImageChops

FAR = 40
"""A difference of one channel, of 255, that an eye sees; another FreeType's type may come near it."""

SHARE = 0.004
"""The most pixels, of all, that may differ so far."""


def far_share(first: Image.Image, second: Image.Image) -> float:
    """Return the share of pixels of which some channel differs by more than ``FAR``."""
    bands = ImageChops.difference(first, second).split()
    most = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    histogram = most.histogram()
    return sum(histogram[FAR + 1 :]) / sum(histogram)
