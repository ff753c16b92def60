"""How pictures are compared: pixel by pixel, within a tolerance for another FreeType's type."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from PIL import Image, ImageChops

from renderers.core.encode import colours_of, palette

FAR = 40
"""A difference of one channel, of 255, that an eye sees; another FreeType's type may come near it."""

SHARE = 0.004
"""The most pixels, of all, that may differ so far."""


def in_few_colours(image: Image.Image, key: str, theme: str) -> Image.Image:
    """Return a picture of a game in 256 colours, those of its theme among them: rare marks keep theirs."""
    colours: Any = import_module(f"renderers.{key}.theme").THEMES.choose(theme)
    return image.quantize(palette=palette([image], colours_of(colours)), dither=Image.Dither.NONE)


def far_share(first: Image.Image, second: Image.Image) -> float:
    """Return the share of pixels of which some channel differs by more than ``FAR``."""
    bands = ImageChops.difference(first, second).split()
    most = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    histogram = most.histogram()
    return sum(histogram[FAR + 1 :]) / sum(histogram)
