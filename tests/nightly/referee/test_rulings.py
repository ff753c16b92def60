"""What is not compared stands in the table, and the comparison can fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.nightly.referee.rulings import RULINGS
from tests.nightly.referee.story import difference


@pytest.mark.sample
def test_every_ruling_stands_in_the_table() -> None:
    table = (Path(__file__).parent / "README.md").read_text("utf-8")
    for ruling in RULINGS:
        assert f'| "{ruling.what}"' in table
        assert ruling.world in ("simcord", "sandbox")


@pytest.mark.sample
def test_stories_that_part_are_told_apart() -> None:
    story = ["# Alba: /play", "  Alba sees message 4 new: {}"]
    assert not difference(story, list(story))
    other = [*story[:1], "  Alba sees message 4 new: {1}"]
    assert difference(story, other).splitlines()[0] == story[0]
    assert difference(story, story[:1])
    assert difference(story[:1], story)
