"""Quiet hours by the clocks of cities: at night, over midnight, and where clocks are set."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from bot.domain.clocks import KNOWN_ZONES, ZONES, QuietHours, city, region_of
from tests.kit.samples import some


def at(zone: str, *when: int, fold: int = 0) -> float:
    return datetime(*when, tzinfo=ZoneInfo(zone), fold=fold).timestamp()  # type: ignore[arg-type, misc]


def free(zone: str, begin: int, end: int, now: float) -> str:
    until = QuietHours(zone, begin, end).free_from(now)
    return "now" if until == now else datetime.fromtimestamp(until, ZoneInfo(zone)).isoformat()


@pytest.mark.parametrize(
    ("hours", "when", "expected"),
    [
        ((22, 8), (2026, 5, 4, 23, 30), "2026-05-05T08:00:00+02:00"),
        ((22, 8), (2026, 5, 4, 7, 59), "2026-05-04T08:00:00+02:00"),
        ((22, 8), (2026, 5, 4, 8, 0), "now"),
        ((22, 8), (2026, 5, 4, 21, 59), "now"),
        ((9, 17), (2026, 5, 4, 12, 0), "2026-05-04T17:00:00+02:00"),
        ((0, 0), (2026, 5, 4, 0, 0), "now"),
        # The night that has no hour from two to three: the end is at three.
        ((22, 2), (2026, 3, 29, 1, 30), "2026-03-29T03:00:00+02:00"),
        ((22, 8), (2026, 3, 28, 23, 0), "2026-03-29T08:00:00+02:00"),
        # The night that has it twice.
        ((22, 8), (2026, 10, 24, 23, 0), "2026-10-25T08:00:00+01:00"),
        ((22, 3), (2026, 10, 25, 2, 30), "2026-10-25T03:00:00+01:00"),
    ],
)
def test_quiet_hours_end_by_the_clock_on_the_wall(
    hours: tuple[int, int], when: tuple[int, ...], expected: str
) -> None:
    assert free("Europe/Rome", *hours, at("Europe/Rome", *when)) == expected


def test_the_same_hour_a_second_time_is_quiet_too() -> None:
    first, second = (at("Europe/Rome", 2026, 10, 25, 2, 30, fold=fold) for fold in (0, 1))
    assert second - first == 3_600
    end = QuietHours("Europe/Rome", 22, 3).free_from(first)
    assert end == QuietHours("Europe/Rome", 22, 3).free_from(second) == second + 1_800


def test_half_an_hour_is_set_too() -> None:
    zone = "Australia/Lord_Howe"
    before = at(zone, 2026, 10, 4, 1, 45)
    assert free(zone, 22, 2, before) == "2026-10-04T02:30:00+11:00"


@pytest.mark.parametrize("zone", some(sorted(KNOWN_ZONES)))
def test_everywhere_quiet_hours_end_within_a_day_and_are_over_then(zone: str) -> None:
    start = datetime(2026, 1, 1, tzinfo=UTC).timestamp()
    for hours in ((22, 8), (1, 3), (13, 14), (8, 22)):
        quiet = QuietHours(zone, *hours)
        for step in range(0, 366 * 24, 5):
            now = start + step * 3_600 + 1_234
            end = quiet.free_from(now)
            assert now <= end <= now + 86_400 + 3_600
            assert quiet.free_from(end) == end
            if end > now:
                assert quiet.free_from((now + end) / 2) == end


def test_cities_can_be_chosen_from() -> None:
    assert all(0 < len(zones) <= 25 for zones in ZONES.values())
    assert sum(map(len, ZONES.values())) == len(KNOWN_ZONES)
    assert all(region_of(zone) == region for region, zones in ZONES.items() for zone in zones)
    assert city("America/Argentina/Buenos_Aires") == "Buenos Aires"
