"""Pictures as they were approved: reduced, and compared pixel by pixel within a tolerance.

``BAUTA_REMASTER=1`` writes them anew; look at every one before it is committed.
"""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from PIL import Image

from tests.renderers.comparing import SHARE, far_share
from tests.renderers.positions import LOOKS, named

FOLDER = Path(__file__).parent / "golden"
WIDTH = 380
"""What a phone shows."""


def _reduced(data: bytes) -> Image.Image:
    with Image.open(io.BytesIO(data)) as image:
        colours = image.convert("RGB")
    return colours.resize((WIDTH, round(WIDTH * colours.height / colours.width)), Image.Resampling.BOX)


@pytest.mark.parametrize("name", LOOKS)
def test_pictures_look_as_approved(name: str) -> None:
    shown = _reduced(named(name).paint().data)
    path = FOLDER / f"{name}.png"
    if os.environ.get("BAUTA_REMASTER"):
        shown.quantize(256).save(path, "PNG", optimize=True)
    with Image.open(path) as image:
        approved = image.convert("RGB")
    assert approved.size == shown.size
    assert far_share(approved, shown) <= SHARE


def test_the_tolerance_sees_one_mask_that_is_missing() -> None:
    shown = _reduced(named("volto_board").paint().data)
    changed = shown.copy()
    changed.paste(shown.crop((150, 200, 190, 240)), (60, 100))
    assert far_share(shown, shown) == 0
    assert far_share(shown, changed) > SHARE


def test_every_approved_picture_has_its_look() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.png")) == sorted(LOOKS)
