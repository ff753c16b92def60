"""Pictures as they were approved: reduced, and compared pixel by pixel within a tolerance.

``BAUTA_REMASTER=1`` writes them anew; look at every one before it is committed.
"""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from PIL import Image

from renderers.core.contract import Table
from tests.renderers.comparing import SHARE, far_share, in_few_colours
from tests.renderers.looks import LOOKS, SAMPLE, TABLE, named

FOLDER = Path(__file__).parent / "golden"
REMASTER = (
    'BAUTA_REMASTER=1 .venv/bin/python -m pytest tests/renderers/test_golden.py -m "nightly or not nightly"'
)
WIDTH = 380
"""What a phone shows."""

SAFE = (
    "corto_board",
    "corto_private",
    "corto_groups",
    "corto_scoring",
    "corto_end",
    "doge_board",
    "doge_hand",
    "doge_private",
    "doge_sheet_full",
    "doge_moving",
    "doge_clue_looked",
    "volo_board",
    "volo_private",
    "volto_private",
    "volto_capture",
    "volto_end",
    "volt_board",
    "volt_private",
    "volt_fall",
    "volt_reboot",
)
"""Looks that are approved in the theme for the colour-blind too."""

APPROVED = {name: (name, "default") for name in LOOKS} | {f"{name}_clear": (name, "clear") for name in SAFE}
"""Approved pictures by the names of their files: a look, and a theme."""


def _reduced(data: bytes) -> Image.Image:
    with Image.open(io.BytesIO(data)) as image:
        colours = image.convert("RGB")
    return colours.resize((WIDTH, round(WIDTH * colours.height / colours.width)), Image.Resampling.BOX)


def _approved() -> Sequence[object]:
    """Return all of them; by day two of each game, public and private, and each sixth of the others."""
    main = [pytest.param(*APPROVED[name], id=name) for name in SAMPLE]
    others = [pytest.param(*case, id=name) for name, case in APPROVED.items() if name not in SAMPLE]
    by_night = [pytest.param(*each.values, id=each.id, marks=pytest.mark.nightly) for each in others]
    return main + [pair[number % 6 != 0] for number, pair in enumerate(zip(others, by_night, strict=True))]


@pytest.mark.parametrize(("name", "theme"), _approved())
def test_pictures_look_as_approved(name: str, theme: str, request: pytest.FixtureRequest) -> None:
    shown = _reduced(named(name).paint(Table(TABLE.names, theme=theme)).data)
    path = FOLDER / f"{request.node.callspec.id}.png"
    if os.environ.get("BAUTA_REMASTER"):
        in_few_colours(shown, named(name).game, theme).save(path, "PNG", optimize=True)
    if not path.exists():
        pytest.fail(f"no approved picture {path.name}: write it by {REMASTER} -k {path.stem}, and look at it")
    with Image.open(path) as image:
        approved = image.convert("RGB")
    assert approved.size == shown.size
    assert far_share(approved, shown) <= SHARE, f"{path.name} is no longer painted so"


def test_the_tolerance_sees_one_mask_that_is_missing() -> None:
    shown = _reduced(named("volto_board").paint().data)
    changed = shown.copy()
    changed.paste(shown.crop((150, 200, 190, 240)), (60, 100))
    assert far_share(shown, shown) == 0
    assert far_share(shown, changed) > SHARE


def test_every_approved_picture_has_its_look() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.png")) == sorted(APPROVED)
