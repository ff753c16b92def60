"""How pictures are compared: pixel by pixel, within a tolerance for another FreeType's type."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any

from PIL import Image, ImageChops

from renderers.core.encode import COLOURS, RGB, colours_of, palette_of
from renderers.core.theme import Colour, rgb

FAR = 40
"""A difference of one channel, of 255, that an eye sees; another FreeType's type may come near it."""

SHARE = 0.004
"""The most pixels, of all, that may differ so far."""


def palette(samples: Sequence[Image.Image], exact: Iterable[Colour]) -> Image.Image:
    """Return a palette: the colours of ``exact`` as they are, the others learned from ``samples``."""
    # A set has no order, and equal themes must give equal bytes.
    fixed = sorted({rgb(colour) for colour in exact})
    return palette_of([*fixed, *learnt_colours(samples, fixed[0], COLOURS - len(fixed))])


def learnt_colours(samples: Sequence[Image.Image], ground: RGB, count: int, kmeans: int = 0) -> list[RGB]:
    """Return the ``count`` colours that represent the samples best, on a sheet of ``ground``."""
    sheet = Image.new("RGB", (max(s.width for s in samples), sum(s.height for s in samples)), ground)
    top = 0
    for sample in samples:
        sheet.paste(sample, (0, top))
        top += sample.height
    flat = sheet.quantize(count, Image.Quantize.MEDIANCUT, kmeans=kmeans).getpalette() or []
    return [(flat[at], flat[at + 1], flat[at + 2]) for at in range(0, 3 * count, 3)]


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
