"""Pictures without a palette: their size is kept without trying, and what is calm stays fine."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageChops, ImageFilter, ImageStat

from renderers.core import rich
from renderers.core.studio import Studio, grain, resized, walk

SIZE = (1100, 1276)


def _scene(cell: int, blur: float) -> Image.Image:
    bands = [grain(SIZE, f"band {band}", (cell, cell)) for band in "rgb"]
    return Image.merge("RGB", bands).filter(ImageFilter.GaussianBlur(blur))


def _shown(data: bytes) -> Image.Image:
    with Image.open(io.BytesIO(data)) as image:
        return image.convert("RGB")


@pytest.mark.parametrize(("cell", "blur"), [(160, 0), (40, 0), (12, 1), (6, 2)])
def test_a_picture_keeps_its_limit(cell: int, blur: float) -> None:
    image = _scene(cell, blur)
    data = rich.encode_rich(image)
    assert len(data) <= rich.LIMIT
    assert data == rich.encode_rich(image.copy())
    assert _shown(data).size == SIZE


def test_quality_falls_until_the_limit_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    image = _scene(40, 0)
    usual = rich.encode_rich(image)
    monkeypatch.setattr(rich, "LIMIT", len(usual) - 1000)
    smaller = rich.encode_rich(image)
    assert len(smaller) <= len(usual) - 1000


def test_a_calm_picture_stays_fine_and_a_lively_one_is_told_apart() -> None:
    calm, lively = _scene(160, 0), _scene(12, 0)
    assert rich.activity(lively) > 4 * rich.activity(calm)
    difference = ImageChops.difference(_shown(rich.encode_rich(calm)), calm)
    assert max(ImageStat.Stat(difference).mean) < 2


def test_grain_is_the_same_for_the_same_seed_alone() -> None:
    first, again, other = (grain((60, 40), seed, (9, 7)) for seed in ("a", "a", "b"))
    assert first.size == (60, 40)
    assert first.tobytes() == again.tobytes() != other.tobytes()


def test_places_along_an_outline_are_even_and_point_outwards() -> None:
    square = [(-10.0, -10.0), (10.0, -10.0), (10.0, 10.0), (-10.0, 10.0)]
    for outline in (square, square[::-1]):
        places = walk(outline, 5)
        assert len(places) == 16
        assert all(x * nx + y * ny == pytest.approx(10) for (x, y), (nx, ny) in places)


def test_a_sprite_has_no_dark_fringe() -> None:
    studio = Studio(40, 40, centred=True)
    studio.lay(studio.discs([(0, 0)], 14.3), "#FFFFFF")
    for sprite in (studio.finish(), resized(studio.finish(), 0.6)):
        raw = sprite.tobytes()
        seen = [raw[i] for i in range(0, len(raw), 4) if raw[i + 3] > 24]
        assert seen
        assert min(seen) > 225


def test_shade_darkens_the_edges_that_the_light_leaves() -> None:
    studio = Studio(40, 40)
    field = studio.box((0, 0), (40, 40))
    studio.lay(field, "#808080")
    studio.shade(field, "#000000", (6, 6), 2)
    image = studio.finish().convert("L")
    near, far = image.crop((1, 20, 2, 21)), image.crop((36, 36, 37, 37))
    assert near.tobytes()[0] < 90
    assert far.tobytes()[0] == 128
