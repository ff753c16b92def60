"""What people choose about reminders and holidays: every control, and what is refused."""

from __future__ import annotations

import pytest

from bot.domain.clocks import ZONES, Holiday, Reminding
from bot.domain.tables import Preferences
from bot.pages.custom_ids import Button, ButtonId, parse
from bot.pages.page import Page
from bot.pages.reminders import holiday_page, reminders_page
from bot.pages.texts import Texts
from tests.ui.limits import check, sent, told, walk

ENGLISH = Texts()
NOON = 1_800_000_000.0
NIGHT = Preferences(zone="Europe/Rome", quiet=(22, 8))


def read(page: Page) -> str:
    check(sent(page))
    return told(page)


def controls(page: Page) -> list[Button]:
    places = [parse(item["custom_id"]) for item in walk(sent(page)) if "custom_id" in item]
    return [place.button for place in places if isinstance(place, ButtonId)]


@pytest.mark.parametrize("region", ["", *ZONES])
@pytest.mark.parametrize("reminding", Reminding)
def test_a_page_has_a_control_for_everything(region: str, reminding: Reminding) -> None:
    chosen = Preferences(reminders=reminding)
    page = reminders_page(chosen, None, ENGLISH, now=NOON, region=region)
    assert "no quiet hours" in read(page)
    # Without a city there are no hours to choose.
    assert controls(page) == [Button.REMINDING, Button.REGION, Button.CITY, Button.SETTINGS]
    page = reminders_page(NIGHT, Holiday(NOON, NOON + 86_400, None), ENGLISH, now=NOON, region=region)
    assert "You’re on holiday, at most until" in read(page)
    assert Button.QUIET_FROM in controls(page)
    assert Button.QUIET_UNTIL in controls(page)


def test_how_reminders_come_is_one_sentence_each() -> None:
    pages = (reminders_page(Preferences(reminders=how), None, ENGLISH, now=NOON) for how in Reminding)
    said = [read(page).split("\\n")[1] for page in pages]
    assert len({*said}) == len(Reminding)
    assert all(line.endswith(".") and ":" not in line for line in said)


def test_quiet_hours_say_where_and_until_when() -> None:
    words = read(reminders_page(NIGHT, None, ENGLISH, now=NOON))
    assert "**22:00** to **08:00**, Rome time" in words
    night = NOON + 15 * 3_600  # eleven in the evening
    assert "Quiet hours are on until" in read(reminders_page(NIGHT, None, ENGLISH, now=night))


@pytest.mark.parametrize(("days", "words"), [(30, "30 more days"), (1, "one more day"), (0, "0 more days")])
def test_a_holiday_is_begun_and_ended(days: int, words: str) -> None:
    page = holiday_page(None, days * 86_400.0, ENGLISH)
    assert words in read(page)
    assert ('"disabled": true' in read(page)) is (days == 0)
    assert ENGLISH.house("holiday.end") in read(holiday_page(Holiday(NOON, NOON, None), 0.0, ENGLISH))
