"""Pictures without a palette: their size is kept without trying, and what is calm stays fine."""

from __future__ import annotations

import hashlib
import io

import pytest
from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageStat

from renderers.core import jpeg
from renderers.core.sprite_builder import SpriteBuilder, resized

SIZE = (1100, 1276)


def _noise(seed: str, cell: int) -> Image.Image:
    """Return soft noise, the same for the same seed; ``cell``: pixels of one grain."""
    width, height = SIZE[0] // cell + 2, SIZE[1] // cell + 2
    values = hashlib.shake_256(seed.encode()).digest(width * height)
    return Image.frombytes("L", (width, height), values).resize(SIZE, Image.Resampling.BICUBIC)


def _scene(cell: int, blur: float) -> Image.Image:
    bands = [_noise(f"band {band}", cell) for band in "rgb"]
    return Image.merge("RGB", bands).filter(ImageFilter.GaussianBlur(blur))


def _shown(data: bytes) -> Image.Image:
    with Image.open(io.BytesIO(data)) as image:
        return image.convert("RGB")


@pytest.mark.parametrize(("cell", "blur"), [(160, 0), (40, 0), (12, 1), (6, 2)])
def test_a_picture_keeps_its_limit(cell: int, blur: float) -> None:
    image = _scene(cell, blur)
    data = jpeg.encode_jpeg(image)
    assert len(data) <= jpeg.LIMIT
    assert data == jpeg.encode_jpeg(image.copy())
    assert _shown(data).size == SIZE


def test_steps_grow_until_the_limit_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    image = _scene(40, 0)
    usual = jpeg.encode_jpeg(image)
    monkeypatch.setattr(jpeg, "LIMIT", len(usual) - 1000)
    smaller = jpeg.encode_jpeg(image)
    assert len(smaller) <= len(usual) - 1000


def test_a_calm_picture_stays_fine_and_takes_little() -> None:
    calm, lively = _scene(160, 0), _scene(12, 0)
    data = jpeg.encode_jpeg(calm)
    assert len(data) < len(jpeg.encode_jpeg(lively)) / 2
    assert max(ImageStat.Stat(ImageChops.difference(_shown(data), calm)).mean) < 2


def test_steps_grow_with_the_frequency_and_with_the_factor() -> None:
    for scale in (jpeg.Scale(18, 15), jpeg.Scale(21, 9)):
        one, two = scale.table(1), scale.table(2)
        assert len(one) == 64
        assert one[:8] == sorted(one[:8])
        assert one[::8] == sorted(one[::8])
        assert all(1 <= fine <= coarse <= 255 for fine, coarse in zip(one, two, strict=True))
    assert set(jpeg.Scale(1, 1).table(0.001)) == {1}


def test_red_and_blue_edges_stay_clean() -> None:
    image = Image.new("RGB", (160, 160), "#8E2227")
    ImageDraw.Draw(image).rectangle((45, 45, 114, 114), fill="#1C5570")
    shown = _shown(jpeg.encode_jpeg(image))
    for place, colour in (((40, 80), (0x8E, 0x22, 0x27)), ((50, 80), (0x1C, 0x55, 0x70))):
        pixel = shown.getpixel(place)
        assert isinstance(pixel, tuple)
        assert all(abs(one - other) <= 8 for one, other in zip(pixel, colour, strict=True))


def test_a_softened_sprite_keeps_its_colour_to_the_edge() -> None:
    builder = SpriteBuilder(40, 40, centred=True)
    builder.lay(builder.discs([(0, 0)], 12), "#FFFFFF")
    hard, soft = builder.finish(), builder.finish(0.6)
    assert soft.getchannel("A").tobytes() != hard.getchannel("A").tobytes()
    raw = soft.tobytes()
    assert min(raw[i] for i in range(0, len(raw), 4) if raw[i + 3] > 24) > 225


def test_a_sprite_has_no_dark_fringe() -> None:
    builder = SpriteBuilder(40, 40, centred=True)
    builder.lay(builder.discs([(0, 0)], 14.3), "#FFFFFF")
    for sprite in (builder.finish(), resized(builder.finish(), 0.6)):
        raw = sprite.tobytes()
        seen = [raw[i] for i in range(0, len(raw), 4) if raw[i + 3] > 24]
        assert seen
        assert min(seen) > 225


def test_shade_darkens_the_edges_that_the_light_leaves() -> None:
    builder = SpriteBuilder(40, 40)
    field = builder.box((0, 0), (40, 40))
    builder.lay(field, "#808080")
    builder.shade(field, "#000000", (6, 6), 2)
    image = builder.finish().convert("L")
    near, far = image.crop((1, 20, 2, 21)), image.crop((36, 36, 37, 37))
    assert near.tobytes()[0] < 90
    assert far.tobytes()[0] == 128
