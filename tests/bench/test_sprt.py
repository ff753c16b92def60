"""The sequential test of ``bench.players`` keeps to its stated errors, in simulated series of matches."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from bench.players import AIM, AIM_RANDOM, Pair, Tally, counted, judged, line
from bench.sprt import ALPHA, BETA, MARGIN, Verdict, log_ratio, verdict

SERIES = 2_000
"""Simulated series: three standard deviations of an error of 5 % are 1.5 points."""

MATCHES = 1_000
"""Matches of a series, at most; half of them are decided within some 150."""


def simulated(
    rng: Random, share: float, draws: float, advantage: float
) -> Iterator[tuple[float, dict[str, list[float]]]]:
    """Yield results whose share of points is so large; the side that begins has more of them."""
    for number in range(MATCHES):
        side = share + (-advantage if number % 2 else advantage)
        drawn = rng.random() < draws
        yield (0.5 if drawn else float(rng.random() < (side - draws / 2) / (1 - draws))), {}


def verdicts(aim: float, share: float, draws: float, advantage: float) -> Counter[Verdict]:
    """Return how often each verdict comes of series whose true share is ``share``."""
    rng, pair = Random(f"{aim} {share} {draws} {advantage}"), Pair("best", "middle", aim)
    tallies = (counted(pair, simulated(rng, share, draws, advantage)) for _ in range(SERIES))
    return Counter(judged(pair, tally, None) for tally in tallies)


@pytest.mark.parametrize("aim", [AIM, AIM_RANDOM])
@pytest.mark.parametrize(("draws", "advantage"), [(0.0, 0.0), (0.15, 0.0), (0.0, 0.09)])
def test_errors_are_as_stated(aim: float, draws: float, advantage: float) -> None:
    lower = verdicts(aim, aim - MARGIN, draws, advantage)
    upper = verdicts(aim, aim, draws, advantage)
    assert 0 < lower[Verdict.REACHED] <= ALPHA * SERIES
    assert 0 < upper[Verdict.MISSED] <= BETA * SERIES
    assert lower[Verdict.OPEN] + upper[Verdict.OPEN] < SERIES / 100


def test_a_series_ends_as_soon_as_it_is_decided() -> None:
    pair = Pair("best", "middle", AIM)
    assert counted(pair, ((1.0, {}) for _ in range(MATCHES))).matches == 18
    assert counted(pair, ((0.0, {}) for _ in range(MATCHES))).matches == 12
    assert counted(pair, ((1.0, {}) for _ in range(8))).matches == 8
    assert counted(Pair("best", "best", 0.0), ((1.0, {}) for _ in range(40))).matches == 40


def test_a_few_wins_are_open_and_a_draw_is_half_of_each() -> None:
    assert verdict(8, 8, AIM) is Verdict.OPEN
    assert verdict(18, 18, AIM) is Verdict.REACHED
    assert verdict(0, 12, AIM) is Verdict.MISSED
    assert log_ratio(1, 2, AIM) == pytest.approx(log_ratio(1, 1, AIM) + log_ratio(0, 1, AIM))


def test_a_team_is_compared_with_the_one_before_it() -> None:
    pair = Pair("best", "best", 0.0)
    worse, alike, better = (Tally(points, 400, points) for points in (300, 362, 390))
    assert judged(pair, better, worse) is Verdict.REACHED
    assert judged(pair, worse, better) is Verdict.MISSED
    assert judged(pair, alike, alike) is judged(pair, alike, None) is Verdict.OPEN


def test_only_a_fixed_number_of_matches_has_an_interval() -> None:
    tally = Tally(195, 276, 195)
    assert line(Pair("best", "middle", AIM), tally, Verdict.REACHED) == (
        "best-middle: 195 wins and 0 draws of 276, 71% of points, aim 65%: reached; "
    )
    assert "71% (65% to 76%): open" in line(Pair("best", "best", 0.0), tally, Verdict.OPEN)


ROW = re.compile(r"^\| (\w+ – \w+)(?: ¹)? \| (.*) \|$", re.MULTILINE)
CELL = re.compile(r"(\d+)( and a draw)? of (\d+)(?:, (\d+) %)?: (\w+)")


def test_the_page_of_levels_gives_the_verdicts_of_its_counts(repository: Path) -> None:
    rows = ROW.findall((repository / "docs" / "levels.md").read_text("utf-8"))
    assert len(rows) == 8
    for name, cells in rows:
        aim = AIM_RANDOM if name.endswith("random") else AIM
        for cell in cells.split(" | "):
            found = CELL.match(cell)
            assert found, cell
            wins, draw, matches, share, said = found.groups()
            points, played = int(wins) + (0.5 if draw else 0.0), int(matches)
            assert said == verdict(points, played, aim).value, (name, cell)
            assert points == played or abs(points / played - int(share) / 100) <= 0.0051, (name, cell)
