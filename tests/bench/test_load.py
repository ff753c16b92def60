"""The load bench's own verdict: a crowd that hardly plays is no evidence, however quick its clicks are."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from bench.load import SAID, Bot, Waits, report
from bench.matches import MIB


class _Crowd:
    acknowledged = [0.01] * 100
    shown = [0.02] * 100
    failed = withheld = confirmed = 0


@pytest.mark.parametrize(("said", "kept"), [(round(SAID), True), (round(SAID) - 1, False), (99, False)])
def test_a_crowd_that_says_too_little_fails(
    said: int, kept: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    bot = Bot(cast("Any", None), Path(), Path(), sizes=[MIB, MIB], worked=[0.0, 1.0], painted=[0.0, 1.0])
    others = {"volo": 0 if said == 99 else 1}
    assert (
        report(cast("Any", _Crowd()), bot, Waits(Path(), frozenset()), {"volto": said - 1} | others) is kept
    )
    assert ("MISSED" in capsys.readouterr().out) is not kept
