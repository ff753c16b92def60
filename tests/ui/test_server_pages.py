"""The page about a server: every control, what it changes, and who may not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.domain.clocks import Pace
from bot.domain.refusals import Refusal
from bot.domain.tables import Opening, Preferences, ServerRules
from bot.interactions.server import _changed
from bot.pages.custom_ids import Button, ButtonId, parse
from bot.pages.languages import AS_DISCORD
from bot.pages.page import Page
from bot.pages.person import settings_page
from bot.pages.server import end_page, server_page
from bot.pages.texts import Texts
from tests.ui.limits import check, sent, told, walk
from tests.ui.positions import begun, table_of

ENGLISH = Texts()
TABLE = table_of(begun("volo", 0))


def read(page: Page) -> str:
    check(sent(page))
    return told(page)


def controls(page: Page) -> list[Button]:
    places = [parse(item["custom_id"]) for item in walk(sent(page)) if "custom_id" in item]
    return [place.button for place in places if isinstance(place, ButtonId)]


def test_the_way_there_is_shown_to_who_manages_the_server() -> None:
    assert Button.SERVER not in controls(settings_page(Preferences(), "en-GB", ENGLISH))
    assert Button.SERVER in controls(settings_page(Preferences(), "en-GB", ENGLISH, manages=True))


def test_a_page_says_what_holds_and_changes_all_of_it() -> None:
    page = server_page(ServerRules(), None, ENGLISH)
    assert "Everyone can open tables." in read(page)
    assert "in every text channel" in read(page)
    assert "At most 40 threads a day" in read(page)
    assert Button.SERVER_ROLES not in controls(page)
    assert Button.END_MATCH not in controls(page)
    rules = ServerRules(Opening.ROLES, (11, 12), (21,), 10).with_paces([Pace.DAY, Pace.SLOW])
    page = server_page(rules, TABLE, ENGLISH)
    words = read(page)
    assert all(part in words for part in ("<@&11>", "<#21>", "At most 10 tables", "**day**"))
    assert "At most 5 threads a day" in read(server_page(replace(rules, threads_per_day=5), TABLE, ENGLISH))
    assert {Button.SERVER_ROLES, Button.SERVER_CHANNELS, Button.END_MATCH} <= set(controls(page))


def test_the_question_says_what_an_end_means() -> None:
    words = read(end_page(TABLE, ENGLISH))
    assert "no result and no replay" in words
    assert controls(end_page(TABLE, ENGLISH)) == [Button.END_FOR_GOOD]


@pytest.mark.parametrize(
    ("which", "values", "expected"),
    [
        (Button.SERVER_OPENING, ["managers"], ServerRules(Opening.MANAGERS)),
        (Button.SERVER_ROLES, ["5", "6"], ServerRules(roles=(5, 6))),
        (Button.SERVER_ROLES, [], ServerRules()),
        (Button.SERVER_CHANNELS, ["7"], ServerRules(channels=(7,))),
        (Button.SERVER_MOST, ["10"], ServerRules(most=10)),
        (Button.SERVER_MOST, ["none"], ServerRules()),
        (Button.SERVER_THREADS, ["5"], ServerRules(threads_per_day=5)),
        (Button.SERVER_THREADS, ["40"], ServerRules(threads_per_day=40)),
        (Button.SERVER_PACES, ["slow", "day"], ServerRules(paces=(Pace.DAY, Pace.SLOW), pace=Pace.DAY)),
        (Button.SERVER_PACE, ["slow"], ServerRules(pace=Pace.SLOW)),
        (Button.SERVER_LANGUAGE, ["en"], ServerRules(language="en")),
        (Button.SERVER_LANGUAGE, [AS_DISCORD], ServerRules()),
    ],
)
def test_each_choice_changes_its_own(which: Button, values: list[str], expected: ServerRules) -> None:
    assert _changed(ServerRules(), which, values) == expected


@pytest.mark.parametrize(
    ("which", "values"),
    [
        (Button.SERVER_OPENING, ["kings"]),
        (Button.SERVER_OPENING, []),
        (Button.SERVER_ROLES, ["x"]),
        (Button.SERVER_MOST, ["11"]),
        (Button.SERVER_THREADS, ["1000"]),
        (Button.SERVER_THREADS, ["none"]),
        (Button.SERVER_THREADS, []),
        (Button.SERVER_PACES, []),
        (Button.SERVER_PACE, ["x"]),
        (Button.SERVER_LANGUAGE, ["x"]),
        (Button.SERVER_LANGUAGE, []),
    ],
)
def test_what_no_page_offers_changes_nothing(which: Button, values: list[str]) -> None:
    with pytest.raises((ValueError, IndexError, Refusal)):
        _changed(ServerRules(), which, values)
